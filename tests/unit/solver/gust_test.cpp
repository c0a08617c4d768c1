// Gusts have the strength asked for, no mean, and depend on seed and time alone.
#include "solver/gust.h"

#include <cmath>

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Gust, has_the_strength_asked_for_and_no_mean) {
  for (const int seed : {0, 1, 77}) {
    Vec3 sum, squares;
    const int samples = 200000;  // 10000 periods
    for (int n = 0; n < samples; ++n) {
      const Vec3 u = gust({3, 2, seed}, n * 0.1);
      sum += u;
      squares += scaled(u, u);
    }
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(sum[k] / samples, 0, 0.01) << seed;
      EXPECT_NEAR(std::sqrt(squares[k] / samples), 3, 0.03) << seed;
    }
  }
}

TEST(Gust, depends_on_the_seed_and_on_nothing_before) {
  const Vec3 first = gust({3, 2, 5}, 12.5);
  gust({3, 2, 5}, 99);
  EXPECT_EQ(gust({3, 2, 5}, 12.5), first);
  EXPECT_GT(length(gust({3, 2, 6}, 12.5) - first), 0.01);
  EXPECT_EQ(gust({0, 2, 5}, 12.5), Vec3{});
}

// It changes within a period and hardly within a hundredth: the greatest frequency is 2.9 / T.
TEST(Gust, changes_with_its_period) {
  double change = 0, near_change = 0;
  for (int n = 0; n < 100; ++n) {
    const double t = n * 0.7;
    change = std::max(change, length(gust({1, 2, 3}, t + 1) - gust({1, 2, 3}, t)));
    near_change = std::max(near_change, length(gust({1, 2, 3}, t + 0.02) - gust({1, 2, 3}, t)));
  }
  EXPECT_GT(change, 1.0);
  EXPECT_LT(near_change, 6.28 * 2.9 * 0.01 * std::sqrt(2.0 * 8) * std::sqrt(3.0));
}

}  // namespace
}  // namespace pliant
