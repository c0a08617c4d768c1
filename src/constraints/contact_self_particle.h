// Contact of two particles of one cloth at position level, eight at a time, friction inside.
//
//   C(x) = |x_i - x_j| - r >= 0, acts only while C < 0;  dC/dx_i = n = -dC/dx_j
//   dlam = -C / W, lam >= 0;  W = w_i + w_j;  dx_i = w_i dlam n, dx_j = -w_j dlam n
//
//   n unit vector from j to i where they are now, w inverse mass, r the distance that they keep
//   (model/self_particles.h) or, while an old overlap is pushed out, less. Shifts are opposite and
//   along the line between the two: linear and angular momentum stay. Two that have passed each
//   other in this substep, nearer than r / 2 on their way, are brought back: there n is that of the
//   beginning of the substep, and C(x) = n . (x_i - x_j) - r.
//   Friction is that of constraints/contact_sheet.h: what the two have slipped against each other
//   is taken back, all of it up to the static limit, else the kinetic limit's part of it. Sources:
//   Mueller et al. 2007 (position based dynamics), Macklin et al. 2014 for the friction.
#pragma once

#include "model/particles.h"
#include "model/self_particles.h"

namespace pliant {

// Begins a substep: where the two were, whether they have passed each other, and what is restored,
// of an old overlap at most `pushed` (m).
void refresh_self_pairs(SelfPairBatch& batch, const Particles& particles, Real pushed);
// Moves the particles of one batch.
void project_self_pairs(SelfPairBatch& batch, Real friction_static, Real friction_kinetic,
                        Particles& particles);

}  // namespace pliant
