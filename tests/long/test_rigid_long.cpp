// Checks of the rigid specification that take minutes.
#include <gtest/gtest.h>
#include <pliant/scene.h>

#include <cmath>
#include <cstdio>

#include "random_points.h"

namespace pliant {
namespace {

constexpr double k_step = 1.0 / 240;

// The centre of the scene's point of gravity is softened by 1 cm, as the check allows.
TEST(rigid_long, rigid_A14_nothing_leaves_the_box_in_ten_minutes) {
#ifndef PLIANT_PUGIXML
  GTEST_SKIP() << "built without pugixml";
#endif
  SceneProblems problems;
  const auto scene = load_scene(PLIANT_SOURCE_DIR "/scenes/polyphysics.xml", {}, problems);
  ASSERT_TRUE(scene) << problems.errors.at(0).text();
  SceneWorld sw = build_world(*scene).value();
  double path = 0;  // m, of all balls: they still fly
  while (sw.world.time() < 600) {
    ASSERT_TRUE(sw.world.step(k_step).ok());
    for (const char* name : {"5853", "15921", "8945"}) {
      const Vec3 at = sw.world.pose(sw.bodies.at(name)).position;
      for (int k = 0; k < 3; ++k) {
        ASSERT_GT(at[k], 0) << name << " at " << sw.world.time();
        ASSERT_LT(at[k], 10) << name << " at " << sw.world.time();
      }
      path += length(sw.world.velocity(sw.bodies.at(name))) * k_step;
    }
  }
  EXPECT_GT(path, 600);
}

// A ball that was dropped lies at its height for a minute, without sleep.
TEST(rigid_long, rigid_A11_what_rests_stays_for_a_minute) {
  for (const Impacts impacts : {Impacts::together, Impacts::ordered}) {
    WorldDef def{.gravity = {0, -9.8, 0}, .substeps = 10, .sleep = false, .impacts = impacts};
    World world(def);
    const Surface surface{0.5, 0.5, 0.5};
    world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}, .surface = surface}).value();
    const BodyId ball =
        world.add_body({.shape = Sphere{0.1}, .position = {0, 1.1, 0}, .surface = surface}).value();
    while (world.time() < 60) {
      world.step(k_step);
      if (world.time() < 1.5) continue;
      ASSERT_NEAR(world.pose(ball).position.y, 0.1, 1e-3) << world.time();
      ASSERT_EQ(world.state(ball), BodyState::rest) << world.time();
    }
  }
}

// Four slopes over a box, into which 500 balls are poured: every step ends within its limit of
// impacts, no ball comes through a wall, and after a second nobody is deep in anybody.
void pour(Impacts impacts, double seconds) {
  WorldDef def{.gravity = {0, -9.8, 0}, .substeps = 10, .impacts = impacts};
  World world(def);
  const Surface surface{0.3, 0.3, 0.5};
  const auto fixed = [&](const Shape& shape, const Vec3& at, const Quat& turn) {
    world
        .add_body({.motion = Motion::fixed,
                   .shape = shape,
                   .position = at,
                   .rotation = turn,
                   .surface = surface})
        .value();
  };
  fixed(HalfSpace{}, {}, {});
  for (int side = 0; side < 4; ++side) {
    // About y by quarter turns; the slope of 45 degrees leads down to the rim of the box.
    const double half = side * M_PI / 4;
    const Quat turn{0, std::sin(half), 0, std::cos(half)};
    const Quat slope{0, 0, std::sin(M_PI / 8), std::cos(M_PI / 8)};
    fixed(Box{{0.1, 0.5, 0.6}}, rotate(turn, {0.5, 0.5, 0}), turn);
    fixed(Rectangle{1, 3}, rotate(turn, Vec3{0.4 + std::sqrt(0.5), 1 + std::sqrt(0.5), 0}),
          turn * slope);
  }
  test::Random random(11);
  std::vector<BodyId> balls;
  for (int n = 0; n < 500; ++n) {
    const Vec3 place{0.12 * (n % 8) - 0.42, 1.6 + 0.12 * (n / 64), 0.12 * (n / 8 % 8) - 0.42};
    balls.push_back(world
                        .add_body({.shape = Sphere{0.05},
                                   .position = place + random.point(0.005),
                                   .mass = 0.5,
                                   .surface = surface})
                        .value());
  }
  int most = 0, cut = 0;
  double deepest = 0;
  while (world.time() < seconds) {
    const StepReport report = world.step(k_step);
    ASSERT_TRUE(report.ok());
    most = std::max(most, report.impacts);
    cut += report.cut_off;
    if (world.time() > 1) deepest = std::max(deepest, world.measurements().penetration_max);
  }
  EXPECT_LE(most, def.substeps * def.max_impacts);
  EXPECT_LT(deepest, 0.005);
  std::printf("500 balls: at most %d impacts in a step, %d islands cut off, %.1f mm deep\n", most,
              cut, 1000 * deepest);
  for (const BodyId id : balls) {
    const Vec3 p = world.pose(id).position;
    const double wide = std::max(0.4, p.y - 0.6);  // of the box, or of the funnel above it
    EXPECT_LT(std::max(std::fabs(p.x), std::fabs(p.z)), wide);
    EXPECT_GT(p.y, 0);
  }
  testing::Test::RecordProperty("impacts", most);
  testing::Test::RecordProperty("cut_off", cut);
}
TEST(rigid_long, rigid_A11_five_hundred_balls_in_a_funnel) { pour(Impacts::together, 4); }
TEST(rigid_long, rigid_A11_five_hundred_balls_in_a_funnel_by_ordered_impacts) {
  pour(Impacts::ordered, 2);
}

}  // namespace
}  // namespace pliant
