// Tetrahedra of a file that was written carelessly, made fit to be simulated.
#pragma once

#include <string>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

struct TetRepair {
  std::vector<MeshDefect> repaired{};  // found, and gone
  std::vector<MeshDefect> left{};      // found, and still there

  std::vector<std::string> lines() const;  // one for each, for people
};

// Turns round the tetrahedra that are wound the wrong way, and takes out those that are flat, use a
// vertex twice or repeat another; then the vertices that none uses, so that later ones have other
// numbers. What then still overlaps its neighbour, and slivers, are left: only the maker of the
// mesh knows what was meant. A mesh with vertices that there are not, or places that are not
// numbers, is left as it is.
TetRepair repair(TetMesh& mesh);

}  // namespace pliant
