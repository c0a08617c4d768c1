// Joints: adding, removing, reading, and their part of the stages.
#include <algorithm>
#include <cmath>

#include "build/joint_order.h"
#include "build/joint_rules.h"
#include "constraints/joint_balls.h"
#include "core/root_of.h"
#include "scene/check_definitions.h"
#include "world/world_impl.h"

namespace pliant {

inline namespace PLIANT_ABI {

// --- adding and removing
// -------------------------------------------------------------------------------

Result<JointId> World::add_joint(const JointDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  Impl& w = *impl_;
  const Result<AnchorSide> a = w.anchor_side(def.a, "a"), b = w.anchor_side(def.b, "b");
  if (!a) return a.error();
  if (!b) return b.error();
  Joint joint;
  joint.def = def;
  joint.a = a.value();
  joint.b = b.value();
  const AnchorContext context{0, w.state.deformables, &w.state.particles, &w.state.rigid, {}};
  const auto rotation = [&](const AnchorSide& side) { return side_rotation(context, side); };
  joint.frame_a = normalized(def.frame_a);
  joint.frame_b =
      normalized(def.frame_b ? *def.frame_b
                             : conjugate(rotation(joint.b)) * rotation(joint.a) * joint.frame_a);
  joint.def.frame_b = joint.frame_b;
  if (def.kind == JointKind::distance && !(def.length > 0))
    joint.def.length = length(anchor_place(context, joint.b) - anchor_place(context, joint.a));
  build_joint_rules(joint, joint.def.length);
  w.state.joints.push_back(joint);
  for (const AnchorSide* side : {&joint.a, &joint.b})
    if (const std::int32_t node = w.node_of(*side); node >= 0) w.wake_node(node);
  w.scratch.joints.listed = false;
  return w.joints.add(std::int32_t(w.state.joints.size()) - 1);
}

void World::Impl::drop_joint(JointId id) {
  const std::int32_t index = joints[id];
  const Joint& joint = state.joints[std::size_t(index)];
  for (const std::int32_t node : {node_of(joint.a), node_of(joint.b)})
    if (node >= 0) wake_node(node);
  joints.remove(id);
  state.joints.erase(state.joints.begin() + index);
  joints.close_gap(index);
  scratch.joints.listed = false;
}

void World::remove(JointId id) { impl_->drop_joint(id); }
bool World::valid(JointId id) const { return impl_->joints.valid(id); }
std::vector<JointId> World::joints() const { return impl_->joints.all(); }

void World::set_motor_target(JointId id, int axis, double target) {
  PLIANT_ASSERT(axis >= 0 && axis < 6 && std::isfinite(target));
  impl_->commands.push_back(
      {Command::Kind::motor, id.index, id.generation, axis, {target, 0, 0}, {}, {}});
}

// --- reading
// -------------------------------------------------------------------------------------------

JointDef World::describe(JointId id) const {
  const Joint& joint = impl_->state.joints[std::size_t(impl_->joints[id])];
  JointDef def = joint.def;
  const std::array<double, k_joint_axes>& target = joint.memory.target;
  def.freedom.target = target[joint_axis(def.kind)];
  for (std::size_t k = 0; k < 3 && def.kind == JointKind::six_dof; ++k) {
    def.linear[k].target = target[k];
    def.angular[k].target = target[k + 3];
  }
  return def;
}

Vec3 World::joint_force(JointId id) const {
  return impl_->state.joints[std::size_t(impl_->joints[id])].memory.force;
}
Vec3 World::joint_torque(JointId id) const {
  return impl_->state.joints[std::size_t(impl_->joints[id])].memory.torque;
}

JointStatus World::joint_status(JointId id) const {
  State& state = impl_->state;
  Joint joint = state.joints[std::size_t(impl_->joints[id])];
  joint.turns = true;  // also angles that nothing is asked of
  const AnchorContext context{0, state.deformables, &state.particles, &state.rigid, {}};
  const JointCoordinates c = joint_coordinates(joint, joint_frames(context, joint));
  const auto& motor = joint.memory.motor;
  return {joint.memory.broken != 0,
          {c[0], c[1], c[2]},
          {c[3], c[4], c[5]},
          joint.memory.force,
          joint.memory.torque,
          {motor[0], motor[1], motor[2]},
          {motor[3], motor[4], motor[5]}};
}

void World::Impl::measure_joints(Measurements& m) {
  const AnchorContext context{0, state.deformables, &state.particles, &state.rigid, {}};
  for (const Joint& joint : state.joints)
    if (!joint.memory.broken) m.elastic_energy += joint_energy(joint, joint_frames(context, joint));
}

// --- groups
// --------------------------------------------------------------------------------------------
namespace {

// Of solving a part at once, in multiplications: beyond it the joints of the group are solved one
// after the other.
constexpr double k_direct_work = 3e6;

bool is_dynamic(const RigidBodies& rigid, const AnchorSide& side) {
  return side.rigid >= 0 && rigid.dynamic(side.rigid);
}

double rows_of(const Joint& joint) {
  double rows = 0;
  for (const JointRule& rule : joint.rule)
    rows += (rule.hold != JointRule::Hold::none) + (rule.stiffness > 0 || rule.damping > 0) +
            (rule.motor != MotorKind::none || rule.friction > 0);
  return rows;
}

// For each joint of a group the first of them that shares a moving body with it.
std::vector<std::int32_t> first_sharing(const State& state, std::span<const std::int32_t> group,
                                        std::vector<std::int32_t>& first_of_body) {
  std::vector<std::int32_t> first;
  for (const std::int32_t n : group)
    for (const AnchorSide* side :
         {&state.joints[std::size_t(n)].a, &state.joints[std::size_t(n)].b})
      if (side->rigid >= 0) first_of_body[std::size_t(side->rigid)] = -1;
  for (std::size_t n = 0; n < group.size(); ++n) {
    const Joint& joint = state.joints[std::size_t(group[n])];
    std::int32_t lowest = std::int32_t(n);
    for (const AnchorSide* side : {&joint.a, &joint.b}) {
      if (!is_dynamic(state.rigid, *side)) continue;
      std::int32_t& of_body = first_of_body[std::size_t(side->rigid)];
      if (of_body < 0) of_body = std::int32_t(n);
      lowest = std::min(lowest, of_body);
    }
    first.push_back(lowest);
  }
  return first;
}

double direct_work(const State& state, std::span<const std::int32_t> group,
                   std::span<const std::int32_t> first) {
  std::vector<double> before(group.size() + 1);
  double work = 0;
  for (std::size_t n = 0; n < group.size(); ++n) {
    const double rows = rows_of(state.joints[std::size_t(group[n])]);
    before[n + 1] = before[n] + rows;
    const double width = before[n + 1] - before[std::size_t(first[n])];
    work += 0.5 * rows * width * width;
  }
  return work;
}

}  // namespace

// The joints of group after group, and where each group ends.
void World::Impl::group_joints() {
  JointGroups& groups = scratch.joints;
  std::vector<std::int32_t> parent(std::size_t(state.rigid.size()));
  for (std::size_t n = 0; n < parent.size(); ++n) parent[n] = std::int32_t(n);
  std::vector<std::int32_t> active;
  for (std::size_t n = 0; n < state.joints.size(); ++n) {
    const Joint& joint = state.joints[n];
    const bool a = is_dynamic(state.rigid, joint.a), b = is_dynamic(state.rigid, joint.b);
    if (joint.memory.broken || touches_particle(joint) || (!a && !b)) continue;
    active.push_back(std::int32_t(n));
    if (!a || !b) continue;
    const std::int32_t p = root_of(parent, joint.a.rigid), q = root_of(parent, joint.b.rigid);
    parent[std::size_t(std::max(p, q))] = std::min(p, q);
  }
  std::vector<std::pair<std::int32_t, std::int32_t>> keyed;
  for (const std::int32_t n : active) {
    const Joint& joint = state.joints[std::size_t(n)];
    const bool a = is_dynamic(state.rigid, joint.a);
    keyed.push_back({root_of(parent, a ? joint.a.rigid : joint.b.rigid), n});
  }
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t k = 0; k < keyed.size(); ++k) {
    groups.order.push_back(keyed[k].second);
    if (k + 1 == keyed.size() || keyed[k + 1].first != keyed[k].first)
      groups.end.push_back(std::int32_t(k) + 1);
  }
}

// At the beginning of a step.
void World::Impl::list_joints() {
  for (Joint& joint : state.joints) {
    joint.impulse = joint.angular_impulse = {};
    joint.motor_total = {};
  }
  JointGroups& groups = scratch.joints;
  if (groups.listed) return;
  groups.listed = true;
  groups.order.clear();
  groups.end.clear();
  groups.first.clear();
  groups.at_once.clear();
  groups.balls.clear();
  groups.apart.clear();
  for (const Joint& joint : state.joints) {
    if (joint.memory.broken || joint.def.collide || joint.a.rigid < 0 || joint.b.rigid < 0)
      continue;
    const std::uint64_t a = state.rigid.key[std::size_t(joint.a.rigid)],
                        b = state.rigid.key[std::size_t(joint.b.rigid)];
    groups.apart.push_back(std::min(a, b) << 32 | std::max(a, b));
  }
  std::sort(groups.apart.begin(), groups.apart.end());
  group_joints();
  std::vector<std::int32_t> first_of_body(std::size_t(state.rigid.size()), -1);
  std::size_t begin = 0;
  for (const std::int32_t end : groups.end) {
    const auto group = std::span(groups.order).subspan(begin, std::size_t(end) - begin);
    std::vector<std::int32_t> first = first_sharing(state, group, first_of_body);
    double work = direct_work(state, group, first);
    const std::vector<std::int32_t> tree = tree_order(state.joints, group, state.rigid);
    std::vector<std::int32_t> tree_first = first_sharing(state, tree, first_of_body);
    if (const double less = direct_work(state, tree, tree_first); less < work) {
      work = less;
      first.swap(tree_first);
      std::copy(tree.begin(), tree.end(), group.begin());
    }
    groups.first.insert(groups.first.end(), first.begin(), first.end());
    groups.at_once.push_back(work < k_direct_work);
    const bool balls = std::all_of(group.begin(), group.end(), [&](std::int32_t n) {
      return is_ball_joint(state.joints[std::size_t(n)]);
    });
    groups.balls.push_back(balls && groups.at_once.back());
    begin = std::size_t(end);
  }
  list_ball_groups();
  groups.systems.resize(std::max(groups.systems.size(), groups.end.size() + 1));
}

void World::Impl::list_ball_groups() {
  JointGroups& groups = scratch.joints;
  groups.ball_groups.resize(std::max(groups.ball_groups.size(), groups.end.size()));
  for (std::size_t g = 0; g < groups.end.size(); ++g)
    if (groups.balls[g]) list_balls(joint_part(g), groups.ball_groups[g]);
}

// Groups of ball joints give the joints back what they hold of them.
void World::Impl::return_all_impulses() {
  JointGroups& groups = scratch.joints;
  for (std::size_t g = 0; g < groups.end.size(); ++g)
    if (groups.balls[g] && groups.ball_groups[g].holds)
      return_impulses(joint_part(g), groups.ball_groups[g]);
}

JointPart World::Impl::joint_part(std::size_t group) {
  const JointGroups& groups = scratch.joints;
  const std::size_t from = group == 0 ? 0 : std::size_t(groups.end[group - 1]);
  const std::size_t count = std::size_t(groups.end[group]) - from;
  return {state.joints, std::span<const std::int32_t>(groups.order).subspan(from, count),
          std::span<const std::int32_t>(groups.first).subspan(from, count)};
}

// Takes the pairs out that filters keep apart, or that are joined and do not collide.
void World::Impl::part_joined() {
  part_filtered();
  const std::vector<std::uint64_t>& apart = scratch.joints.apart;
  if (apart.empty()) return;
  std::erase_if(scratch.pairs, [&](const BoxPair& pair) {
    return std::binary_search(apart.begin(), apart.end(), pair.key);
  });
}

// The set of bodies with ordered impacts that it is in; -1 = none.
std::int32_t World::Impl::set_of(const Joint& joint) const {
  if (scratch.ordered.used == 0) return -1;
  const std::vector<std::int32_t>& set = scratch.ordered.set_of;
  const std::int32_t a = joint.a.rigid >= 0 ? set[std::size_t(joint.a.rigid)] : -1;
  return a >= 0 || joint.b.rigid < 0 ? a : set[std::size_t(joint.b.rigid)];
}

bool World::Impl::joint_works(const Joint& joint) const {
  return !joint.memory.broken && (side_works(joint.a) || side_works(joint.b));
}

// --- stages
// --------------------------------------------------------------------------------------------

// A group holds its impulses from the first substep to the end of the step; in a set of ordered
// impacts, where pieces are taken back, only while it is solved.
template <class Balls>
void World::Impl::run_balls(const JointPart& part, BallGroup& group, const Balls& balls) {
  if (!group.holds) take_impulses(part, group);
  balls(group);
  if (scratch.ordered.running >= 0) return_impulses(part, group);
}

// Runs `balls(group)` for each group of ball joints. For the others, `run(part, system)` for
// the parts of each, those of one group in order; a part is the whole group where that is cheap
// enough, else one joint; `begin` and `end` run for every joint of such a group, before and after.
// Groups that sleep are left out.
template <class Balls, class Begin, class Run, class End>
void World::Impl::each_joint_part(const Balls& balls, const Begin& begin, const Run& run,
                                  const End& end) {
  JointGroups& groups = scratch.joints;
  constexpr int k_grain = 4;
  const auto run_group = [&](std::size_t g) {
    const JointPart whole = joint_part(g);
    const std::size_t count = whole.joints.size();
    if (std::none_of(whole.joints.begin(), whole.joints.end(),
                     [&](std::int32_t n) { return joint_works(state.joints[std::size_t(n)]); }))
      return;
    if (set_of(whole.of(0)) != scratch.ordered.running) return;
    if (groups.balls[g]) return run_balls(whole, groups.ball_groups[g], balls);
    for (std::size_t n = 0; n < count; ++n) begin(whole.of(n));
    static constexpr std::int32_t k_self = 0;
    for (int sweep = 0; sweep < def.sweeps; ++sweep) {
      if (groups.at_once[g]) run(whole, groups.systems[g]);
      for (std::size_t n = 0; n < count && !groups.at_once[g]; ++n)
        run(JointPart{state.joints, whole.joints.subspan(n, 1), std::span(&k_self, 1)},
            groups.systems[g]);
    }
    for (std::size_t n = 0; n < count; ++n) end(whole.of(n));
  };
  parallel_for(pool.get(), int(groups.end.size()), k_grain, [&](int first_group, int last_group) {
    for (int g = first_group; g < last_group; ++g) run_group(std::size_t(g));
  });
}

JointContext World::Impl::joint_context(double h) {
  return {{h, state.deformables, &state.particles, &state.rigid, {}}, def.push_speed};
}

void World::Impl::solve_joints(double h) {
  if (state.joints.empty()) return;
  const JointContext context = joint_context(h);
  each_joint_part(
      [&](BallGroup& group) { solve_balls(context, def.sweeps, group); },
      [&](Joint& joint) { begin_joint(context, joint), warm_start_joint(context, joint); },
      [&](const JointPart& part, JointSystem& system) {
        pliant::solve_joints(context, part, system);
      },
      [&](Joint& joint) { note_solved(joint, h); });
  if (state.deformables.empty()) return;
  for (Joint& joint : state.joints)
    if (touches_particle(joint) && joint_works(joint)) begin_joint(context, joint);
}

void World::Impl::relax_joints(double h) {
  if (state.joints.empty()) return;
  const JointContext context = joint_context(h);
  each_joint_part([&](BallGroup& group) { relax_balls(context, def.sweeps, group); },
                  [&](Joint& joint) { begin_relaxing(context, joint); },
                  [&](const JointPart& part, JointSystem& system) {
                    pliant::relax_joints(context, part, system);
                  },
                  [](Joint& joint) { note_relaxed(joint); });
}

void World::Impl::project_joints(double h) {
  JointContext context = joint_context(h);
  context.sides.pushes = scratch.pushes;
  for (Joint& joint : state.joints)
    if (touches_particle(joint) && joint_works(joint))
      project_joint(context, joint, def.sweeps, scratch.joints.systems.back());
}

// Forces of the step, and what they break.
void World::Impl::publish_joints(double dt) {
  return_all_impulses();
  for (std::size_t n = 0; n < state.joints.size(); ++n) {
    Joint& joint = state.joints[n];
    if (!joint_works(joint)) continue;
    JointMemory& m = joint.memory;
    m.force = joint.impulse / dt;
    m.torque = joint.angular_impulse / dt;
    for (std::size_t k = 0; k < k_joint_axes; ++k) m.motor[k] = joint.motor_total[k] / dt;
    const bool breaks = (joint.def.break_force > 0 && length(m.force) > joint.def.break_force) ||
                        (joint.def.break_torque > 0 && length(m.torque) > joint.def.break_torque);
    if (!breaks) continue;
    m.broken = 1;
    m.held = m.relaxed = m.sprung = m.driven = {};
    scratch.joints.listed = false;
    const auto id = [&](const AnchorSide& side) {
      const std::int32_t node = node_of(side);
      return node >= 0 ? any_id(key_of(node)) : AnyId{};
    };
    events.push_back({.kind = EventKind::joint_broken,
                      .a = id(joint.a),
                      .b = id(joint.b),
                      .joint = joints.id_of(std::int32_t(n))});
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
