// A coarse image of a cloth: some of its vertices as nodes a few edges apart, with limits between
// them. What a sweep over the fine edges needs hundreds of substeps to carry across the cloth, the
// nodes carry in one; their corrections are spread over the particles between them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/batches.h"

namespace pliant {

// A particle's share in the nodes' corrections; the weights add up to 1.
struct CoarseShare {
  std::array<std::int32_t, 4> node{};
  std::array<Real, 4> weight{};
};

struct CoarseLevel {
  std::vector<std::int32_t> particle;  // of each node, in the body's range
  std::vector<Real> inverse_mass;      // 1/kg of the particles' shares; 0 where the node is pinned
  std::vector<CoarseShare> share;      // of each particle
  std::vector<DistanceBatch> limit;    // between nodes; rest = greatest distance, compliance unused
  ColourRanges limit_colours;
  // Scratch of a substep: nodes' displacements, then their corrections; one place more than nodes.
  std::vector<Vec4> d, correction;

  bool empty() const { return limit.empty(); }
};

}  // namespace pliant
