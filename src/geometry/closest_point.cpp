#include "geometry/closest_point.h"

#include <algorithm>

namespace pliant {

std::array<double, 3> closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b,
                                          const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vec3 bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const Vec3 cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - w, w};
  }
  const double inverse_sum = 1 / (va + vb + vc);
  return {1 - (vb + vc) * inverse_sum, vb * inverse_sum, vc * inverse_sum};
}

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

std::array<double, 3> deepest_on_triangle(const ShapeNumbers<double>& shape,
                                          const std::array<Vec3, 3>& corner,
                                          const std::array<double, 3>& weights) {
  if (shape.kind == ShapeKind::sphere)
    return closest_on_triangle({}, corner[0], corner[1], corner[2]);
  const auto point = [&](const std::array<double, 3>& w) {
    return corner[0] * w[0] + corner[1] * w[1] + corner[2] * w[2];
  };
  std::array<double, 3> best = weights;
  Vec3 gradient;
  double value = signed_distance(shape, point(best), gradient);
  // Along the gradient's shadow on the triangle's plane: the closest point of the triangle to a
  // target half the remaining step away; the step halves when the distance does not fall.
  const Vec3 ab = corner[1] - corner[0], ac = corner[2] - corner[0];
  double step = 0.5 * std::sqrt(std::max(length_sq(ab), length_sq(ac)));
  for (int i = 0; i < 24 && step > 1e-7; ++i) {
    const Vec3 target = point(best) - step * gradient;
    const auto trial = closest_on_triangle(target, corner[0], corner[1], corner[2]);
    Vec3 trial_gradient;
    const double trial_value = signed_distance(shape, point(trial), trial_gradient);
    if (trial_value < value) {
      best = trial;
      value = trial_value;
      gradient = trial_gradient;
    } else {
      step *= 0.4;
    }
  }
  return best;
}

}  // namespace pliant
