// Closest points against dense sampling.
#include <gtest/gtest.h>

#include "geometry/closest_point.h"
#include "random_points.h"

namespace pliant {
namespace {

using test::Random;

template <class Value>
double least_by_sampling(int n, const Value& value) {
  double least = 1e300;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n - i; ++j) least = std::min(least, value(double(i) / n, double(j) / n));
  return least;
}

TEST(ClosestPoint, on_a_triangle) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3 a = random.point(1), b = random.point(1), c = random.point(1), p = random.point(2);
    const auto w = closest_on_triangle(p, a, b, c);
    EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-12);
    for (const double x : w) EXPECT_GE(x, -1e-12);
    const double found = length(a * w[0] + b * w[1] + c * w[2] - p);
    const double sampled = least_by_sampling(
        60, [&](double s, double t) { return length(a * (1 - s - t) + b * s + c * t - p); });
    EXPECT_LE(found, sampled + 1e-12);
    EXPECT_GE(found, sampled - 0.08);  // the samples' spacing
  }
}

TEST(ClosestPoint, on_a_triangle_in_single_precision) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3 a = random.point(1), b = random.point(1), c = random.point(1), p = random.point(2);
    const auto w = closest_on_triangle(p, a, b, c);
    const auto f =
        closest_on_triangle(cast<float>(p), cast<float>(a), cast<float>(b), cast<float>(c));
    const auto distance = [&](double x, double y, double z) {
      return length(a * x + b * y + c * z - p);
    };
    EXPECT_NEAR(distance(double(f[0]), double(f[1]), double(f[2])), distance(w[0], w[1], w[2]),
                1e-3);
  }
}

TEST(ClosestPoint, on_two_segments) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3 p1 = random.point(1), q1 = random.point(1), p2 = random.point(1),
               q2 = trial % 10 == 0 ? p2 + (q1 - p1) * 0.7 : random.point(1);  // some parallel
    const SegmentPair found = closest_on_segments(p1, q1, p2, q2);
    const auto distance = [&](double s, double t) {
      return length(p1 + (q1 - p1) * s - p2 - (q2 - p2) * t);
    };
    double sampled = 1e300;
    for (int i = 0; i <= 80; ++i)
      for (int j = 0; j <= 80; ++j) sampled = std::min(sampled, distance(i / 80., j / 80.));
    EXPECT_LE(distance(found.s, found.t), sampled + 1e-9);
    EXPECT_GE(distance(found.s, found.t), sampled - 0.08);
  }
}

}  // namespace
}  // namespace pliant
