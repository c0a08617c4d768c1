#include "constraints/contact_rigid.h"

#include "constraints/contact_pair_wide.h"
#include "constraints/contact_turning.h"

namespace pliant {

namespace {

// m/s; what slips faster has the kinetic coefficient of friction, what is slower may still stick.
constexpr Real k_slip_speed = Real(0.05);

inline Vec3W total_impulse(const ContactBatch& batch, const ContactPointW& c,
                           const Vec3W& tangent2) {
  return batch.normal * c.normal_impulse + batch.tangent * c.tangent_impulse[0] +
         tangent2 * c.tangent_impulse[1];
}

// `u` is the velocity of b's point against the surface of a.
inline void solve_friction(PairW& p, const ContactBatch& batch, ContactPointW& c,
                           const Vec3W& tangent2, const Vec3W& u) {
  const RealW old1 = c.tangent_impulse[0], old2 = c.tangent_impulse[1];
  const RealW u1 = dot(u, batch.tangent), u2 = dot(u, tangent2);
  RealW t1 = old1 - c.tangent_mass[0] * u1;
  RealW t2 = old2 - c.tangent_mass[1] * u2;
  const RealW size2 = t1 * t1 + t2 * t2;
  const MaskW fast = u1 * u1 + u2 * u2 > splat(k_slip_speed * k_slip_speed);
  const RealW limit =
      select(fast, batch.friction_kinetic, batch.friction_static) * c.normal_impulse;
  const MaskW slides = size2 > limit * limit;
  const RealW scale = select(slides, limit / sqrt(select(slides, size2, splat(1))), splat(1));
  t1 = t1 * scale;
  t2 = t2 * scale;
  c.tangent_impulse[0] = t1;
  c.tangent_impulse[1] = t2;
  apply(p, c, batch.tangent * (t1 - old1) + tangent2 * (t2 - old2));
}

// Coefficients of the spring, see the header.
struct Softness {
  RealW bias_rate, mass_scale, impulse_scale, inverse_h, push;
};
Softness softness(const ContactSettings& s, bool soft) {
  Softness r{splat(0), splat(1), splat(0), splat(1 / s.h), splat(-s.push_speed)};
  if (!soft) return r;
  const Real hw = Real(6.283185307179586) * s.frequency;
  const Real a1 = 2 * s.damping_ratio + hw, a2 = hw * a1, a3 = 1 / (1 + a2);
  r.bias_rate = splat(hw / (s.h * a1));
  r.mass_scale = splat(a2 * a3);
  r.impulse_scale = splat(a3);
  return r;
}

inline void solve_normal(PairW& p, const ContactBatch& batch, ContactPointW& c, const Softness& s,
                         MaskW lanes) {
  const RealW u = dot(relative_velocity(p, c), batch.normal);
  const MaskW apart = c.separation > 0;
  const RealW bias =
      select(apart, c.separation * s.inverse_h, max(c.separation * s.bias_rate, s.push));
  const RealW mass_scale = select(apart, splat(1), s.mass_scale);
  const RealW impulse_scale = select(apart, splat(0), s.impulse_scale);
  const RealW old = c.normal_impulse;
  const RealW change = -c.normal_mass * mass_scale * (u + bias) - impulse_scale * old;
  c.normal_impulse = select(lanes, max(old + change, splat(0)), old);
  c.peak = max(c.peak, c.normal_impulse);
  apply(p, c, batch.normal * (c.normal_impulse - old));
}

// The points of one manifold share a load, and one sweep over them leaves a rest. Where much
// overlap is pushed apart that rest would become velocity: such lanes are swept a few times more.
constexpr Real k_deep = Real(0.005);  // m
constexpr int k_deep_rounds = 3;
inline MaskW deep_lanes(const ContactBatch& batch, const ContactPointW* point) {
  if (batch.points < 2) return splat(0) > splat(0);
  RealW lowest = point[0].separation;
  for (int k = 1; k < batch.points; ++k) lowest = min(lowest, point[k].separation);
  return lowest < splat(-k_deep);
}

// Where extras are there, u is taken against the surface of a as it moves.
inline Vec3W sliding_velocity(const PairW& p, const ContactBatch& batch, const ContactPointW& c,
                              const ContactExtra* extra, const Vec3W& tangent2) {
  const Vec3W u = relative_velocity(p, c);
  if (!extra || !extra->slides) return u;
  return u - batch.tangent * extra->surface_velocity[0] - tangent2 * extra->surface_velocity[1];
}

// One batch. Inlined twice, with extras and without, so that those without pay nothing for them.
[[gnu::always_inline]] inline void solve_batch(const ContactBatch& batch, ContactPointW* point,
                                               ContactExtra* extra, RigidBodies& bodies,
                                               const Softness& soft) {
  const MaskW all = splat(0) == splat(0);
  PairW pair = load_pair(bodies, batch);
  const Vec3W tangent2 = cross(batch.normal, batch.tangent);
  if (extra && extra->turns) solve_turning(pair, batch, point, *extra, tangent2);
  for (int k = 0; k < batch.points; ++k)
    solve_friction(pair, batch, point[k], tangent2,
                   sliding_velocity(pair, batch, point[k], extra, tangent2));
  for (int k = 0; k < batch.points; ++k) solve_normal(pair, batch, point[k], soft, all);
  store_pair(bodies, batch, pair);
}
[[gnu::noinline]] void solve_extra_batch(const ContactBatch& batch, ContactPointW* point,
                                         ContactExtra* extra, RigidBodies& bodies,
                                         const Softness& soft) {
  solve_batch(batch, point, extra, bodies, soft);
}

[[gnu::always_inline]] inline void relax_batch(ContactBatch& batch, ContactPointW* point,
                                               ContactExtra* extra, RigidBodies& bodies,
                                               const Softness& hard) {
  const MaskW all = splat(0) == splat(0);
  const ShiftW sa = load_shift(bodies, batch.a), sb = load_shift(bodies, batch.b);
  PairW pair = load_pair(bodies, batch);
  const Vec3W tangent2 = cross(batch.normal, batch.tangent);
  if (extra && extra->turns) solve_turning(pair, batch, point, *extra, tangent2);
  for (int k = 0; k < batch.points; ++k) {
    point[k].separation = point[k].start + parted(batch, point[k], sa, sb);
    solve_friction(pair, batch, point[k], tangent2,
                   sliding_velocity(pair, batch, point[k], extra, tangent2));
  }
  for (int k = batch.points - 1; k >= 0; --k) solve_normal(pair, batch, point[k], hard, all);
  const MaskW deep = deep_lanes(batch, point);
  for (int round = 0; any(deep) && round < k_deep_rounds; ++round)
    for (int k = batch.points - 1; k >= 0; --k) solve_normal(pair, batch, point[k], hard, deep);
  for (int k = 0; k < batch.points; ++k)
    batch.impulse = batch.impulse + total_impulse(batch, point[k], tangent2);
  store_pair(bodies, batch, pair);
}
[[gnu::noinline]] void relax_extra_batch(ContactBatch& batch, ContactPointW* point,
                                         ContactExtra* extra, RigidBodies& bodies,
                                         const Softness& hard) {
  relax_batch(batch, point, extra, bodies, hard);
}

}  // namespace

void take_approach(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                   const RigidBodies& bodies) {
  for (std::int32_t i = begin; i < end; ++i) {
    const ContactBatch& batch = contacts.batch[i];
    if (!batch.bounces) continue;
    const PairW pair = load_pair(bodies, batch);
    for (int k = 0; k < batch.points; ++k) {
      ContactPointW& c = contacts.point[batch.first_point + k];
      const RealW u = dot(relative_velocity(pair, c), batch.normal);
      c.approach = select(c.peak > splat(0), c.approach, u);
    }
  }
}

void warm_start_contacts(const ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                         RigidBodies& bodies) {
  for (std::int32_t i = begin; i < end; ++i) {
    const ContactBatch& batch = contacts.batch[i];
    PairW pair = load_pair(bodies, batch);
    const Vec3W tangent2 = cross(batch.normal, batch.tangent);
    for (int k = 0; k < batch.points; ++k) {
      const ContactPointW& c = contacts.point[batch.first_point + k];
      apply(pair, c, total_impulse(batch, c, tangent2));
    }
    if (!contacts.extra.empty()) apply_turn(pair, total_turn(batch, contacts.extra[i], tangent2));
    store_pair(bodies, batch, pair);
  }
}

void solve_contacts(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                    RigidBodies& bodies, const ContactSettings& settings) {
  const Softness soft = softness(settings, true);
  for (std::int32_t i = begin; i < end; ++i) {
    const ContactBatch& batch = contacts.batch[i];
    ContactPointW* point = &contacts.point[batch.first_point];
    if (contacts.extra.empty())
      solve_batch(batch, point, nullptr, bodies, soft);
    else
      solve_extra_batch(batch, point, &contacts.extra[i], bodies, soft);
  }
}

void relax_contacts(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                    RigidBodies& bodies, const ContactSettings& settings) {
  const Softness hard = softness(settings, false);
  for (std::int32_t i = begin; i < end; ++i) {
    ContactBatch& batch = contacts.batch[i];
    ContactPointW* point = &contacts.point[batch.first_point];
    if (contacts.extra.empty())
      relax_batch(batch, point, nullptr, bodies, hard);
    else
      relax_extra_batch(batch, point, &contacts.extra[i], bodies, hard);
  }
}

void restitute_contacts(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                        RigidBodies& bodies, const ContactSettings& settings) {
  for (std::int32_t i = begin; i < end; ++i) {
    ContactBatch& batch = contacts.batch[i];
    if (!batch.bounces) continue;
    PairW pair = load_pair(bodies, batch);
    for (int k = 0; k < batch.points; ++k) {
      ContactPointW& c = contacts.point[batch.first_point + k];
      const MaskW hit = (c.peak > splat(0)) & (c.approach < splat(-settings.restitution_speed)) &
                        (batch.restitution > splat(0));
      const RealW u = dot(relative_velocity(pair, c), batch.normal);
      const RealW change = -c.normal_mass * (u + batch.restitution * c.approach);
      const RealW old = c.normal_impulse;
      const RealW now = select(hit, max(old + change, splat(0)), old);
      const Vec3W impulse = batch.normal * (now - old);
      batch.impulse = batch.impulse + impulse;
      apply(pair, c, impulse);
      // The bounce is over: it must neither be repeated nor warm start the next substep.
      c.normal_impulse = select(hit, splat(0), old);
      c.tangent_impulse[0] = select(hit, splat(0), c.tangent_impulse[0]);
      c.tangent_impulse[1] = select(hit, splat(0), c.tangent_impulse[1]);
      c.peak = select(hit, splat(0), c.peak);
      if (ContactExtra* extra = extra_of(contacts, i))
        for (RealW& turn : extra->turn_impulse) turn = select(hit, splat(0), turn);
    }
    store_pair(bodies, batch, pair);
  }
}

}  // namespace pliant
