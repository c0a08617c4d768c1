// Closest points of simple figures. Barycentric weights add up to 1 and are never negative.
#pragma once

#include <array>

#include <pliant/math.h>

namespace pliant {

// Of triangle abc to p (Ericson, Real-Time Collision Detection, 5.1.5).
template <class T>
std::array<T, 3> closest_on_triangle(const Vec3T<T>& p, const Vec3T<T>& a, const Vec3T<T>& b,
                                     const Vec3T<T>& c) {
  const Vec3T<T> ab = b - a, ac = c - a, ap = p - a;
  const T d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vec3T<T> bp = p - b;
  const T d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const T vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const Vec3T<T> cp = p - c;
  const T d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const T vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const T va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const T w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - w, w};
  }
  const T inverse_sum = 1 / (va + vb + vc);
  return {1 - (vb + vc) * inverse_sum, vb * inverse_sum, vc * inverse_sum};
}

// Parameters s, t in [0, 1] of the closest points of segments p1 q1 and p2 q2 (Ericson 5.1.9).
struct SegmentPair {
  double s = 0, t = 0;
};
SegmentPair closest_on_segments(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2);

}  // namespace pliant
