// Angles of eight lanes against the standard library.
#include "math/wide_trig.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr double k_error = sizeof(Real) == sizeof(double) ? 1e-14 : 5e-7;

TEST(wide_trig, atan2_of_random_points_and_axes) {
  std::mt19937 rng(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int round = 0; round < 2000; ++round) {
    RealW x = splat(0), y = splat(0);
    for (int i = 0; i < k_wide; ++i) {
      x[i] = Real(u(rng) * std::pow(10, 4 * u(rng)));
      y[i] = Real(u(rng) * std::pow(10, 4 * u(rng)));
    }
    const RealW angle = atan2(y, x);
    for (int i = 0; i < k_wide; ++i)
      ASSERT_NEAR(double(angle[i]), std::atan2(double(y[i]), double(x[i])), k_error);
  }
  const RealW x = {1, 0, -1, 0, 1, -1, -1, 0}, y = {0, 1, 0, -1, 1, 1, -1, 0};
  const RealW angle = atan2(y, x);
  const double quarter = 1.5707963267948966;
  const double expected[] = {0,           quarter,       2 * quarter,    -quarter,
                             quarter / 2, 1.5 * quarter, -1.5 * quarter, 0};
  for (int i = 0; i < k_wide; ++i) EXPECT_NEAR(double(angle[i]), expected[i], k_error) << i;
}

// Small angles keep their digits: what makes the hinge regular when flat.
TEST(wide_trig, small_angles_are_relative) {
  for (const double t : {1e-3, -1e-5, 1e-7}) {
    const RealW angle = atan2(splat(Real(t)), splat(1));
    EXPECT_NEAR(double(angle[3]), std::atan(t), std::abs(t) * 1e-6);
  }
}

}  // namespace
}  // namespace pliant
