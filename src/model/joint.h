// A joint as the solver sees it: which of its coordinates are held, by what, and the impulses
// that it starts from.
#pragma once

#include <pliant/joint.h>
#include <array>

#include "model/anchor.h"

namespace pliant {

// Offsets along x, y and z, the twist, the swing about y and z, and the whole angle of the swing.
inline constexpr std::size_t k_joint_axes = 7;

// What is asked of one coordinate.
struct JointRule {
  enum class Hold { none, locked, limited };
  Hold hold = Hold::none;
  double min = 0, max = 0;  // locked: at min
  double compliance = 0;
  double rest = 0, stiffness = 0, damping = 0;
  MotorKind motor = MotorKind::none;
  double max_speed = 0, max_force = 0;
  double friction = 0;
};

// All that changes. Impulses are in N s and N m s, on side b.
struct JointMemory {
  std::array<double, k_joint_axes> held{};     // by locks and limits, before the poses move
  std::array<double, k_joint_axes> relaxed{};  // by them, after
  std::array<double, k_joint_axes> sprung{};
  std::array<double, k_joint_axes> driven{};  // by the motor and friction together
  std::array<double, k_joint_axes> target{};  // of the motors
  Vec3 force, torque;                         // on side a, mean over the last step
  std::array<double, k_joint_axes> motor{};   // N or N m, mean over the last step
  std::uint64_t broken = 0;                   // no bool: a snapshot has no padding
};

// How a coordinate changes: rate = along . (v_b - v_a) + about_b . w_b - about_a . w_a.
struct JointGradient {
  Vec3 along, about_a, about_b;
};

struct Joint {
  JointDef def;
  AnchorSide a, b;
  Quat frame_a, frame_b;
  bool distance = false;  // the first coordinate is the length between the points
  bool turns = false;     // some rule is about an angle
  std::array<JointRule, k_joint_axes> rule;
  JointMemory memory;
  // Of the present step and substep.
  std::array<double, k_joint_axes> begin{};  // coordinates when the substep began
  std::array<JointGradient, k_joint_axes> gradient;
  Vec3 arm_a, arm_b;                               // m, from the centres to the points
  std::array<double, k_joint_axes> motor_total{};  // N s, over the step
  Vec3 impulse, angular_impulse;                   // on side a, over the step
};

}  // namespace pliant
