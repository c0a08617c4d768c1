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

// Some pairs wait until they come this near, in thicknesses: neighbours, which are in reach of each
// other in the rest shape, because every crease would be full of them; and those whose own
// neighbours are nearer.
inline constexpr Real k_waiting_reach = Real(0.85);

using LeafPair = std::pair<std::int32_t, std::int32_t>;

// Keeps its memory.
struct SheetScratch {
  std::vector<std::vector<SheetBox>> boxes;            // of each deformable's nodes
  std::vector<std::vector<std::uint8_t>> has_strayed;  // likewise: some particle below has
  std::vector<LeafPair> leaves;
  std::vector<std::vector<SheetCandidate>> found;  // of each block of leaf pairs
};

// The boxes of one body's tree.
void box_sheet(const Deformable& body, const SheetMotion& motion, TaskPool* pool,
               std::vector<SheetBox>& boxes);
// Marks the nodes above particles that have strayed; `strayed` is of all particles, world-wide.
void mark_strayed(const Deformable& body, std::span<const std::uint8_t> strayed,
                  std::vector<std::uint8_t>& has_strayed);
// Appends the candidates of a pair: those that come within `reach` of each other. Needs the boxes.
// If `strayed` is not empty, only those around particles that have.
void search_sheets(std::span<const Deformable> bodies, const SheetPair& pair, std::int32_t index,
                   const SheetMotion& motion, Real reach, std::span<const std::uint8_t> strayed,
                   TaskPool* pool, SheetScratch& scratch, std::vector<SheetCandidate>& candidates);
// Those that are within reach at some of 33 moments, from all pairs of features, in no particular
// order, and whether the above must find them too: those of which `is_sure`, the others may wait.
struct SheetTwin {
  std::array<std::int32_t, 4> particle{};
  SheetFeature feature = SheetFeature::vertex_triangle;
  bool is_sure = false;
};
std::vector<SheetTwin> search_sheets_brute(std::span<const Deformable> bodies,
                                           const SheetPair& pair, const SheetMotion& motion,
                                           double reach);

}  // namespace pliant
