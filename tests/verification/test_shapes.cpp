// Bodies of every shape: they stand and lie still on a floor and fall asleep, and what is round
// rolls down a slope as it must.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <pliant/world.h>

namespace pliant {
namespace {

constexpr double k_pi = std::numbers::pi;
constexpr double k_g = 9.81;

Quat about(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)};
}

struct Pose {
  const char* what;
  Shape shape;
  Quat rotation;
  double height;  // m, of the origin above the floor
};
std::vector<Pose> resting_poses() {
  const double lean = std::atan2(0.3, 0.8);
  return {{"sphere", Sphere{0.2}, {}, 0.2},
          {"box", Box{{0.2, 0.1, 0.3}}, {}, 0.1},
          {"capsule", Capsule{0.1, 0.2}, about({1, 0, 0}, k_pi / 2), 0.1},
          {"cylinder on its end", Cylinder{0.2, 0.3}, {}, 0.3},
          {"cylinder on its side", Cylinder{0.2, 0.3}, about({1, 0, 0}, k_pi / 2), 0.2},
          {"thin disc", Cylinder{0.3, 0.02}, {}, 0.02},
          {"cone on its base", Cone{0.3, 0.8}, {}, 0.2},
          {"cone on its side", Cone{0.3, 0.8}, about({1, 0, 0}, -k_pi / 2 - lean),
           0.6 * std::sin(lean)},
          {"flat ellipsoid", Ellipsoid{{0.3, 0.1, 0.2}}, {}, 0.1}};
}

// Lets a body go on the floor; how far it is from there after five seconds, and whether it sleeps.
struct Rest {
  double drift = 0, turned = 0, sunk = 0;
  bool asleep = false;
};
Rest rest_on(const Pose& pose, const Shape& floor, double top) {
  World world;
  world.add_body({.motion = Motion::fixed, .shape = floor}).value();
  const Vec3 start{0.1, pose.height + top, -0.2};
  const BodyId body =
      world.add_body({.shape = pose.shape, .position = start, .rotation = pose.rotation}).value();
  for (int i = 0; i < 300; ++i) world.step(1.0 / 60);
  const Transform end = world.pose(body);
  const Quat turn = end.rotation * conjugate(pose.rotation);
  return {std::hypot(end.position.x - start.x, end.position.z - start.z),
          2 * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z),
          std::fabs(end.position.y - start.y), world.asleep(body)};
}

TEST(shapes, every_shape_rests_on_a_floor_and_sleeps) {
  for (const Pose& pose : resting_poses())
    for (const auto& [floor, top] :
         {std::pair{Shape(HalfSpace{}), 0.0}, std::pair{Shape(Box{{2, 0.5, 2}}), 0.5}}) {
      const Rest rest = rest_on(pose, floor, top);
      const char* on = top > 0 ? "box" : "half-space";
      EXPECT_LT(rest.drift, 1e-4) << pose.what << " on a " << on;
      EXPECT_LT(rest.sunk, 1e-3) << pose.what << " on a " << on;
      EXPECT_LT(rest.turned, 2e-3) << pose.what << " on a " << on;
      EXPECT_TRUE(rest.asleep) << pose.what << " on a " << on;
    }
}

// The same measure for what does not rest: a cylinder on its end that leans beyond its rim.
TEST(shapes, what_leans_too_far_falls_over) {
  const double over = std::atan2(0.2, 0.3) + 0.05;
  const Rest rest = rest_on(
      {"", Cylinder{0.2, 0.3}, about({1, 0, 0}, over), 0.2 * std::sin(over) + 0.3 * std::cos(over)},
      HalfSpace{}, 0);
  EXPECT_GT(rest.turned, 0.5);
}

// m/s2 down a slope of that angle, from the speed after a second.
double acceleration_down(const Shape& shape, double across, double radius, double angle) {
  World world({.substeps = 16});
  const Surface rough{0.9, 0.9, 0};
  const Quat tilt = about({0, 0, 1}, -angle);  // falls towards +x
  const Vec3 up = rotate(tilt, Vec3{0, 1, 0}), down = rotate(tilt, Vec3{1, 0, 0});
  world
      .add_body({.motion = Motion::fixed, .shape = HalfSpace{}, .rotation = tilt, .surface = rough})
      .value();
  const BodyId body = world
                          .add_body({.shape = shape,
                                     .position = up * radius,
                                     .rotation = about({1, 0, 0}, across),
                                     .surface = rough})
                          .value();
  for (int i = 0; i < 240; ++i) world.step(1.0 / 240);
  const Vec3 w = world.angular_velocity(body);
  const double speed = dot(world.velocity(body), down);
  EXPECT_NEAR(-w.z * radius, speed, 0.01 * speed);  // without slip
  return speed;
}

// a = g sin / (1 + I / (m r^2)): 2/3 of a solid cylinder, 5/7 of a ball, 5/7 of a round ellipsoid
// about its axis of symmetry (2/5 m r^2 as well).
TEST(shapes, round_bodies_roll_down_a_slope) {
  const double angle = 20 * k_pi / 180, g = k_g * std::sin(angle);
  EXPECT_NEAR(acceleration_down(Cylinder{0.2, 0.3}, k_pi / 2, 0.2, angle), 2.0 / 3 * g, 0.01 * g);
  EXPECT_NEAR(acceleration_down(Sphere{0.2}, 0, 0.2, angle), 5.0 / 7 * g, 0.01 * g);
  EXPECT_NEAR(acceleration_down(Ellipsoid{{0.2, 0.4, 0.2}}, k_pi / 2, 0.2, angle), 5.0 / 7 * g,
              0.01 * g);
}

}  // namespace
}  // namespace pliant
