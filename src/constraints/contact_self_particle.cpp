#include "constraints/contact_self_particle.h"

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

const Vec3W k_nowhere{};
// Times what they keep: further apart, two will not be brought together by other contacts.
constexpr Real k_live = Real(1.05);

// What friction does beyond what it has done already in this substep.
Vec3W friction(SelfPairBatch& b, const Vec3W& moved, const Vec3W& normal, RealW weight,
               RealW loading, Real friction_static, Real friction_kinetic) {
  const Vec3W slip = moved - normal * dot(moved, normal);
  const Vec3W wanted = b.rubbed - slip * (splat(1) / weight);
  const RealW size = sqrt(dot(wanted, wanted));
  const MaskW sticks = size <= friction_static * loading;
  const RealW slides = friction_kinetic * loading / max(size, splat(k_tiny));
  const Vec3W now = wanted * select(sticks, splat(1), min(slides, splat(1)));
  const Vec3W change = select(loading > 0, now - b.rubbed, k_nowhere);
  b.rubbed = b.rubbed + change;
  return change;
}

// Nearer than half of what they keep, on the straight way from `before` to `now`.
MaskW have_passed(const Vec3W& before, const Vec3W& now, RealW kept) {
  const MaskW turned = dot(before, now) < 0;
  if (!any(turned)) return turned;
  const Vec3W way = now - before;
  const RealW share = -dot(before, way) / max(dot(way, way), splat(k_tiny));
  const Vec3W nearest = before + way * share;
  return turned & (dot(nearest, nearest) < splat(Real(0.25)) * kept * kept);
}

}  // namespace

void refresh_self_pairs(SelfPairBatch& b, const Particles& particles, Real pushed) {
  const auto between = [&](const std::vector<Vec4>& array) {
    return gather(array.data(), b.i.data()).xyz() - gather(array.data(), b.j.data()).xyz();
  };
  const Vec3W now = b.base + between(particles.d);
  b.before = b.base + between(particles.d_before);
  b.passed = have_passed(b.before, now, b.kept);
  const RealW live = splat(k_live) * b.kept;
  b.live = any(b.passed | (dot(now, now) < live * live));
  if (!b.live) return;
  b.target = min(b.kept, sqrt(dot(b.before, b.before)) + splat(pushed));
  b.multiplier = splat(0);
  b.rubbed = k_nowhere;
}

void project_self_pairs(SelfPairBatch& b, Real friction_static, Real friction_kinetic,
                        Particles& particles) {
  Vec4W di = gather(particles.d.data(), b.i.data()), dj = gather(particles.d.data(), b.j.data());
  const Vec3W now = b.base + (di.xyz() - dj.xyz());
  const Vec3W along = select(b.passed, b.before, now);
  const RealW zero = splat(0), size = sqrt(dot(along, along));
  const Vec3W normal = along * (splat(1) / max(size, splat(k_tiny)));
  const RealW missing = b.target - dot(normal, now), weight = di.w + dj.w;
  const MaskW acts = ((missing > 0) | (b.multiplier > 0)) & (weight > k_tiny) & (size > Real(1e-9));
  if (!any(acts)) return;
  const RealW safe_weight = max(weight, splat(k_tiny));
  const RealW change = select(acts, max(missing / safe_weight, -b.multiplier), zero);
  b.multiplier += change;
  shift_apart(dj, di, change, normal);
  if (friction_static > 0) {
    const Vec4W before_i = gather(particles.d_before.data(), b.i.data()),
                before_j = gather(particles.d_before.data(), b.j.data());
    const Vec3W moved = (di.xyz() - before_i.xyz()) - (dj.xyz() - before_j.xyz());
    const Vec3W rubbed = friction(b, moved, normal, safe_weight, select(acts, b.multiplier, zero),
                                  friction_static, friction_kinetic);
    shift_apart(dj, di, splat(1), rubbed);
  }
  scatter_lanes(particles.d.data(), b.i.data(), di, lane_bits(acts & (di.w > 0)));
  scatter_lanes(particles.d.data(), b.j.data(), dj, lane_bits(acts & (dj.w > 0)));
}

}  // namespace pliant
