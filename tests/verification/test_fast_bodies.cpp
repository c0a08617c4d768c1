// Rigid bodies that do not do in a step what was foreseen at its beginning: struck in its middle,
// or turned so far that what they meet is another side of theirs.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <vector>

#include "verification/bodies.h"

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60;

WorldDef weightless() {
  WorldDef def;
  def.gravity = {};
  def.substeps = 10;
  return def;
}

BodyDef fixed_box(const Vec3& half, const Vec3& position) {
  BodyDef def;
  def.motion = Motion::fixed;
  def.shape = Box{half};
  def.position = position;
  return def;
}

// A ball of 20 m/s hands its speed on to one at rest, which in what is left of the step flies up to
// 0.33 m. A plate of 1 cm stands 0.15 m behind it.
TEST(FastBodies, what_is_struck_within_a_step_does_not_cross_a_plate) {
  for (const double restitution : {0.5, 1.0}) {
    for (int n = 0; n < 20; ++n) {
      World world(weightless());
      BodyDef first = ball(0.05, 1, {0, 0, 0}, {});
      BodyDef second = ball(0.05, 1, {-0.11 - 0.016 * n, 0, 0}, {20, 0, 0});
      first.surface.restitution = second.surface.restitution = restitution;
      const BodyId struck = world.add_body(first).value();
      world.add_body(second).value();
      world.add_body(fixed_box({0.005, 1, 1}, {0.2, 0, 0})).value();
      for (int i = 0; i < 4; ++i) world.step(k_dt);
      EXPECT_LT(world.pose(struck).position.x, 0.2) << n << ", restitution " << restitution;
    }
  }
}

// A free rod that turns by one radian in a step meets a post near its end. What does not bounce
// leaves with w / (1 + m r^2 / I), r = 0.45 m.
TEST(FastBodies, a_turning_rod_does_not_pass_a_post) {
  const double expected = -60 / (1 + 0.45 * 0.45 * 12 / (1 + 0.04 * 0.04));
  for (int n = 0; n < 24; ++n) {
    World world(weightless());
    BodyDef rod;
    rod.shape = Box{{0.5, 0.02, 0.02}};
    rod.mass = 1;
    const double angle = 0.1 + 0.12 * n;  // before the post
    rod.rotation = {0, std::sin(angle / 2), 0, std::cos(angle / 2)};
    rod.angular_velocity = {0, -60, 0};
    const BodyId id = world.add_body(rod).value();
    world.add_body(fixed_box({0.01, 0.3, 0.01}, {0.45, 0, 0})).value();
    for (int i = 0; i < 5; ++i) world.step(k_dt);
    // The faces of the post are 2 cm wide, and those of the rod rub on them.
    EXPECT_NEAR(world.angular_velocity(id).y, expected, 2.5) << "from " << angle;
  }
}

// Momentum is kept and the strike is told, though the two are far apart when the step ends.
TEST(FastBodies, a_strike_is_reported_and_keeps_momentum) {
  World world(weightless());
  BodyDef first = ball(0.05, 1, {0, 0, 0}, {}), second = ball(0.05, 1, {-0.15, 0, 0}, {20, 0, 0});
  first.surface.restitution = second.surface.restitution = 1;
  const BodyId struck = world.add_body(first).value();
  const BodyId striker = world.add_body(second).value();
  const StepReport report = world.step(k_dt);
  EXPECT_GT(report.searched_again, 0);
  EXPECT_NEAR(world.velocity(struck).x, 20, 1e-3);
  EXPECT_NEAR(world.velocity(striker).x, 0, 1e-3);
  int begun = 0;
  for (const Event& event : world.events()) begun += event.kind == EventKind::contact_begin;
  EXPECT_EQ(begun, 1);
  EXPECT_NEAR(world.contact_force(struck).x, 20 / k_dt, 0.1);
}

// A sleeper that is met in the middle of a step moves with its neighbours: it stays on its floor.
TEST(FastBodies, what_is_woken_within_a_step_keeps_its_neighbours) {
  WorldDef def;
  def.substeps = 10;
  World world(def);
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  world.add_body(floor).value();
  const BodyId sleeper =
      world.add_body({.shape = Box{{0.1, 0.1, 0.1}}, .position = {0.55, 0.1, 0}, .mass = 100})
          .value();
  for (int i = 0; i < 90; ++i) world.step(k_dt);
  ASSERT_TRUE(world.asleep(sleeper));
  BodyDef first = ball(0.05, 1, {0.2, 0.1, 0}, {}),
          second = ball(0.05, 1, {0.05, 0.1, 0}, {20, 0, 0});
  first.surface.restitution = second.surface.restitution = 1;
  const BodyId struck = world.add_body(first).value();
  world.add_body(second).value();
  world.step(k_dt);
  EXPECT_FALSE(world.asleep(sleeper));
  EXPECT_LT(world.pose(struck).position.x, 0.41);
  EXPECT_GT(world.velocity(sleeper).x, 0.1);
  EXPECT_NEAR(world.velocity(sleeper).y, 0, 0.02);  // left alone with gravity: 0.13
}

// What is struck and turns elsewhere changes no bit of a falling heap, on any number of threads.
TEST(FastBodies, nobody_else_changes) {
  std::vector<Transform> places[4];
  int searched[4] = {};
  for (int variant = 0; variant < 4; ++variant) {
    World world({}, make_task_pool(variant == 3 ? 3 : 1));
    BodyDef floor;
    floor.motion = Motion::fixed;
    floor.shape = HalfSpace{};
    world.add_body(floor).value();
    std::vector<BodyId> heap;
    for (int n = 0; n < 12; ++n)
      heap.push_back(world
                         .add_body({.shape = Box{{0.1, 0.1, 0.1}},
                                    .position = {0.03 * n, 0.2 + 0.23 * n, 0.02 * (n % 3)}})
                         .value());
    if (variant > 0)
      for (int n = 0; n < 5; ++n) {
        const Vec3 at{50, 0.1, 2.0 * n};
        world.add_body(ball(0.05, 1, at, {})).value();
        world.add_body(ball(0.05, 1, at - Vec3{0.15, 0, 0}, {20, 0, 0})).value();
        BodyDef rod{.shape = Box{{0.5, 0.02, 0.02}}, .position = at + Vec3{3, 0.5, 0}};
        rod.angular_velocity = {0, 0, -40};
        world.add_body(rod).value();
      }
    for (int i = 0; i < 60; ++i) searched[variant] += world.step(k_dt).searched_again;
    for (const BodyId id : heap) places[variant].push_back(world.pose(id));
  }
  EXPECT_GT(searched[1], searched[0] + 20);
  for (int variant = 1; variant < 4; ++variant)
    for (std::size_t n = 0; n < places[0].size(); ++n) {
      EXPECT_EQ(places[variant][n].position, places[0][n].position) << variant << " " << n;
      EXPECT_EQ(places[variant][n].rotation.w, places[0][n].rotation.w) << variant << " " << n;
    }
}

}  // namespace
}  // namespace pliant
