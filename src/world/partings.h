// What the search for solids in each other keeps between steps: memory, and what follows from the
// state.
#pragma once

#include <vector>

#include "geometry/surface_depth.h"
#include "model/state.h"

namespace pliant {

struct Partings {
  std::vector<std::uint64_t> met;       // of the state, being made
  std::vector<PartingPair> parting;     // likewise
  std::vector<std::uint8_t> bodies;     // of each deformable: one of a pair that is parted
  std::vector<PlacedSurface> surfaces;  // of each deformable
  std::vector<std::uint8_t> placed;     // likewise: 1 = its places are there, 2 = its tree too
  std::vector<double> cuts;
};

}  // namespace pliant
