// The stages of a substep that concern contacts touching a particle.
#pragma once

#include <span>
#include <vector>

#include "constraints/contact_particle.h"
#include "core/pool.h"
#include "model/contact.h"
#include "narrowphase/deformable_refresh.h"

namespace pliant {

// Colours the slots in their order: two slots of a colour share no particle. Rigid sides never
// conflict. `marks` is scratch, one entry a particle. What a slot may touch is known from its
// features alone.
void colour_slots(std::span<const Deformable> bodies, ContactSlots& slots,
                  std::vector<std::uint64_t>& marks);

// All slots at the beginning of a substep; counts the active contacts of each rigid body.
void refresh_slots(const RefreshContext& context, ContactSlots& slots, std::span<RigidPush> pushes,
                   TaskPool* pool);
// One sweep over all slots, colour by colour.
void project_slots(ContactSlots& slots, Particles& particles, std::span<const BodyMotion> rigid,
                   std::span<RigidPush> pushes, std::vector<RigidReaction>& reactions,
                   TaskPool* pool);
// Gives the rigid bodies what contacts and anchors have done to them: the shift AND the shift / h.
void apply_pushes(RigidBodies& rigid, std::span<RigidPush> pushes, double h);
void restore_speeds(const ContactSlots& slots, double threshold, Particles& particles,
                    std::span<BodyMotion> rigid);

}  // namespace pliant
