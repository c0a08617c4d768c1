// Where a triangle is deepest in a convex shape, one at a time, in double and by another method
// than narrowphase/nearest_wide.h: the twin for tests.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/closest_point.h"
#include "geometry/shape_distance.h"

namespace pliant::test {

inline Vec3 point_of(const std::array<Vec3, 3>& corner, const std::array<double, 3>& w) {
  return corner[0] * w[0] + corner[1] * w[1] + corner[2] * w[2];
}

// The least value over the triangle of the tangent at p.
inline double tangent_bound(const std::array<Vec3, 3>& corner, const Vec3& p, double value,
                            const Vec3& gradient) {
  return value + std::min({dot(gradient, corner[0] - p), dot(gradient, corner[1] - p),
                           dot(gradient, corner[2] - p)});
}

// The shortest of the means of three vectors in the plane across `normal`, as a unit vector.
inline Vec3 shortest_mean(const std::array<Vec3, 3>& vectors, const Vec3& normal) {
  const Vec3 n = normalized(normal);
  std::array<Vec3, 3> flat;
  for (std::size_t k = 0; k < 3; ++k) flat[k] = vectors[k] - dot(vectors[k], n) * n;
  return normalized(point_of(flat, closest_on_triangle(Vec3{}, flat[0], flat[1], flat[2])));
}

// A descent from `weights` that ends where the tangent's bound shows that less than 10 micrometres
// are left to gain.
inline std::array<double, 3> deepest_on_triangle(const ShapeNumbers<double>& shape,
                                                 const std::array<Vec3, 3>& corner,
                                                 const std::array<double, 3>& weights,
                                                 int tries = 48) {
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

}  // namespace pliant::test
