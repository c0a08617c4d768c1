// Times of impact: closed forms, and random pairs against the brute-force twin.
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/impact_time.h"
#include "unit/narrowphase/moving_twin.h"

namespace pliant {
namespace {

// Keeps what its shape points to.
struct Kept : MovingShape {
  ConvexShape convex;
};
Kept moving(const Shape& shape, const Vec3& position, const Vec3& velocity,
            const Vec3& acceleration = {}, const Vec3& spin = {}) {
  Kept kept;
  kept.convex = make_convex(shape);
  static_cast<MovingShape&>(kept) = {
      shape_numbers<double>(kept.convex), position, {}, velocity, acceleration, spin};
  return kept;
}

TEST(ImpactTime, ball_on_a_plane_is_the_root_of_the_parabola) {
  for (const ImpactTime method : {ImpactTime::advancement, ImpactTime::bisection}) {
    const Impact impact = find_impact(moving(HalfSpace{}, {0, 0.01, 0}, {}),
                                      moving(Sphere{0.2}, {0, 5, 0}, {}, {0, -9.8, 0}), 2,
                                      {.method = method, .gap = 1e-4});
    ASSERT_EQ(impact.kind, Impact::Kind::touch);
    EXPECT_LE(impact.iterations, 24);
    EXPECT_GE(impact.gap, 0);
    EXPECT_LE(impact.gap, 1e-4);
    EXPECT_NEAR(impact.time, std::sqrt(2 * 4.79 / 9.8), 1e-4 / 9.69);
    EXPECT_NEAR(impact.normal.y, 1, 1e-12);
  }
}

// |c + u t| = r_a + r_b.
TEST(ImpactTime, two_balls_is_the_root_of_a_quadratic) {
  const Vec3 c{3, 0.3, 0}, u{-10, 0, 0.5};
  const double sum = 0.7, a = dot(u, u), b = dot(c, u), k = dot(c, c) - sum * sum;
  const double expected = (-b - std::sqrt(b * b - a * k)) / a;
  const Impact impact =
      find_impact(moving(Sphere{0.5}, {}, {}), moving(Sphere{0.2}, c, u), 1, {.gap = 1e-9});
  ASSERT_EQ(impact.kind, Impact::Kind::touch);
  EXPECT_NEAR(impact.time, expected, 1e-9);
  EXPECT_LE(impact.iterations, 8);  // Newton
}

// Turning alone: a rod of half length 1 that turns at 1 rad/s meets a ball when the angle is right.
TEST(ImpactTime, a_turning_rod_meets_a_post) {
  const double angle = 0.7;
  const Vec3 post{0.9 * std::cos(angle), 0, -0.9 * std::sin(angle)};
  const Impact impact = find_impact(moving(Box{{1, 0.01, 0.01}}, {}, {}, {}, {0, 1, 0}),
                                    moving(Sphere{0.05}, post, {}), 2, {.gap = 1e-7});
  ASSERT_EQ(impact.kind, Impact::Kind::touch);
  EXPECT_NEAR(impact.time, angle - std::asin(0.06 / 0.9), 1e-6);
}

// Bodies that pass each other within the time, overlapping neither at its beginning nor at its end.
TEST(ImpactTime, what_flies_through_is_found) {
  const Impact impact = find_impact(moving(Box{{1, 1, 1e-4}}, {}, {}),
                                    moving(Sphere{0.01}, {0, 0, 3}, {0, 0, -600}), 1.0 / 60, {});
  ASSERT_EQ(impact.kind, Impact::Kind::touch);
  EXPECT_NEAR(impact.time, (3 - 0.0101) / 600, 1e-8);
}

TEST(ImpactTime, separating_and_missing_bodies_never_meet) {
  const Kept ball = moving(Sphere{0.5}, {}, {});
  EXPECT_EQ(find_impact(ball, moving(Sphere{0.5}, {1.1, 0, 0}, {1, 0, 0}), 10, {}).kind,
            Impact::Kind::none);
  EXPECT_EQ(find_impact(ball, moving(Sphere{0.5}, {5, 1.01, 0}, {-10, 0, 0}), 10, {}).kind,
            Impact::Kind::none);
  EXPECT_EQ(find_impact(ball, moving(Sphere{0.5}, {0.9, 0, 0}, {}), 1, {}).kind,
            Impact::Kind::overlap);
}

TEST(ImpactTime, parts_of_compounds_and_triangles_of_meshes) {
  Compound hammer;
  hammer.parts.push_back({Box{{1, 0.1, 0.1}}, {}, {}, 0});
  hammer.parts.push_back({Sphere{0.3}, {1.2, 0, 0}, {}, 0});
  const Impact on_part =
      find_impact(moving(hammer, {}, {}), moving(Sphere{0.1}, {1.2, 2, 0}, {0, -1, 0}), 3, {});
  ASSERT_EQ(on_part.kind, Impact::Kind::touch);
  EXPECT_NEAR(on_part.time, 2 - 0.4, 1e-5);
  const Impact on_mesh = find_impact(moving(Mesh{make_box({1, 1, 1})}, {}, {}, {}, {}),
                                     moving(Sphere{0.1}, {0.3, 0.2, 3}, {0, 0, -4}), 3, {});
  ASSERT_EQ(on_mesh.kind, Impact::Kind::touch);
  EXPECT_NEAR(on_mesh.time, (3 - 1.1) / 4, 1e-5);
}

TEST(ImpactTime, random_pairs_match_the_twin) {
  std::mt19937 rng(5);
  int touching = 0;
  for (int i = 0; i < 144; ++i) {
    const twin::MovingPair m =
        twin::random_motion(i % twin::k_shapes, i / twin::k_shapes % twin::k_shapes, rng);
    for (const ImpactTime method : {ImpactTime::advancement, ImpactTime::bisection}) {
      const Impact impact = twin::find(m, 1, {.method = method, .gap = 1e-5, .iterations = 1000});
      ASSERT_EQ(twin::fault_of(m, 1, impact, 4), "") << i << " by method " << int(method);
      touching += impact.kind == Impact::Kind::touch;
    }
  }
  EXPECT_GT(touching, 100);
}

// That the twin notices: a time that is 1 % late.
TEST(ImpactTime, control_the_twin_sees_a_late_answer) {
  std::mt19937 rng(5);
  int seen = 0, touching = 0;
  for (int i = 0; i < 60; ++i) {
    const twin::MovingPair m = twin::random_motion(i % 6, i / 6 % 6, rng);
    Impact impact = twin::find(m, 1, {.gap = 1e-5, .iterations = 1000});
    if (impact.kind != Impact::Kind::touch) continue;
    ++touching;
    impact.time += 0.01;
    seen += !twin::fault_of(m, 1, impact, 4).empty();
  }
  EXPECT_GT(seen, touching * 3 / 4);
}

}  // namespace
}  // namespace pliant
