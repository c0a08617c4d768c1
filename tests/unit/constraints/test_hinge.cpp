// The signed hinge against numerical gradients, and where the cosine alone would fail: flat and
// nearly shut.
#include "constraints/hinge.h"

#include "geometry/hinge_angle.h"
#include "gradient_check.h"

namespace pliant {
namespace {

// Twice the areas of the two triangles beside the squares of their longest edges.
double roundness(const Places& x) {
  double least = 1;
  for (const std::size_t wing : {2u, 3u}) {
    const Vec3 a = x[1] - x[0], b = x[wing] - x[0], c = x[wing] - x[1];
    const double longest = std::max({length_sq(a), length_sq(b), length_sq(c)});
    least = std::min(least, length(cross(a, b)) / longest);
  }
  return least;
}

double wrapped(double angle) {
  const double pi = 3.14159265358979323846;
  return angle > pi ? angle - 2 * pi : angle <= -pi ? angle + 2 * pi : angle;
}

// The angle written once more, by the difference of two polar angles about the edge.
double polar_angle(const Places& x) {
  const Vec3 e = normalized(x[1] - x[0]);
  const Vec3 a = x[2] - x[0], b = x[3] - x[0];
  const Vec3 u = normalized(a - e * dot(a, e)), v = cross(e, u);
  const double pi = 3.14159265358979323846;
  return wrapped(std::atan2(dot(b, v), dot(b, u)) - pi);
}

Trial hinge_trial(Random& random, double& rest) {
  Trial t;
  do t = random_trial(random, 4);
  while (roundness(t.x) < 0.2);
  rest = polar_angle(t.x) + random.uniform(-2, 2);
  rest = rounded(wrapped(rest));
  return t;
}

TEST(Hinge, cloth_A01_cloth_A02_gradient_and_momentum) {
  Random random;
  for (int n = 0; n < k_tries; ++n) {
    double rest = 0;
    const Trial t = hinge_trial(random, rest);
    ConstraintRows rows;
    rows.hinge.push_back({{0, 1, 2, 3}, rest, t.compliance, -1});
    const Places motion = project_once(rows, t);
    const Equation equation = [rest](const Places& x) {
      return std::vector{wrapped(polar_angle(x) - rest)};
    };
    expect_same(motion, expected_motion(equation, t.x, t.w, t.compliance), n);
    expect_momentum_kept(motion, t, n);
    if (HasFailure()) return;
  }
}

// Flat in the plane y = 0, the normal up; wings lifted by `angle` / 2 each.
Places bent(double angle) {
  const double s = std::sin(angle / 2), c = std::cos(angle / 2);
  return {{0, 0, 0}, {0, 0, 1}, {c, -s, 0.5}, {-c, -s, 0.5}};
}
Places in_library(Places x) {
  for (Vec3& p : x) p = rounded(p);
  return x;
}

TEST(Hinge, cloth_A12_angle_and_its_sign) {
  for (const double angle : {0.0, 1e-7, -1e-7, 0.7, -0.7, 3.1, -3.1}) {
    const Places x = bent(angle);
    EXPECT_NEAR(hinge_angle(x[0], x[1], x[2], x[3]), angle, 1e-12) << angle;
  }
}

// A projection from the flat, the nearly flat and the nearly shut state is finite and turns the way
// it should; the cosine form divides zero by zero in the first.
TEST(Hinge, cloth_A12_projection_is_regular) {
  for (const double angle : {0.0, 1e-7, -1e-7, 3.1, -3.1})
    for (const double rest : {0.2, -0.2}) {
      const Trial t{in_library(bent(angle)), {1, 1, 1, 1}, {1, 1, 1, 1}, 0};
      ConstraintRows rows;
      rows.hinge.push_back({{0, 1, 2, 3}, rest, 0, -1});
      const Places motion = project_once(rows, t);
      Places after = t.x;
      for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_TRUE(std::isfinite(length(motion[i]))) << angle;
        after[i] += motion[i];
      }
      const double now = hinge_angle(after[0], after[1], after[2], after[3]);
      EXPECT_LT(std::abs(wrapped(now - rest)), std::abs(wrapped(angle - rest))) << angle;
      if (std::abs(angle) < 1) {
        EXPECT_GT(now * rest, 0) << angle;
      }
    }
}

TEST(Hinge, rest_is_at_rest_and_slivers_are_left_alone) {
  Trial t{in_library(bent(0.7)), {1, 1, 1, 1}, {1, 1, 1, 1}, 0};
  ConstraintRows rows;
  rows.hinge.push_back({{0, 1, 2, 3}, 0.7, 0, -1});
  EXPECT_LT(size_of(project_once(rows, t)), k_double ? 1e-14 : 1e-6);
  t.x[2] = {0, 0, 0.25};  // on the edge: the triangle has no normal
  EXPECT_EQ(size_of(project_once(rows, t)), 0);
}

}  // namespace
}  // namespace pliant
