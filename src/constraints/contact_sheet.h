// Contact between sheets at position level, eight at a time, friction inside: the equation of
// constraints/contact_particle.h with four particles and no rigid side.
//
//   C(x) = n . sum s_k x_k - target >= 0, acts only while C < 0;  dC/dx_k = s_k n
//   dlam = -C / W, lam >= 0;  W = sum w_k s_k^2;  dx_k = w_k s_k dlam n
//
//   n unit normal from side a to side b, s_k weights of the nearest points when the substep began,
//   positive on side b and negative on side a, each side's summing up to one; target: the thickness
//   or, while an old overlap is pushed out, less. Vertex-triangle: s = (1, -u, -v, -w); edge-edge:
//   s = (1-s, s, -(1-t), -t). The sum of s_k is 0: linear momentum stays; n is parallel to the line
//   between the nearest points: so does angular momentum, until the substep has turned them.
//   Sources: Bridson et al. 2002 for the features, Macklin et al. 2014 for the friction.
#pragma once

#include <span>

#include "model/particles.h"
#include "model/sheet.h"

namespace pliant {

// m, along the normal, with what has been done so far in this substep.
RealW distance_now(const SheetBatch& batch, const std::array<Vec4W, 4>& d);
std::array<Vec4W, 4> gather_sheet(const SheetBatch& batch, const std::vector<Vec4>& array);
// Moves the particles of one batch.
void project_sheet_batch(SheetBatch& batch, Particles& particles);

}  // namespace pliant
