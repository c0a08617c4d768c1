// Queries about the triangles of one cloth or solid.
#include "geometry/closest_point.h"
#include "world/query_index.h"

namespace pliant {

namespace {

struct Corners {
  Vec3 a, b, c;
};
Corners corners(const QuerySurface& s, std::int32_t triangle) {
  const Triangle& t = s.data.mesh.triangles[std::size_t(triangle)];
  const auto at = [&](std::size_t k) { return s.data.mesh.vertices[std::size_t(t[k])]; };
  return {at(0), at(1), at(2)};
}

ShapePlace triangle_place(const QuerySurface& s, std::int32_t triangle) {
  ShapePlace place;
  place.shape.kind = ShapeKind::triangle;
  place.shape.item = triangle;
  place.shape.data = &s.data;
  return place;
}

// Of the triangles that come first at the same place, the one with the lowest number.
bool is_better(double now, std::int32_t triangle, double best, std::int32_t of) {
  return of < 0 || now < best || (now == best && triangle < of);
}

}  // namespace

std::optional<RayHit> cast_ray(const QuerySurface& surface, const Ray& ray) {
  Ray rest = ray;
  RayHit best;
  surface.tree.along(ray.from, ray.direction, rest.length, {}, [&](std::int32_t t) {
    const Corners x = corners(surface, t);
    const auto hit = cast_ray(x.a, x.b, x.c, rest);
    if (!hit || !is_better(hit->distance, t, best.distance, best.triangle)) return;
    best.distance = rest.length = hit->distance;
    best.triangle = t;
    best.weights = hit->weights;
  });
  if (best.triangle < 0) return {};
  const Corners x = corners(surface, best.triangle);
  best.normal = normalized(cross(x.b - x.a, x.c - x.a));
  if (!surface.closed && dot(best.normal, ray.direction) > 0) best.normal = -best.normal;
  return best;
}

// How often a ray out of it crosses the surface. The direction is along no edge that one would
// think of.
bool is_inside(const QuerySurface& surface, const Vec3& p) {
  if (!surface.closed || surface.tree.empty()) return false;
  const Ray ray{p, normalized(Vec3{0.7548776, 0.5698403, 0.3247179}), 1e9};
  int crossings = 0;
  surface.tree.along(ray.from, ray.direction, ray.length, {}, [&](std::int32_t t) {
    const Corners x = corners(surface, t);
    crossings += cast_ray(x.a, x.b, x.c, ray).has_value();
  });
  return crossings % 2 != 0;
}

bool overlaps(const QuerySurface& surface, const ShapePlace& probe) {
  const TreeBox box = box_around(probe);
  bool found = false;
  surface.tree.overlapping(box, [&](std::int32_t t) {
    if (!found) found = shapes_overlap(triangle_place(surface, t), probe);
  });
  return found ||
         (probe.shape.kind != ShapeKind::half_space && is_inside(surface, inner_point(probe)));
}

std::optional<ShapeTouch> first_touch(const ShapePlace& probe, const Vec3& motion,
                                      const QuerySurface& surface, double most) {
  std::optional<ShapeTouch> first;
  std::int32_t triangle = -1;
  TreeBox swept = box_around(probe);
  swept.add({swept.low + motion * most, swept.high + motion * most});
  surface.tree.overlapping(swept, [&](std::int32_t t) {
    const auto touch =
        first_touch(probe, motion, triangle_place(surface, t), first ? first->share : most);
    if (!touch || !is_better(touch->share, t, first ? first->share : 0, triangle)) return;
    first = touch;
    triangle = t;
  });
  const bool begins_inside =
      probe.shape.kind != ShapeKind::half_space && is_inside(surface, inner_point(probe));
  if (begins_inside && !(first && first->share == 0))
    return ShapeTouch{0, inner_point(probe),
                      length_sq(motion) > 0 ? -normalized(motion) : Vec3{0, 1, 0}};
  return first;
}

std::optional<ClosestPoint> closest(const QuerySurface& surface, const Vec3& p, double reach) {
  ClosestPoint best;
  std::int32_t triangle = -1;
  double within = reach;
  surface.tree.within(p, within, [&](std::int32_t t) {
    const Corners x = corners(surface, t);
    const auto w = closest_on_triangle(p, x.a, x.b, x.c);
    const Vec3 q = x.a * w[0] + x.b * w[1] + x.c * w[2];
    const double d = length(p - q);
    if (d > within || !is_better(d, t, best.distance, triangle)) return;
    best.distance = within = d;
    best.point = q;
    triangle = t;
  });
  if (triangle < 0) return {};
  return best;
}

}  // namespace pliant
