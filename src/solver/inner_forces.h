// The forces with which the model of a deformable body acts on its particles where they are now.
#pragma once

#include <span>
#include <vector>

#include "solver/particle_stages.h"

namespace pliant {

struct InnerMemory {
  std::vector<Vec4> d, velocity;
  std::vector<std::int32_t> own;     // particles of the body's range
  std::vector<std::uint8_t> picked;  // batches of springs
};

// N, on some particles of the body, into `force` at their places. Springs and explicit elements
// have forces; of models that move particles it is what their motion of one substep amounts to,
// m dx / h^2. Nothing moves: the forces are those on particles at rest, none on what is held.
// Leaves the particles as they are.
void inner_forces(Particles& particles, Deformable& body, const SubstepContext& context,
                  std::span<const std::int32_t> wanted, InnerMemory& memory,
                  std::vector<Vec3>& force);

}  // namespace pliant
