// The closed pieces of a triangle mesh and how deep each lies inside the others.
#pragma once

#include <cstdint>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

struct Shell {
  std::vector<std::int32_t> triangles;
  double volume = 0;     // m3, signed
  bool is_flat = false;  // no volume to speak of
  int depth = 0;         // how many other shells surround it
};

// Pieces connected through edges in which every edge has two triangles of opposite direction.
std::vector<Shell> closed_shells(const TriMesh& mesh);

}  // namespace pliant
