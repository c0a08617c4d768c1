// Own trigonometry against the C library, which the simulation itself must not use.
#include "math/trig.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(trig, sine_and_cosine_within_1e_12_of_libm) {
  std::mt19937 rng(1);
  for (double range : {1e-6, 1.0, 10.0, 1e3, 1e4}) {
    std::uniform_real_distribution<double> u(-range, range);
    for (int i = 0; i < 20000; ++i) {
      const double x = u(rng);
      ASSERT_NEAR(det_sin(x), std::sin(x), 1e-12) << x;
      ASSERT_NEAR(det_cos(x), std::cos(x), 1e-12) << x;
    }
  }
}

TEST(trig, exact_at_zero) {
  EXPECT_EQ(det_sin(0), 0);
  EXPECT_EQ(det_cos(0), 1);
  EXPECT_EQ(det_exp(0), 1);
  EXPECT_EQ(det_atan2(0, 0), 0);
}

TEST(trig, arcs_within_1e_12_of_libm) {
  std::mt19937 rng(2);
  std::uniform_real_distribution<double> u(-5, 5), unit(-1, 1);
  for (int i = 0; i < 50000; ++i) {
    const double x = u(rng), y = u(rng), c = unit(rng);
    ASSERT_NEAR(det_atan2(y, x), std::atan2(y, x), 1e-12);
    ASSERT_NEAR(det_acos(c), std::acos(c), 1e-12);
  }
  EXPECT_NEAR(det_atan2(1, 0), std::atan2(1, 0), 1e-15);
  EXPECT_NEAR(det_atan2(0, -1), std::atan2(0, -1), 1e-15);
  EXPECT_NEAR(det_atan2(-1, -1), std::atan2(-1, -1), 1e-15);
  EXPECT_EQ(det_acos(1.5), 0);
}

TEST(trig, exponential_within_1e_12_relative) {
  std::mt19937 rng(3);
  std::uniform_real_distribution<double> u(-50, 50);
  for (int i = 0; i < 50000; ++i) {
    const double x = u(rng);
    ASSERT_NEAR(det_exp(x) / std::exp(x), 1, 1e-12) << x;
  }
  EXPECT_EQ(det_exp(-1000), 0);
}

TEST(trig, exp_quat_is_the_turn_about_the_vector) {
  std::mt19937 rng(4);
  for (double range : {1e-9, 0.1, 1.0, 30.0}) {
    std::uniform_real_distribution<double> u(-range, range);
    for (int i = 0; i < 2000; ++i) {
      const Vec3 v{u(rng), u(rng), u(rng)};
      const Quat q = exp_quat(v);
      const double angle = length(v);
      const Vec3 axis = normalized(v);
      ASSERT_NEAR(q.x, axis.x * std::sin(angle), 1e-12);
      ASSERT_NEAR(q.y, axis.y * std::sin(angle), 1e-12);
      ASSERT_NEAR(q.z, axis.z * std::sin(angle), 1e-12);
      ASSERT_NEAR(q.w, std::cos(angle), 1e-12);
    }
  }
}

}  // namespace
}  // namespace pliant
