// Which bodies touch at the end of a step: edges of the islands, contact forces, events where a
// pair begins or ends to touch.
#include <algorithm>

#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// Whether the sorted list has the key. Most that ask come in the order of the list: `next` is where
// the last one was found, and one further.
bool has(const std::vector<Touch>& sorted, std::uint64_t key, std::size_t& next) {
  if (next < sorted.size() && sorted[next].key == key) {
    ++next;
    return true;
  }
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), key,
                                   [](const Touch& t, std::uint64_t k) { return t.key < k; });
  const bool found = at != sorted.end() && at->key == key;
  next = std::size_t(at - sorted.begin()) + (found ? 1 : 0);
  return found;
}

// What came from rigid bodies alone is in order already.
void sort_by_key(std::vector<Touch>& touching) {
  const auto by_key = [](const Touch& a, const Touch& b) { return a.key < b.key; };
  if (!std::is_sorted(touching.begin(), touching.end(), by_key))
    std::sort(touching.begin(), touching.end(), by_key);
}

}  // namespace

// Adds to what contacts did to a rigid body in this step.
void World::Impl::press(std::int32_t body, const Vec3& impulse) {
  Vec3& sum = scratch.contact_impulse[std::size_t(body)];
  if (sum == Vec3{}) scratch.pressed.push_back(body);
  sum += impulse;
}

// After the contact forces have been replaced as a whole.
void World::Impl::list_pressed() {
  pressed_bodies.clear();
  for (std::size_t i = 0; i < contact_force.size(); ++i)
    if (contact_force[i] != Vec3{}) pressed_bodies.push_back(std::int32_t(i));
}

// Whether they begin to.
bool World::Impl::touch(const Touch& pair, std::int32_t a, std::int32_t b) {
  scratch.islands.edges.push_back({a, b});
  state.touching.push_back(pair);
  return !has(scratch.touching, pair.key, scratch.next_touching);
}

// A pair touches where it has exchanged an impulse during the step, even if it has parted since.
void World::Impl::collect_contacts(double dt) {
  scratch.islands.edges.clear();
  std::swap(scratch.touching, state.touching);
  scratch.next_touching = 0;
  state.touching.clear();
  begin_events.clear();
  loaded_contacts = 0;
  const std::vector<BoxPair>& pairs = state.manifolds.pairs;
  for (std::size_t first = 0, n = 0; first < pairs.size(); first = n) {
    const BoxPair& pair = pairs[first];
    Vec3 impulse;
    double speed = 0;
    bool touched = false;
    for (n = first; n < pairs.size() && pairs[n].key == pair.key; ++n) {
      const Grip& grip = scratch.grips[n];
      if (grip.impulse == Vec3R{}) continue;
      loaded_contacts += grip.loaded;
      impulse += cast<double>(grip.impulse);
      speed = std::max(speed, double(scratch.closing[n]));
      touched = true;
    }
    if (!touched) continue;
    if (touch({pair.key, impulse / dt}, pair.a, pair.b))
      begin_events.push_back(begin_of_manifolds(first, n, speed));
    press(pair.b, impulse);
    press(pair.a, -impulse);
  }
  collect_pairs(dt);
  for (const SheetLoad& load : scratch.sheets.loads) {
    if (touch({load.key, load.impulse_on_a / dt}, state.rigid.size() + load.b,
              state.rigid.size() + load.a))
      begin_events.push_back(
          touch_begin(load.key, 0, load.moment / load.total, load.push_on_a, load.impulse_on_a));
  }
  loaded_contacts += scratch.sheets.loaded;
  count_self_particles();
  collect_overlaps(dt);
  collect_anchors();
  collect_joints();
  sort_by_key(state.touching);
  report_touching(dt);
}

// Two deformables have two entries with one key, which follow each other. Forces on rigid sides are
// in contact_impulse already.
void World::Impl::collect_pairs(double dt) {
  const std::int32_t rigid_count = state.rigid.size();
  const std::vector<ContactPair>& pairs = state.slots.pairs;
  for (std::size_t first = 0, n = 0; first < pairs.size(); first = n) {
    Vec3 impulse;  // on the body with the higher key
    double speed = 0;
    bool touched = false;
    const auto obstacle = [&](const ContactPair& pair) {
      return pair.rigid >= 0 ? pair.rigid : rigid_count + pair.other;
    };
    for (n = first; n < pairs.size() && pairs[n].key == pairs[first].key; ++n) {
      const PairLoad& load = scratch.pair_loads[n];
      loaded_contacts += pairs[n].loaded;
      touched |= load.touched;
      speed = std::max(speed, double(load.closing));
      const bool higher = key_of(obstacle(pairs[n])) == std::uint32_t(pairs[n].key);
      impulse += cast<double>(load.reaction) * (higher ? 1.0 : -1.0);
    }
    const std::int32_t a = rigid_count + pairs[first].body, b = obstacle(pairs[first]);
    // Also what is near but does not touch is of one island: one that is awake wakes the other, and
    // they would take turns for ever.
    if (!touched)
      scratch.islands.edges.push_back({a, b});
    else if (touch({pairs[first].key, impulse / dt}, a, b))
      begin_events.push_back(begin_of_slots(first, n, impulse, speed));
  }
}

void World::Impl::collect_anchors() {
  for (const Anchor& anchor : state.anchors) {
    const std::int32_t a = node_of(anchor.a), b = node_of(anchor.b);
    if (a >= 0 && b >= 0) scratch.islands.edges.push_back({a, b});
  }
}

void World::Impl::collect_joints() {
  for (const Joint& joint : state.joints) {
    const std::int32_t a = node_of(joint.a), b = node_of(joint.b);
    if (a >= 0 && b >= 0 && !joint.memory.broken) scratch.islands.edges.push_back({a, b});
  }
}

// Of a rigid body, over the step; nothing of others and of what is fixed.
void World::Impl::tell_velocities(std::uint32_t key, Vec3& before, Vec3& after) const {
  const std::int32_t node = node_of(key);
  if (node < 0 || node >= state.rigid.size()) return;
  const std::size_t i = std::size_t(node);
  if (state.rigid.kind[i] == Motion::fixed) return;
  before = cast<double>(begin_velocity[i]);
  after = cast<double>(xyz(state.rigid.motion[i].velocity));
}

void World::Impl::report_touching(double dt) {
  const auto ids = [&](std::uint64_t key) {
    return std::pair{any_id(std::uint32_t(key >> 32)), any_id(std::uint32_t(key))};
  };
  for (const TouchBegin& b : begin_events) {
    Event event{EventKind::contact_begin,
                ids(b.key).first,
                ids(b.key).second,
                b.speed,
                b.point,
                b.normal,
                b.impulse};
    tell_velocities(std::uint32_t(b.key >> 32), event.before_a, event.after_a);
    tell_velocities(std::uint32_t(b.key), event.before_b, event.after_b);
    events.push_back(event);
  }
  const std::size_t fresh = state.touching.size();
  std::size_t next = 0;
  for (const Touch& old : scratch.touching) {
    if (fresh > 0 && has(state.touching, old.key, next)) continue;
    if (!both_asleep(old.key)) {
      events.push_back({EventKind::contact_end, ids(old.key).first, ids(old.key).second, 0});
      continue;
    }
    // Sleeping pairs are not searched but still touch and carry what they carried.
    scratch.resting.push_back(old);
    for (const auto& [half, sign] : {std::pair{old.key >> 32, -1.0}, std::pair{old.key, 1.0}}) {
      const std::int32_t node = node_of(std::uint32_t(half));
      if (node >= 0 && node < state.rigid.size()) press(node, old.force * (sign * dt));
    }
  }
  // Both lists are sorted.
  const auto by_key = [](const Touch& a, const Touch& b) { return a.key < b.key; };
  scratch.touching.resize(fresh + scratch.resting.size());
  std::merge(state.touching.begin(), state.touching.end(), scratch.resting.begin(),
             scratch.resting.end(), scratch.touching.begin(), by_key);
  state.touching.swap(scratch.touching);
  scratch.resting.clear();
}

// What rests on a body that is about to move or vanish.
void World::Impl::wake_neighbours(std::int32_t node) {
  const std::uint32_t key = key_of(node);
  for (const Touch& t : state.touching) {
    const std::uint32_t low = std::uint32_t(t.key >> 32), high = std::uint32_t(t.key);
    if (low != key && high != key) continue;
    const std::int32_t other = node_of(low == key ? high : low);
    if (other >= 0) wake_node(other);
  }
  for (const Anchor& anchor : state.anchors) {
    const std::int32_t a = node_of(anchor.a), b = node_of(anchor.b);
    if (a == node && b >= 0) wake_node(b);
    if (b == node && a >= 0) wake_node(a);
  }
  for (const Joint& joint : state.joints) {
    const std::int32_t a = node_of(joint.a), b = node_of(joint.b);
    if (joint.memory.broken) continue;
    if (a == node && b >= 0) wake_node(b);
    if (b == node && a >= 0) wake_node(a);
  }
}

// A body leaves the world: those who touched it wake and hear of the end in the next step.
void World::Impl::part_from_all(std::int32_t node) {
  wake_node(node);
  wake_neighbours(node);
  const std::uint32_t key = key_of(node);
  forget_partings(key);
  std::erase_if(state.touching, [&](const Touch& t) {
    if (std::uint32_t(t.key >> 32) != key && std::uint32_t(t.key) != key) return false;
    pending_events.push_back({EventKind::contact_end, any_id(std::uint32_t(t.key >> 32)),
                              any_id(std::uint32_t(t.key)), 0});
    return true;
  });
  std::erase_if(state.sensed, [&](std::uint64_t pair) {
    if (std::uint32_t(pair >> 32) != key && std::uint32_t(pair) != key) return false;
    pending_events.push_back(
        {EventKind::sensor_end, any_id(std::uint32_t(pair >> 32)), any_id(std::uint32_t(pair)), 0});
    return true;
  });
}

}  // namespace PLIANT_ABI
}  // namespace pliant
