// Cloths that meet themselves by particles: refreshed after the bodies' own constraints, and
// projected before the contacts with everything else. Each by itself: a distant cloth changes no
// bit. No search outlives its step: nothing is remembered that a snapshot would lack.
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
      const SurfacePair surface = combined(body.contact, body.contact);
      own.contacts.friction_static = Real(surface.friction_static);
      own.contacts.friction_kinetic = Real(surface.friction_kinetic);
      place_self_particles(range, state.particles, h, left, inner, own.search);
      find_self_pairs(range, inner, own.search, own.contacts.pairs);
      pack_self_contacts(body, state.particles, inner, own.pack, own.contacts);
      own.searched = true;
    }
    refresh_self_contacts(own.contacts, state.particles, h, def.push_speed, inner);
  });
}

void World::Impl::project_self_particles() {
  each_body([&](std::size_t n, TaskPool* inner) {
    SelfParticleStep& own = scratch.self_particles[n];
    for (int sweep = 0; sweep < k_self_sweeps && own.meets; ++sweep)
      project_self_contacts(own.contacts, state.particles, inner);
  });
}

// Of the last substep.
void World::Impl::count_self_particles() {
  for (const SelfParticleStep& own : scratch.self_particles) {
    if (!own.meets) continue;
    loaded_contacts += loaded_self_contacts(own.contacts);
    stats.candidates += std::int32_t(own.contacts.pairs.size());
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
