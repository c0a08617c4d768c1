// Cubes in a list of tetrahedra.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

// Five tetrahedra that are a cube of a lattice, four corners and then the middle (see
// geometry/lattice_cell.h), as eight vertices: those of the middle tetrahedron, then the corners
// opposite to them.
bool find_cube(std::span<const Tetrahedron> five, std::array<std::int32_t, 8>& corners);

struct Cube {
  std::array<std::int32_t, 8> corners{};
  double volume = 0;      // m3
  std::size_t first = 0;  // of its five tetrahedra
};
struct LatticeParts {
  std::vector<Cube> cubes;
  std::vector<Tetrahedron> tetrahedra;  // that belong to no cube
};
LatticeParts find_cubes(const TetMesh& mesh);

}  // namespace pliant
