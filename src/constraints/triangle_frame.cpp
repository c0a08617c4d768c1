#include "constraints/triangle_frame.h"

namespace pliant {
namespace {

constexpr double k_flat = 1e-9;  // sine of the angle of the two sides, below which it has no normal

Mat3 zero() { return {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}; }

// Of the turn that carries the world's axes to these. Source: Shepperd 1978, "Quaternion from
// rotation matrix".
Quat from_axes(const Vec3& x, const Vec3& y, const Vec3& z) {
  const double trace = x.x + y.y + z.z;
  Quat q;
  if (trace > 0) {
    q = {y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace};
  } else if (x.x >= y.y && x.x >= z.z) {
    q = {1 + x.x - y.y - z.z, x.y + y.x, x.z + z.x, y.z - z.y};
  } else if (y.y >= z.z) {
    q = {x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z};
  } else {
    q = {x.z + z.x, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x};
  }
  return normalized(q);
}

// column * row^T
Mat3 outer(const Vec3& column, const Vec3& row) {
  return {{column.x * row, column.y * row, column.z * row}};
}

Mat3 sum(const Mat3& a, const Mat3& b) {
  return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
}

}  // namespace

TriangleFrame triangle_frame(const std::array<Vec3, 3>& corner) {
  const Vec3 first = corner[1] - corner[0], second = corner[2] - corner[0];
  const Vec3 normal = cross(first, second);
  const double a = length(first), area = length(normal);
  TriangleFrame out;
  out.turn.fill(zero());
  if (!(a > 0)) return out;
  const Vec3 x = first / a;
  const bool flat = !(area > k_flat * a * length(second));
  const Vec3 y = flat ? any_perpendicular(x) : normal / area, z = cross(x, y);
  out.axes = from_axes(x, y, z);
  if (flat) return out;
  const double p = dot(second, x), q = dot(second, z);
  // w of a unit velocity of corner 1 and of corner 2; corner 0 does the opposite of both.
  out.turn[1] = sum(outer(z, y / a), sum(outer(y, z / -a), outer(x, y * (p / (a * q)))));
  out.turn[2] = outer(x, y / -q);
  const Mat3 both = sum(out.turn[1], out.turn[2]);
  out.turn[0] = {{-both.row[0], -both.row[1], -both.row[2]}};
  return out;
}

}  // namespace pliant
