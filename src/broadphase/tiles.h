// Pairs of boxes that meet, by a map of tiles (spec-rigid 6.2 to 6.4). Every item is in the tiles
// that its box, swept by the whole step, meets; the tiles at the border reach to infinity. Items
// are tested where they share a tile, each pair in the first tile that both are in.
#pragma once

#include <vector>

#include <pliant/defs.h>

#include "broadphase/local_sets.h"
#include "model/pairs.h"

namespace pliant {

// Tiles from lo to hi along each axis.
struct TileRange {
  std::int32_t lo[3], hi[3];
};

struct TileScratch {
  std::vector<TileRange> ranges;  // of each item
  std::uint32_t fixed_version = 0;
  ListOfLists live_in, fixed_in;      // of each tile, items
  std::vector<std::int32_t> moving;   // items
  std::vector<std::int32_t> place;    // of each item: where it is in `moving`
  ListOfLists tiles_of;               // beside `moving`
  std::vector<std::int32_t> offsets;  // of each item: tiles to each side, of relative_index
  SetMarks marks;
  LocalSets sets;  // of the last search
  std::vector<BoxPair> spare;
};

// The tiles of an item by the map's rule or detector. Each detector gives all tiles that the item's
// box meets, a rule of the user's what it likes.
// `offsets` is what relative_index has found enough for the item so far along each axis.
TileRange detect_tiles(const BoxList& list, std::int32_t item, const TileMap& map,
                       std::int32_t offsets[3]);

// The tile at i, j, k of the map.
std::int32_t tile_number(const TileMap& map, std::int32_t i, std::int32_t j, std::int32_t k);

// `pairs` is sorted by key. Returns the number of tests of two items.
std::int64_t find_pairs_tiles(const BoxList& list, const TileMap& map, TileScratch& scratch,
                              std::vector<BoxPair>& pairs);

}  // namespace pliant
