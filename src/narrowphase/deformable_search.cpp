#include "narrowphase/deformable_search.h"

#include <algorithm>
#include <cmath>

#include "geometry/closest_point.h"
#include "narrowphase/surface_points.h"

namespace pliant {
namespace {

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t(std::min(a, b)) << 32 | std::max(a, b);
}

void append(ContactSlots& slots, const ContactFeature& feature, std::uint64_t key) {
  slots.features.push_back(feature);
  slots.pair_keys.push_back(key);
}

Vec3 rigid_velocity(const RigidBodies& rigid, std::int32_t i, const Vec3& arm) {
  const BodyMotion& m = rigid.motion[std::size_t(i)];
  return cast<double>(xyz(m.velocity)) + cross(cast<double>(xyz(m.spin)), arm);
}

// How far apart the two may be now and still meet during the step.
double reach_of(const SweptSurface& swept, double thickness, const Vec3& relative_velocity,
                const SearchContext& context) {
  return 2 * swept.slack + 0.5 * thickness + length(relative_velocity) * context.dt;
}

struct RigidFrame {
  ShapeNumbers<double> shape;
  Transform pose;
};

ShapeNumbers<double> in_double(const ShapeNumbers<Real>& s) {
  return {s.kind, cast<double>(s.half), double(s.radius)};
}

void search_rigid_vertices(const Particles& particles, const Deformable& body, std::int32_t index,
                           const SweptSurface& swept, const RigidFrame& frame,
                           const BoundingBox& rigid_box, const RigidBodies& rigid,
                           std::int32_t rigid_index, const SearchContext& context,
                           ContactSlots& slots) {
  const std::uint64_t key = pair_key(body.key, rigid.key[std::size_t(rigid_index)]);
  const std::int32_t count = std::int32_t(body.surface.vertices.size());
  for (std::int32_t v = 0; v < count; ++v) {
    if (!swept.vertex[std::size_t(v)].meets(rigid_box)) continue;
    const Stencil stencil = vertex_stencil(body, v);
    const Vec3 p = stencil_place(particles, stencil, Moment::now);
    Vec3 gradient;
    const double gap = signed_distance(frame.shape, to_local(frame.pose, p), gradient);
    const Vec3 relative = stencil_velocity(particles, stencil) -
                          rigid_velocity(rigid, rigid_index, p - frame.pose.position);
    if (gap > reach_of(swept, body.thickness, relative, context)) continue;
    append(slots, {ContactKind::vertex_rigid, index, v, rigid_index, -1, 0, 0, {}}, key);
  }
}

// A triangle is looked at beside its vertices only where the shape turns within it: around an edge
// or a corner of a box, or a sphere or capsule that is small against it.
bool shape_turns(const ShapeNumbers<double>& shape, const std::array<Vec3, 3>& corner) {
  std::array<Vec3, 3> g;
  for (std::size_t n = 0; n < 3; ++n) signed_distance(shape, corner[n], g[n]);
  constexpr double k_flat = 0.99;  // cosine; the chord's error is then below 0.3 % of the radius
  return dot(g[0], g[1]) < k_flat || dot(g[1], g[2]) < k_flat || dot(g[2], g[0]) < k_flat;
}

void search_rigid_triangles(const Particles& particles, const Deformable& body, std::int32_t index,
                            const SweptSurface& swept, const RigidFrame& frame,
                            const BoundingBox& rigid_box, const RigidBodies& rigid,
                            std::int32_t rigid_index, const SearchContext& context,
                            ContactSlots& slots) {
  if (frame.shape.kind == ShapeKind::half_space) return;
  const std::uint64_t key = pair_key(body.key, rigid.key[std::size_t(rigid_index)]);
  const std::int32_t count = std::int32_t(body.surface.triangles.size());
  for (std::int32_t t = 0; t < count; ++t) {
    const Triangle& tri = body.surface.triangles[std::size_t(t)];
    BoundingBox box = swept.vertex[std::size_t(tri[0])];
    for (const std::int32_t v : {tri[1], tri[2]}) {
      box.add(swept.vertex[std::size_t(v)].low);
      box.add(swept.vertex[std::size_t(v)].high);
    }
    if (!box.meets(rigid_box)) continue;
    std::array<Vec3, 3> corner;
    Vec3 relative;
    double speed_sq = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      const Stencil stencil = vertex_stencil(body, tri[n]);
      const Vec3 p = stencil_place(particles, stencil, Moment::now);
      corner[n] = to_local(frame.pose, p);
      const Vec3 v = stencil_velocity(particles, stencil) -
                     rigid_velocity(rigid, rigid_index, p - frame.pose.position);
      if (length_sq(v) >= speed_sq) speed_sq = length_sq(v), relative = v;
    }
    if (!shape_turns(frame.shape, corner)) continue;
    const auto weights = deepest_on_triangle(frame.shape, corner, {1. / 3, 1. / 3, 1. / 3});
    Vec3 gradient;
    const Vec3 p = corner[0] * weights[0] + corner[1] * weights[1] + corner[2] * weights[2];
    if (signed_distance(frame.shape, p, gradient) >
        reach_of(swept, body.thickness, relative, context))
      continue;
    append(slots,
           {ContactKind::triangle_rigid,
            index,
            t,
            rigid_index,
            -1,
            0,
            0,
            {Real(weights[0]), Real(weights[1]), Real(weights[2])}},
           key);
  }
}

}  // namespace

void sweep_surface(const Particles& particles, const Deformable& body, const SearchContext& context,
                   SweptSurface& swept) {
  swept.slack = context.margin + length(context.gravity) * context.dt * context.dt;
  swept.all = {};
  swept.vertex.resize(body.surface.vertices.size());
  const double grow = swept.slack + 0.5 * body.thickness;
  const Vec3 grown{grow, grow, grow};
  for (std::size_t v = 0; v < swept.vertex.size(); ++v) {
    const Stencil stencil = vertex_stencil(body, std::int32_t(v));
    const Vec3 p = stencil_place(particles, stencil, Moment::now);
    const Vec3 q = p + stencil_velocity(particles, stencil) * context.dt;
    swept.vertex[v] = {min(p, q) - grown, max(p, q) + grown};
    swept.all.add(swept.vertex[v].low);
    swept.all.add(swept.vertex[v].high);
  }
}

BoundingBox sweep_rigid(const RigidBodies& rigid, std::int32_t index,
                        const SearchContext& context) {
  const std::size_t i = std::size_t(index);
  const ShapeNumbers<double> shape = in_double(rigid.shape[i]);
  const Vec3 p = rigid.position[i];
  const Mat3 r = to_matrix(rigid.rotation[i]);
  const double reach = double(rigid.reach[i]) + context.margin;
  if (shape.kind == ShapeKind::half_space) {
    BoundingBox box{{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}};
    for (int axis = 0; axis < 3; ++axis)  // a half-space that faces along an axis has a flat side
      if (std::fabs(r.row[axis].y) > 1 - 1e-12)
        (r.row[axis].y > 0 ? box.high[axis] : box.low[axis]) =
            p[axis] + (r.row[axis].y > 0 ? reach : -reach);
    return box;
  }
  Vec3 extent;
  for (int axis = 0; axis < 3; ++axis)
    extent[axis] = std::fabs(r.row[axis].x) * shape.half.x +
                   std::fabs(r.row[axis].y) * shape.half.y +
                   std::fabs(r.row[axis].z) * shape.half.z + shape.radius + reach;
  return {p - extent, p + extent};
}

void search_rigid(const Particles& particles, std::span<const Deformable> bodies, std::int32_t body,
                  const SweptSurface& swept, const RigidBodies& rigid, std::int32_t rigid_index,
                  const SearchContext& context, ContactSlots& slots) {
  const Deformable& soft = bodies[std::size_t(body)];
  const std::size_t r = std::size_t(rigid_index);
  const RigidFrame frame{in_double(rigid.shape[r]), {rigid.position[r], rigid.rotation[r]}};
  const BoundingBox box = sweep_rigid(rigid, rigid_index, context);
  search_rigid_vertices(particles, soft, body, swept, frame, box, rigid, rigid_index, context,
                        slots);
  search_rigid_triangles(particles, soft, body, swept, frame, box, rigid, rigid_index, context,
                         slots);
}

void search_deformable(const Particles& particles, std::span<const Deformable> bodies,
                       std::int32_t body, const SweptSurface& swept, std::int32_t other,
                       const SweptSurface& swept_other, ContactSlots& slots) {
  (void)particles;
  const Deformable &soft = bodies[std::size_t(body)], &obstacle = bodies[std::size_t(other)];
  const std::uint64_t key = pair_key(soft.key, obstacle.key);
  // The obstacle's triangles near the body at all, as boxes.
  struct Entry {
    BoundingBox box;
    std::int32_t triangle;
  };
  static thread_local std::vector<Entry> near;  // keeps its memory from step to step
  near.clear();
  for (std::size_t t = 0; t < obstacle.surface.triangles.size(); ++t) {
    const Triangle& tri = obstacle.surface.triangles[t];
    BoundingBox box;
    for (const std::int32_t v : tri) {
      box.add(swept_other.vertex[std::size_t(v)].low);
      box.add(swept_other.vertex[std::size_t(v)].high);
    }
    if (box.meets(swept.all)) near.push_back({box, std::int32_t(t)});
  }
  if (near.empty()) return;
  std::sort(near.begin(), near.end(), [](const Entry& a, const Entry& b) {
    return a.box.low.x != b.box.low.x ? a.box.low.x < b.box.low.x : a.triangle < b.triangle;
  });
  double widest = 0;
  for (const Entry& e : near) widest = std::max(widest, e.box.high.x - e.box.low.x);
  for (std::size_t v = 0; v < swept.vertex.size(); ++v) {
    const BoundingBox& box = swept.vertex[v];
    if (!box.meets(swept_other.all)) continue;
    const std::int32_t first = std::int32_t(slots.triangles.size());
    auto at = std::lower_bound(near.begin(), near.end(), box.low.x - widest,
                               [](const Entry& e, double x) { return e.box.low.x < x; });
    for (; at != near.end() && at->box.low.x <= box.high.x; ++at)
      if (at->box.meets(box)) slots.triangles.push_back(at->triangle);
    const std::int32_t count = std::int32_t(slots.triangles.size()) - first;
    if (count == 0) continue;
    std::sort(slots.triangles.begin() + first, slots.triangles.end());
    append(slots,
           {ContactKind::vertex_triangle, body, std::int32_t(v), -1, other, first, count, {}}, key);
  }
}

}  // namespace pliant
