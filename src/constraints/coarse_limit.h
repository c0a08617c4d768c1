// Coarse limits: the nodes of a cloth's coarse level do not move further apart than the cloth
// allows.
//
//   C(x) = L - |x_j - x_i| >= 0, acts only while C < 0; x_i, x_j nodes, L greatest distance (m)
//   x_k = sum_p a_kp x_p, the mean of the particles p that follow node k: a_kp ~ m_p s_pk
//   dx_i = w_i C n / (w_i + w_j),  dx_j = -w_j C n / (w_i + w_j),  n = (x_i - x_j) / |x_i - x_j|
//   particle p moves by sum_k s_pk dx_k over its nodes k
//
//   w_k = 1 / sum_p m_p s_pk: the mass that a node's correction moves, so momentum is kept exactly
//   (but for pinned particles, which do not move). With all particles in the mean, dC/dx_p = -a_jp
//   n
//   + a_ip n: what is spread is the projection of C with its masses lumped, which gains no energy.
//   A hanging cloth of N rows with one sweep stretches by N^2 g h^2 / 2; with nodes M rows apart by
//   (N / M)^2 g h^2 / 2 plus what is left inside a patch. Frame: world. Source: Mueller 2008
//   (hierarchical position based dynamics), here with limits only.
#pragma once

#include "core/pool.h"
#include "model/coarse_level.h"

namespace pliant {

void refresh_bases(CoarseLevel& level, const Vec4* base, TaskPool* pool);
// `sweeps` over the nodes, from where their particles' d are. Returns whether there is anything to
// spread.
bool project(CoarseLevel& level, int sweeps, const Vec4* d, TaskPool* pool);
// The corrections onto the particles [begin, end) of the body.
void spread(const CoarseLevel& level, int begin, int end, Vec4* d);

}  // namespace pliant
