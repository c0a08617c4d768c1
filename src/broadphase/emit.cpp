#include "broadphase/emit.h"

namespace pliant {

std::int64_t test_planes(const BoxList& list, std::vector<BoxPair>& pairs) {
  std::int64_t tests = 0;
  for (const BoxPlane& p : list.planes) {
    const auto test = [&](std::int32_t i) {
      const BoxAabb& b = list.boxes[i];
      Real lowest = 0;
      for (int k = 0; k < 3; ++k) lowest += p.normal[k] * (p.normal[k] > 0 ? b.lo[k] : b.hi[k]);
      if (lowest <= p.offset) emit(list, p.item, i, pairs);
    };
    tests += std::int64_t(list.live.size());
    for (const std::int32_t i : list.live) test(i);
    if (!list.moves[p.item]) continue;
    tests += std::int64_t(list.fixed.size());
    for (const std::int32_t i : list.fixed) test(i);
  }
  return tests;
}

}  // namespace pliant
