// Clusters of shape matching, from a mesh to weights and rest shapes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/defs.h>

#include "model/matching.h"

namespace pliant {

using ClusterList = std::vector<std::vector<std::int32_t>>;  // vertices of each, rising

// Boxes of `cells` elements along each side: cubes of a lattice, else tetrahedra, whose mean edge
// then is a cell. Boxes begin at every (cells + 1) / 2-th cell, so that they overlap; what hangs
// together only outside of a box is in two clusters there. 0 = one cluster of all vertices.
ClusterList find_clusters(const TetMesh& mesh, int cells);

// Of particles with rest places and masses; every particle is in some cluster.
ShapeMatching make_matching(const Matching& def, const ClusterList& clusters,
                            const std::vector<Vec3>& rest, const std::vector<double>& mass);
// Weights and rest shapes again, with these particles held (rising or not, each once).
void weigh_clusters(ShapeMatching& matching, std::span<const std::int32_t> held);
// Rest shapes creep for a time dt (s) by the stretches of the last substep.
void creep_clusters(ShapeMatching& matching, std::span<const std::int32_t> held, double dt);

}  // namespace pliant
