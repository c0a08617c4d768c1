#include "narrowphase/rigid_contacts.h"

#include <algorithm>

#include "narrowphase/rigid_composite.h"

namespace pliant {

namespace {

// Where a body is looked at.
struct Place {
  Vec3 position;
  const Mat3R& axes;
};

PairGeometry geometry_of(const RigidBodies& bodies, std::int32_t first, std::int32_t second,
                         const Place& place_first, const Place& place_second, Real margin) {
  PairGeometry g;
  g.a = bodies.shape[first];
  g.b = bodies.shape[second];
  g.axes_a = place_first.axes;
  g.axes_b = place_second.axes;
  g.offset = cast<Real>(place_second.position - place_first.position);
  g.margin = margin + bodies.reach[first] + bodies.reach[second];
  return g;
}

// From the body to the foot of its perpendicular on the plane: exact however far away the plane's
// own origin is.
Vec3R plane_offset(const Place& body, const Place& plane) {
  const Vec3 up = cast<double>(plane.axes.row[1]);
  return cast<Real>(up * -dot(body.position - plane.position, up));
}

// A pair in the order that the tests of shapes ask for.
struct ShapePair {
  PairGeometry geometry;
  Vec3R arm;     // m, from the centre of the first to that of the second
  bool flipped;  // the first is b
};
ShapePair order_pair(const RigidBodies& bodies, const BoxPair& pair, const Place& place_a,
                     const Place& place_b, Real margin) {
  ShapePair o;
  o.flipped = comes_first(bodies.shape[pair.b].kind, bodies.shape[pair.a].kind);
  const Place &first = o.flipped ? place_b : place_a, &second = o.flipped ? place_a : place_b;
  o.geometry = geometry_of(bodies, o.flipped ? pair.b : pair.a, o.flipped ? pair.a : pair.b, first,
                           second, margin);
  o.arm = o.geometry.offset;
  if (o.geometry.b.kind == ShapeKind::half_space) o.geometry.offset = plane_offset(first, second);
  return o;
}

void carry_impulses(const Manifold& old, Manifold& now) {
  for (int i = 0; i < now.count; ++i) {
    ManifoldPoint& p = now.point[i];
    for (int j = 0; j < old.count; ++j) {
      const ManifoldPoint& q = old.point[j];
      if (q.feature != p.feature) continue;
      p.normal_impulse = q.normal_impulse;
      const Vec3R friction =
          old.tangent[0] * q.friction_impulse[0] + old.tangent[1] * q.friction_impulse[1];
      p.friction_impulse[0] = dot(friction, now.tangent[0]);
      p.friction_impulse[1] = dot(friction, now.tangent[1]);
      break;
    }
  }
}

void set_manifold(Manifold& m, const PairContact& c, const Vec3R& first_to_second, bool flipped) {
  m.count = c.count;
  m.axis = c.axis;
  if (c.count == 0) return;
  m.normal = flipped ? -c.normal : c.normal;
  m.tangent[0] = any_perpendicular(m.normal);
  m.tangent[1] = cross(m.normal, m.tangent[0]);
  for (int i = 0; i < c.count; ++i) {
    const Vec3R on_first = c.point[i].position, on_second = c.point[i].position - first_to_second;
    m.point[i] = {flipped ? on_second : on_first,
                  flipped ? on_first : on_second,
                  c.point[i].separation,
                  0,
                  {},
                  c.point[i].feature};
  }
}

void find_manifold(const RigidBodies& bodies, const BoxPair& pair, const Place& place_a,
                   const Place& place_b, const Manifold* old, Real margin, Manifold& m) {
  const ShapePair o = order_pair(bodies, pair, place_a, place_b, margin);
  set_manifold(m, collide_pair(o.geometry, old ? old->axis : 0), o.arm, o.flipped);
  m.impulse = {};
  if (old && m.count > 0 && old->count > 0) carry_impulses(*old, m);
}

void find_manifolds(const RigidBodies& bodies, const BoxPair& pair, const Place& place_a,
                    const Place& place_b, std::span<const Manifold> before, Real margin,
                    std::vector<Manifold>& out) {
  const ShapePair o = order_pair(bodies, pair, place_a, place_b, margin);
  thread_local ContactList contacts;  // keeps its memory
  contacts.clear();
  collide_composite(o.geometry, contacts);
  for (const PairContact& c : contacts) {
    if (c.count == 0) continue;
    Manifold& m = out.emplace_back();
    set_manifold(m, c, o.arm, o.flipped);
    for (const Manifold& old : before) carry_impulses(old, m);
  }
}

}  // namespace

bool is_composite_pair(const RigidBodies& bodies, const BoxPair& pair) {
  if (bodies.composites == 0) return false;
  return is_composite(bodies.shape[pair.a].kind) || is_composite(bodies.shape[pair.b].kind);
}

std::span<const Manifold> manifolds_of(const ManifoldList& list, const BoxPair& pair) {
  const auto by_key = [](const BoxPair& a, const BoxPair& b) { return a.key < b.key; };
  const auto [first, last] = std::equal_range(list.pairs.begin(), list.pairs.end(), pair, by_key);
  return std::span(list.manifolds)
      .subspan(std::size_t(first - list.pairs.begin()), std::size_t(last - first));
}

void find_composite_contacts(const RigidBodies& bodies, const BoxPair& pair,
                             std::span<const Manifold> before, Real margin, bool now,
                             std::vector<Manifold>& out) {
  if (!now) {
    find_manifolds(bodies, pair, {bodies.base[pair.a].position, bodies.axes[pair.a]},
                   {bodies.base[pair.b].position, bodies.axes[pair.b]}, before, margin, out);
    return;
  }
  const auto axes = [&](std::int32_t i) {
    return transposed(to_matrix(cast<Real>(bodies.rotation[i])));
  };
  const Mat3R axes_a = axes(pair.a), axes_b = axes(pair.b);
  find_manifolds(bodies, pair, {bodies.position[pair.a], axes_a}, {bodies.position[pair.b], axes_b},
                 before, margin, out);
}

void find_rigid_contacts(const RigidBodies& bodies, const ManifoldList& before, ManifoldList& now,
                         std::int32_t begin, std::int32_t end, Real margin) {
  for (std::int32_t i = begin; i < end; ++i) {
    const BoxPair& pair = now.pairs[i];
    if (is_composite_pair(bodies, pair)) continue;
    const Manifold* old = now.match[i] >= 0 ? &before.manifolds[now.match[i]] : nullptr;
    find_manifold(bodies, pair, {bodies.base[pair.a].position, bodies.axes[pair.a]},
                  {bodies.base[pair.b].position, bodies.axes[pair.b]}, old, margin,
                  now.manifolds[i]);
  }
}

void find_contact_now(const RigidBodies& bodies, const BoxPair& pair, const Manifold* old,
                      Real margin, Manifold& now) {
  const auto axes = [&](std::int32_t i) {
    return transposed(to_matrix(cast<Real>(bodies.rotation[i])));
  };
  const Mat3R axes_a = axes(pair.a), axes_b = axes(pair.b);
  find_manifold(bodies, pair, {bodies.position[pair.a], axes_a}, {bodies.position[pair.b], axes_b},
                old, margin, now);
}

}  // namespace pliant
