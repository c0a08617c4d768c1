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
  std::int32_t item = 0;  // as in ShapeNumbers
  const ShapeData* data = nullptr;
};
inline ConvexCore make_core(const ShapeNumbers<double>& s, const Mat3& axes, const Vec3& centre) {
  return {s.half, axes, centre, s.kind, s.item, s.data};
}

struct ClosestPoints {
  double distance = 0;  // negative: depth of the overlap
  Vec3 normal;          // unit, from a to b: moving b by -distance along it makes them touch
  Vec3 on_a, on_b;
};

ClosestPoints closest_points(const ConvexCore& a, const ConvexCore& b);

}  // namespace pliant
