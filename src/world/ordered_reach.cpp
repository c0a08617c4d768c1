// How far the bodies of sets may come, and what is searched again where that was not foreseen.
#include <algorithm>
#include <cmath>

#include "core/root_of.h"
#include "math/trig.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr double k_foreseen = 2;  // times the way that a body would go in a step by itself

double kinetic_energy(const RigidBodies& rigid, std::size_t i) {
  const Vec3 v = cast<double>(xyz(rigid.motion[i].velocity));
  const Vec3 w = cast<double>(xyz(rigid.motion[i].spin));
  const Vec3 local = rotate_inverse(principal_frame(rigid.mass[i], rigid.rotation[i]), w);
  return 0.5 * rigid.mass[i].mass * length_sq(v) +
         0.5 * dot(local, scaled(rigid.mass[i].inertia, local));
}

// m, how far the points of a body are at most from where they were when the step began.
double moved_so_far(const RigidBodies& rigid, std::size_t i) {
  const double moved = length(rigid.position[i] - rigid.base[i].position);
  const ShapeNumbers<Real>& s = rigid.shape[i];
  if (s.kind == ShapeKind::sphere) return moved;
  const Vec3 turned = rotation_vector(rigid.rotation[i] * conjugate(rigid.base[i].rotation));
  return moved + length(turned) * double(length(s.half));
}

}  // namespace

// How far a body of a set can come in a time, whatever hits it.
double World::Impl::farthest(const SetEnergy& set, std::size_t i, double duration) const {
  const RigidBodies& rigid = state.rigid;
  // sqrt(E) grows by no more than F dt / sqrt(2 M), and F / M = g.
  const double pull = length(state.gravity) + set.force / set.mass;
  const double root = std::sqrt(set.energy) + pull * duration * std::sqrt(0.5 * set.mass);
  const ShapeNumbers<Real>& s = rigid.shape[i];
  const Vec3& inertia = rigid.mass[i].inertia;
  const double least = std::min({inertia.x, inertia.y, inertia.z});
  const double speed = root * std::sqrt(2 / rigid.mass[i].mass);
  const double turn = s.kind == ShapeKind::sphere || least <= 0
                          ? 0
                          : root * std::sqrt(2 / least) * double(length(s.half));
  return (speed + turn) * duration * 1.001;
}

// Where every body is in a set, the whole energy of a large one need not be reckoned with for a
// step: it is enough for a substep, and bodies that come further than was foreseen are searched
// again (keep_in_reach).
bool World::Impl::all_ordered() const {
  return def.impacts == Impacts::ordered && state.deformables.empty() && state.anchors.empty();
}

double World::Impl::reach_in_set(const SetEnergy& set, std::size_t i, double dt) const {
  const double most = farthest(set, i, dt);
  if (!all_ordered()) return most;
  const double own = k_foreseen * (top_speed(state.rigid, i) + length(state.gravity) * dt) * dt;
  return std::min(most, own + farthest(set, i, dt / def.substeps));
}

void World::Impl::add_energy(SetEnergy& set, std::int32_t body) const {
  const std::size_t i = std::size_t(body);
  set.energy += kinetic_energy(state.rigid, i);
  set.mass += state.rigid.mass[i].mass;
  set.force += length(state.rigid.force[i]) + field_pull(body);
}

// Which bodies are in sets: those of sets that are wanted and have a pair.
void World::Impl::mark_ordered() {
  Ordered& ordered = scratch.ordered;
  RigidBodies& rigid = state.rigid;
  const std::size_t count = std::size_t(rigid.size());
  std::vector<std::uint8_t>& paired = ordered.paired;
  paired.assign(count, 0);
  for (const BoxPair& pair : scratch.pairs)
    for (const std::int32_t i : {pair.a, pair.b})
      if (std::size_t(i) < count && rigid.dynamic(i))
        paired[std::size_t(root_of(ordered.parent, i))] = 1;
  for (std::size_t i = 0; i < count; ++i) {
    rigid.ordered[i] = 0;
    if (!rigid.dynamic(std::int32_t(i)) || rigid.removed[i]) continue;
    const std::size_t r = std::size_t(root_of(ordered.parent, std::int32_t(i)));
    rigid.ordered[i] = ordered.wanted[r] && paired[r] ? 1 : 0;
  }
}

// Wakes the sleeping bodies of sets, and widens the reach of all to what the energy of the set
// allows. Returns whether something changed.
bool World::Impl::reach_of_sets(double dt) {
  Ordered& ordered = scratch.ordered;
  RigidBodies& rigid = state.rigid;
  const std::size_t count = std::size_t(rigid.size());
  std::vector<SetEnergy>& sets = ordered.energies;
  sets.assign(count, {});
  mark_ordered();
  bool changed = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!rigid.ordered[i]) continue;
    if (!rigid.awake[i]) wake_node(std::int32_t(i)), changed = true;
    add_energy(sets[std::size_t(root_of(ordered.parent, std::int32_t(i)))], std::int32_t(i));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!rigid.ordered[i]) continue;
    const SetEnergy& set = sets[std::size_t(root_of(ordered.parent, std::int32_t(i)))];
    const Real reach = Real(reach_in_set(set, i, dt));
    if (reach <= rigid.reach[i]) continue;
    changed |= reach > rigid.reach[i] * Real(1.01);
    widen_reach(i, reach);
  }
  return changed;
}

void World::Impl::widen_reach(std::size_t i, Real reach) {
  state.rigid.reach[i] = reach;
  state.rigid.rebased[i] = 0;  // its box is another
}

// Before a substep: whether all bodies stay within what was searched, whatever hits them. Those
// that might not are searched again, with what they meet from now on.
void World::Impl::keep_in_reach(double h, double left) {
  Ordered& ordered = scratch.ordered;
  RigidBodies& rigid = state.rigid;
  if (ordered.used == 0 || !all_ordered()) return;
  bool wider = false;
  for (std::size_t n = 0; n < ordered.used; ++n) {
    SetEnergy energy;
    for (const std::int32_t i : ordered.sets[n].bodies) add_energy(energy, i);
    for (const std::int32_t body : ordered.sets[n].bodies) {
      const std::size_t i = std::size_t(body);
      const double need = moved_so_far(rigid, i) + farthest(energy, i, h);
      if (need <= double(rigid.reach[i])) continue;
      widen_reach(i, Real(need + k_foreseen * top_speed(rigid, i) * left));
      wider = true;
    }
  }
  if (wider) list_wider_sets(h * def.substeps);
}

// Boxes have only grown: the pairs that there were are among the new ones.
void World::Impl::list_wider_sets(double dt) {
  Ordered& ordered = scratch.ordered;
  return_all_impulses();  // some may come into sets
  std::vector<OrderedPair> had(ordered.pairs.begin(),
                               ordered.pairs.begin() + std::ptrdiff_t(ordered.pairs_used));
  const auto by_key = [](const OrderedPair& a, const OrderedPair& b) {
    return a.pair.key < b.pair.key;
  };
  std::sort(had.begin(), had.end(), by_key);
  std::vector<BoxPair> others;
  others.swap(scratch.pairs);
  box_everything();
  list_box_pairs();
  join_ordered(dt, false);
  mark_ordered();
  for (std::size_t i = 0; i < state.rigid.ordered.size(); ++i)
    if (state.rigid.ordered[i] && !state.rigid.awake[i]) wake_node(std::int32_t(i));
  ordered.used = 0;
  list_sets();
  scratch.pairs.swap(others);
  for (std::size_t n = 0; n < ordered.pairs_used; ++n) {
    OrderedPair& pair = ordered.pairs[n];
    const auto at = std::lower_bound(had.begin(), had.end(), pair, by_key);
    if (at != had.end() && at->pair.key == pair.pair.key) std::swap(pair, *at);
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
