#include "math/trig.h"

#include <cstdint>
#include <cstring>

namespace pliant {

namespace {

std::int64_t round_to_int(double x) { return std::int64_t(x < 0 ? x - 0.5 : x + 0.5); }

// sin(x) / x and cos(x) as series in x^2, for x^2 <= 1.
double sinc_series(double x2) {
  double s = 1.0 / 51090942171709440000.0;  // 1 / 21!
  s = 1.0 / 121645100408832000.0 - x2 * s;
  s = 1.0 / 355687428096000.0 - x2 * s;
  s = 1.0 / 1307674368000.0 - x2 * s;
  s = 1.0 / 6227020800.0 - x2 * s;
  s = 1.0 / 39916800.0 - x2 * s;
  s = 1.0 / 362880.0 - x2 * s;
  s = 1.0 / 5040.0 - x2 * s;
  s = 1.0 / 120.0 - x2 * s;
  s = 1.0 / 6.0 - x2 * s;
  return 1 - x2 * s;
}
double cos_series(double x2) {
  double s = 1.0 / 2432902008176640000.0;  // 1 / 20!
  s = 1.0 / 6402373705728000.0 - x2 * s;
  s = 1.0 / 20922789888000.0 - x2 * s;
  s = 1.0 / 87178291200.0 - x2 * s;
  s = 1.0 / 479001600.0 - x2 * s;
  s = 1.0 / 3628800.0 - x2 * s;
  s = 1.0 / 40320.0 - x2 * s;
  s = 1.0 / 720.0 - x2 * s;
  s = 1.0 / 24.0 - x2 * s;
  s = 0.5 - x2 * s;
  return 1 - x2 * s;
}

// atan(t) for t in [0, 1]: the angle of k / 8 from a table and a series for the rest.
double atan_unit(double t) {
  constexpr double table[9] = {0.0,
                               0.12435499454676144,
                               0.24497866312686414,
                               0.35877067027057225,
                               0.4636476090008061,
                               0.5585993153435624,
                               0.6435011087932844,
                               0.7188299996216245,
                               0.7853981633974483};
  const int k = int((t * 16 + 1) / 2);  // the nearest
  const double c = k / 8.0;
  const double u = (t - c) / (1 + t * c);  // |u| <= 1/16
  const double u2 = u * u;
  double s = 1.0 / 15;
  s = 1.0 / 13 - u2 * s;
  s = 1.0 / 11 - u2 * s;
  s = 1.0 / 9 - u2 * s;
  s = 1.0 / 7 - u2 * s;
  s = 1.0 / 5 - u2 * s;
  s = 1.0 / 3 - u2 * s;
  return table[k] + u * (1 - u2 * s);
}

}  // namespace

SinCos det_sincos(double angle) {
  const std::int64_t turns = round_to_int(angle * 0.63661977236758134308);  // 2 / pi
  const double n = double(turns);
  // pi / 2 in three parts of which the first two have 33 bits: their products with n are exact.
  const double r =
      ((angle - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
  const double s = r * sinc_series(r * r), c = cos_series(r * r);
  switch (turns & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

double det_atan2(double y, double x) {
  constexpr double pi = 3.14159265358979323846;
  const double ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
  if (ax == 0 && ay == 0) return 0;
  double a = ay <= ax ? atan_unit(ay / ax) : pi / 2 - atan_unit(ax / ay);
  if (x < 0) a = pi - a;
  return y < 0 ? -a : a;
}

double det_acos(double x) {
  if (x >= 1) return 0;
  if (x <= -1) return 3.14159265358979323846;
  return det_atan2(std::sqrt((1 - x) * (1 + x)), x);
}

double det_exp(double x) {
  if (x < -700) return 0;
  if (x > 700) x = 700;
  const std::int64_t k = round_to_int(x * 1.44269504088896340736);  // 1 / ln 2
  const double r = (x - double(k) * 0x1.62e42fefp-1) - double(k) * 0x1.473de6af278edp-34;
  double s = 1;
  for (int i = 14; i >= 1; --i) s = 1 + s * r / i;
  const std::uint64_t bits = std::uint64_t(k + 1023) << 52;
  double scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return s * scale;
}

Quat exp_quat(const Vec3& v) {
  const double v2 = dot(v, v);
  if (v2 <= 1) {  // the usual case: no root, no reduction
    const double s = sinc_series(v2);
    return {v.x * s, v.y * s, v.z * s, cos_series(v2)};
  }
  const double angle = std::sqrt(v2);
  const SinCos sc = det_sincos(angle);
  const double s = sc.sin / angle;
  return {v.x * s, v.y * s, v.z * s, sc.cos};
}

Vec3 rotation_vector(Quat q) {
  if (q.w < 0) q = {-q.x, -q.y, -q.z, -q.w};
  const Vec3 v{q.x, q.y, q.z};
  const double s = length(v);
  return s > 1e-12 ? v * (2 * det_atan2(s, q.w) / s) : v * 2.0;
}

}  // namespace pliant
