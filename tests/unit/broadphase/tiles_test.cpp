// Local collision sets and tile detectors of spec-rigid 6.2 to 6.4.
#include "broadphase/tiles.h"

#include <set>

#include <gtest/gtest.h>

#include "box_input.h"
#include "broadphase/brute.h"

namespace pliant {
namespace {

using Ints = std::vector<std::int32_t>;

ListOfLists lists(const std::vector<Ints>& of) {
  ListOfLists out;
  out.begin.push_back(0);
  for (const Ints& l : of) {
    out.entry.insert(out.entry.end(), l.begin(), l.end());
    out.begin.push_back(std::int32_t(out.entry.size()));
  }
  return out;
}

// Bodies by their tiles; those that move are the first.
struct Registered {
  std::vector<std::uint8_t> moves;
  Ints bodies, place;
  ListOfLists tiles_of, live_in, fixed_in;
  Registered(const std::vector<Ints>& tiles, int moving, int tile_count) {
    std::vector<Ints> own, live(std::size_t(tile_count), Ints{}), fixed = live;
    for (std::size_t b = 0; b < tiles.size(); ++b) {
      const bool moves_now = int(b) < moving;
      moves.push_back(moves_now);
      place.push_back(moves_now ? std::int32_t(b) : -1);
      if (moves_now) bodies.push_back(std::int32_t(b)), own.push_back(tiles[b]);
      for (const std::int32_t t : tiles[b])
        (moves_now ? live : fixed)[std::size_t(t)].push_back(std::int32_t(b));
    }
    tiles_of = lists(own), live_in = lists(live), fixed_in = lists(fixed);
  }
  LocalSets sets(std::vector<SetState>* trace = nullptr) const {
    SetMarks marks;
    LocalSets out;
    build_local_sets(
        {bodies, tiles_of, live_in, fixed_in, moves, place}, marks, out, [](std::int32_t) {},
        trace);
    return out;
  }
};

Ints members(const LocalSets& sets, std::int32_t n) {
  const auto span = sets.sets[n];
  return {span.begin(), span.end()};
}

// The worked trace of the spec: 4 x 4 tiles; A, C, B move, D is a wall.
TEST(local_sets, rigid_A12_trace_of_the_stacks) {
  enum { A, C, B, D };
  const Registered in({{0, 1, 4, 5}, {1, 2, 5, 6}, {10, 11, 14, 15}, {4, 8, 9, 10}}, 3, 16);
  std::vector<SetState> trace;
  const LocalSets sets = in.sets(&trace);
  ASSERT_EQ(sets.sets.size(), 2);
  EXPECT_EQ(members(sets, 0), (Ints{A, C, D}));
  EXPECT_EQ(members(sets, 1), (Ints{B, D}));
  EXPECT_EQ(pairs_in_sets(sets, in.moves), 4);  // AC, AD, CD, BD instead of six
  const std::vector<SetState> expected = {
      {{A}, {}, {A}},               // S0
      {{}, {0, 1, 4, 5}, {A}},      // S1
      {{C}, {0, 1, 4}, {A, C}},     // S2
      {{C}, {0, 1}, {A, C, D}},     // S3
      {{C}, {0}, {A, C, D}},        // S4
      {{C}, {}, {A, C, D}},         // S5
      {{}, {2, 6}, {A, C, D}},      // S6
      {{}, {2}, {A, C, D}},         // S7
      {{}, {}, {A, C, D}},          // S8
      {{B}, {}, {B}},               // S0'
      {{}, {10, 11, 14, 15}, {B}},  // S1'
      {{}, {10, 11, 14}, {B}},
      {{}, {10, 11}, {B}},
      {{}, {10}, {B}},
      {{}, {}, {B, D}},
  };
  ASSERT_EQ(trace.size(), expected.size());
  for (std::size_t n = 0; n < trace.size(); ++n) {
    EXPECT_EQ(trace[n].expand, expected[n].expand) << "state " << n;
    EXPECT_EQ(trace[n].tiles, expected[n].tiles) << "state " << n;
    EXPECT_EQ(trace[n].set, expected[n].set) << "state " << n;
  }
}

// Six bodies in sets {A, C}, {F}, {B, D, E}: 1 + 0 + 3 pairs instead of 15.
TEST(local_sets, rigid_A12_six_bodies) {
  enum { A, B, C, D, E, F };
  const Registered in({{0, 1}, {5, 6}, {1, 2}, {6, 7}, {7, 8}, {12}}, 6, 16);
  const LocalSets sets = in.sets();
  ASSERT_EQ(sets.sets.size(), 3);
  EXPECT_EQ(members(sets, 0), (Ints{A, C}));
  EXPECT_EQ(members(sets, 1), (Ints{B, D, E}));
  EXPECT_EQ(members(sets, 2), (Ints{F}));
  EXPECT_EQ(pairs_in_sets(sets, in.moves), 4);
  const Registered one_tile({{3}, {3}, {3}, {3}, {3}, {3}}, 6, 16);
  EXPECT_EQ(pairs_in_sets(one_tile.sets(), one_tile.moves), 15);
}

// By painting: the smallest number reaches everything that shares a tile with what has it.
std::vector<std::set<std::int32_t>> components(const std::vector<Ints>& tiles, int moving) {
  Ints colour(tiles.size());
  for (std::size_t n = 0; n < colour.size(); ++n) colour[n] = std::int32_t(n);
  const auto share = [&](std::size_t a, std::size_t b) {
    for (const std::int32_t t : tiles[a])
      if (std::find(tiles[b].begin(), tiles[b].end(), t) != tiles[b].end()) return true;
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t a = 0; a < std::size_t(moving); ++a)
      for (std::size_t b = 0; b < std::size_t(moving); ++b)
        if (colour[b] < colour[a] && share(a, b)) colour[a] = colour[b], changed = true;
  }
  std::vector<std::set<std::int32_t>> out;
  for (std::int32_t c = 0; c < moving; ++c) {
    if (colour[std::size_t(c)] != c) continue;
    std::set<std::int32_t> set;
    for (std::size_t a = 0; a < std::size_t(moving); ++a) {
      if (colour[a] != c) continue;
      set.insert(std::int32_t(a));
      for (std::size_t b = std::size_t(moving); b < tiles.size(); ++b)
        if (share(a, b)) set.insert(std::int32_t(b));
    }
    out.push_back(set);
  }
  return out;
}

TEST(local_sets, rigid_A12_sets_are_the_connected_components_of_1000_scenes) {
  std::mt19937 rng(1);
  int several = 0;
  for (int scene = 0; scene < 1000; ++scene) {
    std::vector<Ints> tiles(std::size_t(5 + rng() % 25));
    for (Ints& own : tiles) {
      std::set<std::int32_t> chosen;
      for (unsigned n = 0, count = 1 + rng() % 4; n < count; ++n) chosen.insert(rng() % 40);
      own.assign(chosen.begin(), chosen.end());
    }
    const int moving = int(1 + rng() % tiles.size());
    const Registered in(tiles, moving, 40);
    const LocalSets sets = in.sets();
    const auto expected = components(tiles, moving);
    ASSERT_EQ(sets.sets.size(), std::int32_t(expected.size()));
    for (std::int32_t n = 0; n < sets.sets.size(); ++n) {
      const Ints found = members(sets, n);
      const std::set<std::int32_t> as_set(found.begin(), found.end());
      ASSERT_EQ(found.size(), as_set.size());
      ASSERT_EQ(as_set, expected[std::size_t(n)]);
    }
    several += expected.size() > 1;
  }
  EXPECT_GT(several, 500);
}

// --- the search --------------------------------------------------------------------------------

const TileMap k_map{{0, 0, 0}, {10, 10, 10}, {5, 5, 5}, {}};

TEST(tiles, the_sets_of_a_search_can_be_read) {
  BoxInput in;
  in.add({1, 1, 1}, {0.5, 0.5, 0.5}, true);
  in.add({2, 1, 1}, {0.5, 0.5, 0.5}, true);
  in.add({9, 9, 9}, {0.5, 0.5, 0.5}, true);
  in.add_fixed({5, 0, 5}, {5, 0, 5});  // the floor joins nothing
  TileScratch scratch;
  std::vector<BoxPair> pairs;
  find_pairs_tiles(in.list(), k_map, scratch, pairs);
  ASSERT_EQ(scratch.sets.sets.size(), 2);
  EXPECT_EQ(members(scratch.sets, 0), (Ints{0, 1, 3}));
  EXPECT_EQ(members(scratch.sets, 1), (Ints{2}));
}

// What stands is not tested against what stands, even in one tile.
TEST(tiles, what_rests_is_not_tested) {
  BoxInput in;
  for (int n = 0; n < 10; ++n) in.add({1, 1, 1}, {0.1, 0.1, 0.1}, false);
  in.add({9, 9, 9}, {0.1, 0.1, 0.1}, true);
  TileScratch scratch;
  std::vector<BoxPair> pairs;
  EXPECT_EQ(find_pairs_tiles(in.list(), k_map, scratch, pairs), 0);
}

// A fast body passes a wall within the step. Registered where it begins or ends only, as the
// original was, it shares no tile with the wall.
TEST(tiles, rigid_A13_without_the_sweep_a_fast_body_is_missed) {
  const auto pairs_of = [](double half_way) {
    BoxInput in;
    in.add({3 + half_way, 5, 5}, {0.1 + half_way, 0.1, 0.1}, true);
    in.add_fixed({5, 5, 5}, {0.05, 1, 1});
    TileScratch scratch;
    std::vector<BoxPair> pairs;
    find_pairs_tiles(in.list(), k_map, scratch, pairs);
    return pairs.size();
  };
  EXPECT_EQ(pairs_of(2), 1u);  // from 3 to 7 m
  EXPECT_EQ(pairs_of(0), 0u);
}

// Points of turned boxes that are up to `grow` away from where they begin: their tiles must be
// found by every detector, inside the map, across its border and outside.
TEST(tiles, rigid_A13_detectors_find_all_tiles_of_a_body) {
  std::mt19937 rng(2);
  std::uniform_real_distribution<double> u(-1, 1), v(0, 1);
  for (int round = 0; round < 2000; ++round) {
    TileMap map = k_map;
    map.detector = TileDetector(round % 4);
    const Mat3 turn = to_matrix(normalized(Quat{u(rng), u(rng), u(rng), u(rng) + 1e-3}));
    BoxFrame frame;
    frame.centre = Vec3{5, 5, 5} + 8.0 * Vec3{u(rng), u(rng), u(rng)};
    frame.grow = Real(v(rng));
    const Vec3 half{2 * v(rng), 2 * v(rng), 2 * v(rng)};
    BoxInput in;
    Vec3 extent;
    for (int k = 0; k < 3; ++k) {
      extent[k] = 1e-5 + double(frame.grow);
      for (int j = 0; j < 3; ++j) extent[k] += std::abs(turn.row[k][j]) * half[j];
    }
    for (int j = 0; j < 3; ++j)
      frame.edge[j] = cast<Real>(half[j] * Vec3{turn.row[0][j], turn.row[1][j], turn.row[2][j]});
    in.add(frame.centre, extent, true);
    BoxList list = in.list();
    list.frames = {&frame, 1};
    std::int32_t offsets[3]{};
    const TileRange range = detect_tiles(list, 0, map, offsets);
    for (int n = 0; n < 50; ++n) {
      const Vec3 local = scaled(half, Vec3{u(rng), u(rng), u(rng)});
      const Vec3 way = double(frame.grow) * v(rng) * normalized(Vec3{u(rng), u(rng), u(rng)});
      const Vec3 point = frame.centre + turn * local + way;
      for (int k = 0; k < 3; ++k) {
        const int tile = std::min(std::max(int(std::floor(point[k] / 2)), 0), 4);
        ASSERT_LE(range.lo[k], tile) << "detector " << round % 4;
        ASSERT_GE(range.hi[k], tile) << "detector " << round % 4;
      }
    }
  }
}

// A list around the tile of the centre does for any place in it and any turn, so it is never made
// anew; where the body gets faster it becomes longer and stays so.
TEST(tiles, relative_index_is_made_once) {
  TileMap map = k_map;
  map.detector = TileDetector::relative_index;
  std::int32_t offsets[3]{};
  BoxInput slow, fast;
  slow.add({5, 5, 5}, {0.5, 0.5, 0.5}, true);
  fast.add({5, 5, 5}, {2.5, 0.5, 0.5}, true);
  const TileRange first = detect_tiles(slow.list(), 0, map, offsets);
  EXPECT_EQ(first.lo[0], 1);
  EXPECT_EQ(first.hi[0], 3);
  detect_tiles(fast.list(), 0, map, offsets);
  const TileRange later = detect_tiles(slow.list(), 0, map, offsets);
  EXPECT_EQ(later.lo[0], 0);
  EXPECT_EQ(later.hi[0], 4);
}

}  // namespace
}  // namespace pliant
