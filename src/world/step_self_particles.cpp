// Cloths that meet themselves by particles: refreshed after the bodies' own constraints, and
// projected before the contacts with everything else. Each by itself: a distant cloth changes no
// bit. No search outlives its step: nothing is remembered that a snapshot would lack.
#include "model/surface_pair.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
bool World::Impl::meets_itself_by_particles(const Deformable& body) const {
  return !body.self_particles.empty() && is_sheet(body) && awake(body);
}

// `left` is the time to the end of the step.
void World::Impl::refresh_self_particles(double h, double left) {
  scratch.self_particles.resize(state.deformables.size());
  each_body([&](std::size_t n, TaskPool* inner) {
    const Deformable& body = state.deformables[n];
    SelfParticleStep& own = scratch.self_particles[n];
    own.meets = meets_itself_by_particles(body);
    if (!own.meets) return;
    const SelfRange range{body.self_particles, body.begin, body.count};
    if (!own.searched || !self_pairs_last(range, state.particles, inner, own.search)) {
      place_self_particles(range, state.particles, h, left, inner, own.search);
      find_self_pairs(range, inner, own.search, own.pairs);
      pack_self_particles(body, inner, own);
      own.searched = true;
    }
    for (SelfContacts& contacts : own.contacts)
      refresh_self_contacts(contacts, state.particles, h, def.push_speed, inner);
  });
}

void World::Impl::pack_self_particles(const Deformable& body, TaskPool* inner,
                                      SelfParticleStep& own) const {
  const SurfacePair surface = combined(body.contact, body.contact);
  own.contacts[0].pairs = own.pairs.near;
  own.contacts[1].pairs = own.pairs.far;
  for (SelfContacts& contacts : own.contacts) {
    contacts.friction_static = Real(surface.friction_static);
    contacts.friction_kinetic = Real(surface.friction_kinetic);
    pack_self_contacts(body, state.particles, inner, own.pack, contacts);
  }
}

void World::Impl::project_self_particles() {
  each_body([&](std::size_t n, TaskPool* inner) {
    SelfParticleStep& own = scratch.self_particles[n];
    if (!own.meets) return;
    for (SelfContacts& contacts : own.contacts)
      project_self_contacts(contacts, state.particles, inner);
  });
}

// Of the last substep.
void World::Impl::count_self_particles() {
  for (const SelfParticleStep& own : scratch.self_particles) {
    if (!own.meets) continue;
    for (const SelfContacts& contacts : own.contacts) {
      loaded_contacts += loaded_self_contacts(contacts);
      stats.candidates += std::int32_t(contacts.pairs.size());
    }
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
