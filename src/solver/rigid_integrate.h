// Rigid bodies in time. Forces change velocities at the beginning of a substep; `predict` moves the
// poses with the velocities that the contacts have left.
//
// Turning keeps the angular momentum L = I_w(q) w exactly and the energy nearly (midpoint
// exponential map, spec-rigid 8.1):
//   q_m = exp(h/4 w(q)) q,  q' = exp(h/2 I_w^-1(q_m) L) q,  w' = I_w^-1(q') L
// where exp takes the half angle vector. A body that nothing but forces acted on moves with the
// mean of its old and new velocity, which is exact in a constant field; one in contact moves with
// the velocity that the contacts allow.
#pragma once

#include <span>

#include "model/rigid.h"

namespace pliant {

struct BodyForces {
  Vec3 gravity;               // m/s2
  double medium_density = 0;  // kg/m3
  Vec3 wind;                  // m/s
};

// Of those bodies whose impacts are `ordered`, or of those whose are not:
// Damping first, then gravity, the medium's drag and the user's forces, for the bodies named.
// Damping is v / (1 + c h), which never reverses a velocity whatever h.
void apply_body_forces(RigidBodies& bodies, std::span<const std::int32_t> which,
                       const BodyForces& forces, double h, bool ordered = false);

// Poses by one substep, then refresh_body. Kinematic bodies move with their velocity as well.
void predict_bodies(RigidBodies& bodies, std::span<const std::int32_t> which, double h,
                    bool ordered = false);

// Sets the velocity of kinematic body i so that it reaches the pose in time h.
void steer_kinematic(RigidBodies& bodies, std::int32_t i, const Transform& target, double h);

}  // namespace pliant
