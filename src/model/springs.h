// Explicit springs: lengths, areas and volumes with energies, and the memory of their forces. See
// constraints/springs.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <pliant/defs.h>

#include "model/batches.h"

namespace pliant {

struct alignas(64) SpringBatch {
  Lanes i, j;
  Vec3W base;       // base_j - base_i, refreshed once per step
  RealW rest;       // m
  RealW stiffness;  // N/m
  RealW damping;    // N s/m
};
struct alignas(64) AreaBatch {
  std::array<Lanes, 3> i;
  std::array<Vec3W, 2> base;  // base_n - base_0
  RealW rest;                 // m2
  RealW stiffness;            // J / m4
};
struct alignas(64) SpringVolumeBatch {
  std::array<Lanes, 4> i;
  std::array<Vec3W, 3> base;  // base_n - base_0
  RealW rest;                 // m3
  RealW stiffness;            // J / m6
};

struct SpringNet {
  SpringIntegrator integrator = SpringIntegrator::verlet;
  std::vector<SpringBatch> springs;
  std::vector<AreaBatch> areas;
  std::vector<SpringVolumeBatch> volumes;
  // The forces on particle i, [slot_begin[i], slot_begin[i + 1]): place in `force`, lane and sign,
  // as (place * 8 + lane) * 2 + (1 where it is taken off).
  std::vector<std::int32_t> slot_begin, slot;
  // Bounds of the greatest eigenvalues at rest: of M^-1 K (1/s2) and of M^-1 B (1/s).
  double stiffness_bound = 0, damping_bound = 0;
  std::int32_t missing = 0;  // springs that were asked for and found no place
  // Of the substep at hand.
  bool has_force = false;   // particles.force holds something
  std::vector<Vec4> force;  // N, of the lanes of springs, areas, volumes
  std::vector<Vec4> moved;  // m, by the springs in this substep

  bool empty() const { return slot_begin.empty(); }
};

}  // namespace pliant
