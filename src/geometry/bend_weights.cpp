#include "geometry/bend_weights.h"

#include <algorithm>

namespace pliant {
namespace {

double cotangent(const Vec3& a, const Vec3& b) {
  const double s = length(cross(a, b));
  return std::clamp(s > 0 ? dot(a, b) / s : 1e3, -1e3, 1e3);
}

}  // namespace

std::array<double, 4> bend_weights(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  const Vec3 e0 = x1 - x0;
  const double c01 = cotangent(e0, x2 - x0), c02 = cotangent(e0, x3 - x0);
  const double c03 = cotangent(-e0, x2 - x1), c04 = cotangent(-e0, x3 - x1);
  return {c03 + c04, c01 + c02, -c01 - c03, -c02 - c04};
}

}  // namespace pliant
