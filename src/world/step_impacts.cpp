// A substep of a set of bodies whose impacts are resolved in the order of their times: it is run in
// pieces, each up to the next impact. Pairs that touch go through the contact solver in each piece,
// all others fly until they do.
#include <algorithm>
#include <cmath>

#include "geometry/impact_time.h"
#include "math/trig.h"
#include "model/surface_pair.h"
#include "narrowphase/rigid_contacts.h"
#include "solver/impact.h"
#include "solver/rigid_integrate.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr double k_gap = 1e-6;          // m; an impact is found when the gap is smaller
constexpr double k_touch = 2e-6;        // m; nearer than this, two bodies touch
constexpr double k_point_touch = 1e-5;  // m; points of a manifold that take part in an impact
constexpr double k_most_rescaled = 10;  // impulses of very short pieces say little of longer ones
// Pieces shorter than this part of the one that the impulses are of do not change them: what holds
// a heap still would be lost in the noise of many impacts.
constexpr double k_brief = 1.0 / 8;
constexpr double k_shortest = 1e-6;   // s, of a piece that ends without an impact
constexpr double k_same_time = 1e-9;  // s
constexpr int k_rounds = 100;         // of impacts that happen at the same time

MovingShape still_shape(const RigidBodies& rigid, std::size_t i) {
  return {widen_numbers(rigid.shape[i]), rigid.position[i], rigid.rotation[i], {}, {}, {}};
}

// A gap that is no greater than the true one, from balls around the two.
double ball_gap(const RigidBodies& rigid, const BoxPair& pair) {
  double radii = 0;
  for (const std::int32_t i : {pair.a, pair.b}) {
    const ShapeNumbers<Real>& s = rigid.shape[std::size_t(i)];
    if (s.kind == ShapeKind::half_space) return -1;
    radii += double(length(s.half)) + double(s.radius);
  }
  const Vec3 apart = rigid.position[std::size_t(pair.b)] - rigid.position[std::size_t(pair.a)];
  return length(apart) - radii;
}

void rescale(Manifold& m, Real factor) {
  for (int k = 0; k < m.count; ++k) {
    m.point[k].normal_impulse *= factor;
    m.point[k].friction_impulse[0] *= factor;
    m.point[k].friction_impulse[1] *= factor;
  }
}

// After a brief piece: impulses as long ones had them, or, where there were none, scaled to them.
void recall(const Manifold& before, Real factor, Manifold& m) {
  for (int k = 0; k < m.count; ++k) {
    ManifoldPoint& p = m.point[k];
    if (const ManifoldPoint& q = before.point[k]; q.normal_impulse > 0) {
      p.normal_impulse = q.normal_impulse;
      p.friction_impulse[0] = q.friction_impulse[0];
      p.friction_impulse[1] = q.friction_impulse[1];
      continue;
    }
    p.normal_impulse *= factor;
    p.friction_impulse[0] *= factor;
    p.friction_impulse[1] *= factor;
  }
}

void rescale(JointMemory& m, double factor) {
  for (std::size_t k = 0; k < k_joint_axes; ++k) {
    m.held[k] *= factor;
    m.relaxed[k] *= factor;
    m.sprung[k] *= factor;
    m.driven[k] *= factor;
  }
}

// A brief piece leaves the impulses as they were; of joints as nearly as they can be told.
void recall_impulses(const OrderedSet& set, double factor, Ordered& ordered,
                     std::vector<Joint>& joints) {
  const double back = std::min(1 / factor, k_most_rescaled);
  for (std::size_t k = 0, at = 0; k < ordered.source.size(); ++k) {
    at = k > 0 && ordered.source[k] == ordered.source[k - 1] ? at + 1 : 0;
    recall(ordered.pairs[ordered.source[k]].manifolds[at], Real(back), ordered.list.manifolds[k]);
  }
  for (const std::int32_t n : set.joints) rescale(joints[std::size_t(n)].memory, back);
}

}  // namespace

void World::Impl::ordered_impacts(double h, double time) {
  scratch.ordered.substep = h;
  keep_in_reach(h, state.time + h * def.substeps - time);
  for (std::size_t n = 0; n < scratch.ordered.used; ++n) {
    scratch.ordered.running = std::int32_t(n);
    run_set(scratch.ordered.sets[n], h, time);
  }
  scratch.ordered.running = -1;
}

void World::Impl::run_set(OrderedSet& set, double h, double time) {
  const auto moved_back = [&] {
    for (std::size_t k = 0; k < set.carried.size(); ++k) {
      const std::size_t i = std::size_t(set.carried[k]);
      state.rigid.position[i] = scratch.ordered.carried_before[k].position;
      state.rigid.rotation[i] = scratch.ordered.carried_before[k].rotation;
      refresh_body(state.rigid, std::int32_t(i));
    }
  };
  scratch.ordered.carried_before.clear();
  for (const std::int32_t i : set.carried)
    scratch.ordered.carried_before.push_back(
        {state.rigid.position[std::size_t(i)], state.rigid.rotation[std::size_t(i)], {}});
  const std::span<OrderedPair> pairs(scratch.ordered.pairs.data() + set.pair_begin,
                                     set.pair_end - set.pair_begin);
  for (OrderedPair& pair : pairs) pair.gap = 0;  // bodies have been moved since
  double left = h, last = h;
  int impacts = 0;
  while (left > 0) {
    find_touching(set);
    impacts += resolve_impacts(set, time + (h - left));
    if (impacts > def.max_impacts) {
      ++report.cut_off;
      for (OrderedPair& pair : pairs) touch_pair(pair);
      run_piece(set, time + (h - left), left, left / last);
      break;
    }
    const double piece = next_piece(set, time + (h - left), left, last);
    ++impacts;  // pieces without one must not go on for ever either
    left = piece < left ? left - piece : 0;
    if (piece >= k_brief * last) last = piece;
  }
  rescale_set(set, h / last);
  moved_back();
}

// How long bodies that touch may be taken to go on touching: one that turns fast, or parts and
// turns, soon meets the other with another of its sides.
double World::Impl::touching_time(const OrderedSet& set, double left) const {
  const RigidBodies& rigid = state.rigid;
  for (std::size_t n = set.pair_begin; n < set.pair_end; ++n) {
    const OrderedPair& pair = scratch.ordered.pairs[n];
    if (!pair.touching || pair.manifolds.empty()) continue;
    const std::size_t a = std::size_t(pair.pair.a), b = std::size_t(pair.pair.b);
    const double turning = turning_speed(rigid, a) + turning_speed(rigid, b);
    if (turning == 0) continue;
    const Vec3 normal = cast<double>(pair.manifolds[0].normal);
    const double parting = dot(velocity_of(rigid, b) - velocity_of(rigid, a), normal);
    const double thin = thickness(rigid, a) + thickness(rigid, b);
    left = std::min(left, std::max(0.25 * thin / (turning + std::abs(parting)), k_shortest));
  }
  return left;
}

// Runs until the next impact, or to the end; returns how long that was.
double World::Impl::next_piece(OrderedSet& set, double time, double left, double last) {
  left = touching_time(set, left);
  save_set(set);
  run_piece(set, time, left, left / last);
  const double first = first_impact(set, left);
  if (first >= left) return left;
  std::vector<std::size_t>& met = scratch.ordered.met;
  restore_set(set);
  for (const std::size_t n : met) scratch.ordered.pairs[n].met = true;
  run_piece(set, time, first, first / last);
  return first;
}

void World::Impl::touch_pair(OrderedPair& pair) {
  std::vector<Manifold> old;
  old.swap(pair.manifolds);
  pair.touching = true;
  if (is_composite_pair(state.rigid, pair.pair)) {
    find_composite_contacts(state.rigid, pair.pair, old, Real(def.contact_margin), true,
                            pair.manifolds);
    ask_rule(pair);
    return;
  }
  Manifold m;
  find_contact_now(state.rigid, pair.pair, old.empty() ? nullptr : &old[0],
                   Real(def.contact_margin), m);
  if (m.count > 0) pair.manifolds.push_back(m);
  ask_rule(pair);
}

// Which pairs touch now. Gaps are looked at again only where they may have closed.
void World::Impl::find_touching(const OrderedSet& set) {
  for (std::size_t n = set.pair_begin; n < set.pair_end; ++n) {
    OrderedPair& pair = scratch.ordered.pairs[n];
    if (pair.gap > k_touch && !pair.met) continue;
    pair.gap = ball_gap(state.rigid, pair.pair);
    if (pair.gap <= k_touch) {
      Vec3 normal;
      pair.gap = gap_at(still_shape(state.rigid, std::size_t(pair.pair.a)),
                        still_shape(state.rigid, std::size_t(pair.pair.b)), 0, normal);
    }
    if (pair.gap <= k_touch || pair.met) {
      touch_pair(pair);
      pair.met = false;
    } else {
      pair.touching = false;
      pair.manifolds.clear();
    }
  }
}

// All pairs that touch and close faster than what may rest, in the order of their keys, until there
// is none. Returns how many there were.
int World::Impl::resolve_impacts(OrderedSet& set, double time) {
  int impacts = 0;
  for (int round = 0; round < k_rounds; ++round) {
    int found = 0;
    for (std::size_t n = set.pair_begin; n < set.pair_end; ++n) {
      OrderedPair& pair = scratch.ordered.pairs[n];
      if (!pair.touching) continue;
      for (Manifold& m : pair.manifolds) found += resolve_one(pair, m, time);
    }
    impacts += found;
    if (found == 0) break;
  }
  return impacts;
}

bool World::Impl::resolve_one(OrderedPair& pair, Manifold& m, double time) {
  double nearest = 0;
  for (int k = 0; k < m.count; ++k)
    nearest =
        k == 0 ? double(m.point[k].separation) : std::min(nearest, double(m.point[k].separation));
  const double touch = std::max(nearest, 0.0) + k_point_touch;
  const double speed = impact_speed(state.rigid, pair.pair, m, touch);
  if (speed <= def.restitution_speed) return false;
  const SurfacePair surfaces = combined(state.rigid.surface[std::size_t(pair.pair.a)],
                                        state.rigid.surface[std::size_t(pair.pair.b)]);
  ImpactRule rule{surfaces.restitution, surfaces.friction_static, surfaces.friction_kinetic, touch};
  if (ContactTerms terms; contact_rule && ask_rule(pair.pair, m, terms))
    rule = {double(terms.restitution), double(terms.friction_static),
            double(terms.friction_kinetic), touch};
  const std::size_t a = std::size_t(pair.pair.a), b = std::size_t(pair.pair.b);
  const auto velocity = [&](std::size_t i) {
    return cast<double>(xyz(state.rigid.motion[i].velocity));
  };
  const Vec3 before_a = velocity(a), before_b = velocity(b);
  const Vec3 impulse = resolve_impact(state.rigid, pair.pair, m, rule);
  if (impulse == Vec3{}) return false;
  if (pair.impulse == Vec3{}) pair.speed = speed;
  pair.impulse += impulse;
  for (int k = 0; k < m.count; ++k) {  // what it carried before says nothing of what follows
    m.point[k].normal_impulse = 0;
    m.point[k].friction_impulse[0] = m.point[k].friction_impulse[1] = 0;
  }
  ++report.impacts;
  events.push_back({.kind = EventKind::impact,
                    .a = any_id(state.rigid.key[a]),
                    .b = any_id(state.rigid.key[b]),
                    .speed = speed,
                    .point = state.rigid.position[a] + cast<double>(m.point[0].arm_a),
                    .normal = cast<double>(m.normal),
                    .impulse = length(impulse),
                    .time = time,
                    .before_a = before_a,
                    .before_b = before_b,
                    .after_a = velocity(a),
                    .after_b = velocity(b)});
  return true;
}

// The pairs that touch, each manifold in a batch of its own.
void World::Impl::load_touching(const OrderedSet& set, Real factor) {
  Ordered& ordered = scratch.ordered;
  ordered.list.pairs.clear();
  ordered.list.manifolds.clear();
  ordered.list.terms.clear();
  ordered.source.clear();
  ordered.batches.batch.clear();
  ordered.colours.points = 0;
  for (std::size_t n = set.pair_begin; n < set.pair_end; ++n) {
    const OrderedPair& pair = ordered.pairs[n];
    if (!pair.touching) continue;
    for (const Manifold& m : pair.manifolds) {
      ordered.list.pairs.push_back(pair.pair);
      ordered.list.manifolds.push_back(m);
      rescale(ordered.list.manifolds.back(), factor);
      if (contact_rule) ask_rule(pair.pair, m, ordered.list.terms.emplace_back());
      ordered.source.push_back(n);
      append_to_tail(ordered.list, std::int32_t(ordered.source.size()) - 1, ordered.colours,
                     ordered.batches);
    }
  }
}

// A substep of the set, of any length; `factor` is that length by the one of the piece before.
void World::Impl::run_piece(const OrderedSet& set, double time, double piece, double factor) {
  Ordered& ordered = scratch.ordered;
  RigidBodies& rigid = state.rigid;
  const Real scale = Real(std::min(factor, k_most_rescaled));
  piece_forces(set, time, piece);
  load_touching(set, scale);
  ContactBatches& batches = ordered.batches;
  const std::int32_t count = std::int32_t(batches.batch.size());
  ContactSettings settings = contact_settings(piece);
  // A piece may push apart by its part of what the whole substep may, or many brief ones in which
  // nothing moves would each add the speed that one of them cannot take back.
  settings.push_speed *= Real(std::min(1.0, piece / ordered.substep));
  batches.extra.resize(contact_rule || scratch.traits.resists ? batches.batch.size() : 0);
  prepare_contacts(batches, 0, count, rigid, ordered.list);
  start_from_now(batches, 0, count, rigid);
  take_approach(batches, 0, count, rigid);
  warm_start_contacts(batches, 0, count, rigid);
  for (const std::int32_t n : set.joints)
    rescale(state.joints[std::size_t(n)].memory, double(scale));
  solve_joints(piece);
  solve_contacts(batches, 0, count, rigid, settings);
  limit_bodies(rigid, ordered.special);
  predict_bodies(rigid, set.bodies, piece, true);
  predict_bodies(rigid, set.carried, piece);
  for (const std::vector<std::int32_t>* list : {&set.bodies, &set.carried})
    for (const std::int32_t i : *list) {
      const std::size_t n = std::size_t(i);
      const double kick = rigid.dynamic(i) ? double(length(rigid.kick[n].change)) : 0;
      ordered.travel[n] = (top_speed(rigid, n) + kick) * piece;
    }
  relax_joints(piece);
  relax_contacts(batches, 0, count, rigid, settings);
  restitute_contacts(batches, 0, count, rigid, settings);
  limit_bodies(rigid, ordered.special);
  finish_contacts(batches, 0, count, ordered.list);
  if (factor < k_brief) recall_impulses(set, factor, ordered, state.joints);
  keep_touching(set);
}

// What the piece has done to the pairs.
void World::Impl::keep_touching(const OrderedSet& set) {
  Ordered& ordered = scratch.ordered;
  for (std::size_t k = 0, at = 0; k < ordered.source.size(); ++k) {
    OrderedPair& pair = ordered.pairs[ordered.source[k]];
    at = k > 0 && ordered.source[k] == ordered.source[k - 1] ? at + 1 : 0;
    const Manifold& m = ordered.list.manifolds[k];
    pair.impulse += cast<double>(m.impulse);
    pair.manifolds[at] = m;
  }
  for (std::size_t n = set.pair_begin; n < set.pair_end; ++n) {
    OrderedPair& pair = ordered.pairs[n];
    const double closed =
        ordered.travel[std::size_t(pair.pair.a)] + ordered.travel[std::size_t(pair.pair.b)];
    pair.gap = pair.touching ? 0 : pair.gap - closed;
  }
}

// The impulses are kept as those of a whole substep.
void World::Impl::rescale_set(const OrderedSet& set, double factor) {
  const double limited = std::min(factor, k_most_rescaled);
  for (std::size_t n = set.pair_begin; n < set.pair_end; ++n)
    for (Manifold& m : scratch.ordered.pairs[n].manifolds) rescale(m, Real(limited));
  for (const std::int32_t n : set.joints) rescale(state.joints[std::size_t(n)].memory, limited);
}

void World::Impl::save_set(const OrderedSet& set) {
  Ordered& ordered = scratch.ordered;
  ordered.bodies_before.clear();
  for (const std::vector<std::int32_t>* list : {&set.bodies, &set.carried})
    for (const std::int32_t i : *list)
      ordered.bodies_before.push_back({state.rigid.position[std::size_t(i)],
                                       state.rigid.rotation[std::size_t(i)],
                                       state.rigid.motion[std::size_t(i)]});
  ordered.joints_before.clear();
  for (const std::int32_t n : set.joints) {
    const Joint& joint = state.joints[std::size_t(n)];
    ordered.joints_before.push_back(
        {joint.memory, joint.motor_total, joint.impulse, joint.angular_impulse});
  }
  ordered.pairs_before.assign(ordered.pairs.begin() + std::ptrdiff_t(set.pair_begin),
                              ordered.pairs.begin() + std::ptrdiff_t(set.pair_end));
}

void World::Impl::restore_set(const OrderedSet& set) {
  Ordered& ordered = scratch.ordered;
  std::size_t at = 0;
  for (const std::vector<std::int32_t>* list : {&set.bodies, &set.carried})
    for (const std::int32_t i : *list) {
      const BodyRecord& record = ordered.bodies_before[at++];
      state.rigid.position[std::size_t(i)] = record.position;
      state.rigid.rotation[std::size_t(i)] = record.rotation;
      state.rigid.motion[std::size_t(i)] = record.motion;
      refresh_body(state.rigid, i);
    }
  for (std::size_t k = 0; k < set.joints.size(); ++k) {
    Joint& joint = state.joints[std::size_t(set.joints[k])];
    const JointRecord& record = ordered.joints_before[k];
    joint.memory = record.memory;
    joint.motor_total = record.motor_total;
    joint.impulse = record.impulse;
    joint.angular_impulse = record.angular_impulse;
  }
  std::copy(ordered.pairs_before.begin(), ordered.pairs_before.end(),
            ordered.pairs.begin() + std::ptrdiff_t(set.pair_begin));
}

// The way of body i in the piece that has just been run, which took it from `before`.
MovingShape World::Impl::way_of(std::int32_t body, const BodyRecord& before, double piece) const {
  const RigidBodies& rigid = state.rigid;
  const std::size_t i = std::size_t(body);
  MovingShape shape = still_shape(rigid, i);
  shape.position = before.position;
  shape.rotation = before.rotation;
  if (rigid.kind[i] == Motion::fixed) return shape;
  const Vec3 mean = (rigid.position[i] - before.position) / piece;
  shape.velocity = mean;
  const BodyKick& kick = rigid.kick[i];
  const Vec3 forced = cast<double>(kick.after - kick.change * Real(0.5));
  // What nothing but forces has touched flies on a parabola.
  if (rigid.dynamic(body) && length(forced - mean) <= 1e-5 * length(mean) + 1e-9) {
    shape.acceleration = cast<double>(kick.change) / piece;
    shape.velocity = mean - shape.acceleration * (piece / 2);
  }
  shape.angular_velocity = rotation_vector(rigid.rotation[i] * conjugate(before.rotation)) / piece;
  const Vec3 spin = cast<double>(xyz(rigid.motion[i].spin));
  if (length(spin) * piece > 3) shape.angular_velocity = spin;  // more than half a turn
  return shape;
}

// When, in the piece that has just been run, two bodies that were apart first touch.
double World::Impl::first_impact(const OrderedSet& set, double piece) {
  Ordered& ordered = scratch.ordered;
  const auto record = [&](std::int32_t i) -> BodyRecord {
    const auto find = [&](const std::vector<std::int32_t>& list, std::size_t offset) {
      const auto at = std::lower_bound(list.begin(), list.end(), i);
      return at != list.end() && *at == i ? std::ptrdiff_t(offset) + (at - list.begin()) : -1;
    };
    std::ptrdiff_t at = find(set.bodies, 0);
    if (at < 0) at = find(set.carried, set.bodies.size());
    if (at >= 0) return ordered.bodies_before[std::size_t(at)];
    return {state.rigid.position[std::size_t(i)], state.rigid.rotation[std::size_t(i)], {}};
  };
  double first = piece;
  std::vector<std::pair<double, std::size_t>> found;
  for (std::size_t n = set.pair_begin; n < set.pair_end; ++n) {
    const OrderedPair& before = ordered.pairs_before[n - set.pair_begin];
    if (before.touching || ordered.pairs[n].gap > k_touch) continue;
    const std::int32_t a = before.pair.a, b = before.pair.b;
    const double end = std::min(first + k_same_time, piece);
    const Impact impact = find_impact(way_of(a, record(a), piece), way_of(b, record(b), piece), end,
                                      {.method = def.impact_time, .gap = k_gap});
    if (impact.kind == Impact::Kind::none) continue;
    first = std::min(first, impact.time);
    if (impact.kind != Impact::Kind::near) found.push_back({impact.time, n});
  }
  ordered.met.clear();
  for (const auto& [time, n] : found)
    if (time <= first + k_same_time) ordered.met.push_back(n);
  return first;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
