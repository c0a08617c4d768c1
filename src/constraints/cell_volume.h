// Volume of a cube of a lattice that is cut into five tetrahedra.
//
// Five rows for five tetrahedra would be more than the three freedoms that a lattice has for each
// cube, and lock; one row for the cube keeps the volume and converges faster.
//
//   the middle tetrahedron m_0..m_3 and, beyond its face opposite m_k, the corner e_k:
//   a_k = m_k - m_0,  u_k = e_0 - e_k,  c_1 = a_2 x a_3 (and cyclic)
//   C(x) = sum u_k . c_k - 6 V_0   (the five tetrahedra, six times)
//   dC/de_k = -c_k,  dC/de_0 = c_1 + c_2 + c_3
//   dC/dm_1 = u_2 x a_3 - u_3 x a_2 (and cyclic),  dC/dm_0 = -(sum of these)
//
//   V_0 rest volume (m3); dlam and alpha as in volume.h. Frame: world.
#pragma once

#include <span>

#include "model/batches.h"

namespace pliant {

void refresh_bases(std::span<CellVolumeBatch> batches, const Vec4* base);
void project(std::span<const CellVolumeBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq);
double energy(std::span<const CellVolumeBatch> batches, const Vec4* d);  // J

}  // namespace pliant
