// Joint: up to six coordinates c of two sides (joint_coordinates.h) are locked, kept within limits,
// drawn by springs and driven by motors.
//
// Every row changes its impulse P by dP, where all rows of joints that hang together are solved at
// once (joint_system.h): (K + s) dP = -t, with c_0, c_1 the coordinate when the substep begins and,
// as the present velocities have it, when it ends; h the substep.
//   lock      t = (c_1 - c_0) / h + share (c_0 - at) / h
//   limit     the same where it is passed; t = (c_1 - min) / h, P >= 0 where it will be
//   spring    P = -h (k (c_0 - rest + theta (c_1 - c_0)) + d (c_1 - c_0) / h), that is
//             s = 1 / g, t = (P + h k (c_0 - rest)) / g + (c_1 - c_0) / h, g = h (h k theta + d)
//             theta = y / (1 + y), y = k h^2 K: explicit, which keeps energy, while the substep
//             resolves the spring, and implicit where it does not, so that any k is stable
//   soft lock or limit: a spring of 1 / compliance
//   motor     t = (c_1 - c_0) / h - speed, |P| <= F h; to a position at the speed min(e / (4 h),
//             max_speed, sqrt(F K' e)), from which it can still stop; e the way left, K' as
//             motor_speed
//   friction  t = (c_1 - c_0) / h, |P| <= F h; with a motor of the same coordinate as set_motor has
//   it
// Between rigid bodies this happens at velocity level with gradients of the beginning, and c_1 is
// taken first from the rates, then from the poses that `predict` will give to the solution: locks
// hold at the end of the substep. `relax` then takes from the velocities what the locks do not
// allow at the new poses. The two together are the RATTLE scheme: energy oscillates but does not
// drift. Where a particle takes part, the joint is solved inside `project` with poses that have
// moved already: c_1 is the present coordinate, P starts from zero, a lock takes its whole error
// back. Source: Andersen 1983 (RATTLE), Macklin et al. 2016 (compliance), Mueller et al. 2020
// (joints).
#pragma once

#include "constraints/joint_sides.h"
#include "constraints/joint_system.h"

namespace pliant {

bool touches_particle(const Joint& joint);

// Coordinates and gradients now: those of the beginning of the substep.
void begin_joint(const JointContext& context, Joint& joint);
// Between rigid sides: what they begin the substep with, given by all before any is solved.
void warm_start_joint(const JointContext& context, Joint& joint);
// Gradients of the new poses, and what relaxing did in the substep before.
void begin_relaxing(const JointContext& context, Joint& joint);
// Joints that are solved at once.
struct JointPart {
  std::span<Joint> all;
  std::span<const std::int32_t> joints;  // of them
  std::span<const std::int32_t> first;   // of each: the first in the part that shares a body
  Joint& of(std::size_t n) const { return all[std::size_t(joints[n])]; }
};
void solve_joints(const JointContext& context, JointPart part, JointSystem& system);
void relax_joints(const JointContext& context, JointPart part, JointSystem& system);
// After the sweeps of each: adds their impulses to those of the step.
void note_solved(Joint& joint, double h);
void note_relaxed(Joint& joint);
// Where a particle takes part.
void project_joint(const JointContext& context, Joint& joint, int sweeps, JointSystem& system);

// As the sides are now, with what has been pushed.
JointFrames joint_frames(const AnchorContext& context, const Joint& joint);
double joint_energy(const Joint& joint, const JointFrames& frames);  // J, of springs

}  // namespace pliant
