// Particles on springs without a world: for the laws of springs.
#pragma once

#include <cmath>
#include <vector>

#include "build/constraint_rows.h"
#include "build/spring_net.h"
#include "constraints/springs.h"
#include "solver/particle_stages.h"

namespace pliant {

struct SpringRig {
  Particles particles;
  Deformable body;

  // Mass 0 holds a particle.
  SpringRig(const SpringRows& rows, const std::vector<Vec3>& rest, const std::vector<double>& mass,
            SpringIntegrator integrator = SpringIntegrator::verlet) {
    body.count = std::int32_t(rest.size());
    body.constraints = make_constraint_set({}, body.count);
    body.springs = make_spring_net(rows, rest, mass, integrator);
    particles.resize(body.constraints.places());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      particles.base[i] = {Real(rest[i].x), Real(rest[i].y), Real(rest[i].z), 0};
      particles.d[i].w = mass[i] > 0 ? Real(1 / mass[i]) : Real(0);
      particles.force[i].w = Real(mass[i]);
      if (mass[i] <= 0) body.pins.push_back({std::int32_t(i), -1, rest[i]});
    }
    refresh_bases(body.springs, particles.base.data());
  }

  // As the world does it, in as many parts as are stable.
  void substep(double h, const Vec3& gravity = {}) {
    rebase(particles, body, nullptr);
    const SubstepContext context{h, 0, gravity, 1, nullptr};
    apply_forces(particles, body, context, false);
    predict(particles, body, context);
    project_internal(particles, body, context);
    update_velocities(particles, body, context);
  }
  // One step of the integrator, stable or not; held particles stay.
  void plain_step(double h, const Vec3& gravity = {}) {
    integrate(body.springs,
              {particles.d.data(), particles.velocity.data(), nullptr, gravity, h, {1, 1}},
              nullptr);
  }

  std::size_t count() const { return std::size_t(body.count); }
  double mass(std::size_t i) const { return double(particles.force[i].w); }
  Vec3 place(std::size_t i) const {
    const Vec4 &b = particles.base[i], &d = particles.d[i];
    return {double(b.x) + double(d.x), double(b.y) + double(d.y), double(b.z) + double(d.z)};
  }
  Vec3 velocity(std::size_t i) const {
    const Vec4& v = particles.velocity[i];
    return {double(v.x), double(v.y), double(v.z)};
  }
  void move(std::size_t i, const Vec3& by) {
    Vec4& d = particles.d[i];
    d = {d.x + Real(by.x), d.y + Real(by.y), d.z + Real(by.z), d.w};
  }
  void set_velocity(std::size_t i, const Vec3& v) {
    particles.velocity[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
  }
  double kinetic() const {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) sum += mass(i) * length_sq(velocity(i)) / 2;
    return sum;
  }
  double elastic() const { return energy(body.springs, particles.d.data()); }
  Vec3 momentum() const {
    Vec3 sum;
    for (std::size_t i = 0; i < count(); ++i) sum += mass(i) * velocity(i);
    return sum;
  }
  Vec3 angular_momentum() const {
    Vec3 sum;
    for (std::size_t i = 0; i < count(); ++i) sum += mass(i) * cross(place(i), velocity(i));
    return sum;
  }
  // The force on each particle, from the velocity that a short step gives it.
  std::vector<Vec3> forces(double h = 1) {
    const std::vector<Vec4> d = particles.d, v = particles.velocity;
    const SpringIntegrator integrator = body.springs.integrator;
    body.springs.integrator = SpringIntegrator::semi_implicit;
    plain_step(h);
    std::vector<Vec3> force;
    for (std::size_t i = 0; i < count(); ++i) {
      const Vec4 &a = v[i], &b = particles.velocity[i];
      force.push_back(
          Vec3{double(b.x) - double(a.x), double(b.y) - double(a.y), double(b.z) - double(a.z)} *
          (mass(i) / h));
    }
    particles.d = d, particles.velocity = v;
    body.springs.integrator = integrator;
    return force;
  }
};

}  // namespace pliant
