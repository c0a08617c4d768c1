// Signed hinge: two triangles that share an edge keep the angle between them.
//
//   e = x_1 - x_0,  N_A = e x (x_2 - x_0),  N_B = (x_3 - x_0) x e  (both along the normal when
//   flat) theta = atan2( (n_A x n_B) . e / |e|, n_A . n_B ),   C(x) = theta - theta_0, brought to
//   (-pi, pi]
//   dC/dx_2 = -|e| N_A / |N_A|^2,   dC/dx_3 = -|e| N_B / |N_B|^2
//   dC/dx_0 = ((x_1 - x_2) . e / |e|) N_A / |N_A|^2 + ((x_1 - x_3) . e / |e|) N_B / |N_B|^2
//   dC/dx_1 = ((x_2 - x_0) . e / |e|) N_A / |N_A|^2 + ((x_3 - x_0) . e / |e|) N_B / |N_B|^2
//   dlam = -(C + a lam) / (sum w_i |dC/dx_i|^2 + a),  a = alpha / h^2,   dx_i = w_i dlam dC/dx_i
//
//   x_0, x_1 the shared edge, x_2 the wing on its left, x_3 that on its right (m), theta 0 when
//   flat, negative where the wings lift to the side of the normal; theta_0 rest angle (rad), alpha
//   compliance (1 / (N m)). With alpha = (A_0 + A_1) / (B |e|^2) it has flexural rigidity B (N m)
//   for bending along an edge family. Energy C^2 / (2 alpha). Regular when flat, where the cosine
//   alone has no gradient; near |C| = pi the sides are ambiguous and the step is halved. Frame:
//   world. Source: Bridson, Marino, Fedkiw 2003.
#pragma once

#include <span>

#include "model/batches.h"

namespace pliant {

void refresh_bases(std::span<HingeBatch> batches, const Vec4* base);
void refresh_bases(std::span<FoldBatch> batches, const Vec4* base);
void project(std::span<const HingeBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq);
void project(std::span<const FoldBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq);
// Position based: the share `stiffness` of the way to C = 0, whatever the compliance.
void project_pbd(std::span<const HingeBatch> batches, Vec4* d, Real stiffness);
void project_pbd(std::span<const FoldBatch> batches, Vec4* d, Real stiffness);
double energy(std::span<const HingeBatch> batches, const Vec4* d);  // J
double energy(std::span<const FoldBatch> batches, const Vec4* d);   // J

}  // namespace pliant
