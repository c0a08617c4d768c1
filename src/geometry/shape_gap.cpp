#include "geometry/shape_gap.h"

#include <cmath>

#include "geometry/convex.h"
#include "geometry/gjk.h"
#include "geometry/shape_data.h"

namespace pliant {

namespace {

constexpr double k_touch = 1e-7;  // m
constexpr double k_far = 1e30;

Vec3 to_world(const ShapePlace& place, const Vec3& local) {
  return place.centre + transposed(place.axes) * local;
}
bool is_half_space(const ShapePlace& place) { return place.shape.kind == ShapeKind::half_space; }
bool has_inside(const ShapePlace& place) {
  if (place.shape.kind != ShapeKind::mesh) return true;
  return place.shape.data->closed || place.shape.data->solid_below;
}

// A half-space b against a convex a.
ClosestPoints half_space_gap(const ShapePlace& a, const ShapePlace& b) {
  const Vec3 up = b.axes.row[1];
  const Vec3 lowest = to_world(a, core_support(a.shape, a.axes * -up)) - up * a.shape.radius;
  const double height = dot(up, lowest - b.centre);
  return {height, -up, lowest, lowest - up * height};
}

// From a to b; both are convex.
ClosestPoints piece_gap(const ShapePlace& a, const ShapePlace& b) {
  if (is_half_space(a) && is_half_space(b)) return {-1, -b.axes.row[1], a.centre, b.centre};
  if (is_half_space(b)) return half_space_gap(a, b);
  if (is_half_space(a)) {
    const ClosestPoints c = half_space_gap(b, a);
    return {c.distance, -c.normal, c.on_b, c.on_a};
  }
  ClosestPoints c =
      closest_points(make_core(a.shape, a.axes, a.centre), make_core(b.shape, b.axes, b.centre));
  c.on_a += c.normal * a.shape.radius;
  c.on_b -= c.normal * b.shape.radius;
  c.distance -= a.shape.radius + b.shape.radius;
  return c;
}

TreeBox grown(TreeBox box, double by) {
  box.low -= Vec3{by, by, by};
  box.high += Vec3{by, by, by};
  return box;
}
TreeBox moved(const TreeBox& box, const Vec3& motion) {
  return {box.low + motion, box.high + motion};
}

// The part of a box in the frame of a shape.
TreeBox local_box(const ShapePlace& place, const TreeBox& box) {
  const Vec3 middle = (box.low + box.high) * 0.5, half = (box.high - box.low) * 0.5;
  const Vec3 centre = place.axes * (middle - place.centre);
  Vec3 extent;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) extent[i] += std::fabs(place.axes.row[i][j]) * half[j];
  return {centre - extent, centre + extent};
}

ShapePlace part_place(const ShapePlace& whole, const ShapePart& part) {
  return {part.shape, part.axes * whole.axes, to_world(whole, part.position)};
}

// Whether a solid, or a part of it, holds the point.
bool holds(const ShapePlace& place, const Vec3& p) {
  Vec3 gradient;
  if (place.shape.kind == ShapeKind::compound) {
    for (const ShapePart& part : place.shape.data->parts)
      if (holds(part_place(place, part), p)) return true;
    return false;
  }
  return has_inside(place) &&
         signed_distance(place.shape, place.axes * (p - place.centre), gradient) < 0;
}

// Whether a part of `inner` that meets no surface of `outer` lies inside it. Only meshes have
// surfaces instead of insides.
bool lies_inside(const ShapePlace& inner, const ShapePlace& outer) {
  if (inner.shape.kind == ShapeKind::compound) {
    for (const ShapePart& part : inner.shape.data->parts)
      if (lies_inside(part_place(inner, part), outer)) return true;
    return false;
  }
  return !is_half_space(inner) && holds(outer, inner_point(inner));
}

}  // namespace

ShapePlace place_shape(const ShapeNumbers<double>& shape, const Transform& pose) {
  return {shape, transposed(to_matrix(pose.rotation)), pose.position};
}

TreeBox box_around(const ShapePlace& place) {
  if (is_half_space(place)) return {{-k_far, -k_far, -k_far}, {k_far, k_far, k_far}};
  if (place.shape.kind == ShapeKind::triangle) {
    TreeBox box;
    const TriMesh& mesh = place.shape.data->mesh;
    for (const std::int32_t v : mesh.triangles[std::size_t(place.shape.item)])
      box.add(to_world(place, mesh.vertices[std::size_t(v)]));
    return box;
  }
  Vec3 extent{place.shape.radius, place.shape.radius, place.shape.radius};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) extent[i] += std::fabs(place.axes.row[j][i]) * place.shape.half[j];
  extent = extent * (1 + 1e-9);
  return {place.centre - extent, place.centre + extent};
}

Vec3 inner_point(const ShapePlace& place) {
  switch (place.shape.kind) {
    case ShapeKind::hull: {
      Vec3 sum;
      for (const Vec3& v : place.shape.data->hull.vertices) sum += v;
      return to_world(place, sum / double(place.shape.data->hull.vertices.size()));
    }
    case ShapeKind::mesh:
      return to_world(place, place.shape.data->mesh.vertices.front());
    case ShapeKind::triangle:
    case ShapeKind::user:
      return to_world(place, core_support(place.shape, {1, 0, 0}));
    default:
      return place.centre;
  }
}

void collect_pieces(const ShapePlace& place, const TreeBox& within, Pieces& out) {
  if (place.shape.kind == ShapeKind::compound) {
    for (const ShapePart& part : place.shape.data->parts) {
      const ShapePlace sub = part_place(place, part);
      if (box_around(sub).meets(within)) collect_pieces(sub, within, out);
    }
    return;
  }
  if (place.shape.kind != ShapeKind::mesh) {
    out.push_back(place);
    return;
  }
  const TreeBox local = local_box(place, within);
  thread_local std::vector<std::int32_t> triangles;  // so that sensors take no memory
  triangles.clear();
  place.shape.data->tree.overlapping(local.low, local.high, triangles);
  for (const std::int32_t t : triangles) {
    ShapeNumbers<double> numbers = place.shape;
    numbers.kind = ShapeKind::triangle;
    numbers.item = t;
    out.push_back({numbers, place.axes, place.centre});
  }
}

bool pieces_overlap(const ShapePlace& a, const ShapePlace& b) {
  return piece_gap(a, b).distance < 0;
}

bool shapes_overlap(const ShapePlace& a, const ShapePlace& b) {
  const TreeBox box_a = box_around(a), box_b = box_around(b);
  if (!box_a.meets(box_b)) return false;
  thread_local Pieces of_a, of_b;
  of_a.clear();
  of_b.clear();
  collect_pieces(a, box_b, of_a);
  collect_pieces(b, box_a, of_b);
  for (const ShapePlace& p : of_a) {
    const TreeBox box = box_around(p);
    for (const ShapePlace& q : of_b)
      if (box.meets(box_around(q)) && pieces_overlap(p, q)) return true;
  }
  return lies_inside(a, b) || lies_inside(b, a);
}

std::optional<ShapeTouch> piece_touch(const ShapePlace& a, const Vec3& motion, const ShapePlace& b,
                                      double most) {
  constexpr int k_rounds = 200;
  ShapePlace now = a;
  double share = 0;
  Vec3 normal;
  for (int round = 0; round < k_rounds; ++round) {
    now.centre = a.centre + motion * share;
    const ClosestPoints gap = piece_gap(now, b);
    if (round == 0 || gap.distance > 0) normal = -gap.normal;
    if (gap.distance <= k_touch) return ShapeTouch{share, gap.on_b, normal};
    const double speed = dot(motion, gap.normal);
    if (speed <= 0) return {};  // the plane between them stays there
    share += gap.distance / speed;
    if (share > most) return {};
  }
  return {};
}

std::optional<ShapeTouch> first_touch(const ShapePlace& a, const Vec3& motion, const ShapePlace& b,
                                      double most) {
  TreeBox swept = box_around(a);
  const TreeBox box_a = swept;
  swept.add(moved(swept, motion * most));
  const TreeBox box_b = box_around(b);
  if (!grown(swept, k_touch).meets(box_b)) return {};
  TreeBox back = box_b;  // what meets b is at the beginning within this
  back.add(moved(box_b, motion * -most));
  Pieces of_a, of_b;
  collect_pieces(a, grown(back, k_touch), of_a);
  collect_pieces(b, grown(swept, k_touch), of_b);
  std::optional<ShapeTouch> first;
  for (const ShapePlace& p : of_a) {
    const TreeBox box = box_around(p);
    const Vec3 middle = (box.low + box.high) * 0.5, half = (box.high - box.low) * 0.5;
    for (const ShapePlace& q : of_b) {
      const double limit = first ? first->share : most;
      const Vec3 grow = half + Vec3{k_touch, k_touch, k_touch};
      if (!is_half_space(p) && box_entry(box_around(q), grow, middle, motion, limit) > limit)
        continue;
      const auto touch = piece_touch(p, motion, q, limit);
      if (touch && (!first || touch->share < first->share)) first = touch;
    }
  }
  if (first && first->share == 0) return first;
  if (box_a.meets(box_b) && (lies_inside(a, b) || lies_inside(b, a))) {
    const Vec3 at = inner_point(lies_inside(a, b) ? a : b);
    return ShapeTouch{0, at, length_sq(motion) > 0 ? -normalized(motion) : Vec3{0, 1, 0}};
  }
  return first;
}

}  // namespace pliant
