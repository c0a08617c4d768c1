#include "broadphase/find_pairs.h"

#include <algorithm>
#include <limits>

#include "broadphase/brute.h"

namespace pliant {
namespace {

bool something_moves(const BoxList& list) {
  for (const std::int32_t i : list.live)
    if (list.moves[i]) return true;
  for (const BoxPlane& plane : list.planes)
    if (list.moves[plane.item]) return true;
  return false;
}

}  // namespace

std::int32_t find_pairs(const BroadSettings& settings, const BoxList& list, PairScratch& scratch,
                        std::vector<BoxPair>& pairs) {
  pairs.clear();
  if (!something_moves(list)) return 0;
  const auto search = [&] {
    switch (settings.method) {
      case BroadPhase::bvh:
        return find_pairs_bvh(list, scratch.bvh, scratch.fixed, pairs);
      case BroadPhase::tiles:
        return find_pairs_tiles(list, settings.tiles, scratch.tiles, pairs);
      case BroadPhase::sphere_tree:
        return find_pairs_spheres(list, scratch.spheres, pairs);
      case BroadPhase::brute:
        return find_pairs_brute(list, pairs);
      case BroadPhase::sweep:
        break;
    }
    return find_pairs_sweep(list, scratch.sweep, scratch.fixed, settings.pool, pairs);
  };
  return std::int32_t(std::min(search(), std::int64_t(std::numeric_limits<std::int32_t>::max())));
}

}  // namespace pliant
