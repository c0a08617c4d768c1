// Pairs of boxes that meet, by the broad phase of a name. All find the same.
#pragma once

#include <vector>

#include <pliant/defs.h>

#include "broadphase/bvh.h"
#include "broadphase/sphere_tree.h"
#include "broadphase/sweep.h"
#include "broadphase/tiles.h"

namespace pliant {

// Memory of the searches of a world; what they find does not depend on it.
struct PairScratch {
  FixedTree fixed;
  SweepScratch sweep;
  BvhScratch bvh;
  SphereScratch spheres;
  TileScratch tiles;
};

struct BroadSettings {
  BroadPhase method = BroadPhase::sweep;
  const TileMap& tiles;
  TaskPool* pool = nullptr;
};

// `pairs` is sorted by key. Returns the number of tests of two items that were made.
std::int32_t find_pairs(const BroadSettings& settings, const BoxList& list, PairScratch& scratch,
                        std::vector<BoxPair>& pairs);

}  // namespace pliant
