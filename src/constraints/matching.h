// Shape matching: clusters of particles are drawn to their rest shape, turned and moved, and where
// the model allows it also stretched, sheared, bent and twisted, as it fits them best.
//
//   t = sum w x,  p = x - t,  q rest place from the rest centre, w shares of the mass (sum 1)
//   M = sum w p q^T = R S,  R the rotation nearest to it: it minimises sum w |R q - p|^2
//   A = M (sum w q q^T)^-1, the linear map that minimises sum w |A q - p|^2
//   s = 1 / cbrt(det A) where the volume is kept, else 1
//   b = freedom min(1, 2 det A), 0 where det A < 0: what is flat or inside out unfolds
//   rigid: G = R;  linear: G = b s A + (1 - b) R;  goals g = G q + t
//   quadratic: the same with nine terms, q = (x, y, z, xx, yy, zz, xy, yz, zx), the last six less
//   their mean: without that the goals would not have their centre at t; R acts on x, y, z alone
//   d <- d + alpha / k sum (g - x) over the k clusters of a particle,  alpha = sin^2(2 pi f h)
//
//   Plastic clusters have a rest shape that creeps (build/match_creep.h): q is of that.
//
//   Deformation e then obeys e' = (1 - a)(2 e - e_before), a = alpha, for linear modes alpha
//   (1 - b): it swings with f, stable for every h, and loses sqrt(1 - a) a substep. The energy is
//   (2 pi f)^2 / 2 sum m / k (g - x) . (R q + t - x); where the volume is kept, of the map as it
//   is.
//
//   A member's w is m / k: so each cluster's shifts have no momentum and, as M R^T and M A^T are
//   symmetric, no angular momentum. R comes from M, not from A, which would have. Held particles
//   weigh 1000 times all others of their cluster, or the body would hang from them as from one of
//   many.
//
// Frame: world; places from the base of the cluster's reference particle. Clusters are summed up
// block by block and particles gather from their clusters in a fixed order: the same bits on any
// number of threads.
// Source: Mueller, Heidelberger, Teschner, Gross 2005, Meshless deformations based on shape
// matching; step order and mode law: N. Martinec 2013.
#pragma once

#include "core/pool.h"
#include "model/matching.h"

namespace pliant {

// The maps of all clusters, into `scratch`; leaves there the way of each member to its goal.
void find_goals(const ShapeMatching& matching, const Vec4* base, const Vec4* d,
                MatchScratch& scratch, TaskPool* pool);
// d <- d + alpha times the mean way of each particle that is not held.
void go_to_goals(const ShapeMatching& matching, const MatchScratch& scratch, Vec4* d, Real alpha,
                 TaskPool* pool);

// Both. Where no particle is in two clusters, in fewer passes over memory; what is left in
// `scratch` are the maps only.
void match_shapes(const ShapeMatching& matching, const Vec4* base, Vec4* d, MatchScratch& scratch,
                  Real alpha, TaskPool* pool);

double match_share(double frequency, double h);  // alpha
// J; `mass` in w of `force`.
double match_energy(const ShapeMatching& matching, const Vec4* base, const Vec4* d,
                    const Vec4* force);

}  // namespace pliant
