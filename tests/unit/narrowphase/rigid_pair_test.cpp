// Fast paths against the general path and against brute-force twins on random poses.
#include "narrowphase/rigid_pair.h"

#include <algorithm>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "geometry/gjk.h"

namespace pliant {
namespace {

constexpr int k_cases = 10000;
constexpr double k_far = 10;

Quat random_rotation(std::mt19937& rng) {
  std::normal_distribution<double> n;
  return normalized(Quat{n(rng), n(rng), n(rng), n(rng)});
}
Shape random_shape(ShapeKind kind, std::mt19937& rng) {
  std::uniform_real_distribution<double> u(0.2, 1);
  if (kind == ShapeKind::sphere) return Sphere{u(rng)};
  if (kind == ShapeKind::capsule) return Capsule{0.5 * u(rng), u(rng)};
  return Box{{u(rng), u(rng), u(rng)}};
}
PairGeometry random_pair(ShapeKind a, ShapeKind b, std::mt19937& rng) {
  std::uniform_real_distribution<double> u(-1.6, 1.6);
  PairGeometry g;
  g.a = shape_numbers<Real>(make_convex(random_shape(a, rng)));
  g.b = shape_numbers<Real>(make_convex(random_shape(b, rng)));
  g.axes_a = transposed(to_matrix(cast<Real>(random_rotation(rng))));
  g.axes_b = transposed(to_matrix(cast<Real>(random_rotation(rng))));
  g.offset = {Real(u(rng)), Real(u(rng)), Real(u(rng))};
  g.margin = Real(k_far);
  return g;
}
Real deepest(const PairContact& c) {
  Real s = Real(1e30);
  for (int i = 0; i < c.count; ++i) s = std::min(s, c.point[i].separation);
  return s;
}

// --- twins that share nothing with the library above vector math
Vec3 to_world(const PairGeometry& g, bool second, const Vec3& local) {
  const Mat3R& axes = second ? g.axes_b : g.axes_a;
  Vec3 w = second ? cast<double>(g.offset) : Vec3{};
  for (int i = 0; i < 3; ++i) w += cast<double>(axes.row[i]) * local[i];
  return w;
}
Vec3 project_to_core(const PairGeometry& g, bool second, const Vec3& p) {
  const Mat3R& axes = second ? g.axes_b : g.axes_a;
  const Vec3R& half = second ? g.b.half : g.a.half;
  const Vec3 d = p - (second ? cast<double>(g.offset) : Vec3{});
  Vec3 local;
  for (int i = 0; i < 3; ++i)
    local[i] = std::clamp(dot(d, cast<double>(axes.row[i])), -double(half[i]), double(half[i]));
  return to_world(g, second, local);
}
// Alternating projections converge to the closest points of two convex sets.
double brute_core_distance(const PairGeometry& g) {
  Vec3 p, q = cast<double>(g.offset);
  for (int i = 0; i < 3000; ++i) {
    p = project_to_core(g, false, q);
    const Vec3 next = project_to_core(g, true, p);
    if (length(next - q) < 1e-12) break;
    q = next;
  }
  return length(p - q);
}
double overlap_along(const PairGeometry& g, const Vec3& n) {
  double reach = double(g.a.radius) + double(g.b.radius) - dot(cast<double>(g.offset), n);
  for (int i = 0; i < 3; ++i) {
    reach += std::fabs(dot(cast<double>(g.axes_a.row[i]), n)) * double(g.a.half[i]);
    reach += std::fabs(dot(cast<double>(g.axes_b.row[i]), n)) * double(g.b.half[i]);
  }
  return reach;
}
double refined_overlap(const PairGeometry& g, Vec3 best) {
  for (double step = 0.05; step > 1e-6; step *= 0.7) {
    for (int k = 0; k < 12; ++k) {
      const double a = k * M_PI / 6;
      const Vec3 u = any_perpendicular(best), v = cross(best, u);
      const Vec3 d = normalized(best + (u * std::cos(a) + v * std::sin(a)) * step);
      if (overlap_along(g, d) < overlap_along(g, best)) best = d;
    }
  }
  return overlap_along(g, best);
}
// The least overlap over many directions, the best ones refined: there are several local minima.
double brute_depth(const PairGeometry& g) {
  std::vector<std::pair<double, Vec3>> tried;
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    const double y = 1 - (i + 0.5) * 2 / n, r = std::sqrt(1 - y * y), a = i * 2.39996322972865;
    const Vec3 d{r * std::cos(a), y, r * std::sin(a)};
    tried.push_back({overlap_along(g, d), d});
  }
  std::sort(tried.begin(), tried.end(),
            [](const auto& p, const auto& q) { return p.first < q.first; });
  double best = tried[0].first;
  for (int i = 0; i < 60; ++i) best = std::min(best, refined_overlap(g, tried[i].second));
  return best;
}

TEST(rigid_general, distance_matches_alternating_projections) {
  std::mt19937 rng(1);
  int apart = 0;
  for (int i = 0; i < 300; ++i) {
    const PairGeometry g = random_pair(ShapeKind::box, ShapeKind::box, rng);
    const double brute = brute_core_distance(g);
    if (brute < 0.02) continue;  // alternating projections are slow near contact
    ++apart;
    ASSERT_NEAR(double(deepest(collide_general(g))), brute, 2e-4);
  }
  EXPECT_GT(apart, 50);
}

TEST(rigid_general, depth_matches_sampled_directions) {
  std::mt19937 rng(2);
  int overlapping = 0;
  for (int i = 0; i < 150; ++i) {
    const PairGeometry g = random_pair(ShapeKind::box, ShapeKind::box, rng);
    const double s = double(deepest(collide_general(g)));
    if (s > -1e-3) continue;
    ++overlapping;
    ASSERT_NEAR(-s, brute_depth(g), 1e-3);
  }
  EXPECT_GT(overlapping, 50);
}

// The normal of a contact must explain its separation: moving b by it makes the shapes touch.
void expect_consistent(const PairGeometry& g, const PairContact& c) {
  ASSERT_GT(c.count, 0);
  ASSERT_LE(c.count, 4);
  ASSERT_NEAR(double(length(c.normal)), 1, 1e-4);
  for (int i = 0; i < c.count; ++i)
    for (int j = 0; j < i; ++j) ASSERT_NE(c.point[i].feature, c.point[j].feature);
  const double s = double(deepest(c));
  ASSERT_GE(overlap_along(g, cast<double>(c.normal)), -s - 2e-3);
}

using Fast = std::function<PairContact(const PairGeometry&)>;
// Distance exact; where the shapes overlap the fast path may choose an axis that is worse by its
// tolerance of a hundredth of the smallest half side, so that manifolds do not jump.
void compare(ShapeKind a, ShapeKind b, const Fast& fast, double axis_tolerance) {
  std::mt19937 rng(7);
  int overlapping = 0, apart = 0;
  for (int i = 0; i < k_cases; ++i) {
    const PairGeometry g = random_pair(a, b, rng);
    const PairContact c = fast(g), e = collide_general(g);
    expect_consistent(g, c);
    if (::testing::Test::HasFatalFailure()) return;
    const double s = double(deepest(c)), exact = double(deepest(e));
    if (exact > 0) {
      ++apart;
      ASSERT_LE(s, exact + axis_tolerance + 1e-3) << i;  // not later than the truth
    } else {
      ++overlapping;
      ASSERT_NEAR(s, exact, axis_tolerance + 1e-3) << i;
    }
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(overlapping, 500);
}
// The same without the freedom: the distance itself.
void compare_exact(ShapeKind a, ShapeKind b, const Fast& fast) {
  std::mt19937 rng(8);
  for (int i = 0; i < k_cases; ++i) {
    const PairGeometry g = random_pair(a, b, rng);
    const PairContact c = fast(g), e = collide_general(g);
    // Two points stand for a whole line of contact of nearly parallel capsules.
    ASSERT_NEAR(double(deepest(c)), double(deepest(e)), c.count == 2 ? 3e-3 : 1e-5) << i;
    // Near the centre of a box several faces are equally far.
    if (c.count == 1 && std::fabs(double(deepest(e))) < 0.1 &&
        double(deepest(e)) + double(g.a.radius) > 0.01) {
      ASSERT_GT(double(dot(c.normal, e.normal)), 0.99) << i;
    }
  }
}

TEST(rigid_pair, sphere_sphere_is_the_general_path) {
  compare_exact(ShapeKind::sphere, ShapeKind::sphere, collide_sphere_sphere);
}
TEST(rigid_pair, sphere_capsule_is_the_general_path) {
  compare_exact(ShapeKind::sphere, ShapeKind::capsule, collide_sphere_capsule);
}
TEST(rigid_pair, sphere_box_is_the_general_path) {
  compare_exact(ShapeKind::sphere, ShapeKind::box, collide_sphere_box);
}
TEST(rigid_pair, capsule_capsule_is_the_general_path) {
  compare_exact(ShapeKind::capsule, ShapeKind::capsule, collide_capsule_capsule);
}
TEST(rigid_pair, capsule_box_is_the_general_path) {
  compare_exact(ShapeKind::capsule, ShapeKind::box, collide_capsule_box);
}
// The general path is part of this one, so that it is also held against the twins.
TEST(rigid_pair, capsule_box_matches_the_twins) {
  std::mt19937 rng(10);
  int apart = 0, overlapping = 0;
  for (int i = 0; i < 400; ++i) {
    const PairGeometry g = random_pair(ShapeKind::capsule, ShapeKind::box, rng);
    const double s = double(deepest(collide_capsule_box(g))), cores = brute_core_distance(g);
    if (cores > 0.02) {
      ++apart;
      ASSERT_NEAR(s, cores - double(g.a.radius), 3e-3) << i;
    } else if (cores < 1e-6 && overlapping < 60) {
      ++overlapping;
      ASSERT_NEAR(-s, brute_depth(g), 3e-3) << i;
    }
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(overlapping, 40);
}
TEST(rigid_pair, box_box_is_the_general_path) {
  compare(
      ShapeKind::box, ShapeKind::box, [](const PairGeometry& g) { return collide_box_box(g, 0); },
      0.01);
}
TEST(rigid_pair, box_box_with_any_remembered_axis) {
  std::uint32_t axis = 0;
  compare(
      ShapeKind::box, ShapeKind::box,
      [&](const PairGeometry& g) {
        axis = axis % 15 + 1;
        return collide_box_box(g, axis);
      },
      0.02);
}

TEST(rigid_pair, half_space_matches_the_lowest_point) {
  std::mt19937 rng(9);
  for (ShapeKind kind : {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box})
    for (int i = 0; i < k_cases; ++i) {
      PairGeometry g = random_pair(kind, ShapeKind::sphere, rng);
      g.b = shape_numbers<Real>(make_convex(HalfSpace{}));
      const Vec3 up = cast<double>(g.axes_b.row[1]);
      double lowest = 1e30;
      for (int c = 0; c < 8; ++c) {
        const Vec3 corner{c & 1 ? double(g.a.half.x) : -double(g.a.half.x),
                          c & 2 ? double(g.a.half.y) : -double(g.a.half.y),
                          c & 4 ? double(g.a.half.z) : -double(g.a.half.z)};
        lowest = std::min(lowest, dot(to_world(g, false, corner) - cast<double>(g.offset), up));
      }
      const PairContact c = collide_half_space(g);
      ASSERT_NEAR(double(deepest(c)), lowest - double(g.a.radius), 1e-5);
      ASSERT_NEAR(double(dot(c.normal, g.axes_b.row[1])), -1, 1e-6);
    }
}

TEST(rigid_pair, stacked_boxes_touch_in_four_corners) {
  PairGeometry g;
  g.a = g.b = shape_numbers<Real>(make_convex(Box{}));
  g.offset = {Real(0.3), Real(0.999), Real(0.1)};
  g.margin = Real(0.01);
  const PairContact c = collide_box_box(g, 0);
  ASSERT_EQ(c.count, 4);
  EXPECT_EQ(c.normal, (Vec3R{0, 1, 0}));
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(double(c.point[i].separation), -0.001, 1e-6);
    const Vec3R p = c.point[i].position;
    EXPECT_TRUE(std::fabs(p.x + 0.2) < 1e-5 || std::fabs(p.x - 0.5) < 1e-5) << p.x;
    EXPECT_TRUE(std::fabs(p.z + 0.4) < 1e-5 || std::fabs(p.z - 0.5) < 1e-5) << p.z;
  }
}

TEST(rigid_pair, octagon_of_contact_keeps_its_extent) {
  // A box turned by 45 degrees on another: eight corners, of which four far apart stay.
  PairGeometry g;
  g.a = g.b = shape_numbers<Real>(make_convex(Box{}));
  g.axes_b = transposed(to_matrix(cast<Real>(Quat{0, std::sin(M_PI / 8), 0, std::cos(M_PI / 8)})));
  g.offset = {0, Real(0.999), 0};
  g.margin = Real(0.01);
  const PairContact c = collide_box_box(g, 0);
  ASSERT_EQ(c.count, 4);
  Vec3R lo = c.point[0].position, hi = lo;
  for (const PairPoint& p : c.point) {
    lo = min(lo, p.position);
    hi = max(hi, p.position);
  }
  EXPECT_GT(hi.x - lo.x, Real(0.6));
  EXPECT_GT(hi.z - lo.z, Real(0.6));
}

TEST(rigid_pair, capsule_lying_on_a_box_has_two_points) {
  PairGeometry g;
  g.a = shape_numbers<Real>(make_convex(Capsule{0.2, 0.4}));
  g.b = shape_numbers<Real>(make_convex(Box{{1, 1, 1}}));
  g.axes_a = {{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};  // its axis along x
  g.offset = {0, Real(-1.199), 0};
  g.margin = Real(0.01);
  const PairContact c = collide_capsule_box(g);
  ASSERT_EQ(c.count, 2);
  EXPECT_NEAR(double(c.normal.y), -1, 1e-6);
  EXPECT_NEAR(std::fabs(double(c.point[0].position.x - c.point[1].position.x)), 0.8, 1e-5);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(double(c.point[i].separation), -0.001, 1e-6);
}

TEST(rigid_pair, concentric_shapes_give_a_finite_contact) {
  PairGeometry g;
  g.margin = Real(0.01);
  for (const Shape& a : {Shape(Sphere{}), Shape(Capsule{}), Shape(Box{})})
    for (const Shape& b : {Shape(Sphere{}), Shape(Capsule{}), Shape(Box{})}) {
      g.a = shape_numbers<Real>(make_convex(a));
      g.b = shape_numbers<Real>(make_convex(b));
      if (g.a.kind > g.b.kind) continue;
      const PairContact c = collide_pair(g, 0);
      ASSERT_GT(c.count, 0);
      EXPECT_NEAR(double(length(c.normal)), 1, 1e-5);
      EXPECT_LT(deepest(c), 0);
      EXPECT_TRUE(finite(c.point[0].position));
    }
}

}  // namespace
}  // namespace pliant
