// Bodies that are changed while they live, teleports and moves with implied velocity.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

using namespace pliant;

namespace {

constexpr double k_step = 1.0 / 240;

void run(World& world, int steps) {
  for (int n = 0; n < steps; ++n) world.step(k_step);
}

BodyId add_floor(World& world) {
  return world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
}

}  // namespace

TEST(Change, MassAndSurfaceCountFromTheNextStepOn) {
  World world({.substeps = 10});
  add_floor(world);
  const BodyId box =
      world.add_body({.shape = Box{{0.2, 0.2, 0.2}}, .position = {0, 0.2, 0}, .mass = 2}).value();
  run(world, 360);
  ASSERT_TRUE(world.asleep(box));
  EXPECT_NEAR(world.contact_force(box).y, 2 * 9.81, 0.1);
  BodyDef def = world.describe(box);
  def.mass = 6;
  ASSERT_TRUE(world.change(box, def).ok());
  EXPECT_FALSE(world.asleep(box));
  EXPECT_EQ(world.mass(box), 6);
  run(world, 60);
  EXPECT_NEAR(world.contact_force(box).y, 6 * 9.81, 0.2);
  def.surface.friction_static = def.surface.friction_kinetic = 0;
  ASSERT_TRUE(world.change(box, def).ok());
  world.apply_impulse(box, {6, 0, 0}, world.pose(box).position);
  run(world, 120);
  EXPECT_NEAR(world.velocity(box).x, 1, 0.01);  // slides for ever
}

TEST(Change, ShapeTypeAndNeighbours) {
  World world({.substeps = 10});
  add_floor(world);
  const BodyId low =
      world.add_body({.shape = Box{{0.2, 0.2, 0.2}}, .position = {0, 0.2, 0}}).value();
  const BodyId high =
      world.add_body({.shape = Box{{0.1, 0.1, 0.1}}, .position = {0, 0.5, 0}}).value();
  run(world, 480);
  ASSERT_TRUE(world.asleep(high));
  BodyDef def = world.describe(low);
  def.shape = Box{{0.2, 0.1, 0.2}};  // its top is 0.1 m lower
  ASSERT_TRUE(world.change(low, def).ok());
  EXPECT_FALSE(world.asleep(high));
  run(world, 480);
  EXPECT_NEAR(world.pose(low).position.y, 0.1, 2e-3);
  EXPECT_NEAR(world.pose(high).position.y, 0.3, 4e-3);
  def = world.describe(low);
  def.motion = Motion::fixed;
  ASSERT_TRUE(world.change(low, def).ok());
  const Vec3 place = world.pose(low).position;
  world.apply_impulse(low, {1e3, 0, 0}, {});
  run(world, 24);
  EXPECT_EQ(world.pose(low).position, place);
  def.motion = Motion::dynamic;
  ASSERT_TRUE(world.change(low, def).ok());
  world.apply_impulse(low, {0.2 * world.mass(low), 0, 0}, world.pose(low).position);
  world.step(k_step);
  EXPECT_GT(world.velocity(low).x, 0.05);
}

TEST(Change, AnErrorNamesTheFieldAndChangesNothing) {
  World world;
  const BodyId body = world.add_body({.name = "one", .shape = Sphere{0.2}}).value();
  BodyDef def = world.describe(body);
  def.shape = Sphere{-1};
  def.name = "two";
  const Status bad = world.change(body, def);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().place, "shape.sphere.radius");
  EXPECT_EQ(std::get<Sphere>(world.describe(body).shape).radius, 0.2);
  def.shape = Rectangle{};
  EXPECT_EQ(world.change(body, def).error().place, "motion");
  def.shape = Sphere{0.3};
  ASSERT_TRUE(world.change(body, def).ok());
  EXPECT_EQ(world.describe(body).name, "one");
  EXPECT_EQ(std::get<Sphere>(world.describe(body).shape).radius, 0.3);
}

// A spinning rod gets a head: its points go on as they moved, though its centre of mass is now
// elsewhere, and a ball joint still holds the same end.
TEST(Change, TheCentreOfMassMayMove) {
  World world({.gravity = {}, .substeps = 10});
  const BodyId rod =
      world
          .add_body(
              {.shape = Box{{1, 0.05, 0.05}}, .velocity = {0, 1, 0}, .angular_velocity = {0, 0, 1}})
          .value();
  ASSERT_TRUE(world
                  .add_joint({.kind = JointKind::ball,
                              .a = BodyPoint{rod, {-1, 0, 0}},
                              .b = WorldPoint{{-1, 0, 0}}})
                  .ok());
  run(world, 24);
  const Transform before = world.pose(rod);
  const Vec3 centre = before.position, v = world.velocity(rod), w = world.angular_velocity(rod);
  BodyDef def = world.describe(rod);
  Compound hammer;
  hammer.parts.push_back({.shape = Box{{1, 0.05, 0.05}}});
  hammer.parts.push_back({.shape = Box{{0.2, 0.2, 0.2}}, .position = {1, 0, 0}});
  def.shape = hammer;
  ASSERT_TRUE(world.change(rod, def).ok());
  EXPECT_LT(length(world.pose(rod).position - centre), 1e-12);
  const double shift = centre_of_mass(hammer).x;
  EXPECT_GT(shift, 0.5);
  const Vec3 arm = rotate(before.rotation, {shift, 0, 0});
  EXPECT_LT(length(world.velocity(rod) - (v + cross(w, arm))), 1e-6);
  run(world, 240);
  const Vec3 end = to_world(world.pose(rod), Vec3{-1, 0, 0});
  EXPECT_LT(length(end - Vec3{-1, 0, 0}), 2e-3);
  EXPECT_NEAR(world.angular_velocity(rod).z, w.z, 1e-3);
}

TEST(Change, SnapshotsFromBeforeAreRefused) {
  World world;
  const BodyId body = world.add_body({.shape = Sphere{0.2}}).value();
  const auto saved = world.snapshot();
  BodyDef def = world.describe(body);
  def.shape = Box{};
  ASSERT_TRUE(world.change(body, def).ok());
  EXPECT_FALSE(world.restore(saved).ok());
  EXPECT_TRUE(world.restore(world.snapshot()).ok());
}

TEST(Move, TeleportHasNoVelocityAndMoveToHas) {
  World world({.gravity = {}, .substeps = 10});
  const auto plate = [&](double x) {
    return world
        .add_body({.motion = Motion::kinematic, .shape = Box{{0.1, 1, 1}}, .position = {x, 0, 0}})
        .value();
  };
  const BodyId thrown = plate(0), moved = plate(10);
  const auto ball = [&](double x) {
    BodyDef def{.shape = Sphere{0.1}, .position = {x, 0, 0}};
    def.surface.restitution = 0;
    return world.add_body(def).value();
  };
  const BodyId left = ball(0.205), right = ball(10.205);
  world.set_pose(thrown, {{0.004, 0, 0}, {}});
  run(world, 2);
  EXPECT_NEAR(world.velocity(thrown).x, 0, 1e-12);
  EXPECT_NEAR(world.velocity(left).x, 0, 1e-3);
  for (int n = 1; n <= 24; ++n) {
    world.move_to(moved, {{10 + 2 * n * k_step, 0, 0}, {}});
    world.step(k_step);
    EXPECT_NEAR(world.pose(moved).position.x, 10 + 2 * n * k_step, 1e-6);
  }
  EXPECT_NEAR(world.velocity(right).x, 2, 0.02);  // pushed at the speed of the plate
  world.step(k_step);
  EXPECT_EQ(world.velocity(moved).x, 0);  // and then it stands
}
