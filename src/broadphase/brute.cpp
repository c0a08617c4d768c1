#include <algorithm>

#include "broadphase/brute.h"

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

std::int64_t find_pairs_brute(const BoxList& list, std::vector<BoxPair>& pairs) {
  pairs.clear();
  std::vector<std::int32_t> items(list.live.begin(), list.live.end());
  items.insert(items.end(), list.fixed.begin(), list.fixed.end());
  std::vector<const BoxPlane*> plane(list.boxes.size(), nullptr);
  for (const BoxPlane& p : list.planes) {
    plane[p.item] = &p;
    items.push_back(p.item);
  }
  std::int64_t tests = 0;
  for (const std::int32_t i : items)
    for (const std::int32_t j : items) {
      if (list.keys[i] >= list.keys[j] || !(list.moves[i] || list.moves[j])) continue;
      if (plane[i] && plane[j]) continue;
      ++tests;
      const bool found = plane[i]   ? meet(*plane[i], list.boxes[j])
                         : plane[j] ? meet(*plane[j], list.boxes[i])
                                    : meet(list.boxes[i], list.boxes[j]);
      if (found) pairs.push_back({std::uint64_t(list.keys[i]) << 32 | list.keys[j], i, j});
    }
  std::sort(pairs.begin(), pairs.end(),
            [](const BoxPair& p, const BoxPair& q) { return p.key < q.key; });
  return tests;
}

}  // namespace pliant
