// The pairs of leaves of two cloths' trees, or of one with itself, that may hold contacts.
//
// A patch whose triangles all face much the same way and lie much the same way in their plane
// cannot touch itself (Volino and Magnenat-Thalmann 1994; the second direction is in place of their
// test of the contour), nor can two such patches that share a vertex: flat cloth costs next to
// nothing.
#pragma once

#include <utility>
#include <vector>

#include "narrowphase/sheet_boxes.h"

namespace pliant {

using LeafPair = std::pair<std::int32_t, std::int32_t>;

// How far (m) a patch may come apart in the time searched for and still count as flat.
Real flat_motion(const Deformable& body);
// Whether two leaves of one tree, given by their nodes, share a vertex and are flat together.
bool are_flat_neighbours(const SheetSide& side, std::int32_t m, std::int32_t n);

// Appends those that come within `reach` (m) of each other, each once. Their order is that of going
// down both trees in turns, which depends on the trees alone.
void list_leaf_pairs(const SheetSide& b, const SheetSide& a, Real reach,
                     std::vector<LeafPair>& out);

// A part of going down: two nodes, or one with itself.
struct DescentPart {
  std::int32_t m = 0, n = -1;  // of b and of a; -1: m with itself
  bool is_turn_of_b = true;
};
// Keeps its memory.
struct DescentScratch {
  std::vector<DescentPart> parts, next;
  std::vector<std::vector<LeafPair>> found;  // of each part
};
// The same, in the same order, by threads.
void list_leaf_pairs(const SheetSide& b, const SheetSide& a, Real reach, TaskPool* pool,
                     DescentScratch& scratch, std::vector<LeafPair>& out);

}  // namespace pliant
