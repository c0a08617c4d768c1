// What the search for contacts knows of cloths that are sewn together: they are one body, and still
// meet each other as other cloths do. One of them meets itself if it was asked to.
#pragma once

#include <cstdint>
#include <vector>

namespace pliant {

// To which of the cloths a feature belongs.
struct SewnFeature {
  std::int32_t part = -1;  // of the body; -1: several, as at a seam
  std::int32_t layer = 0;  // 0 also where parts of different layers come together
};

// A place at a seam that a particle is near to.
struct NearSeam {
  std::int32_t seam = 0;  // particle in which parts have become one
  double distance = 0;    // m, at rest, in a part to which both belong
};

// Empty of a cloth that is not sewn to another.
struct SewnSheet {
  bool parts_meet = false;                               // their filters let them
  std::vector<SewnFeature> particles, triangles, edges;  // of the body; of its surface
  // Those near particle p of the body's range: near[near_begin[p] .. near_begin[p + 1]), rising.
  std::vector<std::int32_t> near_begin;
  std::vector<NearSeam> near;

  bool empty() const { return particles.empty(); }
};

// In thicknesses: seams further away than this count as out of reach. No less than the search
// looks.
inline constexpr double k_seam_reach = 1.25;

}  // namespace pliant
