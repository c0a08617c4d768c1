// What the stage of overlapping solids keeps between substeps: memory, and what follows from the
// bodies' tetrahedra. None of it is state.
#pragma once

#include <vector>

#include "narrowphase/overlap_depth.h"
#include "narrowphase/overlap_search.h"
#include "solver/inner_forces.h"
#include "solver/overlap_response.h"

namespace pliant {

// What two solids have done to each other in a step.
struct OverlapLoad {
  std::uint64_t key = 0;
  std::int32_t low = 0, high = 0;  // deformables, by their keys
  Vec3 impulse;                    // N s, on the one with the higher key
  Vec3 normal;                     // sum of those of their contacts, towards it
  Vec3 moment;                     // m, sum of the places of their contacts
  std::int32_t count = 0;          // of these
  double closing = 0;              // m/s, when they met
};

// Which way two solids that are parted leave each other.
struct OverlapLead {
  std::uint64_t key = 0;
  std::int32_t low = 0, high = 0;  // deformables, by their keys
  Vec3 way;                        // of the higher one; unit where they are led
  double deepest = 0, sum = 0;     // m, of the depths of their contacts
  bool led = false;                // as they are
};

// The face through which a point's way out led the last time.
struct OverlapGuess {
  std::int32_t body = 0, point = 0, face = -1;
};

struct Overlaps {
  std::uint64_t topology = ~0ull;    // of the world's things, for which `solids` are
  std::vector<std::uint8_t> parted;  // likewise: Partings::bodies
  std::vector<OverlapSolid> solids;
  std::vector<std::uint32_t> keys;     // beside them
  std::vector<std::int32_t> solid_of;  // of each deformable, -1 = not among them
  std::vector<std::int32_t> owner;     // of each particle: deformable
  double cell = 0;                     // m, mean edge
  std::vector<Vec3> x;                 // m, of each particle, when overlaps were looked for
  std::vector<Vec3> now;               // m, of each particle
  OverlapMemory search;
  std::vector<OverlapHit> hits;
  std::vector<OverlapDepth> depths;
  DepthMemory depth;
  std::vector<OverlapGuess> guesses, new_guesses;  // sorted like the depths
  std::vector<std::uint8_t>
      near;  // of each particle: it or a neighbour is inside; zero but in a search
  std::vector<std::uint8_t> part;  // of each particle: whether it is in something or holds it
  bool is_looked_for = false;      // in this step, and `found` is what there was
  std::vector<OverlapContact> found, older;  // of each pair as it was then
  std::vector<OverlapContact> contacts;
  std::vector<OverlapFriction> friction;  // beside them
  OverlapField field;
  OverlapImpulses impulses;
  std::vector<double> share;
  std::vector<Vec3> start;          // velocities before
  std::vector<Vec4> d;              // of each particle, before it was shifted
  std::vector<InnerMemory> inner;   // of each deformable
  std::vector<std::uint8_t> bound;  // of each deformable: others acted on it in this substep
  std::vector<std::int32_t> woken;  // deformables that sleep and were met
  std::vector<OverlapLoad> loads;   // by key
  std::vector<OverlapLead> leads;   // likewise, of this substep
  std::vector<Vec3> led_by;         // m, of each deformable
};

}  // namespace pliant
