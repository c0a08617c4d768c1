#include "solver/inner_forces.h"

#include <algorithm>

#include "constraints/springs.h"

namespace pliant {
namespace {

void spring_forces(const Particles& particles, Deformable& body, const SubstepContext& context,
                   std::span<const std::int32_t> wanted, InnerMemory& memory, Vec3* force) {
  const auto begin = particles.d.begin() + std::ptrdiff_t(body.begin);
  memory.d.assign(begin, begin + std::ptrdiff_t(body.constraints.places()));
  memory.velocity.assign(memory.d.size(), Vec4{});
  memory.own.clear();
  for (const std::int32_t p : wanted) memory.own.push_back(p - body.begin);
  const SpringStep step{memory.d.data(), memory.velocity.data(),
                        nullptr,         Vec3{},
                        context.h,       {1, spring_steps(body.springs, context.h).scale}};
  forces_on(body.springs, step, memory.own, memory.picked, force + body.begin, context.pool);
  for (const std::int32_t p : wanted)
    if (!(particles.d[std::size_t(p)].w > 0)) force[p] = {};
}

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }

// What a substep of the body's model alone gives to each particle at rest.
void model_forces(Particles& particles, Deformable& body, const SubstepContext& context,
                  std::span<const std::int32_t> wanted, InnerMemory& memory, Vec3* force) {
  const auto begin = std::ptrdiff_t(body.begin);
  const auto end = begin + body.constraints.places();
  memory.d.assign(particles.d.begin() + begin, particles.d.begin() + end);
  memory.velocity.assign(particles.velocity.begin() + begin, particles.velocity.begin() + end);
  const bool by_forces = body.constraints.fem_material.explicit_forces;
  if (by_forces) {  // what rest is given is h f / m
    std::fill(particles.velocity.begin() + begin, particles.velocity.begin() + end, Vec4{});
    apply_element_forces(particles, body, context);
  } else {
    project_internal(particles, body, context);
  }
  const double scale = 1 / (by_forces ? context.h : context.h * context.h);
  for (const std::int32_t i : wanted) {
    const std::size_t p = std::size_t(i);
    const Vec3 gained =
        by_forces ? in_double(particles.velocity[p])
                  : in_double(particles.d[p]) - in_double(memory.d[std::size_t(i - body.begin)]);
    force[p] = (double(particles.force[p].w) * scale) * gained;
  }
  std::copy(memory.d.begin(), memory.d.end(), particles.d.begin() + begin);
  std::copy(memory.velocity.begin(), memory.velocity.end(), particles.velocity.begin() + begin);
}

}  // namespace

void inner_forces(Particles& particles, Deformable& body, const SubstepContext& context,
                  std::span<const std::int32_t> wanted, InnerMemory& memory,
                  std::vector<Vec3>& force) {
  if (body.springs.empty())
    model_forces(particles, body, context, wanted, memory, force.data());
  else
    spring_forces(particles, body, context, wanted, memory, force.data());
}

}  // namespace pliant
