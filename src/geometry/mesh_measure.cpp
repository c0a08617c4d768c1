// Volume, area and closedness of meshes, summed in double about the first vertex so that a body far
// from the origin loses no digits.
#include <pliant/mesh.h>

#include "geometry/topology.h"

namespace pliant {

double volume(const TriMesh& mesh) {
  if (mesh.vertices.empty()) return 0;
  const std::vector<Vec3>& p = mesh.vertices;
  double six = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    six += dot(p[a] - p[0], cross(p[b] - p[0], p[c] - p[0]));
  }
  return six / 6;
}

double volume(const TetMesh& mesh) {
  double sum = 0;
  for (const Tetrahedron& t : mesh.tetrahedra) sum += signed_volume(mesh, t);
  return sum;
}

double area(const TriMesh& mesh) {
  const std::vector<Vec3>& p = mesh.vertices;
  double twice = 0;
  for (const auto& [a, b, c] : mesh.triangles) twice += length(cross(p[b] - p[a], p[c] - p[a]));
  return twice / 2;
}

bool is_closed(const TriMesh& mesh) {
  if (mesh.triangles.empty()) return false;
  for (const MeshEdge& edge : unique_edges(mesh.triangles)) {
    if (edge.triangle_count != 2 || edge.forward[0] == edge.forward[1]) return false;
  }
  return volume(mesh) > 0;
}

}  // namespace pliant
