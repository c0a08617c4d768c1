// Cubes of lattices that are stacked and watched; shared with the long tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <pliant/world.h>

namespace pliant {

inline constexpr double k_cell = 0.1, k_side = 5 * k_cell;  // m

// 5 x 5 x 5 cells, soft enough that a stack of three sags by some hundredths. A column of 1e5 Pa
// buckles under its own weight from 1.8 m on (Greenhill 1881: (7.84 E I / (rho g A))^(1/3)), not
// far above the 1.5 m of three cubes. Implicit elements are softer than that at 16 substeps, by a
// third, and stay on each other with 3e5 Pa only (2.6 m).
inline SolidDef stack_cube(SolidModel model) {
  SolidDef def;
  def.tets = make_lattice(5, 5, 5, k_cell);
  def.model = model;
  def.density = 300;
  def.youngs_modulus = model == SolidModel::fem ? 3e5 : 1e5;
  def.poisson_ratio = 0.4;
  def.damping = 0.01;
  def.springs = {.distance = 60, .volume = 20, .damping = 0.3};
  def.matching = {.frequency = 40, .cluster_cells = 2};
  def.linear_drag = model == SolidModel::fem ? 0.5 : 2;  // the others have little of their own
  // Explicit viscous forces are stable only where they are small beside the elastic ones.
  if (model == SolidModel::explicit_fem) def.damping = 5e-4;
  return def;
}
// Hardly deforms, so that it slides as a block.
inline SolidDef stiff_cube(SolidModel model) {
  SolidDef def = stack_cube(model);
  def.youngs_modulus = 1e6;
  if (model == SolidModel::explicit_fem) def.damping = 1e-4;
  def.springs = {.distance = 600, .volume = 200, .damping = 3};
  def.matching = {.frequency = 60};
  def.linear_drag = 0;
  return def;
}

// A wave may not pass more than an element in a substep of explicit ones.
inline int stiff_substeps(SolidModel model) { return model == SolidModel::explicit_fem ? 64 : 16; }

inline Vec3 mean_of(const std::vector<Vec3>& x) {
  return std::accumulate(x.begin(), x.end(), Vec3{}) / double(x.size());
}
inline Vec3 centre_of(const World& world, SolidId id) {
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  return mean_of(x);
}
inline Vec3 velocity_of(const World& world, SolidId id) {
  std::vector<Vec3> v;
  world.copy_velocities(id, v);
  return mean_of(v);
}

inline std::vector<SolidId> add_stack(World& world, SolidModel model, int count) {
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
  std::vector<SolidId> out;
  for (int n = 0; n < count; ++n) {
    SolidDef def = stack_cube(model);
    def.position = {0.01 * n, k_side / 2 + 0.01 + n * (k_side + 0.01), -0.015 * n};
    out.push_back(world.add_solid(def).value());
  }
  return out;
}

struct Watch {
  double drift = 0;      // m, horizontal, of a centre
  double bobbing = 0;    // m, vertical, between the highest and the lowest place of a centre
  double fastest = 0;    // m/s, of any vertex, by its way in a frame
  double rms_speed = 0;  // m/s, of all vertices, likewise
  double deepest = 0;    // m
};
inline Watch watch_rest(World& world, const std::vector<SolidId>& solids, double settle,
                        double seconds) {
  constexpr double k_step = 1.0 / 60;
  for (int n = 0; n < int(settle / k_step); ++n) world.step(k_step);
  std::vector<Vec3> begin, low, high;
  for (const SolidId id : solids) begin.push_back(centre_of(world, id));
  low = high = begin;
  Watch out;
  double sum = 0, count = 0;
  std::vector<std::vector<Vec3>> before(solids.size());
  for (std::size_t s = 0; s < solids.size(); ++s) world.copy_positions(solids[s], before[s]);
  for (int n = 0; n < int(seconds / k_step); ++n) {
    world.step(k_step);
    for (std::size_t s = 0; s < solids.size(); ++s) {
      std::vector<Vec3> x;
      world.copy_positions(solids[s], x);
      const Vec3 c = mean_of(x);
      low[s] = min(low[s], c), high[s] = max(high[s], c);
      out.drift = std::max(out.drift, std::hypot(c.x - begin[s].x, c.z - begin[s].z));
      out.bobbing = std::max(out.bobbing, high[s].y - low[s].y);
      for (std::size_t v = 0; v < x.size(); ++v) {
        const double speed = length(x[v] - before[s][v]) / k_step;
        out.fastest = std::max(out.fastest, speed);
        sum += speed * speed, count += 1;
      }
      before[s] = std::move(x);
    }
    if (n % 30 == 0) out.deepest = std::max(out.deepest, world.measurements().penetration_max);
  }
  out.rms_speed = std::sqrt(sum / count);
  return out;
}

}  // namespace pliant
