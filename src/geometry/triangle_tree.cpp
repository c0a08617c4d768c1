#include "geometry/triangle_tree.h"

#include <algorithm>

#include "geometry/box_tree.h"
#include "geometry/closest_point.h"
#include "geometry/ray.h"
#include "geometry/topology.h"
#include "math/trig.h"

namespace pliant {

namespace {

constexpr std::int32_t k_leaf = 4;
constexpr double k_anywhere = 1e150;  // m
// Squares of distances to boxes and to triangles in them are rounded differently. What is equally
// near must not be left out for that: of two such triangles the first counts.
constexpr double k_more = 1 + 1e-9, k_least = 1e-28;
// Of the height of a neighbour's corner above the triangle's plane, over the edge's distance.
constexpr double k_bends = 1e-3;

double gap_sq(const Vec3& low, const Vec3& high, const Vec3& p) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = std::max({low[i] - p[i], 0.0, p[i] - high[i]});
    sum += d * d;
  }
  return sum;
}

}  // namespace

TriangleTree::TriangleTree(const TriMesh& mesh)
    : vertices_(mesh.vertices), triangles_(mesh.triangles) {
  items_.resize(triangles_.size());
  for (std::size_t i = 0; i < items_.size(); ++i) items_[i] = std::int32_t(i);
  for (const Triangle& t : triangles_) {
    const Vec3 &a = vertices_[std::size_t(t[0])], &b = vertices_[std::size_t(t[1])];
    const Vec3& c = vertices_[std::size_t(t[2])];
    normals_.push_back(normalized(cross(b - a, c - a)));
    const Vec3 middle = (a + b + c) / 3.0;
    const double far = std::max({length(a - middle), length(b - middle), length(c - middle)});
    balls_.push_back({middle, far * (1 + 1e-9)});  // more than rounding
  }
  measure_corners();
  if (!items_.empty()) build(0, std::int32_t(items_.size()));
}

void TriangleTree::measure_corners() {
  edge_normals_.assign(3 * triangles_.size(), {});
  bend_.assign(3 * triangles_.size(), 2);
  vertex_normals_.assign(vertices_.size(), {});
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto at = [&](std::size_t n) {
        return vertices_[std::size_t(triangles_[t][(k + n) % 3])];
      };
      const Vec3 u = normalized(at(1) - at(0)), v = normalized(at(2) - at(0));
      vertex_normals_[std::size_t(triangles_[t][k])] += normals_[t] * det_acos(dot(u, v));
      edge_normals_[3 * t + k] = normals_[t];
    }
  for (const MeshEdge& e : unique_edges(triangles_)) {
    if (e.triangle_count != 2) continue;
    const std::size_t t[2] = {std::size_t(e.triangle[0]), std::size_t(e.triangle[1])};
    const Vec3 sum = normals_[t[0]] + normals_[t[1]];
    const Vec3 &a = vertices_[std::size_t(e.a)], &b = vertices_[std::size_t(e.b)];
    const Vec3 other = vertices_[std::size_t(e.opposite[1])] - a;
    const double height = dot(normals_[t[0]], other);
    const double away = length(cross(other, normalized(b - a)));
    for (int s = 0; s < 2; ++s)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t from = triangles_[t[s]][k], to = triangles_[t[s]][(k + 1) % 3];
        if (std::min(from, to) != e.a || std::max(from, to) != e.b) continue;
        edge_normals_[3 * t[s] + k] = sum;
        bend_[3 * t[s] + k] = std::int8_t(height < -k_bends * away  ? -1
                                          : height > k_bends * away ? 1
                                                                    : 0);
      }
  }
}

std::int32_t TriangleTree::build(std::int32_t first, std::int32_t count) {
  const std::int32_t index = std::int32_t(nodes_.size());
  nodes_.emplace_back();
  Vec3 low{1e300, 1e300, 1e300}, high = -low, from = low, to = high;
  const auto middle = [&](std::int32_t t) {
    const Triangle& v = triangles_[std::size_t(t)];
    return vertices_[std::size_t(v[0])] + vertices_[std::size_t(v[1])] +
           vertices_[std::size_t(v[2])];
  };
  for (std::int32_t i = first; i < first + count; ++i) {
    const std::int32_t t = items_[std::size_t(i)];
    for (const std::int32_t v : triangles_[std::size_t(t)]) {
      low = min(low, vertices_[std::size_t(v)]);
      high = max(high, vertices_[std::size_t(v)]);
    }
    from = min(from, middle(t));
    to = max(to, middle(t));
  }
  nodes_[std::size_t(index)].low = low;
  nodes_[std::size_t(index)].high = high;
  const auto begin = items_.begin() + first;
  if (count <= k_leaf) {
    std::sort(begin, begin + count);
    nodes_[std::size_t(index)].first = first;
    nodes_[std::size_t(index)].count = count;
    return index;
  }
  const Vec3 size = to - from;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  std::sort(begin, begin + count, [&](std::int32_t a, std::int32_t b) {
    const double x = middle(a)[axis], y = middle(b)[axis];
    return x < y || (x == y && a < b);
  });
  build(first, count / 2);
  const std::int32_t right = build(first + count / 2, count - count / 2);
  nodes_[std::size_t(index)].right = right;
  return index;
}

void TriangleTree::overlapping(const Vec3& low, const Vec3& high,
                               std::vector<std::int32_t>& out) const {
  if (nodes_.empty()) return;
  const std::size_t begin = out.size();
  std::int32_t stack[64];
  int depth = 0;
  stack[depth++] = 0;
  const auto apart = [&](const Vec3& l, const Vec3& h) {
    return l.x > high.x || l.y > high.y || l.z > high.z || h.x < low.x || h.y < low.y ||
           h.z < low.z;
  };
  while (depth > 0) {
    const std::int32_t index = stack[--depth];
    const Node& node = nodes_[std::size_t(index)];
    if (apart(node.low, node.high)) continue;
    if (node.count == 0) {
      stack[depth++] = node.right;
      stack[depth++] = index + 1;
      continue;
    }
    for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
      const std::int32_t t = items_[std::size_t(i)];
      const Triangle& v = triangles_[std::size_t(t)];
      const Vec3 &a = vertices_[std::size_t(v[0])], &b = vertices_[std::size_t(v[1])],
                 &c = vertices_[std::size_t(v[2])];
      if (!apart(min(min(a, b), c), max(max(a, b), c))) out.push_back(t);
    }
  }
  std::sort(out.begin() + std::ptrdiff_t(begin), out.end());
}

inline void TriangleTree::try_one(std::int32_t t, const Vec3& p, Search& search) const {
  const Ball& ball = balls_[std::size_t(t)];
  const double near = search.distance + ball.radius;
  if (length_sq(p - ball.middle) > near * near) return;
  const Triangle& v = triangles_[std::size_t(t)];
  const Vec3 &a = vertices_[std::size_t(v[0])], &b = vertices_[std::size_t(v[1])],
             &c = vertices_[std::size_t(v[2])];
  const auto w = closest_on_triangle(p, a, b, c);
  const Vec3 q = a * w[0] + b * w[1] + c * w[2];
  const double d2 = length_sq(p - q);
  if (d2 > search.square || (d2 == search.square && t > search.best.triangle)) return;
  search.square = d2;
  search.distance = std::sqrt(d2);
  search.best.triangle = t;
  search.best.point = q;
  search.weights = w;
}

void TriangleTree::look(std::int32_t index, const Vec3& p, Search& search) const {
  const Node& node = nodes_[std::size_t(index)];
  for (std::int32_t i = node.first; i < node.first + node.count; ++i)
    try_one(items_[std::size_t(i)], p, search);
  if (node.count > 0) return;
  const std::int32_t left = index + 1, right = node.right;
  const Node &l = nodes_[std::size_t(left)], &r = nodes_[std::size_t(right)];
  const double to_left = gap_sq(l.low, l.high, p), to_right = gap_sq(r.low, r.high, p);
  const bool left_first = to_left <= to_right;
  const auto worth = [&](double gap) { return gap <= search.square * k_more + k_least; };
  if (worth(left_first ? to_left : to_right)) look(left_first ? left : right, p, search);
  if (worth(left_first ? to_right : to_left)) look(left_first ? right : left, p, search);
}

MeshRay TriangleTree::along(const Vec3& from, const Vec3& direction, double length) const {
  MeshRay best;
  if (nodes_.empty()) return best;
  Ray ray{from, direction, length};
  const auto meets = [&](const Node& node) {
    return box_entry({node.low, node.high}, {}, from, direction, ray.length) <= ray.length;
  };
  std::int32_t stack[64];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::int32_t index = stack[--depth];
    const Node& node = nodes_[std::size_t(index)];
    if (!meets(node)) continue;
    for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
      const std::int32_t t = items_[std::size_t(i)];
      const Triangle& v = triangles_[std::size_t(t)];
      const auto hit = cast_ray(vertices_[std::size_t(v[0])], vertices_[std::size_t(v[1])],
                                vertices_[std::size_t(v[2])], ray);
      const bool later = best.triangle >= 0 && hit && hit->distance == best.distance;
      if (!hit || (later && t > best.triangle)) continue;
      best = {t, hit->distance};
      ray.length = hit->distance;
    }
    if (node.count > 0) continue;
    const Node &l = nodes_[std::size_t(index) + 1], &r = nodes_[std::size_t(node.right)];
    const bool left_first = gap_sq(l.low, l.high, from) <= gap_sq(r.low, r.high, from);
    stack[depth++] = left_first ? node.right : index + 1;
    stack[depth++] = left_first ? index + 1 : node.right;
  }
  return best;
}

NearestOnMesh TriangleTree::nearest(const Vec3& p) const { return nearest(p, k_anywhere); }

NearestOnMesh TriangleTree::nearest(const Vec3& p, double bound) const {
  Search search{{}, bound * bound, bound};
  if (nodes_.empty()) return search.best;
  look(0, p, search);
  if (search.best.triangle < 0)  // the bound was none
    return bound < k_anywhere ? nearest(p) : search.best;
  return finish(p, search);
}

NearestOnMesh TriangleTree::nearest(const Vec3& p, std::span<const DistantTriangle> triangles,
                                    double away) const {
  Search search{{}, k_anywhere * k_anywhere, k_anywhere};
  for (const DistantTriangle& t : triangles) {
    if (double(t.distance) > search.distance + away) break;  // and all that follow
    try_one(t.triangle, p, search);
  }
  return search.best.triangle < 0 ? search.best : finish(p, search);
}

void TriangleTree::within(const Vec3& p, double distance, std::vector<DistantTriangle>& out) const {
  if (nodes_.empty()) return;
  std::vector<std::pair<double, std::int32_t>> found;
  std::vector<std::int32_t> open{0};
  while (!open.empty()) {
    const std::int32_t index = open.back();
    open.pop_back();
    const Node& node = nodes_[std::size_t(index)];
    if (gap_sq(node.low, node.high, p) > distance * distance) continue;
    for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
      Search search{{}, k_anywhere * k_anywhere, k_anywhere};
      try_one(items_[std::size_t(i)], p, search);
      if (search.distance <= distance) found.push_back({search.distance, search.best.triangle});
    }
    if (node.count == 0) open.insert(open.end(), {node.right, index + 1});
  }
  std::sort(found.begin(), found.end());
  for (const auto& [d, t] : found) out.push_back({float(d * (1 - 1e-6)), t});
}

// On which side the point is.
NearestOnMesh TriangleTree::finish(const Vec3& p, Search& search) const {
  NearestOnMesh& best = search.best;
  best.distance = search.distance;
  const Triangle& v = triangles_[std::size_t(best.triangle)];
  Vec3 n = normals_[std::size_t(best.triangle)];
  constexpr double k_none = 1e-9;
  for (std::size_t k = 0; k < 3; ++k)  // opposite corner without weight: an edge
    if (search.weights[(k + 2) % 3] < k_none) n = edge_normals_[3 * std::size_t(best.triangle) + k];
  for (std::size_t k = 0; k < 3; ++k)
    if (search.weights[k] > 1 - k_none) n = vertex_normals_[std::size_t(v[k])];
  best.behind = dot(p - best.point, n) < 0;
  return best;
}

}  // namespace pliant
