// Volume of a tetrahedron.
//
//   C(x) = e_1 . (e_2 x e_3) - 6 V_0,   e_n = x_n - x_0   (six times the volume)
//   dC/dx_1 = e_2 x e_3,  dC/dx_2 = e_3 x e_1,  dC/dx_3 = e_1 x e_2,  dC/dx_0 = -(sum of these)
//   dlam = -(C + a lam) / (sum w |dC/dx|^2 + a),  a = alpha / h^2
//
//   V_0 rest volume (m3); alpha = 36 V_0 / K for a bulk modulus K (Pa): energy K (V - V_0)^2 / (2
//   V_0). A scalar row that vanishes at rest. Frame: world. Source: spec of the XPBD volume
//   constraint, Mueller et al. 2007 section 4.4.2, compliance as Macklin et al. 2016.
#pragma once

#include <span>

#include "model/batches.h"

namespace pliant {

void refresh_bases(std::span<VolumeBatch> batches, const Vec4* base);
void project(std::span<const VolumeBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq);
double energy(std::span<const VolumeBatch> batches, const Vec4* d);  // J

}  // namespace pliant
