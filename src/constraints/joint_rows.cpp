#include "constraints/joint_rows.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double k_share = 0.2;  // of a lock's error, taken back in a substep
// rad, that a lock takes back at once: beyond, corners of a triangle would go far along a tangent.
constexpr double k_turn_most = 0.25;
constexpr double k_turn_speed = 4;  // rad/s for each m/s of push_speed: at a quarter of a metre
// Errors that a lock leaves: rounding of a scene's numbers. Where joints form a loop they cannot be
// removed, and trying to would load it without end.
constexpr double k_slop = 1e-5;  // m, rad

JointRowSide row_side(const AnchorSide& side, const SideYield& y, const Vec3& along,
                      const Vec3& about, double caution, std::int32_t number) {
  if (!y.moves) return {};
  const std::int32_t body = side.rigid >= 0 ? side.rigid : -2 - number;
  return {body, caution * y.inverse_mass, caution * moved_by(y, along, about),
          caution * turned_by(y, along, about)};
}

void set_spring(JointRow& row, double stiffness, double damping, double error, double change,
                double h) {
  const double y = stiffness * h * h * own_yield(row);
  const double g = h * (h * stiffness * (y / (1 + y)) + damping);
  row.softness = 1 / std::max(g, 1e-200);
  row.target = (*row.impulse + h * stiffness * error) * row.softness + change / h;
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
  const double share = share_of_error(begin - at, e.h, cap);
  const double most = e.whole && row.axis >= 3 ? k_turn_most : 1e300;
  row.target = whole ? std::clamp(end - at, -most, most) / e.h : (end - begin) / e.h + share;
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

// How a side turns about an axis through the joint's point, where that is held.
double lever_yield(const JointRowSide& side, const Vec3& about, const Vec3& arm) {
  const double free = dot(about, side.turned);
  if (!(free > 0)) return 0;
  return 1 / (1 / free + length_sq(cross(about, arm)) / side.inverse_mass);
}

double way_left(const Joint& joint, std::size_t k) {
  const double way = joint.memory.target[k] - joint.begin[k];
  return k == 3 ? wrapped(way) : way;
}

// The speed that a motor wants now.
double motor_speed(const Joint& joint, const JointRow& row, double h) {
  const std::size_t k = std::size_t(row.axis);
  const JointRule& rule = joint.rule[k];
  if (!has_motor(rule)) return 0;
  if (rule.motor == MotorKind::speed) return joint.memory.target[k];
  const double way = way_left(joint, k);
  const double left = std::abs(way);
  const double yield = k < 3 ? row.a.inverse_mass + row.b.inverse_mass
                             : lever_yield(row.a, row.gradient.about_a, joint.arm_a) +
                                   lever_yield(row.b, row.gradient.about_b, joint.arm_b);
  const double speed =
      std::min({left / (4 * h), rule.max_speed, std::sqrt(rule.max_force * yield * left)});
  return way < 0 ? -speed : speed;
}

// Friction F opposes any motion, a motor M drives it to a speed. At rest they give together what is
// asked for, up to M + F one way; the other way, beyond M - F, friction gives way and the motor
// drives against it, until its speed is reached.
void set_motor(const Joint& joint, JointRow& row, const EndOfSubstep& e) {
  const std::size_t k = std::size_t(row.axis);
  const JointRule& rule = joint.rule[k];
  const double rate = (e.value[k] - joint.begin[k]) / e.h, speed = motor_speed(joint, row, e.h);
  const double motor = has_motor(rule) ? rule.max_force * e.h : 0, friction = rule.friction * e.h;
  row.high = motor + friction;
  row.low = -row.high;
  row.target = rate - speed;
  if (friction == 0 || speed == 0) return;
  (speed > 0 ? row.high : row.low) = speed > 0 ? motor - friction : friction - motor;
  if (row.slips) return;
  row.slip = speed;
  row.slip_low = row.low;
  row.slip_high = row.high;
  row.low = speed > 0 ? row.slip_high : -motor - friction;
  row.high = speed > 0 ? motor + friction : row.slip_low;
  row.target = rate;
}

// Rows that go before all others, alone: a motor that pushes against a limit, which would be a
// second row of its coordinate, and springs that are weak in a substep.
void solve_alone(const JointContext& context, JointRows& rows, JointRow& row, EndOfSubstep& e) {
  const std::size_t k = std::size_t(row.axis);
  const double yield = own_yield(row);
  AxisImpulses change{};
  if (yield > 0) {
    const auto wanted = [&] { return *row.impulse - row.target / (yield + row.softness); };
    if (gives_way(row, wanted())) let_slip(row);
    change[k] = std::clamp(wanted(), row.low, row.high) - *row.impulse;
  }
  *row.impulse += change[k];
  rows.system.given = true;
  give(context, rows.joint, change);
  e.value[k] += e.h * yield * change[k];
}

// Weak: its impulse depends on what the locks do by less than this part.
constexpr double k_weak = 1.0 / 16;

}  // namespace

double share_of_error(double error, double h, double cap) {
  return std::clamp(k_share * beyond_slop(error) / h, -cap, cap);
}

bool asks(const JointRule& rule) {
  return rule.hold != JointRule::Hold::none || has_spring(rule) || has_motor(rule) ||
         rule.friction > 0;
}

bool may_be_bounded(const Joint& joint) {
  for (const JointRule& rule : joint.rule)
    if (rule.hold == JointRule::Hold::limited || has_motor(rule) || rule.friction > 0) return true;
  return false;
}

JointRow& JointRows::add(std::size_t axis, double& impulse, int order) {
  JointRow& row = system.rows.emplace_back();
  row.gradient = joint.gradient[axis];
  const JointGradient& g = row.gradient;
  row.a = row_side(joint.a, a, g.along, g.about_a, caution, 2 * number);
  row.b = row_side(joint.b, b, g.along, g.about_b, caution, 2 * number + 1);
  row.joint = number;
  row.axis = std::int32_t(axis);
  row.impulse = &impulse;
  row.order = order;
  system.first.push_back(first);
  return row;
}

void JointRows::drop() {
  system.rows.pop_back();
  system.first.pop_back();
}

JointRows rows_of(const JointContext& context, JointSystem& system, Joint& joint, std::size_t n,
                  std::int32_t first) {
  // Twice the sum of both sides is the most that they yield together.
  const double caution = share_particles(joint.a, joint.b) ? 2 : 1;
  return {system,
          joint,
          std::int32_t(n),
          first,
          yield_of_side(context.sides, joint.a),
          yield_of_side(context.sides, joint.b),
          caution};
}

void soften(JointRow& row) {
  const double yield = row.axis < 3 ? row.a.inverse_mass + row.b.inverse_mass : own_yield(row);
  row.softness = k_softness * yield;
  row.target += row.softness * *row.impulse;
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
    if (has_motor(rule) || rule.friction > 0) {
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

double motor_part(const Joint& joint, std::size_t axis, double h) {
  const JointRule& rule = joint.rule[axis];
  if (!has_motor(rule)) return 0;
  const double total = joint.memory.driven[axis];
  if (!(rule.friction > 0)) return total;
  const double motor = rule.max_force * h, friction = rule.friction * h;
  const double to =
      rule.motor == MotorKind::speed ? joint.memory.target[axis] : way_left(joint, axis);
  if (to == 0) return total * motor / (motor + friction);
  const double sign = to < 0 ? -1 : 1;
  return sign * total > motor - friction ? sign * motor : total + sign * friction;
}

}  // namespace pliant
