// Manifolds of all pairs of rigid bodies, once per step, with what last step knew of them.
#pragma once

#include <span>

#include "model/manifold.h"

namespace pliant {

// Fills now.manifolds[begin, end) from the bodies' base poses; now.pairs, now.match and the size of
// now.manifolds are set. Points that last step's manifold had carry its impulses on (warm start).
// margin (m) comes on top of the bodies' reach.
void find_rigid_contacts(const RigidBodies& bodies, const ManifoldList& before, ManifoldList& now,
                         std::int32_t begin, std::int32_t end, Real margin);

// One pair at the bodies' present poses, for a search in the middle of a step.
void find_contact_now(const RigidBodies& bodies, const BoxPair& pair, const Manifold* old,
                      Real margin, Manifold& now);

}  // namespace pliant
