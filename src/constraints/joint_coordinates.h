// The coordinates of a joint and how they change: equation and gradient of every joint row.
//
//   offsets   d_i = e_i . (x_b - x_a),             e_i axes of side a, x the two points
//   length    l   = |x_b - x_a|                    of a distance, in place of d_x
//   angles    q = Q_a^-1 Q_b = s t                 t twist about x, s swing about an axis in yz
//             twist   theta = 2 atan2(q_x, q_w)
//             swing   sigma = phi n (y and z),     n = x' x X / sin phi,  X = x axis of b
//             cone    phi = angle from x' to X
//   Rates, with u the velocity of b's point relative to a's frame and w = w_b - w_a:
//     d_i     e_i . (v_b + w_b x r_b - v_a - w_a x r),   r from a's centre to x_b
//     l       the same along (x_b - x_a) / l
//     theta   w . (x' + X) / (1 + x' . X)
//     phi     w . n
//     sigma   (w . n) n + phi (w . x' + cot(phi) w . m) m,   m = x' x n
//   so a row is known by `along`, and by `about_a` and `about_b`:
//     rate = along . (v_b - v_a) + about_b . w_b - about_a . w_a
//   Impulse and reaction act at one point, so that angular momentum stays.
//   Twist and swing end at phi = pi, where the gradient is left out.
//   Frame: world; x' is the x axis of a. Source: Mueller et al. 2020, "Detailed Rigid Body
//   Simulation with Extended Position Based Dynamics"; Baerlocher and Boulic 2001 (swing, twist).
#pragma once

#include <array>

#include "model/joint.h"

namespace pliant {

// One side of a joint at some time.
struct JointSideFrame {
  Vec3 point;   // m
  Vec3 centre;  // m, of mass; of a side that is no rigid body the point itself
  Quat axes;    // from the joint's axes to the world's
};
struct JointFrames {
  JointSideFrame a, b;
};

using JointCoordinates = std::array<double, k_joint_axes>;
using JointGradients = std::array<JointGradient, k_joint_axes>;
// Angles are in [-pi, pi]; without `joint.turns` they are left zero.
JointCoordinates joint_coordinates(const Joint& joint, const JointFrames& frames);
JointGradients joint_gradients(const Joint& joint, const JointFrames& frames);

// An angle or a difference of two, brought to [-pi, pi].
double wrapped(double angle);

}  // namespace pliant
