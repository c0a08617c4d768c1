// Boxes over a cloth's tree: of the places, motions and directions of its triangles.
//
// Motion is linear over the time searched for. Boxes hold the ends' places and motions apart, so
// that what moves together is no nearer for it: neighbours of a falling cloth do not meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pool.h"
#include "math/wide.h"
#include "model/deformable.h"
#include "model/sheet.h"

namespace pliant {

// Of all particles, world-wide.
struct SheetMotion {
  std::vector<Vec4> place;   // m, when the search was made
  std::vector<Vec4> motion;  // m, over the time searched for, as predicted
};

struct BoxInMotion {
  Vec4 low{}, high{};                // m, places
  Vec4 motion_low{}, motion_high{};  // m
};

struct SheetBox : BoxInMotion {
  Vec4 normal_low{}, normal_high{};  // of unit normals
  Vec4 axis_low{}, axis_high{};      // of unit material axes
};

// A body's tree as a search sees it.
struct SheetSide {
  const Deformable& body;
  std::span<const SheetBox> boxes;
  std::span<const std::uint8_t> has_strayed;  // of each node; empty: all are looked at
  bool concerns(std::int32_t n) const {
    return has_strayed.empty() || has_strayed[std::size_t(n)] != 0;
  }
  const SheetTree& tree() const { return body.tree; }
  const SheetNode& node(std::int32_t n) const { return body.tree.nodes[std::size_t(n)]; }
};

// The boxes of one body's tree.
void box_sheet(const Deformable& body, const SheetMotion& motion, TaskPool* pool,
               std::vector<SheetBox>& boxes);
// Marks the nodes above particles that have strayed; `strayed` is of all particles, world-wide.
void mark_strayed(const Deformable& body, std::span<const std::uint8_t> strayed, TaskPool* pool,
                  std::vector<std::uint8_t>& has_strayed);

BoxInMotion join(const BoxInMotion& a, const BoxInMotion& b);
SheetBox join(const SheetBox& a, const SheetBox& b);
// Whether the triangles of a box face much the same way, lie much the same way in their plane and
// move by less than `moves` (m) against each other.
bool is_flat(const SheetBox& box, Real moves);

// Whether boxes come within reach of each other while they move.
inline bool meet(const BoxInMotion& a, const BoxInMotion& b, Real reach) {
  const auto load = [](const Vec4& v) { return load4(&v); };
  const Real4V zero{}, r{reach, reach, reach, reach};
  const Real4V down = load(a.motion_low) - load(b.motion_high);
  const Real4V up = load(a.motion_high) - load(b.motion_low);
  const Real4V nearest = load(a.low) - load(b.high) + (down < zero ? down : zero);
  const Real4V furthest = load(a.high) - load(b.low) + (up > zero ? up : zero);
  const auto apart = (nearest > r) | (furthest < -r);
  return (apart[0] | apart[1] | apart[2]) == 0;
}

}  // namespace pliant
