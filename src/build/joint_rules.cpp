#include "build/joint_rules.h"

namespace pliant {
namespace {

JointRule locked(double at, double compliance) {
  JointRule rule;
  rule.hold = JointRule::Hold::locked;
  rule.min = rule.max = at;
  rule.compliance = compliance;
  return rule;
}

// `free` is what automatic means.
JointRule rule_of(const JointFreedom& f, bool free, double lock_at) {
  JointRule rule;
  const bool locks =
      f.motion == JointMotion::locked || (f.motion == JointMotion::automatic && !free);
  if (locks) rule = locked(lock_at, f.compliance);
  if (f.motion == JointMotion::limited) {
    rule.hold = JointRule::Hold::limited;
    rule.min = f.min;
    rule.max = f.max;
    rule.compliance = f.compliance;
  }
  if (locks) return rule;
  rule.rest = f.rest;
  rule.stiffness = f.stiffness;
  rule.damping = f.damping;
  rule.motor = f.motor;
  rule.max_speed = f.max_speed;
  rule.max_force = f.max_force;
  rule.friction = f.friction;
  return rule;
}

void add_swing(Joint& joint) {
  const JointFreedom& swing = joint.def.swing;
  for (const std::size_t axis : {std::size_t(4), std::size_t(5)})
    joint.rule[axis] = rule_of(swing, true, 0);
  if (swing.motion != JointMotion::limited) return;
  for (const std::size_t axis : {std::size_t(4), std::size_t(5)})
    joint.rule[axis].hold = JointRule::Hold::none;
  joint.rule[6].hold = JointRule::Hold::limited;
  joint.rule[6].min = -1;  // never reached
  joint.rule[6].max = swing.max;
  joint.rule[6].compliance = swing.compliance;
}

void set_targets(Joint& joint) {
  const JointDef& def = joint.def;
  std::array<double, k_joint_axes>& target = joint.memory.target;
  target = {};
  if (def.kind == JointKind::six_dof)
    for (std::size_t k = 0; k < 3; ++k) {
      target[k] = def.linear[k].target;
      target[k + 3] = def.angular[k].target;
    }
  else
    target[joint_axis(def.kind)] = def.freedom.target;
}

}  // namespace

std::size_t joint_axis(JointKind kind) {
  return kind == JointKind::hinge || kind == JointKind::cone_twist ? 3 : 0;
}

void build_joint_rules(Joint& joint, double length) {
  const JointDef& def = joint.def;
  joint.distance = def.kind == JointKind::distance;
  joint.rule = {};
  const bool holds_angles =
      def.kind == JointKind::fixed || def.kind == JointKind::hinge || def.kind == JointKind::slider;
  if (!joint.distance)
    for (std::size_t k = 0; k < 3; ++k) joint.rule[k] = locked(0, def.compliance);
  if (holds_angles)
    for (std::size_t k = 3; k < 6; ++k) joint.rule[k] = locked(0, def.angular_compliance);
  if (def.kind == JointKind::hinge || def.kind == JointKind::cone_twist)
    joint.rule[3] = rule_of(def.freedom, true, 0);
  if (def.kind == JointKind::slider) joint.rule[0] = rule_of(def.freedom, true, 0);
  if (joint.distance) {
    joint.rule[0] = rule_of(def.freedom, false, length);
    joint.rule[0].compliance += def.compliance;
  }
  if (def.kind == JointKind::cone_twist) add_swing(joint);
  if (def.kind == JointKind::six_dof)
    for (std::size_t k = 0; k < 3; ++k) {
      joint.rule[k] = rule_of(def.linear[k], false, 0);
      joint.rule[k].compliance += def.compliance;
      joint.rule[k + 3] = rule_of(def.angular[k], false, 0);
      joint.rule[k + 3].compliance += def.angular_compliance;
    }
  set_targets(joint);
  joint.turns = false;
  for (std::size_t k = 3; k < k_joint_axes; ++k) {
    const JointRule& rule = joint.rule[k];
    joint.turns |= rule.hold != JointRule::Hold::none || rule.stiffness > 0 || rule.damping > 0 ||
                   rule.motor != MotorKind::none || rule.friction > 0;
  }
}

}  // namespace pliant
