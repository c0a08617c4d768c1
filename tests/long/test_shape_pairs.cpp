// 10^5 random pairs of random convex shapes against the brute-force twin.
#include <gtest/gtest.h>

#include "unit/narrowphase/pair_twin.h"

namespace pliant {
namespace {

TEST(shape_pairs_long, a_hundred_thousand_pairs_match_the_twin) {
  std::mt19937 rng(21);
  int near = 0, overlapping = 0;
  for (int i = 0; i < 100000; ++i) {
    const twin::Pair p =
        twin::random_pair(i % twin::k_shapes, i / twin::k_shapes % twin::k_shapes, rng);
    const double expected = twin::signed_distance(p);
    const PairContact c = collide_convex(twin::geometry(p));
    ASSERT_GT(c.count, 0) << i;
    const double found = twin::deepest(c);
    ASSERT_NEAR(twin::gap_along(p, normalized(cast<double>(c.normal))), found, 5e-4) << i;
    ASSERT_LT(expected, found + 5e-4) << i;
    near += expected > found - 5e-4;
    overlapping += expected < 0;
  }
  EXPECT_GT(near, 97000);
  EXPECT_GT(overlapping, 20000);
}

}  // namespace
}  // namespace pliant
