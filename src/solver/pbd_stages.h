// Internal constraints by position based dynamics, for cloths that ask for it by name.
//
// A sweep moves the particles of each constraint by a share k' of what would satisfy it;
// k' = 1 - (1 - k)^(1 / n) leaves (1 - k) of a single constraint's error after n sweeps, whatever
// n. It stays dependent on the substep, and coupled constraints on n as well: this is what XPBD
// cures. Source: Mueller, Heidelberger, Hennix, Ratcliff 2007, section 3.3.
#pragma once

#include "solver/particle_stages.h"

namespace pliant {

double pbd_share(double stiffness, int sweeps);
void project_internal_pbd(Particles& particles, Deformable& body, const SubstepContext& context);

}  // namespace pliant
