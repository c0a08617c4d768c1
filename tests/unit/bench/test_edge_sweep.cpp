// The two loops that are timed against each other do the same work, to the bit.
#include <gtest/gtest.h>

#include <cmath>

#include "bench/kernels/edge_sweep.h"

namespace pliant::bench {
namespace {

std::vector<Vec3> grid(int n) {
  std::vector<Vec3> out;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) out.push_back({0.01 * x, 0, 0.01 * y});
  return out;
}

double mean_error(const std::vector<Vec3>& x, int n) {
  double sum = 0;
  for (int i = 0; i < n * (n - 1); ++i)
    sum += std::abs(length(x[std::size_t(i + n)] - x[std::size_t(i)]) - 0.01);
  return sum / (n * (n - 1));
}

TEST(EdgeSweep, WideAndOneByOneHaveTheSameBits) {
  for (const int n : {2, 3, 7, 20}) {  // with and without unused lanes
    EdgeSweep wide(grid(n), 1e-5), single(grid(n), 1e-5);
    std::vector<Vec3> start, a, b;
    wide.positions(start);
    for (int sweep = 0; sweep < 5; ++sweep) wide.run_wide(), single.run_one_by_one();
    wide.positions(a);
    single.positions(b);
    ASSERT_EQ(a.size(), b.size());
    double moved = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].x, b[i].x) << n << ": " << i;
      EXPECT_EQ(a[i].y, b[i].y) << n << ": " << i;
      EXPECT_EQ(a[i].z, b[i].z) << n << ": " << i;
      moved += length(a[i] - start[i]);
    }
    EXPECT_GT(moved, 0);
  }
}

TEST(EdgeSweep, SweepsBringEdgesToTheirLengths) {
  EdgeSweep sweep(grid(20), 1e-5);
  EXPECT_EQ(sweep.edges(), 3 * 19 * 19);
  std::vector<Vec3> x;
  sweep.positions(x);
  const double before = mean_error(x, 20);
  for (int n = 0; n < 50; ++n) sweep.run_one_by_one();
  sweep.positions(x);
  EXPECT_LT(mean_error(x, 20), 0.1 * before);
}

}  // namespace
}  // namespace pliant::bench
