// Wraps a closed surface in a lattice of cubes, five tetrahedra each, and ties every vertex of the
// surface to the tetrahedron that contains it.
#pragma once

#include <optional>
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

// How fine a lattice is: `cells` cubes along the longest side of the mesh's box, or, where `size`
// is not 0, cubes with that edge (m), as many as cover the box.
struct LatticeGrain {
  int cells = 8;
  double size = 0;
};
// The edge of a cube (m); 0 of a mesh without triangles.
double lattice_cell(const TriMesh& mesh, const LatticeGrain& grain);
// What is wrong with it, by the fields "cells" and "cell_size" of a solid.
std::optional<Error> check_lattice(const TriMesh& mesh, const LatticeGrain& grain);

// A cube is kept when its interior meets the surface or it lies inside. The mesh must be closed.
Result<WrappedMesh> wrap_in_lattice(const TriMesh& mesh, const LatticeGrain& grain);
inline Result<WrappedMesh> wrap_in_lattice(const TriMesh& mesh, int cells) {
  return wrap_in_lattice(mesh, LatticeGrain{cells});
}

}  // namespace pliant
