// Eight pairs of rigid bodies in registers, as the loops over their contacts see them.
#pragma once

#include "constraints/contact_rigid.h"

namespace pliant {

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

inline constexpr int k_motion_stride = int(sizeof(BodyMotion) / sizeof(Vec4));
inline constexpr int k_shift_stride = int(sizeof(BodyShift) / sizeof(Vec4));

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

}  // namespace pliant
