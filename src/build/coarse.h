// Makes the coarse level of a flat cloth (see constraints/coarse_limit.h).
#pragma once

#include <pliant/mesh.h>
#include <vector>

#include "model/coarse_level.h"

namespace pliant {

struct CoarseInput {
  const TriMesh* mesh = nullptr;                     // flat rest shape
  const std::vector<std::int32_t>* order = nullptr;  // user vertex -> particle
  const std::vector<double>* mass = nullptr;         // of the particles
  const std::vector<bool>* pinned = nullptr;         // of the user's vertices
  double slack = 0;                                  // the greatest distance is rest * (1 + slack)
};

// Empty where the cloth is too small to gain from it.
CoarseLevel make_coarse_level(const CoarseInput& input);

}  // namespace pliant
