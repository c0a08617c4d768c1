// Vertices and triangles of a deformable against a rigid shape.
#include <algorithm>
#include <cmath>

#include "narrowphase/deformable_search.h"
#include "narrowphase/nearest_wide.h"
#include "narrowphase/shape_distance_wide.h"
#include "narrowphase/surface_points.h"

namespace pliant {
namespace {

// --- vertices against rigid shapes

struct RigidFrame {
  ShapeNumbers<Real> shape;
  FrameW axes;
  Vec3R position;
  Real speed = 0;  // m/s, of its fastest point
};

RigidFrame rigid_frame(const RigidBodies& rigid, std::int32_t index) {
  const std::size_t r = std::size_t(index);
  const ShapeNumbers<Real>& s = rigid.shape[r];
  const BodyMotion& m = rigid.motion[r];
  return {s, make_frame(rigid.rotation[r]), cast<Real>(rigid.position[r]),
          length(xyz(m.velocity)) + length(xyz(m.spin)) * length(s.half)};
}

// Eight surface vertices: where they are from the body's centre, how fast, and how far from their
// bases.
struct PointsW {
  Vec3W from, velocity, d;
};

PointsW load_points(const Particles& particles, const Deformable& body, std::int32_t first,
                    std::int32_t count, const Vec3R& centre) {
  Lanes lanes;
  const auto gather_corner = [&](std::size_t corner) {
    for (std::int32_t k = 0; k < k_lanes; ++k) {
      const std::int32_t v = first + std::min(k, count - 1);
      lanes[std::size_t(k)] = body.begin + body.surface.vertices[std::size_t(v)].particle[corner];
    }
    const Vec3W base = gather(particles.base.data(), lanes.data()).xyz();
    const Vec3W d = gather(particles.d.data(), lanes.data()).xyz();
    const Vec3W from{base.x - centre.x, base.y - centre.y, base.z - centre.z};
    return PointsW{from + d, gather(particles.velocity.data(), lanes.data()).xyz(), d};
  };
  if (body.surface.direct) return gather_corner(0);
  PointsW sum{};
  for (std::size_t corner = 0; corner < 4; ++corner) {
    RealW weight{};
    for (std::int32_t k = 0; k < k_lanes; ++k)
      weight[k] = body.surface.vertices[std::size_t(first + std::min(k, count - 1))].weight[corner];
    const PointsW x = gather_corner(corner);
    sum = {sum.from + x.from * weight, sum.velocity + x.velocity * weight, sum.d + x.d * weight};
  }
  return sum;
}

// Over all vertices.
struct ProbeBounds {
  Real reach = 0;      // m, the greatest
  Real displaced = 0;  // m, the longest way from a base
};

ProbeBounds probe_vertices(const Particles& particles, const Deformable& body, SweptSurface& swept,
                           const RigidFrame& frame, const SearchContext& context) {
  const std::int32_t count = std::int32_t(body.surface.vertices.size());
  swept.probes.resize(std::size_t(count));
  // Each side may stop and the other go on, so their speeds add up.
  const Real dt = Real(context.dt);
  const Real reach = Real(2 * swept.slack + 0.5 * body.thickness) + dt * frame.speed;
  RealW most_reach = splat(0), displaced = splat(0);
  for (std::int32_t v = 0; v < count; v += k_lanes) {
    const std::int32_t lanes = std::min(k_lanes, count - v);
    const PointsW x = load_points(particles, body, v, lanes, frame.position);
    const Vec3W local = to_local(frame.axes, x.from);
    Vec3W gradient;
    const RealW distance = signed_distance(frame.shape, local, gradient);
    const RealW reaches = reach + dt * sqrt(dot(x.velocity, x.velocity));
    most_reach = max(most_reach, reaches);
    displaced = max(displaced, dot(x.d, x.d));
    for (std::int32_t k = 0; k < lanes; ++k)
      swept.probes[std::size_t(v + k)] = {{local.x[k], local.y[k], local.z[k]},
                                          {gradient.x[k], gradient.y[k], gradient.z[k]},
                                          distance[k],
                                          reaches[k]};
  }
  ProbeBounds bounds;
  for (int k = 0; k < k_lanes; ++k) {
    bounds.reach = std::max(bounds.reach, most_reach[k]);
    bounds.displaced = std::max(bounds.displaced, displaced[k]);
  }
  bounds.displaced = std::sqrt(bounds.displaced);
  return bounds;
}

// From a rigid body's base to a particle's. Of a half-space that stays only the height matters:
// kept alone it is exact however far along the plane the particle is.
Vec3 from_base(const Particles& particles, std::int32_t particle, const RigidBodies& rigid,
               std::int32_t rigid_index) {
  const std::size_t r = std::size_t(rigid_index);
  const Vec4& b = particles.base[std::size_t(particle)];
  const Vec3 from = Vec3{double(b.x), double(b.y), double(b.z)} - rigid.base[r].position;
  if (rigid.shape[r].kind != ShapeKind::half_space || rigid.kind[r] != Motion::fixed) return from;
  const Vec3 up = rotate(rigid.base[r].rotation, Vec3{0, 1, 0});
  return dot(from, up) * up;
}

void append_vertices(const Particles& particles, const Deformable& body, const SweptSurface& swept,
                     const RigidBodies& rigid, std::int32_t rigid_index, ContactSlots& slots) {
  const std::int32_t pair = std::int32_t(slots.pairs.size());
  const std::int32_t count = std::int32_t(body.surface.vertices.size());
  int used = k_lanes;
  for (std::int32_t v = 0; v < count; ++v) {
    const VertexProbe& probe = swept.probes[std::size_t(v)];
    if (!(probe.distance <= probe.reach)) continue;
    if (!body.surface.direct) {
      slots.slots.push_back({ContactKind::vertex_rigid, pair, v, 0, 0, -1, {}});
      continue;
    }
    if (used == k_lanes) {
      used = 0;
      VertexBatch& fresh = slots.batches.emplace_back();
      fresh.particle.fill(body.begin + body.count);
      fresh.pair = pair;
    }
    VertexBatch& batch = slots.batches.back();
    const std::int32_t particle = body.begin + body.surface.vertices[std::size_t(v)].particle[0];
    const Vec3 from = from_base(particles, particle, rigid, rigid_index);
    batch.particle[std::size_t(used)] = particle;
    batch.from.x[used] = Real(from.x);
    batch.from.y[used] = Real(from.y);
    batch.from.z[used] = Real(from.z);
    batch.lanes = ++used;
  }
}

// --- triangles against rigid shapes

// A triangle is looked at beside its vertices only where its inside may come nearer to the shape
// than half of what the surface keeps: around the edges of a box, where its corners are above
// different faces (likewise of what is neither), and where it is large against a sphere or capsule.
// An arc of radius r over a chord L is L^2 / (8 r) high.
bool shape_turns(const ShapeNumbers<Real>& shape, const VertexProbe& a, const VertexProbe& b,
                 Real thickness) {
  if (shape.kind == ShapeKind::box || !is_simple(shape.kind))
    return dot(a.gradient, b.gradient) < Real(0.9999);
  return length_sq(a.local - b.local) > 4 * shape.radius * thickness;
}

// Whether the shape turns over no edge that is not longer than this.
bool all_are_small(const ShapeNumbers<Real>& shape, Real longest, Real thickness) {
  return shape.kind != ShapeKind::box && is_simple(shape.kind) &&
         longest * longest <= 4 * shape.radius * thickness;
}

// By the tangents at the corners no point of the triangle is in reach.
bool out_of_reach(const VertexProbe& a, const VertexProbe& b, const VertexProbe& c, Real reach) {
  const auto above = [&](const VertexProbe& p, const VertexProbe& q, const VertexProbe& r) {
    const Real least =
        std::min({Real(0), dot(p.gradient, q.local - p.local), dot(p.gradient, r.local - p.local)});
    return p.distance + least > reach;
  };
  return above(a, b, c) || above(b, c, a) || above(c, a, b);
}

// Up to eight triangles that may be in reach.
struct NearTriangles {
  std::array<std::int32_t, k_lanes> triangle{};
  RealW reach{};
  int count = 0;
};

// Those that are in reach become slots. What has moved since the bases were set is taken off their
// distance: the refresh takes off what has moved by then.
void append_near(const Deformable& body, const SweptSurface& swept, const RigidFrame& frame,
                 Real displaced, NearTriangles& near, ContactSlots& slots) {
  if (near.count == 0) return;
  TrianglesW t{};
  for (int k = 0; k < near.count; ++k)
    for (std::size_t n = 0; n < 3; ++n) {
      const Triangle& tri = body.surface.triangles[std::size_t(near.triangle[std::size_t(k)])];
      const Vec3R& local = swept.probes[std::size_t(tri[n])].local;
      t.corner[n].x[k] = local.x;
      t.corner[n].y[k] = local.y;
      t.corner[n].z[k] = local.z;
    }
  const RealW third = splat(Real(1. / 3));
  const NearestW at =
      nearest_on_triangles(frame.shape, t, {{third, third, third}}, near.reach, {8, true});
  for (int k = 0; k < near.count; ++k) {
    if (!(at.distance[k] <= near.reach[k])) continue;
    ContactSlot& slot = slots.slots.emplace_back();
    slot.kind = ContactKind::triangle_rigid;
    slot.pair = std::int32_t(slots.pairs.size());
    slot.feature = near.triangle[std::size_t(k)];
    for (std::size_t n = 0; n < 3; ++n) slot.weights[n] = at.weights.of[n][k];
    slot.clear = body.surface.direct ? at.least[k] - displaced : 0;
  }
  near.count = 0;
}

void measure_longest(const Deformable& body, SweptSurface& swept) {
  if (swept.longest > 0) return;
  const VertexProbe* probes = swept.probes.data();
  Real longest_sq = 0;
  for (const auto& [a, b] : body.surface.edges)
    longest_sq = std::max(longest_sq, length_sq(probes[a].local - probes[b].local));
  swept.longest = std::sqrt(longest_sq) * Real(1.001);
}

// A triangle that comes into reach has all its corners within that and its longest edge.
void mark_near(const ProbeBounds& bounds, SweptSurface& swept) {
  swept.near.resize(swept.probes.size());
  for (std::size_t v = 0; v < swept.probes.size(); ++v)
    swept.near[v] = swept.probes[v].distance <= bounds.reach + swept.longest;
}

void append_triangles(const Deformable& body, SweptSurface& swept, const RigidFrame& frame,
                      const ProbeBounds& bounds, ContactSlots& slots) {
  if (frame.shape.kind == ShapeKind::half_space) return;
  const Real thickness = Real(0.5 * body.thickness);
  measure_longest(body, swept);
  if (all_are_small(frame.shape, swept.longest, thickness)) return;
  mark_near(bounds, swept);
  const std::int32_t count = std::int32_t(body.surface.triangles.size());
  NearTriangles near;
  for (std::int32_t t = 0; t < count; ++t) {
    const Triangle& tri = body.surface.triangles[std::size_t(t)];
    const std::size_t i = std::size_t(tri[0]), j = std::size_t(tri[1]), k = std::size_t(tri[2]);
    if ((swept.near[i] & swept.near[j] & swept.near[k]) == 0) continue;
    const VertexProbe &a = swept.probes[i], &b = swept.probes[j], &c = swept.probes[k];
    const Real reach = std::max({a.reach, b.reach, c.reach});
    if (out_of_reach(a, b, c, reach)) continue;
    if (!shape_turns(frame.shape, a, b, thickness) && !shape_turns(frame.shape, b, c, thickness) &&
        !shape_turns(frame.shape, c, a, thickness))
      continue;
    near.triangle[std::size_t(near.count)] = t;
    near.reach[near.count++] = reach;
    if (near.count == k_lanes) append_near(body, swept, frame, bounds.displaced, near, slots);
  }
  append_near(body, swept, frame, bounds.displaced, near, slots);
}

}  // namespace

void search_rigid(const Particles& particles, std::span<const Deformable> bodies, std::int32_t body,
                  SweptSurface& swept, const RigidBodies& rigid, std::int32_t rigid_index,
                  const SearchContext& context, ContactSlots& slots) {
  const Deformable& soft = bodies[std::size_t(body)];
  const std::size_t r = std::size_t(rigid_index);
  const RigidFrame frame = rigid_frame(rigid, rigid_index);
  ContactPair pair = make_pair_of(soft, body, rigid.key[r], rigid.surface[r], slots);
  pair.rigid = rigid_index;
  pair.thickness = Real(0.5 * soft.thickness);
  pair.dynamic = rigid.dynamic(rigid_index);
  pair.moves = rigid.kind[r] != Motion::fixed;
  const ProbeBounds bounds = probe_vertices(particles, soft, swept, frame, context);
  append_vertices(particles, soft, swept, rigid, rigid_index, slots);
  append_triangles(soft, swept, frame, bounds, slots);
  append_pair(pair, slots);
}

}  // namespace pliant
