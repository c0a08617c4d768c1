// Resistance to rolling and spinning against closed forms.
//
// A ball of radius r that rolls on a level floor: friction F at the contact slows it down, m a = F,
// and the resistance is a torque c N = c m g against its turning, of which friction takes a part
// that keeps it rolling: I a / r = c m g - F r with I = 2/5 m r^2. So a = (5/7) c g / r.
// A body that spins about the normal: I dw/dt = -c m g, so it stops after I w / (c m g): a ball
// after 2 r^2 w / (5 c g), a disc that lies on the floor after r^2 w / (2 c g), besides friction.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double k_g = 9.81, k_dt = 1.0 / 240, k_radius = 0.1;

struct Floor {
  World world;
  explicit Floor(const Surface& surface, double angle = 0)
      : world({.gravity = {k_g * std::sin(angle), -k_g * std::cos(angle), 0}, .substeps = 10}) {
    (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}, .surface = surface})
        .value();
  }
  void run(double seconds) {
    for (int n = 0; n < int(std::lround(seconds / k_dt)); ++n) world.step(k_dt);
  }
};

Surface resisting(double rolling, double spinning) {
  Surface s;
  s.rolling_resistance = rolling;
  s.spinning_resistance = spinning;
  return s;
}

BodyId add_ball(World& world, const Surface& surface, double speed, double spin = 0) {
  return world
      .add_body({.shape = Sphere{k_radius},
                 .position = {0, k_radius, 0},
                 .velocity = {speed, 0, 0},
                 .angular_velocity = {0, spin, -speed / k_radius},
                 .surface = surface,
                 .allow_sleep = false})
      .value();
}

TEST(turning_resistance, a_rolling_ball_slows_down_as_the_closed_form_says) {
  const double c = 2e-3, v0 = 1, slowing = 5.0 / 7 * c * k_g / k_radius;
  Floor f(resisting(c, 0));
  const BodyId ball = add_ball(f.world, resisting(c, 0), v0);
  for (int n = 1; n <= 4; ++n) {
    f.run(1);
    EXPECT_NEAR(f.world.velocity(ball).x, v0 - slowing * n, 0.003 * v0) << n;
    EXPECT_NEAR(-f.world.angular_velocity(ball).z * k_radius, f.world.velocity(ball).x, 1e-3);
  }
  f.run(v0 / slowing - 4 + 0.1);
  const Vec3 at = f.world.pose(ball).position;
  EXPECT_NEAR(at.x, v0 * v0 / (2 * slowing), 0.01 * at.x);
  f.run(2);
  EXPECT_NEAR(length(f.world.pose(ball).position - at), 0, 1e-4) << "and rests there";
}

TEST(turning_resistance, without_it_the_ball_rolls_on) {
  Floor f({});
  const BodyId ball = add_ball(f.world, {}, 1);
  f.run(4);
  EXPECT_NEAR(f.world.velocity(ball).x, 1, 1e-3);
  // One side alone does not do it either: sqrt(c 0) = 0.
  Floor one({});
  const BodyId other = add_ball(one.world, resisting(0.01, 0.01), 1);
  one.run(2);
  EXPECT_NEAR(one.world.velocity(other).x, 1, 1e-3);
}

TEST(turning_resistance, a_spinning_ball_stops_in_the_closed_form_s_time) {
  const double c = 1e-3, w0 = 20, stops = 2 * k_radius * k_radius * w0 / (5 * c * k_g);
  Floor f(resisting(0, c));
  const BodyId ball = add_ball(f.world, resisting(0, c), 0, w0);
  f.run(stops / 2);
  EXPECT_NEAR(f.world.angular_velocity(ball).y, w0 / 2, 0.01 * w0);
  f.run(stops / 2 - 0.2);
  EXPECT_GT(f.world.angular_velocity(ball).y, 0.01);
  f.run(0.3);
  EXPECT_NEAR(f.world.angular_velocity(ball).y, 0, 1e-3);
  EXPECT_NEAR(f.world.velocity(ball).x, 0, 1e-3);
  // Without it a ball on its one point spins for ever.
  Floor none({});
  const BodyId top = add_ball(none.world, {}, 0, w0);
  none.run(stops + 0.2);
  EXPECT_NEAR(none.world.angular_velocity(top).y, w0, 0.01 * w0);
}

TEST(turning_resistance, a_disc_without_friction_stops_likewise) {
  const double c = 5e-3, w0 = 10, stops = k_radius * k_radius * w0 / (2 * c * k_g);
  Surface s = resisting(0, c);
  s.friction_static = s.friction_kinetic = 0;
  Floor f(s);
  const BodyId disc = f.world
                          .add_body({.shape = Cylinder{k_radius, 0.02},
                                     .position = {0, 0.02, 0},
                                     .angular_velocity = {0, w0, 0},
                                     .surface = s,
                                     .allow_sleep = false})
                          .value();
  f.run(stops / 2);
  EXPECT_NEAR(f.world.angular_velocity(disc).y, w0 / 2, 0.02 * w0);
  f.run(stops / 2 + 0.05);
  EXPECT_NEAR(f.world.angular_velocity(disc).y, 0, 1e-3);
}

// On a slope of angle a a ball rests while tan a < c / r, and rolls beyond: its acceleration is
// 5/7 (g sin a - c g cos a / r).
TEST(turning_resistance, a_ball_rests_on_a_slope_that_is_not_too_steep) {
  const double c = 0.01;  // c / r = 0.1
  Surface s = resisting(c, 0);
  Floor flat(s, std::atan(0.08)), steep(s, std::atan(0.12));
  const BodyId rests = add_ball(flat.world, s, 0), rolls = add_ball(steep.world, s, 0);
  flat.run(2);
  steep.run(2);
  EXPECT_NEAR(flat.world.pose(rests).position.x, 0, 1e-3);
  const double a = std::atan(0.12),
               expected = 5.0 / 7 * k_g * (std::sin(a) - c / k_radius * std::cos(a));
  EXPECT_NEAR(steep.world.velocity(rolls).x, 2 * expected, 0.02 * 2 * expected);
}

}  // namespace
}  // namespace pliant
