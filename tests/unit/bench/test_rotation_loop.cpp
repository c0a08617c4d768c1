// The loop that is timed finds rotations, and those that belong to its matrices.
#include <gtest/gtest.h>

#include <cmath>

#include "bench/kernels/rotation_loop.h"

namespace pliant::bench {
namespace {

using Matrix = std::array<double, 9>;  // row by row

double determinant(const Matrix& m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}
// R^T F, which is symmetric where R is the rotation nearest to F.
Matrix turned_back(const Matrix& r, const Matrix& f) {
  Matrix out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) out[3 * i + j] += r[3 * k + i] * f[3 * k + j];
  return out;
}

// Entries are of size one and rounded to 1e-7; where stretches nearly cancel, as of mirrored
// matrices, the rotation knows less. Seen to fail with the transposed rotation.
TEST(RotationLoop, FindsTheNearestRotations) {
  RotationLoop loop;
  loop.run();
  int flat = 0, mirrored = 0;
  for (int group = 0; group < 100; ++group)
    for (int lane = 0; lane < 8; ++lane) {
      const Matrix f = loop.matrix(group, lane), r = loop.rotation(group, lane);
      EXPECT_NEAR(determinant(r), 1, 1e-5);
      const Matrix own = turned_back(r, r), stretch = turned_back(r, f);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          EXPECT_NEAR(own[3 * i + j], i == j ? 1 : 0, 1e-5);
          EXPECT_NEAR(stretch[3 * i + j], stretch[3 * j + i], 1e-3);
        }
      flat += std::abs(determinant(f)) < 1e-6 ? 1 : 0;
      mirrored += determinant(f) < -1e-6 ? 1 : 0;
    }
  EXPECT_EQ(flat, 80);
  EXPECT_GT(mirrored, 70);
}

}  // namespace
}  // namespace pliant::bench
