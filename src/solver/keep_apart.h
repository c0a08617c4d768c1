// Nothing passes through: the last word on a substep's motion, after all constraints.
//
// While the contact points of a pair keep apart along the normal that they had when the substep
// began, a plane is between them all the time, however fast both move. The projection brings the
// gap about, but not to the last digit where many contacts and stiff constraints pull at the same
// particles. So the motion of what would come too deep is shortened: each particle and each dynamic
// body goes the smallest share t of its way that any of its contacts allows,
//
//   t (s - s_end) <= max(0, 0.9 (s + a))
//
//   s separation (m) of the mid-surface from the other side along n before the substep, s_end after
//   it, negative inside; a the depth (m) that is never passed: half of a shape's inner radius, a
//   quarter of a cell between deformables of which one is open. Less deep than that a contact knows
//   its way out by itself. The least of the shares does not depend on the order of the contacts.
//
// Particles get the velocity of the motion that is left. A rigid body keeps most of its own: it is
// held up, and what it carries goes over by contact in the next substeps. Source: the displacement
// bounds of penetration-free contact (Chen et al. 2025, offset geometric contact), here along the
// normal only, so that sliding is free.
#pragma once

#include <span>
#include <vector>

#include "constraints/contact_particle.h"
#include "model/contact.h"
#include "model/deformable.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

struct ApartContext {
  double h = 0;  // s
  std::span<const Deformable> bodies;
  std::span<const Vec4> begin;             // d of all particles when the substep began
  std::span<const BodyBase> rigid_before;  // poses likewise
};

struct ApartScratch {
  // 1 but for those in the lists; `next` gathers while a round looks at the present ones.
  std::vector<Real> particle_share, rigid_share, particle_next, rigid_next;
  std::vector<std::int32_t> particles, bodies;
};

// Whether some contact would come nearer than it may, and in which groups; before the pushes are
// applied.
bool comes_too_near(std::span<const Deformable> bodies, const ContactSlots& slots,
                    const Particles& particles, const RigidBodies& rigid,
                    std::span<const RigidPush> pushes, std::span<std::uint8_t> groups);
// Whether some triangle may have turned so far that it comes nearer than it may, which the plane of
// its contact would not tell; after the pushes have been applied.
bool turns_far(const ApartContext& context, const ContactSlots& slots, const Particles& particles,
               const RigidBodies& rigid);
// Shortens the motion of particles and bodies; after the pushes have been applied. Returns how many
// contacts held something back.
int keep_apart(const ApartContext& context, const ContactSlots& slots, Particles& particles,
               RigidBodies& rigid, std::span<const RigidPush> pushes, ApartScratch& scratch);

}  // namespace pliant
