// The search for contacts between sheets: pairs of vertices and triangles, and of edges and edges,
// that can come within reach while their particles go on as predicted. What is found, and its
// order, does not depend on the structure that finds it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pool.h"
#include "model/deformable.h"
#include "model/sheet.h"
#include "narrowphase/leaf_pairs.h"
#include "narrowphase/sheet_boxes.h"
#include "narrowphase/sheet_rtree.h"

namespace pliant {

// Some pairs wait until they come this near, in thicknesses: neighbours, which are in reach of each
// other in the rest shape, because every crease would be full of them; and those whose own
// neighbours are nearer.
inline constexpr Real k_waiting_reach = Real(0.85);
// In thicknesses: how near candidates come to each other if all goes as predicted; those that have
// an order are looked for further away.
inline constexpr double k_sheet_reach = 1.2;

// Keeps its memory.
struct SheetScratch {
  ClothSearch structure = ClothSearch::bvh;
  std::vector<std::vector<SheetBox>> boxes;            // of each deformable's nodes
  std::vector<std::vector<std::uint8_t>> has_strayed;  // likewise: some particle below has
  std::vector<SheetRtree> rtrees;                      // of each deformable, where they are used
  std::vector<LeafPair> leaves;
  DescentScratch descent;
  std::vector<KeyedLeafPair> keyed;
  std::vector<std::vector<SheetCandidate>> found;  // of each block of leaf pairs
};

// Takes the boxes of one body's tree, the n-th, for the searches to come.
void box_sheet(const Deformable& body, std::size_t n, const SheetMotion& motion, TaskPool* pool,
               SheetScratch& scratch);
// Appends the candidates of a pair: those that come within `reach` of each other. Needs the boxes.
// If `strayed` is not empty, only those around particles that have.
void search_sheets(std::span<const Deformable> bodies, const SheetPair& pair, std::int32_t index,
                   const SheetMotion& motion, Real reach, std::span<const std::uint8_t> strayed,
                   TaskPool* pool, SheetScratch& scratch, std::vector<SheetCandidate>& candidates);
// Of cloths that are not sewn to others: those that are within reach at some of 33 moments, from
// all pairs of features, in no particular order, and whether the above must find them too: those of
// which `is_sure`, the others may wait.
struct SheetTwin {
  std::array<std::int32_t, 4> particle{};
  SheetFeature feature = SheetFeature::vertex_triangle;
  bool is_sure = false;
};
std::vector<SheetTwin> search_sheets_brute(std::span<const Deformable> bodies,
                                           const SheetPair& pair, const SheetMotion& motion,
                                           double reach);

}  // namespace pliant
