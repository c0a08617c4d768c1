// What the broad phase takes and gives: boxes of bodies of any kind, and the pairs that meet.
#pragma once

#include <cstdint>
#include <span>

#include <pliant/ids.h>
#include <pliant/math.h>
#include <pliant/real.h>

namespace pliant {

// Closed: boxes that touch meet.
struct BoxAabb {
  Real lo[3], hi[3];  // m
};
// An item whose extent is n . x <= offset instead of a box.
struct BoxPlane {
  std::int32_t item = 0;
  Vec3T<Real> normal;  // unit
  Real offset = 0;     // m
};
// The turned box inside of the box of an item, and how far the item may get beyond it.
struct BoxFrame {
  Vec3 centre;            // m
  Vec3T<Real> edge[3]{};  // m, half of each
  Real grow = 0;          // m
};
struct BoxList {
  std::span<const BoxAabb> boxes;
  std::span<const std::uint32_t> keys;  // creation order: all different
  std::span<const std::uint8_t> moves;  // 0: makes no pair with another 0
  std::span<const BoxPlane> planes;     // by item, which has a place but no box in `boxes`
  // All items but planes and empty places: those that are looked at in every search, and those that
  // stand for as long as `fixed_version` is the same, of which `moves` is 0. Both rising.
  std::span<const std::int32_t> live, fixed;
  std::uint32_t fixed_version = 0;        // not 0
  std::span<const BoxFrame> frames = {};  // of the first items; the others are as their boxes
  std::span<const AnyId> ids = {};        // of all items, where a rule of the user's asks
};

// Two items that meet; key of a < key of b. Sorted by `key`, which is key of a << 32 | key of b.
struct BoxPair {
  std::uint64_t key = 0;
  std::int32_t a = 0, b = 0;
};

}  // namespace pliant
