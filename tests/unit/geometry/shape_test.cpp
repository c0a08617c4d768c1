// Signed distances against brute-force minima, gradients against differences, inertia against sums.
#include "geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "geometry/shape_distance.h"

namespace pliant {
namespace {

double clamp(double x, double lo, double hi) { return std::min(std::max(x, lo), hi); }

// The nearest of the six faces, each as a rectangle; the sign from the definition of inside.
double brute_box(const Vec3& half, const Vec3& p) {
  double best = 1e30;
  bool inside = true;
  for (int axis = 0; axis < 3; ++axis) {
    inside = inside && std::fabs(p[axis]) <= half[axis];
    for (int side : {-1, 1}) {
      Vec3 q;
      for (int i = 0; i < 3; ++i) q[i] = clamp(p[i], -half[i], half[i]);
      q[axis] = side * half[axis];
      best = std::min(best, length(p - q));
    }
  }
  return inside ? -best : best;
}

double brute_capsule(double radius, double half_height, const Vec3& p) {
  double best = 1e30;
  for (int i = 0; i <= 4000; ++i)
    best = std::min(best, length(p - Vec3{0, half_height * (i / 2000.0 - 1), 0}));
  return best - radius;
}

void expect_gradient(const ShapeNumbers<double>& shape, const Vec3& p) {
  Vec3 g, unused;
  signed_distance(shape, p, g);
  ASSERT_NEAR(length(g), 1, 1e-9);
  // Along the gradient the distance grows with slope 1, also at creases from outside.
  const double e = 1e-5;
  const double slope =
      (signed_distance(shape, p + g * e, unused) - signed_distance(shape, p, unused)) / e;
  ASSERT_NEAR(slope, 1, 1e-4);
}

TEST(shape_distance, matches_brute_force_inside_and_outside) {
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> u(-1.5, 1.5), size(0.1, 1.0);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p{u(rng), u(rng), u(rng)};
    const Vec3 half{size(rng), size(rng), size(rng)};
    const double r = size(rng), h = size(rng);
    const auto box = shape_numbers<double>(make_convex(Box{half}));
    const auto capsule = shape_numbers<double>(make_convex(Capsule{r, h}));
    const auto sphere = shape_numbers<double>(make_convex(Sphere{r}));
    const auto floor = shape_numbers<double>(make_convex(HalfSpace{}));
    Vec3 g;
    ASSERT_NEAR(signed_distance(box, p, g), brute_box(half, p), 1e-12);
    inside += brute_box(half, p) < 0;
    ASSERT_NEAR(signed_distance(capsule, p, g), brute_capsule(r, h, p), 1e-4);
    ASSERT_NEAR(signed_distance(sphere, p, g), length(p) - r, 1e-12);
    ASSERT_EQ(signed_distance(floor, p, g), p.y);
    for (const auto& shape : {box, capsule, sphere, floor}) expect_gradient(shape, p);
  }
  EXPECT_GT(inside, 50);
}

// Points of the surface, dense enough for the nearest to be right to the second order.
double brute_turned(const std::vector<std::pair<double, double>>& profile, const Vec3& p) {
  // The nearest point of a surface of revolution lies in the half plane of p.
  const double r = std::hypot(p.x, p.z);
  double best = 1e30;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i)
    for (int k = 0; k <= 2000; ++k) {
      const double t = k / 2000.0;
      const double x = profile[i].first + t * (profile[i + 1].first - profile[i].first);
      const double y = profile[i].second + t * (profile[i + 1].second - profile[i].second);
      best = std::min(best, std::hypot(r - x, p.y - y));
    }
  return best;
}
double brute_ellipsoid(const Vec3& e, const Vec3& p) {
  double best = 1e30;
  for (int i = 0; i <= 400; ++i)
    for (int k = 0; k < 400; ++k) {
      const double a = M_PI * i / 400, b = 2 * M_PI * k / 400;
      const Vec3 q{e.x * std::sin(a) * std::cos(b), e.y * std::cos(a),
                   e.z * std::sin(a) * std::sin(b)};
      best = std::min(best, length(p - q));
    }
  return best;
}

TEST(shape_distance, round_shapes_match_brute_force) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> u(-1.2, 1.2), size(0.2, 1.0);
  int inside = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 p{u(rng), u(rng), u(rng)};
    const double r = size(rng), h = size(rng);
    const Vec3 e{size(rng), size(rng), size(rng)};
    const auto cylinder = shape_numbers<double>(make_convex(Cylinder{r, h}));
    const auto cone = shape_numbers<double>(make_convex(Cone{r, h}));
    const auto ellipsoid = shape_numbers<double>(make_convex(Ellipsoid{e}));
    const double radius = std::hypot(p.x, p.z), above_base = p.y + h / 4;
    const bool in_cylinder = radius < r && std::fabs(p.y) < h;
    const bool in_cone = above_base > 0 && radius < r * (1 - above_base / h);
    const bool in_ellipsoid =
        p.x * p.x / (e.x * e.x) + p.y * p.y / (e.y * e.y) + p.z * p.z / (e.z * e.z) < 1;
    Vec3 g;
    ASSERT_NEAR(signed_distance(cylinder, p, g),
                (in_cylinder ? -1 : 1) * brute_turned({{0, -h}, {r, -h}, {r, h}, {0, h}}, p), 1e-3);
    ASSERT_NEAR(signed_distance(cone, p, g),
                (in_cone ? -1 : 1) * brute_turned({{0, -h / 4}, {r, -h / 4}, {0, 0.75 * h}}, p),
                1e-3);
    ASSERT_NEAR(signed_distance(ellipsoid, p, g), (in_ellipsoid ? -1 : 1) * brute_ellipsoid(e, p),
                2e-3);
    for (const auto& shape : {cylinder, cone, ellipsoid}) expect_gradient(shape, p);
    inside += in_cylinder + in_cone + in_ellipsoid;
  }
  EXPECT_GT(inside, 30);
}

TEST(shape_distance, round_shapes_on_their_axes_and_planes) {
  Vec3 g;
  const auto cylinder = shape_numbers<double>(make_convex(Cylinder{0.5, 1}));
  EXPECT_EQ(signed_distance(cylinder, Vec3{}, g), -0.5);
  EXPECT_NEAR(length(g), 1, 1e-12);
  const auto cone = shape_numbers<double>(make_convex(Cone{3, 4}));
  EXPECT_NEAR(signed_distance(cone, Vec3{0, 3, 0}, g), 0, 1e-12);  // the tip
  EXPECT_NEAR(length(g), 1, 1e-12);
  EXPECT_NEAR(signed_distance(cone, Vec3{0, 5, 0}, g), 2, 1e-12);
  const auto egg = shape_numbers<double>(make_convex(Ellipsoid{{1, 2, 3}}));
  EXPECT_NEAR(signed_distance(egg, Vec3{}, g), -1, 1e-6);
  EXPECT_NEAR(signed_distance(egg, Vec3{0, 0, 5}, g), 2, 1e-6);
  EXPECT_NEAR(signed_distance(egg, Vec3{0, 4, 0}, g), 2, 1e-6);
  EXPECT_NEAR(length(g), 1, 1e-9);
}

TEST(shape, mean_cross_sections) {
  // A round ellipsoid is a ball.
  EXPECT_NEAR(mean_cross_section(make_convex(Ellipsoid{{2, 2, 2}})), M_PI * 4, 1e-3);
  // Oblate, with the closed form of its surface: e^2 = 1 - c^2 / a^2.
  const double a = 1, c = 0.5, e = std::sqrt(1 - c * c / (a * a));
  const double surface = 2 * M_PI * a * a * (1 + (1 - e * e) / e * std::atanh(e));
  EXPECT_NEAR(mean_cross_section(make_convex(Ellipsoid{{a, c, a}})), surface / 4, 1e-4 * surface);
  EXPECT_NEAR(mean_cross_section(make_convex(Cylinder{1, 2})), (2 * M_PI + 8 * M_PI) / 4, 1e-12);
  EXPECT_NEAR(mean_cross_section(make_convex(Cone{3, 4})), (9 * M_PI + 15 * M_PI) / 4, 1e-12);
}

TEST(shape_distance, centres_and_axes_have_a_unit_gradient) {
  for (const Shape& s : {Shape(Sphere{1}), Shape(Box{{1, 1, 1}}), Shape(Capsule{0.5, 1})}) {
    Vec3 g;
    EXPECT_LT(signed_distance(shape_numbers<double>(make_convex(s)), Vec3{}, g), 0);
    EXPECT_EQ(length(g), 1);
    Vec3f gf;
    signed_distance(shape_numbers<float>(make_convex(s)), Vec3f{1e-25f, 0, 0}, gf);
    EXPECT_NEAR(length(gf), 1, 1e-6);
  }
}

TEST(shape, volume_and_inertia_match_a_sum_over_cells) {
  const int n = 120;
  for (const Shape& s :
       {Shape(Sphere{0.7}), Shape(Box{{0.3, 0.5, 0.9}}), Shape(Capsule{0.3, 0.6}),
        Shape(Cylinder{0.4, 0.8}), Shape(Cone{0.8, 1.2}), Shape(Ellipsoid{{0.4, 0.6, 0.9}})}) {
    const ConvexShape shape = make_convex(s);
    const auto numbers = shape_numbers<double>(shape);
    double volume = 0;
    Vec3 inertia;
    const double cell = 2.0 / n, dv = cell * cell * cell;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const Vec3 p{(i + 0.5) * cell - 1, (j + 0.5) * cell - 1, (k + 0.5) * cell - 1};
          Vec3 g;
          if (signed_distance(numbers, p, g) > 0) continue;
          volume += dv;
          inertia += Vec3{p.y * p.y + p.z * p.z, p.x * p.x + p.z * p.z, p.x * p.x + p.y * p.y} * dv;
        }
    EXPECT_NEAR(shape_volume(shape) / volume, 1, 0.01);
    const Vec3 exact = shape_inertia(shape, shape_volume(shape));
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(exact[a] / inertia[a], 1, 0.02);
  }
}

TEST(shape, box_extent_holds_every_surface_point_and_is_tight) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> u(-1, 1);
  const ConvexShape shape = make_convex(Box{{0.3, 0.5, 0.9}});
  for (int i = 0; i < 100; ++i) {
    const Quat q = normalized(Quat{u(rng), u(rng), u(rng), u(rng)});
    const Vec3 e = box_extent(shape, q);
    Vec3 reached;
    for (int c = 0; c < 8; ++c) {
      const Vec3 corner{c & 1 ? 0.3 : -0.3, c & 2 ? 0.5 : -0.5, c & 4 ? 0.9 : -0.9};
      reached = max(reached, rotate(q, corner));
    }
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(e[a], reached[a], 1e-12);
  }
}

}  // namespace
}  // namespace pliant
