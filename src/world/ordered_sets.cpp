// Which bodies may meet in a step, as sets: found before the step, for good. No body gets more
// energy than its set has, which bounds how far each can come, whatever hits it.
#include <algorithm>
#include <cmath>

#include "broadphase/sweep.h"
#include "core/root_of.h"
#include "narrowphase/rigid_contacts.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr double k_turned = 0.05;  // of the thickness
// Bodies of a set that is ordered only because some of them turn fast: what it costs grows with the
// square of their number.
constexpr std::int32_t k_most_unasked = 8;

void join(std::vector<std::int32_t>& parent, std::int32_t a, std::int32_t b) {
  const std::int32_t p = root_of(parent, a), q = root_of(parent, b);
  parent[std::size_t(std::max(p, q))] = std::min(p, q);
}

}  // namespace

// Whether some body turns so far in a step that it may pass with one of its sides, in one substep,
// through something that it was found to meet with another.
bool World::Impl::find_turners(double dt) {
  const double h = dt / def.substeps;
  const RigidBodies& rigid = state.rigid;
  const auto moves = [&](std::size_t i) {
    return rigid.dynamic(std::int32_t(i)) && rigid.awake[i];
  };
  double fastest = 0;
  for (const std::int32_t n : rigid.movable)
    if (moves(std::size_t(n))) fastest = std::max(fastest, top_speed(rigid, std::size_t(n)));
  for (const std::int32_t n : rigid.movable) {
    const std::size_t i = std::size_t(n);
    if (!moves(i)) continue;
    const double thick = thickness(rigid, i), turned = turning_speed(rigid, i) * dt;
    if (turned > k_turned * thick && (top_speed(rigid, i) + fastest) * h > thick) return true;
  }
  return false;
}

bool World::Impl::may_turn_through(const BoxPair& pair, double dt) const {
  const double h = dt / def.substeps;
  const std::size_t a = std::size_t(pair.a), b = std::size_t(pair.b);
  const double thin = thickness(state.rigid, a) + thickness(state.rigid, b);
  const double turned = (turning_speed(state.rigid, a) + turning_speed(state.rigid, b)) * dt;
  return turned > k_turned * thin &&
         (top_speed(state.rigid, a) + top_speed(state.rigid, b)) * h > thin;
}

// Bodies that a pair, a joint or an anchor connects. Those that particles may touch are not wanted.
void World::Impl::join_ordered(double dt, bool turners) {
  Ordered& ordered = scratch.ordered;
  const RigidBodies& rigid = state.rigid;
  const std::int32_t count = rigid.size();
  ordered.parent.resize(std::size_t(count));
  for (std::int32_t i = 0; i < count; ++i) ordered.parent[std::size_t(i)] = i;
  const auto moves = [&](std::int32_t i) { return i >= 0 && i < count && rigid.dynamic(i); };
  for (const BoxPair& pair : scratch.pairs)
    if (moves(pair.a) && moves(pair.b)) join(ordered.parent, pair.a, pair.b);
  for (const Joint& joint : state.joints)
    if (!joint.memory.broken && moves(joint.a.rigid) && moves(joint.b.rigid))
      join(ordered.parent, joint.a.rigid, joint.b.rigid);
  ordered.wanted.assign(std::size_t(count), 0);
  for (std::int32_t i = 0; i < count; ++i)
    if (moves(i) && (def.impacts == Impacts::ordered || body_defs[std::size_t(i)].ordered_impacts))
      ordered.wanted[std::size_t(root_of(ordered.parent, i))] = 1;
  if (!turners) return;
  ordered.size.assign(std::size_t(count), 0);
  for (std::int32_t i = 0; i < count; ++i)
    if (moves(i)) ++ordered.size[std::size_t(root_of(ordered.parent, i))];
  for (const BoxPair& pair : scratch.pairs) {
    if (pair.a >= count || pair.b >= count || !may_turn_through(pair, dt)) continue;
    for (const std::int32_t i : {pair.a, pair.b}) {
      if (!moves(i)) continue;
      const std::size_t root = std::size_t(root_of(ordered.parent, i));
      if (ordered.size[root] <= k_most_unasked) ordered.wanted[root] = 1;
    }
  }
}

// Sets that particles, anchors or joints with particles act on go the normal way.
void World::Impl::refuse_mixed_sets() {
  Ordered& ordered = scratch.ordered;
  const std::int32_t count = state.rigid.size();
  const auto refuse = [&](std::int32_t body) {
    if (body < 0 || body >= count || !state.rigid.dynamic(body)) return;
    std::uint8_t& wanted = ordered.wanted[std::size_t(root_of(ordered.parent, body))];
    report.not_ordered += wanted;
    wanted = 0;
  };
  for (const BoxPair& pair : scratch.pairs) {
    if (pair.a >= count) refuse(pair.b);
    if (pair.b >= count) refuse(pair.a);
  }
  for (const Anchor& anchor : state.anchors)
    for (const AnchorSide* side : {&anchor.a, &anchor.b}) refuse(side->rigid);
  for (const Joint& joint : state.joints)
    if (touches_particle(joint) && !joint.memory.broken)
      for (const AnchorSide* side : {&joint.a, &joint.b}) refuse(side->rigid);
}

// Whether a pair is for the sets: none of its sides moves in the normal way.
bool World::Impl::is_ordered(const BoxPair& pair) const {
  const std::int32_t count = state.rigid.size();
  if (pair.a >= count || pair.b >= count) return false;
  const auto apart = [&](std::int32_t i) {
    return state.rigid.ordered[std::size_t(i)] || !state.rigid.dynamic(i);
  };
  return (state.rigid.ordered[std::size_t(pair.a)] || state.rigid.ordered[std::size_t(pair.b)]) &&
         apart(pair.a) && apart(pair.b);
}

void World::Impl::find_ordered(double dt) {
  Ordered& ordered = scratch.ordered;
  std::fill(state.rigid.ordered.begin(), state.rigid.ordered.end(), std::uint8_t(0));
  ordered.used = ordered.pairs_used = 0;
  ordered.running = -1;
  if (scratch.pairs.empty()) return;
  const bool turners = find_turners(dt);
  if (def.impacts != Impacts::ordered && ordered_bodies == 0 && !turners) return;
  constexpr int k_rounds = 30;
  for (int round = 0; round < k_rounds; ++round) {
    join_ordered(dt, turners);
    report.not_ordered = 0;
    refuse_mixed_sets();
    if (!reach_of_sets(dt)) break;
    box_everything();
    list_box_pairs();
  }
  list_sets();
}

void World::Impl::list_sets() {
  Ordered& ordered = scratch.ordered;
  const RigidBodies& rigid = state.rigid;
  const std::int32_t count = rigid.size();
  ordered.set_of.assign(std::size_t(count), -1);
  ordered.travel.assign(std::size_t(count), 0);
  for (std::int32_t i = 0; i < count; ++i) {
    if (!rigid.ordered[std::size_t(i)]) continue;
    const std::size_t r = std::size_t(root_of(ordered.parent, i));
    if (r == std::size_t(i)) {  // the root comes first: it is the lowest
      if (ordered.sets.size() <= ordered.used) ordered.sets.emplace_back();
      OrderedSet& fresh = ordered.sets[ordered.used];
      fresh.bodies.clear();
      fresh.carried.clear();
      fresh.joints.clear();
      ordered.set_of[r] = std::int32_t(ordered.used++);
    }
    ordered.set_of[std::size_t(i)] = ordered.set_of[r];
    ordered.sets[std::size_t(ordered.set_of[r])].bodies.push_back(i);
  }
  for (std::size_t n = 0; n < state.joints.size(); ++n)
    for (const AnchorSide* side : {&state.joints[n].a, &state.joints[n].b})
      if (side->rigid >= 0 && ordered.set_of[std::size_t(side->rigid)] >= 0) {
        ordered.sets[std::size_t(ordered.set_of[std::size_t(side->rigid)])].joints.push_back(
            std::int32_t(n));
        break;
      }
  list_ordered_pairs();
}

// Moves the pairs of sets out of the common list, by set.
void World::Impl::list_ordered_pairs() {
  Ordered& ordered = scratch.ordered;
  const RigidBodies& rigid = state.rigid;
  const auto set_of = [&](const BoxPair& pair) {
    const std::int32_t a = ordered.set_of[std::size_t(pair.a)];
    return a >= 0 ? a : ordered.set_of[std::size_t(pair.b)];
  };
  std::vector<BoxPair> own;
  for (const BoxPair& pair : scratch.pairs)
    if (is_ordered(pair)) own.push_back(pair);
  part_ordered();
  std::stable_sort(own.begin(), own.end(),
                   [&](const BoxPair& a, const BoxPair& b) { return set_of(a) < set_of(b); });
  if (ordered.pairs.size() < own.size()) ordered.pairs.resize(own.size());
  ordered.pairs_used = own.size();
  for (std::size_t n = 0, set = 0; set < ordered.used; ++set) {
    ordered.sets[set].pair_begin = n;
    for (; n < own.size() && std::size_t(set_of(own[n])) == set; ++n) {
      OrderedPair& pair = ordered.pairs[n];
      pair.pair = own[n];
      pair.manifolds.clear();
      pair.touching = pair.met = false;
      pair.gap = 0;
      pair.impulse = {};
      pair.speed = 0;
      for (const std::int32_t i : {own[n].a, own[n].b})
        if (rigid.kind[std::size_t(i)] == Motion::kinematic) ordered.sets[set].carried.push_back(i);
    }
    ordered.sets[set].pair_end = n;
    std::vector<std::int32_t>& carried = ordered.sets[set].carried;
    std::sort(carried.begin(), carried.end());
    carried.erase(std::unique(carried.begin(), carried.end()), carried.end());
  }
}

void World::Impl::part_ordered() {
  if (scratch.ordered.used == 0) return;
  std::erase_if(scratch.pairs, [&](const BoxPair& pair) { return is_ordered(pair); });
}

// What the pairs of sets knew of each other in the step before.
void World::Impl::recall_ordered(const ManifoldList& before) {
  for (std::size_t n = 0; n < scratch.ordered.pairs_used; ++n) {
    OrderedPair& pair = scratch.ordered.pairs[n];
    const std::span<const Manifold> old = manifolds_of(before, pair.pair);
    pair.manifolds.assign(old.begin(), old.end());
  }
}

// At the end of a step: the manifolds of sets take their places in the common list.
void World::Impl::finish_ordered() {
  const Ordered& ordered = scratch.ordered;
  if (ordered.pairs_used == 0) return;
  struct Entry {
    BoxPair pair;
    Manifold manifold;
    Real closing;
  };
  std::vector<Entry> all;
  for (std::size_t n = 0; n < state.manifolds.pairs.size(); ++n)
    all.push_back({state.manifolds.pairs[n], state.manifolds.manifolds[n], scratch.closing[n]});
  for (std::size_t n = 0; n < ordered.pairs_used; ++n) {
    const OrderedPair& pair = ordered.pairs[n];
    const bool acted = pair.impulse != Vec3{};
    for (std::size_t k = 0; k < pair.manifolds.size() || (k == 0 && acted); ++k) {
      Manifold m = k < pair.manifolds.size() && pair.touching ? pair.manifolds[k] : Manifold{};
      m.impulse = k == 0 ? cast<Real>(pair.impulse) : Vec3R{};
      all.push_back({pair.pair, m, Real(pair.speed)});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Entry& a, const Entry& b) { return a.pair.key < b.pair.key; });
  state.manifolds.pairs.clear();
  state.manifolds.manifolds.clear();
  scratch.closing.clear();
  for (const Entry& entry : all) {
    state.manifolds.pairs.push_back(entry.pair);
    state.manifolds.manifolds.push_back(entry.manifold);
    scratch.closing.push_back(entry.closing);
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
