// The search for contacts between sheets: pairs of vertices and triangles, and of edges and edges,
// that can come within reach while their particles go on as predicted.
//
// Motion is linear over the time searched for. Boxes hold the ends' places and motions apart, so
// that what moves together is no nearer for it: neighbours of a falling cloth do not meet. A patch
// whose triangles all face much the same way and lie much the same way in their plane cannot touch
// itself (Volino and Magnenat-Thalmann 1994; the second direction is in place of their test of the
// contour), nor can two such patches that share a vertex: flat cloth costs next to nothing.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/pool.h"
#include "model/deformable.h"
#include "model/sheet.h"

namespace pliant {

// Of all particles, world-wide.
struct SheetMotion {
  std::vector<Vec4> place;   // m, when the search was made
  std::vector<Vec4> motion;  // m, over the time searched for, as predicted
};

struct SheetBox {
  Vec4 low{}, high{};                // m, places
  Vec4 motion_low{}, motion_high{};  // m
  Vec4 normal_low{}, normal_high{};  // of unit normals
  Vec4 axis_low{}, axis_high{};      // of unit material axes
};

using LeafPair = std::pair<std::int32_t, std::int32_t>;

// Keeps its memory.
struct SheetScratch {
  std::vector<std::vector<SheetBox>> boxes;  // of each deformable's nodes
  std::vector<LeafPair> leaves;
  std::vector<std::vector<SheetCandidate>> found;  // of each block of leaf pairs
};

// The boxes of one body's tree.
void box_sheet(const Deformable& body, const SheetMotion& motion, TaskPool* pool,
               std::vector<SheetBox>& boxes);
// Appends the candidates of a pair: those that come within `reach` of each other. Needs the boxes.
void search_sheets(std::span<const Deformable> bodies, const SheetPair& pair, std::int32_t index,
                   const SheetMotion& motion, Real reach, TaskPool* pool, SheetScratch& scratch,
                   std::vector<SheetCandidate>& candidates);
// Those that are within reach at some of 33 moments, from all pairs of features: all of them are
// among the above, which are a few more, because a bound decides there. In no particular order.
std::vector<SheetCandidate> search_sheets_brute(std::span<const Deformable> bodies,
                                                const SheetPair& pair, const SheetMotion& motion,
                                                double reach);

}  // namespace pliant
