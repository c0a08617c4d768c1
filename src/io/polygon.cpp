#include "io/polygon.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace pliant {

namespace {

struct Corner {
  double x, y;
  std::int32_t vertex;
};

double turn(const Corner& a, const Corner& b, const Corner& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The polygon seen along the greatest component of its area vector, counter-clockwise.
std::vector<Corner> flatten(std::span<const std::int32_t> corners, const TriMesh& mesh) {
  Vec3 normal;
  const Vec3& origin = mesh.vertices[corners[0]];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    normal += cross(mesh.vertices[corners[i]] - origin, mesh.vertices[corners[i + 1]] - origin);
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::abs(normal[k]) > std::abs(normal[axis])) axis = k;
  }
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double side = normal[axis] < 0 ? -1 : 1;
  std::vector<Corner> flat;
  for (const std::int32_t c : corners) {
    const Vec3 p = mesh.vertices[c] - origin;
    flat.push_back({side * p[u], p[v], c});
  }
  return flat;
}

bool is_convex(const std::vector<Corner>& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (turn(p[i], p[(i + 1) % n], p[(i + 2) % n]) < 0) return false;
  }
  // A star that winds twice also turns left everywhere: its fan has triangles of both signs.
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (turn(p[0], p[i], p[i + 1]) < 0) return false;
  }
  return true;
}

bool is_ear(const std::vector<Corner>& p, std::size_t i) {
  const std::size_t n = p.size();
  const Corner &a = p[(i + n - 1) % n], &b = p[i], &c = p[(i + 1) % n];
  if (turn(a, b, c) <= 0) return false;
  for (const Corner& q : p) {
    if (q.vertex == a.vertex || q.vertex == b.vertex || q.vertex == c.vertex) continue;
    if (turn(a, b, q) >= 0 && turn(b, c, q) >= 0 && turn(c, a, q) >= 0) return false;
  }
  return true;
}

// Cutting ears costs up to n^3; greater polygons than this are left to a fan.
constexpr std::size_t k_max_ears = 1000;

void cut_ears(std::vector<Corner> p, TriMesh& mesh) {
  while (p.size() > 3) {
    std::size_t ear = 0;
    while (ear < p.size() && !is_ear(p, ear)) ++ear;
    if (ear == p.size()) break;  // crosses itself: the fan below takes the rest
    const std::size_t n = p.size();
    mesh.triangles.push_back({p[(ear + n - 1) % n].vertex, p[ear].vertex, p[(ear + 1) % n].vertex});
    p.erase(p.begin() + std::ptrdiff_t(ear));
  }
  for (std::size_t i = 1; i + 1 < p.size(); ++i) {
    mesh.triangles.push_back({p[0].vertex, p[i].vertex, p[i + 1].vertex});
  }
}

}  // namespace

void append_polygon(std::span<const std::int32_t> corners, TriMesh& mesh) {
  if (corners.size() == 3) {
    mesh.triangles.push_back({corners[0], corners[1], corners[2]});
    return;
  }
  std::vector<std::int32_t> kept(corners.begin(), corners.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  while (kept.size() > 1 && kept.front() == kept.back()) kept.pop_back();
  if (kept.size() < 3) {
    mesh.triangles.push_back({kept.front(), kept.back(), kept.front()});
    return;
  }
  const std::vector<Corner> flat = flatten(kept, mesh);
  if (kept.size() <= k_max_ears && !is_convex(flat)) {
    cut_ears(flat, mesh);
    return;
  }
  for (std::size_t i = 1; i + 1 < kept.size(); ++i) {
    mesh.triangles.push_back({kept[0], kept[i], kept[i + 1]});
  }
}

TriMesh weld_soup(std::span<const Vec3> corners) {
  TriMesh mesh;
  std::map<std::tuple<double, double, double>, std::int32_t> index;
  Triangle triangle{};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3& p = corners[i];
    // -0 and 0 compare equal, so they are one key.
    const auto [slot, is_new] =
        index.try_emplace({p.x, p.y, p.z}, std::int32_t(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back(p);
    triangle[i % 3] = slot->second;
    if (i % 3 == 2) mesh.triangles.push_back(triangle);
  }
  return mesh;
}

}  // namespace pliant
