// A few particles and constraints without a world: for closed forms of single constraints.
#pragma once

#include <cstddef>
#include <vector>

#include "build/constraint_rows.h"
#include "model/deformable.h"
#include "model/particles.h"
#include "solver/particle_stages.h"

namespace pliant {

struct ParticleRig {
  Particles particles;
  Deformable body;

  // Mass 0 pins a particle.
  ParticleRig(const ConstraintRows& rows, const std::vector<Vec3>& x,
              const std::vector<double>& mass, const ScheduleChoice& choice = {}) {
    body.count = std::int32_t(x.size());
    body.constraints = make_constraint_set(rows, body.count, choice);
    particles.resize(body.constraints.places());
    for (std::size_t i = 0; i < x.size(); ++i) {
      particles.base[i] = {Real(x[i].x), Real(x[i].y), Real(x[i].z), 0};
      particles.d[i] = {
          Real(x[i].x - double(particles.base[i].x)), Real(x[i].y - double(particles.base[i].y)),
          Real(x[i].z - double(particles.base[i].z)), mass[i] > 0 ? Real(1 / mass[i]) : Real(0)};
      if (mass[i] <= 0) body.pins.push_back({std::int32_t(i), -1, x[i]});
    }
  }

  void step(double dt, int substeps, int sweeps, const Vec3& gravity) {
    rebase(particles, body, nullptr);
    for (int s = 0; s < substeps; ++s) {
      const SubstepContext context{dt / substeps, 0, gravity, sweeps, nullptr};
      apply_forces(particles, body, context, false);
      predict(particles, body, context);
      project_internal(particles, body, context);
      update_velocities(particles, body, context);
    }
  }

  Vec3 place(std::size_t i) const {
    const Vec4 &b = particles.base[i], &d = particles.d[i];
    return {double(b.x) + double(d.x), double(b.y) + double(d.y), double(b.z) + double(d.z)};
  }
  Vec3 velocity(std::size_t i) const {
    const Vec4& v = particles.velocity[i];
    return {double(v.x), double(v.y), double(v.z)};
  }
};

}  // namespace pliant
