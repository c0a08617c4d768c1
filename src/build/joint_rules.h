// The rules of a joint's coordinates, from its definition.
#pragma once

#include "model/joint.h"

namespace pliant {

// Which coordinate `JointDef::freedom` speaks of.
std::size_t joint_axis(JointKind kind);

// Fills all that follows from `def` alone. `length` is the distance of the two points now.
void build_joint_rules(Joint& joint, double length);

}  // namespace pliant
