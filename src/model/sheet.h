// Contact of cloth with itself and with other cloth: vertices against triangles and edges against
// edges. Candidates are found for some substeps ahead, packed eight wide by colour, and refreshed
// in every substep.
//
// Side b is the vertex or the first edge, side a the triangle or the second edge; the normal points
// from a to b, as everywhere.
#pragma once

#include <pliant/math.h>
#include <pliant/real.h>
#include <array>
#include <cstdint>
#include <vector>

#include "model/batches.h"

namespace pliant {

// --- the tree of a cloth's triangles: made with the cloth, its boxes are taken anew by each search
struct SheetLeaf {
  std::array<Lanes, 3> corner{};  // particles of the body's range; unused lanes repeat the first
  Lanes triangle{};               // likewise
  std::int32_t count = 0;
  std::int32_t near_begin = 0, near_end = 0;  // leaves that share a vertex with it, rising
  RealW axis_b{}, axis_c{};  // the material's axis is axis_b (b - a) + axis_c (c - a); 0 = none
};

struct SheetNode {
  // Children, behind their parent: first the left one with all below it, then the right one.
  std::int32_t left = -1, right = -1;
  std::int32_t leaf = -1;
  bool connected = false;  // its triangles hang together
};

struct SheetTree {
  std::vector<SheetNode> nodes;  // the first is the root
  // The nodes cut into whole branches, for threads: branch k is [branch_begin[k], branch_end[k]).
  // Those above them are the crown, rising.
  std::vector<std::int32_t> branch_begin, branch_end, crown;
  std::vector<SheetLeaf> leaves;
  std::vector<std::int32_t> near;
  std::vector<Vec4> rest;  // m, of the body's particles in the rest shape
  // The triangles around particle p of the body's range: around[around_begin[p] .. around_begin[p +
  // 1]), rising, as places in bytes in an array of a Vec4 for each lane of each leaf.
  std::vector<std::int32_t> around_begin, around;
};

// --- contacts
enum class SheetFeature : std::uint8_t { vertex_triangle, edge_edge };

// How near two features come if all goes as predicted. Those of a higher level need not be looked
// at while everything stays near its predicted way. The first level has those that were found
// later, around particles that had left their way, for one substep.
inline constexpr int k_sheet_levels = 4;
inline constexpr std::array<double, k_sheet_levels> k_level_begin{0, 0, 1.15, 1.3};  // thicknesses
inline constexpr std::uint8_t k_late_level = 0;

struct SheetCandidate {
  std::array<std::int32_t, 4> particle{};  // world-wide: vertex, triangle; or edge, edge
  std::int32_t pair = 0;
  Real thickness = 0;  // m, that is kept: not more than the rest shape has
  SheetFeature feature = SheetFeature::vertex_triangle;
  std::uint8_t level = 1;
  std::int8_t outer = 0;  // 1: side b belongs outside side a; -1: a outside b; 0: no order
};

// What the contacts of two cloths, or of one with itself, have in common.
struct SheetPair {
  std::uint64_t key = 0;      // key of b << 32 | key of a; b was made first or is a
  std::int32_t b = 0, a = 0;  // deformables
  Real thickness = 0;         // m, between the mid-surfaces
  Real friction_static = 0, friction_kinetic = 0;
  bool ordered = false;  // some feature of one belongs outside one of the other
};

// An edge that passes through a triangle.
struct SheetPiercing {
  std::array<std::int32_t, 5> particle{};  // world-wide: edge, triangle
  std::array<double, 5> weight{};          // of the common point: > 0 on the edge, else < 0
  std::array<std::int32_t, 2> wing{-1,
                                   -1};  // third corners of the triangles at the edge; -1 = none
  std::int32_t pair = 0;
};

// Eight contacts; see constraints/contact_sheet.h.
struct alignas(64) SheetBatch {
  std::array<Lanes, 4>
      particle{};               // unused lanes name the scratch particle of the first one's body
  std::array<Vec3W, 3> from{};  // m, base of particle 1, 2, 3 - base of particle 0
  RealW thickness{};            // m, that is kept: not more than the rest shape has
  RealW friction_static{}, friction_kinetic{};
  Lanes pair{};
  // Of the present substep.
  std::array<RealW, 4> weight{};  // > 0 on side b, < 0 on side a
  Vec3W normal{};                 // unit; 0 where the sides coincide
  RealW distance{};               // m, when the substep began
  RealW kept{};                   // m, that they should be apart: less at rims
  RealW target{};                 // m; the distance along the normal that the projection restores
  RealW multiplier{};             // kg m
  Vec3W rubbed{};                 // kg m
  std::int32_t lanes = 0;         // how many are used
  SheetFeature feature = SheetFeature::vertex_triangle;
  bool live = false;  // some lane may be loaded in this substep; if not, the last five are old
  // Lanes in which the side belongs outside the other one. Where it is not, the normal points from
  // the wrong side to the right one, and the distance is negative.
  std::uint8_t outer_b = 0, outer_a = 0;
};

struct SheetLevel {
  std::vector<SheetBatch> batches;            // by colour
  std::vector<std::int32_t> colour_begin{0};  // colour c: [colour_begin[c], colour_begin[c + 1])
  bool serial = false;                        // the batches of the last colour share particles
  bool packed = false;                        // holds the present candidates

  int colours() const { return int(colour_begin.size()) - 1; }
};

struct SheetContacts {
  std::vector<SheetPair> pairs;
  std::vector<SheetCandidate> candidates;
  std::size_t first_late = 0;  // of the candidates
  std::array<SheetLevel, k_sheet_levels> levels;
  int used = 0;  // levels that are looked at in this substep

  void clear() {
    pairs.clear();
    candidates.clear();
    first_late = 0;
    for (SheetLevel& level : levels) level.packed = false;
    used = 0;
  }
};

}  // namespace pliant
