// An attachment of two points, each a weighted sum of particles, a point of a rigid frame or of the
// world.
#pragma once

#include <pliant/defs.h>
#include <pliant/real.h>
#include <array>
#include <cstdint>

namespace pliant {

struct AnchorSide {
  std::int32_t deformable = -1;             // particles are counted from its begin
  std::array<std::int32_t, 12> particle{};  // a triangle of an embedded mesh has twelve
  std::array<Real, 12> weight{};
  std::int32_t particles = 0;
  // A point of a triangle: how much each particle is of the three corners.
  bool triangle = false;
  std::array<Vec3T<Real>, 12> corner{};
  std::int32_t rigid = -1;
  Vec3 point;  // rigid: in its frame; otherwise, without particles, in the world
};

struct Anchor {
  AnchorDef def;
  AnchorSide a, b;
  double compliance = 0;   // m/N
  Vec3T<Real> multiplier;  // of the present substep
  Vec3 impulse;            // N s, on side a, over the step
  Vec3 force;              // N, mean over the last step
};

}  // namespace pliant
