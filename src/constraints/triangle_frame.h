// The axes of a triangle, and how they turn with its corners.
//
//   x along x_1 - x_0, y along the normal (x_1 - x_0) x (x_2 - x_0), z = x cross y
//   w = sum T_n v_n,   with a = |x_1 - x_0|, p and q the x and z parts of x_2 - x_0:
//     w . z =  y . (v_1 - v_0) / a
//     w . y = -z . (v_1 - v_0) / a
//     w . x = (p w . z - y . (v_2 - v_0)) / q
//   A torque L on the triangle is the forces T_n^T L on its corners: their sum is zero, because the
//   T_n add up to zero, and their torque is L, because T_n (w x x_n) add up to w.
//   Frame: world.
#pragma once

#include <array>

#include <pliant/math.h>

namespace pliant {

struct TriangleFrame {
  Quat axes;                   // from those of the triangle to the world's
  std::array<Mat3, 3> turn{};  // T_n; zero where the corners are in a line
};

TriangleFrame triangle_frame(const std::array<Vec3, 3>& corner);

}  // namespace pliant
