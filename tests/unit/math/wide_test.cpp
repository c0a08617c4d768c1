// Wide arithmetic lane by lane against the scalar code, bit for bit.
#include "math/wide.h"

#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

namespace pliant {
namespace {

bool same_bits(Real a, Real b) { return std::memcmp(&a, &b, sizeof a) == 0; }

RealW random_wide(std::mt19937& rng) {
  std::uniform_real_distribution<double> u(-10, 10);
  RealW r = splat(0);
  for (int i = 0; i < k_wide; ++i) r[i] = Real(u(rng));
  return r;
}

TEST(wide, selections_and_roots_match_the_scalar_bits) {
  std::mt19937 rng(1);
  for (int round = 0; round < 200; ++round) {
    const RealW a = random_wide(rng), b = random_wide(rng);
    const RealW lo = min(a, b), hi = max(a, b), size = abs(a), root = sqrt(abs(a));
    const RealW chosen = select(a < b, a, splat(7));
    for (int i = 0; i < k_wide; ++i) {
      EXPECT_TRUE(same_bits(lo[i], a[i] < b[i] ? a[i] : b[i]));
      EXPECT_TRUE(same_bits(hi[i], a[i] > b[i] ? a[i] : b[i]));
      EXPECT_TRUE(same_bits(size[i], std::abs(a[i])));
      EXPECT_TRUE(same_bits(root[i], std::sqrt(std::abs(a[i]))));
      EXPECT_TRUE(same_bits(chosen[i], a[i] < b[i] ? a[i] : Real(7)));
    }
  }
}

TEST(wide, any_sees_each_single_lane) {
  EXPECT_FALSE(any(splat(1) < splat(0)));
  for (int i = 0; i < k_wide; ++i) {
    RealW a = splat(1);
    a[i] = -1;
    EXPECT_TRUE(any(a < splat(0)));
    EXPECT_EQ(lane_bits(a < splat(0)), 1u << i);
  }
}

TEST(wide, cross_and_dot_are_those_of_each_lane) {
  std::mt19937 rng(2);
  const Vec3W a{random_wide(rng), random_wide(rng), random_wide(rng)};
  const Vec3W b{random_wide(rng), random_wide(rng), random_wide(rng)};
  const Vec3W c = cross(a, b);
  const RealW d = dot(a, b);
  for (int i = 0; i < k_wide; ++i) {
    EXPECT_TRUE(same_bits(c.x[i], a.y[i] * b.z[i] - a.z[i] * b.y[i]));
    EXPECT_TRUE(same_bits(c.y[i], a.z[i] * b.x[i] - a.x[i] * b.z[i]));
    EXPECT_TRUE(same_bits(c.z[i], a.x[i] * b.y[i] - a.y[i] * b.x[i]));
    EXPECT_TRUE(same_bits(d[i], a.x[i] * b.x[i] + a.y[i] * b.y[i] + a.z[i] * b.z[i]));
  }
}

TEST(wide, gather_and_scatter_move_the_right_components) {
  Vec4 table[64], out[64];
  for (int i = 0; i < 64; ++i) table[i] = {Real(i), Real(i + 100), Real(i + 200), Real(i + 300)};
  const std::int32_t index[8] = {5, 2, 30, 7, 11, 0, 31, 18};
  for (int stride : {1, 2}) {
    const Vec4W v = gather(table, index, stride);
    for (int k = 0; k < k_wide; ++k) {
      EXPECT_EQ(v.x[k], index[k] * stride);
      EXPECT_EQ(v.y[k], index[k] * stride + 100);
      EXPECT_EQ(v.z[k], index[k] * stride + 200);
      EXPECT_EQ(v.w[k], index[k] * stride + 300);
    }
    for (Vec4& o : out) o = {};
    scatter(out, index, v, stride);
    for (int k = 0; k < k_wide; ++k)
      EXPECT_EQ(0, std::memcmp(&out[index[k] * stride], &table[index[k] * stride], sizeof(Vec4)));
    EXPECT_EQ(out[3].w, 0);  // not named by any lane
  }
}

TEST(wide, scatter_leaves_the_other_lanes_alone) {
  Vec4 out[8];
  const std::int32_t index[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const Vec4W v{splat(1), splat(2), splat(3), splat(4)};
  scatter_lanes(out, index, v, 0b10100101u);
  for (int k = 0; k < k_wide; ++k) EXPECT_EQ(out[k].w, (0b10100101u >> k & 1) ? 4 : 0);
}

}  // namespace
}  // namespace pliant
