// The stages of a substep that concern contacts touching a particle.
#pragma once

#include <span>
#include <vector>

#include "constraints/contact_particle.h"
#include "core/pool.h"
#include "model/contact.h"
#include "narrowphase/deformable_refresh.h"

namespace pliant {

// Once per step: orders the batches by rank. Those of one rank share no particle.
void rank_batches(ContactSlots& slots, std::int32_t deformables);

// Everything at the beginning of a substep: refreshes batches and slots and colours the live slots
// in their order: two of a colour share no particle.
// Rigid sides never conflict. `marks` is scratch, one entry a particle, zero before and after.
void refresh_slots(const RefreshContext& context, ContactSlots& slots,
                   std::vector<std::uint64_t>& marks, TaskPool* pool);
// One sweep: batches by rank, then slots by colour. The reactions of the sweep are left in the
// batches and in `reactions`, beside the slots.
enum class Sweep { all, dynamic_sides };  // of all contacts, or those with a dynamic rigid side
void project_slots(ContactSlots& slots, Sweep which, Particles& particles,
                   std::span<const BodyMotion> rigid, std::span<RigidPush> pushes,
                   std::vector<RigidReaction>& reactions, TaskPool* pool);
// A dynamic body is shared by its contacts, each of which sees a part of its mass: some sweeps more
// let the shares settle, or the body would sink with what is left of its velocity.
inline constexpr int k_dynamic_sweeps = 3;
// After the last sweep: what each pair reports.
void sum_up_pairs(ContactSlots& slots);
// Gives the rigid bodies what contacts and anchors have done to them: the shift AND the shift / h.
void apply_pushes(RigidBodies& rigid, std::span<RigidPush> pushes, double h);
void restore_speeds(const ContactSlots& slots, double threshold, Particles& particles,
                    std::span<BodyMotion> rigid);

}  // namespace pliant
