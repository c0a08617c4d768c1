// The refresh of triangles against rigid shapes: where they are nearest is found eight at a time,
// the few that are live are then taken one by one.
#include <cmath>
#include <limits>

#include "narrowphase/nearest_wide.h"
#include "narrowphase/refresh_parts.h"
#include "narrowphase/shape_distance_wide.h"

#include "math/trig.h"

namespace pliant {
namespace {

// Which of the weights of a triangle contact may be greatest: nearer to a corner than this, the
// vertex' own contact has it.
constexpr Real k_vertex_share = Real(0.98);
// Thicknesses that the inside may be nearer than the corners, which so carry by themselves what
// lies flat: with more contacts than it needs it would creep.
constexpr Real k_inside_slack = Real(0.05);
// The last place is near the new one.
constexpr Descent k_refresh{5, true};
// Within a substep the triangle may be far inside, where the distance has creases: there small
// steps keep to the side where it came in.
constexpr Descent k_aim{10, false};

// A rigid pose as eight lanes need it: relative to a point that single precision has exactly, so
// that large coordinates cancel without loss.
struct PoseW {
  FrameW frame;
  Vec3R near, rest;  // m: position = near + rest
};
// What single precision leaves over. Without volatile g++ 12, vectorising all three at once, takes
// double(float(x)) for x, and the bits differ from those of other builds.
Real rest_of(double x) {
  const volatile Real near = Real(x);
  return Real(x - double(near));
}
PoseW make_pose(const Transform& pose) {
  const Vec3& p = pose.position;
  return {make_frame(pose.rotation), cast<Real>(p), {rest_of(p.x), rest_of(p.y), rest_of(p.z)}};
}
Vec3W minus(const Vec3W& v, const Vec3R& s) { return {v.x - s.x, v.y - s.y, v.z - s.z}; }

// Up to eight slots of one pair; the lanes beyond repeat the last.
struct SlotsW {
  std::array<std::int32_t, k_lanes> slot{};
  int count = 0;
};

struct CornersW {
  TrianglesW local;  // in the shape's frame
  RealW moved{};     // m, squared, the longest way of a corner in this substep
};

// One particle of each lane's corner.
struct CarriersW {
  Lanes particle{};
  RealW weight{};
};
CarriersW carriers(const Deformable& body, const ContactSlots& slots, const SlotsW& lanes,
                   std::size_t corner, std::size_t n) {
  CarriersW c;
  for (int k = 0; k < k_lanes; ++k) {
    const std::size_t s = std::size_t(lanes.slot[std::size_t(std::min(k, lanes.count - 1))]);
    const Triangle& t = body.surface.triangles[std::size_t(slots.slots[s].feature)];
    const SurfaceVertex& v = body.surface.vertices[std::size_t(t[corner])];
    c.particle[std::size_t(k)] = body.begin + v.particle[n];
    c.weight[k] = v.weight[n];
  }
  return c;
}

CornersW load_corners(const RefreshContext& context, const Deformable& body,
                      const ContactSlots& slots, const SlotsW& lanes, const PoseW& pose,
                      Moment moment) {
  const Particles& x = *context.particles;
  CornersW result;
  const RealW zero = splat(0);
  for (std::size_t corner = 0; corner < 3; ++corner) {
    Vec3W from{zero, zero, zero}, way{zero, zero, zero};
    for (std::size_t n = 0; n < (body.surface.direct ? 1u : 4u); ++n) {
      const CarriersW c = carriers(body, slots, lanes, corner, n);
      const Vec3W base = gather(x.base.data(), c.particle.data()).xyz();
      const Vec3W before = gather(x.d_before.data(), c.particle.data()).xyz();
      const Vec3W now = gather(x.d.data(), c.particle.data()).xyz();
      const Vec3W place = minus(base, pose.near) + (moment == Moment::now ? now : before);
      from = body.surface.direct ? place : from + place * c.weight;
      way = body.surface.direct ? now - before : way + (now - before) * c.weight;
    }
    result.local.corner[corner] = to_local(pose.frame, minus(from, pose.rest));
    result.moved = max(result.moved, dot(way, way));
  }
  return result;
}

WeightsW load_weights(const ContactSlots& slots, const SlotsW& lanes) {
  WeightsW w;
  for (int k = 0; k < k_lanes; ++k) {
    const std::size_t s = std::size_t(lanes.slot[std::size_t(std::min(k, lanes.count - 1))]);
    for (std::size_t n = 0; n < 3; ++n) w.of[n][k] = slots.slots[s].weights[n];
  }
  return w;
}

std::array<double, 3> lane_weights(const WeightsW& w, int k) {
  return {double(w.of[0][k]), double(w.of[1][k]), double(w.of[2][k])};
}

// m, the way of a rigid body's fastest point from its base to the beginning of the substep.
double way_between(const BodyBase& base, const RigidFrame& frame) {
  const Quat turn = frame.pose.rotation * conjugate(base.rotation);
  const double half_angle = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  return length(frame.pose.position - base.position) +
         2.5 * half_angle * (length(frame.shape.half) + frame.shape.radius);
}

Vec3 lane_of(const Vec3W& v, int k) { return {double(v.x[k]), double(v.y[k]), double(v.z[k])}; }
Vec3W across_of(const TrianglesW& t) {
  return cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
}

void refresh_eight(const RefreshContext& context, ContactSlots& slots, const ContactPair& pair,
                   const RigidFrame& frame, const PoseW& pose, const SlotsW& lanes) {
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  const CornersW corners = load_corners(context, body, slots, lanes, pose, Moment::begin);
  const RealW motion = splat(Real(frame.motion)) + sqrt(corners.moved);
  const RealW reach = Real(reach_of(context, pair, 0) + double(pair.thickness)) + Real(2) * motion;
  const NearestW at =
      nearest_on_triangles(context.rigid->shape[std::size_t(pair.rigid)], corners.local,
                           load_weights(slots, lanes), reach, k_refresh);
  const Vec3W across = across_of(corners.local);
  const RealW greatest = max(at.weights.of[0], max(at.weights.of[1], at.weights.of[2]));
  const unsigned live = lane_bits((at.distance <= reach) & (greatest <= k_vertex_share));
  for (int k = 0; k < lanes.count; ++k) {
    const std::size_t s = std::size_t(lanes.slot[std::size_t(k)]);
    ContactSlot& slot = slots.slots[s];
    for (std::size_t n = 0; n < 3; ++n) slot.weights[n] = at.weights.of[n][k];
    if ((live >> k & 1) == 0) continue;
    ParticleContact& contact = slots.contacts[s];
    contact = {};
    const Stencil stencil = triangle_stencil(body, slot.feature, lane_weights(at.weights, k));
    const Meeting meeting = meet_rigid(context, pair, frame, stencil, lane_of(across, k), contact);
    if (!meeting.found) continue;
    finish_contact(context, slot.pair, pair, meeting, k_inside_slack * pair.thickness, contact);
    slots.live[s] = 1;
  }
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

// A rigid side with what contacts have done to it.
struct PushedFrame {
  RigidFrame frame;
  RigidPush push;
  Transform now;
};
PushedFrame pushed_frame(const RefreshContext& context, const RigidPush& push, std::int32_t rigid) {
  const RigidFrame frame = rigid_frame(context, rigid);
  const Transform now{frame.now.position + cast<double>(push.moved),
                      normalized(exp_quat(0.5 * cast<double>(push.turned)) * frame.now.rotation)};
  return {frame, push, now};
}

std::array<Vec3, 3> corners_at(const RefreshContext& context, const Deformable& body,
                               const ContactSlot& slot, Moment moment) {
  const Triangle& t = body.surface.triangles[std::size_t(slot.feature)];
  std::array<Vec3, 3> corner;
  for (std::size_t n = 0; n < 3; ++n)
    corner[n] = stencil_place(*context.particles, vertex_stencil(body, t[n]), moment);
  return corner;
}

void aim_contact(const RefreshContext& context, const ContactPair& pair, const PushedFrame& side,
                 const ContactSlot& slot, TriangleMeeting nearest, ParticleContact& contact) {
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  if (dot(nearest.normal, contact.first_normal) < k_same_side) {
    nearest = meet_plane(side.frame.pose, side.now, body.surface.closed,
                         corners_at(context, body, slot, Moment::begin),
                         corners_at(context, body, slot, Moment::now), contact,
                         double(contact.gap + pair.thickness));
    if (nearest.distance > double(pair.thickness)) return;
  }
  contact.particles = 0;
  put(contact, triangle_stencil(body, slot.feature, nearest.weights), 1);
  contact.normal = nearest.normal;
  Real pushed = 0;
  if (pair.moves) {
    const Vec3 point = to_world(side.frame.now, nearest.touching);
    contact.arm = cast<Real>(point - side.frame.now.position);
    contact.rigid_motion = cast<Real>(point - to_world(side.frame.pose, nearest.touching));
    pushed = dot(contact.normal, side.push.moved + cross(side.push.turned, contact.arm));
  }
  contact.offset = Real(nearest.distance) - pair.thickness -
                   weighted_displacement(*context.particles, contact) + pushed;
}

void aim_eight(const RefreshContext& context, ContactSlots& slots, const ContactPair& pair,
               const PushedFrame& side, const PoseW& pose, const SlotsW& lanes) {
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  const CornersW corners = load_corners(context, body, slots, lanes, pose, Moment::now);
  const NearestW at = nearest_on_triangles(context.rigid->shape[std::size_t(pair.rigid)],
                                           corners.local, load_weights(slots, lanes),
                                           splat(std::numeric_limits<Real>::max()), k_aim);
  const Vec3W point = point_of(corners.local, at.weights), across = across_of(corners.local);
  for (int k = 0; k < lanes.count; ++k) {
    const std::size_t s = std::size_t(lanes.slot[std::size_t(k)]);
    const Vec3 local = lane_of(point, k);
    double distance = double(at.distance[k]);
    Vec3 gradient = lane_of(at.gradient, k);
    // What is open has no inside to be found in later: there the side where it came in is strict.
    if (body.surface.closed)
      choose_face(side.frame.shape, local, lane_of(across, k), double(pair.thickness), distance,
                  gradient);
    const TriangleMeeting nearest{lane_weights(at.weights, k), local - distance * gradient,
                                  cast<Real>(rotate(side.now.rotation, gradient)), distance};
    aim_contact(context, pair, side, slots.slots[s], nearest, slots.contacts[s]);
  }
}

}  // namespace

TriangleMeeting meet_triangle(const ShapeNumbers<Real>& shape, const Transform& pose,
                              const std::array<Vec3, 3>& corners,
                              const std::array<Real, 3>& start) {
  TrianglesW t;
  WeightsW w;
  for (std::size_t n = 0; n < 3; ++n) {
    const Vec3R local = cast<Real>(to_local(pose, corners[n]));
    t.corner[n] = {splat(local.x), splat(local.y), splat(local.z)};
    w.of[n] = splat(start[n]);
  }
  const NearestW at =
      nearest_on_triangles(shape, t, w, splat(std::numeric_limits<Real>::max()), k_aim);
  const Vec3W touching = point_of(t, at.weights) - at.gradient * at.distance;
  const Vec3 gradient{double(at.gradient.x[0]), double(at.gradient.y[0]), double(at.gradient.z[0])};
  return {lane_weights(at.weights, 0),
          {double(touching.x[0]), double(touching.y[0]), double(touching.z[0])},
          cast<Real>(rotate(pose.rotation, gradient)),
          double(at.distance[0])};
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

BodyWay measure_way(const Particles& particles, const Deformable& body) {
  Real4V displaced{}, moved{};
  const auto square = [](Real4V v) {
    const Real4V xyz{1, 1, 1, 0};
    return v * v * xyz;
  };
  // Along each axis by itself: no square root and no sum for each particle.
  for (std::size_t p = std::size_t(body.begin);
       p < std::size_t(body.begin) + std::size_t(body.count); ++p) {
    const Real4V before = load4(&particles.d_before[p]);
    const Real4V far = square(before), way = square(load4(&particles.d[p]) - before);
    displaced = displaced > far ? displaced : far;
    moved = moved > way ? moved : way;
  }
  const auto size = [](Real4V v) { return std::sqrt(v[0] + v[1] + v[2]); };
  return {size(displaced), size(moved)};
}

void refresh_triangles(const RefreshContext& context, ContactSlots& slots, const BodyWay& way,
                       std::int32_t begin, std::int32_t end) {
  const ContactPair& pair = slots.pairs[std::size_t(slots.slots[std::size_t(begin)].pair)];
  const RigidFrame frame = rigid_frame(context, pair.rigid);
  const PoseW pose = make_pose(frame.pose);
  const double rigid_way = way_between(context.rigid->base[std::size_t(pair.rigid)], frame);
  const Real far = Real(reach_of(context, pair, frame.motion + double(way.moved)) +
                        double(pair.thickness) + double(way.displaced) + rigid_way);
  SlotsW lanes;
  for (std::int32_t s = begin; s < end; ++s) {
    slots.live[std::size_t(s)] = 0;
    if (slots.slots[std::size_t(s)].clear > far) continue;
    lanes.slot[std::size_t(lanes.count++)] = s;
    if (lanes.count < k_lanes) continue;
    refresh_eight(context, slots, pair, frame, pose, lanes);
    lanes.count = 0;
  }
  if (lanes.count > 0) refresh_eight(context, slots, pair, frame, pose, lanes);
}

void aim_triangles(const RefreshContext& context, ContactSlots& slots,
                   std::span<const RigidPush> pushes, std::int32_t begin, std::int32_t end) {
  const ContactPair& pair = slots.pairs[std::size_t(slots.slots[std::size_t(begin)].pair)];
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  if (!body.surface.direct || !pair.swept) return;
  const PushedFrame side = pushed_frame(context, pushes[std::size_t(pair.rigid)], pair.rigid);
  const PoseW pose = make_pose(side.now);
  SlotsW lanes;
  for (std::int32_t s = begin; s < end; ++s) {
    if (!slots.live[std::size_t(s)]) continue;
    ParticleContact& c = slots.contacts[std::size_t(s)];
    c.turns = c.turns || moves_much(context, body, pair, slots.slots[std::size_t(s)], c);
    if (!c.turns) continue;
    lanes.slot[std::size_t(lanes.count++)] = s;
    if (lanes.count < k_lanes) continue;
    aim_eight(context, slots, pair, side, pose, lanes);
    lanes.count = 0;
  }
  if (lanes.count > 0) aim_eight(context, slots, pair, side, pose, lanes);
}

}  // namespace pliant
