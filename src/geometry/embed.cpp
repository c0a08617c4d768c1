#include "geometry/embed.h"

#include <algorithm>

#include "geometry/box_tree.h"
#include "geometry/topology.h"
#include "geometry/triangle_tree.h"

namespace pliant {
namespace {

// Points on the boundary are a rounding error outside.
constexpr double k_on_face = -1e-9;

TreeBox box_of(const TetMesh& mesh, const Tetrahedron& t) {
  TreeBox box;
  for (const std::int32_t v : t) box.add(mesh.vertices[std::size_t(v)]);
  return box;
}

double least_of(const std::array<double, 4>& weights) {
  return *std::min_element(weights.begin(), weights.end());
}

}  // namespace

std::array<double, 4> barycentric(const TetMesh& mesh, const Tetrahedron& t, const Vec3& p) {
  const Vec3& x0 = mesh.vertices[std::size_t(t[0])];
  const Vec3 b = mesh.vertices[std::size_t(t[1])] - x0, c = mesh.vertices[std::size_t(t[2])] - x0,
             d = mesh.vertices[std::size_t(t[3])] - x0, q = p - x0;
  const double six = dot(b, cross(c, d));
  const double wb = dot(q, cross(c, d)) / six;
  const double wc = dot(b, cross(q, d)) / six;
  const double wd = dot(b, cross(c, q)) / six;
  return {1 - wb - wc - wd, wb, wc, wd};
}

std::vector<EmbeddedVertex> embed_points(const std::vector<Vec3>& points, const TetMesh& mesh) {
  std::vector<TreeBox> boxes;
  for (const Tetrahedron& t : mesh.tetrahedra) boxes.push_back(box_of(mesh, t));
  BoxTree tree;
  tree.build(boxes);
  const BoundaryFaces boundary = boundary_faces(mesh.tetrahedra);
  const TriangleTree faces(TriMesh{mesh.vertices, boundary.triangles});
  std::vector<EmbeddedVertex> out;
  for (const Vec3& p : points) {
    EmbeddedVertex best{-1, {}};
    double best_least = k_on_face;
    TreeBox around;
    around.add(p);
    tree.overlapping(around, [&](std::int32_t t) {
      const auto weights = barycentric(mesh, mesh.tetrahedra[std::size_t(t)], p);
      const double least = least_of(weights);
      if (least < best_least || (least == best_least && t > best.tetrahedron)) return;
      best_least = least;
      best = {t, weights};
    });
    if (best.tetrahedron < 0) {
      best.tetrahedron = boundary.tetrahedron[std::size_t(faces.nearest(p).triangle)];
      best.weights = barycentric(mesh, mesh.tetrahedra[std::size_t(best.tetrahedron)], p);
    }
    out.push_back(best);
  }
  return out;
}

Vec3 carried_position(const EmbeddedVertex& vertex, const TetMesh& mesh) {
  const Tetrahedron& t = mesh.tetrahedra[std::size_t(vertex.tetrahedron)];
  Vec3 p;
  for (std::size_t k = 0; k < 4; ++k) p += mesh.vertices[std::size_t(t[k])] * vertex.weights[k];
  return p;
}

}  // namespace pliant
