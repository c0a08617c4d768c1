// The twin of self_intersection.cpp: all pairs, with barycentric coordinates instead of signs of
// volumes. Shares nothing with it but the definition.
#include <algorithm>
#include <cmath>

#include "geometry/self_intersection.h"

namespace pliant {
namespace {

constexpr double k_edge = 1e-12;  // of an edge or of a height: on it
constexpr double k_fold = 1e-9;   // rad

bool has(const Triangle& t, std::int32_t vertex) {
  return std::find(t.begin(), t.end(), vertex) != t.end();
}

struct Box {
  Vec3 low, high;
};
Box box_of(const std::vector<Vec3>& p, const Triangle& t) {
  const Vec3 &a = p[t[0]], &b = p[t[1]], &c = p[t[2]];
  return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
          {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
}
bool are_apart(const Box& s, const Box& t) {
  return s.low.x > t.high.x || t.low.x > s.high.x || s.low.y > t.high.y || t.low.y > s.high.y ||
         s.low.z > t.high.z || t.low.z > s.high.z;
}

// Solves p + t (q - p) = a + u (b - a) + v (c - a).
bool meets(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 along = p - q, e1 = b - a, e2 = c - a, to = p - a;
  const double det = dot(along, cross(e1, e2));
  if (std::abs(det) <= k_edge * length(along) * length(e1) * length(e2)) return false;
  const double t = dot(to, cross(e1, e2)) / det;
  const double u = dot(along, cross(to, e2)) / det, v = dot(along, cross(e1, to)) / det;
  if (t <= k_edge || t >= 1 - k_edge) return false;
  int zeros = 0;
  for (const double weight : {u, v, 1 - u - v}) {
    if (weight < -k_edge) return false;
    zeros += weight <= k_edge;
  }
  return zeros < 2;  // two are zero in a corner
}

// An edge of s that has no vertex of t passes through t.
bool passes_through(const std::vector<Vec3>& p, const Triangle& s, const Triangle& t) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int32_t from = s[i], to = s[(i + 1) % 3];
    if (has(t, from) || has(t, to)) continue;
    if (meets(p[from], p[to], p[t[0]], p[t[1]], p[t[2]])) return true;
  }
  return false;
}

// The two have an edge in common: the angle between what stands on it.
bool lies_on(const std::vector<Vec3>& p, const Triangle& s, const Triangle& t) {
  std::vector<std::int32_t> edge;
  std::int32_t tip_s = -1, tip_t = -1;
  for (const std::int32_t v : s) has(t, v) ? edge.push_back(v) : void(tip_s = v);
  for (const std::int32_t v : t)
    if (!has(s, v)) tip_t = v;
  const Vec3 axis = normalized(p[edge[1]] - p[edge[0]]);
  const auto height = [&](std::int32_t tip) {
    const Vec3 d = p[tip] - p[edge[0]];
    return normalized(d - axis * dot(d, axis));
  };
  const Vec3 hs = height(tip_s), ht = height(tip_t);
  return dot(hs, ht) > 0 && length(hs - ht) <= k_fold;
}

}  // namespace

std::vector<TrianglePair> self_intersections_brute(const TriMesh& mesh) {
  std::vector<TrianglePair> pairs;
  std::vector<Box> boxes;
  for (const Triangle& t : mesh.triangles) boxes.push_back(box_of(mesh.vertices, t));
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (std::size_t j = i + 1; j < mesh.triangles.size(); ++j) {
      if (are_apart(boxes[i], boxes[j])) continue;
      const Triangle &s = mesh.triangles[i], &t = mesh.triangles[j];
      const auto shared = std::count_if(s.begin(), s.end(), [&](auto v) { return has(t, v); });
      const bool found =
          shared == 2  ? lies_on(mesh.vertices, s, t)
          : shared < 2 ? passes_through(mesh.vertices, s, t) || passes_through(mesh.vertices, t, s)
                       : false;
      if (found) pairs.emplace_back(std::int32_t(i), std::int32_t(j));
    }
  }
  return pairs;
}

}  // namespace pliant
