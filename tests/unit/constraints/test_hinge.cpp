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

// The angle as position based dynamics had it first: n1 and n2 the normals of the two triangles
// taken from the same vertex of the edge, phi = acos(n1 . n2), which is pi when flat, and the
// gradients of phi. Regular where neither flat nor shut, and it does not know to which side.
struct CosineForm {
  double phi = 0;  // rad
  std::array<Vec3, 4> gradient;
  double regular = 0;  // sin(phi)
};
CosineForm cosine_form(const Places& x) {
  const Vec3 p2 = x[1] - x[0], p3 = x[2] - x[0], p4 = x[3] - x[0];
  const Vec3 c1 = cross(p2, p3), c2 = cross(p2, p4), n1 = normalized(c1), n2 = normalized(c2);
  const double d = dot(n1, n2), s = std::sqrt(1 - d * d);
  const auto along = [&](const Vec3& p, const Vec3& n, const Vec3& other, double area) {
    return (cross(p, other) + d * cross(n, p)) / (s * area);
  };
  CosineForm f;
  f.phi = std::acos(d);
  f.regular = s;
  f.gradient[2] = along(p2, n1, n2, length(c1));
  f.gradient[3] = along(p2, n2, n1, length(c2));
  f.gradient[1] = -along(p3, n1, n2, length(c1)) - along(p4, n2, n1, length(c2));
  f.gradient[0] = -(f.gradient[1] + f.gradient[2] + f.gradient[3]);
  return f;
}

// Where it is regular it is the hinge's own angle: |theta| = pi - phi, with the sign of theta lost.
// Seen to fail with n1 and n2 exchanged in one term of the gradient.
TEST(Hinge, cloth_A01_cosine_form_has_the_same_angle_and_gradient) {
  const double pi = 3.14159265358979323846;
  Random random;
  int tries = 0;
  while (tries < k_tries) {
    double rest = 0;
    const Trial t = hinge_trial(random, rest);
    const CosineForm form = cosine_form(t.x);
    if (form.regular < 0.1) continue;
    ++tries;
    const double angle = hinge_angle(t.x[0], t.x[1], t.x[2], t.x[3]);
    ASSERT_NEAR(std::abs(angle), pi - form.phi, 1e-12) << "try " << tries;
    const auto numerical =
        jacobian([](const Places& x) { return std::vector{cosine_form(x).phi}; }, t.x)[0];
    Vec3 sum, moment;
    double error = 0, size = 0, moment_size = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3& g = form.gradient[i];
      error += length(g - numerical[i]);
      size += length(g);
      sum += g;
      moment += cross(t.x[i], g);
      moment_size += length(cross(t.x[i], g));
    }
    ASSERT_LT(error, 1e-6 * size) << "try " << tries;
    ASSERT_LT(length(sum), 1e-9 * size) << "try " << tries;
    ASSERT_LT(length(moment), 1e-9 * (moment_size + size)) << "try " << tries;
    // What the engine's projection does is along the same gradients, by its own signed angle.
    double denominator = t.compliance;
    for (std::size_t i = 0; i < 4; ++i) denominator += t.w[i] * length_sq(form.gradient[i]);
    const double c = wrapped(angle - rest), sign = angle > 0 ? -1 : 1;
    Places expected;
    for (std::size_t i = 0; i < 4; ++i)
      expected.push_back(form.gradient[i] * (-sign * c / denominator * t.w[i]));
    ConstraintRows rows;
    rows.hinge.push_back({{0, 1, 2, 3}, rest, t.compliance, -1});
    expect_same(project_once(rows, t), expected, tries);
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
