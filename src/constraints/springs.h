// Springs by explicit forces: lengths, areas and volumes with energies, lengths with damping.
//
//   spring:  e = x_j - x_i, l = |e|, n = e / l;  E = k/2 (l - l0)^2
//            f_i = (k (l - l0) + b (v_j - v_i) . n) n,  f_j = -f_i        k N/m, b N s/m
//   area:    A = |N| / 2, N = e_1 x e_2, n = N / |N|;   E = k/2 (A - A0)^2        k J/m4
//            dA/dx_1 = e_2 x n / 2,  dA/dx_2 = n x e_1 / 2
//   volume:  V = e_1 . (e_2 x e_3) / 6;                 E = k/2 (V - V0)^2        k J/m6
//            dV/dx_1 = e_2 x e_3 / 6,  dV/dx_2 = e_3 x e_1 / 6,  dV/dx_3 = e_1 x e_2 / 6
//   e_n = x_n - x_0; what corner 0 gets is minus the sum of the others: no element has momentum or
//   angular momentum. The volume is signed: it undoes inversion. Damping acts along springs alone,
//   so that rigid motion is free of it.
//
//   verlet:        x += h/2 v;  v += h f(x, v) / m;  x += h/2 v      second order, time-reversible
//   semi_implicit: v += h f(x, v) / m;  x += h v                     first order
//   Both are stable while h^2 w2 + 2 h w1 < 4, with w2 and w1 the greatest eigenvalues of M^-1 K
//   and M^-1 B. They are found by power iteration at rest, a tenth more for what it still lacks,
//   but never above their bounds w2 <= max_i 1/m_i sum_e k_e |g_ei| sum_j |g_ej|, g the gradients:
//   for springs alone h < sqrt(2 m_i / sum_j k_ij). A substep is cut into parts of 0.9 of that
//   step, up to 32; where that is not enough all forces of springs are scaled down until it is.
//
// Frame: world. Forces are written for each element, then each particle sums up its own in a fixed
// order: the same bits on any number of threads and in any order of vertices and springs.
// Source: Teschner, Heidelberger, Mueller, Gross 2004, A versatile and robust model for
// geometrically complex deformable solids; damping of the right sign.
#pragma once

#include <span>

#include "core/pool.h"
#include "model/springs.h"

namespace pliant {

// Into how many parts a substep is cut, and what is left of the forces.
struct SpringSteps {
  int count = 1;
  Real scale = 1;
};
inline constexpr int k_most_spring_steps = 32;
SpringSteps spring_steps(const SpringNet& net, double h);
// s, the longest stable step at rest by the bound above.
double stable_step(const SpringNet& net);

// One substep of the particles; `d` goes on from where it is.
struct SpringStep {
  Vec4* d;            // m; w = inverse mass
  Vec4* velocity;     // m/s
  const Vec4* force;  // N, of fields; null = none
  Vec3 gravity;       // m/s2
  double h;           // s, of the substep
  SpringSteps steps;
};
void refresh_bases(SpringNet& net, const Vec4* base);
void integrate(SpringNet& net, const SpringStep& step, TaskPool* pool);
// N, on some particles, of springs, areas and volumes where `d` and `velocity` of the step say:
// into `force`, at their places. `picked` is memory.
void forces_on(SpringNet& net, const SpringStep& step, std::span<const std::int32_t> particles,
               std::vector<std::uint8_t>& picked, Vec3* force, TaskPool* pool);
double energy(const SpringNet& net, const Vec4* d);  // J

}  // namespace pliant
