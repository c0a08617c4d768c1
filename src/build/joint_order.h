// In which order the joints of a group are eliminated.
#pragma once

#include <span>
#include <vector>

#include "model/joint.h"
#include "model/rigid.h"

namespace pliant {

// Joints that hang together through moving bodies, from the ends of their tree inwards: a joint
// comes right after those beyond it. Where there are no loops, factors have no entries then but
// those of joints that share a body. `group` are places in `joints`.
std::vector<std::int32_t> tree_order(std::span<const Joint> joints,
                                     std::span<const std::int32_t> group, const RigidBodies& rigid);

}  // namespace pliant
