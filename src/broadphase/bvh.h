// Pairs of boxes that meet, by trees of boxes eight wide: one over what moves or may move, the
// other over what is fixed, which is made anew only when something fixed changes.
#pragma once

#include <span>
#include <vector>

#include "broadphase/packed_order.h"

namespace pliant {

struct WideTree {
  struct Group {
    RealW lo[3], hi[3];  // of each place, or of each group below; empty ones are inside out
  };
  PackedOrder order;
  std::vector<Group> groups;  // by level
};

// Takes the boxes of what is in the order.
void refit(const BoxList& list, WideTree& tree);

// The lanes of a group that meet the box.
inline unsigned lanes_meeting(const WideTree::Group& g, const BoxAabb& b) {
  MaskW m = g.lo[0] <= splat(b.hi[0]);
  m &= g.hi[0] >= splat(b.lo[0]);
  m &= g.lo[1] <= splat(b.hi[1]);
  m &= g.hi[1] >= splat(b.lo[1]);
  m &= g.lo[2] <= splat(b.hi[2]);
  m &= g.hi[2] >= splat(b.lo[2]);
  return lane_bits(m);
}

// A tree over what is fixed.
struct FixedTree {
  WideTree tree;
  std::uint32_t version = 0;  // of the list, that it is of
};
void keep_fixed(const BoxList& list, FixedTree& fixed);
// Pairs of those of the items that move with what is fixed. Returns the number of tests of two
// items.
std::int64_t test_fixed(const BoxList& list, const FixedTree& fixed,
                        std::span<const std::int32_t> items, std::vector<BoxPair>& pairs);

struct BvhScratch {
  WideTree live;
  std::vector<std::int32_t> known;  // the live items, and which of them move, that it is ordered by
  int age = 0;                      // searches since
  std::vector<BoxPair> spare;
};

// `pairs` is sorted by key. Returns the number of tests of two items.
std::int64_t find_pairs_bvh(const BoxList& list, BvhScratch& scratch, FixedTree& fixed,
                            std::vector<BoxPair>& pairs);

// Whether the order of the live items is to be made anew: they are others, or it is old. Notes what
// they are.
bool order_is_stale(const BoxList& list, std::vector<std::int32_t>& known, int& age);

}  // namespace pliant
