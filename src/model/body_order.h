// Bodies by their place along the axis on which they are spread most. Loops over bodies and over
// contacts follow it, so that a thread meets the same bodies in both and finds them in its own
// cache. What the loops compute does not depend on it.
#pragma once

#include <array>
#include <vector>

#include "model/rigid.h"

namespace pliant {

inline constexpr int k_zones = 128;

struct BodyOrder {
  std::vector<std::int32_t> bodies;               // those that may move, by zone
  std::vector<std::uint8_t> zone;                 // of each body; 0 of fixed ones
  std::array<std::int32_t, k_zones + 1> begin{};  // of each zone, in bodies
};

void order_bodies(const RigidBodies& bodies, BodyOrder& order);

}  // namespace pliant
