#include "solver/inner_forces.h"

#include <algorithm>

#include "constraints/springs.h"

namespace pliant {

void inner_forces(Particles& particles, Deformable& body, const SubstepContext& context,
                  InnerMemory& memory, std::vector<Vec3>& force) {
  const auto begin = std::ptrdiff_t(body.begin);
  const auto end = begin + body.constraints.places();
  memory.d.assign(particles.d.begin() + begin, particles.d.begin() + end);
  memory.velocity.assign(particles.velocity.begin() + begin, particles.velocity.begin() + end);
  const bool by_forces = !body.springs.empty() || body.constraints.fem_material.explicit_forces;
  double scale = 1 / (context.h * context.h);
  if (by_forces) {  // from rest: what it is given is h f / m
    std::fill(particles.velocity.begin() + begin, particles.velocity.begin() + end, Vec4{});
    if (body.springs.empty())
      apply_element_forces(particles, body, context);
    else
      integrate(body.springs,
                {particles.d.data() + begin,
                 particles.velocity.data() + begin,
                 nullptr,
                 Vec3{},
                 context.h,
                 {1, spring_steps(body.springs, context.h).scale}},
                context.pool);
    scale = 1 / context.h;
  } else {
    project_internal(particles, body, context);
  }
  for (std::int32_t n = 0; n < body.count; ++n) {
    const std::size_t p = std::size_t(body.begin + n);
    const Vec4& old = memory.d[std::size_t(n)];
    const Vec4& now = by_forces ? particles.velocity[p] : particles.d[p];
    const Vec3 gained = by_forces
                            ? Vec3{double(now.x), double(now.y), double(now.z)}
                            : Vec3{double(now.x) - double(old.x), double(now.y) - double(old.y),
                                   double(now.z) - double(old.z)};
    force[p] = (double(particles.force[p].w) * scale) * gained;
  }
  std::copy(memory.d.begin(), memory.d.end(), particles.d.begin() + begin);
  std::copy(memory.velocity.begin(), memory.velocity.end(), particles.velocity.begin() + begin);
}

}  // namespace pliant
