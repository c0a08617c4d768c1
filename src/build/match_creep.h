// Plasticity of shape matching: what a stretch beyond the yield leaves in the rest shape.
//
//   S = R^T A, the stretch against the rest shape as it is;  |S - I| > yield:
//   C <- (I + creep dt (S - I)) C, with det C = 1 and |C - I| at most max_creep
//
// |.| is the greatest stretch by which a matrix differs from none (the 2-norm). Where the whole of
// a step would go beyond max_creep, a half, a quarter ... of it is taken. What is flat or inside
// out does not creep: it has no stretch to keep.
// Source: Mueller, Heidelberger, Teschner, Gross 2005, with the volume kept before the bound.
#pragma once

#include <pliant/math.h>

namespace pliant {

struct Creep {
  double yield, share, most;  // share = creep dt
};
// Whether the shape changed.
bool creep_shape(const Creep& creep, const Mat3& stretch, Mat3& shape);
double strain_norm(const Mat3& m);  // |m - I|

}  // namespace pliant
