// The forces with which the model of a deformable body acts on its particles where they are now.
#pragma once

#include <vector>

#include "solver/particle_stages.h"

namespace pliant {

struct InnerMemory {
  std::vector<Vec4> d, velocity;
};

// N, into `force` at the places of the body's particles. Springs and explicit elements have forces;
// of models that move particles it is what their motion of one substep amounts to, m dx / h^2.
// Leaves the particles as they are.
void inner_forces(Particles& particles, Deformable& body, const SubstepContext& context,
                  InnerMemory& memory, std::vector<Vec3>& force);

}  // namespace pliant
