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
       {Shape(Sphere{0.7}), Shape(Box{{0.3, 0.5, 0.9}}), Shape(Capsule{0.3, 0.6})}) {
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
