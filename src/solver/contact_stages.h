// The stages of a substep that concern contacts touching a particle.
#pragma once

#include <span>
#include <vector>

#include "constraints/contact_particle.h"
#include "core/pool.h"
#include "model/contact.h"
#include "narrowphase/deformable_refresh.h"

namespace pliant {

// Once per step: orders the batches by rank. Those of one rank share no particle. Shapes that give
// way come first: what lies between one and the floor ends up above the floor.
void rank_batches(ContactSlots& slots, std::int32_t deformables);

// A dynamic body is shared by its contacts, each of which sees a part of its mass: some sweeps more
// let the shares settle, or the body would sink with what is left of its velocity. So they do where
// a light sheet passes a load on.
inline constexpr int k_dynamic_sweeps = 3;
// Of a body that is this many times as heavy as all deformables on it the parts hardly matter.
inline constexpr double k_heavy = 10;

// Pairs that act on each other, by the first of their bodies. What one group needs costs no other
// group anything and changes none of its bits.
struct PairGroups {
  std::vector<std::int32_t> parent;           // of each node: rigid bodies, then deformables
  std::vector<double> carried;                // kg, of deformables on each rigid body
  std::vector<std::uint8_t> shared, pressed;  // of each group, at its first node
  std::vector<std::uint8_t> near;             // likewise; see solver/keep_apart.h
  bool any_pressed = false;                   // somewhere a cloth meets a solid
};
// Once per search: sets the pairs' groups and how often they are swept.
void group_pairs(std::span<const Deformable> bodies, const RigidBodies& rigid, int sweeps,
                 ContactSlots& slots, PairGroups& groups);
// Marks the pairs that take part in a sweep; returns how many sweeps there are.
int choose_swept(ContactSlots& slots, int sweep);

// Everything at the beginning of a substep: refreshes batches and slots and orders the live slots
// (solver/contact_order.h). Rigid sides never conflict. `marks` is scratch, one entry a particle,
// zero before and after.
void refresh_slots(const RefreshContext& context, ContactSlots& slots,
                   std::vector<std::uint64_t>& marks, TaskPool* pool);
// After the internal constraints: the live contacts with insides of triangles, see aim_triangles.
void aim_slots(const RefreshContext& context, ContactSlots& slots,
               std::span<const RigidPush> pushes, TaskPool* pool);
// The live slots that are in no unit: what rigid sides may hear of.
inline std::span<const std::int32_t> reacting(const ContactSlots& slots) {
  return std::span(slots.coloured).subspan(std::size_t(slots.colour_begin.front()));
}
// One sweep of the pairs that are marked as swept: units, slots by colour, then batches by rank, so
// that rigid shapes have the last word. The reactions of the sweep are left in the batches and in
// `reactions`, beside the slots, of those that react. `support` has an entry for each particle or
// is empty.
void project_slots(ContactSlots& slots, Particles& particles, std::span<const BodyMotion> rigid,
                   std::span<RigidPush> pushes, std::vector<RigidReaction>& reactions,
                   std::span<const Support> support, TaskPool* pool);
// After a sweep: what stands behind the particles of loaded batches, for the next one. `supported`
// lists the entries that are set.
void note_support(const ContactSlots& slots, std::span<const BodyMotion> rigid,
                  std::span<const RigidPush> pushes, std::vector<Support>& support,
                  std::vector<std::int32_t>& supported);
void clear_support(std::vector<Support>& support, std::vector<std::int32_t>& supported);
// After the last sweep: what each pair reports.
void sum_up_pairs(ContactSlots& slots);
// Gives the rigid bodies what contacts and anchors have done to them: the shift AND the shift / h.
void apply_pushes(RigidBodies& rigid, std::span<RigidPush> pushes, double h);
void restore_speeds(const ContactSlots& slots, double threshold, Particles& particles,
                    std::span<BodyMotion> rigid);

}  // namespace pliant
