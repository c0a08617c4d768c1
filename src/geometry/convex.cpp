#include "geometry/convex.h"

#include "geometry/shape_data.h"

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

// --- those with data
Vec3 furthest(const std::vector<Vec3>& points, const Vec3& d) {
  std::size_t best = 0;
  double most = dot(points[0], d);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double along = dot(points[i], d);
    if (along <= most) continue;
    most = along;
    best = i;
  }
  return points[best];
}
Vec3 triangle_corner(const ShapeNumbers<double>& shape, int k) {
  const Triangle& t = shape.data->mesh.triangles[std::size_t(shape.item)];
  return shape.data->mesh.vertices[std::size_t(t[std::size_t(k)])];
}
Vec3 triangle_support(const ShapeNumbers<double>& shape, const Vec3& d) {
  Vec3 best = triangle_corner(shape, 0);
  for (int k = 1; k < 3; ++k)
    if (const Vec3 p = triangle_corner(shape, k); dot(p, d) > dot(best, d)) best = p;
  return best;
}

// Of a face with more corners than an outline holds only some.
Outline hull_face(const HullData& hull, const Vec3& d) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < hull.faces.size(); ++i)
    if (dot(hull.faces[i].normal, d) > dot(hull.faces[best].normal, d)) best = i;
  const HullFace& f = hull.faces[best];
  Outline o;
  o.count = f.count < k_outline ? f.count : k_outline;
  for (int i = 0; i < o.count; ++i) {
    const std::int32_t c = f.first + std::int32_t(std::int64_t(i) * f.count / o.count);
    o.point[i] = hull.vertices[std::size_t(hull.corners[std::size_t(c)])];
  }
  o.normal = f.normal;
  o.id = std::uint32_t(best + 1);
  return o;
}

Outline triangle_outline(const ShapeNumbers<double>& shape, const Vec3& d) {
  const Vec3& n = shape.data->tree.normal(shape.item);
  const bool front = dot(n, d) >= 0;
  Outline o;
  o.count = 3;
  o.normal = front ? n : -n;
  o.id = std::uint32_t(2 * shape.item + front);
  for (int k = 0; k < 3; ++k) o.point[k] = triangle_corner(shape, front ? k : 2 - k);
  return o;
}

// Support points of directions around it: of a flat side they are its corners.
Outline user_outline(const ShapeNumbers<double>& shape, const Vec3& d) {
  constexpr double k_lean = 0.05;
  const Vec3 u = any_perpendicular(d), v = cross(d, u);
  Outline o;
  for (int i = 0; i < k_outline; ++i) {
    const double c = k_cos[i], s = k_cos[(i + 12) % k_outline];
    const Vec3 p = core_support(shape, d + (u * c + v * s) * k_lean);
    const bool again = o.count > 0 && (length_sq(p - o.point[o.count - 1]) < 1e-12 ||
                                       length_sq(p - o.point[0]) < 1e-12);
    if (!again) o.point[o.count++] = p;
  }
  o.normal = d;
  o.id = 1;
  if (o.count < 3) return single(core_support(shape, d));
  const Vec3 n = cross(o.point[o.count / 3] - o.point[0], o.point[2 * o.count / 3] - o.point[0]);
  if (length_sq(n) > 0) o.normal = normalized(n);
  return o;
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
    case ShapeKind::hull:
      return furthest(shape.data->hull.vertices, d);
    case ShapeKind::triangle:
      return triangle_support(shape, d);
    case ShapeKind::user:
      return shape.data->support->support(d) + shape.data->origin;
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
    case ShapeKind::hull:
      return hull_face(shape.data->hull, d);
    case ShapeKind::triangle:
      return triangle_outline(shape, d);
    case ShapeKind::user:
      return user_outline(shape, d);
    default:
      return single(core_support(shape, d));
  }
}

}  // namespace pliant
