// Wraps a closed surface in a lattice of cubes, five tetrahedra each, and ties every vertex of the
// surface to the tetrahedron that contains it.
#pragma once

#include <vector>

#include <pliant/mesh.h>
#include <pliant/result.h>

#include "geometry/embed.h"

namespace pliant {

struct WrappedMesh {
  TetMesh lattice;
  double cell = 0;                        // m, edge of a cube
  std::vector<EmbeddedVertex> embedding;  // one for each vertex of the surface
  int lattice_pieces = 0;                 // of cubes connected through faces
  int mesh_pieces = 0;                    // of the surface; more than above: pieces were fused
};

inline constexpr int k_max_lattice_cells = 256;

// `cells` cubes along the longest side of the mesh's box; a cube is kept when its interior meets
// the surface or it lies inside. The mesh must be closed.
Result<WrappedMesh> wrap_in_lattice(const TriMesh& mesh, int cells);

}  // namespace pliant
