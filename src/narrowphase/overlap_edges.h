// Edges of one solid's surface that pass through another, both ends outside: what searches for
// points inside do not see.
//
// The tetrahedra that meet there are parted along the axis on which they overlap least: a normal of
// a face, or the cross product of two edges. The contact acts in the middle of the piece of the
// edge that is inside.
#pragma once

#include <span>
#include <vector>

#include "model/overlap.h"
#include "narrowphase/overlap_solid.h"

namespace pliant {

// The axis, from the second to the first, on which two tetrahedra overlap least, and by how much;
// negative: they are apart.
struct TetOverlap {
  Vec3 axis;
  double depth = 0;
};
TetOverlap least_overlap(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b);

// Appends the contacts of edges of `own` that pass through `solid`, which has its faces. Where
// points of one are inside the other nearby (`near`, of each particle: it or a neighbour is), they
// part them better: two tetrahedra know nothing of the rest of the surface.
void find_edge_contacts(const OverlapSolid& own, const OverlapSolid& solid, std::span<const Vec3> x,
                        std::span<const std::uint8_t> near, std::vector<OverlapContact>& contacts);

}  // namespace pliant
