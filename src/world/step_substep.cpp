// The stages of a substep.
#include <algorithm>

#include "constraints/anchor.h"
#include "constraints/contact_vertex.h"
#include "constraints/seam.h"
#include "solver/cluster_loops.h"
#include "solver/contact_stages.h"
#include "solver/gust.h"
#include "solver/particle_stages.h"
#include "solver/rigid_integrate.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr int k_body_grain = 256;
constexpr int k_batch_grain = 16;

// Sweeps more where something is about to pass through something, at most.
constexpr int k_rescue_sweeps = 8;

// Of contacts between sheets.
constexpr int k_sheet_sweeps = 2;

// Whether nothing of the body's own needs its velocities between two substeps.
bool leaves_velocities(const Deformable& body) {
  return body.springs.empty() && !body.constraints.fem_material.explicit_forces &&
         !(body.max_speed > 0);
}

}  // namespace

std::span<const std::int32_t> World::Impl::movable(int begin, int end) const {
  return std::span(state.rigid.movable).subspan(std::size_t(begin), std::size_t(end - begin));
}

std::span<const std::int32_t> World::Impl::by_place(int begin, int end) const {
  return std::span(scratch.order.bodies).subspan(std::size_t(begin), std::size_t(end - begin));
}

void World::Impl::forces(double h, double time) {
  state.air = state.wind + gust({def.gust_speed, def.gust_period, def.gust_seed}, time);
  move_anchors((time + h - state.time) / (h * def.substeps));
  const bool forced = field_forces(h, time);
  BodyForces body_forces{state.gravity, def.medium_density, state.air, time};
  if (!scratch.active_fields.empty()) {
    body_forces.field = scratch.field_force;
    body_forces.carried = scratch.carried;
  }
  note_special(state.rigid, special);
  parallel_for(pool.get(), int(state.rigid.movable.size()), k_body_grain, [&](int begin, int end) {
    apply_body_forces(state.rigid, by_place(begin, end), body_forces, h);
  });
  apply_special_forces(state.rigid, special, body_forces, h);
  each_deformable([&](Deformable& body, TaskPool* inner) {
    SubstepContext context{h, 0, state.gravity, def.sweeps, inner};
    apply_forces(state.particles, body, context, forced);
  });
}

ContactSettings World::Impl::contact_settings(double h) const {
  ContactSettings settings;
  settings.h = Real(h);
  settings.push_speed = Real(def.push_speed);
  settings.restitution_speed = Real(def.restitution_speed);
  return settings;
}

void World::Impl::solve_rigid(double h) {
  const ContactSettings settings = contact_settings(h);
  if (scratch.bounces)
    parallel_for(
        pool.get(), int(scratch.batches.batch.size()), k_batch_grain,
        [&](int begin, int end) { take_approach(scratch.batches, begin, end, state.rigid); });
  each_phase(scratch.colours, pool.get(), [&](int begin, int end) {
    warm_start_contacts(scratch.batches, begin, end, state.rigid);
  });
  solve_rigid_anchors(h, false);
  solve_joints(h);
  each_phase(scratch.colours, pool.get(), [&](int begin, int end) {
    solve_contacts(scratch.batches, begin, end, state.rigid, settings);
  });
}

void World::Impl::predict(double h, double time_end) {
  if (!state.deformables.empty()) {
    scratch.rigid_before.resize(std::size_t(state.rigid.size()));
    for (std::size_t i = 0; i < scratch.rigid_before.size(); ++i)
      scratch.rigid_before[i] = {state.rigid.position[i], state.rigid.rotation[i]};
  }
  limit_bodies(state.rigid, special);
  parallel_for(pool.get(), int(state.rigid.movable.size()), k_body_grain,
               [&](int begin, int end) { predict_bodies(state.rigid, by_place(begin, end), h); });
  each_deformable([&](Deformable& body, TaskPool* inner) {
    pliant::predict(state.particles, body, {h, time_end, state.gravity, def.sweeps, inner});
  });
}

RefreshContext World::Impl::refresh_context(double h) const {
  return {h,
          def.push_speed,
          def.contact_margin,
          state.deformables,
          &state.particles,
          &state.rigid,
          scratch.rigid_before,
          state.sides};
}

void World::Impl::project_inside(double h) {
  each_deformable([&](Deformable& body, TaskPool* inner) {
    project_internal(state.particles, body, {h, 0, state.gravity, def.sweeps, inner});
  });
  project_seams(h);
  freeze_wild_deformables(true);
  if (state.deformables.empty()) return;
  scratch.pushes.assign(std::size_t(state.rigid.size()), RigidPush{});
  project_anchors(h);
  project_joints(h);
}

// After the bodies' own constraints: how far each particle goes in this substep is known then but
// for the contacts themselves, so nothing fast is overlooked.
void World::Impl::refresh(double h, double left) {
  refresh_self_particles(h, left);
  if (state.slots.pairs.empty() && !has_sheets()) return;
  scratch.begin.resize(state.particles.d_before.size());
  each_body([&](std::size_t n, TaskPool* inner) {
    const Deformable& body = state.deformables[n];
    const ConstraintSet& set = body.constraints;
    const Vec4* from = state.particles.d_before.data() + body.begin;
    Vec4* to = scratch.begin.data() + body.begin;
    each_cluster(inner, set, [&](int k) {
      const std::int32_t begin = set.clusters[std::size_t(k)];
      std::copy(from + begin, from + set.clusters[std::size_t(k) + 1], to + begin);
    });
    std::copy(from + set.clusters.back(), from + set.places(), to + set.clusters.back());
  });
  refresh_sheets(h, left);
  if (state.slots.pairs.empty()) return;
  refresh_slots(refresh_context(h), state.slots, scratch.marks, pool.get());
}

void World::Impl::sweep_contacts(double h) {
  project_slots(state.slots, state.particles, state.rigid.motion, scratch.pushes, scratch.reactions,
                scratch.support, pool.get());
  collect_reactions(h);
}

// More sweeps for the groups in which something is about to pass through something. Returns whether
// something still is.
bool World::Impl::rescue_contacts(double h) {
  for (int sweep = 0;; ++sweep) {
    if (!comes_too_near(state.deformables, state.slots, state.particles, state.rigid,
                        scratch.pushes, scratch.groups.near))
      return false;
    if (sweep == k_rescue_sweeps) return true;
    for (ContactPair& pair : state.slots.pairs)
      pair.swept = scratch.groups.near[std::size_t(pair.group)] != 0;
    aim_slots(refresh_context(h), state.slots, scratch.pushes, pool.get());
    sweep_contacts(h);
  }
}

void World::Impl::project_contacts(double h) {
  if (state.deformables.empty()) return;
  project_self_particles();
  for (int sweep = 0; sweep < k_sheet_sweeps; ++sweep) project_sheets();
  if (state.slots.pairs.empty()) {
    scratch.pinch.pinches.clear();
    rescue_sheets(h);
    apply_pushes(state.rigid, scratch.pushes, h);
  } else {
    project_slot_contacts(h);
  }
  hold_sheets(h);
}

// More sweeps where sheets are about to pass through each other; rigid shapes have the last word.
// Returns whether there were any.
bool World::Impl::rescue_sheets(double h) {
  int sweep = 0;
  for (; sweep < k_rescue_sweeps && sheets_too_near(); ++sweep) {
    project_sheets();
    for (ContactPair& pair : state.slots.pairs)
      pair.swept = scratch.sheets.near[std::size_t(pair.body)] != 0;
    if (!state.slots.pairs.empty()) sweep_contacts(h);
  }
  return sweep > 0;
}

PressedBody World::Impl::pressed_body(const Deformable& body) {
  const std::size_t begin = std::size_t(body.begin);
  return {&state.particles.base[begin], &state.particles.d[begin], &scratch.unpressed[begin],
          &scratch.shell_place[begin], &scratch.shell_gradient[begin]};
}

// A solid with volume rows that may be pressed in this substep.
bool World::Impl::keeps_volume(std::size_t n) const {
  const Deformable& body = state.deformables[n];
  return !body.shell.particle.empty() && scratch.meeting[n] && awake(body);
}

void World::Impl::note_shells() {
  for (std::vector<Vec4>* memory :
       {&scratch.unpressed, &scratch.shell_place, &scratch.shell_gradient})
    memory->resize(state.particles.d.size());
  each_body([&](std::size_t n, TaskPool*) {
    const Deformable& body = state.deformables[n];
    if (keeps_volume(n)) note_shell(body.shell, pressed_body(body));
  });
}

// Gives pressed solids their volume back; then their contacts have the last word again. Not where
// cloth is pressed: what it has been brought to carry would be pushed through it.
void World::Impl::restore_volumes(double h) {
  scratch.restored.assign(state.deformables.size(), 1);
  for (const ContactPair& pair : state.slots.pairs)
    if (scratch.groups.pressed[std::size_t(pair.group)]) {
      scratch.restored[std::size_t(pair.body)] = 0;
      scratch.restored[std::size_t(pair.other >= 0 ? pair.other : pair.body)] = 0;
    }
  each_body([&](std::size_t n, TaskPool*) {
    const Deformable& body = state.deformables[n];
    if (scratch.restored[n])
      scratch.restored[n] = keeps_volume(n) && keep_volume(body, pressed_body(body), h);
  });
  bool any = false;
  for (ContactPair& pair : state.slots.pairs) {
    pair.swept = scratch.restored[std::size_t(pair.body)] != 0 ||
                 (pair.other >= 0 && scratch.restored[std::size_t(pair.other)] != 0);
    any |= pair.swept;
  }
  if (any) sweep_contacts(h);
}

void World::Impl::project_slot_contacts(double h) {
  const bool pressed = scratch.groups.any_pressed;
  scratch.support.resize(pressed ? std::size_t(state.particles.size()) : 0);
  note_shells();
  for (ContactPair& pair : state.slots.pairs) pair.swept = true;
  aim_slots(refresh_context(h), state.slots, scratch.pushes, pool.get());
  for (int sweep = 0, sweeps = 1; sweep < sweeps; ++sweep) {
    sweeps = choose_swept(state.slots, sweep);
    sweep_contacts(h);
    if (pressed)
      note_support(state.slots, state.rigid.motion, scratch.pushes, scratch.support,
                   scratch.supported);
  }
  restore_volumes(h);
  bool near = rescue_contacts(h);
  if (rescue_sheets(h))
    near = comes_too_near(state.deformables, state.slots, state.particles, state.rigid,
                          scratch.pushes, scratch.groups.near);
  clear_support(scratch.support, scratch.supported);
  sum_up_pairs(state.slots);
  pass_loads(h);
  note_touches();
  for (std::size_t i = 0; i < scratch.pushes.size(); ++i)
    if (const Vec3R& push = scratch.pushes[i].contact_impulse; push != Vec3R{})
      press(std::int32_t(i), cast<double>(push) / h);
  apply_pushes(state.rigid, scratch.pushes, h);
  const ApartContext apart{h, state.deformables, scratch.begin, scratch.rigid_before};
  if (near || turns_far(apart, state.slots, state.particles, state.rigid))
    report.held_back +=
        keep_apart(apart, state.slots, state.particles, state.rigid, scratch.pushes, scratch.apart);
  scratch.sheets.checked = false;  // particles have moved since
}

// Through cloth between rigid bodies.
void World::Impl::pass_loads(double h) {
  hold_pinched(state.slots, std::int32_t(state.deformables.size()), Real(def.push_speed * h),
               state.particles, scratch.begin, state.rigid.motion, scratch.pushes, scratch.pinch);
  for (const Pinch& pinch : scratch.pinch.pinches)
    for (const PinchSide* side : {&pinch.a, &pinch.b})
      scratch.pair_loads[std::size_t(side->contact.pair)].reaction += Real(1 / h) * side->gained;
}

// Of the last sweep, on the obstacle side of each pair.
void World::Impl::collect_reactions(double h) {
  const Real inv_h = Real(1 / h);
  for (const VertexBatch& b : state.slots.batches) {
    if (!b.live) continue;
    scratch.pair_loads[std::size_t(b.pair)].reaction += inv_h * b.reaction.gained;
  }
  for (const std::int32_t s : reacting(state.slots)) {
    const std::int32_t pair = state.slots.contacts[std::size_t(s)].pair;
    scratch.pair_loads[std::size_t(pair)].reaction +=
        inv_h * scratch.reactions[std::size_t(s)].gained;
  }
}

void World::Impl::note_touches() {
  for (std::size_t n = 0; n < state.slots.pairs.size(); ++n) {
    const ContactPair& pair = state.slots.pairs[n];
    PairLoad& load = scratch.pair_loads[n];
    if (pair.loaded == 0) continue;
    if (!load.touched) load.closing = std::max(-pair.approach, Real(0));
    load.touched = true;
  }
}

// Whether something can give way to the anchor: sleeping bodies keep what they carried.
bool World::Impl::anchor_works(const Anchor& anchor) const {
  return side_works(anchor.a) || side_works(anchor.b);
}

bool World::Impl::side_works(const AnchorSide& side) const {
  if (side.rigid >= 0)
    return state.rigid.dynamic(side.rigid) && state.rigid.awake[std::size_t(side.rigid)];
  return side.deformable >= 0 && awake(state.deformables[std::size_t(side.deformable)]);
}

void World::Impl::project_anchors(double h) {
  const AnchorContext context{h, state.deformables, &state.particles, &state.rigid, scratch.pushes};
  for (Anchor& anchor : state.anchors) {
    if (!touches_particle(anchor) || !anchor_works(anchor)) continue;
    anchor.multiplier = {};
    for (int sweep = 0; sweep < def.sweeps; ++sweep) project_anchor(context, anchor);
    anchor.impulse -= cast<double>(anchor.multiplier) / h;
  }
}

void World::Impl::project_seams(double h) {
  for (Seam& seam : state.seams) {
    const Deformable& body = state.deformables[std::size_t(seam.deformable)];
    if (awake(body)) project_seam(state.particles, body, h, def.sweeps, seam);
  }
}

void World::Impl::solve_rigid_anchors(double h, bool relaxing) {
  const AnchorContext context{h, state.deformables, &state.particles, &state.rigid, {}};
  for (Anchor& anchor : state.anchors) {
    if (touches_particle(anchor) || !anchor_works(anchor)) continue;
    if (!relaxing) warm_start_anchor(context, anchor);
    solve_anchor(context, anchor, relaxing);
    if (relaxing) anchor.impulse -= cast<double>(anchor.multiplier);
  }
}

void World::Impl::velocities(double h, bool last) {
  mark_free_bodies();
  for (Deformable& body : state.deformables)
    body.velocities_due = !last && !body.free && leaves_velocities(body);
  for (const ContactPair& pair : state.slots.pairs) {
    if (pair.restitution <= 0) continue;
    state.deformables[std::size_t(pair.body)].velocities_due = false;
    if (pair.other >= 0) state.deformables[std::size_t(pair.other)].velocities_due = false;
  }
  each_deformable([&](Deformable& body, TaskPool* inner) {
    if (body.velocities_due) return;
    const SubstepContext context{h, 0, state.gravity, def.sweeps, inner};
    update_velocities(state.particles, body, context);
    if (body.free) correct_free_fall(state.particles, body, context);
  });
}

// For those who ask before the next prediction.
void World::Impl::take_due_velocities(double h) {
  each_deformable([&](Deformable& body, TaskPool* inner) {
    if (body.velocities_due)
      update_velocities(state.particles, body, {h, 0, state.gravity, def.sweeps, inner});
  });
}

// A body is free in a substep in which nothing outside touched it but uniform gravity.
void World::Impl::mark_free_bodies() {
  if (state.deformables.empty()) return;
  for (Deformable& body : state.deformables) body.free = body.pins.empty() && !has_fields();
  for (const ContactPair& pair : state.slots.pairs) {
    if (pair.loaded == 0) continue;
    state.deformables[std::size_t(pair.body)].free = false;
    if (pair.other >= 0) state.deformables[std::size_t(pair.other)].free = false;
  }
  if (scratch.sheets.any)
    for (std::size_t n = 0; n < state.deformables.size(); ++n)
      if (scratch.sheets.bound[n]) state.deformables[n].free = false;
  for (std::size_t n = 0; n < scratch.overlaps.bound.size(); ++n)
    if (scratch.overlaps.bound[n]) state.deformables[n].free = false;
  for (const Anchor& anchor : state.anchors)
    for (const AnchorSide* side : {&anchor.a, &anchor.b})
      if (side->deformable >= 0) state.deformables[std::size_t(side->deformable)].free = false;
  for (const Joint& joint : state.joints)
    for (const AnchorSide* side : {&joint.a, &joint.b})
      if (side->deformable >= 0) state.deformables[std::size_t(side->deformable)].free = false;
}

void World::Impl::relax(double h) {
  const ContactSettings settings = contact_settings(h);
  solve_rigid_anchors(h, true);
  relax_joints(h);
  each_phase(scratch.colours, pool.get(), [&](int begin, int end) {
    relax_contacts(scratch.batches, begin, end, state.rigid, settings);
  });
}

void World::Impl::restitution(double h) {
  const ContactSettings settings = contact_settings(h);
  if (scratch.bounces)
    each_phase(scratch.colours, pool.get(), [&](int begin, int end) {
      restitute_contacts(scratch.batches, begin, end, state.rigid, settings);
    });
  restore_speeds(state.slots, def.restitution_speed, state.particles, state.rigid.motion);
  limit_bodies(state.rigid, special);
  for (const Deformable& body : state.deformables) {
    if (!awake(body)) continue;
    limit_speeds(state.particles, body);
    copy_merged(state.particles, body);
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
