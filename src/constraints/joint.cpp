#include "constraints/joint.h"

#include <algorithm>
#include <cmath>

#include "constraints/joint_rows.h"

namespace pliant {
namespace {

// Adds what the impulses come to, on side a, over the step.
void note_impulse(Joint& joint, const AxisImpulses& impulse) {
  for (std::size_t k = 0; k < k_joint_axes; ++k) {
    const JointGradient& g = joint.gradient[k];
    joint.impulse -= impulse[k] * g.along;
    if (k >= 3) joint.angular_impulse -= impulse[k] * g.about_b;
  }
}

AxisImpulses all_impulses(const JointMemory& m) {
  AxisImpulses out{};
  for (std::size_t k = 0; k < k_joint_axes; ++k) out[k] = m.held[k] + m.sprung[k] + m.driven[k];
  return out;
}

// Linear: from the rates. It is what the first solution starts from: a prediction along velocities
// that the locks do not allow would bend far from where the bodies go.
EndOfSubstep linear_end(const JointContext& context, const Joint& joint) {
  EndOfSubstep e{joint.begin, context.sides.h, context.push_speed, false};
  const SideRates rates = side_rates(context.sides, joint);
  for (std::size_t k = 0; k < k_joint_axes; ++k)
    if (asks(joint.rule[k])) e.value[k] += e.h * rate_of(rates, joint.gradient[k]);
  return e;
}

EndOfSubstep true_end(const JointContext& context, const Joint& joint, bool whole) {
  PredictedPoses poses;
  poses.clear();
  return {end_coordinates(context, joint, poses), context.sides.h, context.push_speed, whole};
}

// Velocities of two rigid sides from their rows, which stand together from `from` to `to`.
void give_rows(const JointContext& context, const Joint& joint, const JointSystem& system,
               std::size_t from, std::size_t to) {
  Vec3 v_a, w_a, v_b, w_b;
  for (std::size_t i = from; i < to; ++i) {
    const JointRow& row = system.rows[i];
    v_a -= row.change * row.a.moved;
    w_a -= row.change * row.a.turned;
    v_b += row.change * row.b.moved;
    w_b += row.change * row.b.turned;
  }
  if (system.rows[from].b.body >= 0) give_velocity(context.sides, joint.b, v_b, w_b);
  if (system.rows[from].a.body >= 0) give_velocity(context.sides, joint.a, v_a, w_a);
}

// Impulses into the memory, velocities to the sides.
void give_changes(const JointContext& context, JointPart part, JointSystem& system) {
  for (const JointRow& row : system.rows) *row.impulse += row.change;
  if (touches_particle(part.of(0))) {
    system.axis_change.assign(part.joints.size(), AxisImpulses{});
    for (const JointRow& row : system.rows)
      system.axis_change[std::size_t(row.joint)][std::size_t(row.axis)] += row.change;
    for (std::size_t n = 0; n < part.joints.size(); ++n)
      give(context, part.of(n), system.axis_change[n]);
    return;
  }
  for (std::size_t from = 0; from < system.rows.size();) {
    const std::int32_t n = system.rows[from].joint;
    std::size_t to = from + 1;
    while (to < system.rows.size() && system.rows[to].joint == n) ++to;
    give_rows(context, part.of(std::size_t(n)), system, from, to);
    from = to;
  }
}

// The rows of all joints: `unbounded` appends those without bounds, `bounded` those with.
template <class Unbounded, class Bounded>
void gather(const JointContext& context, JointPart part, JointSystem& system,
            const Unbounded& unbounded, const Bounded& bounded) {
  system.rows.clear();
  system.first.clear();
  system.begin.clear();
  system.given = false;
  for (std::size_t n = 0; n < part.joints.size(); ++n) {
    system.begin.push_back(std::int32_t(system.rows.size()));
    JointRows rows =
        rows_of(context, system, part.of(n), n, system.begin[std::size_t(part.first[n])]);
    unbounded(rows);
  }
  for (std::size_t n = 0; n < part.joints.size(); ++n) {
    if (!may_be_bounded(part.of(n))) continue;
    JointRows rows =
        rows_of(context, system, part.of(n), n, system.begin[std::size_t(part.first[n])]);
    bounded(rows);
  }
  assemble(system);
}

// Targets of the present velocities: along them, or with the true end of the substep.
void refresh_targets(const JointContext& context, JointPart part, JointSystem& system, bool exact) {
  system.ends.resize(part.joints.size());
  PredictedPoses poses;
  poses.clear();
  for (std::size_t n = 0; n < part.joints.size(); ++n)
    system.ends[n] =
        exact ? end_coordinates(context, part.of(n), poses) : linear_end(context, part.of(n)).value;
  for (JointRow& row : system.rows) {
    const std::size_t n = std::size_t(row.joint);
    set_target(part.of(n), row, {system.ends[n], context.sides.h, context.push_speed, false});
  }
}

}  // namespace

bool touches_particle(const Joint& joint) { return joint.a.particles > 0 || joint.b.particles > 0; }

void begin_joint(const JointContext& context, Joint& joint) {
  const JointFrames frames = joint_frames(context.sides, joint);
  joint.begin = joint_coordinates(joint, frames);
  joint.gradient = joint_gradients(joint, frames);
  joint.arm_a = frames.a.point - frames.a.centre;
  joint.arm_b = frames.b.point - frames.b.centre;
}

void warm_start_joint(const JointContext& context, Joint& joint) {
  give(context, joint, all_impulses(joint.memory));
}

void solve_joints(const JointContext& context, JointPart part, JointSystem& system) {
  gather(
      context, part, system,
      [&](JointRows& rows) {
        EndOfSubstep e = linear_end(context, rows.joint);
        add_unbounded(context, rows, e);
      },
      [&](JointRows& rows) {
        EndOfSubstep e = linear_end(context, rows.joint);
        add_bounded(context, rows, e);
      });
  if (system.given) refresh_targets(context, part, system, false);
  solve_bounded(system);
  give_changes(context, part, system);
  refresh_targets(context, part, system, true);
  solve_again(system);
  give_changes(context, part, system);
}

void note_solved(Joint& joint, double h) {
  note_impulse(joint, all_impulses(joint.memory));
  for (std::size_t k = 0; k < k_joint_axes; ++k) joint.motor_total[k] += motor_part(joint, k, h);
}
void note_relaxed(Joint& joint) { note_impulse(joint, joint.memory.relaxed); }

void begin_relaxing(const JointContext& context, Joint& joint) {
  joint.gradient = joint_gradients(joint, joint_frames(context.sides, joint));
  for (std::size_t k = 0; k < k_joint_axes; ++k)
    if (joint.rule[k].hold != JointRule::Hold::locked) joint.memory.relaxed[k] = 0;
  give(context, joint, joint.memory.relaxed);
}

void relax_joints(const JointContext& context, JointPart part, JointSystem& system) {
  const auto add = [&](JointRows& rows, JointRule::Hold hold) {
    Joint& joint = rows.joint;
    const SideRates rates = side_rates(context.sides, joint);
    for (std::size_t k = 0; k < k_joint_axes; ++k) {
      const JointRule& rule = joint.rule[k];
      const double held = joint.memory.held[k];
      const bool limited = hold == JointRule::Hold::limited;
      if (rule.hold != hold || rule.compliance > 0 || (limited && held == 0)) continue;
      JointRow& row = rows.add(k, joint.memory.relaxed[k], limited ? k_limit : k_lock);
      row.target = rate_of(rates, joint.gradient[k]);
      soften(row);
      if (limited) (held > 0 ? row.low : row.high) = -held;
    }
  };
  gather(
      context, part, system, [&](JointRows& rows) { add(rows, JointRule::Hold::locked); },
      [&](JointRows& rows) { add(rows, JointRule::Hold::limited); });
  solve_bounded(system);
  give_changes(context, part, system);
}

void project_joint(const JointContext& context, Joint& joint, int sweeps, JointSystem& system) {
  joint.memory.held = joint.memory.sprung = joint.memory.driven = {};
  const std::int32_t zero = 0;
  const JointPart part{std::span(&joint, 1), std::span(&zero, 1), std::span(&zero, 1)};
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    joint.gradient = joint_gradients(joint, joint_frames(context.sides, joint));
    EndOfSubstep e = true_end(context, joint, true);
    gather(
        context, part, system, [&](JointRows& rows) { add_unbounded(context, rows, e); },
        [&](JointRows& rows) { add_bounded(context, rows, e); });
    solve_bounded(system);
    give_changes(context, part, system);
  }
  note_solved(joint, context.sides.h);
}

double joint_energy(const Joint& joint, const JointFrames& frames) {
  const JointCoordinates c = joint_coordinates(joint, frames);
  double energy = 0;
  for (std::size_t k = 0; k < k_joint_axes; ++k) {
    const JointRule& rule = joint.rule[k];
    const double from_rest = k == 3 ? wrapped(c[k] - rule.rest) : c[k] - rule.rest;
    energy += 0.5 * rule.stiffness * from_rest * from_rest;
    if (!(rule.compliance > 0) || rule.hold == JointRule::Hold::none) continue;
    const double past = std::max({rule.min - c[k], c[k] - rule.max, 0.0});
    energy += 0.5 * past * past / rule.compliance;
  }
  return energy;
}

}  // namespace pliant
