// Finite elements: tetrahedra with constant deformation gradient as blocks of strain rows.
//
//   F = sum e_n b_n^T = R S,  e_n = x_n - x_0,  b_n rows of the inverse of the rest edges (1/m)
//   dF/dx_n = b_n, b_0 = -(b_1 + b_2 + b_3);  B = sum w_n b_n b_n^T
//   r(x, L) = L + V h^2 P(F) = 0,  x = x~ + w_n L b_n     (L is -V h^2 times the stress, J s2)
//   dL = R T,  T + V h^2 H (T B + B T) / 2 = -R^T r,  dx_n = w_n dL b_n,  T symmetric
//
//   P = R dPsi/dS (constraints/fem_energy.h), V rest volume (m3), h substep (s), w inverse masses,
//   x~ where the particles go without elasticity. With all L kept over the sweeps this is Newton's
//   method for backward Euler, element by element. The material is the same in all directions, so
//   each element has its own axes at rest: those in which B is diagonal (build/fem_rows.h). With H
//   = p I + q g g^T the solution is then entry by entry: m_kl = (B_kk + B_ll) / 2,
//   n_kl = 1 / (1 + V h^2 p m_kl),  T = -n (R^T r + V h^2 q s g),
//   s = -sum(g m n R^T r) / (1 + V h^2 q sum(g m n g))
//   Damping adds the stress b (2 mu dS/h + lam tr dS/h), dS the change of stretch since the substep
//   began and b Rayleigh's factor of the stiffness (s): rotation is not damped.
//   Rows vanish at rest. Where H B h^2 V is small against 1 a sweep is the explicit force; where it
//   is large, one sweep leaves the element softer than its modulus.
//   L F^T must be symmetric or it is a torque, and R T F^T is so only where T and S have the same
//   axes: the part w x F of dL that carries it is taken out, (F:F - F F^T) w = sum F_l x dL_l.
//   Taken out at the F of each sweep it leaves their sum a little off: up to 2.4 % of the forces
//   that are left after a stiff step.
//
// Frame: world. Source: Macklin, Mueller, Chentanez 2016 for the multipliers; energies as there.
#pragma once

#include <span>

#include "math/wide_mat3.h"
#include "model/batches.h"

namespace pliant {

// Where a substep is.
struct FemStep {
  Vec4* d;               // m, moved
  const Vec4* d_before;  // m, at the beginning of the substep
  Real h;                // s
};

void refresh_bases(std::span<FemBatch> batches, const Vec4* base);
void project(std::span<const FemBatch> batches, const FemMaterial& material, Mat3W* multipliers,
             const FemStep& step);
double energy(std::span<const FemBatch> batches, const FemMaterial& material,
              const Vec4* d);  // J

}  // namespace pliant
