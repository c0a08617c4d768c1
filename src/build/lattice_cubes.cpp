#include "build/lattice_cubes.h"

#include <algorithm>

#include "geometry/topology.h"

namespace pliant {

bool find_cube(std::span<const Tetrahedron> five, std::array<std::int32_t, 8>& corners) {
  const Tetrahedron& middle = five[4];
  std::copy(middle.begin(), middle.end(), corners.begin());
  std::fill(corners.begin() + 4, corners.end(), -1);
  for (std::size_t n = 0; n < 4; ++n) {
    std::int32_t apex = -1;
    int apexes = 0;
    for (const std::int32_t v : five[n])
      if (std::find(middle.begin(), middle.end(), v) == middle.end()) apex = v, ++apexes;
    if (apexes != 1) return false;
    for (std::size_t k = 0; k < 4; ++k)
      if (std::find(five[n].begin(), five[n].end(), middle[k]) == five[n].end())
        corners[4 + k] = apex;
  }
  for (std::size_t k = 4; k < 8; ++k)
    if (corners[k] < 0 || std::count(corners.begin(), corners.end(), corners[k]) != 1) return false;
  return true;
}

LatticeParts find_cubes(const TetMesh& mesh) {
  LatticeParts parts;
  const std::span<const Tetrahedron> tets = mesh.tetrahedra;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    Cube cube;
    cube.first = t;
    if (t + 5 > tets.size() || !find_cube(tets.subspan(t, 5), cube.corners)) {
      parts.tetrahedra.push_back(tets[t]);
      continue;
    }
    for (std::size_t n = 0; n < 5; ++n) cube.volume += signed_volume(mesh, tets[t + n]);
    parts.cubes.push_back(cube);
    t += 4;
  }
  return parts;
}

}  // namespace pliant
