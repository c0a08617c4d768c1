// Quadratic (isometric) bending of two triangles that share an edge.
//
//   c(x) = K_0 x_0 + K_1 x_1 + K_2 x_2 + K_3 x_3  (a 3-vector),   dc/dx_i = K_i I
//   dlam = -(c + a lam) / (sum w_i K_i^2 + a),  a = alpha / h^2,   dx_i = w_i K_i dlam
//
//   x_0, x_1 the shared edge e_0, x_2, x_3 the wings; with the cotangents of the rest shape
//   K = (c_03 + c_04, c_01 + c_02, -c_01 - c_03, -c_02 - c_04), sum K = 0. On the flat rest shape
//   and on every affine image of it c = 0 (geometry/bend_weights.h); bent by theta |c| = 2 |e_0|
//   sin(theta / 2). With alpha = (A_0 + A_1) / B it has flexural rigidity B (N m) for bending along
//   an edge family. Linear: no root, no singularity. Frame: world. Source: Bergou et al. 2006, made
//   an XPBD vector row.
#pragma once

#include <span>

#include "model/batches.h"

namespace pliant {

void refresh_bases(std::span<BendBatch> batches, const Vec4* base);
void project(std::span<const BendBatch> batches, Vec3W* multipliers, Vec4* d, Real inv_h_sq);
// Position based: the share `stiffness` of the way to c = 0, whatever the compliance.
void project_pbd(std::span<const BendBatch> batches, Vec4* d, Real stiffness);
double energy(std::span<const BendBatch> batches, const Vec4* d);  // J

}  // namespace pliant
