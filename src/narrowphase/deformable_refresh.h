// Refreshing contacts at the beginning of a substep: where the two sides are nearest, the normal,
// the gap, the approach speed.
//
// All of it is taken at the places of the substep's beginning; during the substep the gap changes
// along that normal only. So a fast particle meets the plane of what was nearest when the substep
// began and cannot come out on the other side, and a gap costs one distance, not two. What is
// further away at the predicted end than the margin and its own motion is not live: nothing of it
// is written or projected.
#pragma once

#include <span>

#include "model/contact.h"
#include "model/deformable.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

struct RefreshContext {
  double h = 0;           // s
  double push_speed = 0;  // m/s
  double margin = 0;      // m, WorldDef::contact_margin
  std::span<const Deformable> bodies;
  const Particles* particles = nullptr;
  const RigidBodies* rigid = nullptr;      // poses at the end of the substep
  std::span<const BodyBase> rigid_before;  // poses at its beginning
};

// Both write everything, multipliers at zero, or only that the contact is not live.
void refresh_batch(const RefreshContext& context, const ContactPair& pair, VertexBatch& batch);
// Returns whether it is live.
bool refresh_contact(const RefreshContext& context, const ContactSlots& slots, ContactSlot& slot,
                     ParticleContact& contact);

}  // namespace pliant
