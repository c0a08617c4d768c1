#include "geometry/closest_point.h"

#include <algorithm>

namespace pliant {

namespace {

Vec3 point_of(const std::array<Vec3, 3>& corner, const std::array<double, 3>& w) {
  return corner[0] * w[0] + corner[1] * w[1] + corner[2] * w[2];
}

// The least value over the triangle of the tangent at p.
double tangent_bound(const std::array<Vec3, 3>& corner, const Vec3& p, double value,
                     const Vec3& gradient) {
  return value + std::min({dot(gradient, corner[0] - p), dot(gradient, corner[1] - p),
                           dot(gradient, corner[2] - p)});
}

// The shortest of the means of three vectors in the plane across `normal`, as a unit vector.
Vec3 shortest_mean(const std::array<Vec3, 3>& vectors, const Vec3& normal) {
  const Vec3 n = normalized(normal);
  std::array<Vec3, 3> flat;
  for (std::size_t k = 0; k < 3; ++k) flat[k] = vectors[k] - dot(vectors[k], n) * n;
  return normalized(point_of(flat, closest_on_triangle(Vec3{}, flat[0], flat[1], flat[2])));
}

}  // namespace

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

double least_on_triangle(const ShapeNumbers<double>& shape, const std::array<Vec3, 3>& corner,
                         const std::array<double, 3>& weights) {
  Vec3 gradient;
  const Vec3 p = point_of(corner, weights);
  const double value = signed_distance(shape, p, gradient);
  return tangent_bound(corner, p, value, gradient);
}

std::array<double, 3> deepest_on_triangle(const ShapeNumbers<double>& shape,
                                          const std::array<Vec3, 3>& corner,
                                          const std::array<double, 3>& weights, int tries) {
  if (shape.kind == ShapeKind::sphere)
    return closest_on_triangle(Vec3{}, corner[0], corner[1], corner[2]);
  constexpr double k_enough = 1e-5;  // m
  std::array<double, 3> best = weights;
  Vec3 gradient, p = point_of(corner, best);
  double value = signed_distance(shape, p, gradient);
  // Down the gradient's shadow on the triangle: the closest point of the triangle to a target a
  // step away; the step shrinks where that does not help. When it has become small the distance may
  // have a crease there: then once more with the shortest mean of the last gradients, which points
  // along the crease (a bundle method).
  std::array<Vec3, 3> bundle{gradient, gradient, gradient};
  const Vec3 ab = corner[1] - corner[0], ac = corner[2] - corner[0];
  const double size = std::sqrt(std::max(length_sq(ab), length_sq(ac)));
  double step = 0.5 * size;
  for (int i = 0; i < tries; ++i) {
    if (value - tangent_bound(corner, p, value, gradient) < k_enough) break;
    const bool bundled = i >= 24;
    if (i == 24) step = 0.1 * size;
    Vec3 down = gradient;
    if (bundled) down = shortest_mean(bundle, cross(ab, ac));
    const auto trial = closest_on_triangle(p - step * down, corner[0], corner[1], corner[2]);
    Vec3 trial_gradient;
    const Vec3 trial_point = point_of(corner, trial);
    const double trial_value = signed_distance(shape, trial_point, trial_gradient);
    if (trial_value < value) {
      best = trial;
      p = trial_point;
      value = trial_value;
      gradient = trial_gradient;
      bundle = {gradient, gradient, bundle[1]};
    } else {
      bundle = {gradient, trial_gradient, bundle[1]};
      step *= bundled ? 0.7 : 0.4;
    }
  }
  return best;
}

}  // namespace pliant
