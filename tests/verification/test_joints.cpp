// What joints hold, let go and limit: forces, axes, limits, motors, breaking, every kind.
#include <algorithm>
#include <vector>

#include "joint_rig.h"

namespace pliant {
namespace {

const Vec3 k_moments{0.1, 0.12, 0.15};  // kg m2

// --- what they carry
// ---------------------------------------------------------------------------------
TEST(Joints, at_rest_a_joint_carries_the_weight_below_it) {
  for (const JointKind kind : {JointKind::fixed, JointKind::ball, JointKind::hinge,
                               JointKind::distance, JointKind::cone_twist}) {
    SCOPED_TRACE(int(kind));
    World world(joint_world({0, -k_g, 0}));
    const BodyId body = world.add_body(lump(2, {0, -1, 0}, k_moments)).value();
    const JointId joint = world
                              .add_joint({
                                  .kind = kind,
                                  .a = WorldPoint{},
                                  .b = BodyPoint{body, {0, 0.5, 0}},
                              })
                              .value();
    run(world, 0.5);
    // A joint that must first close its gap of half a metre moves; only a distance does not.
    if (kind != JointKind::distance) run(world, 3);
    const Vec3 force = world.joint_force(joint);
    EXPECT_NEAR(force.y, -2 * k_g, 2e-3);
    EXPECT_NEAR(length(force), 2 * k_g, 2e-3);
  }
}

// A beam that sticks out of a wall: force m g, torque m g l.
TEST(Joints, a_fixed_joint_carries_force_and_torque) {
  World world(joint_world({0, -k_g, 0}));
  const BodyId body = world.add_body(lump(3, {0.5, 0, 0}, k_moments)).value();
  const JointId joint =
      world
          .add_joint(
              {.kind = JointKind::fixed, .a = WorldPoint{}, .b = BodyPoint{body, {-0.5, 0, 0}}})
          .value();
  run(world, 0.5);
  EXPECT_NEAR(world.joint_force(joint).y, -3 * k_g, 1e-3);
  EXPECT_NEAR(world.joint_torque(joint).z, -3 * k_g * 0.5, 1e-3);
  EXPECT_LT(length(world.joint_status(joint).offset), 2e-5);
  EXPECT_LT(length(world.joint_status(joint).angle), 2e-5);
}

// A chain of fixed joints is one beam: the wall carries it all, the tip does not drop.
TEST(Joints, a_chain_of_fixed_joints_is_a_beam) {
  World world(joint_world({0, -k_g, 0}));
  AnchorPoint hold = WorldPoint{};
  std::vector<JointId> joints;
  BodyId tip;
  for (int n = 0; n < 10; ++n) {
    tip = world.add_body(lump(1, {0.2 * n + 0.1, 0, 0}, {0.01, 0.01, 0.01})).value();
    joints.push_back(
        world.add_joint({.kind = JointKind::fixed, .a = hold, .b = BodyPoint{tip, {-0.1, 0, 0}}})
            .value());
    hold = BodyPoint{tip, {0.1, 0, 0}};
  }
  run(world, 1);
  EXPECT_NEAR(world.joint_force(joints[0]).y, -10 * k_g, 0.05);
  EXPECT_NEAR(world.joint_torque(joints[0]).z, -10 * k_g * 1.0, 0.1);
  EXPECT_NEAR(world.joint_torque(joints[5]).z, -5 * k_g * 0.5, 0.05);
  EXPECT_NEAR(world.pose(tip).position.y, 0, 1e-3);  // ten slops of 1e-5 rad over two metres
}

// Compliance is in m/N and rad/(N m): a load moves the lock by what they say.
TEST(Joints, compliance_yields_in_si_units) {
  World world(joint_world({0, -k_g, 0}));
  BodyDef body = lump(2, {0.5, 0, 0}, k_moments);
  body.linear_drag = body.angular_drag = 20;
  const BodyId id = world.add_body(body).value();
  const double offset = 1e-4, angle = 1e-3;  // per N, per N m
  const JointId joint = world
                            .add_joint({.kind = JointKind::fixed,
                                        .a = WorldPoint{},
                                        .b = BodyPoint{id, {-0.5, 0, 0}},
                                        .compliance = offset,
                                        .angular_compliance = angle})
                            .value();
  run(world, 4);
  const JointStatus status = world.joint_status(joint);
  EXPECT_NEAR(status.offset.y, -2 * k_g * offset, 2e-5);
  EXPECT_NEAR(status.angle.z, -2 * k_g * 0.5 * angle, 2e-5);
}

// --- hinge
// -------------------------------------------------------------------------------------------
TEST(Joints, a_hinge_keeps_its_axis_and_its_point) {
  World world(joint_world({0, -k_g, 0}));
  BodyDef door = lump(5, {0.4, 0, 0.1}, {0.3, 0.2, 0.1});
  door.angular_velocity = {3, 2, -1};  // most of which the hinge takes away
  const BodyId body = world.add_body(door).value();
  const JointId joint = world
                            .add_joint({.kind = JointKind::hinge,
                                        .a = WorldPoint{},
                                        .b = BodyPoint{body, {-0.4, 0, 0}},
                                        .frame_a = joint_frame({0, 1, 0})})
                            .value();
  for (int n = 0; n < 480; ++n) {
    world.step(k_step);
    const JointStatus s = world.joint_status(joint);
    ASSERT_LT(length(Vec3{0, s.angle.y, s.angle.z}), 5e-5);
    ASSERT_LT(length(s.offset), n < 240 ? 0.2 : 5e-5);  // the gap of 0.1 m closes first
  }
  EXPECT_GT(length(world.angular_velocity(body)), 0.1);
  EXPECT_NEAR(world.angular_velocity(body).x, 0, 1e-3);
}

TEST(Joints, limits_of_a_hinge_hold) {
  World world(joint_world({0, -k_g, 0}));
  const BodyId body = world.add_body(lump(2, {1, 0, 0}, k_moments)).value();
  JointDef def{.kind = JointKind::hinge,
               .a = WorldPoint{},
               .b = BodyPoint{body, {-1, 0, 0}},
               .frame_a = joint_frame({0, 0, 1})};
  def.freedom = {.motion = JointMotion::limited, .min = -0.6, .max = 0.5};
  const JointId joint = world.add_joint(def).value();
  double least = 0;
  for (int n = 0; n < 720; ++n) {
    world.step(k_step);
    least = std::min(least, world.joint_status(joint).angle.x);
  }
  EXPECT_GT(least, -0.6 - 1e-4);
  EXPECT_NEAR(world.joint_status(joint).angle.x, -0.6, 1e-4);
  EXPECT_LT(length(world.velocity(body)), 1e-3);
  // At the limit it carries the torque of the weight about the hinge.
  EXPECT_NEAR(world.joint_torque(joint).z, -2 * k_g * std::cos(0.6), 0.05);
}

// Negative control: without the limit it swings through.
TEST(Joints, negative_control_without_limits_it_swings_through) {
  World world(joint_world({0, -k_g, 0}));
  const BodyId body = world.add_body(lump(2, {1, 0, 0}, k_moments)).value();
  const JointId joint = world
                            .add_joint({.kind = JointKind::hinge,
                                        .a = WorldPoint{},
                                        .b = BodyPoint{body, {-1, 0, 0}},
                                        .frame_a = joint_frame({0, 0, 1})})
                            .value();
  double least = 0;
  for (int n = 0; n < 240; ++n) {
    world.step(k_step);
    least = std::min(least, world.joint_status(joint).angle.x);
  }
  EXPECT_LT(least, -1.5);
}

// --- motors
// ------------------------------------------------------------------------------------------
JointDef motor_on(BodyId body, MotorKind kind, double target, double torque) {
  JointDef def{.kind = JointKind::hinge, .a = WorldPoint{}, .b = BodyPoint{body, {}}};
  def.freedom.motor = kind;
  def.freedom.target = target;
  def.freedom.max_force = torque;
  def.freedom.max_speed = 5;
  return def;
}

// I dw/dt = T until the speed is reached: 0.1 kg m2 * 4 rad/s / 0.5 N m = 0.8 s.
TEST(Joints, a_motor_reaches_its_speed_with_its_greatest_torque) {
  World world(joint_world({}));
  const BodyId body = world.add_body(lump(1, {}, k_moments)).value();
  const JointId joint = world.add_joint(motor_on(body, MotorKind::speed, 4, 0.5)).value();
  run(world, 0.4);
  EXPECT_NEAR(world.angular_velocity(body).x, 0.5 * 0.4 / 0.1, 1e-3);
  EXPECT_NEAR(world.joint_status(joint).motor_angle.x, 0.5, 1e-6);
  run(world, 0.6);
  EXPECT_NEAR(world.angular_velocity(body).x, 4, 1e-5);
  EXPECT_NEAR(world.joint_status(joint).motor_angle.x, 0, 1e-4);
  world.set_motor_target(joint, 3, -1);
  run(world, 1.5);
  EXPECT_NEAR(world.angular_velocity(body).x, -1, 1e-5);
}

TEST(Joints, a_motor_goes_to_a_position_and_stays_there_under_load) {
  World world(joint_world({0, -k_g, 0}));
  const BodyId arm = world.add_body(lump(1, {0, -0.5, 0}, {0.02, 0.02, 0.02})).value();
  JointDef def{.kind = JointKind::hinge,
               .a = WorldPoint{},
               .b = BodyPoint{arm, {0, 0.5, 0}},
               .frame_a = joint_frame({0, 0, 1})};
  def.freedom = {.motor = MotorKind::position, .target = 1.2, .max_speed = 3, .max_force = 8};
  const JointId joint = world.add_joint(def).value();
  double greatest = 0;
  for (int n = 0; n < 480; ++n) {
    world.step(k_step);
    greatest = std::max(greatest, world.joint_status(joint).angle.x);
    ASSERT_LE(std::abs(world.joint_status(joint).motor_angle.x), 8 * (1 + 1e-9));
  }
  EXPECT_NEAR(world.joint_status(joint).angle.x, 1.2, 1e-3);
  EXPECT_LT(greatest, 1.21);
  EXPECT_NEAR(world.joint_status(joint).motor_angle.x, k_g * 0.5 * std::sin(1.2), 0.01);
}

// Too weak for the load: it hangs where torque and weight agree at most.
TEST(Joints, a_weak_motor_does_not_lift_the_load) {
  World world(joint_world({0, -k_g, 0}));
  BodyDef load = lump(1, {0, -0.5, 0}, {0.02, 0.02, 0.02});
  load.linear_drag = 3;
  const BodyId arm = world.add_body(load).value();
  JointDef def{.kind = JointKind::hinge,
               .a = WorldPoint{},
               .b = BodyPoint{arm, {0, 0.5, 0}},
               .frame_a = joint_frame({0, 0, 1})};
  def.freedom = {.motor = MotorKind::speed, .target = 2, .max_force = 2};
  const JointId joint = world.add_joint(def).value();
  run(world, 15);
  EXPECT_NEAR(std::sin(world.joint_status(joint).angle.x), 2 / (k_g * 0.5), 5e-3);
}

TEST(Joints, a_motor_presses_against_a_limit_with_its_torque) {
  World world(joint_world({}));
  const BodyId body = world.add_body(lump(1, {}, k_moments)).value();
  JointDef def = motor_on(body, MotorKind::speed, 4, 0.5);
  def.freedom.motion = JointMotion::limited;
  def.freedom.min = -1;
  def.freedom.max = 0.7;
  const JointId joint = world.add_joint(def).value();
  run(world, 2);
  EXPECT_NEAR(world.joint_status(joint).angle.x, 0.7, 1e-4);
  EXPECT_NEAR(world.joint_status(joint).motor_angle.x, 0.5, 1e-3);
  world.set_motor_target(joint, 3, -2);
  run(world, 0.2);
  EXPECT_NEAR(world.angular_velocity(body).x, -0.5 * 0.2 / 0.1, 0.02);  // leaves it freely
}

// --- breaking
// ----------------------------------------------------------------------------------------
bool breaks_under(double break_force) {
  World world(joint_world({0, -k_g, 0}));
  const BodyId body = world.add_body(lump(2, {0, -1, 0}, k_moments)).value();
  const JointId joint =
      world
          .add_joint(
              {.a = WorldPoint{}, .b = BodyPoint{body, {0, 1, 0}}, .break_force = break_force})
          .value();
  int events = 0;
  for (int n = 0; n < 240; ++n) {
    world.step(k_step);
    for (const Event& e : world.events())
      if (e.kind == EventKind::joint_broken) {
        ++events;
        EXPECT_EQ(e.joint, joint);
        EXPECT_EQ(e.b, AnyId(body));
      }
  }
  const bool broken = world.joint_status(joint).broken;
  EXPECT_EQ(events, broken ? 1 : 0);
  EXPECT_EQ(world.pose(body).position.y < -2, broken);  // falls, or hangs
  return broken;
}

TEST(Joints, a_joint_breaks_at_the_stated_force_and_not_below) {
  EXPECT_TRUE(breaks_under(0.98 * 2 * k_g));
  EXPECT_FALSE(breaks_under(1.02 * 2 * k_g));
}

TEST(Joints, a_joint_breaks_at_the_stated_torque_and_not_below) {
  for (const double part : {0.98, 1.02}) {
    World world(joint_world({0, -k_g, 0}));
    const BodyId body = world.add_body(lump(2, {0.5, 0, 0}, k_moments)).value();
    const JointId joint = world
                              .add_joint({.kind = JointKind::fixed,
                                          .a = WorldPoint{},
                                          .b = BodyPoint{body, {-0.5, 0, 0}},
                                          .break_torque = part * 2 * k_g * 0.5})
                              .value();
    run(world, 0.5);
    EXPECT_EQ(world.joint_status(joint).broken, part < 1);
  }
}

// --- distance, cone, six
// -----------------------------------------------------------------------------
TEST(Joints, a_distance_within_limits_is_a_rope) {
  World world(joint_world({0, -k_g, 0}));
  const BodyId body = world.add_body(lump(1, {0.3, 0, 0}, k_moments)).value();
  JointDef def{.kind = JointKind::distance, .a = WorldPoint{}, .b = BodyPoint{body, {}}};
  def.freedom = {.motion = JointMotion::limited, .min = 0, .max = 0.8};
  const JointId joint = world.add_joint(def).value();
  run(world, 0.2);
  EXPECT_EQ(world.joint_force(joint), Vec3{});  // slack: falls freely
  EXPECT_NEAR(world.velocity(body).y, -k_g * 0.2, 5e-5);
  double longest = 0;
  for (int n = 0; n < 480; ++n) {
    world.step(k_step);
    longest = std::max(longest, world.joint_status(joint).offset.x);
  }
  EXPECT_GT(longest, 0.8 - 1e-3);
  EXPECT_LT(longest, 0.8 + 1e-4);
}

TEST(Joints, a_cone_holds_the_swing_and_its_twist_limits_hold) {
  World world(joint_world({}));
  BodyDef def = lump(1, {1, 0, 0}, {0.02, 0.1, 0.1});
  def.angular_velocity = {6, 4, 7};
  def.velocity = cross(def.angular_velocity, Vec3{1, 0, 0});
  const BodyId body = world.add_body(def).value();
  JointDef joint{
      .kind = JointKind::cone_twist, .a = WorldPoint{}, .b = BodyPoint{body, {-1, 0, 0}}};
  joint.freedom = {.motion = JointMotion::limited, .min = -0.4, .max = 0.3};
  joint.swing = {.motion = JointMotion::limited, .max = 0.5};
  const JointId id = world.add_joint(joint).value();
  double swing = 0, twist = 0, least = 0;
  for (int n = 0; n < 960; ++n) {
    world.step(k_step);
    const Vec3 angle = world.joint_status(id).angle;
    swing = std::max(swing, std::hypot(angle.y, angle.z));
    twist = std::max(twist, angle.x);
    least = std::min(least, angle.x);
  }
  EXPECT_NEAR(swing, 0.5, 2e-3);  // it gets there and no further
  EXPECT_NEAR(twist, 0.3, 2e-3);
  EXPECT_GT(least, -0.4 - 2e-3);
}

// Every coordinate by itself: pushed, a free one moves, a limited one stops, a locked one stays.
TEST(Joints, six_dof_frees_limits_and_locks_each_coordinate) {
  for (int axis = 0; axis < 6; ++axis)
    for (const JointMotion motion :
         {JointMotion::free, JointMotion::limited, JointMotion::locked}) {
      SCOPED_TRACE(axis * 10 + int(motion));
      World world(joint_world({}));
      BodyDef def = lump(1, {}, {0.1, 0.1, 0.1});
      Vec3 push;
      push[axis % 3] = 1;
      (axis < 3 ? def.velocity : def.angular_velocity) = push;
      const BodyId body = world.add_body(def).value();
      JointDef joint{.kind = JointKind::six_dof, .a = WorldPoint{}, .b = BodyPoint{body, {}}};
      JointFreedom& f =
          axis < 3 ? joint.linear[std::size_t(axis)] : joint.angular[std::size_t(axis - 3)];
      f.motion = motion;
      if (motion == JointMotion::limited) f.min = -0.2, f.max = 0.3;
      const JointId id = world.add_joint(joint).value();
      run(world, 0.5);
      const JointStatus s = world.joint_status(id);
      const double expected = motion == JointMotion::free      ? 0.5
                              : motion == JointMotion::limited ? 0.3
                                                               : 0;
      for (int k = 0; k < 6; ++k)
        EXPECT_NEAR(k < 3 ? s.offset[k] : s.angle[k - 3], k == axis ? expected : 0, 1e-4) << k;
    }
}

// --- cloth and solids
// --------------------------------------------------------------------------------
TEST(Joints, a_ball_joint_hangs_a_body_on_a_cloth) {
  World world(joint_world({0, -k_g, 0}));
  ClothDef cloth;
  cloth.mesh = make_grid(8, 8, 1, 1);
  cloth.position = {0, 2, 0};
  cloth.pins = {{{0, 8, 72, 80}, {}, {}}};
  const ClothId sheet = world.add_cloth(cloth).value();
  BodyDef weight = lump(0.5, {0, 1.7, 0}, {0.001, 0.001, 0.001});
  weight.linear_drag = 3;
  const BodyId body = world.add_body(weight).value();
  const JointId joint =
      world.add_joint({.a = ClothVertex{sheet, 40}, .b = BodyPoint{body, {0, 0.3, 0}}}).value();
  run(world, 4);
  EXPECT_LT(length(world.joint_status(joint).offset), 1e-4);
  EXPECT_NEAR(world.joint_force(joint).y, -0.5 * k_g, 0.05 * 0.5 * k_g);
  EXPECT_LT(world.pose(body).position.y, 1.7);
}

TEST(Joints, a_distance_keeps_a_body_away_from_a_solid_and_momentum_stays) {
  World world(joint_world({}));
  SolidDef solid;
  solid.tets = make_lattice(2, 2, 2, 0.1);
  solid.youngs_modulus = 1e5;
  solid.linear_drag = 0;
  const SolidId jelly = world.add_solid(solid).value();
  BodyDef ball = lump(1, {1, 0, 0}, {0.01, 0.01, 0.01});
  ball.velocity = {1, 2, 0};
  const BodyId body = world.add_body(ball).value();
  const JointId joint = world
                            .add_joint({.kind = JointKind::distance,
                                        .a = SolidVertex{jelly, 13},
                                        .b = BodyPoint{body, {0, 0.05, 0}}})
                            .value();
  const double length = world.describe(joint).length;
  run(world, 1);
  EXPECT_NEAR(world.joint_status(joint).offset.x, length, 1e-3);
  EXPECT_NEAR(world.measurements().momentum.x, 1, 1e-4);
  EXPECT_NEAR(world.measurements().momentum.y, 2, 1e-4);
}

}  // namespace
}  // namespace pliant
