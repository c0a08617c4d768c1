// How one cube of a lattice is cut into five tetrahedra: four at corners, one in the middle. Cubes
// whose index sum is odd are mirrored in x, so that the diagonals of neighbours agree.
#pragma once

#include <utility>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

// The corners of a cube are numbered x + 2 y + 4 z.
inline constexpr std::array<std::array<int, 4>, 5> k_cell_tetrahedra = {
    {{0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}, {1, 2, 4, 7}}};
// True where the order above has a negative volume in an unmirrored cube; mirroring swaps it.
inline constexpr std::array<bool, 5> k_cell_tetrahedron_inverted = {false, true, false, true,
                                                                    false};

// node(i, j, k) gives the index of a grid point.
template <class Node>
void append_cell_tetrahedra(int i, int j, int k, const Node& node,
                            std::vector<Tetrahedron>& tetrahedra) {
  const bool mirrored = (i + j + k) % 2 != 0;
  for (int t = 0; t < 5; ++t) {
    Tetrahedron corners{};
    for (int c = 0; c < 4; ++c) {
      const int code = k_cell_tetrahedra[t][c];
      const int x = (code & 1) ^ int(mirrored);
      corners[c] = node(i + x, j + ((code >> 1) & 1), k + ((code >> 2) & 1));
    }
    if (k_cell_tetrahedron_inverted[t] != mirrored) std::swap(corners[2], corners[3]);
    tetrahedra.push_back(corners);
  }
}

}  // namespace pliant
