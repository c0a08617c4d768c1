#include "constraints/contact_pinch.h"

#include <algorithm>

#include "constraints/guards.h"

namespace pliant {
namespace {

Real parts(const ParticleContact& c, std::span<const RigidPush> pushes) {
  return c.rigid >= 0 ? Real(std::max(1, pushes[std::size_t(c.rigid)].contacts)) : 0;
}
Real body_weight(const ParticleContact& c, std::span<const BodyMotion> rigid,
                 std::span<const RigidPush> pushes) {
  return c.rigid >= 0 ? parts(c, pushes) * rigid_weight(c, rigid, c.normal) : 0;
}

void add_to_body(PinchSide& side, const RigidReaction& reaction, std::span<const BodyMotion> rigid,
                 std::span<RigidPush> pushes) {
  side.gained += reaction.gained;
  add_reaction(rigid[std::size_t(side.body)], side.contact.arm, reaction,
               pushes[std::size_t(side.body)]);
}

// Of the body's contact point since the substep began.
Vec3R point_motion(const ParticleContact& c, std::span<const RigidPush> pushes) {
  if (c.rigid < 0) return c.rigid_motion;
  const RigidPush& push = pushes[std::size_t(c.rigid)];
  return c.rigid_motion + push.moved + cross(push.turned, c.arm);
}

// The cloth is too light to slow a body down that slides over it: it passes friction on as well, as
// much as its own leaves of what both sides can bear.
void rub_bodies(Pinch& pinch, std::span<const BodyMotion> rigid, std::span<RigidPush> pushes) {
  const ParticleContact &a = pinch.a.contact, &b = pinch.b.contact;
  const Vec3R moved = point_motion(a, pushes) - point_motion(b, pushes);
  const Vec3R slip = moved - dot(moved, a.normal) * a.normal;
  const Real distance = length(slip);
  const Vec3R axis = slip / std::max(distance, Real(1e-12));
  Real weight = 0;
  for (const ParticleContact* c : {&a, &b})
    if (c->rigid >= 0) weight += parts(*c, pushes) * rigid_weight(*c, rigid, axis);
  if (weight < k_tiny) return;
  const auto left = [&](Real friction_a, Real friction_b) {
    return std::max(Real(0), std::min(friction_a * pinch.load - length(a.rubbed),
                                      friction_b * pinch.load - length(b.rubbed)));
  };
  const Vec3R wanted = pinch.rubbed - (distance / weight) * axis;
  const Real size = length(wanted);
  Vec3R now = wanted;
  if (size > left(a.friction_static, b.friction_static))
    now = wanted * (left(a.friction_kinetic, b.friction_kinetic) / size);
  const Vec3R change = now - pinch.rubbed;
  pinch.rubbed = now;
  add_to_body(pinch.a, {change, change}, rigid, pushes);
  add_to_body(pinch.b, {-change, -change}, rigid, pushes);
}

}  // namespace

Pinch make_pinch(const PinchSide& a, const PinchSide& b, Real push_most) {
  // A side that gives way comes first: the last one's friction leaves no slip.
  if (a.contact.rigid < 0 && b.contact.rigid >= 0) return make_pinch(b, a, push_most);
  Pinch pinch{a, b, 0, 0, push_most, 0, 0, {}};
  const Real gap = std::min(a.contact.gap + b.contact.gap, Real(0));
  pinch.push = std::min(-gap, push_most);
  pinch.target = gap + pinch.push;
  return pinch;
}

namespace {

// Between bodies that do not give way, such as those that are led: the point goes with them from
// where it was, and to the middle between them. Other contacts have pushed it out of both in turn,
// along normals that are not quite opposite; what is left of that would be creep.
void clamp_point(Pinch& pinch, Particles& particles, std::span<const Vec4> begin,
                 std::span<RigidPush> pushes) {
  const ParticleContact &a = pinch.a.contact, &b = pinch.b.contact;
  const Real weight = particle_weight(a, particles);
  if (weight < k_tiny) return;
  const bool rough = a.friction_static > 0 || b.friction_static > 0;
  const auto held = [&](const Vec3R& v) { return rough ? v : dot(v, a.normal) * a.normal; };
  const Real shift = std::clamp((b.gap - a.gap) / 2, -pinch.push_most, pinch.push_most);
  const Vec3R motion = Real(0.5) * (a.rigid_motion + b.rigid_motion);
  Vec3R way, moved;
  for (std::size_t n = 0; n < std::size_t(a.particles); ++n) {
    const std::size_t p = std::size_t(a.particle[n]);
    way += a.weight[n] * (xyz(particles.d[p]) - xyz(begin[p]));
    moved += a.weight[n] * (xyz(particles.d[p]) - xyz(particles.d_before[p]));
  }
  const Vec3R back = held(motion + shift * a.normal - way), slip = held(moved - motion);
  shift_point(a, particles, back / weight, 0);
  // Its velocity is that of the bodies.
  shift_point(a, particles, -(back + slip) / weight, 0);
  shift_point(a, particles, (back + slip) / weight, 1);
  for (PinchSide* side : {&pinch.a, &pinch.b}) {
    side->gained += slip / (2 * weight);
    pushes[std::size_t(side->body)].contact_impulse += slip / (2 * weight);
  }
}

}  // namespace

void press_pinch(Pinch& pinch, const Particles& particles, std::span<const BodyMotion> rigid,
                 std::span<RigidPush> pushes) {
  const ParticleContact &a = pinch.a.contact, &b = pinch.b.contact;
  const Real weight = body_weight(a, rigid, pushes) + body_weight(b, rigid, pushes);
  if (weight < k_tiny) return;
  const Real missing = pinch.target - gap_now(a, particles, pushes) - gap_now(b, particles, pushes);
  const Real change = std::max(missing / weight, -pinch.multiplier);
  pinch.multiplier += change;
  const Real pushed = change > 0 && missing > 0 ? std::min(pinch.push, missing) / missing : Real(0);
  pinch.push -= pushed * std::max(missing, Real(0));
  pinch.load = std::max(pinch.load + (1 - pushed) * change, Real(0));
  for (PinchSide* side : {&pinch.a, &pinch.b}) {
    const Vec3R impulse = -change * side->contact.normal;
    add_to_body(*side, {impulse, (1 - pushed) * impulse}, rigid, pushes);
  }
}

void rub_pinch(Pinch& pinch, Particles& particles, std::span<const Vec4> begin,
               std::span<const BodyMotion> rigid, std::span<RigidPush> pushes) {
  if (pinch.a.contact.rigid < 0 && pinch.b.contact.rigid < 0)
    return clamp_point(pinch, particles, begin, pushes);
  for (PinchSide* side : {&pinch.a, &pinch.b}) {
    ParticleContact& c = side->contact;
    const Vec3R rubbed =
        friction(c, particles, rigid, pushes, parts(c, pushes), c.multiplier + pinch.load);
    add_to_body(*side, {-rubbed, -rubbed}, rigid, pushes);
  }
  rub_bodies(pinch, rigid, pushes);
}

}  // namespace pliant
