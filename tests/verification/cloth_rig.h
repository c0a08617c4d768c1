// A cloth as the builder makes it, without a world: loads on its vertices, and a hand that may
// guide the particles in every substep.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "build/deformable_build.h"
#include "model/particles.h"
#include "solver/particle_stages.h"

namespace pliant {

struct ClothRig {
  Particles particles;
  Deformable body;
  std::vector<double> mass;  // kg, of particles
  double time = 0;
  std::function<void(ClothRig&)> guide;  // after the constraints of a substep

  explicit ClothRig(const ClothDef& def) {
    DeformableBuild build = build_cloth(def);
    body = std::move(build.body);
    mass = build.mass;
    particles.resize(body.constraints.places());
    for (std::size_t i = 0; i < build.position.size(); ++i) {
      const Vec3& x = build.position[i];
      particles.base[i] = {Real(x.x), Real(x.y), Real(x.z), 0};
      particles.d[i] = {Real(x.x - double(particles.base[i].x)),
                        Real(x.y - double(particles.base[i].y)),
                        Real(x.z - double(particles.base[i].z)), Real(1 / mass[i])};
      particles.force[i] = {0, 0, 0, Real(mass[i])};
    }
    for (const PinnedParticle& pin : body.pins) particles.d[std::size_t(pin.particle)].w = 0;
  }

  std::size_t particle(std::int32_t vertex) const {
    return std::size_t(body.order[std::size_t(vertex)]);
  }
  void load(std::int32_t vertex, const Vec3& force) {
    Vec4& f = particles.force[particle(vertex)];
    f = {f.x + Real(force.x), f.y + Real(force.y), f.z + Real(force.z), f.w};
  }
  void step(double dt, int substeps, int sweeps, const Vec3& gravity) {
    rebase(particles, body, nullptr);
    for (int s = 0; s < substeps; ++s) {
      const double h = dt / substeps;
      time += h;
      const SubstepContext context{h, time, gravity, sweeps, nullptr};
      apply_forces(particles, body, context, true);
      predict(particles, body, context);
      project_internal(particles, body, context);
      if (guide) guide(*this);
      update_velocities(particles, body, context);
    }
  }
  void run(double seconds, int substeps, int sweeps, const Vec3& gravity) {
    const int frames = int(seconds * 60 + 0.5);
    for (int n = 0; n < frames; ++n) step(1.0 / 60, substeps, sweeps, gravity);
  }
  Vec3 place(std::int32_t vertex) const {
    const Vec4 &b = particles.base[particle(vertex)], &d = particles.d[particle(vertex)];
    return {double(b.x) + double(d.x), double(b.y) + double(d.y), double(b.z) + double(d.z)};
  }
};

// Of a grid with columns along x and rows along z.
inline std::int32_t grid_vertex(int columns, int i, int j) { return j * (columns + 1) + i; }

inline std::vector<std::int32_t> grid_row(int columns, int j) {
  std::vector<std::int32_t> row;
  for (int i = 0; i <= columns; ++i) row.push_back(grid_vertex(columns, i, j));
  return row;
}

}  // namespace pliant
