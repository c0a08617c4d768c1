// What all broad phases share: pairs in order, and half-spaces against boxes.
#pragma once

#include <vector>

#include "model/pairs.h"

namespace pliant {

inline bool boxes_meet(const BoxAabb& a, const BoxAabb& b) {
  for (int k = 0; k < 3; ++k)
    if (a.hi[k] < b.lo[k] || b.hi[k] < a.lo[k]) return false;
  return true;
}

inline void emit(const BoxList& list, std::int32_t i, std::int32_t j, std::vector<BoxPair>& pairs) {
  if (!(list.moves[i] || list.moves[j])) return;
  const bool in_order = list.keys[i] < list.keys[j];
  const std::int32_t a = in_order ? i : j, b = in_order ? j : i;
  pairs.push_back({std::uint64_t(list.keys[a]) << 32 | list.keys[b], a, b});
}

// Planes against all boxes that they may make a pair with. Returns the number of tests.
std::int64_t test_planes(const BoxList& list, std::vector<BoxPair>& pairs);

}  // namespace pliant
