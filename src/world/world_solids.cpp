// Commands on the particles of cloths and solids, and solids whose definition changes.
#include <algorithm>

#include "build/match_clusters.h"
#include "core/assert.h"
#include "math/trig.h"
#include "scene/check_definitions.h"
#include "solver/particle_stages.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr int k_turns = 200;  // to find a rotation; a few do unless it is far or flat

bool same_nodes(const SolidDef& a, const SolidDef& b) {
  const auto alone = [](const SolidDef& def) {
    return def.model == SolidModel::mass_spring && !def.springs.lattice &&
           def.tets.tetrahedra.empty();
  };
  return a.mesh.vertices == b.mesh.vertices && a.mesh.triangles == b.mesh.triangles &&
         a.tets.vertices == b.tets.vertices && a.tets.tetrahedra == b.tets.tetrahedra &&
         alone(a) == alone(b) &&
         ((a.cells == b.cells && a.cell_size == b.cell_size) || alone(a) ||
          !a.tets.tetrahedra.empty());
}

bool same_pins(const std::vector<Pin>& a, const std::vector<Pin>& b) {
  const auto same_key = [](const Keyframe& x, const Keyframe& y) {
    return x.time == y.time && x.position == y.position && x.rotation == y.rotation;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Pin& x, const Pin& y) {
    return x.vertices == y.vertices && x.pivot == y.pivot &&
           std::equal(x.path.begin(), x.path.end(), y.path.begin(), y.path.end(), same_key);
  });
}

// The definition where the mesh has its own place: particles then are where the rest shape is.
SolidDef at_origin(SolidDef def) {
  def.position = def.velocity = def.angular_velocity = {};
  def.rotation = {};
  def.initial_scale = {1, 1, 1};
  def.initial_positions.clear();
  def.initial_velocities.clear();
  return def;
}

Vec3 place_of(const Particles& particles, std::size_t p) {
  return cast<double>(xyz(particles.base[p])) + cast<double>(xyz(particles.d[p]));
}

Command soft(Command::Kind kind, std::uint32_t index, std::uint32_t generation, std::int32_t vertex,
             const Vec3& a) {
  return {kind, index, generation, vertex, a, {}, {}};
}

}  // namespace

// --- commands
// -----------------------------------------------------------------------------------------
void World::apply_force(ClothId id, std::int32_t vertex, const Vec3& force) {
  impl_->commands.push_back(
      soft(Command::Kind::cloth_force, id.index, id.generation, vertex, force));
}
void World::apply_force(SolidId id, std::int32_t vertex, const Vec3& force) {
  impl_->commands.push_back(
      soft(Command::Kind::solid_force, id.index, id.generation, vertex, force));
}
void World::add_velocity(ClothId id, const Vec3& velocity) {
  impl_->commands.push_back(
      soft(Command::Kind::cloth_velocity, id.index, id.generation, 0, velocity));
}
void World::add_velocity(SolidId id, const Vec3& velocity) {
  impl_->commands.push_back(
      soft(Command::Kind::solid_velocity, id.index, id.generation, 0, velocity));
}
void World::set_locked(SolidId id, std::int32_t vertex, bool locked) {
  const Command::Kind kind = locked ? Command::Kind::lock : Command::Kind::unlock;
  impl_->commands.push_back(soft(kind, id.index, id.generation, vertex, {}));
}
void World::set_anchor_target(AnchorId id, const Vec3& position) {
  impl_->commands.push_back(
      soft(Command::Kind::anchor_target, id.index, id.generation, 0, position));
}

// Ids that are gone and vertices that there are not do nothing.
void World::Impl::apply_soft_command(const Command& c) {
  const ClothId cloth{c.index, c.generation};
  const SolidId solid{c.index, c.generation};
  const auto force_on = [&](std::int32_t deformable, std::int32_t particle) {
    const Deformable& body = state.deformables[std::size_t(deformable)];
    particle_forces.push_back({body.begin + body.root(particle), c.a});
    wake_node(state.rigid.size() + deformable);
  };
  switch (c.kind) {
    case Command::Kind::cloth_force:
      if (!cloths.valid(cloth) || c.vertex < 0 || c.vertex >= part_of(cloth).count()) return;
      return force_on(cloths[cloth], particle_of(cloth, c.vertex));
    case Command::Kind::solid_force: {
      if (!solids.valid(solid)) return;
      const Deformable& body = state.deformables[std::size_t(solids[solid])];
      if (c.vertex < 0 || c.vertex >= std::int32_t(body.order.size())) return;
      return force_on(solids[solid], body.order[std::size_t(c.vertex)]);
    }
    case Command::Kind::cloth_velocity: {
      if (!cloths.valid(cloth)) return;
      const ClothPart& part = part_of(cloth);
      return add_velocity(cloths[cloth], part.begin, part.begin + part.count(), c.a);
    }
    case Command::Kind::solid_velocity:
      if (!solids.valid(solid)) return;
      return add_velocity(solids[solid], 0, state.deformables[std::size_t(solids[solid])].count,
                          c.a);
    case Command::Kind::lock:
    case Command::Kind::unlock:
      if (solids.valid(solid)) lock_vertex(solid, c.vertex, c.kind == Command::Kind::lock);
      return;
    default: {
      const AnchorId anchor{c.index, c.generation};
      if (anchors.valid(anchor)) send_anchor(anchor, c.a);
    }
  }
}

void World::Impl::add_velocity(std::int32_t deformable, std::int32_t first, std::int32_t last,
                               const Vec3& velocity) {
  const Deformable& body = state.deformables[std::size_t(deformable)];
  wake_node(state.rigid.size() + deformable);
  for (std::int32_t n = first; n < last; ++n) {
    const std::size_t p = std::size_t(body.begin + body.root(n));
    if (body.root(n) != n || !(state.particles.d[p].w > 0)) continue;
    Vec4& v = state.particles.velocity[p];
    v = {v.x + Real(velocity.x), v.y + Real(velocity.y), v.z + Real(velocity.z), v.w};
  }
}

void World::Impl::lock_vertex(SolidId solid, std::int32_t vertex, bool locked) {
  Deformable& body = state.deformables[std::size_t(solids[solid])];
  if (vertex < 0 || vertex >= std::int32_t(body.order.size())) return;
  const std::int32_t particle = body.order[std::size_t(vertex)];
  const std::size_t p = std::size_t(body.begin + particle);
  wake_node(state.rigid.size() + solids[solid]);
  std::erase_if(body.pins, [&](const PinnedParticle& pin) { return pin.particle == particle; });
  const Real mass = state.particles.force[p].w;
  state.particles.d[p].w = locked || !(mass > 0) ? Real(0) : 1 / mass;
  if (locked) {
    body.pins.push_back({particle, -1, place_of(state.particles, p)});
    state.particles.velocity[p] = {};
  }
  if (!body.matching.empty()) weigh_clusters(body.matching, pinned_particles(body));
}

void World::Impl::creep(double dt) {
  for (Deformable& body : state.deformables)
    if (!body.matching.crept.empty() && awake(body))
      creep_clusters(body.matching, pinned_particles(body), dt);
}

// The pins of the definition without what has been let go, and what has been locked since.
std::vector<Pin> World::Impl::present_pins(SolidId solid) const {
  const std::size_t index = std::size_t(solids[solid]);
  const Deformable& body = state.deformables[index];
  std::vector<std::int32_t> pin_of(body.order.size(), -2);
  for (const PinnedParticle& pin : body.pins) pin_of[std::size_t(pin.particle)] = pin.pin;
  std::vector<Pin> pins = deformable_defs[index].solid.pins;
  for (std::size_t n = 0; n < pins.size(); ++n)
    std::erase_if(pins[n].vertices, [&](std::int32_t v) {
      return pin_of[std::size_t(body.order[std::size_t(v)])] != std::int32_t(n);
    });
  std::erase_if(pins, [](const Pin& pin) { return pin.vertices.empty(); });
  Pin locked;
  for (std::size_t v = 0; v < body.order.size(); ++v)
    if (pin_of[std::size_t(body.order[v])] == -1) locked.vertices.push_back(std::int32_t(v));
  if (!locked.vertices.empty()) pins.push_back(std::move(locked));
  return pins;
}

// --- anchors that follow a point
// -----------------------------------------------------------------------
void World::Impl::send_anchor(AnchorId id, const Vec3& target) {
  const std::int32_t index = anchors[id];
  Anchor& anchor = state.anchors[std::size_t(index)];
  for (const bool side_b : {false, true}) {
    AnchorPoint& point = side_b ? anchor.def.b : anchor.def.a;
    if (!std::holds_alternative<WorldPoint>(point)) continue;
    const Vec3 from = side_b ? anchor.b.point : anchor.a.point;
    std::erase_if(anchor_moves, [&](const AnchorMove& move) { return move.anchor == index; });
    anchor_moves.push_back({index, side_b, from, target});
    point = WorldPoint{target};
  }
  for (const AnchorSide* side : {&anchor.a, &anchor.b})
    if (const std::int32_t node = node_of(*side); node >= 0) wake_node(node);
}

// To where they are after a share of the step.
void World::Impl::move_anchors(double share) {
  for (const AnchorMove& move : anchor_moves) {
    Anchor& anchor = state.anchors[std::size_t(move.anchor)];
    Vec3& point = move.side_b ? anchor.b.point : anchor.a.point;
    point = share < 1 - 1e-9 ? move.from + (move.to - move.from) * share : move.to;
  }
}

// --- changing
// -----------------------------------------------------------------------------------------
Result<bool> World::change(SolidId id, const SolidDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  Impl& w = *impl_;
  PLIANT_ASSERT(w.solids.valid(id));
  const std::int32_t index = w.solids[id];
  SolidDef& known = w.deformable_defs[std::size_t(index)].solid;
  SolidDef next = def;
  next.name = known.name;
  const bool anew = !same_nodes(known, def);
  // What describe gave holds what is held already.
  if (!anew && same_pins(w.present_pins(id), def.pins)) next.pins = known.pins;
  if (anew) {
    const Result<DeformableBuild> old = build_solid(at_origin(known));
    if (!old) return old.error();
    const Transform pose = w.pose_of(w.state.deformables[std::size_t(index)], old.value().position);
    next = at_origin(next);
    next.position = pose.position;
    next.rotation = pose.rotation;
  }
  Result<DeformableBuild> build = build_solid(anew ? next : at_origin(next));
  if (!build) return build.error();
  if (anew) {
    w.make_anew(index, std::move(build).value());
  } else {
    next.position = known.position;
    next.rotation = known.rotation;
    w.change_in_place(index, std::move(build).value(), !same_pins(known.pins, next.pins));
  }
  known = std::move(next);
  w.measured = false;
  w.things_changed();
  return anew;
}

// Constraints and parameters of the new body, places, velocities and history of the old one.
void World::Impl::change_in_place(std::int32_t index, DeformableBuild&& build, bool new_pins) {
  Deformable& body = state.deformables[std::size_t(index)];
  Deformable fresh = std::move(build.body);
  fresh.key = body.key, fresh.begin = body.begin;
  fresh.awake = body.awake, fresh.frozen = body.frozen;
  fresh.still = body.still, fresh.island = body.island;
  if (new_pins) {
    for (PinnedParticle& pin : fresh.pins)
      pin.start = place_of(state.particles, std::size_t(body.begin + pin.particle));
  } else {
    fresh.pins = body.pins;
    fresh.pin_paths = body.pin_paths;
  }
  if (fresh.matching.crept.size() == body.matching.crept.size())
    fresh.matching.crept = body.matching.crept;
  body = std::move(fresh);
  for (std::size_t n = 0; n < build.mass.size(); ++n) {
    const std::size_t p = std::size_t(body.begin) + n;
    state.particles.force[p].w = Real(build.mass[n]);
    state.particles.d[p].w = Real(1 / build.mass[n]);
  }
  const std::vector<std::int32_t> pinned = pinned_particles(body);
  for (const std::int32_t particle : pinned)
    state.particles.d[std::size_t(body.begin + particle)].w = 0;
  if (!body.matching.empty()) weigh_clusters(body.matching, pinned);
  refresh_constraint_bases(state.particles, body, nullptr);
  wake_node(state.rigid.size() + index);
}

void World::Impl::make_anew(std::int32_t index, DeformableBuild&& build) {
  part_from_all(state.rigid.size() + index);
  forget_sides(index);
  drop_anchors_of(-1, index);
  Deformable& body = state.deformables[std::size_t(index)];
  const std::int32_t begin = body.begin, old_places = body.constraints.places();
  const std::int32_t new_places = build.body.constraints.places();
  Particles& particles = state.particles;
  for (std::vector<Vec4>* array : {&particles.base, &particles.d, &particles.d_before,
                                   &particles.velocity, &particles.force, &particles.settled}) {
    array->erase(array->begin() + begin, array->begin() + begin + old_places);
    array->insert(array->begin() + begin, std::size_t(new_places), Vec4{});
  }
  fill_particles(build, begin);
  build.body.key = body.key;
  build.body.volume = build.body.rest_volume;
  body = std::move(build.body);
  close_ranks();
  refresh_constraint_bases(state.particles, state.deformables[std::size_t(index)], nullptr);
}

// The rigid motion that brings the rest shape nearest to where the particles are: turns by
// sum r x a / sum r . a, r turned rest places and a present ones from their centres. Source:
// Mueller, Bender, Chentanez, Macklin 2016, A robust method to extract the rotational part.
Transform World::Impl::pose_of(const Deformable& body, const std::vector<Vec3>& rest) const {
  Vec3 rest_centre, centre;
  double sum = 0;
  const auto mass = [&](std::size_t n) {
    return double(state.particles.force[std::size_t(body.begin) + n].w);
  };
  for (std::size_t n = 0; n < rest.size(); ++n) {
    rest_centre += rest[n] * mass(n);
    centre += place_of(state.particles, std::size_t(body.begin) + n) * mass(n);
    sum += mass(n);
  }
  rest_centre = rest_centre / sum, centre = centre / sum;
  Quat turn = deformable_defs[std::size_t(&body - state.deformables.data())].solid.rotation;
  for (int k = 0; k < k_turns; ++k) {
    Vec3 across;
    double along = 0;
    for (std::size_t n = 0; n < rest.size(); ++n) {
      const Vec3 r = rotate(turn, rest[n] - rest_centre) * mass(n);
      const Vec3 a = place_of(state.particles, std::size_t(body.begin) + n) - centre;
      across += cross(r, a);
      along += dot(r, a);
    }
    const Vec3 by = across / (std::abs(along) + 1e-12 * sum);
    turn = normalized(exp_quat(by * 0.5) * turn);
    if (length(by) < 1e-12) break;
  }
  return {centre - rotate(turn, rest_centre), turn};
}

}  // namespace PLIANT_ABI
}  // namespace pliant
