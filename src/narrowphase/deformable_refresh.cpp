// The refresh of slots: vertices against rigid shapes and against triangles, and what that of
// triangles against rigid shapes shares with it.
#include <cmath>
#include <limits>

#include "geometry/closest_point.h"
#include "narrowphase/refresh_parts.h"

namespace pliant {

RigidFrame rigid_frame(const RefreshContext& context, std::int32_t rigid) {
  const std::size_t r = std::size_t(rigid);
  const BodyBase& before = context.rigid_before[r];
  const ShapeNumbers<Real>& s = context.rigid->shape[r];
  const BodyMotion& m = context.rigid->motion[r];
  const Vec3 half = cast<double>(s.half);
  const double speed = double(length(xyz(m.velocity))) +
                       double(length(xyz(m.spin))) * (length(half) + double(s.radius));
  return {widen_numbers(s),
          {before.position, before.rotation},
          {context.rigid->position[r], context.rigid->rotation[r]},
          context.h * speed};
}

double fastest(const Particles& particles, const Stencil& stencil) {
  Real most = 0;
  for (std::size_t n = 0; n < std::size_t(stencil.count); ++n) {
    const std::size_t p = std::size_t(stencil.particle[n]);
    most = std::max(most, length_sq(xyz(particles.d[p]) - xyz(particles.d_before[p])));
  }
  return std::sqrt(double(most));
}

Vec3 face_normal(const RefreshContext& context, const Deformable& body, std::int32_t triangle) {
  std::array<Vec3, 3> corner;
  for (std::size_t n = 0; n < 3; ++n) {
    const std::int32_t v = body.surface.triangles[std::size_t(triangle)][n];
    corner[n] = stencil_place(*context.particles, vertex_stencil(body, v), Moment::begin);
  }
  return normalized(cross(corner[1] - corner[0], corner[2] - corner[0]));
}

// Cosine between a direction and a surface; below it they tell no side.
constexpr double k_clear = 0.3;
// Cells: an open surface that is nearer to a vertex of a solid when the two meet, and on its inner
// side, began in the solid.
constexpr double k_began_inside = 0.25;

Vec3 vertex_normal(const RefreshContext& context, const Deformable& body, std::int32_t vertex) {
  const DeformableSurface& surface = body.surface;
  const std::size_t v = std::size_t(vertex);
  Vec3 sum;
  for (std::int32_t n = surface.ring_begin[v]; n < surface.ring_begin[v + 1]; ++n)
    sum += face_normal(context, body, surface.ring[std::size_t(n)]);
  return normalized(sum);
}

bool went_through(const RefreshContext& context, const ContactPair& pair, std::int32_t vertex,
                  std::span<const std::int32_t> solid_vertices, const Vec3& normal) {
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  const Deformable& solid = context.bodies[std::size_t(pair.other)];
  if (body.surface.closed) return false;
  std::int32_t side = 0;
  for (const std::int32_t v : solid_vertices)
    side += find_side(context.sides, pair.key, solid.key, v);
  if (side == 0) return false;
  return dot(normal, vertex_normal(context, body, vertex)) * side > k_clear * std::abs(side);
}

void put(ParticleContact& contact, const Stencil& stencil, Real sign) {
  for (int n = 0; n < stencil.count; ++n) {
    const std::size_t at = std::size_t(contact.particles++);
    contact.particle[at] = stencil.particle[std::size_t(n)];
    contact.weight[at] = sign * stencil.weight[std::size_t(n)];
  }
}

void choose_face(const ShapeNumbers<double>& shape, const Vec3& local, const Vec3& across,
                 double tolerance, double& distance, Vec3& gradient) {
  if (shape.kind != ShapeKind::box || distance >= 0) return;
  const double deepest = distance - tolerance;
  double best = 0;
  for (int n = 0; n < 3; ++n) {
    const double depth = std::abs(local[n]) - shape.half[n], along = std::abs(across[n]);
    if (depth < deepest || along <= best) continue;
    best = along;
    distance = depth;
    gradient = {};
    gradient[n] = local[n] < 0 ? -1 : 1;
  }
}

Meeting meet_rigid(const RefreshContext& context, const ContactPair& pair, const RigidFrame& frame,
                   const Stencil& stencil, const Vec3& across, ParticleContact& contact) {
  const Vec3 p = stencil_place(*context.particles, stencil, Moment::begin);
  Vec3 gradient;
  const Vec3 local = to_local(frame.pose, p);
  double distance = signed_distance(frame.shape, local, gradient);
  choose_face(frame.shape, local, across, double(pair.thickness), distance, gradient);
  const double gap = distance - double(pair.thickness);
  const double motion = frame.motion + fastest(*context.particles, stencil);
  if (gap > reach_of(context, pair, motion)) return {};
  put(contact, stencil, 1);
  // The rigid point nearest to p, before and after the substep's motion.
  const Vec3 touching = local - distance * gradient;
  contact.first_point = to_world(frame.pose, touching);
  if (pair.moves) {
    const Vec3 point_now = to_world(frame.now, touching);
    contact.arm = cast<Real>(point_now - frame.now.position);
    contact.rigid_motion = cast<Real>(point_now - contact.first_point);
  }
  return {cast<Real>(rotate(frame.pose.rotation, gradient)), Real(gap), true};
}

namespace {

// Near side a of a vertex, relative to the vertex.
struct Nearest {
  std::int32_t candidate = -1;
  std::array<Real, 3> weights{};
  Vec3R away;         // from the nearest point to the vertex
  Vec3R face_normal;  // unit, of the nearest triangle
  Real distance = std::numeric_limits<Real>::max();
  Real facing = -1;  // |cosine| between the two
};

// Cells: what is deeper in its own solid may belong there, where the solid is pressed together.
constexpr double k_deepest_self = 0.25;

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

// Whether an open surface is inside the solid whose vertex meets it for the first time: then it has
// to come out past that vertex.
bool began_inside(const RefreshContext& context, const Deformable& body, const Nearest& nearest,
                  std::int32_t vertex) {
  if (!body.surface.closed || double(nearest.distance) > k_began_inside * body.cell) return false;
  const Vec3 outward = vertex_normal(context, body, vertex);
  return dot(outward, cast<double>(nearest.away)) > k_clear * double(nearest.distance);
}

// 1 where the vertex is on the side where it belongs, -1 where it has come through: outside of a
// closed obstacle; of an open one where it was when the two met. Beyond its rim there is no side.
Real side_of(const RefreshContext& context, const Deformable& body, const Deformable& other,
             const Nearest& nearest, ContactSlot& slot) {
  const bool above = dot(nearest.away, nearest.face_normal) >= 0;
  if (other.surface.closed) return above ? 1 : -1;
  if (nearest.facing < Real(k_clear)) slot.side = 0;
  if (slot.side == 0)
    slot.side = above == began_inside(context, body, nearest, slot.feature) ? -1 : 1;
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
  const bool far = double(nearest.distance - pair.thickness) > reach_of(context, pair, motion);
  // Inside a closed one nothing is far.
  if (far && !(other.surface.closed && dot(nearest.away, nearest.face_normal) < 0)) return {};
  const Real side = side_of(context, body, other, nearest, slot);
  const Vec3R normal = nearest.distance > Real(1e-9) ? nearest.away * (side / nearest.distance)
                                                     : nearest.face_normal * side;
  put(contact, vertex, 1);
  put(contact, triangle, -1);
  const Real gap = side * nearest.distance - pair.thickness;
  // Deeper than a cell the nearest triangle says nothing about which way is out; of an open sheet
  // the side is remembered.
  const double cells = pair.body == pair.other ? k_deepest_self : other.surface.closed ? 1 : 4;
  const double deepest = cells * std::min(body.cell, other.cell);
  if (double(gap) < -deepest) return {};
  const bool inside = other.surface.closed && side < 0;
  const Triangle& t = other.surface.triangles[std::size_t(candidate.triangle)];
  if (inside && went_through(context, pair, slot.feature, t, cast<double>(normal))) return {};
  return {normal, gap, true};
}

// Velocity of the two contact points against each other before anything has acted on them in this
// substep but forces: what a body's own constraints do to its points is no approach, or a body that
// lies still and is pressed flat a little by every substep would bounce for ever.
Vec3R relative_velocity(const RefreshContext& context, const ParticleContact& contact) {
  Vec3R sum = contact.rigid_motion * Real(-1 / context.h);
  for (std::size_t n = 0; n < std::size_t(contact.particles); ++n)
    sum += contact.weight[n] * xyz(context.particles->velocity[std::size_t(contact.particle[n])]);
  return sum;
}

void set_limits(const RefreshContext& context, Real gap, Real allowed, ParticleContact& contact) {
  // Of an overlap that is there already, at most push_speed * h is removed, without becoming
  // velocity.
  const Real over = std::min(gap + allowed, Real(0));
  const Real push = std::min(-over, Real(context.push_speed * context.h));
  contact.target = over + push - allowed;
  contact.push = push;
  contact.approach = dot(contact.normal, relative_velocity(context, contact));
  contact.gap = gap;
  // gap(d) = gap + n . (motion(d) - rigid shift): the offset makes it a function of d itself.
  Real at_begin = 0;
  for (std::size_t n = 0; n < std::size_t(contact.particles); ++n)
    at_begin +=
        contact.weight[n] *
        dot(contact.normal, xyz(context.particles->d_before[std::size_t(contact.particle[n])]));
  contact.offset = gap - at_begin - dot(contact.normal, contact.rigid_motion);
}

}  // namespace

void finish_contact(const RefreshContext& context, std::int32_t index, const ContactPair& pair,
                    const Meeting& meeting, Real allowed, ParticleContact& contact) {
  contact.pair = index;
  contact.rigid = pair.dynamic ? pair.rigid : -1;
  contact.on_rigid = pair.rigid >= 0;
  contact.normal = contact.first_normal = meeting.normal;
  contact.friction_static = pair.friction_static;
  contact.friction_kinetic = pair.friction_kinetic;
  set_limits(context, meeting.gap, allowed, contact);
}

bool refresh_vertex(const RefreshContext& context, const ContactSlots& slots, ContactSlot& slot,
                    ParticleContact& contact) {
  const ContactPair& pair = slots.pairs[std::size_t(slot.pair)];
  contact = {};
  Meeting meeting;
  if (pair.rigid >= 0) {
    const Deformable& body = context.bodies[std::size_t(pair.body)];
    meeting = meet_rigid(context, pair, rigid_frame(context, pair.rigid),
                         vertex_stencil(body, slot.feature), Vec3{}, contact);
  } else {
    meeting = meet_deformable(context, slots, pair, slot, contact);
  }
  if (meeting.found) finish_contact(context, slot.pair, pair, meeting, 0, contact);
  return meeting.found;
}

}  // namespace pliant
