// How near the features of a mesh come to each other that are not adjacent: vertices to triangles
// and edges to edges that have no vertex in common, nor are both part of two triangles with a
// common edge (their distance is the height of such a triangle, in a flat cloth too). From all
// pairs of triangles whose boxes are near, in double; shares nothing with the search of the solver.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <pliant/mesh.h>

#include "geometry/closest_point.h"

namespace pliant {

struct NearFeatures {
  double distance = 0;  // m
  bool edges = false;   // edge and edge, else vertex and triangle
  bool inside = false;  // the nearest points are inside both edges, or inside the triangle
  std::array<std::int32_t, 4> vertex{};
};

namespace near_features {

// Triangles by their vertices, in rising order.
class Triples {
 public:
  explicit Triples(const TriMesh& mesh) {
    for (const Triangle& t : mesh.triangles) known_.insert(sorted(t[0], t[1], t[2]));
  }
  bool are_adjacent(const NearFeatures& f) const {
    const auto& v = f.vertex;
    if (!f.edges) return has(v[0], v[1], v[2]) || has(v[0], v[2], v[3]) || has(v[0], v[3], v[1]);
    return (has(v[0], v[1], v[2]) || has(v[0], v[1], v[3])) &&
           (has(v[2], v[3], v[0]) || has(v[2], v[3], v[1]));
  }

 private:
  static std::array<std::int32_t, 3> sorted(std::int32_t a, std::int32_t b, std::int32_t c) {
    std::array<std::int32_t, 3> t{a, b, c};
    std::sort(t.begin(), t.end());
    return t;
  }
  bool has(std::int32_t a, std::int32_t b, std::int32_t c) const {
    return known_.count(sorted(a, b, c)) > 0;
  }
  std::set<std::array<std::int32_t, 3>> known_;
};

inline NearFeatures of(const std::vector<Vec3>& x, const std::array<std::int32_t, 4>& v,
                       bool edges) {
  const auto at = [&](std::size_t k) { return x[std::size_t(v[k])]; };
  const auto is_inside = [](double part) { return part > 0 && part < 1; };
  if (edges) {
    const SegmentPair part = closest_on_segments(at(0), at(1), at(2), at(3));
    const Vec3 between = at(0) + (at(1) - at(0)) * part.s - (at(2) + (at(3) - at(2)) * part.t);
    return {length(between), true, is_inside(part.s) && is_inside(part.t), v};
  }
  const auto w = closest_on_triangle(at(0), at(1), at(2), at(3));
  const Vec3 between = at(0) - (at(1) * w[0] + at(2) * w[1] + at(3) * w[2]);
  return {length(between), false, is_inside(w[0]) && is_inside(w[1]) && is_inside(w[2]), v};
}

template <class Visit>
void visit_pair(const TriMesh& mesh, const Triangle& a, const Triangle& b, const Visit& visit) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int32_t p = a[i], q = a[(i + 1) % 3];
    if (p != b[0] && p != b[1] && p != b[2]) visit(of(mesh.vertices, {p, b[0], b[1], b[2]}, false));
    if (b[i] != a[0] && b[i] != a[1] && b[i] != a[2])
      visit(of(mesh.vertices, {b[i], a[0], a[1], a[2]}, false));
    for (std::size_t j = 0; j < 3; ++j) {
      const std::int32_t r = b[j], s = b[(j + 1) % 3];
      if (p != r && p != s && q != r && q != s) visit(of(mesh.vertices, {p, q, r, s}, true));
    }
  }
}

}  // namespace near_features

// visit(NearFeatures) for all pairs of features whose boxes come within `reach` (m), some of them
// several times.
template <class Visit>
void visit_near_features(const TriMesh& mesh, double reach, const Visit& visit) {
  struct Item {
    Vec3 low, high;
    Triangle triangle;
  };
  std::vector<Item> items;
  for (const Triangle& t : mesh.triangles) {
    const auto at = [&](std::size_t k) { return mesh.vertices[std::size_t(t[k])]; };
    Item item{at(0), at(0), t};
    for (std::size_t k = 1; k < 3; ++k) {
      item.low = {std::min(item.low.x, at(k).x), std::min(item.low.y, at(k).y),
                  std::min(item.low.z, at(k).z)};
      item.high = {std::max(item.high.x, at(k).x), std::max(item.high.y, at(k).y),
                   std::max(item.high.z, at(k).z)};
    }
    items.push_back(item);
  }
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.low.x < b.low.x; });
  for (std::size_t m = 0; m < items.size(); ++m)
    for (std::size_t n = m + 1; n < items.size(); ++n) {
      const Item &a = items[m], &b = items[n];
      if (b.low.x > a.high.x + reach) break;
      if (b.low.y > a.high.y + reach || a.low.y > b.high.y + reach) continue;
      if (b.low.z > a.high.z + reach || a.low.z > b.high.z + reach) continue;
      near_features::visit_pair(mesh, a.triangle, b.triangle, visit);
    }
}

// The nearest two; `reach` (m) apart if none is nearer.
inline NearFeatures nearest_features(const TriMesh& mesh, double reach) {
  const near_features::Triples triples(mesh);
  NearFeatures nearest;
  nearest.distance = reach;
  visit_near_features(mesh, reach, [&](const NearFeatures& features) {
    if (features.distance < nearest.distance && !triples.are_adjacent(features)) nearest = features;
  });
  return nearest;
}

}  // namespace pliant
