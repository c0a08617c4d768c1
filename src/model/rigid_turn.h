// Where a rigid body's rotation goes in a time h, as `predict` moves it (solver/rigid_integrate.h
// has the formulas).
#pragma once

#include "model/rigid.h"

namespace pliant {

struct FreeTurn {
  Quat rotation;
  Vec3 momentum;  // kg m2/s, which it keeps but for what is about locked axes
};
// Of a dynamic body.
FreeTurn free_turn(const RigidBodies& bodies, std::int32_t i, double h);
// Of any body, with its present velocities; what is fixed or asleep stays.
Transform predicted_pose(const RigidBodies& bodies, std::int32_t i, double h);

Vec3 inverse_inertia_times(const Vec3& inertia, const Quat& q, const Vec3& l);

// The spin that goes with an angular momentum, or its change with that of one, locks reckoned with.
Vec3 spin_from_momentum(const RigidBodies& bodies, std::int32_t i, const Quat& frame,
                        const Vec3& momentum);

}  // namespace pliant
