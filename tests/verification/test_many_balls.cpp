// Many balls: how they roll on a box that is pulled, and how deep they sink into each other.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "verification/bodies.h"
#include "verification/joint_rig.h"

namespace pliant {
namespace {

// A box of 10 kg is pulled at 150 N along a floor, mu 0.4, with 25 balls of 1 kg on it, mu 0.8.
// They roll: each takes 2/7 of the box's acceleration, so a (M + 25 * 2/7 m) = F - mu g (M + 25 m).
TEST(ManyBalls, balls_roll_on_a_box_that_is_pulled) {
  World world(joint_world({0, -k_g, 0}));
  const auto rough = [](BodyDef& def, double mu) {
    def.surface.friction_static = def.surface.friction_kinetic = mu;
  };
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  rough(floor, 0.2);  // with 0.8: sqrt(0.2 * 0.8) = 0.4
  world.add_body(floor).value();
  BodyDef tray;
  tray.shape = Box{{2, 0.1, 2}};
  tray.mass = 10;
  tray.position = {0, 0.1, 0};
  rough(tray, 0.8);
  const BodyId box = world.add_body(tray).value();
  std::vector<BodyId> balls;
  for (int i = 0; i < 25; ++i) {
    BodyDef b = ball(0.1, 1, {0.6 * (i % 5) - 1.2, 0.3, 0.6 * (i / 5) - 1.2}, {});
    rough(b, 0.8);
    balls.push_back(world.add_body(b).value());
  }
  const auto speed_of_balls = [&] {
    double sum = 0;
    for (const BodyId id : balls) sum += world.velocity(id).x;
    return sum / 25;
  };
  const auto pull = [&](double seconds) {
    for (long n = std::lround(seconds / k_step); n > 0; --n) {
      world.apply_force(box, {150, 0, 0}, world.pose(box).position);
      world.step(k_step);
    }
  };
  pull(0.3);  // static friction gives way, contacts settle
  const double box0 = world.velocity(box).x, balls0 = speed_of_balls();
  pull(1);
  EXPECT_NEAR(world.velocity(box).x - box0, 0.7385, 0.03 * 0.7385);
  EXPECT_NEAR(speed_of_balls() - balls0, 0.2110, 0.03 * 0.2110);
}

// 6 x 6 x 6 balls of 0.2 m without friction fall on a floor and run apart: how deep any two come
// into each other, against the step. Reported; a quarter of the step must at least halve it.
TEST(ManyBalls, penetration_of_frictionless_balls_falls_with_the_step) {
  std::vector<double> depths;
  for (const double dt : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
    World world(joint_world({0, -k_g, 0}));
    BodyDef floor;
    floor.motion = Motion::fixed;
    floor.shape = HalfSpace{};
    floor.surface.friction_static = floor.surface.friction_kinetic = 0;
    world.add_body(floor).value();
    for (int i = 0; i < 216; ++i) {
      BodyDef b = ball(0.2, 1, {}, {});
      b.position = {0.41 * (i % 6), 0.25 + 0.41 * (i / 36), 0.41 * (i / 6 % 6)};
      b.position.x += 0.01 * (i / 36 % 2);
      b.surface.friction_static = b.surface.friction_kinetic = 0;
      world.add_body(b).value();
    }
    double deepest = 0;
    for (long n = std::lround(2 / dt); n > 0; --n) {
      world.step(dt);
      deepest = std::max(deepest, world.measurements().penetration_max);
    }
    std::printf("6 x 6 x 6 balls, step 1/%.0f s of 10 substeps: deepest penetration %.3f mm\n",
                1 / dt, 1000 * deepest);
    depths.push_back(deepest);
  }
  EXPECT_LT(depths[2], 0.5 * depths[0]);
}

}  // namespace
}  // namespace pliant
