// The sweep against all-pairs search on random and on awkward input.
#include "broadphase/sweep.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Input {
  std::vector<BoxAabb> boxes;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint8_t> moves;
  std::vector<BoxPlane> planes;
  BoxList list() const { return {boxes, keys, moves, planes}; }
  void add(const Vec3& c, const Vec3& e, bool moving) {
    boxes.push_back({{Real(c.x - e.x), Real(c.y - e.y), Real(c.z - e.z)},
                     {Real(c.x + e.x), Real(c.y + e.y), Real(c.z + e.z)}});
    keys.push_back(std::uint32_t(keys.size()));
    moves.push_back(moving);
  }
};

Input random_input(std::mt19937& rng, int n, double spread, double size) {
  std::uniform_real_distribution<double> u(-1, 1), v(0, 1);
  Input in;
  for (int i = 0; i < n; ++i)
    in.add({spread * u(rng), spread * u(rng), spread * u(rng)},
           {size * v(rng), size * v(rng), size * v(rng)}, v(rng) < 0.7);
  std::shuffle(in.keys.begin(), in.keys.end(), rng);
  return in;
}

void expect_same(const Input& in, std::size_t at_least = 0) {
  SweepScratch scratch;
  std::vector<BoxPair> fast, brute;
  find_pairs_sweep(in.list(), scratch, fast);
  find_pairs_brute(in.list(), brute);
  ASSERT_EQ(fast.size(), brute.size());
  ASSERT_GE(brute.size(), at_least);
  for (std::size_t i = 0; i < fast.size(); ++i) {
    ASSERT_EQ(fast[i].key, brute[i].key);
    ASSERT_EQ(fast[i].a, brute[i].a);
    ASSERT_EQ(fast[i].b, brute[i].b);
    ASSERT_LT(in.keys[fast[i].a], in.keys[fast[i].b]);
  }
}

TEST(sweep, matches_brute_force_on_random_boxes) {
  std::mt19937 rng(1);
  for (int round = 0; round < 60; ++round)
    expect_same(random_input(rng, 1 + round * 9, 2.0, 0.2 + 0.02 * round), round > 10 ? 5 : 0);
}

TEST(sweep, matches_brute_force_with_planes_and_huge_boxes) {
  std::mt19937 rng(2);
  for (int round = 0; round < 20; ++round) {
    Input in = random_input(rng, 200, 3.0, 0.3);
    in.add({0, -3, 0}, {1e4, 1, 1e4}, false);
    in.add({1, 1, 1}, {50, 50, 50}, true);
    in.add({}, {}, false);
    in.planes.push_back({std::int32_t(in.boxes.size()) - 1, {0, 1, 0}, -1});
    in.add({}, {}, false);
    in.planes.push_back({std::int32_t(in.boxes.size()) - 1, {Real(0.6), Real(-0.8), 0}, -2});
    expect_same(in, 100);
  }
}

TEST(sweep, equal_flat_and_touching_boxes) {
  Input in;
  for (int i = 0; i < 20; ++i) in.add({1, 2, 3}, {0, 0, 0}, true);  // points on one spot
  for (int i = 0; i < 20; ++i) in.add({double(i), 0, 0}, {0.5, 0.5, 0.5}, true);  // faces touch
  for (int i = 0; i < 10; ++i) in.add({0, -1, 0}, {5, 0, 5}, i % 2 == 0);         // flat
  in.add({-0.0, 0, 0}, {0, 0, 0}, true);
  expect_same(in, 190);
}

TEST(sweep, nothing_and_one) {
  expect_same({});
  Input one;
  one.add({}, {1, 1, 1}, true);
  expect_same(one);
  Input still;
  still.add({}, {1, 1, 1}, false);
  still.add({}, {1, 1, 1}, false);
  expect_same(still);
}

TEST(sweep, a_distant_box_changes_neither_pairs_nor_order) {
  std::mt19937 rng(3);
  Input in = random_input(rng, 300, 2.0, 0.3);
  SweepScratch scratch;
  std::vector<BoxPair> before, after;
  find_pairs_sweep(in.list(), scratch, before);
  in.add({0, 5000, 900}, {100, 1, 1}, true);
  find_pairs_sweep(in.list(), scratch, after);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].key, after[i].key);
}

}  // namespace
}  // namespace pliant
