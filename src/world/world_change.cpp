// World: settings and bodies that are changed while they live, and where they were within the last
// step.
#include <pliant/world.h>

#include <algorithm>

#include "math/trig.h"
#include "model/rigid_locks.h"
#include "scene/check_definitions.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// From a to b, the shorter way round.
Quat between(const Quat& a, Quat b, double share) {
  const double cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  if (cosine < 0) b = {-b.x, -b.y, -b.z, -b.w};
  const double c = std::min(std::abs(cosine), 1.0), sine = std::sqrt(1 - c * c);
  const double angle = det_atan2(sine, c);
  const bool near = sine < 1e-6;
  const double p = near ? 1 - share : det_sin((1 - share) * angle) / sine;
  const double q = near ? share : det_sin(share * angle) / sine;
  return normalized(
      Quat{p * a.x + q * b.x, p * a.y + q * b.y, p * a.z + q * b.z, p * a.w + q * b.w});
}

}  // namespace

// All that follows from the settings is made in each step. Impulses that contacts and joints start
// from are those of a substep of the old length; the first sweep takes off what is too much.
Status World::change(const WorldDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  Impl& w = *impl_;
  w.def = def;
  std::erase_if(w.commands, [](const Command& c) {
    return c.kind == Command::Kind::gravity || c.kind == Command::Kind::wind;
  });
  w.state.gravity = def.gravity;
  w.state.wind = def.wind;
  w.scratch.boxes = {};   // of what does not move, with the margin that it had
  w.scratch.search = {};  // tiles of what does not move
  w.wake_all();
  w.measured = false;
  ++w.changes;
  return Done{};
}

// Contacts are found anew; joints and anchors hold the same points of the body's frame.
Status World::change(BodyId id, const BodyDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  Impl& w = *impl_;
  const std::int32_t index = w.bodies[id];
  w.wake_node(index);
  w.wake_neighbours(index);
  replace_body(w.state.rigid, index, def);
  w.cross_section.resize(std::min(w.cross_section.size(), std::size_t(index)));
  BodyDef& kept = w.body_defs[std::size_t(index)];
  const std::string name = kept.name;
  w.ordered_bodies += int(def.ordered_impacts) - int(kept.ordered_impacts);
  kept = def;
  kept.name = name;
  w.list_special(index);
  w.things_changed();
  const std::size_t i = std::size_t(index);
  if (i < w.step_begin.size())
    w.step_begin[i] = {w.state.rigid.position[i], w.state.rigid.rotation[i]};
  w.forget_manifolds(index);
  w.place_links(index);
  w.scratch.joints.listed = false;
  w.measured = false;
  ++w.changes;
  return Done{};
}

// Takes the body into the list, or out of it.
void World::Impl::list_special(std::int32_t body) {
  const BodyDef& d = body_defs[std::size_t(body)];
  const auto at =
      std::lower_bound(special.begin(), special.end(), body,
                       [](const SpecialBody& s, std::int32_t index) { return s.body < index; });
  const bool listed = at != special.end() && at->body == body;
  const bool locked =
      d.lock_position != std::array<bool, 3>{} || d.lock_rotation != std::array<bool, 3>{};
  const bool wanted =
      d.motion == Motion::dynamic && (locked || d.gravity_scale != 1 || d.max_speed > 0 || d.law);
  const SpecialBody now{body, d.gravity_scale, d.max_speed, d.law.get(), {}, {}};
  if (listed && !wanted)
    special.erase(at);
  else if (listed)
    *at = now;
  else if (wanted)
    special.insert(at, now);
}

void World::Impl::forget_manifolds(std::int32_t body) {
  ManifoldList& list = state.manifolds;
  std::size_t kept = 0;
  for (std::size_t n = 0; n < list.pairs.size(); ++n) {
    if (list.pairs[n].a == body || list.pairs[n].b == body) continue;
    list.pairs[kept] = list.pairs[n];
    list.manifolds[kept++] = list.manifolds[n];
  }
  list.pairs.resize(kept);
  list.manifolds.resize(kept);
}

// Points of anchors and joints are kept from the centre of mass, which may have come to lie
// elsewhere.
void World::Impl::place_links(std::int32_t body) {
  const auto place = [&](const AnchorPoint& point, AnchorSide& side) {
    const auto* p = std::get_if<BodyPoint>(&point);
    if (p && side.rigid == body) side.point = p->local - state.rigid.mass[std::size_t(body)].centre;
  };
  for (Anchor& anchor : state.anchors) place(anchor.def.a, anchor.a), place(anchor.def.b, anchor.b);
  for (Joint& joint : state.joints) place(joint.def.a, joint.a), place(joint.def.b, joint.b);
}

Transform World::pose(BodyId id, double share) const {
  const std::size_t i = std::size_t(impl_->bodies[id]);
  const RigidBodies& rigid = impl_->state.rigid;
  const BodyBase now{rigid.position[i], rigid.rotation[i]};
  const BodyBase& before =
      rigid.kind[i] != Motion::fixed && i < impl_->step_begin.size() ? impl_->step_begin[i] : now;
  const Transform at{before.position + (rigid.position[i] - before.position) * share,
                     between(before.rotation, rigid.rotation[i], share)};
  return {origin_from_centre(rigid.mass[i], at), at.rotation};
}

}  // namespace PLIANT_ABI
}  // namespace pliant
