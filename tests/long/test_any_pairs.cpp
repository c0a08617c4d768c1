// 10^5 random pairs of all kinds of shapes, with hulls, meshes, compounds, height fields and users'
// shapes, against the brute-force twin; in parts, so that several can run at once.
#include <gtest/gtest.h>

#include "unit/narrowphase/any_checks.h"

namespace pliant {
namespace {

constexpr int k_parts = 4, k_pairs = 25000;

class any_pairs_long : public testing::TestWithParam<int> {};

TEST_P(any_pairs_long, distances_overlaps_and_contacts_match_the_twin) {
  std::mt19937 rng(unsigned(71 + GetParam()));
  twin::Seen seen;
  for (int n = 0; n < k_pairs; ++n) {
    const twin::AnyPair p = twin::any_pair(n, rng);
    EXPECT_EQ(twin::fault_at_rest(p, seen), "") << twin::pairing_name(n);
  }
  EXPECT_GT(seen.apart, k_pairs / 4);
  EXPECT_GT(seen.overlapping, k_pairs / 5);
  EXPECT_GT(seen.contacts, k_pairs / 8);
  EXPECT_LT(seen.off, k_pairs / 2000);
}

TEST_P(any_pairs_long, times_of_impact_match_the_twin) {
  std::mt19937 rng(unsigned(81 + GetParam()));
  twin::Seen seen;
  for (int n = 0; n < k_pairs; ++n) {
    twin::AnyPair p = twin::any_pair(n, rng);
    twin::set_in_motion(p, rng);
    const ImpactTime method = n % 2 == 0 ? ImpactTime::advancement : ImpactTime::bisection;
    EXPECT_EQ(twin::fault_in_motion(p, method, 1, seen), "") << twin::pairing_name(n);
  }
  EXPECT_GT(seen.touching, k_pairs / 4);
  EXPECT_GT(seen.missing, k_pairs / 25);
}

INSTANTIATE_TEST_SUITE_P(parts, any_pairs_long, testing::Range(0, k_parts));

}  // namespace
}  // namespace pliant
