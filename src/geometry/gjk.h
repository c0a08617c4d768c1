// Distance or penetration of two convex sets that are known by their support points only.
// Distance: Gilbert, Johnson, Keerthi 1988; penetration: expanding polytope, van den Bergen 2001.
// In double and without state: the same answer everywhere.
#pragma once

#include <pliant/math.h>

#include "geometry/shape_distance.h"

namespace pliant {

// A shape without its radius. Spheres, capsules and boxes are boxes with sides of any length, zero
// included.
struct ConvexCore {
  Vec3 half;
  Mat3 axes;  // rows are the core's axes
  Vec3 centre;
  ShapeKind kind = ShapeKind::box;
};

struct ClosestPoints {
  double distance = 0;  // negative: depth of the overlap
  Vec3 normal;          // unit, from a to b: moving b by -distance along it makes them touch
  Vec3 on_a, on_b;
};

ClosestPoints closest_points(const ConvexCore& a, const ConvexCore& b);

}  // namespace pliant
