#include "broadphase/tiles.h"

#include <algorithm>

#include "broadphase/emit.h"
#include "broadphase/radix_sort.h"

namespace pliant {
namespace {

template <class Visit>
void each_tile(const TileMap& map, const TileRange& r, const Visit& visit) {
  for (std::int32_t i = r.lo[0]; i <= r.hi[0]; ++i)
    for (std::int32_t j = r.lo[1]; j <= r.hi[1]; ++j)
      for (std::int32_t k = r.lo[2]; k <= r.hi[2]; ++k) visit(tile_number(map, i, j, k));
}

// Of each tile, which of the items are in it, in their order.
void fill_tiles(const TileMap& map, std::span<const std::int32_t> items,
                const std::vector<TileRange>& ranges, ListOfLists& in) {
  const std::size_t tiles =
      std::size_t(map.count[0]) * std::size_t(map.count[1]) * std::size_t(map.count[2]);
  in.begin.assign(tiles + 1, 0);
  for (const std::int32_t i : items)
    each_tile(map, ranges[std::size_t(i)], [&](std::int32_t t) { ++in.begin[std::size_t(t) + 1]; });
  for (std::size_t t = 0; t < tiles; ++t) in.begin[t + 1] += in.begin[t];
  in.entry.resize(std::size_t(in.begin.back()));
  for (auto item = items.rbegin(); item != items.rend(); ++item)
    each_tile(map, ranges[std::size_t(*item)], [&](std::int32_t t) {
      in.entry[std::size_t(--in.begin[std::size_t(t) + 1])] = *item;
    });
  // The loop above has left in begin[t + 1] where list t begins.
  for (std::size_t t = 0; t < tiles; ++t) in.begin[t] = in.begin[t + 1];
  in.begin[tiles] = std::int32_t(in.entry.size());
}

void detect(const BoxList& list, const TileMap& map, std::span<const std::int32_t> items,
            TileScratch& s) {
  for (const std::int32_t i : items)
    s.ranges[std::size_t(i)] = detect_tiles(list, i, map, &s.offsets[3 * std::size_t(i)]);
}

void list_moving(const BoxList& list, const TileMap& map, TileScratch& s) {
  s.moving.clear();
  s.place.resize(list.boxes.size());
  s.tiles_of.begin.assign(1, 0);
  s.tiles_of.entry.clear();
  for (const std::int32_t i : list.live) {
    if (!list.moves[i]) continue;
    s.place[std::size_t(i)] = std::int32_t(s.moving.size());
    s.moving.push_back(i);
    each_tile(map, s.ranges[std::size_t(i)],
              [&](std::int32_t t) { s.tiles_of.entry.push_back(t); });
    s.tiles_of.begin.push_back(std::int32_t(s.tiles_of.entry.size()));
  }
}

// Whether t is the first tile that both are in, given that they share it.
bool is_first(const TileMap& map, const TileRange& a, const TileRange& b, std::int32_t t) {
  return t == tile_number(map, std::max(a.lo[0], b.lo[0]), std::max(a.lo[1], b.lo[1]),
                          std::max(a.lo[2], b.lo[2]));
}

std::int64_t test_tile(const BoxList& list, const TileMap& map, const TileScratch& s,
                       std::int32_t t, std::vector<BoxPair>& pairs) {
  std::int64_t tests = 0;
  const auto test = [&](std::int32_t i, std::int32_t j) {
    if (!is_first(map, s.ranges[std::size_t(i)], s.ranges[std::size_t(j)], t)) return;
    ++tests;
    if (boxes_meet(list.boxes[i], list.boxes[j])) emit(list, i, j, pairs);
  };
  const std::span<const std::int32_t> live = s.live_in[t], fixed = s.fixed_in[t];
  for (std::size_t n = 0; n < live.size(); ++n) {
    const bool moves = list.moves[live[n]] != 0;
    for (std::size_t m = n + 1; m < live.size(); ++m)
      if (moves || list.moves[live[m]]) test(live[n], live[m]);
    if (!moves) continue;
    for (const std::int32_t f : fixed) test(live[n], f);
  }
  return tests;
}

}  // namespace

std::int64_t pairs_in_sets(const LocalSets& sets, std::span<const std::uint8_t> moves) {
  std::int64_t pairs = 0;
  for (std::int32_t n = 0; n < sets.sets.size(); ++n) {
    std::int64_t moving = 0, all = 0;
    for (const std::int32_t b : sets.sets[n]) {
      moving += moves[std::size_t(b)] ? 1 : 0;
      ++all;
    }
    const std::int64_t standing = all - moving;
    pairs += all * (all - 1) / 2 - standing * (standing - 1) / 2;
  }
  return pairs;
}

std::int64_t find_pairs_tiles(const BoxList& list, const TileMap& map, TileScratch& s,
                              std::vector<BoxPair>& pairs) {
  pairs.clear();
  s.ranges.resize(list.boxes.size());
  s.offsets.resize(3 * list.boxes.size());
  if (s.fixed_version != list.fixed_version) {
    s.fixed_version = list.fixed_version;
    detect(list, map, list.fixed, s);
    fill_tiles(map, list.fixed, s.ranges, s.fixed_in);
  }
  detect(list, map, list.live, s);
  fill_tiles(map, list.live, s.ranges, s.live_in);
  list_moving(list, map, s);
  std::int64_t tests = 0;
  const SetInput in{s.moving, s.tiles_of, s.live_in, s.fixed_in, list.moves, s.place};
  build_local_sets(in, s.marks, s.sets,
                   [&](std::int32_t t) { tests += test_tile(list, map, s, t, pairs); });
  tests += test_planes(list, pairs);
  sort_pairs(pairs, s.spare);
  return tests;
}

}  // namespace pliant
