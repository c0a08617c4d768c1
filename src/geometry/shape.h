// The shapes of rigid bodies in the form that searches use: a core (point, segment or box) grown by
// a radius, a half-space, a convex set that is known by its support points, or many of these.
#pragma once

#include <cstdint>
#include <memory>

#include <pliant/defs.h>
#include <pliant/math.h>

namespace pliant {

// The fast paths are between those up to the half-space; what comes after it takes the general one.
// The last two are made of convex parts or of triangles.
enum class ShapeKind : std::uint8_t {
  sphere,
  capsule,
  box,
  half_space,
  cylinder,
  cone,
  ellipsoid,
  hull,
  triangle,  // of a mesh
  user,      // by a support function
  compound,
  mesh
};

inline bool is_simple(ShapeKind kind) { return kind <= ShapeKind::half_space; }
inline bool is_composite(ShapeKind kind) { return kind >= ShapeKind::compound; }
// Turning about its y axis does not change it.
inline bool is_round_about_y(ShapeKind kind) {
  return kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::cone;
}

// All points within `radius` of a core that lies in the box of half sides `half`: sphere half = 0,
// capsule half = (0, half height, 0), box radius = 0. A half-space is y <= 0 of its frame. The
// cores of the others have no radius: cylinder half = (r, half height, r), ellipsoid half its half
// axes, cone half = (r, 3/4 height, r), which holds its base at -1/4 height. What has data is where
// the data say, within `half` of the origin.
struct ShapeData;
struct ConvexShape {
  ShapeKind kind = ShapeKind::sphere;
  Vec3 half;
  double radius = 0;  // m
  std::shared_ptr<const ShapeData> data{};
};

// In the frame of the shape, but for its origin, which becomes `origin` (of hulls, meshes,
// compounds and users' shapes; the others are where they are). The definition has been checked.
ConvexShape make_convex(const Shape& shape, const Vec3& origin = {});
// Radius of a ball around the origin that holds the shape; infinite for a half-space.
double bounding_radius(const ConvexShape& shape);
// Half extents of a world box that holds the shape with that rotation, infinite for a half-space.
Vec3 box_extent(const ConvexShape& shape, const Quat& rotation);
// Of those without data; 0 for a half-space.
double shape_volume(const ConvexShape& shape);
// Of those without data: principal moments about the body's axes of a uniform shape of that mass
// (kg m2).
Vec3 shape_inertia(const ConvexShape& shape, double mass);
// m2, of the projection on a plane, mean over all directions: a quarter of a convex surface
// (Cauchy).
double mean_cross_section(const ConvexShape& shape);

inline double cone_height(double half_y) { return half_y * (4.0 / 3); }

}  // namespace pliant
