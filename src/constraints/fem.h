// Finite elements: tetrahedra with constant deformation gradient as blocks of nine rows.
//
//   F = sum e_n b_n^T,  e_n = x_n - x_0,  b_n rows of the inverse of the rest edges (1/m)
//   dF/dx_n = b_n, b_0 = -(b_1 + b_2 + b_3);  B = sum w_n b_n b_n^T
//   r(x, L) = L + V h^2 P(F) = 0,  x = x~ + w_n L b_n     (L the impulse times h of the stress, J)
//   (1 + V h^2 H (.) B) dL = -r,  dx_n = w_n dL b_n
//
//   P = dPsi/dF (constraints/fem_energy.h), V rest volume (m3), h substep (s), w inverse masses, x~
//   where the particles go without elasticity. With all L kept over the sweeps this is Newton's
//   method for backward Euler, element by element, and converges to it whatever H is. H = p I + q g
//   g^T, not less than the energy's second derivative, makes the solution a 3 x 3 inverse N = (1 +
//   V h^2 p B)^-1 and one number s = g : dL B:
//   dL = -(r + V h^2 q s g) N,  s = -(r : g N B) / (1 + V h^2 q g : g N B)
//   Rows vanish at rest. Where H B h^2 V is small against 1 a sweep is the explicit force; where it
//   is large, one sweep leaves the element softer than its modulus.
//   Before a block has converged dL F^T is not symmetric, which would be a torque: the part w x F
//   of dL that carries it is taken out, (F:F - F F^T) w = sum F_l x dL_l.
//
// Frame: world. Source: Macklin, Mueller, Chentanez 2016 for the multipliers; energies as there.
#pragma once

#include <span>

#include "math/wide_mat3.h"
#include "model/batches.h"

namespace pliant {

void refresh_bases(std::span<FemBatch> batches, const Vec4* base);
// `h_sq` (s2).
void project(std::span<const FemBatch> batches, const FemMaterial& material, Mat3W* multipliers,
             Vec4* d, Real h_sq);
double energy(std::span<const FemBatch> batches, const FemMaterial& material,
              const Vec4* d);  // J

}  // namespace pliant
