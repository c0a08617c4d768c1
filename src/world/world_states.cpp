// What rigid bodies do: fly, rest, roll or slide.
//
// A body flies while nothing touches it, and through a bounce. Else what counts is how it moves
// against what carries it: it slides where the surfaces slip, rolls where they do not but the two
// turn against each other, and rests when neither has happened for a while. What carries a body are
// the contacts that push it against gravity; where there are none, all that it has.
#include <algorithm>
#include <cmath>

#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr double k_slow = 0.01;  // m/s; slower than this, surfaces neither slip nor turn
// s, for so long: what has landed rests sooner than what rolled or slid, which may go on.
constexpr double k_time_to_land = 0.03, k_time_to_rest = 0.1;

Grip grip_of(const RigidBodies& rigid, const BoxPair& pair, const Manifold& m) {
  const BodyMotion &a = rigid.motion[std::size_t(pair.a)], &b = rigid.motion[std::size_t(pair.b)];
  const Vec3R between = xyz(b.velocity) - xyz(a.velocity);
  Grip grip{m.impulse, m.normal};
  Real slip_sq = 0;
  for (int k = 0; k < m.count; ++k) {
    const ManifoldPoint& p = m.point[k];
    const Vec3R u = between + cross(xyz(b.spin), p.arm_b) - cross(xyz(a.spin), p.arm_a);
    const Real along = dot(u, m.normal);
    grip.parting = std::max(grip.parting, along);
    if (p.normal_impulse <= 0) continue;
    ++grip.loaded;
    slip_sq = std::max(slip_sq, length_sq(u - m.normal * along));
  }
  grip.slip = std::sqrt(slip_sq);
  grip.spin = length(xyz(b.spin) - xyz(a.spin));
  return grip;
}

double extent(const ShapeNumbers<Real>& s) {
  return s.kind == ShapeKind::half_space ? 0 : double(length(s.half)) + double(s.radius);
}

// Takes a contact into account that carries (or does not carry) the body.
void stand_on(Footing& footing, bool carries, double slip, double turning) {
  if (carries && !footing.supported) footing.slip = footing.turning = 0;
  if (footing.supported && !carries) return;
  footing.loaded = true;
  footing.supported |= carries;
  footing.slip = std::max(footing.slip, slip);
  footing.turning = std::max(footing.turning, turning);
}

}  // namespace

void World::Impl::find_grips() {
  const ManifoldList& list = state.manifolds;
  scratch.grips.resize(list.pairs.size());
  parallel_for(pool.get(), int(list.pairs.size()), 64, [&](int begin, int end) {
    for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n) {
      const Manifold& m = list.manifolds[n];
      scratch.grips[n] = m.impulse == Vec3R{} ? Grip{} : grip_of(state.rigid, list.pairs[n], m);
    }
  });
}

// From the contacts of rigid bodies, then from those with cloth and solids, whose surfaces are
// taken to stand still.
void World::Impl::find_footings() {
  const RigidBodies& rigid = state.rigid;
  std::vector<Footing>& footings = scratch.footings;
  footings.resize(std::size_t(rigid.size()));
  for (const std::int32_t i : rigid.movable) footings[std::size_t(i)] = {};
  const auto add = [&](std::int32_t i, const Vec3& push, double slip, double turning) {
    if (rigid.dynamic(i))
      stand_on(footings[std::size_t(i)], dot(push, state.gravity) < 0, slip, turning);
  };
  for (std::size_t n = 0; n < state.manifolds.pairs.size(); ++n) {
    const BoxPair& pair = state.manifolds.pairs[n];
    const Grip& grip = scratch.grips[n];
    if (grip.impulse == Vec3R{}) continue;
    for (const std::int32_t i : {pair.a, pair.b}) {
      Footing& footing = footings[std::size_t(i)];
      footing.touched = true;
      footing.parting = std::max(footing.parting, double(grip.parting));
    }
    if (grip.loaded == 0) continue;
    const Vec3 normal = cast<double>(grip.normal);
    const double slip = double(grip.slip), spin = double(grip.spin);
    add(pair.a, -normal, slip, spin * extent(rigid.shape[std::size_t(pair.a)]));
    add(pair.b, normal, slip, spin * extent(rigid.shape[std::size_t(pair.b)]));
  }
  for (std::size_t n = 0; n < state.slots.pairs.size(); ++n) {
    const ContactPair& pair = state.slots.pairs[n];
    if (pair.rigid < 0 || !scratch.pair_loads[n].touched) continue;
    footings[std::size_t(pair.rigid)].touched = true;
    if (pair.loaded == 0) continue;
    const BodyMotion& m = rigid.motion[std::size_t(pair.rigid)];
    add(pair.rigid, cast<double>(scratch.pair_loads[n].reaction), double(length(xyz(m.velocity))),
        double(length(xyz(m.spin))) * extent(rigid.shape[std::size_t(pair.rigid)]));
  }
}

void World::Impl::update_states(double dt) {
  RigidBodies& rigid = state.rigid;
  for (const std::int32_t n : rigid.movable) {
    const std::size_t i = std::size_t(n);
    if (!rigid.dynamic(n) || rigid.removed[i]) continue;
    const Footing& footing = scratch.footings[i];
    BodyStatus& status = rigid.status[i];
    const BodyState before = status.state;
    const bool slips = footing.slip > k_slow, turns = footing.turning > k_slow;
    status.slow = footing.loaded && !slips && !turns ? status.slow + dt : 0;
    if (!rigid.awake[i]) {
      status.state = BodyState::rest;
    } else if (!footing.touched || (!footing.loaded && footing.parting > def.restitution_speed)) {
      status.state = BodyState::flight;
    } else if (footing.loaded) {
      if (slips)
        status.state = BodyState::sliding;
      else if (turns)
        status.state = BodyState::rolling;
      else if (status.slow >= (before == BodyState::flight ? k_time_to_land : k_time_to_rest))
        status.state = BodyState::rest;
    }
    if (status.state == before) continue;
    events.push_back({.kind = EventKind::state,
                      .a = any_id(rigid.key[i]),
                      .b = {},
                      .time = state.time,
                      .from = before,
                      .to = status.state});
  }
}

BodyState World::state(BodyId id) const {
  return impl_->state.rigid.status[std::size_t(impl_->bodies[id])].state;
}

std::vector<BodyId> World::supports(BodyId id) const {
  const State& state = impl_->state;
  const std::uint32_t key = state.rigid.key[std::size_t(impl_->bodies[id])];
  std::vector<BodyId> found;
  for (const Touch& touch : state.touching) {
    const std::uint32_t low = std::uint32_t(touch.key >> 32), high = std::uint32_t(touch.key);
    if (low != key && high != key) continue;
    const Vec3 push = high == key ? touch.force : -touch.force;
    if (dot(push, state.gravity) >= 0) continue;
    const std::int32_t other = impl_->node_of(high == key ? low : high);
    if (other >= 0 && other < state.rigid.size()) found.push_back(impl_->bodies.id_of(other));
  }
  return found;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
