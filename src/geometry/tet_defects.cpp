// What can be wrong with a tetrahedral mesh that reads well, and what of it can be mended.
#include <algorithm>
#include <cmath>
#include <map>

#include <pliant/mesh_repair.h>

#include "geometry/defect_list.h"
#include "geometry/self_intersection.h"
#include "geometry/topology.h"

namespace pliant {

namespace {

constexpr double k_flat = 1e-9;  // volume as part of the longest edge cubed
constexpr double k_sliver = 1e-5;

bool indices_are_sound(const TetMesh& mesh, DefectList& list) {
  bool sound = true;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    for (const std::int32_t v : mesh.tetrahedra[t]) {
      if (v >= 0 && std::size_t(v) < mesh.vertices.size()) continue;
      list.note("index_out_of_range", name_of("tetrahedron", std::int64_t(t)));
      sound = false;
      break;
    }
  }
  return sound;
}

double longest_edge(const TetMesh& mesh, const Tetrahedron& t) {
  double longest = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      longest = std::max(longest, length(mesh.vertices[t[i]] - mesh.vertices[t[j]]));
    }
  }
  return longest;
}

struct CleanTetrahedra {
  TetMesh mesh;
  std::vector<std::int32_t> number;
};

// Judges each tetrahedron alone; those that have a volume go on to the topology, wound the right
// way. Slivers are apart: they stay.
CleanTetrahedra check_each(const TetMesh& mesh, DefectList& list, DefectList& slivers) {
  CleanTetrahedra clean;
  clean.mesh.vertices = mesh.vertices;
  std::map<Tetrahedron, std::int32_t> seen;
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
    const Tetrahedron& t = mesh.tetrahedra[i];
    const std::string name = name_of("tetrahedron", std::int64_t(i));
    Tetrahedron sorted = t;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      list.note("repeated_index", name);
      continue;
    }
    const auto [other, is_new] = seen.try_emplace(sorted, std::int32_t(i));
    if (!is_new) {
      list.note("duplicate_tetrahedra", name + " repeats " + name_of("tetrahedron", other->second));
      continue;
    }
    const double longest = longest_edge(mesh, t);
    const double ratio = signed_volume(mesh, t) / (longest * longest * longest);
    if (!(std::abs(ratio) > k_flat)) {
      list.note("flat_tetrahedron", name);
      continue;
    }
    if (ratio < 0) list.note("inverted_tetrahedron", name);
    if (std::abs(ratio) < k_sliver) slivers.note("sliver", name);
    clean.mesh.tetrahedra.push_back(t);
    if (ratio < 0) std::swap(clean.mesh.tetrahedra.back()[2], clean.mesh.tetrahedra.back()[3]);
    clean.number.push_back(std::int32_t(i));
  }
  return clean;
}

// With positive volumes, two tetrahedra on either side of a face see it turned opposite ways.
void check_faces(const CleanTetrahedra& clean, DefectList& list) {
  struct Sides {
    int even = 0, odd = 0;
  };
  std::map<Triangle, Sides> faces;
  for (std::size_t i = 0; i < clean.mesh.tetrahedra.size(); ++i) {
    for (const Triangle& face : faces_of(clean.mesh.tetrahedra[i])) {
      Triangle sorted = face;
      std::sort(sorted.begin(), sorted.end());
      const int at = face[0] == sorted[0] ? 0 : face[1] == sorted[0] ? 1 : 2;
      const bool even = face[(at + 1) % 3] == sorted[1];
      Sides& sides = faces[sorted];
      int& same = even ? sides.even : sides.odd;
      if (++same > 1) {
        list.note("overlapping_tetrahedra",
                  name_of("tetrahedron", clean.number[i]) +
                      " and another on the same side of face " + std::to_string(sorted[0]) + "-" +
                      std::to_string(sorted[1]) + "-" + std::to_string(sorted[2]));
      }
    }
  }
}

void check_skin(const CleanTetrahedra& clean, DefectList& list) {
  const BoundaryFaces skin = boundary_faces(clean.mesh.tetrahedra);
  for (const auto& [s, t] : self_intersections({clean.mesh.vertices, skin.triangles})) {
    list.note("self_intersection",
              "the outer faces of " + name_of("tetrahedron", clean.number[skin.tetrahedron[s]]) +
                  " and " + name_of("tetrahedron", clean.number[skin.tetrahedron[t]]));
  }
}

std::vector<bool> used_vertices(const TetMesh& mesh) {
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (const std::int32_t v : t) used[v] = true;
  return used;
}

void drop_unused_vertices(TetMesh& mesh, DefectList& list) {
  const std::vector<bool> used = used_vertices(mesh);
  std::vector<std::int32_t> number(mesh.vertices.size(), -1);
  std::int32_t kept = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (used[v]) {
      mesh.vertices[kept] = mesh.vertices[v];
      number[v] = kept++;
    } else {
      list.note("unused_vertices", name_of("vertex", std::int64_t(v)));
    }
  }
  mesh.vertices.resize(kept);
  for (Tetrahedron& t : mesh.tetrahedra)
    for (std::int32_t& v : t) v = number[v];
}

}  // namespace

std::vector<MeshDefect> find_defects(const TetMesh& mesh) {
  DefectList list;
  if (mesh.tetrahedra.empty()) list.note("no_tetrahedra", "the mesh is empty");
  if (mesh.tetrahedra.empty() || !indices_are_sound(mesh, list)) return list.take();
  if (!check_vertices(mesh.vertices, used_vertices(mesh), list)) return list.take();
  const CleanTetrahedra clean = check_each(mesh, list, list);
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (const VertexPair& edge : unique_edges(clean.mesh.tetrahedra)) {
    pairs.emplace_back(edge[0], edge[1]);
  }
  check_float_edges(mesh.vertices, pairs, list);
  check_faces(clean, list);
  check_skin(clean, list);
  return list.take();
}

std::vector<std::string> TetRepair::lines() const {
  std::vector<std::string> lines;
  for (const MeshDefect& d : repaired) lines.push_back(d.what + ": " + d.where + ", repaired");
  for (const MeshDefect& d : left) lines.push_back(d.what + ": " + d.where + ", left as it is");
  return lines;
}

TetRepair repair(TetMesh& mesh) {
  DefectList repaired, left;
  bool sound = indices_are_sound(mesh, left);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (finite(mesh.vertices[v])) continue;
    left.note("not_finite", name_of("vertex", std::int64_t(v)));
    sound = false;
  }
  if (!sound) return {{}, left.take()};
  CleanTetrahedra clean = check_each(mesh, repaired, left);
  check_faces(clean, left);
  mesh.tetrahedra = std::move(clean.mesh.tetrahedra);
  drop_unused_vertices(mesh, repaired);
  return {repaired.take(), left.take()};
}

}  // namespace pliant
