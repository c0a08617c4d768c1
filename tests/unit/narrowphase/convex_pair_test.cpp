// The general path on random pairs of all convex shapes against the brute-force twin, the fast
// paths against the general one, and how many points what lies or stands has.
#include <gtest/gtest.h>

#include "geometry/gjk.h"
#include "unit/narrowphase/pair_twin.h"

namespace pliant {
namespace {

using twin::Pair;

// Single precision poses and sizes, and the tolerance within which a point of an outline stands for
// the exact one (0.2 mm for a metre).
constexpr double k_tolerance = 5e-4;

TEST(convex_pair, distance_and_depth_match_the_twin) {
  std::mt19937 rng(11);
  int apart = 0, overlapping = 0, near = 0;
  for (int i = 0; i < 900; ++i) {
    const Pair p = twin::random_pair(i % twin::k_shapes, i / twin::k_shapes % twin::k_shapes, rng);
    const double expected = twin::signed_distance(p);
    const PairContact c = collide_convex(twin::geometry(p));
    ASSERT_GT(c.count, 0) << i;
    // The gap along any direction is at most the distance: that of the normal shows that the answer
    // is not too great, that of the twin's best direction that it is not too small.
    const double found = twin::deepest(c);
    ASSERT_NEAR(twin::gap_along(p, normalized(cast<double>(c.normal))), found, k_tolerance) << i;
    ASSERT_LT(expected, found + k_tolerance) << i;
    near += expected > found - k_tolerance;
    (expected > 0 ? apart : overlapping) += 1;
  }
  EXPECT_GT(near, 870);  // the twin's search does end where it should
  EXPECT_GT(apart, 200);
  EXPECT_GT(overlapping, 200);
}

// A direction that is not the best one is seen by the same comparison.
TEST(convex_pair, the_twin_tells_a_wrong_normal) {
  std::mt19937 rng(12);
  int told = 0;
  for (int i = 0; i < 50; ++i) {
    const Pair p = twin::random_pair(3, 4, rng);
    const Vec3 n = cast<double>(collide_convex(twin::geometry(p)).normal);
    const Vec3 wrong = normalized(n + any_perpendicular(n) * 0.2);
    told += twin::gap_along(p, wrong) < twin::signed_distance(p) - k_tolerance;
  }
  EXPECT_GT(told, 45);
}

TEST(convex_pair, fast_paths_agree_with_the_general_path) {
  std::mt19937 rng(13);
  for (int i = 0; i < 2000; ++i) {
    const int a = i % 3, b = i / 3 % 3;
    PairGeometry g = twin::geometry(twin::random_pair(a, b, rng));
    if (g.a.kind > g.b.kind) continue;
    const double general = twin::deepest(collide_convex(g));
    // Box against box prefers faces by a hundredth of the smallest side.
    ASSERT_NEAR(twin::deepest(collide_pair(g, 0)), general, a == 1 && b == 1 ? 0.02 : k_tolerance);
  }
}

TEST(convex_pair, half_space_matches_the_lowest_point) {
  std::mt19937 rng(14);
  for (int i = 0; i < 3000; ++i) {
    Pair p = twin::random_pair(i % twin::k_shapes, 0, rng);
    const PairGeometry with_ball = twin::geometry(p);
    PairGeometry g = with_ball;
    g.b = shape_numbers<Real>(make_convex(HalfSpace{}));
    const Vec3 up = rotate(p.rotation_b, Vec3{0, 1, 0});
    const double expected = -dot(p.offset, up) - twin::reach(p.a, p.rotation_a, -up);
    const PairContact c = collide_convex_half_space(g);
    ASSERT_NEAR(twin::deepest(c), expected, k_tolerance) << i;
    ASSERT_NEAR(twin::deepest(collide_pair(g, 0)), expected, k_tolerance) << i;
    for (int k = 0; k < c.count; ++k) {
      const double height = dot(cast<double>(c.point[k].position) - p.offset, up);
      ASSERT_NEAR(height, 0.5 * double(c.point[k].separation), 1e-5);
    }
  }
}

Quat about_x(double angle) { return {std::sin(angle / 2), 0, 0, std::cos(angle / 2)}; }

// How many points a has on a box below it, and the area of the triangle of the first three.
struct Stand {
  int points = 0;
  double spread = 0;  // m, between the two furthest
};
Stand stand(const Shape& a, const Quat& rotation, double height, const Shape& floor) {
  const Pair p{a, floor, rotation, {}, {0, -height, 0}};
  const PairGeometry g = twin::geometry(p, 0.01);
  const PairContact c =
      std::holds_alternative<HalfSpace>(floor) ? collide_convex_half_space(g) : collide_convex(g);
  Stand s{c.count, 0};
  for (int i = 0; i < c.count; ++i)
    for (int k = 0; k < i; ++k)
      s.spread = std::max(s.spread, double(length(c.point[i].position - c.point[k].position)));
  return s;
}

TEST(convex_pair, what_stands_has_four_points_and_what_lies_has_two) {
  const Cylinder cylinder{0.3, 0.5};
  const Cone cone{0.3, 0.8};
  const Box slab{{2, 0.5, 2}};
  for (const auto& [floor, top] :
       {std::pair{Shape(slab), 0.5}, std::pair{Shape(HalfSpace{}), 0.0}}) {
    const Stand upright = stand(cylinder, {}, 0.5 + top, floor);
    EXPECT_EQ(upright.points, 4);
    EXPECT_NEAR(upright.spread, 0.6, 1e-4);
    const Stand lying = stand(cylinder, about_x(M_PI / 2), 0.3 + top, floor);
    EXPECT_EQ(lying.points, 2);
    EXPECT_NEAR(lying.spread, 1.0, 1e-4);
    const Stand base = stand(cone, {}, 0.2 + top, floor);
    EXPECT_EQ(base.points, 4);
    EXPECT_NEAR(base.spread, 0.6, 1e-4);
    // On its side: the slant falls by atan(r / h), the tip is 3/4 h from the origin.
    const double lean = std::atan2(0.3, 0.8);
    const Stand side = stand(cone, about_x(-M_PI / 2 - lean), 0.6 * std::sin(lean) + top, floor);
    EXPECT_EQ(side.points, 2);
    EXPECT_NEAR(side.spread, std::hypot(0.3, 0.8), 1e-3);
    EXPECT_EQ(stand(Ellipsoid{{0.3, 0.2, 0.4}}, {}, 0.2 + top, floor).points, 1);
    // On its rim there is nothing but one point.
    const double tip = 0.3 * std::sin(0.6) + 0.5 * std::cos(0.6);
    EXPECT_EQ(stand(cylinder, about_x(0.6), tip + top, floor).points, 1);
  }
}

// The same pose gives the same features, also where rounding moves the points a little.
TEST(convex_pair, features_stay_while_a_body_rests) {
  const Pair p{Cylinder{0.3, 0.5}, Box{{2, 0.5, 2}}, {}, {}, {0, -1, 0}};
  const PairContact first = collide_convex(twin::geometry(p, 0.01));
  ASSERT_EQ(first.count, 4);
  std::mt19937 rng(15);
  std::uniform_real_distribution<double> u(-1e-5, 1e-5);
  for (int i = 0; i < 100; ++i) {
    Pair moved = p;
    moved.offset += Vec3{u(rng), u(rng), u(rng)};
    moved.rotation_a = normalized(Quat{u(rng), u(rng), u(rng), 1});
    const PairContact c = collide_convex(twin::geometry(moved, 0.01));
    ASSERT_EQ(c.count, 4);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(c.point[k].feature, first.point[k].feature);
  }
}

}  // namespace
}  // namespace pliant
