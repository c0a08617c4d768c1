#include "geometry/closest_point.h"

#include <algorithm>

namespace pliant {

SegmentPair closest_on_segments(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2) {
  const Vec3 d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r);
  const auto clamp01 = [](double x) { return std::clamp(x, 0.0, 1.0); };
  if (a <= 1e-30 && e <= 1e-30) return {0, 0};
  if (a <= 1e-30) return {0, clamp01(f / e)};
  const double c = dot(d1, r);
  if (e <= 1e-30) return {clamp01(-c / a), 0};
  const double b = dot(d1, d2), denominator = a * e - b * b;
  double s = denominator > 1e-12 * a * e ? clamp01((b * f - c * e) / denominator) : 0.5;
  double t = (b * s + f) / e;
  if (t < 0) {
    t = 0;
    s = clamp01(-c / a);
  } else if (t > 1) {
    t = 1;
    s = clamp01((b - c) / a);
  }
  return {s, t};
}

}  // namespace pliant
