// Joints as a user sees them: adding, errors, ids, who collides, sleep, snapshots, the same bits.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <string>
#include <vector>

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60;

void run(World& world, double seconds) {
  for (int n = 0; n < int(std::lround(seconds / k_dt)); ++n) world.step(k_dt);
}

BodyId add_box(World& world, const Vec3& at, Motion motion = Motion::dynamic) {
  return world.add_body({.motion = motion, .shape = Box{{0.2, 0.2, 0.2}}, .position = at}).value();
}

// Several arms of capsules with hinges, cones, a motor and a spring, over a floor.
struct Arms {
  World world;
  std::vector<BodyId> bodies;
  std::vector<JointId> joints;

  explicit Arms(int threads, double break_force = 0)
      : world(WorldDef{},
              threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr) {
    world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
    for (int arm = 0; arm < 9; ++arm) add_arm(arm, break_force);
  }
  void add_arm(int arm, double break_force) {
    AnchorPoint hold = WorldPoint{{1.5 * arm, 1.2, 0}};
    for (int n = 0; n < 4; ++n) {
      const BodyId id = world
                            .add_body({.shape = Capsule{0.05, 0.15},
                                       .position = {1.5 * arm, 1.0 - 0.4 * n, 0},
                                       .angular_velocity = {0.5 * arm, 0, 3.0 - n},
                                       .mass = 1 + 0.5 * n})
                            .value();
      JointDef def{.kind = n % 2 == 0 ? JointKind::cone_twist : JointKind::hinge,
                   .a = hold,
                   .b = BodyPoint{id, {0, 0.2, 0}},
                   .frame_a = joint_frame(n % 2 == 0 ? Vec3{0, -1, 0} : Vec3{0, 0, 1}),
                   .break_force = n == 2 ? break_force : 0};
      def.freedom = {.motion = JointMotion::limited, .min = -1, .max = 1, .damping = 0.1};
      if (n % 2 == 0) def.swing = {.motion = JointMotion::limited, .max = 1.2, .stiffness = 1};
      if (n == 1) def.freedom = {.motor = MotorKind::speed, .target = 1.0 * arm, .max_force = 3};
      joints.push_back(world.add_joint(def).value());
      bodies.push_back(id);
      hold = BodyPoint{id, {0, -0.2, 0}};
    }
  }
};

// --- errors
// ------------------------------------------------------------------------------------------
struct BadJoint {
  const char* place;
  JointDef def;
};

TEST(Joints, definitions_that_mean_nothing_are_refused_with_the_field) {
  World world;
  const BodyId a = add_box(world, {}), b = add_box(world, {1, 0, 0});
  ClothDef cloth;
  cloth.mesh = make_grid(2, 2, 1, 1);
  const ClothId sheet = world.add_cloth(cloth).value();
  const AnchorPoint at_a = BodyPoint{a, {}}, at_b = BodyPoint{b, {}};
  const AnchorPoint vertex = ClothVertex{sheet, 0};
  using K = JointKind;
  const JointFreedom upside{.motion = JointMotion::limited, .min = 1, .max = -1};
  const JointFreedom far{.motion = JointMotion::limited, .min = -4, .max = 1};
  const JointFreedom idle{.motor = MotorKind::speed, .target = 1};
  const JointFreedom both{.motion = JointMotion::locked, .stiffness = 1};
  const JointFreedom rubbing{.motion = JointMotion::locked, .friction = 1};
  const JointFreedom unlimited{.max = 1};
  const JointFreedom negative{.stiffness = -1};
  const BadJoint bad[] = {
      {"b", {.a = WorldPoint{}, .b = WorldPoint{}}},
      {"b", {.a = at_a, .b = at_a}},
      {"a.body", {.a = BodyPoint{{77, 1}, {}}, .b = at_b}},
      {"b.vertex", {.a = at_a, .b = ClothVertex{sheet, 9}}},
      {"b", {.kind = K::hinge, .a = at_a, .b = vertex}},
      {"b", {.kind = K::six_dof, .a = at_a, .b = vertex}},
      {"a", {.kind = K::fixed, .a = vertex, .b = at_b}},
      {"b.triangle", {.kind = K::hinge, .a = at_a, .b = ClothTrianglePoint{sheet, 8}}},
      {"freedom.min", {.kind = K::hinge, .a = at_a, .b = at_b, .freedom = upside}},
      {"freedom.min", {.kind = K::hinge, .a = at_a, .b = at_b, .freedom = far}},
      {"freedom.max_force", {.kind = K::slider, .a = at_a, .b = at_b, .freedom = idle}},
      {"freedom", {.kind = K::slider, .a = at_a, .b = at_b, .freedom = both}},
      {"freedom", {.kind = K::slider, .a = at_a, .b = at_b, .freedom = rubbing}},
      {"freedom.friction", {.kind = K::slider, .a = at_a, .b = at_b, .freedom = {.friction = -1}}},
      {"freedom.motion", {.kind = K::hinge, .a = at_a, .b = at_b, .freedom = unlimited}},
      {"freedom.stiffness", {.kind = K::hinge, .a = at_a, .b = at_b, .freedom = negative}},
      {"freedom", {.kind = K::ball, .a = at_a, .b = at_b, .freedom = {.damping = 1}}},
      {"swing", {.kind = K::hinge, .a = at_a, .b = at_b, .swing = {.damping = 1}}},
      {"length", {.kind = K::ball, .a = at_a, .b = at_b, .length = 1}},
      {"compliance", {.a = at_a, .b = at_b, .compliance = -1}},
      {"frame_a", {.a = at_a, .b = at_b, .frame_a = {0, 0, 0, 0}}},
      {"frame_b", {.a = at_a, .b = at_b, .frame_b = Quat{0, 0, 0, 0}}},
      {"break_force", {.a = at_a, .b = at_b, .break_force = std::nan("")}},
  };
  for (const BadJoint& joint : bad) {
    const auto added = world.add_joint(joint.def);
    ASSERT_FALSE(added.ok()) << joint.place;
    EXPECT_EQ(added.error().place, joint.place) << added.error().message;
  }
  EXPECT_TRUE(world.joints().empty());
  EXPECT_TRUE(world.add_joint({.a = at_a, .b = at_b}).ok());
  // Triangles have axes, and so every kind.
  for (const K kind :
       {K::fixed, K::ball, K::hinge, K::slider, K::distance, K::cone_twist, K::six_dof})
    for (const bool soft_a : {false, true}) {
      const AnchorPoint triangle = ClothTrianglePoint{sheet, 1};
      EXPECT_TRUE(
          world
              .add_joint(
                  {.kind = kind, .a = soft_a ? triangle : at_a, .b = soft_a ? at_a : triangle})
              .ok());
    }
}

// --- ids
// ---------------------------------------------------------------------------------------------
TEST(Joints, go_with_their_bodies_and_their_ids_end) {
  World world;
  const BodyId a = add_box(world, {}), b = add_box(world, {1, 0, 0}), c = add_box(world, {2, 0, 0});
  const JointId first = world.add_joint({.a = BodyPoint{a, {}}, .b = BodyPoint{b, {}}}).value();
  const JointId second = world.add_joint({.a = BodyPoint{b, {}}, .b = BodyPoint{c, {}}}).value();
  const JointId third = world.add_joint({.a = WorldPoint{}, .b = BodyPoint{c, {}}}).value();
  EXPECT_EQ(world.joints().size(), 3u);
  world.remove(first);
  EXPECT_FALSE(world.valid(first));
  world.remove(b);
  EXPECT_FALSE(world.valid(second));
  ASSERT_TRUE(world.valid(third));
  run(world, 0.1);
  EXPECT_EQ(std::get<BodyPoint>(world.describe(third).b).body, c);
}

TEST(Joints, a_description_makes_the_same_joint_again) {
  World world;
  const BodyId a = add_box(world, {}), b = add_box(world, {1, 0, 0});
  const JointId id = world
                         .add_joint({.kind = JointKind::hinge,
                                     .a = BodyPoint{a, {0.5, 0, 0}},
                                     .b = BodyPoint{b, {-0.5, 0, 0}},
                                     .frame_a = joint_frame({0, 1, 0})})
                         .value();
  world.set_velocity(b, {0, 0, -1}, {0, 2, 0});
  run(world, 0.5);
  const double angle = world.joint_status(id).angle.x;
  EXPECT_GT(std::abs(angle), 0.1);
  const JointId again = world.add_joint(world.describe(id)).value();
  EXPECT_EQ(world.joint_status(again).angle.x, angle);  // not zero: it knows both frames
}

// --- who collides
// ------------------------------------------------------------------------------------
// Two boxes that overlap: only where they collide are they pushed apart.
TEST(Joints, joined_bodies_meet_only_where_they_are_told_to) {
  for (const bool collide : {false, true}) {
    World world({.gravity = {}, .sleep = false});
    const BodyId a = add_box(world, {}), b = add_box(world, {0.3, 0, 0});
    JointDef def{.kind = JointKind::slider, .a = BodyPoint{a, {}}, .b = BodyPoint{b, {}}};
    def.collide = collide;
    const JointId joint = world.add_joint(def).value();
    run(world, 1);
    EXPECT_EQ(world.pose(b).position.x - world.pose(a).position.x > 0.39, collide);
    world.remove(joint);
    run(world, 1);
    EXPECT_GT(length(world.pose(b).position - world.pose(a).position), 0.39);
  }
}

// --- sleep
// -------------------------------------------------------------------------------------------
TEST(Joints, joined_bodies_sleep_and_wake_together) {
  World world;
  world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  const BodyId a = add_box(world, {0, 0.2, 0}), b = add_box(world, {0.5, 0.2, 0});
  const BodyId apart = add_box(world, {3, 0.2, 0});
  world.add_joint({.a = BodyPoint{a, {0.25, 0, 0}}, .b = BodyPoint{b, {-0.25, 0, 0}}}).value();
  run(world, 3);
  ASSERT_TRUE(world.asleep(a) && world.asleep(b) && world.asleep(apart));
  world.apply_impulse(a, {0, 0, 40}, world.pose(a).position);
  world.step(k_dt);
  EXPECT_FALSE(world.asleep(a));
  EXPECT_FALSE(world.asleep(b));
  EXPECT_TRUE(world.asleep(apart));
}

TEST(Joints, what_hangs_on_a_moving_kinematic_body_does_not_sleep) {
  World world;
  BodyDef lift;
  lift.motion = Motion::kinematic;
  lift.shape = Box{{0.1, 0.1, 0.1}};
  lift.path = {{0, {0, 2, 0}, {}}, {2, {0, 2, 0}, {}}, {4, {0, 3, 0}, {}}};
  const BodyId top = world.add_body(lift).value();
  const BodyId load = add_box(world, {0, 1, 0});
  world.add_joint({.a = BodyPoint{top, {}}, .b = BodyPoint{load, {0, 1, 0}}}).value();
  run(world, 1.9);
  EXPECT_TRUE(world.asleep(load));
  run(world, 2.1);
  EXPECT_NEAR(world.pose(load).position.y, 2, 1e-3);
}

// A wake by a new target.
TEST(Joints, a_motor_wakes_its_body) {
  World world({.gravity = {}});
  const BodyId body = add_box(world, {});
  JointDef def{.kind = JointKind::hinge, .a = WorldPoint{}, .b = BodyPoint{body, {}}};
  def.freedom = {.motor = MotorKind::speed, .max_force = 100};
  const JointId joint = world.add_joint(def).value();
  run(world, 1);
  ASSERT_TRUE(world.asleep(body));
  world.set_motor_target(joint, 3, 1);
  run(world, 0.5);
  EXPECT_FALSE(world.asleep(body));
  EXPECT_NEAR(world.angular_velocity(body).x, 1, 1e-4);
}

// --- the same bits
// -----------------------------------------------------------------------------------
TEST(Joints, the_same_bits_on_one_two_and_four_threads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {0, 1, 2, 4}) {
    Arms arms(threads);
    run(arms.world, 1.5);
    hashes.push_back(arms.world.state_hash());
  }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST(Joints, negative_control_another_target_gives_other_bits) {
  Arms arms(0), other(0);
  other.world.set_motor_target(other.joints[1], 3, 1e-6);
  run(arms.world, 0.5);
  run(other.world, 0.5);
  EXPECT_NE(arms.world.state_hash(), other.world.state_hash());
}

TEST(Joints, a_snapshot_in_mid_motion_goes_on_with_the_same_bits) {
  Arms arms(0), other(2);
  run(arms.world, 0.7);
  const auto snapshot = arms.world.snapshot();
  run(arms.world, 0.8);
  ASSERT_TRUE(other.world.restore(snapshot).ok());
  run(other.world, 0.8);
  EXPECT_EQ(arms.world.state_hash(), other.world.state_hash());
}

// Broken is state: going back makes the joint whole again, and it breaks again in the same step.
TEST(Joints, a_snapshot_from_before_a_break_goes_on_with_the_same_bits) {
  Arms arms(0, 60);
  const auto whole = arms.world.snapshot();
  int broken = 0;
  for (int n = 0; n < 120; ++n) {
    arms.world.step(k_dt);
    for (const Event& e : arms.world.events()) broken += e.kind == EventKind::joint_broken;
  }
  ASSERT_GT(broken, 0);
  const std::uint64_t hash = arms.world.state_hash();
  ASSERT_TRUE(arms.world.restore(whole).ok());
  for (const JointId id : arms.joints) EXPECT_FALSE(arms.world.joint_status(id).broken);
  run(arms.world, 2);
  EXPECT_EQ(arms.world.state_hash(), hash);
}

// A scene that is saved in mid-motion keeps its joints and their zero angles.
TEST(Joints, a_scene_of_a_live_world_keeps_what_the_joints_hold) {
  SceneProblems problems;
  const auto scene = load_scene(PLIANT_SOURCE_DIR "/scenes/ragdoll.json", {}, problems);
  ASSERT_TRUE(scene.has_value());
  SceneWorld in = std::move(build_world(*scene)).value();
  run(in.world, 0.8);
  const Scene now = describe_world(in, *scene);
  const auto again = parse_scene(scene_to_json(now), "", "again", {}, problems);
  ASSERT_TRUE(again.has_value()) << problems.errors[0].text();
  const SceneWorld out = std::move(build_world(*again)).value();
  ASSERT_EQ(out.joints.size(), in.joints.size());
  for (const auto& [name, id] : in.joints) {
    const JointStatus before = in.world.joint_status(id),
                      after = out.world.joint_status(out.joints.at(name));
    // Rotations are brought to length 1 once more when they are read.
    EXPECT_LT(length(before.angle - after.angle), 1e-12) << name;
    EXPECT_LT(length(before.offset - after.offset), 1e-12) << name;
  }
}

}  // namespace
}  // namespace pliant
