// 10^5 random pairs of random convex shapes against the brute-force twin.
#include <gtest/gtest.h>

#include "unit/narrowphase/moving_twin.h"

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

TEST(shape_pairs_long, a_hundred_thousand_times_of_impact_match_the_twin) {
  std::mt19937 rng(22);
  int touching = 0;
  for (int i = 0; i < 100000; ++i) {
    const twin::MovingPair m =
        twin::random_motion(i % twin::k_shapes, i / twin::k_shapes % twin::k_shapes, rng);
    const ImpactTime method = i % 2 == 0 ? ImpactTime::advancement : ImpactTime::bisection;
    const Impact impact = twin::find(m, 1, {.method = method, .gap = 1e-5, .iterations = 1000});
    ASSERT_EQ(twin::fault_of(m, 1, impact, 1), "") << i;
    touching += impact.kind == Impact::Kind::touch;
  }
  EXPECT_GT(touching, 30000);
}

}  // namespace
}  // namespace pliant
