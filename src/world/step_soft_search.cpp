// The search of pairs with deformables, side by side where there are many, and the sides on which
// vertices were of open surfaces.
#include <algorithm>

#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {

// A pair with at least one deformable.
void World::Impl::search_pair(const BoxPair& pair, const SearchContext& context,
                              ContactSlots& slots) {
  const std::int32_t rigid_count = state.rigid.size();
  const std::int32_t a = pair.a - rigid_count, b = pair.b - rigid_count;
  const std::span<const Deformable> all = state.deformables;
  if (a < 0 || b < 0) {
    const std::int32_t body = a < 0 ? b : a, rigid = a < 0 ? pair.a : pair.b;
    search_rigid(state.particles, all, body, scratch.swept[std::size_t(body)], state.rigid, rigid,
                 context, slots);
    return;
  }
  if (!has_slots(all[std::size_t(a)], all[std::size_t(b)])) return;
  for (const auto& [body, other] : {std::pair{a, b}, std::pair{b, a}})
    search_deformable(state.particles, all, body, scratch.swept[std::size_t(body)], other,
                      scratch.swept[std::size_t(other)], context, slots);
}

// Whether the surfaces of two deformables have contacts of the common kind.
bool World::Impl::has_slots(const Deformable& a, const Deformable& b) const {
  if (a.kind == DeformableKind::cloth && b.kind == DeformableKind::cloth) return false;
  return !(meets_by_overlap(a) && meets_by_overlap(b)) && !is_parting(a, b);
}

// What was found of a pair side by side with others, the next of which is `next_soft`, or else is
// found now.
void World::Impl::take_pair(const BoxPair& pair, const SearchContext& context,
                            std::size_t& next_soft) {
  if (next_soft < scratch.soft_pairs.size() && scratch.soft_pairs[next_soft].key == pair.key)
    copy_pairs(scratch.soft_slots[next_soft++], pair.key, state.slots);
  else
    search_pair(pair, context, state.slots);
}

// Lists the pairs with deformables, of all or of those that have left their boxes, that are
// searched side by side. Large deformables meet rigid bodies in their turn: what is found of them
// would have to be copied.
void World::Impl::list_soft_pairs(bool only_left) {
  const std::int32_t rigid_count = state.rigid.size();
  scratch.soft_next.clear();
  scratch.soft_first.assign(state.deformables.size(), -1);
  scratch.detailed.assign(state.deformables.size(), 0);
  for (const BoxPair& pair : scratch.pairs) {
    const std::int32_t a = pair.a - rigid_count, b = pair.b - rigid_count;
    if ((a < 0 && b < 0) || (only_left && !has_left(pair))) continue;
    std::int32_t next = -1;
    if (a < 0 || b < 0) {
      const std::size_t body = std::size_t(std::max(a, b));
      if (state.deformables[body].count >= k_small_body) continue;
      next = scratch.soft_first[body];
      scratch.soft_first[body] = std::int32_t(scratch.soft_pairs.size());
    } else {
      const std::size_t m = std::size_t(a), n = std::size_t(b);
      if (!has_slots(state.deformables[m], state.deformables[n]) ||
          !meet(scratch.swept[m].all, scratch.swept[n].all))
        continue;
      scratch.detailed[m] = scratch.detailed[n] = 1;
    }
    scratch.soft_pairs.push_back(pair);
    scratch.soft_next.push_back(next);
  }
}

// Each into a list of its own: first what belongs to one deformable, then pairs of them. With one
// thread nothing is gained by that, and each is searched in its turn.
void World::Impl::search_soft_pairs(const SearchContext& context, bool only_left) {
  scratch.soft_pairs.clear();
  if (pool == nullptr || pool->threads() < 2) return;
  list_soft_pairs(only_left);
  const int count = int(scratch.soft_pairs.size());
  if (scratch.soft_slots.size() < std::size_t(count)) scratch.soft_slots.resize(std::size_t(count));
  const auto search = [&](std::size_t n) {
    scratch.soft_slots[n].clear();
    search_pair(scratch.soft_pairs[n], context, scratch.soft_slots[n]);
  };
  each_body([&](std::size_t n, TaskPool*) {
    if (scratch.detailed[n])
      detail_surface(state.particles, state.deformables[n], context, scratch.swept[n]);
    for (std::int32_t k = scratch.soft_first[n]; k >= 0; k = scratch.soft_next[std::size_t(k)])
      search(std::size_t(k));
  });
  const std::int32_t rigid_count = state.rigid.size();
  parallel_for(pool.get(), count, 1, [&](int begin, int end) {
    for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n)
      if (scratch.soft_pairs[n].a >= rigid_count && scratch.soft_pairs[n].b >= rigid_count)
        search(n);
  });
}

// Under `position`; cloths meet themselves as sheets.
bool World::Impl::meets_itself(const Deformable& body) const {
  return body.kind == DeformableKind::solid && body.self_contact && awake(body) &&
         !meets_by_overlap(body);
}

void World::Impl::search_self(std::int32_t body, const SearchContext& context) {
  SweptSurface& swept = scratch.swept[std::size_t(body)];
  search_deformable(state.particles, state.deformables, body, swept, body, swept, context,
                    state.slots);
}

// Gives the vertices that meet an open surface the sides that they had.
void World::Impl::recall_sides() {
  for (ContactSlot& slot : state.slots.slots) {
    const ContactPair& pair = state.slots.pairs[std::size_t(slot.pair)];
    if (slot.kind != ContactKind::vertex_triangle || slot.side != 0) continue;
    const std::uint32_t key = state.deformables[std::size_t(pair.body)].key;
    slot.side = find_side(state.sides, pair.key, key, slot.feature);
  }
}

// Those of the present slots, and those between bodies that sleep and were not searched.
void World::Impl::remember_sides() {
  const auto sleeps = [&](std::uint32_t key) {
    for (const Deformable& body : state.deformables)
      if (body.key == key) return !awake(body);
    return false;
  };
  std::erase_if(state.sides, [&](const RememberedSide& s) {
    return !sleeps(std::uint32_t(s.key >> 32)) || !sleeps(std::uint32_t(s.key));
  });
  for (const ContactSlot& slot : state.slots.slots) {
    if (slot.kind != ContactKind::vertex_triangle || slot.side == 0) continue;
    const ContactPair& pair = state.slots.pairs[std::size_t(slot.pair)];
    const std::uint32_t key = state.deformables[std::size_t(pair.body)].key;
    state.sides.push_back({pair.key, key, slot.feature, slot.side});
  }
  std::sort(state.sides.begin(), state.sides.end());
  const auto same = [](const RememberedSide& a, const RememberedSide& b) {
    return !(a < b) && !(b < a);
  };
  state.sides.erase(std::unique(state.sides.begin(), state.sides.end(), same), state.sides.end());
}

}  // namespace PLIANT_ABI
}  // namespace pliant
