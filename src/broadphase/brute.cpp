#include <algorithm>

#include "broadphase/sweep.h"

namespace pliant {

namespace {

bool meet(const BoxAabb& a, const BoxAabb& b) {
  for (int k = 0; k < 3; ++k)
    if (a.hi[k] < b.lo[k] || b.hi[k] < a.lo[k]) return false;
  return true;
}

bool meet(const BoxPlane& p, const BoxAabb& b) {
  Real lowest = 0;
  for (int k = 0; k < 3; ++k) lowest += p.normal[k] * (p.normal[k] > 0 ? b.lo[k] : b.hi[k]);
  return lowest <= p.offset;
}

}  // namespace

void find_pairs_brute(const BoxList& list, std::vector<BoxPair>& pairs) {
  pairs.clear();
  const std::int32_t n = std::int32_t(list.boxes.size());
  std::vector<const BoxPlane*> plane(list.boxes.size(), nullptr);
  for (const BoxPlane& p : list.planes) plane[p.item] = &p;
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t j = 0; j < n; ++j) {
      if (list.keys[i] >= list.keys[j] || !(list.moves[i] || list.moves[j])) continue;
      if (plane[i] && plane[j]) continue;
      const bool found = plane[i]   ? meet(*plane[i], list.boxes[j])
                         : plane[j] ? meet(*plane[j], list.boxes[i])
                                    : meet(list.boxes[i], list.boxes[j]);
      if (found) pairs.push_back({std::uint64_t(list.keys[i]) << 32 | list.keys[j], i, j});
    }
  std::sort(pairs.begin(), pairs.end(),
            [](const BoxPair& p, const BoxPair& q) { return p.key < q.key; });
}

}  // namespace pliant
