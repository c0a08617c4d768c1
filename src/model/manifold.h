// Contact manifolds of pairs of rigid bodies: what the search finds, the solver loads and the next
// step starts from. One manifold for each pair of the broad phase, in the order of the pairs; those
// without a point in reach have count 0 but keep what speeds up their next search. A pair with a
// compound or a mesh is there as often as it has manifolds, which may be never.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/pairs.h"
#include "model/rigid.h"

namespace pliant {

struct ManifoldPoint {
  Vec3R arm_a, arm_b;          // m, from the centres to the point, in world axes
  Real separation = 0;         // m, negative where the bodies overlap
  Real normal_impulse = 0;     // N s, of the last substep
  Real friction_impulse[2]{};  // N s, along the manifold's tangents
  std::uint32_t feature = 0;   // which features of the two shapes meet here
};

struct Manifold {
  Vec3R normal;      // unit, from a to b
  Vec3R tangent[2];  // unit, perpendicular to it and to each other
  std::int32_t count = 0;
  std::uint32_t axis = 0;  // what the pair's test remembers; 0 = nothing
  Vec3R impulse;           // N s on b, sum over the substeps of the last step
  ManifoldPoint point[4];
};

// What a rule has made of a contact.
struct ContactTerms {
  Real friction_static = 0, friction_kinetic = 0, restitution = 0;
  Vec3R surface_velocity;  // m/s, of a's surface against itself
};

struct ManifoldList {
  std::vector<BoxPair> pairs;
  std::vector<Manifold> manifolds;  // beside pairs
  std::vector<ContactTerms> terms;  // beside pairs, or empty where there is no rule
  std::vector<std::int32_t> match;  // for each pair its place in the last step's list, or -1
};

// For the pairs of `now` from begin to end, where each was in `before`, the first time; both lists
// are sorted by key.
void match_pairs(std::span<const BoxPair> before, std::span<const BoxPair> now, std::size_t begin,
                 std::size_t end, std::span<std::int32_t> match);

}  // namespace pliant
