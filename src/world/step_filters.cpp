// Who meets whom, and how: filters of things, sensors, which meet nothing, and the user's rule.
#include <algorithm>

#include "model/surface_pair.h"
#include "world/query_index.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {

// Things have come, gone or got other definitions.
void World::Impl::things_changed() {
  scratch.traits.listed = false;
  ++queries->topology;
  ++queries->moment;
}
// They are elsewhere.
void World::Impl::things_moved() { ++queries->moment; }

void World::Impl::list_traits() {
  NodeTraits& traits = scratch.traits;
  if (traits.listed) return;
  traits.listed = true;
  traits.filter.clear();
  traits.sensors = traits.resists = false;
  for (const BodyDef& body : body_defs) {
    traits.filter.push_back(body.sensor ? Filter{0, 0} : body.filter);
    traits.sensors |= body.sensor;
    traits.resists |= body.surface.rolling_resistance > 0 || body.surface.spinning_resistance > 0;
  }
  // Cloths that are sewn together have the same.
  for (const DeformableDef& soft : deformable_defs)
    traits.filter.push_back(soft.cloths.empty() ? soft.solid.filter : soft.cloths.front().filter);
  const auto meets_all = [](const Filter& filter) { return filter == Filter{}; };
  traits.filtered = !std::all_of(traits.filter.begin(), traits.filter.end(), meets_all);
}

bool World::Impl::filters_fit(std::int32_t node_a, std::int32_t node_b) const {
  if (!scratch.traits.filtered) return true;
  const Filter& a = scratch.traits.filter[std::size_t(node_a)];
  const Filter& b = scratch.traits.filter[std::size_t(node_b)];
  return (a.groups & b.mask) != 0 && (b.groups & a.mask) != 0;
}

void World::Impl::part_filtered() {
  if (!scratch.traits.filtered) return;
  std::erase_if(scratch.pairs, [&](const BoxPair& pair) { return !filters_fit(pair.a, pair.b); });
}

// --- the user's rule for contacts
// -------------------------------------------------------------------------------------------

// Of one manifold; false where it is refused.
bool World::Impl::ask_rule(const BoxPair& pair, const Manifold& m, ContactTerms& terms) const {
  const std::size_t a = std::size_t(pair.a), b = std::size_t(pair.b);
  const SurfacePair surface = combined(state.rigid.surface[a], state.rigid.surface[b]);
  ContactSetting contact;
  contact.a = any_id(state.rigid.key[a]);
  contact.b = any_id(state.rigid.key[b]);
  contact.normal = cast<double>(m.normal);
  contact.separation = 1e30;
  for (int k = 0; k < m.count; ++k) {
    contact.point += (state.rigid.position[a] + cast<double>(m.point[k].arm_a)) / double(m.count);
    contact.separation = std::min(contact.separation, double(m.point[k].separation));
  }
  contact.friction_static = surface.friction_static;
  contact.friction_kinetic = surface.friction_kinetic;
  contact.restitution = surface.restitution;
  if (!contact_rule->apply(contact)) return false;
  const auto at_least_zero = [](double x) { return Real(x > 0 ? x : 0); };
  terms = {at_least_zero(contact.friction_static), at_least_zero(contact.friction_kinetic),
           at_least_zero(contact.restitution < 1 ? contact.restitution : 1),
           cast<Real>(contact.surface_velocity)};
  return true;
}

// Before anything is done with the manifold. One that is refused has no points.
void World::Impl::ask_rule(std::size_t n) {
  Manifold& m = state.manifolds.manifolds[n];
  if (m.count == 0) return;
  if (!ask_rule(state.manifolds.pairs[n], m, state.manifolds.terms[n])) m.count = 0;
}

// Of a pair whose impacts are ordered.
void World::Impl::ask_rule(OrderedPair& pair) const {
  if (!contact_rule) return;
  ContactTerms terms;
  std::erase_if(pair.manifolds, [&](const Manifold& m) { return !ask_rule(pair.pair, m, terms); });
}

// Of all pairs.
void World::Impl::ask_rule() {
  state.manifolds.terms.clear();
  if (!contact_rule) return;
  state.manifolds.terms.resize(state.manifolds.pairs.size());
  parallel_for(pool.get(), int(state.manifolds.pairs.size()), 32, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) ask_rule(std::size_t(n));
  });
}

// Room for what only some contacts have.
void World::Impl::size_extras() {
  const bool wanted = contact_rule != nullptr || scratch.traits.resists;
  scratch.batches.extra.resize(wanted ? scratch.batches.batch.size() : 0);
}

void World::set_contact_rule(std::shared_ptr<const ContactRule> rule) {
  impl_->contact_rule = std::move(rule);
  impl_->wake_all();
}

}  // namespace PLIANT_ABI
}  // namespace pliant
