// What the broad phase takes and gives: boxes of bodies of any kind, and the pairs that meet.
#pragma once

#include <cstdint>
#include <span>

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
struct BoxList {
  std::span<const BoxAabb> boxes;
  std::span<const std::uint32_t> keys;  // creation order: all different
  std::span<const std::uint8_t> moves;  // 0: makes no pair with another 0
  std::span<const BoxPlane> planes;     // by item, which has a place but no box in `boxes`
};

// Two items that meet; key of a < key of b. Sorted by `key`, which is key of a << 32 | key of b.
struct BoxPair {
  std::uint64_t key = 0;
  std::int32_t a = 0, b = 0;
};

}  // namespace pliant
