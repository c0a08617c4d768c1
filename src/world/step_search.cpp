// Commands, then the search: broad phase, narrow phase, colouring. Once per step.
#include <algorithm>
#include <atomic>

#include "model/path.h"
#include "narrowphase/rigid_contacts.h"
#include "solver/contact_order.h"
#include "solver/contact_stages.h"
#include "solver/particle_stages.h"
#include "solver/rigid_integrate.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {

void World::Impl::apply_commands(double dt) {
  RigidBodies& rigid = state.rigid;
  scratch.targets.resize(std::size_t(rigid.size()));
  list_movable(rigid);
  for (const std::int32_t n : rigid.movable) {
    const std::size_t i = std::size_t(n);
    if (rigid.steered[i]) rigid.motion[i] = {};  // it is where it was sent
    rigid.steered[i] = 0;
    rigid.force[i] = rigid.torque[i] = {};
  }
  particle_forces.clear();
  anchor_moves.clear();
  for (const std::int32_t i : scratch.commanded)
    rigid.force[std::size_t(i)] = rigid.torque[std::size_t(i)] = {};
  scratch.commanded.clear();
  for (const Command& c : commands) apply_command(c, dt);
  commands.clear();
  limit_bodies(rigid, special);
  wake_by_fields(dt);
}

void World::Impl::apply_command(const Command& c, double dt) {
  RigidBodies& rigid = state.rigid;
  if (c.kind == Command::Kind::gravity || c.kind == Command::Kind::wind) {
    (c.kind == Command::Kind::gravity ? state.gravity : state.wind) = c.a;
    (c.kind == Command::Kind::gravity ? def.gravity : def.wind) = c.a;
    wake_all();
    return;
  }
  if (c.kind == Command::Kind::pin_target) {
    const ClothId id{c.index, c.generation};
    if (cloths.valid(id)) send_pin(id, c.vertex, c.a, dt);
    return;
  }
  if (c.kind >= Command::Kind::cloth_force) return apply_soft_command(c);
  if (c.kind == Command::Kind::motor) {
    const JointId id{c.index, c.generation};
    if (!joints.valid(id)) return;
    Joint& joint = state.joints[std::size_t(joints[id])];
    joint.memory.target[std::size_t(c.vertex)] = c.a.x;
    for (const std::int32_t node : {node_of(joint.a), node_of(joint.b)})
      if (node >= 0) wake_node(node);
    return;
  }
  const BodyId id{c.index, c.generation};
  if (!bodies.valid(id)) return;
  const std::int32_t body = bodies[id];
  const std::size_t i = std::size_t(body);
  scratch.commanded.push_back(body);
  wake_node(body);
  if (!rigid.dynamic(body) || c.kind == Command::Kind::pose) wake_neighbours(body);
  BodyMotion& m = rigid.motion[i];
  const auto kick = [&](const Vec3& impulse, const Vec3& point) {
    const Vec3R p = cast<Real>(impulse), r = cast<Real>(point - rigid.position[i]);
    const Vec3R dv = m.velocity.w * p, dw = apply_inverse_inertia(m, cross(r, p));
    m.velocity = {m.velocity.x + dv.x, m.velocity.y + dv.y, m.velocity.z + dv.z, m.velocity.w};
    m.spin = {m.spin.x + dw.x, m.spin.y + dw.y, m.spin.z + dw.z, 0};
  };
  switch (c.kind) {
    case Command::Kind::force:
      rigid.force[i] += c.a;
      rigid.torque[i] += cross(c.b - rigid.position[i], c.a);
      break;
    case Command::Kind::impulse:
      kick(c.a, c.b);
      break;
    case Command::Kind::velocity:
      m.velocity = {Real(c.a.x), Real(c.a.y), Real(c.a.z), m.velocity.w};
      m.spin = {Real(c.b.x), Real(c.b.y), Real(c.b.z), 0};
      break;
    case Command::Kind::pose:
      rigid.rotation[i] = normalized(c.rotation);
      rigid.position[i] = centre_from_origin(rigid.mass[i], {c.a, rigid.rotation[i]});
      refresh_body(rigid, body);
      break;
    case Command::Kind::move_to:
      rigid.steered[i] = rigid.kind[i] == Motion::kinematic;
      scratch.targets[i] = {c.a, normalized(c.rotation)};
      break;
    default:
      break;
  }
}

void World::Impl::begin_step(double dt) {
  each_deformable([&](Deformable& body, TaskPool* inner) {
    body.measured = false;
    rebase(state.particles, body, inner, true);
  });
  RigidBodies& rigid = state.rigid;
  for (const std::int32_t i : rigid.movable) {
    if (rigid.kind[std::size_t(i)] != Motion::kinematic) continue;
    const Path& path = body_defs[std::size_t(i)].path;
    if (!path.empty())
      steer_kinematic(rigid, i, path_at(path, state.time + dt), dt);
    else if (rigid.steered[std::size_t(i)])
      steer_kinematic(rigid, i, scratch.targets[std::size_t(i)], dt);
    const BodyMotion& m = rigid.motion[std::size_t(i)];
    if (xyz(m.velocity) != Vec3R{} || xyz(m.spin) != Vec3R{}) wake_neighbours(i);
  }
  freeze_wild_rigid();
  step_begin.resize(std::size_t(rigid.size()));
  begin_velocity.resize(std::size_t(rigid.size()));
  for (const std::int32_t n : rigid.movable) {
    const std::size_t i = std::size_t(n);
    step_begin[i] = {rigid.position[i], rigid.rotation[i]};
    begin_velocity[i] = rigid.awake[i] ? xyz(rigid.motion[i].velocity) : Vec3R{};
  }
  rebase_all(rigid, dt, state.gravity, pool.get());
  order_bodies(rigid, scratch.order);
  scratch.contact_impulse.resize(std::size_t(rigid.size()));
  for (const std::int32_t i : scratch.pressed) scratch.contact_impulse[std::size_t(i)] = {};
  scratch.pressed.clear();
  for (Anchor& anchor : state.anchors) anchor.impulse = {};
  for (Seam& seam : state.seams) seam.impulse = 0;
  list_joints();
  list_traits();
  scratch.sheets.listed = false;
  for (SelfParticleStep& own : scratch.self_particles) own.meets = own.searched = false;
  scratch.sheets.loads.clear();
  scratch.sheets.forget_loads();
  scratch.overlaps.loads.clear();
  scratch.overlaps.is_looked_for = false;
}

// One body, and nothing that it may meet.
bool World::Impl::alone() const {
  if (state.deformables.size() + bodies.count() > 1) return false;
  return state.deformables.empty() || !meets_itself(state.deformables[0]);
}

void World::Impl::find_pairs(double dt) {
  scratch.pairs.clear();
  stats.pairs = 0;
  scratch.ordered.used = scratch.ordered.pairs_used = 0;
  if (alone()) return;
  const SearchContext context{dt, def.contact_margin, state.gravity};
  scratch.swept.resize(state.deformables.size());
  each_body([&](std::size_t n, TaskPool* inner) {
    sweep_surface(state.particles, state.deformables[n], context, inner, scratch.swept[n]);
  });
  box_everything();
  list_box_pairs();
  find_ordered(dt);
  stats.pairs = std::int32_t(scratch.pairs.size());
}

// Those that may meet, by key.
void World::Impl::list_box_pairs() {
  const BodyBoxes& boxes = scratch.boxes;
  const bool framed =
      def.broad_phase == BroadPhase::tiles && (def.tiles.detector == TileDetector::rotated_box ||
                                               def.tiles.detector == TileDetector::relative_index);
  if (framed) frame_bodies(state.rigid, Real(def.contact_margin), scratch.frames);
  if (def.broad_phase == BroadPhase::tiles && def.tiles.rule) {
    scratch.ids.resize(boxes.boxes.size());
    for (const std::vector<std::int32_t>* items : {&boxes.live, &boxes.fixed})
      for (const std::int32_t i : *items)
        scratch.ids[std::size_t(i)] = any_id(scratch.keys[std::size_t(i)]);
  }
  const BoxList list{boxes.boxes, scratch.keys,        boxes.moves,    boxes.planes, boxes.live,
                     boxes.fixed, boxes.fixed_version, scratch.frames, scratch.ids};
  const BroadSettings settings{def.broad_phase, def.tiles, pool.get()};
  stats.tests += pliant::find_pairs(settings, list, scratch.search, scratch.pairs);
  part_joined();
}

// The boxes of all bodies: rigid ones, then deformables.
void World::Impl::box_everything() {
  box_bodies(state.rigid, Real(def.contact_margin), pool.get(), scratch.boxes);
  const std::size_t rigid_count = std::size_t(state.rigid.size());
  if (scratch.boxed != rigid_count)
    scratch.keys.assign(state.rigid.key.begin(), state.rigid.key.end());
  scratch.boxed = rigid_count;
  scratch.keys.resize(rigid_count);
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    const Deformable& body = state.deformables[n];
    const SweptBox& box = scratch.swept[n].all;
    scratch.boxes.boxes.push_back(
        {{box.low.x, box.low.y, box.low.z}, {box.high.x, box.high.y, box.high.z}});
    scratch.boxes.moves.push_back(awake(body) ? 1 : 0);
    scratch.boxes.live.push_back(std::int32_t(rigid_count + n));
    scratch.keys.push_back(body.key);
  }
}

void World::Impl::find_contacts(double dt) {
  std::swap(state.manifolds, scratch.manifolds);
  ManifoldList &now = state.manifolds, &before = scratch.manifolds;
  now.pairs.clear();
  state.slots.clear();
  scratch.composites.clear();
  recall_ordered(before);
  find_composites(before);
  list_manifolds(dt);
  recall_sides();
  now.match.resize(now.pairs.size());
  now.manifolds.resize(now.pairs.size());
  parallel_for(pool.get(), int(now.pairs.size()), 32, [&](int begin, int end) {
    match_pairs(before.pairs, now.pairs, std::size_t(begin), std::size_t(end), now.match);
    find_rigid_contacts(state.rigid, before, now, begin, end, Real(def.contact_margin));
  });
  if (!scratch.composites.empty()) place_composites();
  ask_rule();
  wake_touched(dt);
  stats.candidates += std::int32_t(state.slots.slots.size());
  for (const VertexBatch& batch : state.slots.batches) stats.candidates += batch.lanes;
}

// The pairs that manifolds are looked for, each as often as it has some; what deformables meet is
// searched here.
void World::Impl::list_manifolds(double dt) {
  ManifoldList& now = state.manifolds;
  if (state.deformables.empty() && scratch.composite_pairs.empty()) {
    now.pairs = scratch.pairs;
    return;
  }
  const std::int32_t rigid_count = state.rigid.size();
  const SearchContext context{dt, def.contact_margin, state.gravity};
  std::size_t next = 0, next_soft = 0;
  search_soft_pairs(context, false);
  for (const BoxPair& pair : scratch.pairs) {
    if (pair.a >= rigid_count || pair.b >= rigid_count) {
      take_pair(pair, context, next_soft);
    } else if (is_composite_pair(state.rigid, pair)) {
      const std::vector<Manifold>& found = scratch.composite_found[next++];
      scratch.composites.insert(scratch.composites.end(), found.begin(), found.end());
      now.pairs.insert(now.pairs.end(), found.size(), pair);
    } else {
      now.pairs.push_back(pair);
    }
  }
  for (std::size_t n = 0; n < state.deformables.size(); ++n)
    if (meets_itself(state.deformables[n])) search_self(std::int32_t(n), context);
}

// The manifolds of all pairs with a compound or a mesh, each into a list of its own.
void World::Impl::find_composites(const ManifoldList& before) {
  const std::int32_t rigid_count = state.rigid.size();
  scratch.composite_pairs.clear();
  if (state.rigid.composites == 0) return;
  for (const BoxPair& pair : scratch.pairs)
    if (pair.a < rigid_count && pair.b < rigid_count && is_composite_pair(state.rigid, pair))
      scratch.composite_pairs.push_back(pair);
  if (scratch.composite_found.size() < scratch.composite_pairs.size())
    scratch.composite_found.resize(scratch.composite_pairs.size());
  parallel_for(pool.get(), int(scratch.composite_pairs.size()), 2, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const BoxPair& pair = scratch.composite_pairs[std::size_t(n)];
      std::vector<Manifold>& found = scratch.composite_found[std::size_t(n)];
      found.clear();
      find_composite_contacts(state.rigid, pair, manifolds_of(before, pair),
                              Real(def.contact_margin), false, found);
    }
  });
}

// What was found of composite pairs, into their places in the list.
void World::Impl::place_composites() {
  std::size_t next = 0;
  for (std::size_t n = 0; n < state.manifolds.pairs.size(); ++n)
    if (is_composite_pair(state.rigid, state.manifolds.pairs[n]))
      state.manifolds.manifolds[n] = scratch.composites[next++];
}

// How fast a pair comes together where its points are nearest, and whether they meet in this step.
Real World::Impl::closing_speed(const BoxPair& pair, const Manifold& m, double dt,
                                bool& closes) const {
  const auto velocity = [&](std::int32_t i, const Vec3R& arm) {
    const BodyMotion& motion = state.rigid.motion[std::size_t(i)];
    return xyz(motion.velocity) + cross(xyz(motion.spin), arm);
  };
  const auto pull = [&](std::int32_t i) {
    return state.rigid.dynamic(i) && state.rigid.awake[std::size_t(i)] ? cast<Real>(state.gravity)
                                                                       : Vec3R{};
  };
  const Real falling = dot(m.normal, pull(pair.a) - pull(pair.b)), step = Real(dt);
  Real fastest = 0;
  closes = false;
  for (int k = 0; k < m.count; ++k) {
    const ManifoldPoint& p = m.point[k];
    const Real speed = dot(m.normal, velocity(pair.a, p.arm_a) - velocity(pair.b, p.arm_b));
    const Real at_end = speed + falling * step;
    closes |= p.separation - std::max(speed, at_end) * step < 0;
    const Real time = speed > 0 ? std::min(std::max(p.separation, Real(0)) / speed, step) : step;
    fastest = std::max(fastest, speed + falling * time);
  }
  return fastest;
}

// Wakes what sleeps and will be touched in this step by something awake that moves.
void World::Impl::wake_touched(double dt) {
  const RigidBodies& rigid = state.rigid;
  const std::vector<BoxPair>& pairs = state.manifolds.pairs;
  scratch.closing.resize(pairs.size());
  scratch.wakes.resize(pairs.size());
  const auto look_at = [&](std::size_t n) {
    bool closes = false;
    scratch.closing[n] = closing_speed(pairs[n], state.manifolds.manifolds[n], dt, closes);
    scratch.wakes[n] =
        closes && !(rigid.awake[std::size_t(pairs[n].a)] && rigid.awake[std::size_t(pairs[n].b)]);
  };
  std::atomic<std::int32_t> points = 0;
  parallel_for(pool.get(), int(pairs.size()), 64, [&](int begin, int end) {
    std::int32_t sum = 0;
    for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n) {
      look_at(n);
      sum += state.manifolds.manifolds[n].count;
    }
    points += sum;
  });
  stats.candidates = points;
  const std::size_t before = events.size();
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    if (events.size() > before) look_at(n);  // what has been woken falls from now on
    if (scratch.wakes[n]) wake_meeting(pairs[n].a, pairs[n].b);
  }
  wake_slots();
}

// Everything that has a slot with something that moves.
void World::Impl::wake_slots() {
  const std::int32_t rigid_count = state.rigid.size();
  for (const ContactPair& pair : state.slots.pairs)
    wake_meeting(rigid_count + pair.body, pair.rigid >= 0 ? pair.rigid : rigid_count + pair.other);
}

void World::Impl::wake_meeting(std::int32_t a, std::int32_t b) {
  const std::int32_t rigid_count = state.rigid.size();
  const auto moves = [&](std::int32_t node) {
    if (node >= rigid_count) return awake(state.deformables[std::size_t(node - rigid_count)]);
    const std::size_t i = std::size_t(node);
    const Vec4 v = state.rigid.motion[i].velocity, w = state.rigid.motion[i].spin;
    return state.rigid.awake[i] && state.rigid.kind[i] != Motion::fixed &&
           (state.rigid.dynamic(node) || xyz(v) != Vec3R{} || xyz(w) != Vec3R{});
  };
  if (moves(a)) wake_node(b);
  if (moves(b)) wake_node(a);
}

void World::Impl::colour() {
  colour_contacts(state.rigid, scratch.order, state.manifolds, pool.get(), scratch.colours,
                  scratch.batches);
  size_extras();
  parallel_for(pool.get(), int(scratch.batches.batch.size()), 32, [&](int begin, int end) {
    prepare_contacts(scratch.batches, begin, end, state.rigid, state.manifolds);
  });
  note_bounces(0);
  scratch.marks.resize(std::size_t(state.particles.size()), 0);
  scratch.pair_loads.assign(state.slots.pairs.size(), PairLoad{});
  order_slots();
  stats.colours = scratch.colours.most + std::int32_t(state.slots.rank_begin.size()) - 1;
}

// Of the batches from `first` on, which are prepared.
void World::Impl::note_bounces(std::int32_t first) {
  if (first == 0) scratch.bounces = false;
  for (std::size_t b = std::size_t(first); b < scratch.batches.batch.size(); ++b)
    scratch.bounces = scratch.bounces || scratch.batches.batch[b].bounces;
}

// What the substeps need to know of the slots as a whole.
void World::Impl::order_slots() {
  rank_batches(state.slots, std::int32_t(state.deformables.size()));
  if (state.deformables.empty()) return;
  group_pairs(state.deformables, state.rigid, def.sweeps, state.slots, scratch.groups);
  list_units(scratch.groups.pressed, std::int32_t(state.deformables.size()), state.slots);
  scratch.groups.near.assign(scratch.groups.parent.size(), 0);
  scratch.meeting.assign(state.deformables.size(), 0);
  if (has_sheets())
    for (std::size_t n = 0; n < state.deformables.size(); ++n)
      scratch.meeting[n] = is_sheet(state.deformables[n]) ? 1 : 0;
  for (std::size_t n = 0; n < state.deformables.size(); ++n)
    if (meets_by_overlap(state.deformables[n]) || is_parted(n)) scratch.meeting[n] = 1;
  for (const ContactPair& pair : state.slots.pairs) {
    scratch.meeting[std::size_t(pair.body)] = 1;
    if (pair.other >= 0) scratch.meeting[std::size_t(pair.other)] = 1;
  }
  for (const Anchor& anchor : state.anchors)
    for (const AnchorSide* side : {&anchor.a, &anchor.b})
      if (side->deformable >= 0) scratch.meeting[std::size_t(side->deformable)] = 1;
  for (const Joint& joint : state.joints)
    for (const AnchorSide* side : {&joint.a, &joint.b})
      if (side->deformable >= 0) scratch.meeting[std::size_t(side->deformable)] = 1;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
