// A rest triangle in the frame of its fabric (see constraints/strain.h).
#pragma once

#include <array>

#include <pliant/math.h>

namespace pliant {

struct RestTriangle {
  double area = 0;                   // m2
  std::array<double, 2> weft, warp;  // 1/m: f_u = weft_0 (x0 - x2) + weft_1 (x1 - x2), f_v alike
};

// `warp` is laid onto the triangle's plane; where it stands upright on it, the coordinate axis that
// is least upright serves. The weft is the warp turned about the normal by a quarter, so that
// (weft, warp, normal) is right-handed.
RestTriangle rest_triangle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& warp);

}  // namespace pliant
