// Motion given by the user.
#pragma once

#include <cstdint>
#include <vector>

#include <pliant/math.h>

namespace pliant {

struct Keyframe {
  double time = 0;  // s, increasing
  Vec3 position{};  // m
  Quat rotation{};
};
// Between keyframes positions are linear and rotations turn at constant speed; outside they hold.
using Path = std::vector<Keyframe>;

// Vertices that the user holds. Without a path they stay where they begin; with one the vertices
// are carried by it: p(t) = position + rotate(rotation, p(0) - pivot) + pivot.
struct Pin {
  std::vector<std::int32_t> vertices{};
  Path path{};
  Vec3 pivot{};  // m, in the world
};

}  // namespace pliant
