// Who is whose neighbour in a mesh: edges, boundary faces, connected pieces.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

// An edge a < b of triangles. Of more than two triangles (non-manifold) the first two are kept.
struct MeshEdge {
  std::int32_t a = 0, b = 0;
  std::int32_t triangle_count = 0;
  std::array<std::int32_t, 2> triangle{-1, -1};
  std::array<std::int32_t, 2> opposite{-1, -1};  // the third vertex of each triangle
  std::array<bool, 2> forward{false, false};     // whether the triangle runs along it from a to b
};
using EdgeList = std::vector<MeshEdge>;

// Sorted by (a, b); the triangles of each edge in rising order.
EdgeList unique_edges(std::span<const Triangle> triangles);

using VertexPair = std::array<std::int32_t, 2>;
// The edges of tetrahedra, each once with the smaller vertex first, sorted.
std::vector<VertexPair> unique_edges(std::span<const Tetrahedron> tetrahedra);

// The four faces of a tetrahedron, outward where its volume is positive; face f is opposite
// vertex f.
std::array<Triangle, 4> faces_of(const Tetrahedron& tetrahedron);

// Faces that belong to one tetrahedron only, outward, in the order of their tetrahedra.
struct BoundaryFaces {
  std::vector<Triangle> triangles;
  std::vector<std::int32_t> tetrahedron;  // of each triangle
};
BoundaryFaces boundary_faces(std::span<const Tetrahedron> tetrahedra);

// Pieces connected through shared vertices, numbered in the order of their first vertex; vertices
// that no element uses have piece -1.
struct Components {
  std::int32_t count = 0;
  std::vector<std::int32_t> of_vertex;
};
Components connected_components(std::size_t vertex_count, std::span<const Triangle> triangles);
Components connected_components(std::size_t vertex_count, std::span<const Tetrahedron> tetrahedra);

double signed_volume(const TetMesh& mesh, const Tetrahedron& tetrahedron);

}  // namespace pliant
