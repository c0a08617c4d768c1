// Trigonometry from additions, multiplications, divisions and sqrt alone: the same bits with every
// compiler and library. Ranges are reduced, then Taylor series whose remainder is below 1e-17 are
// summed by Horner's rule. Errors stay below 1e-12 for |angle| <= 1e4.
#pragma once

#include <pliant/math.h>

namespace pliant {

struct SinCos {
  double sin, cos;
};
SinCos det_sincos(double angle);
inline double det_sin(double angle) { return det_sincos(angle).sin; }
inline double det_cos(double angle) { return det_sincos(angle).cos; }

double det_atan2(double y, double x);  // in [-pi, pi]; 0 for (0, 0)
double det_acos(double x);             // x is clamped to [-1, 1]
double det_exp(double x);              // 0 below -700, exp(700) above 700

// The unit quaternion of a turn by the vector 2 * half_angle: (v sin|v| / |v|, cos|v|).
Quat exp_quat(const Vec3& half_angle);
// The other way: axis times angle, at most pi, of a unit quaternion.
Vec3 rotation_vector(Quat q);

}  // namespace pliant
