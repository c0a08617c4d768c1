// Particles drawn to their rest shape without a world: for the laws of shape matching.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "build/constraint_rows.h"
#include "build/match_clusters.h"
#include "constraints/matching.h"
#include "solver/particle_stages.h"
#include "verification/rig_precision.h"

namespace pliant {

// The frequency whose substep goes the share alpha of the way.
inline double frequency_of(double alpha, double h) {
  return alpha >= 1 ? 1e9 : std::asin(std::sqrt(alpha)) / (2 * 3.14159265358979323846 * h);
}

struct MatchRig {
  Particles particles;
  Deformable body;

  MatchRig(const Matching& def, const std::vector<Vec3>& rest, const std::vector<Vec3>& x,
           const std::vector<double>& mass, ClusterList clusters = {}) {
    if (clusters.empty()) {
      clusters.emplace_back(rest.size());
      std::iota(clusters[0].begin(), clusters[0].end(), 0);
    }
    body.count = std::int32_t(rest.size());
    body.constraints = make_constraint_set({}, body.count);
    body.matching = make_matching(def, clusters, rest, mass);
    particles.resize(body.constraints.places());
    for (std::size_t i = 0; i < x.size(); ++i) {
      particles.base[i] = {Real(x[i].x), Real(x[i].y), Real(x[i].z), 0};
      particles.d[i] = {0, 0, 0, Real(1 / mass[i])};
      particles.force[i].w = Real(mass[i]);
    }
  }

  void goals() {
    find_goals(body.matching, particles.base.data(), particles.d.data(), body.matching.scratch,
               nullptr);
  }
  // `after` is called when the shapes have been matched.
  template <class After>
  void step(double h, const Vec3& gravity, const After& after) {
    rebase(particles, body, nullptr);
    const SubstepContext context{h, 0, gravity, 1, nullptr};
    apply_forces(particles, body, context, false);
    predict(particles, body, context);
    project_internal(particles, body, context);
    after();
    update_velocities(particles, body, context);
  }
  void step(double h, const Vec3& gravity = {}) {
    step(h, gravity, [] {});
  }

  std::size_t count() const { return std::size_t(body.count); }
  Vec3 place(std::size_t i) const {
    const Vec4 &b = particles.base[i], &d = particles.d[i];
    return {double(b.x) + double(d.x), double(b.y) + double(d.y), double(b.z) + double(d.z)};
  }
  Vec3 velocity(std::size_t i) const {
    const Vec4& v = particles.velocity[i];
    return {double(v.x), double(v.y), double(v.z)};
  }
  void set_velocity(std::size_t i, const Vec3& v) {
    particles.velocity[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
  }
  // From place to goal, in the first cluster, of members in their order.
  Vec3 way(std::size_t member) const {
    const Vec3W& w = body.matching.scratch.offset[member / k_lanes];
    const int lane = int(member % k_lanes);
    return {double(w.x[lane]), double(w.y[lane]), double(w.z[lane])};
  }
  // R of cluster c: its rows.
  Mat3 rotation(std::size_t c = 0) const {
    const MatchMap& map = body.matching.scratch.maps[c];
    const double size = double(body.matching.groups[c / k_lanes].size[int(c % k_lanes)]);
    Mat3 r;
    for (int col = 0; col < 3; ++col) {
      const Vec3R& v = map.rotation[std::size_t(col)];
      r.row[0][col] = double(v.x) / size;
      r.row[1][col] = double(v.y) / size;
      r.row[2][col] = double(v.z) / size;
    }
    return r;
  }
  double rms_way() {
    goals();
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) sum += length_sq(way(i));
    return std::sqrt(sum / double(count()));
  }
};

}  // namespace pliant
