#include "geometry/surface_depth.h"

#include <algorithm>

#include "geometry/closest_point.h"
#include "geometry/ray.h"

namespace pliant {
namespace {

struct Corners {
  Vec3 a, b, c;
};
Corners corners(const PlacedSurface& s, std::int32_t triangle) {
  const Triangle& t = s.triangles[std::size_t(triangle)];
  const auto at = [&](std::size_t k) { return s.x[std::size_t(t[k])]; };
  return {at(0), at(1), at(2)};
}

// Where a segment meets the surface, in parts of it, rising, with both ends.
void cut(const PlacedSurface& s, const Vec3& from, const Vec3& to, std::vector<double>& at) {
  at.clear();
  const Vec3 way = to - from;
  const double size = length(way);
  if (!(size > 0)) return;
  const Ray ray{from, way / size, size};
  s.tree.overlapping({min(from, to), max(from, to)}, [&](std::int32_t t) {
    const Corners c = corners(s, t);
    if (const auto hit = cast_ray(c.a, c.b, c.c, ray)) at.push_back(hit->distance / size);
  });
  if (at.empty()) return;
  at.push_back(0), at.push_back(1);
  std::sort(at.begin(), at.end());
}

}  // namespace

void make_box(PlacedSurface& surface) {
  surface.box = {};
  for (const Vec3& p : surface.x) surface.box.add(p);
}

void make_tree(PlacedSurface& surface) {
  surface.boxes.assign(surface.triangles.size(), TreeBox{});
  for (std::size_t t = 0; t < surface.boxes.size(); ++t)
    for (const std::int32_t v : surface.triangles[t])
      surface.boxes[t].add(surface.x[std::size_t(v)]);
  surface.tree.build(surface.boxes);
}

// The direction is along no edge that one would think of.
bool is_inside(const PlacedSurface& surface, const Vec3& p) {
  if (!surface.box.meets({p, p})) return false;
  const Ray ray{p, normalized(Vec3{0.7548776, 0.5698403, 0.3247179}), 1e9};
  int crossings = 0;
  surface.tree.along(ray.from, ray.direction, ray.length, {}, [&](std::int32_t t) {
    const Corners c = corners(surface, t);
    crossings += cast_ray(c.a, c.b, c.c, ray) ? 1 : 0;
  });
  return crossings % 2 != 0;
}

double distance_to(const PlacedSurface& surface, const Vec3& p) {
  double nearest = 1e150;
  surface.tree.within(p, nearest, [&](std::int32_t t) {
    const Corners c = corners(surface, t);
    const auto w = closest_on_triangle(p, c.a, c.b, c.c);
    nearest = std::min(nearest, length(w[0] * c.a + w[1] * c.b + w[2] * c.c - p));
  });
  return nearest;
}

double depth_in(const PlacedSurface& a, const PlacedSurface& b, double enough,
                std::vector<double>& memory) {
  double depth = 0;
  if (!a.box.meets(b.box)) return depth;
  const auto look = [&](const Vec3& p) {
    if (is_inside(b, p)) depth = std::max(depth, distance_to(b, p));
    return depth > enough;
  };
  for (const Vec3& p : a.x)
    if (look(p)) return depth;
  for (const auto& [i, j] : a.edges) {
    const Vec3 &from = a.x[std::size_t(i)], &to = a.x[std::size_t(j)];
    if (!b.box.meets({min(from, to), max(from, to)})) continue;
    cut(b, from, to, memory);
    for (std::size_t k = 1; k < memory.size(); ++k)
      if (look(from + 0.5 * (memory[k - 1] + memory[k]) * (to - from))) return depth;
  }
  for (const Vec3& p : a.inner)
    if (b.box.meets({p, p}) && is_inside(a, p) && look(p)) return depth;
  return depth;
}

}  // namespace pliant
