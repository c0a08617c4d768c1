// Meshes under other numbers of their vertices, with their elements in the order of the numbers:
// where these follow from places, nothing is left of how a mesh was written down.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include <pliant/mesh.h>

namespace pliant {

// The corners of a triangle or a tetrahedron in rising order; the last two change places where the
// orientation would not be the same.
template <std::size_t corners>
std::array<std::int32_t, corners> in_rising_order(std::array<std::int32_t, corners> element) {
  static_assert(corners > 2);
  bool turned = false;
  for (std::size_t n = 1; n < corners; ++n)
    for (std::size_t k = n; k > 0 && element[k] < element[k - 1]; --k) {
      std::swap(element[k], element[k - 1]);
      turned = !turned;
    }
  if (turned) std::swap(element[corners - 2], element[corners - 1]);
  return element;
}

// `number` of each vertex: 0, 1, ... in any order.
TriMesh renumbered(const TriMesh& mesh, std::span<const std::int32_t> number);
TetMesh renumbered(const TetMesh& mesh, std::span<const std::int32_t> number);

}  // namespace pliant
