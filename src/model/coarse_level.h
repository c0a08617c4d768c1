// A coarse image of a cloth: some of its vertices as nodes a few edges apart, with limits between
// them. What a sweep over the fine edges needs hundreds of substeps to carry across the cloth, the
// nodes carry in one; their corrections are spread over the particles between them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/batches.h"

namespace pliant {

// A particle's share in the nodes' corrections; the weights are parts of k_whole_share and add up
// to it. Both in two bytes: shares are streamed in every substep.
struct alignas(16) CoarseShare {
  std::array<std::uint16_t, 4> node{};
  std::array<std::int16_t, 4> weight{};
};
inline constexpr int k_whole_share = 1 << 14;
inline constexpr std::size_t k_most_nodes = 1 << 16;

// What a node's place is the mean of: four particles that lie together in memory, which are fetched
// together and added side by side. The weights of all of a node add up to 1.
struct CoarseMembers {
  std::int32_t first = 0;  // particle, in the body's range
  std::array<Real, 4> weight{};
};

struct CoarseLevel {
  std::vector<std::int32_t> particle;  // in the middle of each node, in the body's range
  // Nodes in the order of those particles: means are taken in it, so that what one reads is still
  // near from the one before.
  std::vector<std::int32_t> by_place;
  std::vector<CoarseMembers> members;                      // node by node, in that order
  std::vector<std::array<std::int32_t, 2>> members_range;  // of each node, from and to
  std::vector<Real> inverse_mass;  // 1/kg of the particles' shares; 0 where the node is pinned
  std::vector<CoarseShare> share;  // of each particle, and one more: they are taken by twos
  // Between nodes, colour after colour, by twos that share no node; rest = greatest distance,
  // compliance unused.
  std::vector<DistanceBatch> limit;
  // Scratch, one place more than nodes. Of a step: m, the nodes' places less those of the particles
  // in their middle. Of a substep: nodes' displacements, then their corrections per part of a
  // share.
  std::vector<Vec4> off, d, correction;

  bool empty() const { return limit.empty(); }
};

}  // namespace pliant
