// Every broad phase against all-pairs search, on random and on awkward input.
#include "broadphase/find_pairs.h"

#include <gtest/gtest.h>

#include "box_input.h"
#include "broadphase/brute.h"

namespace pliant {
namespace {

struct Method {
  const char* name;
  BroadPhase phase;
  TileDetector detector;
};
const Method k_methods[] = {
    {"sweep", BroadPhase::sweep, {}},
    {"bvh", BroadPhase::bvh, {}},
    {"sphere_tree", BroadPhase::sphere_tree, {}},
    {"brute", BroadPhase::brute, {}},
    {"tiles by box", BroadPhase::tiles, TileDetector::box},
    {"tiles by rotated_box", BroadPhase::tiles, TileDetector::rotated_box},
    {"tiles by relative_index", BroadPhase::tiles, TileDetector::relative_index},
    {"tiles by mask_points", BroadPhase::tiles, TileDetector::mask_points},
};

// A search with memory of its own for each method, which goes on from scene to scene.
struct Searches {
  PairScratch memory[std::size(k_methods)];
  TileMap map{{-2, -2, -2}, {2, 2, 2}, {5, 4, 7}, {}};
  std::int32_t tests[std::size(k_methods)]{};

  std::vector<BoxPair> find(std::size_t n, const BoxList& list) {
    TileMap tiles = map;
    tiles.detector = k_methods[n].detector;
    std::vector<BoxPair> pairs;
    tests[n] = find_pairs({k_methods[n].phase, tiles}, list, memory[n], pairs);
    return pairs;
  }
};

void expect_same(const BoxInput& in, Searches& searches, std::size_t at_least = 0) {
  std::vector<BoxPair> brute;
  find_pairs_brute(in.list(), brute);
  ASSERT_GE(brute.size(), at_least);
  for (std::size_t n = 0; n < std::size(k_methods); ++n) {
    const std::vector<BoxPair> found = searches.find(n, in.list());
    ASSERT_EQ(found.size(), brute.size()) << k_methods[n].name;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].key, brute[i].key) << k_methods[n].name;
      ASSERT_EQ(found[i].a, brute[i].a);
      ASSERT_EQ(found[i].b, brute[i].b);
    }
    if (k_methods[n].phase != BroadPhase::brute) {
      EXPECT_GE(searches.tests[n], std::int32_t(brute.size())) << k_methods[n].name;
    }
  }
}
void expect_same(const BoxInput& in, std::size_t at_least = 0) {
  Searches searches;
  expect_same(in, searches, at_least);
}

// Mixed sizes: many outside of the map, many larger than a tile.
TEST(find_pairs, thousand_random_scenes_as_by_brute_force) {
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> u(-1, 1), v(0, 1);
  for (int round = 0; round < 1000; ++round) {
    BoxInput in = random_boxes(rng, 1 + round % 90, 0.5 + 3 * v(rng), 0.1 + v(rng));
    if (round % 3 == 0) {
      const Vec3 n = normalized(Vec3{u(rng), u(rng), u(rng)});
      in.add_plane(cast<Real>(n), Real(u(rng)), round % 2 == 0);
    }
    if (round % 5 == 0) in.add({u(rng), u(rng), u(rng)}, {20, 20 * v(rng), 20}, round % 2 == 0);
    if (round % 7 == 0) in.add_fixed({0, -3, 0}, {1e4, 1, 1e4});
    ASSERT_NO_FATAL_FAILURE(expect_same(in)) << "scene " << round;
  }
}

// The trees keep their order for some searches; what is fixed is kept for longer.
TEST(find_pairs, goes_on_when_things_move_sleep_come_and_go) {
  std::mt19937 rng(2);
  std::uniform_real_distribution<double> u(-1, 1), v(0, 1);
  Searches searches;
  BoxInput in = random_boxes(rng, 120, 3, 0.5);
  for (int step = 0; step < 200; ++step) {
    for (const std::int32_t i : in.live) {
      const Vec3 way = 0.2 * Vec3{u(rng), u(rng), u(rng)};
      for (int k = 0; k < 3; ++k) {
        in.boxes[std::size_t(i)].lo[k] += Real(way[k]);
        in.boxes[std::size_t(i)].hi[k] += Real(way[k]);
      }
      if (v(rng) < 0.01) in.moves[std::size_t(i)] ^= 1;
    }
    if (step % 10 == 3) in.add({u(rng), u(rng), u(rng)}, {0.4, 0.2, 0.3}, true);
    if (step % 10 == 5) in.add_fixed({u(rng), u(rng), u(rng)}, {0.4, 0.2, 0.3});
    if (step % 10 == 8) in.live.erase(in.live.begin() + step % 7);
    if (step % 20 == 9) in.fixed.erase(in.fixed.begin() + step % 5), ++in.version;
    ASSERT_NO_FATAL_FAILURE(expect_same(in, searches, 10)) << "step " << step;
  }
}

// The control of the test above: a change of what is fixed that nobody is told of is not seen.
TEST(find_pairs, what_is_fixed_is_kept_while_its_version_is_the_same) {
  std::mt19937 rng(3);
  for (std::size_t n = 0; n < std::size(k_methods); ++n) {
    if (k_methods[n].phase == BroadPhase::brute) continue;
    Searches searches;
    BoxInput in = random_boxes(rng, 200, 1, 0.5);
    const std::vector<BoxPair> before = searches.find(n, in.list());
    in.fixed.resize(in.fixed.size() / 2);
    EXPECT_EQ(searches.find(n, in.list()).size(), before.size()) << k_methods[n].name;
    ++in.version;
    EXPECT_LT(searches.find(n, in.list()).size(), before.size()) << k_methods[n].name;
  }
}

TEST(find_pairs, equal_flat_and_touching_boxes) {
  BoxInput in;
  for (int i = 0; i < 20; ++i) in.add({1, 2, 3}, {0, 0, 0}, true);  // points on one spot
  for (int i = 0; i < 20; ++i) in.add({double(i), 0, 0}, {0.5, 0.5, 0.5}, true);  // faces touch
  for (int i = 0; i < 10; ++i) in.add({0, -1, 0}, {5, 0, 5}, i % 2 == 0);         // flat
  for (int i = 0; i < 10; ++i) in.add_fixed({double(i), 1, 0}, {0.5, 0.5, 0.5});
  in.add({-0.0, 0, 0}, {0, 0, 0}, true);
  expect_same(in, 190);
}

// Far from the origin spheres and frames round more.
TEST(find_pairs, far_from_the_origin) {
  std::mt19937 rng(4);
  BoxInput in = random_boxes(rng, 300, 3, 0.8);
  for (BoxAabb& b : in.boxes)
    for (int k = 0; k < 3; ++k) b.lo[k] += Real(70000), b.hi[k] += Real(70000);
  expect_same(in, 100);
}

TEST(find_pairs, nothing_and_one) {
  expect_same({});
  BoxInput one;
  one.add({}, {1, 1, 1}, true);
  expect_same(one);
  BoxInput still;
  still.add({}, {1, 1, 1}, false);
  still.add({}, {1, 1, 1}, false);
  still.add_fixed({}, {1, 1, 1});
  expect_same(still);
  one.add_fixed({}, {1, 1, 1});
  expect_same(one, 1);
}

// spec-rigid A24, the exact half of it: ten times as many fixed boxes far away.
TEST(find_pairs, rigid_A24_distant_fixed_boxes_change_neither_pairs_nor_tests) {
  for (std::size_t n = 0; n < std::size(k_methods); ++n) {
    if (k_methods[n].phase == BroadPhase::brute) continue;
    std::mt19937 rng(5);
    Searches searches;
    std::uniform_real_distribution<double> u(-1, 1);
    BoxInput in = random_boxes(rng, 600, 1.5, 0.2);
    const std::vector<BoxPair> before = searches.find(n, in.list());
    const std::int32_t tests = searches.tests[n];
    Searches fresh;  // trees of a first search: their order does not depend on searches before
    for (int i = 0; i < 1200; ++i)
      in.add_fixed({100 + 50 * u(rng), 40 * u(rng), 200 * u(rng)}, {0.1, 0.05, 0.2});
    const std::vector<BoxPair> after = fresh.find(n, in.list());
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].key, after[i].key);
    // Tiles at the border of the map hold what is beyond it.
    if (k_methods[n].phase != BroadPhase::tiles) {
      EXPECT_EQ(tests, fresh.tests[n]) << k_methods[n].name;
    }
  }
}

TEST(find_pairs, a_distant_box_changes_neither_pairs_nor_order) {
  std::mt19937 rng(6);
  BoxInput in = random_boxes(rng, 300, 2.0, 0.3);
  Searches searches;
  const std::vector<BoxPair> before = searches.find(0, in.list());
  in.add({0, 5000, 900}, {100, 1, 1}, true);
  const std::vector<BoxPair> after = searches.find(0, in.list());
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].key, after[i].key);
}

}  // namespace
}  // namespace pliant
