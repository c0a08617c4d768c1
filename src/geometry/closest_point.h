// Closest points of simple figures. Barycentric weights add up to 1 and are never negative.
#pragma once

#include <array>

#include <pliant/math.h>

#include "geometry/shape_distance.h"

namespace pliant {

// Of triangle abc to p (Ericson, Real-Time Collision Detection, 5.1.5).
std::array<double, 3> closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b,
                                          const Vec3& c);

// Parameters s, t in [0, 1] of the closest points of segments p1 q1 and p2 q2 (Ericson 5.1.9).
struct SegmentPair {
  double s = 0, t = 0;
};
SegmentPair closest_on_segments(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2);

// Where on the triangle the distance of a convex shape, whose frame the corners are in, is least.
// Started from `weights`; the distance is convex over the triangle, so a descent along the edges'
// directions finds the least value (exactly for a sphere).
std::array<double, 3> deepest_on_triangle(const ShapeNumbers<double>& shape,
                                          const std::array<Vec3, 3>& corner,
                                          const std::array<double, 3>& weights);

}  // namespace pliant
