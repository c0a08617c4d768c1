// What the general path of collisions asks of a convex shape: its furthest point in a direction,
// and the flat part around that point. Both of the core alone: a radius is added by the caller.
#pragma once

#include <cstdint>

#include "geometry/shape_distance.h"

namespace pliant {

// The point of the core that is furthest along the direction (of any length), in the shape's frame.
Vec3 core_support(const ShapeNumbers<double>& shape, const Vec3& direction);

inline constexpr int k_outline = 16;

// The face, edge or corner that looks along a direction. A circle becomes a polygon of 16 points.
struct Outline {
  int count = 0;  // 1 a point, 2 a segment, more a polygon, counter-clockwise seen from outside
  Vec3 point[k_outline];
  Vec3 normal;           // unit, outward; of polygons
  std::uint32_t id = 0;  // which face or edge it is
};
// `direction` is a unit vector in the shape's frame.
Outline core_outline(const ShapeNumbers<double>& shape, const Vec3& direction);

}  // namespace pliant
