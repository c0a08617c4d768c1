#include "geometry/shape.h"

#include <limits>

namespace pliant {

namespace {
constexpr double k_pi = 3.14159265358979323846;
constexpr double k_infinity = std::numeric_limits<double>::infinity();

ConvexShape convert(const Sphere& s) { return {ShapeKind::sphere, {}, s.radius}; }
ConvexShape convert(const Box& b) { return {ShapeKind::box, b.half, 0}; }
ConvexShape convert(const Capsule& c) {
  return {ShapeKind::capsule, {0, c.half_height, 0}, c.radius};
}
ConvexShape convert(const HalfSpace&) { return {ShapeKind::half_space, {}, 0}; }

// A cylinder and two half balls; the balls' centres of mass lie 3/8 r beyond the axis' ends.
Vec3 capsule_inertia(const ConvexShape& shape, double mass) {
  const double r = shape.radius, h = 2 * shape.half.y;
  const double cylinder = r * r * h, balls = 4.0 / 3 * r * r * r;
  const double mc = mass * cylinder / (cylinder + balls), mb = mass - mc;
  const double along = mc * r * r / 2 + mb * 0.4 * r * r;
  const double across =
      mc * (h * h / 12 + r * r / 4) + mb * (0.4 * r * r + 0.25 * h * h + 3.0 / 8 * h * r);
  return {across, along, across};
}
}  // namespace

ConvexShape make_convex(const Shape& shape) {
  return std::visit([](const auto& s) { return convert(s); }, shape);
}

double bounding_radius(const ConvexShape& shape) {
  return shape.kind == ShapeKind::half_space ? k_infinity : length(shape.half) + shape.radius;
}

Vec3 box_extent(const ConvexShape& shape, const Quat& rotation) {
  if (shape.kind == ShapeKind::half_space) return {k_infinity, k_infinity, k_infinity};
  const double r = shape.radius;
  if (shape.kind == ShapeKind::sphere) return {r, r, r};
  const Mat3 m = to_matrix(rotation);
  const auto along = [&](const Vec3& row) {
    return std::fabs(row.x) * shape.half.x + std::fabs(row.y) * shape.half.y +
           std::fabs(row.z) * shape.half.z + r;
  };
  return {along(m.row[0]), along(m.row[1]), along(m.row[2])};
}

double shape_volume(const ConvexShape& shape) {
  const double r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return 4.0 / 3 * k_pi * r * r * r;
    case ShapeKind::capsule:
      return k_pi * r * r * (2 * shape.half.y + 4.0 / 3 * r);
    case ShapeKind::box:
      return 8 * shape.half.x * shape.half.y * shape.half.z;
    case ShapeKind::half_space:
      break;
  }
  return 0;
}

Vec3 shape_inertia(const ConvexShape& shape, double mass) {
  if (shape.kind == ShapeKind::capsule) return capsule_inertia(shape, mass);
  if (shape.kind == ShapeKind::sphere) {
    const double i = 0.4 * mass * shape.radius * shape.radius;
    return {i, i, i};
  }
  const Vec3 s = scaled(shape.half, shape.half);
  return Vec3{s.y + s.z, s.x + s.z, s.x + s.y} * (mass / 3);
}

}  // namespace pliant
