#include "build/cloth_bend.h"

#include <cmath>

#include "geometry/bend_weights.h"
#include "geometry/hinge_angle.h"

namespace pliant {
namespace {

constexpr double k_flat = 1e-4;  // rad; a rest angle below this is flat

// An inner edge with its wings: v = the edge, the wing on its left, that on its right.
struct Hinge {
  std::array<std::int32_t, 4> v;
  double area_sum;     // m2, of its two triangles
  double edge_length;  // m
  double rest;         // rad
};

Hinge hinge_of(const TriMesh& mesh, const MeshEdge& e) {
  const std::size_t left = e.forward[0] ? 0 : 1;
  Hinge hinge{{e.a, e.b, e.opposite[left], e.opposite[1 - left]}, 0, 0, 0};
  const auto x = [&](std::size_t n) { return mesh.vertices[std::size_t(hinge.v[n])]; };
  hinge.area_sum = triangle_area(mesh, e.triangle[0]) + triangle_area(mesh, e.triangle[1]);
  hinge.edge_length = length(x(1) - x(0));
  hinge.rest = hinge_angle(x(0), x(1), x(2), x(3));
  return hinge;
}

// The last fold that has both ends of each edge; -1 = none.
class Creases {
 public:
  explicit Creases(const ClothDef& def) : member_(def.folds.size()) {
    for (std::size_t n = 0; n < def.folds.size(); ++n) {
      member_[n].resize(def.mesh.vertices.size());
      for (const std::int32_t v : def.folds[n].vertices) member_[n][std::size_t(v)] = true;
    }
  }
  std::int32_t of(const MeshEdge& e) const {
    for (std::size_t n = member_.size(); n-- > 0;)
      if (member_[n][std::size_t(e.a)] && member_[n][std::size_t(e.b)]) return std::int32_t(n);
    return -1;
  }

 private:
  std::vector<std::vector<bool>> member_;  // of each fold, of each vertex
};

std::array<std::int32_t, 4> in_order(const Hinge& hinge, const std::vector<std::int32_t>& order) {
  std::array<std::int32_t, 4> particle{};
  for (std::size_t n = 0; n < 4; ++n) particle[n] = order[std::size_t(hinge.v[n])];
  return particle;
}

BendRow bend_row(const ClothDef& def, const Hinge& hinge, const std::vector<std::int32_t>& order) {
  const auto x = [&](std::size_t n) { return def.mesh.vertices[std::size_t(hinge.v[n])]; };
  return {in_order(hinge, order), bend_weights(x(0), x(1), x(2), x(3)),
          hinge.area_sum / def.bend_rigidity};
}

HingeRow hinge_row(const ClothDef& def, const Hinge& hinge,
                   const std::vector<std::int32_t>& order) {
  const double l = hinge.edge_length;
  return {in_order(hinge, order), hinge.rest, hinge.area_sum / (def.bend_rigidity * l * l), -1};
}

HingeRow fold_row(const Fold& fold, std::int32_t index, const Hinge& hinge,
                  const std::vector<std::int32_t>& order) {
  const double stiffness = fold.stiffness * hinge.edge_length;  // N m / rad
  return {in_order(hinge, order), hinge.rest, stiffness > 0 ? 1 / stiffness : 0, index};
}

bool keeps_angle(Bending bending, const Hinge& hinge) {
  return bending == Bending::hinge ||
         (bending == Bending::automatic && std::abs(hinge.rest) > k_flat);
}

}  // namespace

double triangle_area(const TriMesh& mesh, std::int32_t triangle) {
  const Triangle& t = mesh.triangles[std::size_t(triangle)];
  const Vec3& a = mesh.vertices[std::size_t(t[0])];
  return 0.5 *
         length(cross(mesh.vertices[std::size_t(t[1])] - a, mesh.vertices[std::size_t(t[2])] - a));
}

void add_bending(const ClothDef& def, const EdgeList& edges, const std::vector<std::int32_t>& order,
                 ConstraintRows& rows) {
  const Creases creases(def);
  for (const MeshEdge& e : edges) {
    if (e.triangle_count != 2) continue;
    const std::int32_t fold = creases.of(e);
    if (fold < 0 && def.bend_rigidity <= 0) continue;
    const Hinge hinge = hinge_of(def.mesh, e);
    if (fold >= 0)
      rows.fold.push_back(fold_row(def.folds[std::size_t(fold)], fold, hinge, order));
    else if (keeps_angle(def.bending, hinge))
      rows.hinge.push_back(hinge_row(def, hinge, order));
    else
      rows.bend.push_back(bend_row(def, hinge, order));
  }
}

}  // namespace pliant
