// Volume of a solid as a whole, kept where contacts press it.
//
// The rows of the cells come before the contacts, which move the surface after them. What a blow
// takes from the outermost cells would come back only in the next substeps, from one layer of cells
// to the next. One row spreads it over the whole surface at once:
//
//   C = V(x) - V(x before the contacts),  g_p = dV/dx_p, a third of the area vectors around p
//   dlam = -C / (sum w_p |g_p|^2 + a),  a = (V_0 / K) / h^2,  dx_p = w_p dlam g_p
//
//   V_0 rest volume (m3), K bulk modulus (Pa). The sum is over what the contacts have not moved:
//   the rest moves like all others, so that momentum stays (over a closed surface g_p and
//   x_p x g_p sum to zero), but the contacts, which come once more, will put it back. Frame: world.
#pragma once

#include <pliant/math.h>

#include "model/deformable.h"

namespace pliant {

// Of one body.
struct PressedBody {
  const Vec4* base = nullptr;  // of its first particle
  Vec4* d = nullptr;           // likewise
  Vec4* from = nullptr;        // d of the shell's particles before the contacts
  Vec4* place = nullptr;       // m, scratch beside it: where they are from the first
  Vec4* gradient = nullptr;    // likewise: dV/dx
};

// Before the contacts: notes where the shell is.
void note_shell(const BodyShell& shell, const PressedBody& x);
// After them. Returns whether there was anything to give back.
bool keep_volume(const Deformable& body, const PressedBody& x, double h);

}  // namespace pliant
