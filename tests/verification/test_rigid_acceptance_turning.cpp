// Bodies that turn freely, through the world: ACCEPTANCE 19 of the rigid bodies. Steps of 1/240 s
// of 10 substeps.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <vector>

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 240;
constexpr double k_pi = 3.14159265358979323846;

struct Free {
  World world{{.gravity = {}, .substeps = 10, .sleep = false}};
  BodyId id;
  Free(const Vec3& inertia, const Vec3& spin)
      : id(world
               .add_body({.shape = Box{{0.1, 0.1, 0.1}},
                          .angular_velocity = spin,
                          .mass = 1,
                          .inertia = inertia})
               .value()) {}
  // rad/s, in the axes of the body.
  Vec3 own_spin() const {
    return rotate_inverse(world.pose(id).rotation, world.angular_velocity(id));
  }
};

// Euler's equations with I = (1, 2, 3) and w = (0.1, 5, 0): the turn about the middle axis passes
// zero at odd multiples of 1.835 s (Jacobi's elliptic functions).
TEST(rigid_A19, turns_over_about_the_middle_axis_on_time) {
  Free body({1, 2, 3}, {0.1, 5, 0});
  const Vec3 expected_l{0.1, 10, 0};  // kg m2/s; its length is 10.0005
  std::vector<double> flips;
  double before = 5;
  while (body.world.time() < 60) {
    body.world.step(k_dt);
    const double now = body.own_spin().y;
    if ((now > 0) != (before > 0)) flips.push_back(body.world.time() - k_dt * now / (now - before));
    before = now;
    const Measurements& m = body.world.measurements();
    ASSERT_NEAR(length(m.angular_momentum) / 10.0005, 1, 1e-3) << body.world.time();
    ASSERT_LT(length(m.angular_momentum - expected_l), 1e-3 * 10) << body.world.time();
    ASSERT_NEAR(m.kinetic_energy / 25.005, 1, 1e-3) << body.world.time();
  }
  ASSERT_GE(flips.size(), 4u);
  const double expected[] = {1.835, 5.506, 9.176, 12.847};
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(flips[n] / expected[n], 1, 0.01) << n;
}

// I = (1, 1, 2) and w = (0.5, 0, 4): the part across the axis goes round once in
// 2 pi / ((2 - 1) 4) = 1.5708 s, and that along it stays.
TEST(rigid_A19, a_disc_precesses_in_its_own_frame) {
  Free body({1, 1, 2}, {0.5, 0, 4});
  double angle = 0, last = 0, period = 0;
  while (period == 0 && body.world.time() < 3) {
    body.world.step(k_dt);
    const Vec3 w = body.own_spin();
    EXPECT_NEAR(w.z, 4, 4e-3);
    const double now = std::atan2(w.y, w.x), step = std::remainder(now - last, 2 * k_pi);
    if (std::fabs(angle + step) >= 2 * k_pi)
      period = body.world.time() - k_dt * (std::fabs(angle + step) - 2 * k_pi) / std::fabs(step);
    angle += step;
    last = now;
  }
  EXPECT_NEAR(period / 1.5708, 1, 0.01);
}

// The least and the greatest axis are stable: the measure tells them from the middle one.
TEST(rigid_A19, control_the_other_axes_do_not_turn_over) {
  for (const Vec3& spin : {Vec3{5, 0.1, 0}, Vec3{0.1, 0, 5}}) {
    Free body({1, 2, 3}, spin);
    for (int n = 0; n < 240 * 10; ++n) {
      body.world.step(k_dt);
      ASSERT_GT(std::max(body.own_spin().x, body.own_spin().z), 4.9);
    }
  }
}

}  // namespace
}  // namespace pliant
