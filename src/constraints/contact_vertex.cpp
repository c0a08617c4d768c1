#include "constraints/contact_vertex.h"

#include <algorithm>
#include <bit>

#include "constraints/guards.h"

namespace pliant {
namespace {

Vec3W splat3(const Vec3R& v) { return {splat(v.x), splat(v.y), splat(v.z)}; }
Vec3R lane(const Vec3W& v, int k) { return {v.x[k], v.y[k], v.z[k]}; }

Vec3W apply_inverse_inertia(const BodyMotion& m, const Vec3W& v) {
  const Vec4 &a = m.inverse_first, &b = m.inverse_second;
  return {a.x * v.x + a.y * v.y + a.z * v.z, a.y * v.x + a.w * v.y + b.x * v.z,
          a.z * v.x + b.x * v.y + b.y * v.z};
}

// 1/m + (r x n) . I^-1 (r x n), times the number of parts that the body's mass is split into.
RealW rigid_weight(const BodyMotion& m, Real split, const Vec3W& arm, const Vec3W& axis) {
  const Vec3W rn = cross(arm, axis);
  return split * (m.velocity.w + dot(rn, apply_inverse_inertia(m, rn)));
}

// What the rigid side brings into the equation; nothing of it where it is not dynamic.
struct RigidSide {
  const BodyMotion* motion = nullptr;
  Real split = 0;
  Vec3W shift{};  // m, of the contact points
};

RigidSide rigid_side(const ContactPair& pair, const VertexBatch& b,
                     std::span<const BodyMotion> rigid, std::span<const RigidPush> pushes) {
  if (!pair.dynamic) return {};
  const RigidPush& push = pushes[std::size_t(pair.rigid)];
  return {&rigid[std::size_t(pair.rigid)], Real(std::max(1, push.contacts)),
          splat3(push.moved) + cross(splat3(push.turned), b.arm)};
}

struct PlacesW {
  Vec4W d, before;
};

void move(Vec4W& x, const Vec3W& step) {
  x.x += step.x;
  x.y += step.y;
  x.z += step.z;
}

// What friction does beyond what it has done already.
Vec3W friction(const ContactPair& pair, VertexBatch& b, const PlacesW& x, const RigidSide& side,
               RealW loading) {
  Vec3W moved = x.d.xyz() - x.before.xyz();
  if (pair.moves) moved = moved - b.rigid_motion;
  if (side.motion != nullptr) moved = moved - side.shift;
  const Vec3W slip = moved - dot(moved, b.normal) * b.normal;
  const RealW distance = sqrt(dot(slip, slip));
  const Vec3W axis = slip * (splat(1) / max(distance, splat(Real(1e-12))));
  RealW weight = x.d.w;
  if (side.motion != nullptr) weight += rigid_weight(*side.motion, side.split, b.arm, axis);
  const Vec3W wanted = b.rubbed - axis * (distance / max(weight, splat(k_tiny)));
  const RealW size = sqrt(dot(wanted, wanted));
  const RealW slides = pair.friction_kinetic * loading / max(size, splat(k_tiny));
  const MaskW sticks = size <= pair.friction_static * loading;
  const Vec3W now = wanted * select(sticks, splat(1), min(slides, splat(1)));
  const MaskW rubs = (weight > k_tiny) & (loading > 0);
  const Vec3W change = select(rubs, now - b.rubbed, Vec3W{splat(0), splat(0), splat(0)});
  b.rubbed = b.rubbed + change;
  return change;
}

// By how much the gap falls short.
RealW missing_of(const VertexBatch& b, const Vec4W& d, const RigidSide& side) {
  RealW gap = b.offset + dot(b.normal, d.xyz());
  if (side.motion != nullptr) gap -= dot(b.normal, side.shift);
  return b.target - gap;
}

// Over the lanes that are used.
Vec3R sum_of_lanes(const VertexBatch& b, const Vec3W& v) {
  const auto sum = [&](RealW x) {
    for (int k = b.lanes; k < k_lanes; ++k) x[k] = 0;
    const Real4V four = low4(x) + high4(x);
    return (four[0] + four[2]) + (four[1] + four[3]);
  };
  return {sum(v.x), sum(v.y), sum(v.z)};
}

void set_reaction(VertexBatch& b, bool dynamic, const Vec3W& total, const Vec3W& gained) {
  b.reaction.gained = sum_of_lanes(b, gained);
  if (!dynamic) return;
  b.reaction.total = sum_of_lanes(b, total);
  b.reaction.total_moment = sum_of_lanes(b, cross(b.arm, total));
  b.reaction.gained_moment = sum_of_lanes(b, cross(b.arm, gained));
}

}  // namespace

int count_acting(const ContactPair& pair, const VertexBatch& b, const Particles& particles,
                 std::span<const RigidPush> pushes) {
  const RigidPush& push = pushes[std::size_t(pair.rigid)];
  const Vec3W shift = splat3(push.moved) + cross(splat3(push.turned), b.arm);
  const Vec3W d = gather(particles.d.data(), b.particle.data()).xyz();
  const RealW gap = b.offset + dot(b.normal, d - shift);
  const unsigned used = (1u << b.lanes) - 1;
  return std::popcount(lane_bits((gap < b.target) | (b.multiplier > 0)) & used);
}

void project_batch(const ContactPair& pair, VertexBatch& b, Particles& particles,
                   std::span<const BodyMotion> rigid, std::span<const RigidPush> pushes) {
  const RealW zero = splat(0);
  PlacesW x{gather(particles.d.data(), b.particle.data()), {}};
  const RigidSide side = rigid_side(pair, b, rigid, pushes);
  const RealW missing = missing_of(b, x.d, side);
  b.reaction = {};
  RealW weight = x.d.w;
  if (side.motion != nullptr) weight += rigid_weight(*side.motion, side.split, b.arm, b.normal);
  const MaskW acts = ((missing > 0) | (b.multiplier > 0)) & (weight > k_tiny);
  const unsigned lanes = lane_bits(acts);
  if (lanes == 0) return;
  x.before = gather(particles.d_before.data(), b.particle.data());
  const RealW change = select(acts, max(missing / max(weight, splat(k_tiny)), -b.multiplier), zero);
  b.multiplier += change;
  // What of this removes an old overlap never becomes velocity.
  const MaskW pushes_out = (change > 0) & (missing > 0);
  const RealW pushed =
      select(pushes_out, min(b.push, missing) / max(missing, splat(Real(1e-30))), zero);
  b.push -= pushed * max(missing, zero);
  const Vec3W impulse = b.normal * change;
  move(x.d, impulse * x.d.w);
  move(x.before, impulse * (x.d.w * pushed));
  Vec3W rubbed{zero, zero, zero};
  if (pair.friction_static > 0)
    rubbed = friction(pair, b, x, side, select(acts, (1 - pushed) * b.multiplier, zero));
  move(x.d, rubbed * x.d.w);
  scatter_lanes(particles.d.data(), b.particle.data(), x.d, lanes);
  const unsigned pushed_lanes = lane_bits(pushed > 0);
  if (pushed_lanes != 0)
    scatter_lanes(particles.d_before.data(), b.particle.data(), x.before, pushed_lanes);
  set_reaction(b, pair.dynamic, -(impulse + rubbed), -(impulse * (1 - pushed) + rubbed));
}

void add_reactions(const ContactPair& pair, const VertexBatch& b, std::span<const BodyMotion> rigid,
                   RigidPush& push) {
  const BatchReaction& reaction = b.reaction;
  push.contact_impulse += reaction.gained;
  if (!pair.dynamic) return;
  const BodyMotion& m = rigid[std::size_t(pair.rigid)];
  push.moved += m.velocity.w * reaction.total;
  push.turned += pliant::apply_inverse_inertia(m, reaction.total_moment);
  push.gained += m.velocity.w * reaction.gained;
  push.gained_spin += pliant::apply_inverse_inertia(m, reaction.gained_moment);
}

void restore_speeds(const ContactPair& pair, const VertexBatch& b, Real threshold,
                    Particles& particles, std::span<BodyMotion> rigid) {
  if (pair.restitution <= 0) return;
  for (int k = 0; k < b.lanes; ++k) {
    if (b.multiplier[k] <= 0 || b.approach[k] > -threshold) continue;
    ParticleContact c;
    c.particle[0] = b.particle[std::size_t(k)];
    c.weight[0] = 1;
    c.particles = 1;
    c.rigid = pair.dynamic ? pair.rigid : -1;
    c.normal = lane(b.normal, k);
    c.arm = lane(b.arm, k);
    c.rigid_motion = lane(b.rigid_motion, k);
    c.approach = b.approach[k];
    c.multiplier = b.multiplier[k];
    restore_speed(c, pair, threshold, particles, rigid);
  }
}

}  // namespace pliant
