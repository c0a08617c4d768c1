// All kinds of shapes against all: hulls, meshes, compounds, height fields and users' shapes among
// them. tests/long has 10^5 of these pairs.
#include <gtest/gtest.h>

#include "unit/narrowphase/any_checks.h"

namespace pliant {
namespace {

TEST(any_pair, distances_overlaps_and_contacts_match_the_twin) {
  std::mt19937 rng(61);
  twin::Seen seen;
  for (int n = 0; n < 2 * twin::k_pairings; ++n) {
    const twin::AnyPair p = twin::any_pair(n, rng);
    EXPECT_EQ(twin::fault_at_rest(p, seen), "") << twin::pairing_name(n);
  }
  EXPECT_GT(seen.apart, 80);
  EXPECT_GT(seen.overlapping, 50);
  EXPECT_GT(seen.contacts, 50);
  EXPECT_EQ(seen.off, 0);
}

TEST(any_pair, times_of_impact_match_the_twin) {
  std::mt19937 rng(62);
  twin::Seen seen;
  for (int n = 0; n < 2 * twin::k_pairings; ++n) {
    twin::AnyPair p = twin::any_pair(n, rng);
    twin::set_in_motion(p, rng);
    const ImpactTime method = n % 2 == 0 ? ImpactTime::advancement : ImpactTime::bisection;
    EXPECT_EQ(twin::fault_in_motion(p, method, 2, seen), "") << twin::pairing_name(n);
  }
  EXPECT_GT(seen.touching, 80);
  EXPECT_GT(seen.missing, 10);
}

// A triangle of this compound passes the box, parts from it and meets it again within four safe
// steps: halving alone led to the second time.
TEST(any_pair, bisection_finds_the_first_of_two_meetings) {
  constexpr int k_pair = 2521;
  std::mt19937 rng(81);
  twin::AnyPair p;
  for (int n = 0; n <= k_pair; ++n) {
    p = twin::any_pair(n, rng);
    twin::set_in_motion(p, rng);
  }
  twin::Seen seen;
  EXPECT_EQ(twin::fault_in_motion(p, ImpactTime::bisection, 2, seen), "");
  EXPECT_EQ(seen.touching, 1);
}

// The twin must see a shape that is a centimetre larger, and an answer that comes late.
TEST(any_pair, control_the_twin_sees_a_centimetre) {
  std::mt19937 rng(63);
  int seen_faults = 0, pairs = 0;
  twin::Seen seen;
  for (int n = 0; n < 2 * twin::k_all_kinds; ++n) {
    twin::AnyPair p = twin::any_pair(0, n % twin::k_all_kinds, rng);  // a ball
    if (twin::is<UserShape>(p)) continue;                             // is not known that well
    p.made_a = make_convex(Sphere{std::get<Sphere>(p.shape_a).radius + 0.01});
    ++pairs;
    seen_faults += !twin::fault_at_rest(p, seen).empty();
  }
  EXPECT_EQ(seen_faults, pairs);
}

}  // namespace
}  // namespace pliant
