// Friction of joints against closed forms.
#include "verification/joint_rig.h"

namespace pliant {
namespace {

struct Rig {
  World world;
  BodyId body{};
  JointId joint{};
  double angle() const { return world.joint_status(joint).angle.x; }
  double offset() const { return world.joint_status(joint).offset.x; }
};

// A disc of 0.5 kg m2 about the x axis.
Rig disc(double spin, const JointFreedom& freedom) {
  Rig r{World(joint_world({})), {}, {}};
  BodyDef def = lump(1, {}, {0.5, 0.3, 0.3});
  def.angular_velocity = {spin, 0, 0};
  r.body = r.world.add_body(def).value();
  r.joint = r.world
                .add_joint({.kind = JointKind::hinge,
                            .a = WorldPoint{},
                            .b = BodyPoint{r.body, {}},
                            .freedom = freedom})
                .value();
  return r;
}

// 2 kg along the x axis.
Rig carriage(double speed, const JointFreedom& freedom) {
  Rig r{World(joint_world({})), {}, {}};
  BodyDef def = lump(2, {}, {0.1, 0.1, 0.1});
  def.velocity = {speed, 0, 0};
  r.body = r.world.add_body(def).value();
  r.joint = r.world
                .add_joint({.kind = JointKind::slider,
                            .a = WorldPoint{},
                            .b = BodyPoint{r.body, {}},
                            .freedom = freedom})
                .value();
  return r;
}

// T / I = 4 rad/s2: from 10 rad/s at rest after 2.5 s, and 12.5 rad further.
TEST(JointFriction, a_hinge_spins_down_at_t_over_i_and_stops) {
  for (const double way : {1.0, -1.0}) {
    Rig r = disc(10 * way, {.friction = 2});
    run(r.world, 1);
    EXPECT_NEAR(r.world.angular_velocity(r.body).x, 6 * way, 1e-3);
    run(r.world, 1.6);
    const double stopped = r.angle();
    EXPECT_NEAR(r.world.angular_velocity(r.body).x, 0, 1e-6);
    EXPECT_NEAR(stopped, std::remainder(12.5 * way, 2 * k_pi), 5e-3);
    run(r.world, 1);
    EXPECT_NEAR(r.angle(), stopped, 1e-6);
  }
}

TEST(JointFriction, negative_control_without_it_nothing_stops) {
  Rig r = disc(10, {});
  run(r.world, 1);
  EXPECT_NEAR(r.world.angular_velocity(r.body).x, 10, 1e-3);
}

TEST(JointFriction, a_slider_stops_after_v2_m_over_2f) {
  Rig r = carriage(3, {.friction = 4.5});
  run(r.world, 2);
  EXPECT_NEAR(r.offset(), 9 * 2 / (2 * 4.5), 2e-3);
  EXPECT_NEAR(length(r.world.velocity(r.body)), 0, 1e-6);
}

// A rod held level by its end: 1 kg at half a metre, 4.905 N m.
TEST(JointFriction, it_holds_a_load_below_its_limit_and_not_above) {
  for (const double friction : {5.0, 4.8}) {
    Rig r{World(joint_world({0, -k_g, 0})), {}, {}};
    r.body = r.world.add_body(lump(1, {0, 0, 0.5}, {0.02, 0.02, 0.02})).value();
    r.joint = r.world
                  .add_joint({.kind = JointKind::hinge,
                              .a = WorldPoint{},
                              .b = BodyPoint{r.body, {0, 0, -0.5}},
                              .freedom = {.friction = friction}})
                  .value();
    run(r.world, 2);
    if (friction > 4.905) {
      EXPECT_LT(std::abs(r.angle()), 1e-4);
      EXPECT_NEAR(std::abs(r.world.joint_torque(r.joint).x), 4.905, 0.01);
    } else {
      EXPECT_GT(std::abs(r.angle()), 0.05);
    }
  }
}

// A spring of 100 N/m with friction of 5 N: every half swing ends 2 F / k = 0.1 m nearer, until the
// spring cannot move it any more (|x| <= F / k = 0.05).
TEST(JointFriction, a_spring_comes_to_rest_by_steps_of_2f_over_k) {
  Rig r = carriage(0, {.stiffness = 100, .friction = 5});
  r.world.set_pose(r.body, {{0.52, 0, 0}, {}});
  const double half = k_pi * std::sqrt(2.0 / 100);  // s
  for (int n = 1; n <= 5; ++n) {
    run(r.world, std::lround(n * half / k_step) * k_step - r.world.time());
    const double expected = (n % 2 == 0 ? 1 : -1) * (0.52 - 0.1 * n);
    EXPECT_NEAR(r.offset(), expected, 3e-3) << n;
  }
  run(r.world, 2);
  EXPECT_NEAR(r.offset(), -0.02, 4e-3);
  EXPECT_NEAR(length(r.world.velocity(r.body)), 0, 1e-6);
}

// --- with a motor
// ------------------------------------------------------------------------------------------
// 3 N m against 1 N m: 4 rad/s2 up to 5 rad/s, which then takes the motor 1 N m.
TEST(JointFriction, a_motor_drives_against_it) {
  for (const double way : {1.0, -1.0}) {
    Rig r = disc(0, {.motor = MotorKind::speed, .target = 5 * way, .max_force = 3, .friction = 1});
    run(r.world, 1);
    EXPECT_NEAR(r.world.angular_velocity(r.body).x, 4 * way, 2e-3);
    EXPECT_NEAR(r.world.joint_status(r.joint).motor_angle.x, 3 * way, 1e-6);
    run(r.world, 1);
    EXPECT_NEAR(r.world.angular_velocity(r.body).x, 5 * way, 1e-4);
    EXPECT_NEAR(r.world.joint_status(r.joint).motor_angle.x, way, 1e-3);
  }
}

TEST(JointFriction, a_motor_that_is_weaker_moves_nothing) {
  Rig r = disc(0, {.motor = MotorKind::speed, .target = 5, .max_force = 0.9, .friction = 1});
  run(r.world, 1);
  EXPECT_LT(std::abs(r.angle()), 1e-6);
  EXPECT_NEAR(r.world.joint_status(r.joint).motor_angle.x, 0.9, 1e-6);
}

// Faster than the motor wants: both brake it, by 4 / 0.5 = 8 rad/s2, down to its speed.
TEST(JointFriction, motor_and_friction_brake_together) {
  Rig r = disc(13, {.motor = MotorKind::speed, .target = 5, .max_force = 3, .friction = 1});
  run(r.world, 0.5);
  EXPECT_NEAR(r.world.angular_velocity(r.body).x, 9, 4e-3);
  run(r.world, 1);
  EXPECT_NEAR(r.world.angular_velocity(r.body).x, 5, 1e-4);
}

TEST(JointFriction, a_motor_goes_to_its_position_against_it) {
  Rig r = disc(0, {.motor = MotorKind::position, .target = 1, .max_force = 3, .friction = 1});
  run(r.world, 3);
  EXPECT_NEAR(r.angle(), 1, 1e-3);
  EXPECT_NEAR(r.world.angular_velocity(r.body).x, 0, 1e-4);
}

// --- with limits
// -------------------------------------------------------------------------------------------
TEST(JointFriction, a_slider_stays_where_its_limit_stopped_it) {
  Rig r = carriage(3, {.motion = JointMotion::limited, .min = -1, .max = 0.5, .friction = 4.5});
  run(r.world, 1);
  EXPECT_NEAR(r.offset(), 0.5, 2e-3);
  EXPECT_NEAR(length(r.world.velocity(r.body)), 0, 1e-4);
}

// Joints with friction keep what is not theirs: two bodies on each other's hinge, free in space.
TEST(JointFriction, it_keeps_both_momenta) {
  World world(joint_world({}));
  BodyDef one = lump(1, {}, {0.5, 0.3, 0.3}), two = lump(2, {0.3, 0, 0}, {0.2, 0.4, 0.4});
  one.angular_velocity = {8, 0.5, 0};
  two.angular_velocity = {-1, 0.5, 0};
  two.velocity = {0, 0, -0.15};
  const BodyId a = world.add_body(one).value(), b = world.add_body(two).value();
  world
      .add_joint({.kind = JointKind::hinge,
                  .a = BodyPoint{a, {0.1, 0, 0}},
                  .b = BodyPoint{b, {-0.2, 0, 0}},
                  .freedom = {.friction = 1}})
      .value();
  world.step(k_step);
  const Vec3 p = world.measurements().momentum, l = world.measurements().angular_momentum;
  run(world, 2);
  EXPECT_LT(length(world.measurements().momentum - p), 1e-4);
  EXPECT_LT(length(world.measurements().angular_momentum - l), 1e-3);
  // They have come to turn together: 3.8 / 0.7 of the sum of both.
  EXPECT_NEAR(dot(world.angular_velocity(a) - world.angular_velocity(b), Vec3{1, 0, 0}), 0, 2e-2);
}

}  // namespace
}  // namespace pliant
