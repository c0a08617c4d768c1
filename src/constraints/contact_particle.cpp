#include "constraints/contact_particle.h"

#include <algorithm>
#include <cmath>

#include "constraints/guards.h"

namespace pliant {
Real particle_weight(const ParticleContact& c, const Particles& particles) {
  Real sum = 0;
  for (std::size_t n = 0; n < std::size_t(c.particles); ++n)
    sum += particles.d[std::size_t(c.particle[n])].w * c.weight[n] * c.weight[n];
  return sum;
}

namespace {

// Which share of its own way a particle goes that is pressed against `behind`; 1 where it is not.
Real free_share(const ParticleContact& c, std::size_t n, const Particles& particles,
                const Support& behind) {
  constexpr Real k_against = Real(-0.5);  // cosine
  const Real w = particles.d[std::size_t(c.particle[n])].w;
  if (behind.rigid < 0 || behind.rigid != c.behind || behind.inverse_mass >= w) return 1;
  const Real facing = dot(c.normal, behind.normal) * (c.weight[n] < 0 ? -1 : 1);
  return facing < k_against ? behind.inverse_mass / w : 1;
}

}  // namespace

Real rigid_weight(const ParticleContact& c, std::span<const BodyMotion> rigid, const Vec3R& axis) {
  const BodyMotion& m = rigid[std::size_t(c.rigid)];
  const Vec3R rn = cross(c.arm, axis);
  return m.velocity.w + dot(rn, apply_inverse_inertia(m, rn));
}

Vec3R relative_motion(const ParticleContact& c, const Particles& particles,
                      std::span<const RigidPush> pushes) {
  Vec3R sum = -c.rigid_motion;
  for (std::size_t n = 0; n < std::size_t(c.particles); ++n) {
    const std::size_t p = std::size_t(c.particle[n]);
    sum += c.weight[n] * (xyz(particles.d[p]) - xyz(particles.d_before[p]));
  }
  if (c.rigid >= 0) {
    const RigidPush& push = pushes[std::size_t(c.rigid)];
    sum -= push.moved + cross(push.turned, c.arm);
  }
  return sum;
}

namespace {

// d += w s impulse, times the particle's share; the part `without_velocity` of it moves d_before
// too.
void move_particles(const ParticleContact& c, Particles& particles,
                    const std::array<Real, k_contact_particles>& share, const Vec3R& impulse,
                    Real without_velocity) {
  for (std::size_t n = 0; n < std::size_t(c.particles); ++n) {
    Vec4& d = particles.d[std::size_t(c.particle[n])];
    const Vec3R step = (share[n] * d.w * c.weight[n]) * impulse;
    d.x += step.x;
    d.y += step.y;
    d.z += step.z;
    if (without_velocity <= 0) continue;
    Vec4& before = particles.d_before[std::size_t(c.particle[n])];
    before.x += without_velocity * step.x;
    before.y += without_velocity * step.y;
    before.z += without_velocity * step.z;
  }
}

}  // namespace

void shift_point(const ParticleContact& c, Particles& particles, const Vec3R& impulse,
                 Real without_velocity) {
  std::array<Real, k_contact_particles> share;
  share.fill(1);
  move_particles(c, particles, share, impulse, without_velocity);
}

Vec3R friction(ParticleContact& c, Particles& particles, std::span<const BodyMotion> rigid,
               std::span<const RigidPush> pushes, Real split, Real loading) {
  if (loading <= 0 || c.friction_static <= 0) return {};
  const Vec3R moved = relative_motion(c, particles, pushes);
  const Vec3R slip = moved - dot(moved, c.normal) * c.normal;
  const Real distance = length(slip);
  const Vec3R axis = slip / std::max(distance, Real(1e-12));
  Real weight = particle_weight(c, particles);
  if (c.rigid >= 0) weight += split * rigid_weight(c, rigid, axis);
  if (weight < k_tiny) return {};
  const Vec3R wanted = c.rubbed - (distance / weight) * axis;
  const Real size = length(wanted), slides = c.friction_kinetic * loading;
  const bool sticks = size <= c.friction_static * loading || size <= slides;
  const Vec3R change = (sticks ? wanted : wanted * (slides / size)) - c.rubbed;
  c.rubbed += change;
  shift_point(c, particles, change, 0);
  return change;
}

Real gap_now(const ParticleContact& c, const Particles& particles,
             std::span<const RigidPush> pushes) {
  Real gap = c.offset;
  for (std::size_t n = 0; n < std::size_t(c.particles); ++n)
    gap += c.weight[n] * dot(c.normal, xyz(particles.d[std::size_t(c.particle[n])]));
  if (c.rigid >= 0) {
    const RigidPush& push = pushes[std::size_t(c.rigid)];
    gap -= dot(c.normal, push.moved + cross(push.turned, c.arm));
  }
  return gap;
}

Vec3R apply_inverse_inertia(const BodyMotion& m, const Vec3R& v) {
  const Vec4 &a = m.inverse_first, &b = m.inverse_second;
  return {a.x * v.x + a.y * v.y + a.z * v.z, a.y * v.x + a.w * v.y + b.x * v.z,
          a.z * v.x + b.x * v.y + b.y * v.z};
}

bool contact_acts(const ParticleContact& c, const Particles& particles,
                  std::span<const RigidPush> pushes) {
  return c.multiplier > 0 || gap_now(c, particles, pushes) < c.target;
}

namespace {

// Of a contact between deformables: the shares of its particles, and the body behind them.
void find_support(ParticleContact& c, const Particles& particles, std::span<const Support> support,
                  std::array<Real, k_contact_particles>& share) {
  share.fill(1);
  c.behind = -1;
  if (support.empty() || c.rigid >= 0) return;
  for (std::size_t n = 0; n < std::size_t(c.particles); ++n) {
    const Support& behind = support[std::size_t(c.particle[n])];
    if (c.behind < 0 && behind.rigid >= 0) {
      c.behind = behind.rigid;
      c.arm = behind.arm;
    }
    share[n] = free_share(c, n, particles, behind);
  }
}

}  // namespace

RigidReaction project_contact(ParticleContact& c, Particles& particles,
                              std::span<const BodyMotion> rigid, std::span<const RigidPush> pushes,
                              std::span<const Support> support) {
  const Real missing = c.target - gap_now(c, particles, pushes);
  if (missing <= 0 && c.multiplier <= 0) return {};
  std::array<Real, k_contact_particles> share;
  find_support(c, particles, support, share);
  const Real split = c.rigid >= 0 ? Real(std::max(1, pushes[std::size_t(c.rigid)].contacts)) : 0;
  Real weight = 0, passed = 0;
  for (std::size_t n = 0; n < std::size_t(c.particles); ++n) {
    weight += share[n] * particles.d[std::size_t(c.particle[n])].w * c.weight[n] * c.weight[n];
    passed += (1 - share[n]) * c.weight[n];
  }
  if (c.rigid >= 0) weight += split * rigid_weight(c, rigid, c.normal);
  if (weight < k_tiny) return {};
  Real change = missing / weight;
  if (c.multiplier + change < 0) change = -c.multiplier;
  c.multiplier += change;
  // What of this removes an old overlap never becomes velocity.
  const Real pushed = change > 0 && missing > 0 ? std::min(c.push, missing) / missing : 0;
  c.push -= pushed * (missing > 0 ? missing : 0);
  const Vec3R impulse = change * c.normal;
  move_particles(c, particles, share, impulse, pushed);
  const Vec3R rubbed = friction(c, particles, rigid, pushes, split, (1 - pushed) * c.multiplier);
  if (!c.on_rigid) return {passed * impulse, (1 - pushed) * passed * impulse};
  return {-(impulse + rubbed), -((1 - pushed) * impulse + rubbed)};
}

void add_reaction(const BodyMotion& m, const Vec3R& arm, const RigidReaction& reaction,
                  RigidPush& push) {
  push.contact_impulse += reaction.gained;
  push.moved += m.velocity.w * reaction.total;
  push.turned += apply_inverse_inertia(m, cross(arm, reaction.total));
  push.gained += m.velocity.w * reaction.gained;
  push.gained_spin += apply_inverse_inertia(m, cross(arm, reaction.gained));
}

void restore_speed(const ParticleContact& c, const ContactPair& pair, Real threshold,
                   Particles& particles, std::span<BodyMotion> rigid) {
  if (pair.restitution <= 0 || c.multiplier <= 0 || c.approach > -threshold) return;
  Real speed = 0;
  for (std::size_t n = 0; n < std::size_t(c.particles); ++n)
    speed += c.weight[n] * dot(c.normal, xyz(particles.velocity[std::size_t(c.particle[n])]));
  Real weight = particle_weight(c, particles);
  if (pair.rigid >= 0) {
    const BodyMotion& m = rigid[std::size_t(pair.rigid)];
    speed -= dot(c.normal, xyz(m.velocity) + cross(xyz(m.spin), c.arm));
    if (c.rigid >= 0) weight += rigid_weight(c, rigid, c.normal);
  }
  const Real missing = -pair.restitution * c.approach - speed;
  if (missing <= 0 || weight < k_tiny) return;
  const Vec3R impulse = (missing / weight) * c.normal;
  for (std::size_t n = 0; n < std::size_t(c.particles); ++n) {
    const std::size_t p = std::size_t(c.particle[n]);
    const Vec3R gain = (particles.d[p].w * c.weight[n]) * impulse;
    Vec4& v = particles.velocity[p];
    v.x += gain.x;
    v.y += gain.y;
    v.z += gain.z;
  }
  if (c.rigid < 0) return;
  BodyMotion& m = rigid[std::size_t(c.rigid)];
  const Vec3R dv = -m.velocity.w * impulse;
  const Vec3R dw = -apply_inverse_inertia(m, cross(c.arm, impulse));
  m.velocity = {m.velocity.x + dv.x, m.velocity.y + dv.y, m.velocity.z + dv.z, m.velocity.w};
  m.spin = {m.spin.x + dw.x, m.spin.y + dw.y, m.spin.z + dw.z, m.spin.w};
}

}  // namespace pliant
