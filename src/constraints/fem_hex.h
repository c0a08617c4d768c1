// Finite elements: hexahedra with trilinear shape functions, which do not lock.
//
//   F(q) = sum (x_n - x_0) b_n(q)^T at the points q; b_n(q) gradients of the shape functions (1/m)
//   Psi with lam = 0 at four points, those of 2 x 2 x 2 Gauss points at which the product of the
//   coordinates is of one sign: they are exact for all that bending and torsion need.
//   lam/2 (J - 1)^2, or lam/2 (tr S - 3)^2 of corotated, at the centre alone
//
//   Each point is a block as in constraints/fem.h with eight particles; the centre is one row
//   r = L + V h^2 lam c,  c = J - 1,  dc/dx_n = cof F b_n,  dL = -r / (1 + V h^2 lam sum w
//   |dc/dx|^2) Selective integration: a cube is asked for its volume once and not at every point.
//   Neighbours take points of opposite sign, so that no direction is preferred.
//
// Frame: world. Source: Hughes 1980, Generalization of selective integration procedures, with
// the energies of constraints/fem_energy.h.
#pragma once

#include <span>

#include "constraints/fem.h"
#include "model/batches.h"

namespace pliant {

void refresh_bases(std::span<HexBatch> batches, const Vec4* base);
void project(std::span<const HexBatch> batches, const FemMaterial& material,
             HexMultipliers* multipliers, const FemStep& step);
double energy(std::span<const HexBatch> batches, const FemMaterial& material,
              const Vec4* d);  // J

}  // namespace pliant
