// An R-tree (Guttman 1984) over the leaves of a cloth's tree, made anew for each search: the second
// structure that finds pairs of leaves, beside the tree that is made with the cloth.
//
// It knows where things are now, not where they were in the rest shape. What it finds is the same,
// and in the same order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "narrowphase/leaf_pairs.h"
#include "narrowphase/sheet_boxes.h"

namespace pliant {

inline constexpr int k_rtree_most = 20;   // entries of a node
inline constexpr int k_rtree_least = 10;  // entries of each half of a node that was split

struct RtreeEntry {
  BoxInMotion box;
  std::int32_t child = 0;   // a node of the R-tree; at the bottom a node of the cloth's tree
  std::int32_t patch = -1;  // the flat patch that all below it is of; -1 = none
  bool concerns = true;     // some of it is looked at
};

struct RtreeNode {
  std::array<RtreeEntry, k_rtree_most> entry;
  std::int32_t count = 0;
  std::int32_t height = 0;  // 0 = at the bottom
};

// Keeps its memory.
struct SheetRtree {
  std::vector<RtreeNode> nodes;
  std::int32_t root = -1;  // -1 = empty
  bool is_current = false;
  // Of the nodes of the cloth's tree: the flat patch that each is of, and the way from the root to
  // it, 1 = right, highest bit first.
  std::vector<std::int32_t> patch;
  std::vector<std::uint32_t> way;
  std::vector<RtreeEntry> entries, parents;  // of the level that is being made, and of the next
};

enum class RtreeMaking {
  bulk,    // halved along the longest side into full nodes, level by level
  insert,  // one by one, by least enlargement, with Guttman's quadratic split
};

// `margin` (m) is what a box has around it when volumes are compared, so that flat ones have one.
void make_rtree(const SheetSide& side, RtreeMaking making, Real margin, SheetRtree& tree);

struct KeyedLeafPair {
  std::uint64_t key = 0;  // the ways to both, bit by bit in turns
  LeafPair pair;
};

// As list_leaf_pairs, in the same order.
void list_leaf_pairs(const SheetSide& b, const SheetRtree& tree_b, const SheetSide& a,
                     const SheetRtree& tree_a, Real reach, std::vector<KeyedLeafPair>& scratch,
                     std::vector<LeafPair>& out);

}  // namespace pliant
