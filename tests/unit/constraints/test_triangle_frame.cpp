// The axes of a triangle: how they turn against finite differences, and that a torque on them is
// forces on the corners that keep both momenta.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "constraints/triangle_frame.h"
#include "math/trig.h"

namespace pliant {
namespace {

using Corners = std::array<Vec3, 3>;

struct Random {
  std::mt19937 engine{5};
  double uniform(double a, double b) { return a + (b - a) * double(engine()) / 4294967296.0; }
  Vec3 vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  // No thinner than a tenth of its size, so that the differences below are good.
  Corners triangle() {
    for (;;) {
      const Corners c{vector(1), vector(1), vector(1)};
      if (length(c[1] - c[0]) > 0.2 && length(cross(c[1] - c[0], c[2] - c[0])) > 0.2) return c;
    }
  }
};

Corners moved(const Corners& c, const Corners& v, double t) {
  return {c[0] + v[0] * t, c[1] + v[1] * t, c[2] + v[2] * t};
}

Vec3 rate(const TriangleFrame& frame, const Corners& v) {
  return frame.turn[0] * v[0] + frame.turn[1] * v[1] + frame.turn[2] * v[2];
}

// Central differences over 2e-5 s: errors of the order of 1e-10 times the third derivative, some
// hundred for the thinnest triangles.
double worst_error(bool wrong) {
  constexpr double k_time = 1e-5;
  Random random;
  double worst = 0;
  for (int n = 0; n < 2000; ++n) {
    const Corners c = random.triangle(), v{random.vector(1), random.vector(1), random.vector(1)};
    TriangleFrame frame = triangle_frame(c);
    const Quat before = triangle_frame(moved(c, v, -k_time)).axes,
               after = triangle_frame(moved(c, v, k_time)).axes;
    const Vec3 seen = rotation_vector(after * conjugate(before)) / (2 * k_time);
    if (wrong) std::swap(frame.turn[1], frame.turn[2]);
    worst = std::max(worst, length(seen - rate(frame, v)));
  }
  return worst;
}

TEST(TriangleFrame, turns_as_finite_differences_say) { EXPECT_LT(worst_error(false), 1e-6); }
TEST(TriangleFrame, negative_control_corners_that_are_swapped_are_noticed) {
  EXPECT_GT(worst_error(true), 0.1);
}

TEST(TriangleFrame, axes_are_those_of_the_triangle) {
  Random random;
  for (int n = 0; n < 200; ++n) {
    const Corners c = random.triangle();
    const Quat q = triangle_frame(c).axes;
    EXPECT_LT(length(rotate(q, Vec3{1, 0, 0}) - normalized(c[1] - c[0])), 1e-12);
    EXPECT_LT(length(rotate(q, Vec3{0, 1, 0}) - normalized(cross(c[1] - c[0], c[2] - c[0]))),
              1e-12);
  }
}

TEST(TriangleFrame, a_torque_is_forces_that_keep_both_momenta) {
  Random random;
  for (int n = 0; n < 500; ++n) {
    const Corners c = random.triangle();
    const TriangleFrame frame = triangle_frame(c);
    const Vec3 torque = random.vector(1);
    Vec3 force, moment;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 f = transposed(frame.turn[k]) * torque;
      force += f;
      moment += cross(c[k], f);
    }
    EXPECT_LT(length(force), 1e-12);
    EXPECT_LT(length(moment - torque), 1e-12);
  }
}

// Whatever the corners, nothing is lost: a line has a direction but does not say how it turns.
TEST(TriangleFrame, corners_in_a_line_or_in_a_point_have_axes_that_are_finite) {
  for (const Corners& c : {Corners{Vec3{0, 0, 0}, {1, 2, 3}, {2, 4, 6}}, Corners{}}) {
    const TriangleFrame frame = triangle_frame(c);
    EXPECT_NEAR(length(Vec3{frame.axes.x, frame.axes.y, frame.axes.z}) *
                        length(Vec3{frame.axes.x, frame.axes.y, frame.axes.z}) +
                    frame.axes.w * frame.axes.w,
                1, 1e-12);
    EXPECT_EQ(length(rate(frame, {Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})), 0);
  }
}

}  // namespace
}  // namespace pliant
