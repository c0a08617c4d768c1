// The shapes of rigid bodies in the form that searches use: a core (point, segment or box) grown by
// a radius, or a half-space.
#pragma once

#include <cstdint>

#include <pliant/defs.h>
#include <pliant/math.h>

namespace pliant {

enum class ShapeKind : std::uint8_t { sphere, capsule, box, half_space };

// All points within `radius` of the box of half sides `half`: sphere half = 0, capsule
// half = (0, half height, 0), box radius = 0. A half-space is y <= 0 of its frame.
struct ConvexShape {
  ShapeKind kind = ShapeKind::sphere;
  Vec3 half;
  double radius = 0;  // m
};

ConvexShape make_convex(const Shape& shape);
// Radius of the smallest ball around the origin that holds the shape; infinite for a half-space.
double bounding_radius(const ConvexShape& shape);
// Half extents of the world box of the shape with that rotation, infinite for a half-space.
Vec3 box_extent(const ConvexShape& shape, const Quat& rotation);
// 0 for a half-space.
double shape_volume(const ConvexShape& shape);
// Principal moments about the body's axes of a uniform shape of that mass (kg m2).
Vec3 shape_inertia(const ConvexShape& shape, double mass);

}  // namespace pliant
