// Resistance to rolling and spinning: torques on both bodies of a contact that oppose how they turn
// against each other, at most the load times a length. And where the extras of a batch are.
#pragma once

#include "constraints/contact_pair_wide.h"
#include "model/surface_pair.h"

namespace pliant {

inline ContactExtra* extra_of(ContactBatches& contacts, std::int32_t batch) {
  return contacts.extra.empty() ? nullptr : &contacts.extra[std::size_t(batch)];
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

inline RealW turning_mass(const PairW& p, const Vec3W& axis) {
  const RealW k = dot(axis, p.a.inverse_inertia * axis) + dot(axis, p.b.inverse_inertia * axis);
  return select(k > splat(0), splat(1) / select(k > splat(0), k, splat(1)), splat(0));
}

inline void load_extra(ContactExtra& extra, int lane, const SurfacePair& surface,
                       const ContactTerms& terms, const Manifold& m) {
  extra.rolling[lane] = Real(surface.rolling_resistance);
  extra.spinning[lane] = Real(surface.spinning_resistance);
  extra.turns = extra.turns || surface.rolling_resistance > 0 || surface.spinning_resistance > 0;
  extra.slides = extra.slides || terms.surface_velocity != Vec3R{};
  extra.surface_velocity[0][lane] = dot(terms.surface_velocity, m.tangent[0]);
  extra.surface_velocity[1][lane] = dot(terms.surface_velocity, m.tangent[1]);
}

}  // namespace pliant
