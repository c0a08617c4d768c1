// What can be wrong with a triangle mesh that reads well: indices, shapes, edges, fans,
// orientation, shells, and triangles that cross each other.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "geometry/defect_list.h"
#include "geometry/self_intersection.h"
#include "geometry/shells.h"
#include "geometry/topology.h"

namespace pliant {

namespace {

constexpr double k_zero_height = 1e-9;  // of the longest edge
constexpr double k_needle = 1e-5;
constexpr std::int32_t k_missing_face = 4;  // edges around a hole that one face would close

bool indices_are_sound(const TriMesh& mesh, DefectList& list) {
  bool sound = true;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const std::int32_t v : mesh.triangles[t]) {
      if (v >= 0 && std::size_t(v) < mesh.vertices.size()) continue;
      list.note("index_out_of_range", name_of("triangle", std::int64_t(t)));
      sound = false;
      break;
    }
  }
  return sound;
}

// The triangles that the topology is looked at with, and their numbers in the mesh.
struct CleanTriangles {
  TriMesh mesh;
  std::vector<std::int32_t> number;
};

CleanTriangles without_repeats(const TriMesh& mesh, DefectList& list) {
  CleanTriangles clean;
  clean.mesh.vertices = mesh.vertices;
  std::map<Triangle, std::int32_t> seen;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle sorted = mesh.triangles[t];
    std::sort(sorted.begin(), sorted.end());
    if (sorted[0] == sorted[1] || sorted[1] == sorted[2]) {
      list.note("repeated_index", name_of("triangle", std::int64_t(t)));
      continue;
    }
    const auto [other, is_new] = seen.try_emplace(sorted, std::int32_t(t));
    if (!is_new) {
      list.note("duplicate_faces", name_of("triangle", std::int64_t(t)) + " repeats " +
                                       name_of("triangle", other->second));
      continue;
    }
    clean.mesh.triangles.push_back(mesh.triangles[t]);
    clean.number.push_back(std::int32_t(t));
  }
  return clean;
}

void check_shapes(const CleanTriangles& clean, DefectList& list) {
  const std::vector<Vec3>& p = clean.mesh.vertices;
  for (std::size_t i = 0; i < clean.mesh.triangles.size(); ++i) {
    const auto& [a, b, c] = clean.mesh.triangles[i];
    const double longest =
        std::max({length(p[b] - p[a]), length(p[c] - p[b]), length(p[a] - p[c])});
    const double twice_area = length(cross(p[b] - p[a], p[c] - p[a]));
    if (twice_area <= k_zero_height * longest * longest) {
      list.note("zero_area", name_of("triangle", clean.number[i]));
    } else if (twice_area < k_needle * longest * longest) {
      list.note("needle", name_of("triangle", clean.number[i]));
    }
  }
}

std::string edge_name(const MeshEdge& edge) {
  return "edge " + std::to_string(edge.a) + "-" + std::to_string(edge.b);
}

void check_edges(const EdgeList& edges, DefectList& list) {
  for (const MeshEdge& edge : edges) {
    if (edge.triangle_count > 2) {
      list.note("nonmanifold_edge",
                edge_name(edge) + " of " + std::to_string(edge.triangle_count) + " triangles");
    }
  }
}

std::int32_t root_of(std::vector<std::int32_t>& parent, std::int32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// Edges of one triangle. Where three or four of them go round a place that one more face would
// close, that face is missing; otherwise they are the border of a sheet, which only a solid minds.
void check_borders(const CleanTriangles& clean, const EdgeList& edges, DefectList& list) {
  const std::vector<Triangle>& triangles = clean.mesh.triangles;
  std::vector<std::int32_t> parent(clean.mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (const MeshEdge& edge : edges) {
    if (edge.triangle_count == 1) parent[root_of(parent, edge.a)] = root_of(parent, edge.b);
  }
  std::vector<std::int32_t> loop_edges(parent.size(), 0);  // by the root of the loop
  for (const MeshEdge& edge : edges) {
    if (edge.triangle_count == 1) ++loop_edges[root_of(parent, edge.a)];
  }
  const Components pieces = connected_components(parent.size(), triangles);
  std::vector<std::int32_t> piece_triangles(std::size_t(pieces.count), 0);
  for (const Triangle& t : triangles) ++piece_triangles[pieces.of_vertex[t[0]]];
  for (const MeshEdge& edge : edges) {
    if (edge.triangle_count != 1) continue;
    const std::int32_t around = loop_edges[root_of(parent, edge.a)];
    // A sheet of one triangle or of one quadrilateral is all border.
    const bool is_face = piece_triangles[pieces.of_vertex[edge.a]] <= around - 2;
    if (around <= k_missing_face && !is_face) {
      list.note("hole", "a face is missing at " + edge_name(edge));
    } else {
      list.note("border", edge_name(edge), 1, true);
    }
  }
}

int corner_at(const Triangle& triangle, std::int32_t vertex) {
  return triangle[0] == vertex ? 0 : triangle[1] == vertex ? 1 : 2;
}

// A vertex whose triangles form more than one fan. Fans grow across edges of two triangles.
void check_fans(const CleanTriangles& clean, const EdgeList& edges, DefectList& list) {
  const std::vector<Triangle>& triangles = clean.mesh.triangles;
  std::vector<std::int32_t> parent(triangles.size() * 3);
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<bool> on_bad_edge(clean.mesh.vertices.size(), false);
  for (const MeshEdge& edge : edges) {
    if (edge.triangle_count > 2) on_bad_edge[edge.a] = on_bad_edge[edge.b] = true;
    if (edge.triangle_count < 2) continue;
    for (const std::int32_t v : {edge.a, edge.b}) {
      const std::int32_t s = edge.triangle[0], t = edge.triangle[1];
      const std::int32_t i = root_of(parent, 3 * s + corner_at(triangles[s], v));
      const std::int32_t j = root_of(parent, 3 * t + corner_at(triangles[t], v));
      parent[std::max(i, j)] = std::min(i, j);
    }
  }
  std::vector<int> fans(clean.mesh.vertices.size(), 0);
  for (std::size_t c = 0; c < parent.size(); ++c) {
    fans[triangles[c / 3][c % 3]] += parent[c] == std::int32_t(c);
  }
  for (std::size_t v = 0; v < fans.size(); ++v) {
    if (fans[v] > 1 && !on_bad_edge[v]) {
      list.note("nonmanifold_vertex",
                name_of("vertex", std::int64_t(v)) + " joins " + std::to_string(fans[v]) + " fans");
    }
  }
}

// Walks over edges of two triangles and turns each triangle to suit its neighbour: the lesser part
// of a piece that had to be turned is flipped; a contradiction means a surface with one side.
void check_orientation(const CleanTriangles& clean, const EdgeList& edges, DefectList& list) {
  const std::size_t count = clean.mesh.triangles.size();
  std::vector<std::vector<std::pair<std::int32_t, bool>>> next(count);  // neighbour, agrees
  for (const MeshEdge& edge : edges) {
    if (edge.triangle_count != 2) continue;
    const bool agrees = edge.forward[0] != edge.forward[1];
    next[edge.triangle[0]].emplace_back(edge.triangle[1], agrees);
    next[edge.triangle[1]].emplace_back(edge.triangle[0], agrees);
  }
  std::vector<int> turned(count, -1);
  for (std::size_t start = 0; start < count; ++start) {
    if (turned[start] >= 0) continue;
    turned[start] = 0;
    std::vector<std::int32_t> piece{std::int32_t(start)};
    bool one_sided = false;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      for (const auto& [other, agrees] : next[piece[i]]) {
        const int wanted = agrees ? turned[piece[i]] : 1 - turned[piece[i]];
        if (turned[other] < 0) {
          turned[other] = wanted;
          piece.push_back(other);
        } else {
          one_sided |= turned[other] != wanted;
        }
      }
    }
    if (one_sided) {
      list.note("not_orientable", "the piece of " + name_of("triangle", clean.number[start]));
      continue;
    }
    std::sort(piece.begin(), piece.end());
    const auto ones =
        std::count_if(piece.begin(), piece.end(), [&](auto t) { return turned[t] == 1; });
    const int minority = ones * 2 > std::ptrdiff_t(piece.size()) ? 0 : 1;
    for (const std::int32_t t : piece) {
      if (turned[t] == minority)
        list.note("flipped_triangle", name_of("triangle", clean.number[t]));
    }
  }
}

void check_shells(const CleanTriangles& clean, DefectList& list) {
  for (const Shell& shell : closed_shells(clean.mesh)) {
    const std::string name =
        "the shell of " + name_of("triangle", clean.number[shell.triangles.front()]);
    if (shell.is_flat) {
      list.note("zero_volume", name);
    } else if (shell.depth % 2 == 0 && shell.volume < 0) {
      list.note("inside_out", name);
    } else if (shell.depth % 2 == 1 && shell.volume > 0) {
      // Inward it would be a cavity.
      list.note("nested_shells", name + " lies inside another and points outward too");
    }
  }
}

}  // namespace

std::vector<MeshDefect> find_defects(const TriMesh& mesh) {
  DefectList list;
  if (mesh.triangles.empty()) list.note("no_triangles", "the mesh is empty");
  if (mesh.triangles.empty() || !indices_are_sound(mesh, list)) return list.take();
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const Triangle& t : mesh.triangles) {
    for (const std::int32_t v : t) used[v] = true;
  }
  if (!check_vertices(mesh.vertices, used, list)) return list.take();

  const CleanTriangles clean = without_repeats(mesh, list);
  const EdgeList edges = unique_edges(clean.mesh.triangles);
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (const MeshEdge& edge : edges) pairs.emplace_back(edge.a, edge.b);
  check_float_edges(mesh.vertices, pairs, list);
  check_shapes(clean, list);
  check_edges(edges, list);
  check_borders(clean, edges, list);
  check_fans(clean, edges, list);
  check_orientation(clean, edges, list);
  check_shells(clean, list);
  for (const auto& [s, t] : self_intersections(clean.mesh)) {
    list.note("self_intersection", name_of("triangle", clean.number[s]) + " with " +
                                       name_of("triangle", clean.number[t]));
  }
  return list.take();
}

}  // namespace pliant
