// Locks, gravity scale, speed cap and laws of motion of rigid bodies, against closed forms.
#include <gtest/gtest.h>
#include <pliant/world.h>

#include <array>
#include <cmath>
#include <memory>

using namespace pliant;

namespace {

constexpr double k_step = 1.0 / 240;
#ifdef PLIANT_DOUBLE
constexpr double k_exact = 1e-9;
#else
constexpr double k_exact = 1e-5;
#endif

void run(World& world, int steps) {
  for (int n = 0; n < steps; ++n) world.step(k_step);
}

const Surface k_smooth{.friction_static = 0, .friction_kinetic = 0};
const Surface k_elastic{.friction_static = 0, .friction_kinetic = 0, .restitution = 1};

// Solves a x = b by Cramer's rule.
Vec3 solve(const Mat3& a, const Vec3& b) {
  const Mat3 t = transposed(a);
  const double d = dot(t.row[0], cross(t.row[1], t.row[2]));
  return {dot(b, cross(t.row[1], t.row[2])) / d, dot(t.row[0], cross(b, t.row[2])) / d,
          dot(t.row[0], cross(t.row[1], b)) / d};
}

Mat3 world_inertia(const Vec3& moments, const Quat& q) {
  const Mat3 r = to_matrix(q);
  Mat3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out.row[i][j] = r.row[i].x * moments.x * r.row[j].x + r.row[i].y * moments.y * r.row[j].y +
                      r.row[i].z * moments.z * r.row[j].z;
  return out;
}

}  // namespace

TEST(BodyLimits, GravityScaleAndGreatestSpeed) {
  World world({.gravity = {0, -10, 0}, .substeps = 10});
  const auto drop = [&](double x, BodyDef def) {
    def.shape = Sphere{0.1};
    def.position = {x, 0, 0};
    return world.add_body(def).value();
  };
  const BodyId half = drop(0, {.gravity_scale = 0.5}), none = drop(1, {.gravity_scale = 0});
  const BodyId up = drop(2, {.gravity_scale = -1}), slow = drop(3, {.max_speed = 5});
  const BodyId plain = drop(4, {});
  run(world, 240);
  EXPECT_NEAR(world.pose(half).position.y, -2.5, 1e-3);
  EXPECT_EQ(world.pose(none).position.y, 0);
  EXPECT_NEAR(world.pose(up).position.y, 5, 1e-3);
  EXPECT_NEAR(world.pose(plain).position.y, -5, 1e-3);
  EXPECT_NEAR(world.velocity(slow).y, -5, 1e-4);
  EXPECT_NEAR(world.pose(slow).position.y, -1.25 - 0.5 * 5, 1e-2);  // 0.5 s until it has its speed
  world.apply_impulse(slow, {1e3 * world.mass(slow), 0, 0}, world.pose(slow).position);
  run(world, 1);
  EXPECT_LE(length(world.velocity(slow)), 5 * (1 + 1e-6));
}

TEST(BodyLimits, LockedPlacesAreKeptToTheBit) {
  World world({.substeps = 10});
  const BodyId bead = world
                          .add_body({.shape = Sphere{0.1},
                                     .position = {0.1, 0.2, 0.3},
                                     .velocity = {1, 2, 3},
                                     .lock_position = {true, false, true}})
                          .value();
  run(world, 120);
  EXPECT_EQ(world.pose(bead).position.x, 0.1);
  EXPECT_EQ(world.pose(bead).position.z, 0.3);
  EXPECT_NEAR(world.pose(bead).position.y, 0.2 + 2 * 0.5 - 0.5 * 9.81 * 0.25, 1e-3);
  world.set_velocity(bead, {5, 0, 0}, {});
  world.apply_force(bead, {1e3, 0, 0}, {});
  run(world, 10);
  EXPECT_EQ(world.pose(bead).position.x, 0.1);
}

// On a smooth slope of 45 degrees a ball that may not move along x lies as on a floor; it bounces
// straight up from it. One that may slides away.
TEST(BodyLimits, ALockedBallOnASlope) {
  const double c = std::cos(0.125 * 3.14159265358979), s = std::sin(0.125 * 3.14159265358979);
  for (const bool bounces : {false, true}) {
    World world({.substeps = 10});
    const Surface surface = bounces ? k_elastic : k_smooth;
    ASSERT_TRUE(world
                    .add_body({.motion = Motion::fixed,
                               .shape = HalfSpace{},
                               .rotation = {0, 0, -s, c},
                               .surface = surface})
                    .ok());
    const double rest = 0.1 * std::sqrt(2.0), start = bounces ? rest + 0.5 : rest;
    const auto ball = [&](double z, bool locked) {
      return world
          .add_body({.shape = Sphere{0.1},
                     .position = {0, start, z},
                     .surface = surface,
                     .lock_position = {locked, false, false}})
          .value();
    };
    const BodyId locked = ball(0, true), free = ball(1, false);
    double highest = 0;
    const double fall = std::sqrt(2 * 0.5 / 9.81);
    run(world, int(1.3 * fall / k_step));
    for (int n = 0; n < 120; ++n) {
      world.step(k_step);
      highest = std::max(highest, world.pose(locked).position.y);
    }
    EXPECT_EQ(world.pose(locked).position.x, 0);
    if (bounces)
      EXPECT_NEAR(highest, start, 0.01);
    else
      EXPECT_NEAR(world.pose(locked).position.y, rest, 1e-3);
    EXPECT_GT(world.pose(free).position.x, 0.2);
  }
}

// Two balls of mass 1 meet along n = (1, 1, 0) / sqrt 2. The one that is hit may only move along y:
// J = (1 + e) u / (1 / m_a + n_y^2 / m_b).
TEST(BodyLimits, ImpactOnALockedBall) {
  World world({.gravity = {}, .substeps = 10});
  const double apart = 0.2 + 0.02, n = std::sqrt(0.5);
  const auto ball = [&](const Vec3& position, const Vec3& velocity, bool locked) {
    return world
        .add_body({.shape = Sphere{0.1},
                   .position = position,
                   .velocity = velocity,
                   .mass = 1,
                   .surface = k_elastic,
                   .lock_position = {locked, false, false}})
        .value();
  };
  const BodyId a = ball({}, {2 * n, 2 * n, 0}, false);
  const BodyId b = ball({apart * n, apart * n, 0}, {}, true);
  run(world, 24);
  const double j = 2 * 2 / (1 + 0.5);
  EXPECT_NEAR(world.velocity(b).y, j * n, 1e-3);
  EXPECT_EQ(world.velocity(b).x, 0);
  EXPECT_NEAR(world.velocity(a).x, (2 - j) * n, 1e-3);
  EXPECT_NEAR(world.velocity(a).y, (2 - j) * n, 1e-3);
}

// I alpha = torque + lambda e for each locked axis e, alpha . e = 0: solved here with the
// multipliers as unknowns.
TEST(BodyLimits, TorqueOnABodyThatMayNotTurnAboutSomeAxes) {
  const Vec3 moments{1, 2, 2.5};
  const Quat q = normalized(Quat{0.3, -0.2, 0.5, 0.8});
  const Vec3 torque{0.7, -1.1, 0.4};
  const Mat3 inertia = world_inertia(moments, q);
  for (int mask = 0; mask < 8; ++mask) {
    std::array<bool, 3> locks;
    for (int k = 0; k < 3; ++k) locks[std::size_t(k)] = (mask >> k & 1) != 0;
    World world({.gravity = {}, .substeps = 10});
    const BodyId body = world
                            .add_body({.shape = Box{{0.1, 0.1, 0.1}},
                                       .rotation = q,
                                       .mass = 1,
                                       .inertia = moments,
                                       .lock_rotation = locks})
                            .value();
    // Two opposite forces make a couple for each axis: r x f + (-r) x (-f) = 2 r x f.
    for (int k = 0; k < 3; ++k) {
      Vec3 arm, force;
      arm[(k + 1) % 3] = 0.5;
      force[(k + 2) % 3] = torque[k];
      world.apply_force(body, force, arm);
      world.apply_force(body, -force, -arm);
    }
    world.step(1e-3);
    // Rows of locked axes say alpha = 0, and their columns become the multiplier's.
    Mat3 a = inertia;
    for (int k = 0; k < 3; ++k)
      if (locks[std::size_t(k)])
        for (int i = 0; i < 3; ++i) a.row[i][k] = i == k ? -1 : 0;
    Vec3 alpha = solve(a, torque);
    for (int k = 0; k < 3; ++k)
      if (locks[std::size_t(k)]) alpha[k] = 0;
    const Vec3 spin = world.angular_velocity(body);
    EXPECT_LT(length(spin - alpha * 1e-3), 2e-6) << mask;
    for (int k = 0; k < 3; ++k)
      if (locks[std::size_t(k)]) {
        EXPECT_EQ(spin[k], 0) << mask;
      }
  }
}

TEST(BodyLimits, ATurningBodyWithOneLockedAxisKeepsItsEnergy) {
  World world({.gravity = {}, .substeps = 10, .sleep = false});
  const BodyId body = world
                          .add_body({.shape = Box{{0.1, 0.1, 0.1}},
                                     .rotation = normalized(Quat{0.3, -0.2, 0.5, 0.8}),
                                     .angular_velocity = {0, 3, 2},
                                     .mass = 1,
                                     .inertia = {1, 2, 2.5},
                                     .lock_rotation = {true, false, false}})
                          .value();
  run(world, 1);
  const double begin = world.measurements().kinetic_energy;
  double spread = 0;
  for (int n = 0; n < 1200; ++n) {
    world.step(k_step);
    ASSERT_EQ(world.angular_velocity(body).x, 0);
    ASSERT_NEAR(world.measurements().kinetic_energy, begin, 1e-3 * begin);
    spread = std::max(spread, std::abs(world.angular_velocity(body).y - 3));
  }
  EXPECT_GT(spread, 0.1);  // it does not just go on as it was
}

// A cart on rails carries a pendulum: along the rails nothing acts from outside.
TEST(BodyLimits, APendulumOnACartKeepsTheMomentumAlongItsRails) {
  World world({.substeps = 10});
  const BodyId cart = world
                          .add_body({.shape = Box{{0.1, 0.05, 0.05}},
                                     .mass = 2,
                                     .lock_position = {false, true, true},
                                     .lock_rotation = {true, true, true}})
                          .value();
  const BodyId bob =
      world.add_body({.shape = Sphere{0.05}, .position = {0.6, -0.8, 0}, .mass = 1}).value();
  ASSERT_TRUE(world
                  .add_joint({.kind = JointKind::ball,
                              .a = BodyPoint{cart, {}},
                              .b = BodyPoint{bob, {-0.6, 0.8, 0}}})
                  .ok());
  run(world, 1);
  const Measurements first = world.measurements();
  const double begin = first.kinetic_energy + first.potential_energy;
  double furthest = 0;
  for (int n = 0; n < 720; ++n) {
    world.step(k_step);
    const Measurements& m = world.measurements();
    ASSERT_EQ(world.pose(cart).position.y, 0);
    ASSERT_NEAR(length(world.pose(bob).position - world.pose(cart).position), 1, 1e-3);
    ASSERT_NEAR(m.momentum.x, 0, 1e-4);
    ASSERT_NEAR(m.kinetic_energy + m.potential_energy, begin, 0.01);
    furthest = std::max(furthest, std::abs(world.pose(cart).position.x));
  }
  EXPECT_NEAR(furthest, 1.2 * 1 / 3, 0.02);  // the centre of mass stays: 1/3 of the bob's way
}

namespace {

// Bodies go as fast as they are pushed, and stop when they are not.
struct Aristotle final : MotionLaw {
  LawResult advance(const LawSample& s) const override {
    return {s.force * (1 / (10 * s.mass)), {0, 1, 0}};
  }
};

}  // namespace

TEST(BodyLimits, LawsOfTheUserMoveBodiesThatStillCollide) {
  World world({.gravity = {0, -10, 0}, .substeps = 10});
  ASSERT_TRUE(world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).ok());
  const BodyId body = world
                          .add_body({.shape = Box{{0.1, 0.1, 0.2}},
                                     .position = {0, 2, 0},
                                     .surface = k_smooth,
                                     .law = std::make_shared<Aristotle>()})
                          .value();
  run(world, 240);  // at 1 m/s
  EXPECT_NEAR(world.pose(body).position.y, 1, 1e-3);
  EXPECT_NEAR(world.angular_velocity(body).y, 1, k_exact);
  run(world, 480);
  EXPECT_NEAR(world.pose(body).position.y, 0.1, 2e-3);
  EXPECT_FALSE(
      world.add_body({.motion = Motion::fixed, .law = std::make_shared<Aristotle>()}).ok());
}
