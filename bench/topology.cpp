#include "bench/topology.h"

#include <algorithm>
#include <map>
#include <numbers>

#include "bench/polytope.h"

namespace pliant::bench {
namespace {

template <class Elements>
std::vector<Edge> edges_of(const Elements& elements) {
  std::vector<Edge> edges;
  for (const auto& element : elements)
    for (std::size_t i = 0; i < element.size(); ++i)
      for (std::size_t j = i + 1; j < element.size(); ++j)
        edges.push_back({std::min(element[i], element[j]), std::max(element[i], element[j])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::vector<Vec3> placed(const std::vector<Vec3>& vertices, const Vec3& position, const Quat& q) {
  std::vector<Vec3> out;
  out.reserve(vertices.size());
  for (const Vec3& v : vertices) out.push_back(position + rotate(q, v));
  return out;
}

}  // namespace

std::vector<Edge> unique_edges(const std::vector<Triangle>& triangles) {
  return edges_of(triangles);
}

std::vector<Edge> unique_edges(const std::vector<Tetrahedron>& tetrahedra) {
  return edges_of(tetrahedra);
}

std::vector<Triangle> boundary(const std::vector<Tetrahedron>& tetrahedra) {
  static constexpr int k_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  std::map<Triangle, std::pair<Triangle, int>> faces;  // by sorted corners
  for (const Tetrahedron& t : tetrahedra) {
    for (const auto& f : k_faces) {
      const Triangle face{t[std::size_t(f[0])], t[std::size_t(f[1])], t[std::size_t(f[2])]};
      Triangle key = face;
      std::sort(key.begin(), key.end());
      auto [it, added] = faces.try_emplace(key, face, 0);
      ++it->second.second;
    }
  }
  std::vector<Triangle> out;
  for (const auto& [key, value] : faces)
    if (value.second == 1) out.push_back(value.first);
  return out;
}

std::vector<double> lumped_masses(const ClothDef& cloth) {
  const std::vector<Vec3>& x = cloth.mesh.vertices;
  std::vector<double> masses(x.size(), 0.0);
  for (const Triangle& t : cloth.mesh.triangles) {
    const Vec3& a = x[std::size_t(t[0])];
    const double area = 0.5 * length(cross(x[std::size_t(t[1])] - a, x[std::size_t(t[2])] - a));
    for (const std::int32_t v : t) masses[std::size_t(v)] += cloth.areal_density * area / 3;
  }
  return masses;
}

std::vector<double> lumped_masses(const SolidDef& solid) {
  const std::vector<Vec3>& x = solid.tets.vertices;
  std::vector<double> masses(x.size(), 0.0);
  for (const Tetrahedron& t : solid.tets.tetrahedra) {
    const double volume = signed_volume(x[std::size_t(t[0])], x[std::size_t(t[1])],
                                        x[std::size_t(t[2])], x[std::size_t(t[3])]);
    for (const std::int32_t v : t) masses[std::size_t(v)] += solid.density * volume / 4;
  }
  return masses;
}

double body_mass(const BodyDef& body) {
  if (body.mass > 0) return body.mass;
  constexpr double pi = std::numbers::pi;
  if (const auto* s = std::get_if<Sphere>(&body.shape))
    return body.density * 4.0 / 3 * pi * s->radius * s->radius * s->radius;
  if (const auto* b = std::get_if<Box>(&body.shape))
    return body.density * 8 * b->half.x * b->half.y * b->half.z;
  if (const auto* c = std::get_if<Capsule>(&body.shape))
    return body.density * pi * c->radius * c->radius * (4.0 / 3 * c->radius + 2 * c->half_height);
  if (std::holds_alternative<Hull>(body.shape) || std::holds_alternative<Mesh>(body.shape))
    return body.density * polytope_volume(make_polytope(body.shape));
  return 0;
}

std::vector<Vec3> placed_vertices(const ClothDef& cloth) {
  return placed(cloth.mesh.vertices, cloth.position, cloth.rotation);
}

std::vector<Vec3> placed_vertices(const SolidDef& solid) {
  return placed(solid.tets.vertices, solid.position, solid.rotation);
}

double signed_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(b - a, c - a), d - a) / 6;
}

}  // namespace pliant::bench
