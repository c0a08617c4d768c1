// What leaves the box that it was searched with is searched again before the next substep: its own
// pairs only, so that nobody else's contacts change. So is a rigid body that has turned so far that
// the sides found at the search are no longer those that meet.
#include <algorithm>
#include <atomic>

#include "narrowphase/rigid_contacts.h"
#include "solver/contact_stages.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// Half the angle in radians, nearly. A rod passes a post when it turns by 0.7 in one search.
constexpr Real k_turn = Real(0.125);

// Whether a body may be where its search did not look; reach is what was foreseen (m).
bool is_outside(const RigidBodies& rigid, std::size_t i, Real margin) {
  const ShapeNumbers<Real>& s = rigid.shape[i];
  if (s.kind == ShapeKind::half_space) return false;
  const Real limit = rigid.reach[i] + margin;
  const Vec3R moved = xyz(rigid.shift[i].moved);
  if (s.kind == ShapeKind::sphere) return length_sq(moved) > limit * limit;
  Vec3R turned = xyz(rigid.shift[i].turned);
  const Vec3R& axis = rigid.axes[i].row[1];
  if (is_round_about_y(s.kind)) turned -= dot(turned, axis) * axis;  // rolling changes nothing
  if (length_sq(turned) > k_turn * k_turn) return true;
  return length(moved) + 2 * length(turned) * length(s.half) > limit;
}

}  // namespace

// Marks, in scratch.left, the nodes that are outside; returns how many.
int World::Impl::find_left(double dt_left) {
  RigidBodies& rigid = state.rigid;
  const std::size_t rigid_count = std::size_t(rigid.size()), count = state.deformables.size();
  scratch.left.assign(rigid_count + count, 0);
  int left = 0;
  each_body([&](std::size_t n, TaskPool* inner) {
    const Deformable& body = state.deformables[n];
    if (awake(body))
      scratch.left[rigid_count + n] = left_sweep(state.particles, body, scratch.swept[n], inner);
  });
  const Real margin = Real(def.contact_margin);
  std::atomic<int> outside = 0;
  parallel_for(pool.get(), int(rigid.movable.size()), 512, [&](int begin, int end) {
    for (const std::int32_t n : movable(begin, end)) {
      const std::size_t i = std::size_t(n);
      if (!rigid.dynamic(n) || !rigid.awake[i] || rigid.ordered[i] || !is_outside(rigid, i, margin))
        continue;
      scratch.left[i] = 1;
      ++outside;
      rebase_bodies(rigid, n, n + 1, dt_left, state.gravity);
    }
  });
  left += outside;
  for (std::size_t n = 0; n < count; ++n) left += scratch.left[rigid_count + n];
  return left;
}

void World::Impl::search_again(double h, double dt_left) {
  if (alone()) return;
  const int left = find_left(dt_left);
  if (left == 0) return;
  report.searched_again += left;
  take_due_velocities(h);
  note_sleepers();
  // Whatever they wake has neighbours of its own.
  do search_left(dt_left);
  while (mark_woken(dt_left));
}

void World::Impl::note_sleepers() {
  const std::size_t rigid_count = std::size_t(state.rigid.size());
  scratch.slept.assign(rigid_count + state.deformables.size(), 0);
  for (const std::int32_t i : state.rigid.movable)
    scratch.slept[std::size_t(i)] = !state.rigid.awake[std::size_t(i)];
  for (std::size_t n = 0; n < state.deformables.size(); ++n)
    scratch.slept[rigid_count + n] = !awake(state.deformables[n]);
}

// What the search of the step woke was not yet searched with what stands still: without the floor
// below it, it would fall for a step.
void World::Impl::search_woken(double dt) {
  if (alone()) return;
  scratch.left.assign(std::size_t(state.rigid.size()) + state.deformables.size(), 0);
  while (mark_woken(dt)) search_left(dt);
}

// Adds those that woke since the search began to what is searched.
bool World::Impl::mark_woken(double dt_left) {
  const std::size_t rigid_count = std::size_t(state.rigid.size());
  bool any = false;
  const auto woke = [&](std::size_t n, bool is_awake) {
    if (!scratch.slept[n] || !is_awake) return false;
    scratch.slept[n] = 0;
    scratch.left[n] = 1;
    return any = true;
  };
  for (const std::int32_t i : state.rigid.movable)
    if (woke(std::size_t(i), state.rigid.awake[std::size_t(i)] != 0))
      rebase_bodies(state.rigid, i, i + 1, dt_left, state.gravity);
  for (std::size_t n = 0; n < state.deformables.size(); ++n)
    woke(rigid_count + n, awake(state.deformables[n]));
  return any;
}

bool World::Impl::has_left(const BoxPair& pair) const {
  return scratch.left[std::size_t(pair.a)] || scratch.left[std::size_t(pair.b)];
}

void World::Impl::search_left(double dt_left) {
  const SearchContext context{dt_left, def.contact_margin, state.gravity};
  const std::int32_t rigid_count = state.rigid.size();
  for (SweptSurface& swept : scratch.swept) swept.longest = 0;
  each_body([&](std::size_t n, TaskPool* inner) {
    if (scratch.left[std::size_t(rigid_count) + n])
      sweep_surface(state.particles, state.deformables[n], context, inner, scratch.swept[n]);
  });
  box_everything();
  list_box_pairs();
  part_ordered();
  search_rigid_left(dt_left);
  // Copied, not swapped: each list keeps the memory that it has grown to.
  scratch.slots = state.slots;
  scratch.old_loads = scratch.pair_loads;
  remember_sides();
  state.slots.clear();
  scratch.pair_loads.clear();
  std::size_t next_soft = 0;
  search_soft_pairs(context, true);
  for (const BoxPair& pair : scratch.pairs) {
    if (pair.a < rigid_count && pair.b < rigid_count) continue;
    const std::size_t begin = state.slots.pairs.size();
    if (has_left(pair))
      take_pair(pair, context, next_soft);
    else
      copy_pairs(scratch.slots, pair.key, state.slots);
    carry_loads(pair.key, begin);
  }
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    const Deformable& body = state.deformables[n];
    if (!meets_itself(body)) continue;
    const std::uint64_t key = std::uint64_t(body.key) << 32 | body.key;
    const std::size_t begin = state.slots.pairs.size();
    if (scratch.left[std::size_t(rigid_count) + n])
      search_self(std::int32_t(n), context);
    else
      copy_pairs(scratch.slots, key, state.slots);
    carry_loads(key, begin);
  }
  recall_sides();
  wake_slots();
  order_slots();
}

// Contacts of rigid bodies that left go out of their batches, their impulses into their manifolds.
void World::Impl::release_left() {
  for (std::size_t n = 0; n < scratch.batches.batch.size(); ++n) {
    const ContactBatch& batch = scratch.batches.batch[n];
    for (int lane = 0; lane < k_wide; ++lane) {
      const std::int32_t source = batch.source[lane];
      if (source >= 0 && has_left(state.manifolds.pairs[std::size_t(source)]))
        release_lane(scratch.batches, std::int32_t(n), lane, state.manifolds);
    }
  }
}

// Appends a pair with a compound or a mesh as often as it has manifolds now. What it did so far in
// this step is kept by the first.
void World::Impl::list_composite(const BoxPair& pair) {
  const std::span<const Manifold> old = manifolds_of(scratch.manifolds, pair);
  const std::size_t first = scratch.composites.size();
  if (has_left(pair)) {
    find_composite_contacts(state.rigid, pair, old, Real(def.contact_margin), true,
                            scratch.composites);
    Vec3R impulse;
    for (const Manifold& m : old) impulse += m.impulse;
    if (impulse != Vec3R{} && scratch.composites.size() == first) scratch.composites.emplace_back();
    if (impulse != Vec3R{}) scratch.composites[first].impulse = impulse;
  } else {
    scratch.composites.insert(scratch.composites.end(), old.begin(), old.end());
  }
  state.manifolds.pairs.insert(state.manifolds.pairs.end(), scratch.composites.size() - first,
                               pair);
}

// The pairs now, into state.manifolds; those that were go to scratch.manifolds. A pair that has
// acted in this step stays, so that it is reported, even where it is out of reach.
void World::Impl::list_rigid_pairs() {
  const std::int32_t rigid_count = state.rigid.size();
  std::swap(state.manifolds, scratch.manifolds);
  std::vector<BoxPair>& now = state.manifolds.pairs;
  const ManifoldList& before = scratch.manifolds;
  now.clear();
  scratch.composites.clear();
  for (const BoxPair& pair : scratch.pairs) {
    if (pair.a >= rigid_count || pair.b >= rigid_count) continue;
    if (is_composite_pair(state.rigid, pair))
      list_composite(pair);
    else
      now.push_back(pair);
  }
  const auto by_key = [](const BoxPair& a, const BoxPair& b) { return a.key < b.key; };
  const std::size_t found = now.size();
  for (std::size_t n = 0; n < before.pairs.size(); ++n)
    if (before.manifolds[n].impulse != Vec3R{} &&
        !is_composite_pair(state.rigid, before.pairs[n]) &&
        !std::binary_search(now.begin(), now.begin() + std::ptrdiff_t(found), before.pairs[n],
                            by_key))
      now.push_back(before.pairs[n]);
  std::sort(now.begin(), now.end(), by_key);
  state.manifolds.match.resize(now.size());
  match_pairs(before.pairs, now, 0, now.size(), state.manifolds.match);
  state.manifolds.manifolds.resize(now.size());
  if (!scratch.composites.empty()) place_composites();
  state.manifolds.terms.resize(contact_rule ? now.size() : 0);
}

// The part of search_rigid_left for a manifold of a composite pair, which has been found already.
void World::Impl::follow_composite(std::size_t n, std::int32_t again, double dt_left) {
  ManifoldList& now = state.manifolds;
  const BoxPair& pair = now.pairs[n];
  const Manifold& m = now.manifolds[n];
  const std::int32_t match = now.match[n];
  if (match >= 0) scratch.closing[n] = scratch.old_closing[std::size_t(match)];
  if (!has_left(pair)) {
    scratch.now_at[std::size_t(match + again)] = std::int32_t(n);
    return;
  }
  if (contact_rule) ask_rule(n);
  bool closes = false;
  const Real speed = closing_speed(pair, m, dt_left, closes);
  if (match < 0 || m.impulse == Vec3R{}) scratch.closing[n] = speed;
  if (closes) wake_meeting(pair.a, pair.b);
  if (m.count > 0) append_to_tail(now, std::int32_t(n), scratch.colours, scratch.batches);
}

// Pairs of two rigid bodies. Those that are searched again get batches of their own at the end; all
// others keep theirs to the last bit.
void World::Impl::search_rigid_left(double dt_left) {
  release_left();
  list_rigid_pairs();
  ManifoldList &now = state.manifolds, &before = scratch.manifolds;
  scratch.old_closing = scratch.closing;
  scratch.closing.resize(now.pairs.size());
  scratch.now_at.assign(before.pairs.size(), -1);
  const std::int32_t first_new = std::int32_t(scratch.batches.batch.size());
  std::int32_t again = 0;  // how often the pair has come before: composite pairs come several times
  for (std::size_t n = 0; n < now.pairs.size(); ++n) {
    again = n > 0 && now.pairs[n].key == now.pairs[n - 1].key ? again + 1 : 0;
    if (is_composite_pair(state.rigid, now.pairs[n])) {
      follow_composite(n, again, dt_left);
      continue;
    }
    const std::int32_t match = now.match[n];
    const Manifold* old = match >= 0 ? &before.manifolds[std::size_t(match)] : nullptr;
    if (old) {
      scratch.now_at[std::size_t(match)] = std::int32_t(n);
      scratch.closing[n] = scratch.old_closing[std::size_t(match)];
    }
    const BoxPair& pair = now.pairs[n];
    Manifold& m = now.manifolds[n];
    if (old && !has_left(pair)) {
      m = *old;
      continue;
    }
    find_contact_now(state.rigid, pair, old, Real(def.contact_margin), m);
    if (contact_rule) ask_rule(n);
    bool closes = false;
    const Real speed = closing_speed(pair, m, dt_left, closes);
    if (old) m.impulse = old->impulse;
    if (m.impulse == Vec3R{}) scratch.closing[n] = speed;
    if (closes) wake_meeting(pair.a, pair.b);
    if (m.count > 0) append_to_tail(now, std::int32_t(n), scratch.colours, scratch.batches);
  }
  const std::int32_t end = std::int32_t(scratch.batches.batch.size());
  for (std::int32_t n = 0; n < first_new; ++n)
    for (std::int32_t& source : scratch.batches.batch[std::size_t(n)].source)
      if (source >= 0) source = scratch.now_at[std::size_t(source)];
  size_extras();
  prepare_contacts(scratch.batches, first_new, end, state.rigid, now);
  note_bounces(first_new);
  start_from_now(scratch.batches, first_new, end, state.rigid);
  for (std::int32_t n = first_new; n < end; ++n) {
    ContactBatch& batch = scratch.batches.batch[std::size_t(n)];
    const Vec3R& sum = now.manifolds[std::size_t(batch.source[0])].impulse;
    batch.impulse.x[0] = sum.x, batch.impulse.y[0] = sum.y, batch.impulse.z[0] = sum.z;
  }
}

// What the pairs of a key have done so far in the step goes on with the new ones, from `begin` on.
void World::Impl::carry_loads(std::uint64_t key, std::size_t begin) {
  std::vector<ContactPair>& pairs = state.slots.pairs;
  scratch.pair_loads.resize(pairs.size());
  for (std::size_t old = 0; old < scratch.slots.pairs.size(); ++old) {
    ContactPair before = scratch.slots.pairs[old];
    if (before.key != key) continue;
    std::size_t now = begin;
    while (now < pairs.size() && pairs[now].body != before.body) ++now;
    if (now == pairs.size()) {  // out of reach now: kept without contacts
      before.batch_begin = before.batch_end = std::int32_t(state.slots.batches.size());
      before.slot_begin = before.slot_end = std::int32_t(state.slots.slots.size());
      pairs.push_back(before);
      scratch.pair_loads.emplace_back();
    }
    scratch.pair_loads[now] = scratch.old_loads[old];
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
