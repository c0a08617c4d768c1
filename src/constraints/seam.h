// Stitch: a thread that is drawn in.
//
//   c(x) = x_b - x_a  (a 3-vector);  x_b = s_0 x_b0 + s_1 x_b1;  g = length of the thread
//   e = c (1 - g / |c|),  dlam = -(e + a lam) / (w_a + sum w_k s_k^2 + a),  a = alpha / h^2
//   dx_a = -w_a dlam,  dx_k = w_k s_k dlam
//
//   g falls by `speed` h in each substep down to 0. It is kept both ways, so that the sides come
//   together at that speed and no faster: a thread that only pulled would let the cloth shoot after
//   it. At g = 0 the row is regular: e = c. alpha compliance (m/N), w inverse mass. The force is
//   |lam| / h^2. Source: spec of sewing by rest lengths that fall, after Macklin et al. 2016
//   (vector rows).
#pragma once

#include "model/deformable.h"
#include "model/particles.h"
#include "model/seam.h"

namespace pliant {

Vec3 stitch_gap(const Particles& particles, const Deformable& body, const Stitch& stitch);  // c, m
// Draws the threads in by a substep of h seconds and projects, `sweeps` times. Adds to `impulse`.
void project_seam(Particles& particles, const Deformable& body, double h, int sweeps, Seam& seam);

}  // namespace pliant
