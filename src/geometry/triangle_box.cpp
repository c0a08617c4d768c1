#include "geometry/triangle_box.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

bool separates(const Vec3& axis, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& half) {
  const double pa = dot(axis, a), pb = dot(axis, b), pc = dot(axis, c);
  const double reach =
      half.x * std::abs(axis.x) + half.y * std::abs(axis.y) + half.z * std::abs(axis.z);
  return std::min({pa, pb, pc}) > reach || std::max({pa, pb, pc}) < -reach;
}

}  // namespace

bool triangle_meets_box(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& centre,
                        const Vec3& half) {
  const Vec3 p = a - centre, q = b - centre, r = c - centre;
  const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vec3& axis : axes) {
    if (separates(axis, p, q, r, half)) return false;
  }
  const Vec3 edges[3] = {q - p, r - q, p - r};
  if (separates(cross(edges[0], edges[1]), p, q, r, half)) return false;
  for (const Vec3& edge : edges) {
    for (const Vec3& axis : axes) {
      if (separates(cross(axis, edge), p, q, r, half)) return false;
    }
  }
  return true;
}

}  // namespace pliant
