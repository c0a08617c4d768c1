// Which triangles of a mesh pass through each other.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

using TrianglePair = std::pair<std::int32_t, std::int32_t>;  // first < second

// Pairs that cross, and neighbours folded flat onto each other. Touching and lying in one plane
// without a common edge do not count. Sorted. Needs indices within range.
std::vector<TrianglePair> self_intersections(const TriMesh& mesh);
// The same from all pairs, written another way.
std::vector<TrianglePair> self_intersections_brute(const TriMesh& mesh);

}  // namespace pliant
