// Bars of finite elements by direct solutions, beside the theory of thin beams.
#pragma once

#include <array>
#include <cmath>

#include "fem_bars.h"

namespace pliant {

// Of a mesh that is twice as fine each time: what the values go to, and with which order.
struct Limit {
  double order = 0, value = 0;
};
inline Limit extrapolated(const std::array<double, 3>& u) {
  const double ratio = (u[1] - u[0]) / (u[2] - u[1]);
  return {std::log2(ratio), u[2] + (u[2] - u[1]) / (ratio - 1)};
}

// The share of the right end's area that each vertex of the mesh stands for.
inline std::vector<double> end_shares(const Bar& bar) {
  const std::vector<Vec3> rest = bar.mesh().vertices;
  std::vector<double> share(rest.size(), 0);
  const double edge = bar.width / 2 * (1 - 1e-6);
  for (const std::int32_t v : bar.end(1)) {
    const Vec3& x = rest[std::size_t(v)];
    share[std::size_t(v)] = (std::abs(x.y) > edge ? 0.5 : 1.0) *
                            (std::abs(x.z) > edge ? 0.5 : 1.0) / (bar.cells * bar.cells);
  }
  return share;
}
inline double mean_height(const std::vector<Vec3>& x, const std::vector<double>& share) {
  double sum = 0;
  for (std::size_t v = 0; v < x.size(); ++v) sum += x[v].y * share[v];
  return sum;
}

inline double second_moment(const Bar& bar) { return std::pow(bar.width, 4) / 12; }  // m4
// N, with P L^2 / (E I) = k.
inline double tip_load(const Bar& bar, double k) {
  return k * bar.youngs_modulus * second_moment(bar) / std::pow(2 * bar.half(), 2);
}

inline std::vector<bool> held_left(const Bar& bar) {
  std::vector<bool> pinned(bar.mesh().vertices.size());
  for (const std::int32_t v : bar.end(-1)) pinned[std::size_t(v)] = true;
  return pinned;
}

// A bar that is held at the left and loaded at the right end: where its vertices come to rest.
inline std::vector<Vec3> direct_tip_loaded(const Bar& bar, double k, int load_steps) {
  const std::vector<double> share = end_shares(bar);
  std::vector<Vec3> load;
  for (const double s : share) load.push_back({0, -tip_load(bar, k) * s, 0});
  return reference::equilibrium(bar.reference_elements(), bar.mesh().vertices, bar.material(), load,
                                held_left(bar), load_steps);
}
// Drop / L.
inline double tip_drop(const Bar& bar, double k, int load_steps) {
  return -mean_height(direct_tip_loaded(bar, k, load_steps), end_shares(bar)) / (2 * bar.half());
}
// m, by its own weight.
inline double weight_drop(const Bar& bar, int load_steps) {
  return -mean_height(direct_cantilever(bar, 1000, 9.81, load_steps), end_shares(bar));
}
// Hz, held at the left end.
inline double direct_frequency(const Bar& bar) {
  std::vector<std::array<bool, 3>> held;
  for (const bool p : held_left(bar)) held.push_back({p, p, p});
  return reference::lowest_frequency(bar.reference_elements(), bar.mesh().vertices, bar.material(),
                                     vertex_masses(bar, 1000), held);
}

// J: the energy of a bar whose ends are turned by `angle` against each other. `warping` lets the
// ends become uneven, as in the theory; else they stay flat, as pins hold them.
inline double direct_torsion(const Bar& bar, double angle, bool warping) {
  std::vector<Vec3> x = bar.mesh().vertices;
  std::vector<std::array<bool, 3>> held(x.size(), {false, false, false});
  for (std::size_t v = 0; v < x.size(); ++v) {
    if (std::abs(x[v].x) > bar.half() - 1e-6) held[v] = {!warping, true, true};
    if (length(x[v] - Vec3{-bar.half(), 0, 0}) < 1e-6) held[v][0] = true;  // somewhere along x
    const double turn = angle * (x[v].x / (2 * bar.half()) + 0.5);
    const double c = std::cos(turn), s = std::sin(turn);
    x[v] = {x[v].x, c * x[v].y - s * x[v].z, s * x[v].y + c * x[v].z};
  }
  const std::vector<reference::Element> list = bar.reference_elements();
  const std::vector<Vec3> still =
      reference::equilibrium(list, x, bar.material(), std::vector<Vec3>(x.size()), held);
  return still.empty() ? 0 : reference::energy(list, bar.material(), still);
}
// J: T = 0.1406 G a^4 angle / L, and half of T angle.
inline double theory_torsion(const Bar& bar, double angle) {
  const double shear = bar.youngs_modulus / (2 * (1 + bar.poisson_ratio));
  return 0.5 * 0.1406 * shear * std::pow(bar.width, 4) * angle * angle / (2 * bar.half());
}

}  // namespace pliant
