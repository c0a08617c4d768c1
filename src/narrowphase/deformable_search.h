// The search for contacts that touch a particle: once per step, candidates within reach of the
// step's motion plus a margin, into batches and slots that live for the step.
#pragma once

#include <cstdint>
#include <span>

#include "model/contact.h"
#include "narrowphase/swept_surface.h"

namespace pliant {

// The vertices, and where the shape turns within them the triangles, of a body that are in reach of
// a rigid shape: appends one pair where there are any, features rising.
void search_rigid(const Particles& particles, std::span<const Deformable> bodies, std::int32_t body,
                  SweptSurface& swept, const RigidBodies& rigid, std::int32_t rigid_index,
                  const SearchContext& context, ContactSlots& slots);
// Vertices of `body` against triangles of `other`, and edges against sharp edges of `other`; at
// least one of the two is a solid. A solid may be both.
void search_deformable(const Particles& particles, std::span<const Deformable> bodies,
                       std::int32_t body, SweptSurface& swept, std::int32_t other,
                       SweptSurface& swept_other, const SearchContext& context,
                       ContactSlots& slots);

// A pair without contacts yet; `slots` will have it when it is appended, if it has any by then.
ContactPair make_pair_of(const Deformable& body, std::int32_t index, std::uint32_t other_key,
                         const Surface& other, const ContactSlots& slots);
void append_pair(ContactPair& pair, ContactSlots& slots);
// Appends the contacts that `from` has of a pair of bodies.
void copy_pairs(const ContactSlots& from, std::uint64_t key, ContactSlots& to);

}  // namespace pliant
