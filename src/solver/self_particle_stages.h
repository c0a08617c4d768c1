// Contacts of a cloth with itself by particles in a substep: packed, and projected.
#pragma once

#include <vector>

#include "core/pool.h"
#include "model/deformable.h"
#include "model/particles.h"

namespace pliant {

// Keeps its memory.
struct SelfPackScratch {
  std::vector<std::uint64_t> marks;  // colours in use, of each particle of the body
  std::vector<std::uint8_t> colour;  // of each pair
};

// Colours the pairs of the contacts and packs them eight wide.
void pack_self_contacts(const Deformable& body, const Particles& particles, TaskPool* pool,
                        SelfPackScratch& scratch, SelfContacts& contacts);
// Begins a substep of h seconds.
void refresh_self_contacts(SelfContacts& contacts, const Particles& particles, double h,
                           double push_speed, TaskPool* pool);
void project_self_contacts(SelfContacts& contacts, Particles& particles, TaskPool* pool);
// How many are loaded.
std::int32_t loaded_self_contacts(const SelfContacts& contacts);
// Of these: what they were nearer than the distance that they keep, when the substep began (m).
void list_self_depths(const SelfContacts& contacts, std::vector<double>& depths);

}  // namespace pliant
