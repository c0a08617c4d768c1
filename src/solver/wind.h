// The force of the air on cloth, triangle by triangle. With u = wind - velocity of the triangle, n
// its unit normal on the windward side and A its area:
//
//   F = 1/2 rho A ( C_drag (u . n) u + C_lift (u . n)^2 n ), shared by its three corners
//
// Lift presses along the normal, drag carries along; both vanish edge-on. In terms of N = (b - a) x
// (c - a), |N| = 2 A, and s = u . N that is, without a root,
//
//   F = rho / 4 |s| ( C_drag u + C_lift s / |N|^2 N )
//
// Triangles go by the leaves of the cloth's tree, eight at a time; then each particle adds up the
// triangles around it, in their order: the same bits on any number of threads.
#pragma once

#include <vector>

#include "core/pool.h"
#include "model/deformable.h"
#include "model/particles.h"

namespace pliant {

// Memory that is kept.
struct WindScratch {
  std::vector<Vec4> places;  // m, of the particles of one cloth
  std::vector<Vec4> shares;  // N, a third of the force on each triangle
};

// N, on the particles of a cloth, in place of what `particles.force` had of them.
void wind_forces(const Deformable& cloth, const Vec3& wind, double medium_density,
                 WindScratch& scratch, TaskPool* pool, Particles& particles);

}  // namespace pliant
