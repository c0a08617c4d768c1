// What leaves the box that it was searched with is searched again before the next substep: its own
// pairs only, so that nobody else's contacts change.
#include <algorithm>

#include "broadphase/sweep.h"
#include "solver/contact_stages.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// How far the furthest point of a body is from where it was at the search, at most (m).
Real moved_by(const RigidBodies& rigid, std::size_t i) {
  const Vec4& q = rigid.shift[i].turned;
  const ShapeNumbers<Real>& s = rigid.shape[i];
  const Real turn = 2 * length(Vec3R{q.x, q.y, q.z}) * length(s.half);
  return length(xyz(rigid.shift[i].moved)) + turn;
}

// Appends the contacts that `from` has of a pair of bodies.
void copy_pairs(const ContactSlots& from, std::uint64_t key, ContactSlots& to) {
  for (const ContactPair& old : from.pairs) {
    if (old.key != key) continue;
    const std::int32_t index = std::int32_t(to.pairs.size());
    ContactPair pair = old;
    pair.batch_begin = std::int32_t(to.batches.size());
    pair.slot_begin = std::int32_t(to.slots.size());
    for (std::int32_t b = old.batch_begin; b < old.batch_end; ++b) {
      to.batches.push_back(from.batches[std::size_t(b)]);
      to.batches.back().pair = index;
    }
    for (std::int32_t s = old.slot_begin; s < old.slot_end; ++s) {
      ContactSlot slot = from.slots[std::size_t(s)];
      const auto first = from.candidates.begin() + slot.first;
      slot.pair = index;
      slot.first = std::int32_t(to.candidates.size());
      to.candidates.insert(to.candidates.end(), first, first + slot.count);
      to.slots.push_back(slot);
    }
    pair.batch_end = std::int32_t(to.batches.size());
    pair.slot_end = std::int32_t(to.slots.size());
    to.pairs.push_back(pair);
  }
}

}  // namespace

// Marks, in scratch.left, the nodes that are outside; returns how many.
int World::Impl::find_left(double dt_left) {
  RigidBodies& rigid = state.rigid;
  const std::size_t rigid_count = std::size_t(rigid.size()), count = state.deformables.size();
  scratch.left.assign(rigid_count + count, 0);
  parallel_for(pool.get(), int(count), 1, [&](int begin, int end) {
    for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n) {
      const Deformable& body = state.deformables[n];
      if (awake(body))
        scratch.left[rigid_count + n] = left_sweep(state.particles, body, scratch.swept[n]);
    }
  });
  for (std::size_t i = 0; i < rigid_count; ++i) {
    if (!rigid.dynamic(std::int32_t(i)) || !rigid.awake[i]) continue;
    const Real moved = moved_by(rigid, i);
    if (moved <= rigid.reach[i] + Real(def.contact_margin)) continue;
    scratch.left[i] = 1;
    const Real speed = length(xyz(rigid.motion[i].velocity)) +
                       length(xyz(rigid.motion[i].spin)) * length(rigid.shape[i].half);
    rigid.reach[i] =
        moved + speed * Real(dt_left) + Real(length(state.gravity) * dt_left * dt_left);
  }
  return int(std::count(scratch.left.begin(), scratch.left.end(), 1));
}

void World::Impl::search_again(double dt_left) {
  if (state.deformables.empty() || alone()) return;
  const int left = find_left(dt_left);
  if (left == 0) return;
  report.searched_again += left;
  const SearchContext context{dt_left, def.contact_margin, state.gravity};
  const std::int32_t rigid_count = state.rigid.size();
  for (std::size_t n = 0; n < state.deformables.size(); ++n)
    if (scratch.left[std::size_t(rigid_count) + n])
      sweep_surface(state.particles, state.deformables[n], context, scratch.swept[n]);
  box_everything();
  find_pairs_sweep({scratch.boxes.boxes, scratch.keys, scratch.boxes.moves, scratch.boxes.planes},
                   scratch.sweep, scratch.pairs);
  // Copied, not swapped: each list keeps the memory that it has grown to.
  scratch.slots = state.slots;
  scratch.old_loads = scratch.pair_loads;
  state.slots.clear();
  scratch.pair_loads.clear();
  for (const BoxPair& pair : scratch.pairs) {
    if (pair.a < rigid_count && pair.b < rigid_count) continue;
    const std::size_t begin = state.slots.pairs.size();
    if (scratch.left[std::size_t(pair.a)] || scratch.left[std::size_t(pair.b)])
      search_pair(pair, context);
    else
      copy_pairs(scratch.slots, pair.key, state.slots);
    carry_loads(pair.key, begin);
  }
  wake_slots();
  order_slots();
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
