// Strain: an orthotropic St. Venant-Kirchhoff triangle as one constraint of three rows.
//
//   f_u = sum a_i x_i,  f_v = sum b_i x_i     (columns of the 3 x 2 deformation gradient)
//   c(x) = ( (f_u.f_u - 1) / 2,  (f_v.f_v - 1) / 2,  f_u.f_v )      (Green strain, engineering
//   shear) dc/dx_i = ( a_i f_u,  b_i f_v,  a_i f_v + b_i f_u ) (J W J^T + S / (A t h^2)) dlam = -(c
//   + S lam / (A t h^2)),   dx_i = w_i (dc/dx_i)^T dlam
//
//   u weft, v warp; a_i, b_i from the inverse of the rest triangle's edges in the frame of the
//   fabric (1/m), sums 0; A rest area (m2), t thickness of the sheet (m), h substep (s). Compliance
//   S = (1/E_u, -nu/E_v, 0; -nu/E_v, 1/E_v, 0; 0, 0, 1/G) (1/Pa), E_u, E_v moduli of weft and warp,
//   G of shear, nu contraction along the weft under load along the warp. Energy A t c S^-1 c / 2.
//   Lines under load N (N/m) along an axis stretch by L with L (L^2 - 1) / 2 = N / (E t).
//   The stretch of a collapsed triangle has hardly a gradient, and a full step would throw it far
//   beyond its rest shape: a step changes the deformation gradient by 1/2 at most.
//
// Limit: C(x) = m^2 - |f_u n_u + f_v n_v|^2 >= 0 acts while the greatest principal stretch exceeds
//   m; n its direction in the fabric, kept for the step.
//
// Frame: world. Source: Macklin, Mueller, Chentanez 2016, section 6.3, with shear as its sum of
// two.
#pragma once

#include <span>

#include "constraints/distance.h"
#include "model/batches.h"

namespace pliant {

void refresh_bases(std::span<StrainBatch> batches, const Vec4* base);
void project(std::span<const StrainBatch> batches, Vec3W* multipliers, Vec4* d, Real inv_h_sq);
// Position based: the share `stiffness` of the way to c = 0, whatever the moduli.
void project_pbd(std::span<const StrainBatch> batches, Vec4* d, Real stiffness);
void limit_stretch(std::span<const StrainBatch> batches, Vec4* d, Real limit);
// Of edge lengths; inner edges count for each of their triangles.
void measure_stretch(std::span<const StrainBatch> batches, const Vec4* d, Stretch& stretch);
double energy(std::span<const StrainBatch> batches, const Vec4* d);  // J

}  // namespace pliant
