// The refresh of slots: triangles against rigid shapes, vertices against triangles, and all that
// touches an embedded surface.
#include "narrowphase/deformable_refresh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/closest_point.h"
#include "math/trig.h"
#include "narrowphase/surface_points.h"

namespace pliant {
namespace {

struct Meeting {
  Vec3R normal;  // from side a to side b
  Real gap = 0;  // m, between the surfaces, thickness already taken off
  bool found = false;
};

void put(ParticleContact& contact, const Stencil& stencil, Real sign) {
  for (int n = 0; n < stencil.count; ++n) {
    const std::size_t at = std::size_t(contact.particles++);
    contact.particle[at] = stencil.particle[std::size_t(n)];
    contact.weight[at] = sign * stencil.weight[std::size_t(n)];
  }
}

// Which of the weights of a triangle contact may be greatest: nearer to a corner than this, the
// vertex' own contact has it.
constexpr double k_vertex_share = 0.98;

struct RigidFrame {
  ShapeNumbers<double> shape;
  Transform pose;  // at the beginning of the substep
};

RigidFrame rigid_frame(const RefreshContext& context, std::int32_t rigid) {
  const BodyBase& before = context.rigid_before[std::size_t(rigid)];
  const ShapeNumbers<Real>& s = context.rigid->shape[std::size_t(rigid)];
  return {{s.kind, cast<double>(s.half), double(s.radius)}, {before.position, before.rotation}};
}

// How near the two must be now to be live: within their fastest particles' motion, twice, and what
// the constraints may add.
double reach_of(const RefreshContext& context, const ContactPair& pair, double motion) {
  return std::min(context.margin, double(pair.thickness)) + 2 * motion;
}
// Evaluations of the distance in a substep: the last place is near the new one.
constexpr int k_refresh_tries = 10;

double fastest(const Particles& particles, const Stencil& stencil) {
  Real most = 0;
  for (std::size_t n = 0; n < std::size_t(stencil.count); ++n) {
    const std::size_t p = std::size_t(stencil.particle[n]);
    most = std::max(most, length_sq(xyz(particles.d[p]) - xyz(particles.d_before[p])));
  }
  return std::sqrt(double(most));
}

// Where the triangle is nearest to the shape, or nothing where all of it is out of reach or a
// vertex is nearest.
bool nearest_on_triangle(const RefreshContext& context, const Deformable& body,
                         const RigidFrame& frame, const ContactPair& pair, double rigid_motion,
                         ContactSlot& slot, Stencil& stencil) {
  const Triangle& t = body.surface.triangles[std::size_t(slot.feature)];
  std::array<Vec3, 3> corner;
  double motion = rigid_motion;
  for (std::size_t n = 0; n < 3; ++n) {
    const Stencil vertex = vertex_stencil(body, t[n]);
    corner[n] = to_local(frame.pose, stencil_place(*context.particles, vertex, Moment::begin));
    motion = std::max(motion, rigid_motion + fastest(*context.particles, vertex));
  }
  const double reach = reach_of(context, pair, motion) + double(pair.thickness);
  std::array<double, 3> weights{double(slot.weights[0]), double(slot.weights[1]),
                                double(slot.weights[2])};
  if (least_on_triangle(frame.shape, corner, weights) > reach) return false;
  weights = deepest_on_triangle(frame.shape, corner, weights, k_refresh_tries);
  for (std::size_t n = 0; n < 3; ++n) slot.weights[n] = Real(weights[n]);
  if (*std::max_element(weights.begin(), weights.end()) > k_vertex_share) return false;
  stencil = triangle_stencil(body, slot.feature, weights);
  return true;
}

Meeting meet_rigid(const RefreshContext& context, const ContactPair& pair, ContactSlot& slot,
                   ParticleContact& contact) {
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  const std::size_t r = std::size_t(pair.rigid);
  const RigidFrame frame = rigid_frame(context, pair.rigid);
  const Transform now{context.rigid->position[r], context.rigid->rotation[r]};
  const BodyMotion& m = context.rigid->motion[r];
  const double rigid_motion =
      context.h * double(length(xyz(m.velocity))) +
      context.h * double(length(xyz(m.spin))) * (length(frame.shape.half) + frame.shape.radius);
  Stencil stencil;
  if (slot.kind == ContactKind::vertex_rigid)
    stencil = vertex_stencil(body, slot.feature);
  else if (!nearest_on_triangle(context, body, frame, pair, rigid_motion, slot, stencil))
    return {};
  const Vec3 p = stencil_place(*context.particles, stencil, Moment::begin);
  Vec3 gradient;
  const Vec3 local = to_local(frame.pose, p);
  const double distance = signed_distance(frame.shape, local, gradient);
  const double gap = distance - double(pair.thickness);
  if (gap > reach_of(context, pair, rigid_motion + fastest(*context.particles, stencil))) return {};
  put(contact, stencil, 1);
  contact.first_point = to_world(frame.pose, local - distance * gradient);
  if (pair.moves) {  // the rigid point nearest to p, before and after the substep's motion
    const Vec3 touching = local - distance * gradient;
    const Vec3 point_now = to_world(now, touching);
    contact.arm = cast<Real>(point_now - now.position);
    contact.rigid_motion = cast<Real>(point_now - to_world(frame.pose, touching));
  }
  return {cast<Real>(rotate(frame.pose.rotation, gradient)), Real(gap), true};
}

// Near side a of a vertex, relative to the vertex.
struct Nearest {
  std::int32_t candidate = -1;
  std::array<Real, 3> weights{};
  Vec3R away;         // from the nearest point to the vertex
  Vec3R face_normal;  // unit, of the nearest triangle
  Real distance = std::numeric_limits<Real>::max();
  Real facing = -1;  // |cosine| between the two
};

// Corners of a candidate relative to the vertex, at the beginning of the substep: differences of
// bases and of displacements are exact where the sum of both is not.
std::array<Vec3R, 3> corners(const RefreshContext& context, const Deformable& other,
                             const CandidateTriangle& candidate, std::int32_t particle,
                             const Vec3& vertex) {
  const Particles& x = *context.particles;
  std::array<Vec3R, 3> corner;
  for (std::size_t n = 0; n < 3; ++n) {
    if (particle >= 0) {
      const std::size_t p = std::size_t(candidate.particle[n]), q = std::size_t(particle);
      corner[n] = (xyz(x.base[p]) - xyz(x.base[q])) + (xyz(x.d_before[p]) - xyz(x.d_before[q]));
    } else {
      const std::int32_t v = other.surface.triangles[std::size_t(candidate.triangle)][n];
      corner[n] = cast<Real>(stencil_place(x, vertex_stencil(other, v), Moment::begin) - vertex);
    }
  }
  return corner;
}

void try_candidate(const std::array<Vec3R, 3>& corner, std::int32_t candidate, Nearest& best) {
  const auto w = closest_on_triangle(Vec3R{}, corner[0], corner[1], corner[2]);
  const Vec3R away = -(corner[0] * w[0] + corner[1] * w[1] + corner[2] * w[2]);
  const Real distance = length(away);
  // Triangles that share the nearest edge or corner tie: the one that faces the vertex most knows
  // its side.
  const Real tie = 16 * std::numeric_limits<Real>::epsilon() * (distance + length(corner[0]));
  if (distance > best.distance + tie) return;
  const Vec3R normal = normalized(cross(corner[1] - corner[0], corner[2] - corner[0]));
  const Real facing = distance > 0 ? std::abs(dot(normal, away)) / distance : 1;
  if (distance > best.distance - tie && facing <= best.facing) return;
  best = {candidate, w, away, normal, distance, facing};
}

// The candidate that was nearest is looked at first: while the vertex is above its inside, its
// neighbours are further away.
Nearest nearest_triangle(const RefreshContext& context, const Deformable& body,
                         const Deformable& other, std::span<const CandidateTriangle> candidates,
                         const ContactSlot& slot) {
  const bool direct = body.surface.direct && other.surface.direct;
  const Stencil vertex = vertex_stencil(body, slot.feature);
  const std::int32_t particle = direct ? vertex.particle[0] : -1;
  const Vec3 place = direct ? Vec3{} : stencil_place(*context.particles, vertex, Moment::begin);
  Nearest best;
  if (slot.nearest >= 0) {
    const CandidateTriangle& c = candidates[std::size_t(slot.nearest)];
    try_candidate(corners(context, other, c, particle, place), slot.nearest, best);
    if (best.weights[0] > 0 && best.weights[1] > 0 && best.weights[2] > 0) return best;
    best = {};
  }
  for (std::size_t n = 0; n < candidates.size(); ++n)
    try_candidate(corners(context, other, candidates[n], particle, place), std::int32_t(n), best);
  return best;
}

// 1 where the vertex is on the side where it belongs, -1 where it has come through: outside of a
// closed obstacle; of an open one where it was when the two met. Beyond its rim there is no side.
Real side_of(const Deformable& other, const Nearest& nearest, ContactSlot& slot) {
  const bool above = dot(nearest.away, nearest.face_normal) >= 0;
  if (other.surface.closed) return above ? 1 : -1;
  constexpr Real k_clear = Real(0.3);  // cosine
  if (nearest.facing < k_clear) slot.side = 0;
  if (slot.side == 0) slot.side = above ? 1 : -1;
  return above == (slot.side > 0) ? 1 : -1;
}

Meeting meet_deformable(const RefreshContext& context, const ContactSlots& slots,
                        const ContactPair& pair, ContactSlot& slot, ParticleContact& contact) {
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  const Deformable& other = context.bodies[std::size_t(pair.other)];
  const auto candidates =
      std::span(slots.candidates).subspan(std::size_t(slot.first), std::size_t(slot.count));
  const Nearest nearest = nearest_triangle(context, body, other, candidates, slot);
  slot.nearest = nearest.candidate;
  const CandidateTriangle& candidate = candidates[std::size_t(nearest.candidate)];
  const Stencil vertex = vertex_stencil(body, slot.feature);
  const Stencil triangle = triangle_stencil(
      other, candidate.triangle,
      {double(nearest.weights[0]), double(nearest.weights[1]), double(nearest.weights[2])});
  const double motion = fastest(*context.particles, vertex) + fastest(*context.particles, triangle);
  if (double(nearest.distance - pair.thickness) > reach_of(context, pair, motion)) return {};
  const Real side = side_of(other, nearest, slot);
  const Vec3R normal = nearest.distance > Real(1e-9) ? nearest.away * (side / nearest.distance)
                                                     : nearest.face_normal * side;
  put(contact, vertex, 1);
  put(contact, triangle, -1);
  const Real gap = side * nearest.distance - pair.thickness;
  // Deeper than a cell the nearest triangle says nothing about which way is out; of an open sheet
  // the side is remembered.
  const double deepest = (other.surface.closed ? 1 : 4) * std::min(body.cell, other.cell);
  if (double(gap) < -deepest) return {};
  return {normal, gap, true};
}

// Motion of the two contact points towards each other over the substep, as predicted.
Vec3R relative_motion(const Particles& particles, const ParticleContact& contact) {
  Vec3R sum = -contact.rigid_motion;
  for (std::size_t n = 0; n < std::size_t(contact.particles); ++n) {
    const std::size_t p = std::size_t(contact.particle[n]);
    sum += contact.weight[n] * (xyz(particles.d[p]) - xyz(particles.d_before[p]));
  }
  return sum;
}

void set_limits(const RefreshContext& context, Real gap, ParticleContact& contact) {
  // Of an overlap that is there already, at most push_speed * h is removed, without becoming
  // velocity.
  const Real push = gap < 0 ? std::min(-gap, Real(context.push_speed * context.h)) : 0;
  contact.target = gap < 0 ? gap + push : 0;
  contact.push = push;
  const Real closing = dot(contact.normal, relative_motion(*context.particles, contact));
  contact.approach = closing / Real(context.h);
  contact.gap = gap;
  // gap(d) = gap + n . (motion(d) - rigid shift): the offset makes it a function of d itself.
  Real at_begin = 0;
  for (std::size_t n = 0; n < std::size_t(contact.particles); ++n)
    at_begin +=
        contact.weight[n] *
        dot(contact.normal, xyz(context.particles->d_before[std::size_t(contact.particle[n])]));
  contact.offset = gap - at_begin - dot(contact.normal, contact.rigid_motion);
}

Real weighted_displacement(const Particles& particles, const ParticleContact& contact) {
  Real sum = 0;
  for (std::size_t n = 0; n < std::size_t(contact.particles); ++n)
    sum +=
        contact.weight[n] * dot(contact.normal, xyz(particles.d[std::size_t(contact.particle[n])]));
  return sum;
}

// Whether the triangle may have turned enough in this substep to matter.
bool moves_much(const RefreshContext& context, const Deformable& body, const ContactPair& pair,
                const ContactSlot& slot, const ParticleContact& contact) {
  const Triangle& t = body.surface.triangles[std::size_t(slot.feature)];
  double motion = 0;
  for (const std::int32_t v : t)
    motion = std::max(motion, fastest(*context.particles, vertex_stencil(body, v)));
  return motion + double(length(contact.rigid_motion)) > 0.25 * double(pair.thickness);
}

}  // namespace

TriangleMeeting meet_triangle(const ShapeNumbers<Real>& numbers, const Transform& pose,
                              const std::array<Vec3, 3>& corners,
                              const std::array<Real, 3>& start) {
  const ShapeNumbers<double> shape{numbers.kind, cast<double>(numbers.half),
                                   double(numbers.radius)};
  std::array<Vec3, 3> local;
  for (std::size_t n = 0; n < 3; ++n) local[n] = to_local(pose, corners[n]);
  TriangleMeeting m;
  m.weights = deepest_on_triangle(
      shape, local, {double(start[0]), double(start[1]), double(start[2])}, k_refresh_tries);
  const Vec3 p = local[0] * m.weights[0] + local[1] * m.weights[1] + local[2] * m.weights[2];
  Vec3 gradient;
  m.distance = signed_distance(shape, p, gradient);
  m.touching = p - m.distance * gradient;
  m.normal = cast<Real>(rotate(pose.rotation, gradient));
  return m;
}

TriangleMeeting meet_plane(const Transform& before, const Transform& now, bool closed,
                           const std::array<Vec3, 3>& corners_before,
                           const std::array<Vec3, 3>& corners, const ParticleContact& contact,
                           double distance_before) {
  TriangleMeeting m;
  m.touching = to_local(before, contact.first_point);
  m.normal = contact.first_normal;
  const Vec3 point = to_world(now, m.touching), normal = cast<double>(contact.first_normal);
  m.distance = std::numeric_limits<double>::max();
  for (std::size_t n = 0; n < 3; ++n) {
    const double height_before = dot(normal, corners_before[n] - contact.first_point);
    const double beyond = closed ? std::max(0.0, distance_before - height_before) : 0;
    const double height = dot(normal, corners[n] - point) + beyond;
    if (height >= m.distance) continue;
    m.distance = height;
    m.weights = {double(n == 0), double(n == 1), double(n == 2)};
  }
  return m;
}

void aim_contact(const RefreshContext& context, const ContactSlots& slots,
                 std::span<const RigidPush> pushes, const ContactSlot& slot,
                 ParticleContact& contact) {
  const ContactPair& pair = slots.pairs[std::size_t(slot.pair)];
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  if (slot.kind != ContactKind::triangle_rigid || !body.surface.direct) return;
  contact.turns = contact.turns || moves_much(context, body, pair, slot, contact);
  if (!contact.turns) return;
  const std::size_t r = std::size_t(pair.rigid);
  const RigidFrame frame = rigid_frame(context, pair.rigid);
  const Transform predicted{context.rigid->position[r], context.rigid->rotation[r]};
  const RigidPush& push = pushes[r];
  const Transform now{predicted.position + cast<double>(push.moved),
                      normalized(exp_quat(0.5 * cast<double>(push.turned)) * predicted.rotation)};
  const Triangle& t = body.surface.triangles[std::size_t(slot.feature)];
  std::array<Vec3, 3> corner, corner_before;
  for (std::size_t n = 0; n < 3; ++n) {
    const Stencil vertex = vertex_stencil(body, t[n]);
    corner[n] = stencil_place(*context.particles, vertex, Moment::now);
    corner_before[n] = stencil_place(*context.particles, vertex, Moment::begin);
  }
  TriangleMeeting nearest = meet_triangle(context.rigid->shape[r], now, corner, slot.weights);
  if (dot(nearest.normal, contact.first_normal) < k_same_side) {
    nearest = meet_plane(frame.pose, now, body.surface.closed, corner_before, corner, contact,
                         double(contact.gap + pair.thickness));
    if (nearest.distance > double(pair.thickness)) return;
  }
  const Vec3R normal = nearest.normal;
  contact.particles = 0;
  put(contact, triangle_stencil(body, slot.feature, nearest.weights), 1);
  contact.normal = normal;
  Real pushed = 0;
  if (pair.moves) {
    const Vec3 point = to_world(predicted, nearest.touching);
    contact.arm = cast<Real>(point - predicted.position);
    contact.rigid_motion = cast<Real>(point - to_world(frame.pose, nearest.touching));
    pushed = dot(normal, push.moved + cross(push.turned, contact.arm));
  }
  contact.offset = Real(nearest.distance) - pair.thickness -
                   weighted_displacement(*context.particles, contact) + pushed;
}

bool refresh_contact(const RefreshContext& context, const ContactSlots& slots, ContactSlot& slot,
                     ParticleContact& contact) {
  const ContactPair& pair = slots.pairs[std::size_t(slot.pair)];
  contact = {};
  const Meeting meeting = pair.rigid >= 0 ? meet_rigid(context, pair, slot, contact)
                                          : meet_deformable(context, slots, pair, slot, contact);
  if (!meeting.found) return false;
  contact.pair = slot.pair;
  contact.rigid = pair.dynamic ? pair.rigid : -1;
  contact.normal = contact.first_normal = meeting.normal;
  contact.friction_static = pair.friction_static;
  contact.friction_kinetic = pair.friction_kinetic;
  set_limits(context, meeting.gap, contact);
  return true;
}

}  // namespace pliant
