#include "constraints/joint.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "math/trig.h"
#include "model/rigid_locks.h"
#include "model/rigid_turn.h"

namespace pliant {
namespace {

constexpr double k_share = 0.2;     // of a lock's error, taken back in a substep
constexpr double k_turn_speed = 4;  // rad/s for each m/s of push_speed: at a quarter of a metre
// Errors that a lock leaves: rounding of a scene's numbers. Where joints form a loop they cannot be
// removed, and trying to would load it without end.
constexpr double k_slop = 1e-5;  // m, rad
// Of a rigid lock, as a part of what its bodies yield: loops of joints hold some things twice, and
// share the load then. Elsewhere it costs a velocity of 1e-4 of gravity in a substep.
constexpr double k_softness = 1e-4;
constexpr int k_motor = 0, k_limit = 1, k_lock = 2;  // in this order they give way

// How a side yields to impulses.
struct SideYield {
  double inverse_mass = 0;
  Vec3 free{1, 1, 1};  // 0 along locked axes
  Mat3 inverse_inertia{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
};

std::size_t particle_index(const AnchorContext& context, const AnchorSide& side, std::size_t n) {
  return std::size_t(context.bodies[std::size_t(side.deformable)].begin + side.particle[n]);
}

SideYield yield_of_side(const AnchorContext& context, const AnchorSide& side) {
  SideYield y;
  for (std::size_t n = 0; n < std::size_t(side.particles); ++n)
    y.inverse_mass += double(context.particles->d[particle_index(context, side, n)].w) *
                      double(side.weight[n]) * double(side.weight[n]);
  if (side.rigid < 0 || !(context.rigid->motion[std::size_t(side.rigid)].velocity.w > 0)) return y;
  const BodyMotion& m = context.rigid->motion[std::size_t(side.rigid)];
  const Vec4 &p = m.inverse_first, &q = m.inverse_second;
  y.inverse_mass = double(m.velocity.w);
  y.free = cast<double>(free_axes(m));
  y.inverse_inertia = {{{double(p.x), double(p.y), double(p.z)},
                        {double(p.y), double(p.w), double(q.x)},
                        {double(p.z), double(q.x), double(q.y)}}};
  return y;
}

void add_to(Vec4& out, const Vec3& v) {
  out.x = Real(double(out.x) + v.x);
  out.y = Real(double(out.y) + v.y);
  out.z = Real(double(out.z) + v.z);
}

// At velocity level; at position level where there are pushes.
void give(const JointContext& context, const AnchorSide& side, const SideYield& y,
          const Vec3& impulse, const Vec3& angular) {
  const AnchorContext& sides = context.sides;
  for (std::size_t n = 0; n < std::size_t(side.particles); ++n) {
    Vec4& d = sides.particles->d[particle_index(sides, side, n)];
    add_to(d, double(d.w) * double(side.weight[n]) * sides.h * impulse);
  }
  if (side.rigid < 0 || y.inverse_mass == 0) return;
  const Vec3 dv = y.inverse_mass * scaled(y.free, impulse), dw = y.inverse_inertia * angular;
  if (sides.pushes.empty()) {
    BodyMotion& m = sides.rigid->motion[std::size_t(side.rigid)];
    add_to(m.velocity, dv);
    add_to(m.spin, dw);
    return;
  }
  RigidPush& push = sides.pushes[std::size_t(side.rigid)];
  const Vec3R moved = cast<Real>(sides.h * dv), turned = cast<Real>(sides.h * dw);
  push.moved += moved;
  push.gained += moved;
  push.turned += turned;
  push.gained_spin += turned;
}

JointSideFrame frame_of(const AnchorContext& context, const AnchorSide& side, const Quat& frame) {
  const Vec3 point = anchor_place(context, side);
  if (side.rigid < 0) return {point, point, frame};
  const std::size_t r = std::size_t(side.rigid);
  Vec3 centre = context.rigid->position[r];
  Quat q = context.rigid->rotation[r];
  if (!context.pushes.empty()) {
    const RigidPush& push = context.pushes[r];
    centre += cast<double>(push.moved);
    if (push.turned != Vec3R{}) q = normalized(exp_quat(0.5 * cast<double>(push.turned)) * q);
  }
  return {point, centre, q * frame};
}

JointSideFrame predicted(const AnchorContext& context, const AnchorSide& side, const Quat& frame) {
  if (side.rigid < 0) return frame_of(context, side, frame);
  const Transform pose = predicted_pose(*context.rigid, side.rigid, context.h);
  return {to_world(pose, side.point), pose.position, pose.rotation * frame};
}

JointFrames end_frames(const JointContext& context, const Joint& joint) {
  if (!context.sides.pushes.empty()) return joint_frames(context.sides, joint);
  return {predicted(context.sides, joint.a, joint.frame_a),
          predicted(context.sides, joint.b, joint.frame_b)};
}

// The coordinates at the end of the substep, angles as a continuous motion from the beginning.
JointCoordinates end_coordinates(const JointContext& context, const Joint& joint) {
  JointCoordinates out = joint_coordinates(joint, end_frames(context, joint));
  out[3] = joint.begin[3] + wrapped(out[3] - joint.begin[3]);
  return out;
}

// --- impulses of coordinates
// -----------------------------------------------------------------------------
using AxisImpulses = std::array<double, k_joint_axes>;

JointGradient sum_of(const Joint& joint, const AxisImpulses& impulse) {
  JointGradient sum;
  for (std::size_t k = 0; k < k_joint_axes; ++k) {
    if (impulse[k] == 0) continue;
    sum.along += impulse[k] * joint.gradient[k].along;
    sum.about_a += impulse[k] * joint.gradient[k].about_a;
    sum.about_b += impulse[k] * joint.gradient[k].about_b;
  }
  return sum;
}

void give(const JointContext& context, const Joint& joint, const AxisImpulses& impulse) {
  const JointGradient sum = sum_of(joint, impulse);
  give(context, joint.b, yield_of_side(context.sides, joint.b), sum.along, sum.about_b);
  give(context, joint.a, yield_of_side(context.sides, joint.a), -sum.along, -sum.about_a);
}

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

double rate_of(const AnchorContext& context, const Joint& joint, const JointGradient& g) {
  double rate = 0;
  for (const auto& [side, about, sign] :
       {std::tuple{&joint.a, &g.about_a, -1.0}, {&joint.b, &g.about_b, 1.0}}) {
    if (side->rigid < 0) continue;
    const BodyMotion& m = context.rigid->motion[std::size_t(side->rigid)];
    rate += sign *
            (dot(g.along, cast<double>(xyz(m.velocity))) + dot(*about, cast<double>(xyz(m.spin))));
  }
  return rate;
}

// --- rows
// -------------------------------------------------------------------------------------------
JointRowSide row_side(const AnchorSide& side, const SideYield& y, const Vec3& about,
                      std::int32_t number) {
  if (y.inverse_mass == 0) return {};
  const std::int32_t body = side.rigid >= 0 ? side.rigid : -2 - number;
  return {body, y.inverse_mass, y.inverse_inertia * about, y.free};
}

struct JointRows {
  JointSystem& system;
  Joint& joint;
  std::int32_t number;  // of the joint in its part
  std::int32_t first;   // first row of its envelope
  SideYield a, b;

  JointRow& add(std::size_t axis, double& impulse, int order) {
    JointRow row;
    row.gradient = joint.gradient[axis];
    row.a = row_side(joint.a, a, row.gradient.about_a, 2 * number);
    row.b = row_side(joint.b, b, row.gradient.about_b, 2 * number + 1);
    row.joint = number;
    row.axis = std::int32_t(axis);
    row.impulse = &impulse;
    row.order = order;
    system.rows.push_back(row);
    system.first.push_back(first);
    return system.rows.back();
  }
  void drop() {
    system.rows.pop_back();
    system.first.pop_back();
  }
};

struct EndOfSubstep {
  JointCoordinates value;  // as the present velocities have it
  double h = 0;
  double push_speed = 0;
  bool whole = false;  // a lock takes its whole error back at once
};

void set_spring(JointRow& row, double stiffness, double damping, double error, double change,
                double h) {
  const double y = stiffness * h * h * own_yield(row);
  const double g = h * (h * stiffness * (y / (1 + y)) + damping);
  row.softness = 1 / std::max(g, 1e-200);
  row.target = (*row.impulse + h * stiffness * error) * row.softness + change / h;
}

void soften(JointRow& row) {
  const double yield = row.axis < 3 ? row.a.inverse_mass + row.b.inverse_mass : own_yield(row);
  row.softness = k_softness * yield;
  row.target += row.softness * *row.impulse;
}

double beyond_slop(double error) {
  return error > k_slop ? error - k_slop : std::min(error + k_slop, 0.0);
}

void set_hold(JointRow& row, const JointRule& rule, double at, double begin, const EndOfSubstep& e,
              bool whole) {
  const double end = e.value[std::size_t(row.axis)];
  if (rule.compliance > 0)
    return set_spring(row, 1 / rule.compliance, 0, begin - at, end - begin, e.h);
  const double cap = row.axis < 3 ? e.push_speed : k_turn_speed * e.push_speed;
  const double share = std::clamp(k_share * beyond_slop(begin - at) / e.h, -cap, cap);
  row.target = whole ? (end - at) / e.h : (end - begin) / e.h + share;
  soften(row);
}

// Which limit is reached: -1 the lower, +1 the upper, 0 none.
int reached(const JointRule& rule, double impulse, double begin, double end) {
  if (impulse > 0) return -1;
  if (impulse < 0) return 1;
  if (begin < rule.min || end < rule.min) return -1;
  return begin > rule.max || end > rule.max ? 1 : 0;
}

void set_limit(JointRow& row, const Joint& joint, const EndOfSubstep& e) {
  const std::size_t k = std::size_t(row.axis);
  const JointRule& rule = joint.rule[k];
  const bool lower = row.low == 0;
  const double limit = lower ? rule.min : rule.max, begin = joint.begin[k];
  const bool passed = lower ? begin < limit : begin > limit;
  set_hold(row, rule, limit, begin, e, e.whole || !passed);  // it may go as far as the limit
}

bool has_motor(const JointRule& rule) {
  return rule.motor != MotorKind::none && rule.max_force > 0;
}
bool has_spring(const JointRule& rule) { return rule.stiffness > 0 || rule.damping > 0; }
// Something is asked of the coordinate.
bool asks(const JointRule& rule) {
  return rule.hold != JointRule::Hold::none || has_spring(rule) || has_motor(rule);
}

// How a side turns about an axis through the joint's point, where that is held.
double lever_yield(const JointRowSide& side, const Vec3& about, const Vec3& arm) {
  const double free = dot(about, side.turned);
  if (!(free > 0)) return 0;
  return 1 / (1 / free + length_sq(cross(about, arm)) / side.inverse_mass);
}

// The speed that a motor wants now.
double motor_speed(const Joint& joint, const JointRow& row, double h) {
  const std::size_t k = std::size_t(row.axis);
  const JointRule& rule = joint.rule[k];
  const double target = joint.memory.target[k];
  if (rule.motor == MotorKind::speed) return target;
  const double way = k == 3 ? wrapped(target - joint.begin[k]) : target - joint.begin[k];
  const double left = std::abs(way);
  const double yield = k < 3 ? row.a.inverse_mass + row.b.inverse_mass
                             : lever_yield(row.a, row.gradient.about_a, joint.arm_a) +
                                   lever_yield(row.b, row.gradient.about_b, joint.arm_b);
  const double speed =
      std::min({left / (4 * h), rule.max_speed, std::sqrt(rule.max_force * yield * left)});
  return way < 0 ? -speed : speed;
}

void set_motor(const Joint& joint, JointRow& row, const EndOfSubstep& e) {
  const std::size_t k = std::size_t(row.axis);
  row.high = joint.rule[k].max_force * e.h;
  row.low = -row.high;
  row.target = (e.value[k] - joint.begin[k]) / e.h - motor_speed(joint, row, e.h);
}

void set_target(const Joint& joint, JointRow& row, const EndOfSubstep& e) {
  const std::size_t k = std::size_t(row.axis);
  const JointRule& rule = joint.rule[k];
  if (row.order == k_motor) return set_motor(joint, row, e);
  if (row.order == k_limit) return set_limit(row, joint, e);
  if (row.impulse == &joint.memory.held[k])
    return set_hold(row, rule, rule.min, joint.begin[k], e, e.whole);
  const double from_rest = joint.begin[k] - rule.rest;
  set_spring(row, rule.stiffness, rule.damping, k == 3 ? wrapped(from_rest) : from_rest,
             e.value[k] - joint.begin[k], e.h);
}

// Rows that go before all others, alone: a motor that pushes against a limit, which would be a
// second row of its coordinate, and springs that are weak in a substep.
void solve_alone(const JointContext& context, JointRows& rows, JointRow& row, EndOfSubstep& e) {
  const std::size_t k = std::size_t(row.axis);
  const double yield = own_yield(row);
  AxisImpulses change{};
  if (yield > 0)
    change[k] = std::clamp(*row.impulse - row.target / (yield + row.softness), row.low, row.high) -
                *row.impulse;
  *row.impulse += change[k];
  give(context, rows.joint, change);
  e.value[k] += e.h * yield * change[k];
}

// Weak: its impulse depends on what the locks do by less than this part.
constexpr double k_weak = 1.0 / 16;

// Rows without bounds, then those with; weak springs are solved in passing.
void add_unbounded(const JointContext& context, JointRows& rows, EndOfSubstep& e) {
  JointMemory& m = rows.joint.memory;
  for (std::size_t k = 0; k < k_joint_axes; ++k) {
    const JointRule& rule = rows.joint.rule[k];
    if (rule.hold == JointRule::Hold::locked)
      set_target(rows.joint, rows.add(k, m.held[k], k_lock), e);
    if (!has_spring(rule)) continue;
    JointRow& row = rows.add(k, m.sprung[k], k_lock);
    set_target(rows.joint, row, e);
    if (own_yield(row) > k_weak * row.softness) continue;
    solve_alone(context, rows, row, e);
    rows.drop();
  }
}

void add_bounded(const JointContext& context, JointRows& rows, EndOfSubstep& e) {
  Joint& joint = rows.joint;
  JointMemory& m = joint.memory;
  for (std::size_t k = 0; k < k_joint_axes; ++k) {
    const JointRule& rule = joint.rule[k];
    const int limit = rule.hold == JointRule::Hold::limited
                          ? reached(rule, m.held[k], joint.begin[k], e.value[k])
                          : 0;
    if (has_motor(rule)) {
      JointRow& row = rows.add(k, m.driven[k], k_motor);
      set_target(rows.joint, row, e);
      if (limit != 0) {
        solve_alone(context, rows, row, e);
        rows.drop();
      }
    }
    if (limit == 0) continue;
    JointRow& row = rows.add(k, m.held[k], k_limit);
    (limit > 0 ? row.high : row.low) = 0;
    set_target(rows.joint, row, e);
  }
}

// Linear: from the rates. It is what the first solution starts from: a prediction along velocities
// that the locks do not allow would bend far from where the bodies go.
EndOfSubstep linear_end(const JointContext& context, const Joint& joint) {
  EndOfSubstep e{joint.begin, context.sides.h, context.push_speed, false};
  for (std::size_t k = 0; k < k_joint_axes; ++k)
    if (asks(joint.rule[k])) e.value[k] += e.h * rate_of(context.sides, joint, joint.gradient[k]);
  return e;
}

EndOfSubstep true_end(const JointContext& context, const Joint& joint, bool whole) {
  return {end_coordinates(context, joint), context.sides.h, context.push_speed, whole};
}

bool may_be_bounded(const Joint& joint) {
  for (const JointRule& rule : joint.rule)
    if (rule.hold == JointRule::Hold::limited || has_motor(rule)) return true;
  return false;
}

JointRows rows_of(const JointContext& context, JointSystem& system, Joint& joint, std::size_t n,
                  std::int32_t first) {
  return {system,
          joint,
          std::int32_t(n),
          first,
          yield_of_side(context.sides, joint.a),
          yield_of_side(context.sides, joint.b)};
}

// Impulses into the memory, velocities to the sides.
void give_changes(const JointContext& context, JointPart part, JointSystem& system) {
  system.axis_change.assign(part.joints.size(), AxisImpulses{});
  for (const JointRow& row : system.rows) {
    *row.impulse += row.change;
    system.axis_change[std::size_t(row.joint)][std::size_t(row.axis)] += row.change;
  }
  for (std::size_t n = 0; n < part.joints.size(); ++n)
    give(context, part.of(n), system.axis_change[n]);
}

// The rows of all joints: `unbounded` appends those without bounds, `bounded` those with.
template <class Unbounded, class Bounded>
void gather(const JointContext& context, JointPart part, JointSystem& system,
            const Unbounded& unbounded, const Bounded& bounded) {
  system.rows.clear();
  system.first.clear();
  system.begin.clear();
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
  for (std::size_t n = 0; n < part.joints.size(); ++n)
    system.ends[n] =
        exact ? end_coordinates(context, part.of(n)) : linear_end(context, part.of(n)).value;
  for (JointRow& row : system.rows) {
    const std::size_t n = std::size_t(row.joint);
    set_target(part.of(n), row, {system.ends[n], context.sides.h, context.push_speed, false});
  }
}

}  // namespace

bool touches_particle(const Joint& joint) { return joint.a.particles > 0 || joint.b.particles > 0; }

JointFrames joint_frames(const AnchorContext& context, const Joint& joint) {
  return {frame_of(context, joint.a, joint.frame_a), frame_of(context, joint.b, joint.frame_b)};
}

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
  refresh_targets(context, part, system, false);
  solve_bounded(system);
  give_changes(context, part, system);
  refresh_targets(context, part, system, true);
  solve_again(system);
  give_changes(context, part, system);
}

void note_solved(Joint& joint) {
  note_impulse(joint, all_impulses(joint.memory));
  for (std::size_t k = 0; k < k_joint_axes; ++k) joint.motor_total[k] += joint.memory.driven[k];
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
    for (std::size_t k = 0; k < k_joint_axes; ++k) {
      const JointRule& rule = joint.rule[k];
      const double held = joint.memory.held[k];
      const bool limited = hold == JointRule::Hold::limited;
      if (rule.hold != hold || rule.compliance > 0 || (limited && held == 0)) continue;
      JointRow& row = rows.add(k, joint.memory.relaxed[k], limited ? k_limit : k_lock);
      row.target = rate_of(context.sides, joint, joint.gradient[k]);
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
  note_solved(joint);
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
