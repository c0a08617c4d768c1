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

std::vector<SelfPair> find_self_pairs_brute(const SelfParticles& body, std::int32_t begin,
                                            std::int32_t count, const Particles& particles) {
  std::vector<SelfPair> pairs;
  const auto q = [&](std::int32_t i) { return body.q[std::size_t(i / k_lanes)][i % k_lanes]; };
  for (std::int32_t i = 0; i < count; ++i)
    for (std::int32_t j = i + 1; j < count; ++j) {
      const Vec3R r = self_place(particles, begin, i) - self_place(particles, begin, j);
      if (length_sq(r) < q(i) + q(j) && !are_neighbours(body, i, j)) pairs.push_back({i, j});
    }
  return pairs;
}

}  // namespace pliant
