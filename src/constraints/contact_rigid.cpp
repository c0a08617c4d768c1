#include "constraints/contact_rigid.h"

#include "model/surface_pair.h"

namespace pliant {

namespace {

struct SymmetricW {
  RealW xx, xy, xz, yy, yz, zz;
};
inline Vec3W operator*(const SymmetricW& m, const Vec3W& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

// Eight bodies in registers.
struct BodyW {
  Vec3W v, w;
  RealW inverse_mass;
  Vec3W mobility;  // the same, but 0 along locked axes
  SymmetricW inverse_inertia;
};

// m/s; what slips faster has the kinetic coefficient of friction, what is slower may still stick.
constexpr Real k_slip_speed = Real(0.05);

constexpr int k_motion_stride = int(sizeof(BodyMotion) / sizeof(Vec4));
constexpr int k_shift_stride = int(sizeof(BodyShift) / sizeof(Vec4));

inline BodyW load_bodies(const RigidBodies& bodies, const std::int32_t* index) {
  const BodyMotion* m = bodies.motion.data();
  const Vec4W v = gather(&m->velocity, index, k_motion_stride);
  const Vec4W w = gather(&m->spin, index, k_motion_stride);
  const Vec4W i = gather(&m->inverse_first, index, k_motion_stride);
  const Vec4W j = gather(&m->inverse_second, index, k_motion_stride);
  const RealW zero = splat(0);
  // The bits of rigid_locks.h.
  const MaskW z_locked = j.z > splat(Real(3.5));
  const RealW xy = select(z_locked, j.z - splat(4), j.z);
  const MaskW y_locked = xy > splat(Real(1.5));
  const RealW x = select(y_locked, xy - splat(2), xy);
  const Vec3W mobility{select(x > zero, zero, v.w), select(y_locked, zero, v.w),
                       select(z_locked, zero, v.w)};
  return {v.xyz(), w.xyz(), v.w, mobility, {i.x, i.y, i.z, i.w, j.x, j.y}};
}
inline Vec3W times(const Vec3W& a, const Vec3W& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline void store_bodies(RigidBodies& bodies, const std::int32_t* index, const BodyW& b,
                         unsigned lanes) {
  BodyMotion* m = bodies.motion.data();
  scatter_lanes(&m->velocity, index, {b.v.x, b.v.y, b.v.z, b.inverse_mass}, lanes, k_motion_stride);
  scatter_lanes(&m->spin, index, {b.w.x, b.w.y, b.w.z, splat(0)}, lanes, k_motion_stride);
}

struct PairW {
  BodyW a, b;
};
inline PairW load_pair(const RigidBodies& bodies, const ContactBatch& batch) {
  return {load_bodies(bodies, batch.a), load_bodies(bodies, batch.b)};
}
inline void store_pair(RigidBodies& bodies, const ContactBatch& batch, const PairW& pair) {
  store_bodies(bodies, batch.a, pair.a, batch.writes_a);
  store_bodies(bodies, batch.b, pair.b, batch.writes_b);
}

inline Vec3W relative_velocity(const PairW& p, const ContactPointW& c) {
  return p.b.v + cross(p.b.w, c.arm_b) - p.a.v - cross(p.a.w, c.arm_a);
}
// An impulse on b, and its opposite on a.
inline void apply(PairW& p, const ContactPointW& c, const Vec3W& impulse) {
  p.a.v = p.a.v - times(impulse, p.a.mobility);
  p.a.w = p.a.w - p.a.inverse_inertia * cross(c.arm_a, impulse);
  p.b.v = p.b.v + times(impulse, p.b.mobility);
  p.b.w = p.b.w + p.b.inverse_inertia * cross(c.arm_b, impulse);
}

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

inline void apply_turn(PairW& p, const Vec3W& angular_impulse) {
  p.a.w = p.a.w - p.a.inverse_inertia * angular_impulse;
  p.b.w = p.b.w + p.b.inverse_inertia * angular_impulse;
}
inline Vec3W total_turn(const ContactBatch& batch, const ContactExtra& extra,
                        const Vec3W& tangent2) {
  return batch.tangent * extra.turn_impulse[0] + tangent2 * extra.turn_impulse[1] +
         batch.normal * extra.turn_impulse[2];
}

// Before friction, which then sees the turning that is left: a ball at rest on a slope needs both.
inline void solve_turning(PairW& p, const ContactBatch& batch, const ContactPointW* point,
                          ContactExtra& extra, const Vec3W& tangent2) {
  RealW load = point[0].normal_impulse;
  for (int k = 1; k < batch.points; ++k) load = load + point[k].normal_impulse;
  const Vec3W w = p.b.w - p.a.w;
  const Vec3W before = total_turn(batch, extra, tangent2);
  const RealW t1 = extra.turn_impulse[0] - extra.turn_mass[0] * dot(w, batch.tangent);
  const RealW t2 = extra.turn_impulse[1] - extra.turn_mass[1] * dot(w, tangent2);
  const RealW n = extra.turn_impulse[2] - extra.turn_mass[2] * dot(w, batch.normal);
  const RealW size2 = t1 * t1 + t2 * t2, limit = extra.rolling * load;
  const MaskW rolls = size2 > limit * limit;
  const RealW scale = select(rolls, limit / sqrt(select(rolls, size2, splat(1))), splat(1));
  const RealW spin = extra.spinning * load;
  extra.turn_impulse[0] = t1 * scale;
  extra.turn_impulse[1] = t2 * scale;
  extra.turn_impulse[2] = max(min(n, spin), splat(0) - spin);
  apply_turn(p, total_turn(batch, extra, tangent2) - before);
}

ContactExtra* extra_of(ContactBatches& contacts, std::int32_t batch) {
  return contacts.extra.empty() ? nullptr : &contacts.extra[std::size_t(batch)];
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

// v turned by the unit quaternion q, minus v.
inline Vec3W turn_change(const Vec4W& q, const Vec3W& v) {
  const Vec3W u = q.xyz();
  const Vec3W t = cross(u, v) * splat(2);
  return t * q.w + cross(u, t);
}

struct ShiftW {
  Vec4W moved, turned;
};
inline ShiftW load_shift(const RigidBodies& bodies, const std::int32_t* index) {
  const BodyShift* s = bodies.shift.data();
  return {gather(&s->moved, index, k_shift_stride), gather(&s->turned, index, k_shift_stride)};
}

// How much further apart the bodies are at a point than at their bases.
inline RealW parted(const ContactBatch& batch, const ContactPointW& c, const ShiftW& sa,
                    const ShiftW& sb) {
  const Vec3W shift = sb.moved.xyz() - sa.moved.xyz() + turn_change(sb.turned, c.arm_b) -
                      turn_change(sa.turned, c.arm_a);
  return dot(batch.normal, shift);
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

// How much of the inverse mass along a direction the locks take: nothing, to the bit, without any.
RealW lost_mobility(const BodyW& b, const Vec3W& direction) {
  const RealW m = b.inverse_mass;
  const Vec3W lost{m - b.mobility.x, m - b.mobility.y, m - b.mobility.z};
  return dot(times(lost, direction), direction);
}

RealW effective_mass(const PairW& p, const ContactPointW& c, const Vec3W& direction) {
  const Vec3W ra = cross(c.arm_a, direction), rb = cross(c.arm_b, direction);
  const RealW ma = p.a.inverse_mass - lost_mobility(p.a, direction);
  const RealW mb = p.b.inverse_mass - lost_mobility(p.b, direction);
  const RealW k = ma + mb + dot(ra, p.a.inverse_inertia * ra) + dot(rb, p.b.inverse_inertia * rb);
  // What is left where all is locked is rounding.
  const MaskW moves = k > splat(Real(1e-6)) * (p.a.inverse_mass + p.b.inverse_mass);
  return select(moves, splat(1) / select(moves, k, splat(1)), splat(0));
}

RealW turning_mass(const PairW& p, const Vec3W& axis) {
  const RealW k = dot(axis, p.a.inverse_inertia * axis) + dot(axis, p.b.inverse_inertia * axis);
  return select(k > splat(0), splat(1) / select(k > splat(0), k, splat(1)), splat(0));
}

void set_lane(Vec3W& w, int lane, const Vec3R& v) {
  w.x[lane] = v.x;
  w.y[lane] = v.y;
  w.z[lane] = v.z;
}

void load_extra(ContactExtra& extra, int lane, const SurfacePair& surface,
                const ContactTerms& terms, const Manifold& m) {
  extra.rolling[lane] = Real(surface.rolling_resistance);
  extra.spinning[lane] = Real(surface.spinning_resistance);
  extra.turns = extra.turns || surface.rolling_resistance > 0 || surface.spinning_resistance > 0;
  extra.slides = extra.slides || terms.surface_velocity != Vec3R{};
  extra.surface_velocity[0][lane] = dot(terms.surface_velocity, m.tangent[0]);
  extra.surface_velocity[1][lane] = dot(terms.surface_velocity, m.tangent[1]);
}

// Empty lanes repeat the bodies of lane 0 with nothing to do and are never written.
void load_lane(ContactBatch& batch, ContactPointW* point, ContactExtra* extra, int lane,
               const RigidBodies& bodies, const ManifoldList& list) {
  const std::int32_t source = batch.source[lane];
  if (source < 0) {
    batch.a[lane] = batch.a[0];
    batch.b[lane] = batch.b[0];
    return;
  }
  const Manifold& m = list.manifolds[source];
  const BoxPair& pair = list.pairs[source];
  batch.a[lane] = pair.a;
  batch.b[lane] = pair.b;
  batch.writes_a |= unsigned(bodies.dynamic(pair.a)) << lane;
  batch.writes_b |= unsigned(bodies.dynamic(pair.b)) << lane;
  set_lane(batch.normal, lane, m.normal);
  set_lane(batch.tangent, lane, m.tangent[0]);
  const SurfacePair surface = combined(bodies.surface[pair.a], bodies.surface[pair.b]);
  ContactTerms terms{
      Real(surface.friction_static), Real(surface.friction_kinetic), Real(surface.restitution), {}};
  if (!list.terms.empty()) terms = list.terms[std::size_t(source)];
  batch.friction_static[lane] = terms.friction_static;
  batch.friction_kinetic[lane] = terms.friction_kinetic;
  batch.restitution[lane] = terms.restitution;
  batch.bounces = batch.bounces || terms.restitution > 0;
  if (extra) load_extra(*extra, lane, surface, terms, m);
  for (int k = 0; k < batch.points; ++k) {
    const ManifoldPoint& p = m.point[k];
    set_lane(point[k].arm_a, lane, p.arm_a);
    set_lane(point[k].arm_b, lane, p.arm_b);
    point[k].start[lane] = p.separation;
    point[k].normal_impulse[lane] = p.normal_impulse;
    point[k].tangent_impulse[0][lane] = p.friction_impulse[0];
    point[k].tangent_impulse[1][lane] = p.friction_impulse[1];
  }
}

void store_lane(const ContactBatches& contacts, const ContactBatch& batch, int lane,
                ManifoldList& list) {
  Manifold& m = list.manifolds[batch.source[lane]];
  m.impulse = {batch.impulse.x[lane], batch.impulse.y[lane], batch.impulse.z[lane]};
  for (int k = 0; k < batch.points; ++k) {
    const ContactPointW& c = contacts.point[batch.first_point + k];
    m.point[k].separation = c.separation[lane];
    m.point[k].normal_impulse = c.normal_impulse[lane];
    m.point[k].friction_impulse[0] = c.tangent_impulse[0][lane];
    m.point[k].friction_impulse[1] = c.tangent_impulse[1][lane];
  }
}

}  // namespace

void prepare_contacts(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                      const RigidBodies& bodies, const ManifoldList& list) {
  const RealW zero = splat(0);
  const Vec3W none{zero, zero, zero};
  for (std::int32_t i = begin; i < end; ++i) {
    ContactBatch& batch = contacts.batch[i];
    ContactPointW* point = &contacts.point[batch.first_point];
    batch.writes_a = batch.writes_b = 0;
    batch.bounces = false;
    batch.normal = batch.tangent = batch.impulse = none;
    batch.friction_static = batch.friction_kinetic = batch.restitution = zero;
    for (int k = 0; k < batch.points; ++k)
      point[k] = {none, none, zero, zero, zero, {zero, zero}, zero, {zero, zero}, zero, zero};
    ContactExtra* extra = extra_of(contacts, i);
    if (extra)
      *extra = {false, false, zero, zero, {zero, zero, zero}, {zero, zero, zero}, {zero, zero}};
    for (int lane = 0; lane < k_wide; ++lane) load_lane(batch, point, extra, lane, bodies, list);
    const PairW pair = load_pair(bodies, batch);
    const Vec3W tangent2 = cross(batch.normal, batch.tangent);
    if (extra) {
      extra->turn_mass[0] = turning_mass(pair, batch.tangent);
      extra->turn_mass[1] = turning_mass(pair, tangent2);
      extra->turn_mass[2] = turning_mass(pair, batch.normal);
    }
    for (int k = 0; k < batch.points; ++k) {
      point[k].separation = point[k].start;
      point[k].normal_mass = effective_mass(pair, point[k], batch.normal);
      point[k].tangent_mass[0] = effective_mass(pair, point[k], batch.tangent);
      point[k].tangent_mass[1] = effective_mass(pair, point[k], tangent2);
    }
  }
}

void start_from_now(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                    const RigidBodies& bodies) {
  for (std::int32_t i = begin; i < end; ++i) {
    const ContactBatch& batch = contacts.batch[i];
    const ShiftW sa = load_shift(bodies, batch.a), sb = load_shift(bodies, batch.b);
    for (int k = 0; k < batch.points; ++k) {
      ContactPointW& c = contacts.point[batch.first_point + k];
      c.start = c.separation - parted(batch, c, sa, sb);
    }
  }
}

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

void finish_contacts(const ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                     ManifoldList& list) {
  for (std::int32_t i = begin; i < end; ++i) {
    const ContactBatch& batch = contacts.batch[i];
    for (int lane = 0; lane < k_wide; ++lane)
      if (batch.source[lane] >= 0) store_lane(contacts, batch, lane, list);
  }
}

void release_lane(ContactBatches& contacts, std::int32_t index, int lane, ManifoldList& list) {
  ContactBatch& batch = contacts.batch[index];
  store_lane(contacts, batch, lane, list);
  batch.source[lane] = -1;
  batch.writes_a &= ~(1u << lane);
  batch.writes_b &= ~(1u << lane);
  batch.restitution[lane] = 0;
  set_lane(batch.normal, lane, {});
  set_lane(batch.tangent, lane, {});
  set_lane(batch.impulse, lane, {});
  if (ContactExtra* extra = extra_of(contacts, index)) {
    extra->rolling[lane] = extra->spinning[lane] = 0;
    for (int k = 0; k < 3; ++k) extra->turn_mass[k][lane] = extra->turn_impulse[k][lane] = 0;
    extra->surface_velocity[0][lane] = extra->surface_velocity[1][lane] = 0;
  }
  for (int k = 0; k < batch.points; ++k) {
    ContactPointW& c = contacts.point[batch.first_point + k];
    c.start[lane] = c.separation[lane] = 0;
    c.normal_mass[lane] = c.tangent_mass[0][lane] = c.tangent_mass[1][lane] = 0;
    c.normal_impulse[lane] = c.tangent_impulse[0][lane] = c.tangent_impulse[1][lane] = 0;
  }
}

}  // namespace pliant
