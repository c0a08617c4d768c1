#include "narrowphase/overlap_search.h"

#include <algorithm>

#include "narrowphase/overlap_follow.h"

namespace pliant {
namespace {

void clear_lists(auto& lists, std::size_t count) {
  if (lists.size() < count) lists.resize(count);
  for (std::size_t n = 0; n < count; ++n) lists[n].clear();
}

TreeBox common(const TreeBox& a, const TreeBox& b) {
  return {max(a.low, b.low), min(a.high, b.high)};
}

OverlapRegion region_in(const TreeBox& own, const TreeBox& both, std::size_t other) {
  OverlapRegion region{both, std::int32_t(other), 0};
  double least = 2;
  for (int axis = 0; axis < 3; ++axis) {
    const double size = own.high[axis] - own.low[axis];
    const double part = size > 0 ? (both.high[axis] - both.low[axis]) / size : 1;
    if (part < least) least = part, region.axis = axis;
  }
  return region;
}

}  // namespace

bool is_inside(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, const Vec3& p) {
  TreeBox box;  // that rounding puts nothing inside that is not even in the box
  for (const Vec3* corner : {&a, &b, &c, &d}) box.add(*corner);
  if (!box.meets({p, p})) return false;
  const Vec3 ab = b - a, ac = c - a, ad = d - a, ap = p - a;
  const Vec3 n = cross(ac, ad);
  const double det = dot(ab, n);
  if (det == 0) return false;
  const double sign = det > 0 ? 1 : -1;
  const double u = sign * dot(ap, n);
  const double v = sign * dot(ap, cross(ad, ab));
  const double w = sign * dot(ap, cross(ab, ac));
  return u >= 0 && v >= 0 && w >= 0 && u + v + w <= sign * det;
}

// Solids sorted along x, so that only neighbours are compared.
void find_regions(std::span<const OverlapSolid> solids, OverlapRegions& out) {
  clear_lists(out.regions, solids.size());
  clear_lists(out.meets, solids.size());
  out.by_low.resize(solids.size());
  for (std::size_t n = 0; n < solids.size(); ++n) out.by_low[n] = std::int32_t(n);
  std::sort(out.by_low.begin(), out.by_low.end(), [&](std::int32_t a, std::int32_t b) {
    const double la = out.boxes[std::size_t(a)].low.x, lb = out.boxes[std::size_t(b)].low.x;
    return la != lb ? la < lb : a < b;
  });
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const std::size_t a = std::size_t(out.by_low[i]);
    const TreeBox& box = out.boxes[a];
    if (solids[a].self && solids[a].awake) {
      out.regions[a].push_back(region_in(box, box, a));
      out.meets[a].push_back(std::int32_t(a));
    }
    for (std::size_t j = i + 1; j < solids.size(); ++j) {
      const std::size_t b = std::size_t(out.by_low[j]);
      const TreeBox& other = out.boxes[b];
      if (other.low.x > box.high.x) break;
      if (!box.meets(other) || (!solids[a].awake && !solids[b].awake)) continue;
      const TreeBox both = common(box, other);
      out.regions[a].push_back(region_in(box, both, b));
      out.regions[b].push_back(region_in(other, both, a));
      out.meets[a].push_back(std::int32_t(b)), out.meets[b].push_back(std::int32_t(a));
    }
  }
  for (std::size_t n = 0; n < solids.size(); ++n)
    std::sort(out.meets[n].begin(), out.meets[n].end());
}

void find_overlaps(OverlapSearch search, std::span<OverlapSolid> solids, std::span<const Vec3> x,
                   double cell, TaskPool* pool, OverlapMemory& memory,
                   std::vector<OverlapHit>& hits) {
  hits.clear();
  memory.now.boxes.resize(solids.size());
  double grow = 0;
  for (const OverlapSolid& s : solids) grow = std::max(grow, k_waits * s.cell);
  const Vec3 wider{grow, grow, grow};
  for (std::size_t n = 0; n < solids.size(); ++n)
    memory.now.boxes[n] = {solids[n].box.low - wider, solids[n].box.high + wider};
  find_regions(solids, memory.now);
  if (search == OverlapSearch::brute) {
    find_by_all(solids, x, hits);
  } else {
    for (std::vector<OverlapHit>& list : memory.found) list.clear();
    if (search == OverlapSearch::hash)
      find_by_hash(solids, x, cell, pool, memory);
    else
      find_by_trees(solids, x, pool, memory);
    for (const std::vector<OverlapHit>& list : memory.found)
      hits.insert(hits.end(), list.begin(), list.end());
  }
  std::sort(hits.begin(), hits.end());
}

}  // namespace pliant
