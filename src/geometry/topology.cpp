#include "geometry/topology.h"

#include <algorithm>
#include <numeric>

namespace pliant {

namespace {

struct HalfEdge {
  std::int32_t a, b, triangle, opposite;
  bool forward;
};

}  // namespace

EdgeList unique_edges(std::span<const Triangle> triangles) {
  std::vector<HalfEdge> halves;
  halves.reserve(triangles.size() * 3);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::int32_t from = triangles[t][k], to = triangles[t][(k + 1) % 3];
      halves.push_back({std::min(from, to), std::max(from, to), std::int32_t(t),
                        triangles[t][(k + 2) % 3], from < to});
    }
  }
  // Ties (a triangle that has the same edge twice) keep the order in which they were pushed.
  std::stable_sort(halves.begin(), halves.end(), [](const HalfEdge& l, const HalfEdge& r) {
    return l.a != r.a ? l.a < r.a : l.b < r.b;
  });
  EdgeList edges;
  edges.reserve(halves.size() / 2);
  for (const HalfEdge& half : halves) {
    if (edges.empty() || edges.back().a != half.a || edges.back().b != half.b) {
      edges.push_back({.a = half.a, .b = half.b});
    }
    MeshEdge& edge = edges.back();
    if (edge.triangle_count < 2) {
      edge.triangle[edge.triangle_count] = half.triangle;
      edge.opposite[edge.triangle_count] = half.opposite;
      edge.forward[edge.triangle_count] = half.forward;
    }
    ++edge.triangle_count;
  }
  return edges;
}

std::vector<VertexPair> unique_edges(std::span<const Tetrahedron> tetrahedra) {
  std::vector<VertexPair> edges;
  edges.reserve(tetrahedra.size() * 6);
  for (const Tetrahedron& t : tetrahedra) {
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        edges.push_back({std::min(t[i], t[j]), std::max(t[i], t[j])});
      }
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::array<Triangle, 4> faces_of(const Tetrahedron& tetrahedron) {
  const auto& [a, b, c, d] = tetrahedron;
  return {{{b, c, d}, {a, d, c}, {a, b, d}, {a, c, b}}};
}

BoundaryFaces boundary_faces(std::span<const Tetrahedron> tetrahedra) {
  struct Face {
    Triangle sorted;
    std::int32_t number;  // 4 * tetrahedron + face
    auto operator<=>(const Face&) const = default;
  };
  std::vector<Face> faces;
  faces.reserve(tetrahedra.size() * 4);
  for (const Tetrahedron& tetrahedron : tetrahedra) {
    for (Triangle face : faces_of(tetrahedron)) {
      std::sort(face.begin(), face.end());
      faces.push_back({face, std::int32_t(faces.size())});
    }
  }
  std::sort(faces.begin(), faces.end());
  std::vector<std::int32_t> single;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].sorted == faces[i].sorted) ++end;
    if (end == i + 1) single.push_back(faces[i].number);
    i = end;
  }
  std::sort(single.begin(), single.end());
  BoundaryFaces boundary;
  for (const std::int32_t number : single) {
    boundary.triangles.push_back(faces_of(tetrahedra[number / 4])[number % 4]);
    boundary.tetrahedron.push_back(number / 4);
  }
  return boundary;
}

namespace {

std::int32_t find_root(std::vector<std::int32_t>& parent, std::int32_t v) {
  while (parent[v] != v) {
    parent[v] = parent[parent[v]];
    v = parent[v];
  }
  return v;
}

template <class Element>
Components components_of(std::size_t vertex_count, std::span<const Element> elements) {
  std::vector<std::int32_t> parent(vertex_count);
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<bool> used(vertex_count, false);
  for (const Element& element : elements) {
    for (const std::int32_t v : element) {
      used[v] = true;
      // The smaller root wins, so that a root is the first vertex of its piece.
      const std::int32_t a = find_root(parent, element[0]), b = find_root(parent, v);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  Components result;
  result.of_vertex.assign(vertex_count, -1);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    if (!used[v]) continue;
    const std::int32_t root = find_root(parent, std::int32_t(v));
    result.of_vertex[v] = root == std::int32_t(v) ? result.count++ : result.of_vertex[root];
  }
  return result;
}

}  // namespace

Components connected_components(std::size_t vertex_count, std::span<const Triangle> triangles) {
  return components_of(vertex_count, triangles);
}

Components connected_components(std::size_t vertex_count, std::span<const Tetrahedron> tetrahedra) {
  return components_of(vertex_count, tetrahedra);
}

double signed_volume(const TetMesh& mesh, const Tetrahedron& tetrahedron) {
  const std::vector<Vec3>& p = mesh.vertices;
  const auto& [a, b, c, d] = tetrahedron;
  return dot(cross(p[b] - p[a], p[c] - p[a]), p[d] - p[a]) / 6;
}

}  // namespace pliant
