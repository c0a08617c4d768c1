#include "geometry/convex.h"

namespace pliant {

namespace {

// Cosines and sines of the sixteen corners of a circle.
constexpr double k_root = 0.92387953251128674, k_root2 = 0.38268343236508977,
                 k_half = 0.70710678118654752;
constexpr double k_cos[k_outline] = {1,  k_root,  k_half,  k_root2,  0, -k_root2, -k_half, -k_root,
                                     -1, -k_root, -k_half, -k_root2, 0, k_root2,  k_half,  k_root};
// Within this of a face's or a slant's normal the whole of it counts: 18 degrees.
constexpr double k_along_face = 0.95, k_along_side = 0.31;

Vec3 rim(double radius, double y, const Vec3& direction) {
  const double l = std::sqrt(direction.x * direction.x + direction.z * direction.z);
  if (!(l > 0)) return {radius, y, 0};
  return {radius * direction.x / l, y, radius * direction.z / l};
}

Vec3 box_support(const Vec3& half, const Vec3& d) {
  return {d.x < 0 ? -half.x : half.x, d.y < 0 ? -half.y : half.y, d.z < 0 ? -half.z : half.z};
}
Vec3 cone_support(const Vec3& half, const Vec3& d) {
  const double height = cone_height(half.y);
  const double around = half.x * std::sqrt(d.x * d.x + d.z * d.z);
  if (d.y * height >= around) return {0, half.y, 0};
  return rim(half.x, half.y - height, d);
}
Vec3 ellipsoid_support(const Vec3& half, const Vec3& d) {
  const Vec3 s = scaled(half, d);
  const double l = length(s);
  return l > 0 ? scaled(half, s) / l : Vec3{half.x, 0, 0};
}

// A disc across the y axis; side = 1 looks up.
Outline disc(double radius, double y, double side, std::uint32_t id) {
  Outline o;
  o.count = k_outline;
  o.normal = {0, side, 0};
  o.id = id;
  for (int i = 0; i < k_outline; ++i) {
    const double c = k_cos[i], s = k_cos[(i + 12) % k_outline];  // sine: a quarter turn behind
    o.point[i] = {radius * c, y, -side * radius * s};
  }
  return o;
}
Outline segment(const Vec3& a, const Vec3& b, std::uint32_t id) {
  Outline o;
  o.count = 2;
  o.point[0] = a;
  o.point[1] = b;
  o.id = id;
  return o;
}
Outline single(const Vec3& p) {
  Outline o;
  o.count = 1;
  o.point[0] = p;
  return o;
}

Outline box_face(const Vec3& half, const Vec3& d) {
  const Vec3 size{std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)};
  const int i = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const double side = d[i] < 0 ? -1 : 1;
  Outline o;
  o.count = 4;
  o.normal[i] = side;
  o.id = std::uint32_t(1 + 2 * i + (d[i] < 0));
  for (int n = 0; n < 4; ++n) {
    o.point[n][i] = side * half[i];
    o.point[n][j] = side * (n == 1 || n == 2 ? half[j] : -half[j]);
    o.point[n][k] = n >= 2 ? half[k] : -half[k];
  }
  return o;
}

Outline cylinder_outline(const Vec3& half, const Vec3& d) {
  const double up = d.y < 0 ? -1 : 1;
  if (up * d.y > k_along_face) return disc(half.x, up * half.y, up, d.y < 0 ? 1 : 2);
  if (up * d.y < k_along_side) return segment(rim(half.x, -half.y, d), rim(half.x, half.y, d), 3);
  return single(rim(half.x, up * half.y, d));
}

Outline cone_outline(const Vec3& half, const Vec3& d) {
  const double height = cone_height(half.y), base = half.y - height;
  if (d.y < -k_along_face) return disc(half.x, base, -1, 1);
  const double l = std::sqrt(height * height + half.x * half.x);
  const double r = std::sqrt(d.x * d.x + d.z * d.z);
  if ((r * height + d.y * half.x) / l > k_along_face)
    return segment(rim(half.x, base, d), {0, half.y, 0}, 2);
  return single(cone_support(half, d));
}

}  // namespace

Vec3 core_support(const ShapeNumbers<double>& shape, const Vec3& d) {
  const Vec3& half = shape.half;
  switch (shape.kind) {
    case ShapeKind::cylinder:
      return rim(half.x, d.y < 0 ? -half.y : half.y, d);
    case ShapeKind::cone:
      return cone_support(half, d);
    case ShapeKind::ellipsoid:
      return ellipsoid_support(half, d);
    default:
      return box_support(half, d);
  }
}

Outline core_outline(const ShapeNumbers<double>& shape, const Vec3& d) {
  const Vec3& half = shape.half;
  switch (shape.kind) {
    case ShapeKind::capsule:
      return segment({0, -half.y, 0}, {0, half.y, 0}, 1);
    case ShapeKind::box:
      return box_face(half, d);
    case ShapeKind::cylinder:
      return cylinder_outline(half, d);
    case ShapeKind::cone:
      return cone_outline(half, d);
    default:
      return single(core_support(shape, d));
  }
}

}  // namespace pliant
