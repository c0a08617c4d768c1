// The slow twin of the search for pairs of a cloth's particles.
#include <algorithm>

#include "narrowphase/self_particle_search.h"

namespace pliant {
namespace {

bool are_neighbours(const SelfParticles& body, std::int32_t i, std::int32_t j) {
  for (std::int32_t n = body.near_begin[std::size_t(i / k_lanes)];
       n < body.near_begin[std::size_t(i / k_lanes) + 1]; ++n) {
    const SelfLeafNear& near = body.near[std::size_t(n)];
    if (near.other == j / k_lanes) return near.lanes[std::size_t(j % k_lanes)] >> i % k_lanes & 1;
  }
  return false;
}

}  // namespace

std::vector<SelfPair> find_self_pairs_brute(const SelfRange& range, const SelfSearch& search) {
  std::vector<SelfPair> pairs;
  const auto leaf = [](std::int32_t i) { return std::size_t(i / k_lanes); };
  const auto at = [&](std::int32_t i) {
    const Vec3W& place = search.place[leaf(i)];
    return Vec3R{place.x[i % k_lanes], place.y[i % k_lanes], place.z[i % k_lanes]};
  };
  for (std::int32_t i = 0; i < range.count; ++i)
    for (std::int32_t j = i + 1; j < range.count; ++j) {
      const Real wider = widened_sq(range.body, search.margin[leaf(i)] + search.margin[leaf(j)]);
      const Real both = range.body.q[leaf(i)][i % k_lanes] + range.body.q[leaf(j)][j % k_lanes];
      if (length_sq(at(i) - at(j)) < both + wider && !are_neighbours(range.body, i, j))
        pairs.push_back({i, j});
    }
  return pairs;
}

}  // namespace pliant
