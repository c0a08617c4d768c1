#include "solver/contact_stages.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "constraints/contact_vertex.h"
#include "math/trig.h"
#include "model/rigid_locks.h"
#include "solver/contact_order.h"

namespace pliant {
namespace {

constexpr int k_slot_grain = 32;  // some microseconds
constexpr int k_batch_grain = 16;

void project_rank(ContactSlots& slots, std::int32_t first, std::int32_t last, Particles& particles,
                  std::span<const BodyMotion> rigid, std::span<RigidPush> pushes, TaskPool* pool) {
  const auto batch = [&](int n) -> VertexBatch& {
    return slots.batches[std::size_t(slots.ranked[std::size_t(n)])];
  };
  parallel_for(pool, last - first, k_batch_grain, [&](int begin, int end) {
    for (int n = first + begin; n < first + end; ++n) {
      VertexBatch& b = batch(n);
      if (!b.live) continue;
      const ContactPair& pair = slots.pairs[std::size_t(b.pair)];
      if (pair.swept)
        project_batch(pair, b, particles, rigid, pushes);
      else
        b.reaction = {};
    }
  });
  for (int n = first; n < last; ++n) {
    const VertexBatch& b = batch(n);
    if (!b.live) continue;
    const ContactPair& pair = slots.pairs[std::size_t(b.pair)];
    add_reactions(pair, b, rigid, pushes[std::size_t(pair.rigid)]);
  }
}

void project_colour(ContactSlots& slots, std::int32_t first, std::int32_t last, bool conflicts,
                    Particles& particles, std::span<const BodyMotion> rigid,
                    std::span<RigidPush> pushes, std::vector<RigidReaction>& reactions,
                    std::span<const Support> support, TaskPool* pool) {
  parallel_for(conflicts ? nullptr : pool, last - first, k_slot_grain, [&](int begin, int end) {
    for (std::int32_t n = first + begin; n < first + end; ++n) {
      const std::size_t s = std::size_t(slots.coloured[std::size_t(n)]);
      ParticleContact& c = slots.contacts[s];
      reactions[s] = slots.pairs[std::size_t(c.pair)].swept
                         ? project_contact(c, particles, rigid, pushes, support)
                         : RigidReaction{};
    }
  });
  for (std::int32_t n = first; n < last; ++n) {
    const std::size_t s = std::size_t(slots.coloured[std::size_t(n)]);
    const ParticleContact& c = slots.contacts[s];
    const std::int32_t own = slots.pairs[std::size_t(c.pair)].rigid, r = own >= 0 ? own : c.behind;
    if (r >= 0) add_reaction(rigid[std::size_t(r)], c.arm, reactions[s], pushes[std::size_t(r)]);
  }
}

// No rigid side hears of these.
void project_units(ContactSlots& slots, Particles& particles, std::span<const BodyMotion> rigid,
                   std::span<RigidPush> pushes, TaskPool* pool) {
  each_phase(slots, pool, [&](const ContactUnit& unit) {
    for (std::int32_t n = unit.begin; n < unit.end; ++n) {
      ParticleContact& c = slots.contacts[std::size_t(slots.coloured[std::size_t(n)])];
      if (slots.pairs[std::size_t(c.pair)].swept) project_contact(c, particles, rigid, pushes, {});
    }
  });
}

// How many contacts of each dynamic body act in the coming sweep. Counted over all of them, not by
// colour: otherwise the first colour would carry most and tilt what lies on it.
void count_acting(const ContactSlots& slots, const Particles& particles,
                  std::span<RigidPush> pushes) {
  for (RigidPush& push : pushes) push.contacts = 0;
  for (const VertexBatch& b : slots.batches) {
    const ContactPair& pair = slots.pairs[std::size_t(b.pair)];
    if (b.live && pair.dynamic)
      pushes[std::size_t(pair.rigid)].contacts += count_acting(pair, b, particles, pushes);
  }
  for (const std::int32_t s : reacting(slots)) {
    const ParticleContact& c = slots.contacts[std::size_t(s)];
    if (c.rigid >= 0 && contact_acts(c, particles, pushes)) ++pushes[std::size_t(c.rigid)].contacts;
  }
}

void report(ContactPair& pair, Real gap, Real approach) {
  const Real depth = gap < 0 ? -gap : 0;
  ++pair.loaded;
  pair.approach = std::min(pair.approach, approach);
  pair.deepest = std::max(pair.deepest, depth);
  pair.depth_sum += depth;
}

// The same for the loaded lanes of a batch, of which most are no deeper than 0 and not the fastest.
void report(ContactPair& pair, const VertexBatch& b) {
  const unsigned used = (1u << b.lanes) - 1, loaded = lane_bits(b.multiplier > 0) & used;
  pair.loaded += std::popcount(loaded);
  unsigned lanes = loaded & lane_bits((b.gap < 0) | (b.approach < pair.approach));
  for (; lanes != 0; lanes &= lanes - 1) {
    const int k = std::countr_zero(lanes);
    --pair.loaded;
    report(pair, b.gap[k], b.approach[k]);
  }
}

}  // namespace

void rank_batches(ContactSlots& slots, std::int32_t deformables) {
  static thread_local std::vector<std::int32_t> ranks;
  ranks.assign(std::size_t(deformables), 0);
  std::int32_t count = 0;
  for (const bool dynamic : {true, false})
    for (ContactPair& pair : slots.pairs) {
      if (pair.batch_begin == pair.batch_end || pair.dynamic != dynamic) continue;
      pair.rank = ranks[std::size_t(pair.body)]++;
      count = std::max(count, pair.rank + 1);
    }
  slots.ranked.clear();
  slots.rank_begin.assign(1, 0);
  for (std::int32_t rank = 0; rank < count; ++rank) {
    for (const ContactPair& pair : slots.pairs)
      if (pair.rank == rank)
        for (std::int32_t b = pair.batch_begin; b < pair.batch_end; ++b) slots.ranked.push_back(b);
    slots.rank_begin.push_back(std::int32_t(slots.ranked.size()));
  }
}

namespace {

std::int32_t find_root(std::vector<std::int32_t>& parent, std::int32_t node) {
  while (parent[std::size_t(node)] != node) {
    parent[std::size_t(node)] = parent[std::size_t(parent[std::size_t(node)])];
    node = parent[std::size_t(node)];
  }
  return node;
}

}  // namespace

void group_pairs(std::span<const Deformable> bodies, const RigidBodies& rigid, int sweeps,
                 ContactSlots& slots, PairGroups& groups) {
  const std::int32_t rigid_count = rigid.size();
  std::vector<std::int32_t>& parent = groups.parent;
  parent.resize(std::size_t(rigid_count) + bodies.size());
  std::iota(parent.begin(), parent.end(), 0);
  groups.carried.assign(std::size_t(rigid_count), 0);
  for (const ContactPair& pair : slots.pairs) {
    const std::int32_t a = find_root(parent, rigid_count + pair.body);
    if (pair.other < 0 && !pair.dynamic) continue;
    const std::int32_t b =
        find_root(parent, pair.other >= 0 ? rigid_count + pair.other : pair.rigid);
    parent[std::size_t(std::max(a, b))] = std::min(a, b);
    if (pair.other < 0)
      groups.carried[std::size_t(pair.rigid)] += bodies[std::size_t(pair.body)].mass;
  }
  groups.shared.assign(parent.size(), 0);
  groups.pressed.assign(parent.size(), 0);
  const auto is_open = [&](std::int32_t n) { return !bodies[std::size_t(n)].surface.closed; };
  const auto is_shared = [&](const ContactPair& pair) {
    if (!pair.dynamic) return false;
    const std::size_t r = std::size_t(pair.rigid);
    return groups.carried[r] * double(rigid.motion[r].velocity.w) * k_heavy > 1;
  };
  for (ContactPair& pair : slots.pairs) {
    pair.group = find_root(parent, rigid_count + pair.body);
    if (is_shared(pair)) groups.shared[std::size_t(pair.group)] = 1;
    if (pair.other >= 0 && (is_open(pair.body) || is_open(pair.other)))
      groups.pressed[std::size_t(pair.group)] = 1;
  }
  groups.any_pressed = false;
  for (ContactPair& pair : slots.pairs) {
    const bool pressed = groups.pressed[std::size_t(pair.group)] != 0;
    const bool more = pressed || groups.shared[std::size_t(pair.group)] != 0;
    pair.sweeps = more ? std::max(sweeps, k_dynamic_sweeps) : sweeps;
    pair.full_sweeps = pressed || is_shared(pair) ? pair.sweeps : sweeps;
    groups.any_pressed |= pressed;
  }
}

int choose_swept(ContactSlots& slots, int sweep) {
  int most = 0;
  for (ContactPair& pair : slots.pairs) {
    pair.swept = sweep < pair.full_sweeps || sweep == pair.sweeps - 1;
    most = std::max(most, pair.sweeps);
  }
  return most;
}

namespace {

bool is_triangle(const ContactSlots& slots, std::int32_t slot) {
  return slots.slots[std::size_t(slot)].kind == ContactKind::triangle_rigid;
}

// Slots of one kind and pair that follow each other, in pieces of some size.
template <class Visit>
void each_run(const ContactSlots& slots, TaskPool* pool, const Visit& visit) {
  parallel_for(pool, int(slots.slots.size()), k_slot_grain, [&](int begin, int end) {
    for (int first = begin, last = begin; first < end; first = last) {
      const ContactSlot& slot = slots.slots[std::size_t(first)];
      while (last < end && slots.slots[std::size_t(last)].kind == slot.kind &&
             slots.slots[std::size_t(last)].pair == slot.pair)
        ++last;
      visit(std::int32_t(first), std::int32_t(last));
    }
  });
}

// Of the bodies that have slots with triangles.
void measure_ways(const RefreshContext& context, const ContactSlots& slots,
                  std::vector<BodyWay>& ways) {
  ways.assign(context.bodies.size(), BodyWay{});
  std::int32_t last = -1;
  for (const ContactPair& pair : slots.pairs) {
    if (pair.body == last || pair.slot_begin == pair.slot_end) continue;
    if (!is_triangle(slots, pair.slot_end - 1) || ways[std::size_t(pair.body)].moved > 0) continue;
    last = pair.body;
    ways[std::size_t(last)] = measure_way(*context.particles, context.bodies[std::size_t(last)]);
  }
}

}  // namespace

void refresh_slots(const RefreshContext& context, ContactSlots& slots,
                   std::vector<std::uint64_t>& marks, TaskPool* pool) {
  slots.contacts.resize(slots.slots.size());
  slots.live.resize(slots.slots.size());
  parallel_for(pool, int(slots.batches.size()), k_batch_grain, [&](int begin, int end) {
    refresh_batches(context, slots.pairs,
                    std::span(slots.batches).subspan(std::size_t(begin), std::size_t(end - begin)));
  });
  static thread_local std::vector<BodyWay> body_ways;
  std::vector<BodyWay>& ways = body_ways;  // that of this thread, also for the others
  measure_ways(context, slots, ways);
  each_run(slots, pool, [&](std::int32_t begin, std::int32_t end) {
    if (is_triangle(slots, begin)) {
      const ContactPair& pair = slots.pairs[std::size_t(slots.slots[std::size_t(begin)].pair)];
      refresh_triangles(context, slots, ways[std::size_t(pair.body)], begin, end);
      return;
    }
    for (std::size_t s = std::size_t(begin); s < std::size_t(end); ++s)
      slots.live[s] = slots.slots[s].kind == ContactKind::edge_edge
                          ? refresh_edges(context, slots, slots.slots[s], slots.contacts[s])
                          : refresh_vertex(context, slots, slots.slots[s], slots.contacts[s]);
  });
  order_live(slots, marks, pool);
}

void aim_slots(const RefreshContext& context, ContactSlots& slots,
               std::span<const RigidPush> pushes, TaskPool* pool) {
  each_run(slots, pool, [&](std::int32_t begin, std::int32_t end) {
    if (is_triangle(slots, begin)) aim_triangles(context, slots, pushes, begin, end);
  });
}

void project_slots(ContactSlots& slots, Particles& particles, std::span<const BodyMotion> rigid,
                   std::span<RigidPush> pushes, std::vector<RigidReaction>& reactions,
                   std::span<const Support> support, TaskPool* pool) {
  count_acting(slots, particles, pushes);
  reactions.resize(slots.slots.size());
  project_units(slots, particles, rigid, pushes, pool);
  for (std::size_t c = 0; c + 1 < slots.colour_begin.size(); ++c)
    project_colour(slots, slots.colour_begin[c], slots.colour_begin[c + 1],
                   int(c) == k_most_colours, particles, rigid, pushes, reactions, support, pool);
  for (std::size_t r = 0; r + 1 < slots.rank_begin.size(); ++r)
    project_rank(slots, slots.rank_begin[r], slots.rank_begin[r + 1], particles, rigid, pushes,
                 pool);
}

void note_support(const ContactSlots& slots, std::span<const BodyMotion> rigid,
                  std::span<const RigidPush> pushes, std::vector<Support>& support,
                  std::vector<std::int32_t>& supported) {
  clear_support(support, supported);
  for (const VertexBatch& b : slots.batches) {
    if (!b.live || lane_bits(b.multiplier > 0) == 0) continue;
    const std::int32_t r = slots.pairs[std::size_t(b.pair)].rigid;
    const Real parts = Real(std::max(1, pushes[std::size_t(r)].contacts));
    for (int k = 0; k < b.lanes; ++k) {
      if (!(b.multiplier[k] > 0)) continue;
      support[std::size_t(b.particle[std::size_t(k)])] = {
          {b.normal.x[k], b.normal.y[k], b.normal.z[k]},
          parts * rigid[std::size_t(r)].velocity.w,
          {b.arm.x[k], b.arm.y[k], b.arm.z[k]},
          r};
      supported.push_back(b.particle[std::size_t(k)]);
    }
  }
}

void clear_support(std::vector<Support>& support, std::vector<std::int32_t>& supported) {
  for (const std::int32_t p : supported) support[std::size_t(p)] = {};
  supported.clear();
}

void sum_up_pairs(ContactSlots& slots) {
  for (ContactPair& pair : slots.pairs) {
    pair.loaded = 0;
    pair.approach = pair.deepest = pair.depth_sum = 0;
  }
  for (const VertexBatch& b : slots.batches)
    if (b.live) report(slots.pairs[std::size_t(b.pair)], b);
  for (const std::int32_t s : slots.coloured) {
    const ParticleContact& c = slots.contacts[std::size_t(s)];
    if (c.multiplier > 0) report(slots.pairs[std::size_t(c.pair)], c.gap, c.approach);
  }
}

void apply_pushes(RigidBodies& rigid, std::span<RigidPush> pushes, double h) {
  for (const std::int32_t i : rigid.movable) {
    RigidPush& push = pushes[std::size_t(i)];
    if (push.moved == Vec3R{} && push.turned == Vec3R{}) continue;
    const std::size_t n = std::size_t(i);
    const unsigned locks = place_locks(rigid.motion[n]);
    push.moved = without_locked(locks, push.moved);
    push.gained = without_locked(locks, push.gained);
    rigid.position[n] += cast<double>(push.moved);
    rigid.rotation[n] = normalized(exp_quat(0.5 * cast<double>(push.turned)) * rigid.rotation[n]);
    const Real inv_h = Real(1 / h);
    BodyMotion& m = rigid.motion[n];
    m.velocity.x += inv_h * push.gained.x;
    m.velocity.y += inv_h * push.gained.y;
    m.velocity.z += inv_h * push.gained.z;
    m.spin.x += inv_h * push.gained_spin.x;
    m.spin.y += inv_h * push.gained_spin.y;
    m.spin.z += inv_h * push.gained_spin.z;
    refresh_body(rigid, i);
  }
}

void restore_speeds(const ContactSlots& slots, double threshold, Particles& particles,
                    std::span<BodyMotion> rigid) {
  for (const VertexBatch& b : slots.batches)
    if (b.live)
      restore_speeds(slots.pairs[std::size_t(b.pair)], b, Real(threshold), particles, rigid);
  for (const std::int32_t s : slots.coloured) {
    const ParticleContact& c = slots.contacts[std::size_t(s)];
    restore_speed(c, slots.pairs[std::size_t(c.pair)], Real(threshold), particles, rigid);
  }
}

}  // namespace pliant
