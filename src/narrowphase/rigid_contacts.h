// Manifolds of all pairs of rigid bodies, once per step, with what last step knew of them.
#pragma once

#include <span>

#include "model/manifold.h"

namespace pliant {

// Fills now.manifolds[begin, end), but for composite pairs, from the bodies' base poses; now.pairs,
// now.match and the size of now.manifolds are set. Points that last step's manifold had carry its
// impulses on (warm start). margin (m) comes on top of the bodies' reach.
void find_rigid_contacts(const RigidBodies& bodies, const ManifoldList& before, ManifoldList& now,
                         std::int32_t begin, std::int32_t end, Real margin);

bool is_composite_pair(const RigidBodies& bodies, const BoxPair& pair);
// Appends the manifolds of a pair of which one is a compound or a mesh, at the bodies' bases or
// (now) at their present poses. `before` holds the pair's manifolds of last time, in any order.
void find_composite_contacts(const RigidBodies& bodies, const BoxPair& pair,
                             std::span<const Manifold> before, Real margin, bool now,
                             std::vector<Manifold>& out);
// Those manifolds of a list that belong to the pair.
std::span<const Manifold> manifolds_of(const ManifoldList& list, const BoxPair& pair);

// One pair at the bodies' present poses, for a search in the middle of a step.
void find_contact_now(const RigidBodies& bodies, const BoxPair& pair, const Manifold* old,
                      Real margin, Manifold& now);

}  // namespace pliant
