// Pairs of boxes that meet, by sorting along one axis and testing eight successors at a time.
// The pairs and their order depend on the boxes and keys of each pair alone.
#pragma once

#include <vector>

#include "math/wide.h"
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
  std::vector<BoxPair> pairs;
};

void find_pairs_sweep(const BoxList& list, SweepScratch& scratch, std::vector<BoxPair>& pairs);
// All against all: the reference.
void find_pairs_brute(const BoxList& list, std::vector<BoxPair>& pairs);

}  // namespace pliant
