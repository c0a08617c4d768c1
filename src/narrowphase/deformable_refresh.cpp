#include "narrowphase/deformable_refresh.h"

#include <algorithm>
#include <cmath>

#include "geometry/closest_point.h"
#include "narrowphase/surface_points.h"

namespace pliant {
namespace {

struct Meeting {
  Vec3 normal;     // from side a to side b
  double gap = 0;  // m, between the surfaces, thickness already taken off
  bool found = false;
};

void put(ParticleContact& contact, const Stencil& stencil, Real sign) {
  for (int n = 0; n < stencil.count; ++n) {
    const std::size_t at = std::size_t(contact.particles++);
    contact.particle[at] = stencil.particle[std::size_t(n)];
    contact.weight[at] = sign * stencil.weight[std::size_t(n)];
  }
}

// How far from its ends a triangle contact must be: nearer, the vertex' own contact has it.
constexpr double k_vertex_share = 0.98;

Meeting meet_rigid(const RefreshContext& context, ContactFeature& feature,
                   ParticleContact& contact) {
  const Deformable& body = context.bodies[std::size_t(feature.body)];
  const std::size_t r = std::size_t(feature.rigid);
  const BodyBase& before = context.rigid_before[r];
  const Transform pose{before.position, before.rotation};
  const ShapeNumbers<Real>& s = context.rigid->shape[r];
  const ShapeNumbers<double> shape{s.kind, cast<double>(s.half), double(s.radius)};
  Stencil stencil;
  if (feature.kind == ContactKind::vertex_rigid) {
    stencil = vertex_stencil(body, feature.feature);
  } else {
    const Triangle& t = body.surface.triangles[std::size_t(feature.feature)];
    std::array<Vec3, 3> corner;
    for (std::size_t n = 0; n < 3; ++n)
      corner[n] = to_local(
          pose, stencil_place(*context.particles, vertex_stencil(body, t[n]), Moment::begin));
    const std::array<double, 3> start{double(feature.weights[0]), double(feature.weights[1]),
                                      double(feature.weights[2])};
    const std::array<double, 3> weights = deepest_on_triangle(shape, corner, start);
    for (std::size_t n = 0; n < 3; ++n) feature.weights[n] = Real(weights[n]);
    if (*std::max_element(weights.begin(), weights.end()) > k_vertex_share) return {};
    stencil = triangle_stencil(body, feature.feature, weights);
  }
  const Vec3 p = stencil_place(*context.particles, stencil, Moment::begin);
  Vec3 gradient;
  const Vec3 local = to_local(pose, p);
  const double distance = signed_distance(shape, local, gradient);
  put(contact, stencil, 1);
  // The rigid point nearest to p, before and after the substep's motion.
  const Vec3 touching = local - distance * gradient;
  const Vec3 point_before = to_world(pose, touching);
  const Vec3 point_now =
      to_world({context.rigid->position[r], context.rigid->rotation[r]}, touching);
  contact.rigid = feature.rigid;
  contact.arm = cast<Real>(point_now - context.rigid->position[r]);
  contact.rigid_motion = cast<Real>(point_now - point_before);
  return {rotate(pose.rotation, gradient), distance - 0.5 * body.thickness, true};
}

// The outward direction of a surface at a vertex: the sum of its triangles' normals by area.
Vec3 vertex_normal(const RefreshContext& context, const Deformable& body, std::int32_t vertex) {
  const DeformableSurface& surface = body.surface;
  Vec3 sum;
  for (std::int32_t n = surface.ring_begin[std::size_t(vertex)];
       n < surface.ring_begin[std::size_t(vertex) + 1]; ++n) {
    const Triangle& t = surface.triangles[std::size_t(surface.ring[std::size_t(n)])];
    const auto x = [&](std::size_t k) {
      return stencil_place(*context.particles, vertex_stencil(body, t[k]), Moment::begin);
    };
    const Vec3 a = x(0);
    sum += cross(x(1) - a, x(2) - a);
  }
  return normalized(sum);
}

struct Nearest {
  std::int32_t triangle = -1;
  std::array<double, 3> weights{};
  Vec3 away;         // from the nearest point to p
  Vec3 face_normal;  // unit, of the nearest triangle
  double distance = 1e300;
  double facing = -1;  // |cosine| between the two
};

Nearest nearest_triangle(const RefreshContext& context, const Deformable& other,
                         std::span<const std::int32_t> triangles, const Vec3& p) {
  Nearest best;
  for (const std::int32_t t : triangles) {
    const Triangle& tri = other.surface.triangles[std::size_t(t)];
    const auto x = [&](std::size_t k) {
      return stencil_place(*context.particles, vertex_stencil(other, tri[k]), Moment::begin);
    };
    const Vec3 a = x(0), b = x(1), c = x(2);
    const auto w = closest_on_triangle(p, a, b, c);
    const Vec3 away = p - (a * w[0] + b * w[1] + c * w[2]);
    const double distance = length(away);
    // Triangles that share the nearest edge or corner tie: the one that faces p most knows its
    // side.
    const double tie = 1e-9 + 1e-7 * distance;
    if (distance > best.distance + tie) continue;
    const Vec3 normal = normalized(cross(b - a, c - a));
    const double facing = distance > 0 ? std::abs(dot(normal, away)) / distance : 1;
    if (distance > best.distance - tie && facing <= best.facing) continue;
    best = {t, w, away, normal, distance, facing};
  }
  return best;
}

Meeting meet_deformable(const RefreshContext& context, const ContactSlots& slots,
                        const ContactFeature& feature, ParticleContact& contact) {
  const Deformable& body = context.bodies[std::size_t(feature.body)];
  const Deformable& other = context.bodies[std::size_t(feature.other)];
  const Stencil vertex = vertex_stencil(body, feature.feature);
  const Vec3 p = stencil_place(*context.particles, vertex, Moment::begin);
  const auto triangles =
      std::span(slots.triangles).subspan(std::size_t(feature.first), std::size_t(feature.count));
  const Nearest nearest = nearest_triangle(context, other, triangles, p);
  if (nearest.triangle < 0) return {};
  // The side that is right: outside of a closed obstacle; otherwise where the vertex' own body is.
  const Vec3 right_side =
      other.surface.closed ? nearest.face_normal : -vertex_normal(context, body, feature.feature);
  const double side = dot(nearest.away, right_side) >= 0 ? 1 : -1;
  const Vec3 normal =
      nearest.distance > 1e-9 ? nearest.away * (side / nearest.distance) : right_side;
  put(contact, vertex, 1);
  put(contact, triangle_stencil(other, nearest.triangle, nearest.weights), -1);
  const double thickness = 0.5 * (body.thickness + other.thickness);
  const double gap = side * nearest.distance - thickness;
  // Deeper than a cell: the nearest triangle says nothing about which way is out.
  if (gap < -std::min(body.cell, other.cell)) return {};
  return {normal, gap, true};
}

// Motion of the two contact points towards each other over the substep, as predicted.
Vec3T<Real> relative_motion(const Particles& particles, const ParticleContact& contact) {
  Vec3T<Real> sum = -contact.rigid_motion;
  for (std::size_t n = 0; n < std::size_t(contact.particles); ++n) {
    const std::size_t p = std::size_t(contact.particle[n]);
    sum += contact.weight[n] * (xyz(particles.d[p]) - xyz(particles.d_before[p]));
  }
  return sum;
}

Surface combine(const Surface& a, const Surface& b) {
  return {std::sqrt(a.friction_static * b.friction_static),
          std::sqrt(a.friction_kinetic * b.friction_kinetic),
          std::max(a.restitution, b.restitution)};
}

void set_limits(const RefreshContext& context, double gap, ParticleContact& contact) {
  // Of an overlap that is there already, at most push_speed * h is removed, without becoming
  // velocity.
  const double push = gap < 0 ? std::min(-gap, context.push_speed * context.h) : 0;
  contact.target = Real(gap < 0 ? gap + push : 0);
  contact.push = Real(push);
  const Vec3T<Real> motion = relative_motion(*context.particles, contact);
  const Real closing = dot(contact.normal, motion);
  contact.approach = Real(closing / Real(context.h));
  contact.gap = Real(gap);
  // gap(d) = gap + n . (motion(d) - rigid shift): the offset makes it a function of d itself.
  Real at_begin = 0;
  for (std::size_t n = 0; n < std::size_t(contact.particles); ++n)
    at_begin +=
        contact.weight[n] *
        dot(contact.normal, xyz(context.particles->d_before[std::size_t(contact.particle[n])]));
  contact.offset = Real(gap) - at_begin - dot(contact.normal, contact.rigid_motion);
  contact.active = Real(gap) + closing < contact.target;
}

}  // namespace

void refresh_contact(const RefreshContext& context, const ContactSlots& slots,
                     ContactFeature& feature, ParticleContact& contact) {
  contact = {};
  const Meeting meeting = feature.rigid >= 0 ? meet_rigid(context, feature, contact)
                                             : meet_deformable(context, slots, feature, contact);
  contact.gap = Real(1e30);
  if (!meeting.found) {
    contact.particles = 0;
    return;
  }
  contact.normal = cast<Real>(meeting.normal);
  const Surface& other = feature.rigid >= 0 ? context.rigid->surface[std::size_t(feature.rigid)]
                                            : context.bodies[std::size_t(feature.other)].contact;
  const Surface surface = combine(context.bodies[std::size_t(feature.body)].contact, other);
  contact.friction_static = Real(surface.friction_static);
  contact.friction_kinetic = Real(surface.friction_kinetic);
  contact.restitution = Real(surface.restitution);
  set_limits(context, meeting.gap, contact);
}

}  // namespace pliant
