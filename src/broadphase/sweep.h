// Pairs of boxes that meet, by sorting along one axis and testing eight successors at a time. What
// is fixed is in a tree.
// The pairs and their order depend on the boxes and keys of each pair alone.
#pragma once

#include <vector>

#include "broadphase/bvh.h"
#include "core/pool.h"
#include "model/pairs.h"

namespace pliant {

// Scratch of a search; keeps its capacity.
struct SweepScratch {
  struct Sorted {
    std::uint64_t order;  // the lower end along the axis, as an unsigned number of the same order
    std::int32_t item;
  };
  std::vector<Sorted> sorted, spare;
  std::vector<Real> side[6];  // lo and hi of the three axes in sorted order
  std::vector<std::int32_t> item;
  std::vector<std::int32_t> large;
  // What a block of sorted items has found.
  struct Found {
    std::vector<BoxPair> pairs;
    std::int64_t tests;
  };
  std::vector<Found> found;
  std::vector<BoxPair> pairs;
};

// `pairs` is sorted by key. Returns the number of tests of two items.
std::int64_t find_pairs_sweep(const BoxList& list, SweepScratch& scratch, FixedTree& fixed,
                              TaskPool* pool, std::vector<BoxPair>& pairs);

}  // namespace pliant
