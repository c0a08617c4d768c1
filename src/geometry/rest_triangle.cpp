#include "geometry/rest_triangle.h"

#include <cmath>

namespace pliant {
namespace {

Vec3 axis_least_along(const Vec3& normal) {
  const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
  if (x <= y && x <= z) return {1, 0, 0};
  return y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

}  // namespace

RestTriangle rest_triangle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& warp) {
  const Vec3 e0 = x0 - x2, e1 = x1 - x2;
  const Vec3 twice_area = cross(e0, e1);
  const Vec3 normal = normalized(twice_area);
  const auto laid = [&](const Vec3& v) { return v - normal * dot(normal, v); };
  Vec3 v = laid(normalized(warp));
  // Within half a degree of upright a direction is an accident.
  if (length(v) < 0.01) v = laid(axis_least_along(normal));
  v = normalized(v);
  const Vec3 u = cross(v, normal);
  const double u0 = dot(e0, u), u1 = dot(e1, u), v0 = dot(e0, v), v1 = dot(e1, v);
  const double det = u0 * v1 - u1 * v0;
  // The inverse of (u0, u1; v0, v1): its columns give f_u and f_v.
  return {0.5 * length(twice_area), {v1 / det, -v0 / det}, {-u1 / det, u0 / det}};
}

}  // namespace pliant
