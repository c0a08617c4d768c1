// The rows of a joint: what is asked of each of its coordinates (the equations are in joint.h).
#pragma once

#include "constraints/joint_sides.h"
#include "constraints/joint_system.h"

namespace pliant {

inline constexpr int k_motor = 0, k_limit = 1, k_lock = 2;  // in this order they give way

// Of a rigid lock, as a part of what its bodies yield: loops of joints hold some things twice, and
// share the load then. Elsewhere it costs a velocity of 1e-4 of gravity in a substep.
inline constexpr double k_softness = 1e-4;

// How fast a rigid lock takes an error back, at `cap` at most.
double share_of_error(double error, double h, double cap);

// Something is asked of the coordinate.
bool asks(const JointRule& rule);
// Some of it within bounds.
bool may_be_bounded(const Joint& joint);

struct EndOfSubstep {
  JointCoordinates value;  // as the present velocities have it
  double h = 0;
  double push_speed = 0;
  bool whole = false;  // a lock takes its whole error back at once
};

// Appends rows of a joint to a system.
struct JointRows {
  JointSystem& system;
  Joint& joint;
  std::int32_t number;  // of the joint in its part
  std::int32_t first;   // first row of its envelope
  SideYield a, b;
  double caution = 1;  // the yield that is counted on, more where the sides share particles

  JointRow& add(std::size_t axis, double& impulse, int order);
  void drop();
};
JointRows rows_of(const JointContext& context, JointSystem& system, Joint& joint, std::size_t n,
                  std::int32_t first);

// Rows without bounds: locks and springs. Weak springs are solved in passing.
void add_unbounded(const JointContext& context, JointRows& rows, EndOfSubstep& e);
// Those with: motors, friction and limits.
void add_bounded(const JointContext& context, JointRows& rows, EndOfSubstep& e);
void set_target(const Joint& joint, JointRow& row, const EndOfSubstep& e);
void soften(JointRow& row);

// What the motor has of the impulse that it gives together with friction.
double motor_part(const Joint& joint, std::size_t axis, double h);

}  // namespace pliant
