#include "geometry/shape.h"

#include <limits>

#include "geometry/shape_data.h"
#include "math/trig.h"

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
ConvexShape convert(const Cylinder& c) {
  return {ShapeKind::cylinder, {c.radius, c.half_height, c.radius}, 0};
}
ConvexShape convert(const Cone& c) {
  return {ShapeKind::cone, {c.radius, 0.75 * c.height, c.radius}, 0};
}
ConvexShape convert(const Ellipsoid& e) { return {ShapeKind::ellipsoid, e.half, 0}; }
// A box without a height: what is near is on one side or the other.
ConvexShape convert(const Rectangle& r) { return {ShapeKind::box, {r.half_x, 0, r.half_z}, 0}; }

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

// Seen along the unit vector n an ellipsoid is an ellipse of area pi |(b c n_x, a c n_y, a b n_z)|.
// The mean over an octant of directions, by midpoints in height and angle.
double ellipsoid_cross_section(const Vec3& half) {
  constexpr int k_parts = 64;
  const Vec3 side{half.y * half.z, half.x * half.z, half.x * half.y};
  double sum = 0;
  for (int j = 0; j < k_parts; ++j) {
    const SinCos turn = det_sincos(0.5 * k_pi * (j + 0.5) / k_parts);
    for (int i = 0; i < k_parts; ++i) {
      const double z = (i + 0.5) / k_parts, r = std::sqrt(1 - z * z);
      sum += length(scaled(side, Vec3{r * turn.cos, r * turn.sin, z}));
    }
  }
  return k_pi * sum / (k_parts * k_parts);
}
}  // namespace

ConvexShape make_convex(const Shape& shape, const Vec3& origin) {
  return std::visit(
      [&](const auto& s) {
        if constexpr (requires { convert(s); })
          return convert(s);
        else
          return make_data_shape(s, origin);
      },
      shape);
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
    case ShapeKind::cylinder:
      return 2 * k_pi * shape.half.x * shape.half.x * shape.half.y;
    case ShapeKind::cone:
      return k_pi / 3 * shape.half.x * shape.half.x * cone_height(shape.half.y);
    case ShapeKind::ellipsoid:
      return 4.0 / 3 * k_pi * shape.half.x * shape.half.y * shape.half.z;
    default:
      break;
  }
  return 0;
}

Vec3 shape_inertia(const ConvexShape& shape, double mass) {
  const Vec3 s = scaled(shape.half, shape.half);
  switch (shape.kind) {
    case ShapeKind::sphere: {
      const double i = 0.4 * mass * shape.radius * shape.radius;
      return {i, i, i};
    }
    case ShapeKind::capsule:
      return capsule_inertia(shape, mass);
    case ShapeKind::cylinder: {
      const double across = mass * (s.x / 4 + s.y / 3);
      return {across, mass * s.x / 2, across};
    }
    case ShapeKind::cone: {
      const double h = cone_height(shape.half.y);
      const double across = mass * (0.15 * s.x + 0.0375 * h * h);
      return {across, 0.3 * mass * s.x, across};
    }
    case ShapeKind::ellipsoid:
      return Vec3{s.y + s.z, s.x + s.z, s.x + s.y} * (mass / 5);
    default:
      break;
  }
  return Vec3{s.y + s.z, s.x + s.z, s.x + s.y} * (mass / 3);
}

static double part_cross_section(const ShapeNumbers<double>& part) {
  // Shared only for the call: the part's owner keeps the data.
  const std::shared_ptr<const ShapeData> data(std::shared_ptr<const ShapeData>{}, part.data);
  return mean_cross_section({part.kind, part.half, part.radius, data});
}

double mean_cross_section(const ConvexShape& shape) {
  const double r = shape.radius;
  const Vec3 h = shape.half;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return k_pi * r * r;
    case ShapeKind::capsule:
      return k_pi * r * (r + h.y);
    case ShapeKind::box:
      return 2 * (h.x * h.y + h.y * h.z + h.z * h.x);
    case ShapeKind::cylinder:
      return k_pi * h.x * (0.5 * h.x + h.y);
    case ShapeKind::cone: {
      const double height = cone_height(h.y);
      return k_pi * h.x * (h.x + std::sqrt(h.x * h.x + height * height)) / 4;
    }
    case ShapeKind::ellipsoid:
      return ellipsoid_cross_section(h);
    case ShapeKind::mesh:
      return area(shape.data->mesh) / 4;
    case ShapeKind::hull:
      return area(hull_mesh(shape.data->hull)) / 4;
    case ShapeKind::compound: {
      double sum = 0;
      for (const ShapePart& p : shape.data->parts) sum += part_cross_section(p.shape);
      return sum;
    }
    case ShapeKind::user:
      return area(user_mesh({shape.data->support, nullptr})) / 4;
    default:
      break;
  }
  return 0;
}

}  // namespace pliant
