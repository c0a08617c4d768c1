// Finite elements by explicit forces, on tetrahedra.
//
//   F = sum e_n b_n^T,  F' = sum e'_n b_n^T (rate);  f_n = -V P b_n,  v_n <- v_n + h w_n f_n
//   green:  E = (F^T F - I) / 2,  E' = (F^T F' + F'^T F) / 2,  P = F (C E + b C E')
//   cauchy: E = (F + F^T) / 2 - I,  E' = (F' + F'^T) / 2,      P = C E + b C E'
//   C E = lam tr(E) I + 2 mu E
//   neo_hookean: P = mu F + c cof F + b F C E' of green, where it is not wrecked: R dPsi/dS, of
//   which R need not be known
//   others: P = R dPsi/dS (constraints/fem_energy.h) + b F C E' of green
//
//   b Rayleigh's factor of the stiffness (s); the power of the viscous part, -V b E' : C E', is
//   never positive. Small strain takes a rotation for strain: cauchy has no place in bodies that
//   turn. Stable while h is less than about the way of a wave through the shortest height of an
//   element.
//
// Frame: world. Source: O'Brien, Hodgins 1999, Graphical modeling and animation of brittle
// fracture, with strain halved and stress as its energy's derivative.
#pragma once

#include <span>

#include "math/wide_mat3.h"
#include "model/batches.h"

namespace pliant {

struct FemState {
  Mat3W f, rate;  // F and F'
};
// P, elastic and viscous (Pa).
Mat3W explicit_stress(const FemMaterial& material, const FemState& state);
// Psi (Pa).
RealW explicit_density(const FemMaterial& material, const Mat3W& f);

void push(std::span<const FemBatch> batches, const FemMaterial& material, const Vec4* d,
          Vec4* velocity, Real h);
double explicit_energy(std::span<const FemBatch> batches, const FemMaterial& material,
                       const Vec4* d);  // J

}  // namespace pliant
