// Pairs of boxes that meet, by trees of bounding spheres: one over what moves or may move, the
// other over what is fixed. The spheres of two items that meet leave the last word to their boxes.
#pragma once

#include <vector>

#include "broadphase/packed_order.h"

namespace pliant {

struct SphereTree {
  struct Group {
    RealW x, y, z;  // m, the centres of each place, or of each group below
    RealW radius;   // m; empty ones have -infinity
  };
  PackedOrder order;
  std::vector<Group> groups;  // by level
};

struct SphereScratch {
  SphereTree live, fixed;
  std::uint32_t fixed_version = 0;
  std::vector<std::int32_t> known;
  int age = 0;
  std::vector<BoxPair> spare;
};

// `pairs` is sorted by key. Returns the number of tests of two items.
std::int64_t find_pairs_spheres(const BoxList& list, SphereScratch& scratch,
                                std::vector<BoxPair>& pairs);

}  // namespace pliant
