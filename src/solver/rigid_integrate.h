// Rigid bodies in time. Forces change velocities at the beginning of a substep; `predict` moves the
// poses with the velocities that the contacts have left.
//
// Turning keeps the angular momentum L = I_w(q) w exactly and the energy nearly (midpoint
// exponential map, spec-rigid 8.1):
//   q_m = exp(h/4 w(q)) q,  q' = exp(h/2 I_w^-1(q_m) L) q,  w' = I_w^-1(q') L
// where exp takes the half angle vector. A body that nothing but forces acted on moves with the
// mean of its old and new velocity. That is exact in a constant field, and with forces taken half a
// substep further along the old velocity, as fields are, it is the leapfrog scheme: symplectic, so
// that orbits neither gain nor lose energy. A body in contact moves with the velocity that the
// contacts allow.
#pragma once

#include <span>

#include "model/rigid.h"

namespace pliant {

struct BodyForces {
  Vec3 gravity;                   // m/s2
  double medium_density = 0;      // kg/m3
  Vec3 wind;                      // m/s
  double time = 0;                // s, when the substep begins
  std::span<const Vec3> field{};  // N, of each body; empty = none
  std::span<const Vec3>
      carried{};  // m/s, of each body: what fields that drag leave of its velocity
};

// A body with a part of the world's gravity, a greatest speed, a law of the user's, or locks.
struct SpecialBody {
  std::int32_t body = 0;
  double gravity_scale = 1;
  double max_speed = 0;  // m/s; 0 = none
  const MotionLaw* law = nullptr;
  Vec3 before, spin_before;  // when the substep began
};

// Of those bodies whose impacts are `ordered`, or of those whose are not:
// Damping first, then gravity, the medium's drag and the user's forces, for the bodies named.
// Damping is v / (1 + c h), which never reverses a velocity whatever h.
void apply_body_forces(RigidBodies& bodies, std::span<const std::int32_t> which,
                       const BodyForces& forces, double h, bool ordered = false);

// What makes the special bodies different, around that.
void note_special(const RigidBodies& bodies, std::span<SpecialBody> special);
void apply_special_forces(RigidBodies& bodies, std::span<const SpecialBody> special,
                          const BodyForces& forces, double h, bool ordered = false);
// Takes from their velocities what their locks and their greatest speeds do not allow.
void limit_bodies(RigidBodies& bodies, std::span<const SpecialBody> special);

// Poses by one substep, then refresh_body. Kinematic bodies move with their velocity as well.
void predict_bodies(RigidBodies& bodies, std::span<const std::int32_t> which, double h,
                    bool ordered = false);

// Sets the velocity of kinematic body i so that it reaches the pose in time h.
void steer_kinematic(RigidBodies& bodies, std::int32_t i, const Transform& target, double h);

}  // namespace pliant
