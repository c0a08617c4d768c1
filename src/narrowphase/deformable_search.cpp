#include "narrowphase/deformable_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "narrowphase/nearest_wide.h"
#include "narrowphase/shape_distance_wide.h"
#include "narrowphase/surface_points.h"

namespace pliant {
namespace {

Surface combine(const Surface& a, const Surface& b) {
  return {std::sqrt(a.friction_static * b.friction_static),
          std::sqrt(a.friction_kinetic * b.friction_kinetic),
          std::max(a.restitution, b.restitution)};
}

// A pair without contacts yet.
ContactPair make_pair_of(const Deformable& body, std::int32_t index, std::uint32_t other_key,
                         const Surface& other, const ContactSlots& slots) {
  ContactPair pair;
  pair.key = std::uint64_t(std::min(body.key, other_key)) << 32 | std::max(body.key, other_key);
  pair.body = index;
  pair.batch_begin = pair.batch_end = std::int32_t(slots.batches.size());
  pair.slot_begin = pair.slot_end = std::int32_t(slots.slots.size());
  const Surface surface = combine(body.contact, other);
  pair.friction_static = Real(surface.friction_static);
  pair.friction_kinetic = Real(surface.friction_kinetic);
  pair.restitution = Real(surface.restitution);
  return pair;
}

void append_pair(ContactPair& pair, ContactSlots& slots) {
  pair.batch_end = std::int32_t(slots.batches.size());
  pair.slot_end = std::int32_t(slots.slots.size());
  if (pair.batch_end > pair.batch_begin || pair.slot_end > pair.slot_begin)
    slots.pairs.push_back(pair);
}

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

// What moves little against the triangle meets it as it is now. Where a corner is about as near as
// the inside and no other corner is lower, seen from the shape, that corner has the contact: a
// sheet that lies along a face beyond its edge. One that bends down there is held by its inside.
bool lies_flat(const Deformable& body, const SweptSurface& swept, const Triangle& t, Real inside,
               Real reach) {
  const Real thickness = Real(0.5 * body.thickness);
  const Real moves = reach - Real(2 * swept.slack) - thickness;
  std::array<const VertexProbe*, 3> corner;
  for (std::size_t n = 0; n < 3; ++n) corner[n] = &swept.probes[std::size_t(t[n])];
  if (16 * moves * moves >= length_sq(corner[0]->local - corner[1]->local)) return false;
  const VertexProbe& nearest =
      **std::min_element(corner.begin(), corner.end(),
                         [](const auto* a, const auto* b) { return a->distance < b->distance; });
  if (inside <= nearest.distance - Real(0.25) * thickness) return false;
  Real lowest = 0;
  for (const VertexProbe* c : corner)
    lowest = std::min(lowest, dot(nearest.gradient, c->local - nearest.local));
  return lowest > Real(-0.1) * thickness;
}

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
    const Triangle& tri = body.surface.triangles[std::size_t(near.triangle[std::size_t(k)])];
    if (lies_flat(body, swept, tri, at.distance[k], near.reach[k])) continue;
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
  const auto local = [&](std::int32_t v) { return swept.probes[std::size_t(v)].local; };
  for (const Triangle& t : body.surface.triangles) {
    const Vec3R a = local(t[0]), b = local(t[1]), c = local(t[2]);
    swept.longest = std::max({swept.longest, length_sq(a - b), length_sq(b - c), length_sq(c - a)});
  }
  swept.longest = std::sqrt(swept.longest) * Real(1.001);
}

// A triangle that comes into reach has all its corners within that and its longest edge.
void mark_near(const Deformable& body, const ProbeBounds& bounds, SweptSurface& swept) {
  measure_longest(body, swept);
  swept.near.resize(swept.probes.size());
  for (std::size_t v = 0; v < swept.probes.size(); ++v)
    swept.near[v] = swept.probes[v].distance <= bounds.reach + swept.longest;
}

void append_triangles(const Deformable& body, SweptSurface& swept, const RigidFrame& frame,
                      const ProbeBounds& bounds, ContactSlots& slots) {
  if (frame.shape.kind == ShapeKind::half_space) return;
  mark_near(body, bounds, swept);
  const std::int32_t count = std::int32_t(body.surface.triangles.size());
  const Real thickness = Real(0.5 * body.thickness);
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

// --- boxes

Real4V low_of(const SweptBox& b) { return load4(&b.low); }
Real4V high_of(const SweptBox& b) { return load4(&b.high); }
Real4V min4(Real4V a, Real4V b) { return a < b ? a : b; }
Real4V max4(Real4V a, Real4V b) { return a > b ? a : b; }

Real4V place_of(const Particles& particles, std::size_t p) {
  const Real4V xyz{1, 1, 1, 0};
  return load4(&particles.base[p]) + load4(&particles.d[p]) * xyz;
}

SweptBox grown(Real4V low, Real4V high, double by) {
  const Real4V pad{Real(by), Real(by), Real(by), 0};
  const Real4V size = max4(max4(-low, low), max4(-high, high)) * Real(4e-7);
  SweptBox box;
  store4(&box.low, low - pad - size);
  store4(&box.high, high + pad + size);
  return box;
}

double growth(const SweptSurface& swept, const Deformable& body) {
  return swept.slack + 0.5 * body.thickness;
}

// The boxes of vertices, from their places to where their velocities take them, and of triangles.
void detail(const Particles& particles, const Deformable& body, const SearchContext& context,
            SweptSurface& swept) {
  if (swept.detailed) return;
  swept.detailed = true;
  const DeformableSurface& surface = body.surface;
  const Real dt = Real(context.dt);
  swept.vertex.resize(surface.vertices.size());
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    Real4V p{}, q{};
    for (std::size_t n = 0; n < (surface.direct ? 1u : 4u); ++n) {
      const std::size_t particle =
          std::size_t(body.begin) + std::size_t(surface.vertices[v].particle[n]);
      const Real4V x = place_of(particles, particle), u = load4(&particles.velocity[particle]);
      p += x * surface.vertices[v].weight[n];
      q += (x + u * dt) * surface.vertices[v].weight[n];
    }
    swept.vertex[v] = grown(min4(p, q), max4(p, q), growth(swept, body));
  }
  swept.triangle.resize(surface.triangles.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const Triangle& tri = surface.triangles[t];
    const SweptBox &a = swept.vertex[std::size_t(tri[0])], &b = swept.vertex[std::size_t(tri[1])],
                   &c = swept.vertex[std::size_t(tri[2])];
    store4(&swept.triangle[t].low, min4(low_of(a), min4(low_of(b), low_of(c))));
    store4(&swept.triangle[t].high, max4(high_of(a), max4(high_of(b), high_of(c))));
  }
}

// The triangles near a body, in buckets by the lower ends of their boxes along one axis: those that
// meet an interval of that axis are in few consecutive buckets.
struct Buckets {
  static constexpr int k_count = 64;
  std::vector<std::int32_t> near, sorted;
  std::int32_t begin[k_count + 1] = {};
  int axis = 0;
  Real low = 0, inverse_width = 0, widest = 0;

  static Real along(const Vec4& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
  int bucket(Real x) const {
    const Real b = (x - low) * inverse_width;
    return b <= 0 ? 0 : b >= Real(k_count - 1) ? k_count - 1 : int(b);
  }
  void fill(const std::vector<SweptBox>& boxes, const SweptBox& region) {
    near.clear();
    for (std::size_t t = 0; t < boxes.size(); ++t)
      if (meet(boxes[t], region)) near.push_back(std::int32_t(t));
    const Vec4 &l = region.low, &h = region.high;
    axis = h.x - l.x >= h.y - l.y && h.x - l.x >= h.z - l.z ? 0 : h.y - l.y >= h.z - l.z ? 1 : 2;
    widest = 0;
    for (const std::int32_t t : near) {
      const SweptBox& b = boxes[std::size_t(t)];
      widest = std::max(widest, along(b.high, axis) - along(b.low, axis));
    }
    low = along(l, axis) - widest;
    inverse_width = Real(k_count) / std::max(along(h, axis) - low, Real(1e-6));
    std::fill(std::begin(begin), std::end(begin), 0);
    for (const std::int32_t t : near) ++begin[bucket(along(boxes[std::size_t(t)].low, axis)) + 1];
    for (int b = 0; b < k_count; ++b) begin[b + 1] += begin[b];
    std::int32_t next[k_count];
    std::copy(begin, begin + k_count, next);
    sorted.resize(near.size());
    for (const std::int32_t t : near)
      sorted[std::size_t(next[bucket(along(boxes[std::size_t(t)].low, axis))]++)] = t;
  }
};

CandidateTriangle candidate(const Deformable& other, std::int32_t triangle) {
  CandidateTriangle c{triangle, {}};
  if (!other.surface.direct) return c;
  const Triangle& tri = other.surface.triangles[std::size_t(triangle)];
  for (std::size_t n = 0; n < 3; ++n)
    c.particle[n] = other.begin + other.surface.vertices[std::size_t(tri[n])].particle[0];
  return c;
}

}  // namespace

bool meet(const SweptBox& a, const SweptBox& b) {
  const auto apart = (low_of(a) > high_of(b)) | (low_of(b) > high_of(a));
  return (apart[0] | apart[1] | apart[2]) == 0;
}

void sweep_surface(const Particles& particles, const Deformable& body, const SearchContext& context,
                   TaskPool* pool, SweptSurface& swept) {
  swept.slack = context.margin + length(context.gravity) * context.dt * context.dt;
  swept.detailed = false;
  swept.longest = 0;
  // Every point of the surface is between particles, so their box holds it.
  const Real far = Real(1e30), dt = Real(context.dt);
  const Real slack = Real(swept.slack);
  const Real4V pad{slack, slack, slack, far}, none{far, far, far, far};
  const std::vector<std::int32_t>& clusters = body.constraints.clusters;
  swept.bounds.resize(std::size_t(body.count));
  swept.clusters.resize(clusters.size() - 1);
  const auto sweep_cluster = [&](std::size_t k) {
    Real4V low = none, high = -none;
    for (std::size_t n = std::size_t(clusters[k]); n < std::size_t(clusters[k + 1]); ++n) {
      const std::size_t p = std::size_t(body.begin) + n;
      const Real4V motion = load4(&particles.velocity[p]) * dt, d = load4(&particles.d[p]);
      const Real4V back = min4(motion, Real4V{}), ahead = max4(motion, Real4V{});
      const Real4V x = place_of(particles, p);
      low = min4(low, x + back);
      high = max4(high, x + ahead);
      store4(&swept.bounds[n].low, d + back - pad);
      store4(&swept.bounds[n].high, d + ahead + pad);
    }
    store4(&swept.clusters[k].low, low);
    store4(&swept.clusters[k].high, high);
  };
  parallel_for(pool, int(swept.clusters.size()), 1, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) sweep_cluster(std::size_t(k));
  });
  Real4V low = none, high = -none;
  for (const SweptBox& box : swept.clusters) {
    low = min4(low, low_of(box));
    high = max4(high, high_of(box));
  }
  swept.all = grown(low, high, growth(swept, body));
}

bool left_sweep(const Particles& particles, const Deformable& body, const SweptSurface& swept,
                TaskPool* pool) {
  const Vec4* d = particles.d.data() + body.begin;
  const std::vector<std::int32_t>& clusters = body.constraints.clusters;
  std::atomic<bool> left = false;
  parallel_for(pool, body.constraints.cluster_count(), 1, [&](int begin, int end) {
    auto outside = Real4V{} > Real4V{};
    for (std::size_t n = std::size_t(clusters[std::size_t(begin)]);
         n < std::size_t(clusters[std::size_t(end)]); ++n) {
      const Real4V x = load4(d + n);
      outside |= (x < low_of(swept.bounds[n])) | (x > high_of(swept.bounds[n]));
    }
    if ((outside[0] | outside[1] | outside[2]) != 0) left.store(true, std::memory_order_relaxed);
  });
  return left;
}

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

void search_deformable(const Particles& particles, std::span<const Deformable> bodies,
                       std::int32_t body, SweptSurface& swept, std::int32_t other,
                       SweptSurface& swept_other, const SearchContext& context,
                       ContactSlots& slots) {
  const Deformable &soft = bodies[std::size_t(body)], &obstacle = bodies[std::size_t(other)];
  if (!meet(swept.all, swept_other.all)) return;
  detail(particles, soft, context, swept);
  detail(particles, obstacle, context, swept_other);
  ContactPair pair = make_pair_of(soft, body, obstacle.key, obstacle.contact, slots);
  pair.other = other;
  pair.thickness = Real(0.5 * (soft.thickness + obstacle.thickness));
  const std::int32_t pair_index = std::int32_t(slots.pairs.size());
  SweptBox region;
  store4(&region.low, max4(low_of(swept.all), low_of(swept_other.all)));
  store4(&region.high, min4(high_of(swept.all), high_of(swept_other.all)));
  static thread_local Buckets buckets;  // keeps its memory from step to step
  buckets.fill(swept_other.triangle, region);
  if (buckets.near.empty()) return;
  for (std::size_t v = 0; v < swept.vertex.size(); ++v) {
    const SweptBox& box = swept.vertex[v];
    if (!meet(box, region)) continue;
    const std::int32_t first = std::int32_t(slots.candidates.size());
    const int from = buckets.bucket(Buckets::along(box.low, buckets.axis) - buckets.widest);
    const int to = buckets.bucket(Buckets::along(box.high, buckets.axis));
    for (std::int32_t n = buckets.begin[from]; n < buckets.begin[to + 1]; ++n) {
      const std::int32_t t = buckets.sorted[std::size_t(n)];
      if (meet(swept_other.triangle[std::size_t(t)], box))
        slots.candidates.push_back(candidate(obstacle, t));
    }
    const std::int32_t count = std::int32_t(slots.candidates.size()) - first;
    if (count == 0) continue;
    std::sort(slots.candidates.begin() + first, slots.candidates.end(),
              [](const CandidateTriangle& a, const CandidateTriangle& b) {
                return a.triangle < b.triangle;
              });
    slots.slots.push_back(
        {ContactKind::vertex_triangle, pair_index, std::int32_t(v), first, count, -1, {}});
  }
  append_pair(pair, slots);
}

}  // namespace pliant
