// Cloths that meet themselves by particles: searched anew in every substep, after the bodies' own
// constraints, and projected before the contacts with everything else. Each by itself: a distant
// cloth changes no bit.
#include "model/surface_pair.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr int k_self_sweeps = 2;

}  // namespace

bool World::Impl::meets_itself_by_particles(const Deformable& body) const {
  return !body.self_particles.empty() && is_sheet(body) && awake(body);
}

void World::Impl::refresh_self_particles(double h) {
  scratch.self_particles.resize(state.deformables.size());
  each_body([&](std::size_t n, TaskPool* inner) {
    const Deformable& body = state.deformables[n];
    SelfParticleStep& own = scratch.self_particles[n];
    own.contacts.batches.clear();
    if (!meets_itself_by_particles(body)) return;
    const SurfacePair surface = combined(body.contact, body.contact);
    own.contacts.friction_static = Real(surface.friction_static);
    own.contacts.friction_kinetic = Real(surface.friction_kinetic);
    find_self_pairs(body.self_particles, body.begin, body.count, state.particles, inner, own.search,
                    own.contacts.pairs);
    pack_self_contacts(body, state.particles, h, def.push_speed, inner, own.pack, own.contacts);
  });
}

void World::Impl::project_self_particles() {
  each_body([&](std::size_t n, TaskPool* inner) {
    SelfContacts& contacts = scratch.self_particles[n].contacts;
    if (contacts.batches.empty()) return;
    for (int sweep = 0; sweep < k_self_sweeps; ++sweep)
      project_self_contacts(contacts, state.particles, inner);
  });
}

// Of the last substep.
void World::Impl::count_self_particles() {
  for (const SelfParticleStep& own : scratch.self_particles) {
    loaded_contacts += loaded_self_contacts(own.contacts);
    stats.candidates += std::int32_t(own.contacts.pairs.size());
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
