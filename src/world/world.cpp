// World: adding, removing, commanding.
#include <pliant/world.h>

#include <algorithm>

#include "core/assert.h"
#include "model/path.h"
#include "scene/check_definitions.h"
#include "world/query_index.h"
#include "world/world_impl.h"

namespace pliant {

std::string_view stage_name(Stage stage) {
  static constexpr std::string_view k_names[k_stage_count] = {
      "commands", "broadphase", "narrowphase", "colour", "forces",      "rigid", "predict",
      "refresh",  "project",    "velocities",  "relax",  "restitution", "sleep", "publish"};
  return k_names[std::size_t(stage)];
}

std::string_view overlap_phase_name(OverlapPhase phase) {
  static constexpr std::string_view k_names[k_overlap_phase_count] = {"detection", "triangles",
                                                                      "depths", "response"};
  return k_names[std::size_t(phase)];
}

inline namespace PLIANT_ABI {

World::World(const WorldDef& def, std::shared_ptr<TaskPool> pool)
    : impl_(std::make_unique<Impl>()) {
  PLIANT_ASSERT(check(def).empty());
  impl_->def = def;
  impl_->queries = std::make_shared<QueryIndex>();
  impl_->pool = std::move(pool);
  impl_->state.gravity = def.gravity;
  impl_->state.wind = def.wind;
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

StepReport World::step(double dt) {
  PLIANT_ASSERT(dt > 0);
  return impl_->step(dt);
}

// --- adding
// --------------------------------------------------------------------------------------------

Result<BodyId> World::add_body(const BodyDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  Impl& w = *impl_;
  BodyDef placed = def;
  if (!def.path.empty()) {  // else its first step would be a leap from `position` to the path
    const Transform start = path_at(def.path, w.state.time);
    placed.position = start.position;
    placed.rotation = start.rotation;
  }
  const std::int32_t index = append_body(w.state.rigid, placed, w.next_key++);
  w.body_defs.push_back(def);
  w.ordered_bodies += def.ordered_impacts ? 1 : 0;
  w.things_changed();
  w.list_special(index);
  w.contact_force.emplace_back();
  return w.bodies.add(index);
}

std::int32_t World::Impl::add_deformable(DeformableBuild&& build) {
  Particles& particles = state.particles;
  Deformable& body = build.body;
  body.begin = particles.size();
  body.key = next_key++;
  particles.resize(body.begin + body.constraints.places());
  fill_particles(build, body.begin);
  body.volume = body.rest_volume;
  state.deformables.push_back(std::move(body));
  published_step = ~0ull;
  things_changed();
  return std::int32_t(state.deformables.size()) - 1;
}

void World::Impl::fill_particles(const DeformableBuild& build, std::int32_t begin) {
  Particles& particles = state.particles;
  std::vector<bool> pinned(std::size_t(build.body.count));
  for (const PinnedParticle& pin : build.body.pins) pinned[std::size_t(pin.particle)] = true;
  for (std::size_t i = 0; i < std::size_t(build.body.count); ++i) {
    const std::size_t p = std::size_t(begin) + i;
    const Vec3 x = build.position[i], v = build.velocity[i];
    const double mass = build.mass[i];
    particles.base[p] = {Real(x.x), Real(x.y), Real(x.z), 0};
    // What the base cannot hold goes into d.
    particles.d[p] = {
        Real(x.x - double(particles.base[p].x)), Real(x.y - double(particles.base[p].y)),
        Real(x.z - double(particles.base[p].z)), pinned[i] || mass <= 0 ? Real(0) : Real(1 / mass)};
    particles.d_before[p] = particles.d[p];
    particles.velocity[p] = {Real(v.x), Real(v.y), Real(v.z), 0};
    particles.force[p] = {0, 0, 0, Real(mass)};
    particles.settled[p] = particles.base[p];
  }
}

Result<ClothId> World::add_cloth(const ClothDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  Impl& w = *impl_;
  const std::int32_t index = w.add_deformable(build_cloth(def));
  w.deformable_defs.push_back({{def}, {}});
  const ClothId id = w.cloths.add(index);
  w.cloth_part.resize(std::max(w.cloth_part.size(), std::size_t(id.index) + 1));
  w.cloth_part[id.index] = 0;
  return id;
}

Result<SolidId> World::add_solid(const SolidDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  Impl& w = *impl_;
  Result<DeformableBuild> build = build_solid(def);
  if (!build) return build.error();
  const std::int32_t index = w.add_deformable(std::move(build).value());
  w.deformable_defs.push_back({{}, def});
  if (!def.initial_positions.empty() || def.initial_scale != Vec3{1, 1, 1})
    w.measure_volume(w.state.deformables[std::size_t(index)]);
  return w.solids.add(index);
}

Result<AnchorId> World::add_anchor(const AnchorDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  Impl& w = *impl_;
  const Result<AnchorSide> a = w.anchor_side(def.a, "a"), b = w.anchor_side(def.b, "b");
  if (!a) return a.error();
  if (!b) return b.error();
  Anchor anchor;
  anchor.def = def;
  anchor.a = a.value();
  anchor.b = b.value();
  anchor.compliance = def.compliance;
  const bool fixed = anchor.a.particles == 0 && anchor.b.particles == 0 && anchor.a.rigid < 0 &&
                     anchor.b.rigid < 0;
  if (fixed)
    return Error{"a, b", "both ends are points of the world; at least one must be of a body"};
  w.state.anchors.push_back(anchor);
  for (const AnchorSide* side : {&anchor.a, &anchor.b})
    if (const std::int32_t node = w.node_of(*side); node >= 0) w.wake_node(node);
  return w.anchors.add(std::int32_t(w.state.anchors.size()) - 1);
}

// --- anchors
// -------------------------------------------------------------------------------------------

namespace {

AnchorSide particle_side(std::int32_t index, std::int32_t particle) {
  AnchorSide side;
  side.deformable = index;
  side.particle[0] = particle;
  side.weight[0] = 1;
  side.particles = 1;
  return side;
}

// A particle, by its share of a corner of a triangle, whose weight is given.
void add_to_corner(AnchorSide& side, std::int32_t particle, int corner, double share,
                   double weight) {
  const auto end = side.particle.begin() + side.particles;
  const std::size_t at =
      std::size_t(std::find(side.particle.begin(), end, particle) - side.particle.begin());
  if (at == std::size_t(side.particles)) side.particle[std::size_t(side.particles++)] = particle;
  side.triangle = true;
  side.weight[at] += Real(weight * share);
  side.corner[at][corner] += Real(share);
}

AnchorSide triangle_side(std::int32_t index, const Deformable& body, std::int32_t triangle,
                         const std::array<double, 3>& weights) {
  AnchorSide side;
  side.deformable = index;
  const Triangle& t = body.surface.triangles[std::size_t(triangle)];
  for (std::size_t n = 0; n < 3; ++n) {
    const SurfaceVertex& v = body.surface.vertices[std::size_t(t[n])];
    const std::size_t carriers = body.surface.direct ? 1 : 4;
    for (std::size_t k = 0; k < carriers; ++k)
      add_to_corner(side, v.particle[k], int(n), double(v.weight[k]), weights[n]);
  }
  return side;
}

Error out_of_range(const char* field, const char* what, std::int32_t found, std::size_t count) {
  return {std::string(field) + "." + what, "found " + std::to_string(found) + ", accepted 0 to " +
                                               std::to_string(std::int64_t(count) - 1)};
}

}  // namespace

Result<AnchorSide> World::Impl::anchor_side(const AnchorPoint& point, const char* field) const {
  const auto gone = [&](const char* what) {
    return Error{std::string(field) + "." + what, "no such thing in this world"};
  };
  if (const auto* p = std::get_if<WorldPoint>(&point)) {
    AnchorSide side;
    side.point = p->position;
    return side;
  }
  if (const auto* p = std::get_if<BodyPoint>(&point)) {
    if (!bodies.valid(p->body)) return gone("body");
    AnchorSide side;
    side.rigid = bodies[p->body];
    side.point = p->local - state.rigid.mass[std::size_t(side.rigid)].centre;
    return side;
  }
  if (const auto* p = std::get_if<ClothVertex>(&point))
    return cloths.valid(p->cloth) ? cloth_side(*p, field) : gone("cloth");
  if (const auto* p = std::get_if<SolidVertex>(&point))
    return solids.valid(p->solid) ? solid_side(*p, field) : gone("solid");
  if (const auto* p = std::get_if<ClothTrianglePoint>(&point))
    return cloths.valid(p->cloth) ? cloth_side(*p, field) : gone("cloth");
  const auto& p = std::get<SolidTrianglePoint>(point);
  return solids.valid(p.solid) ? solid_side(p, field) : gone("solid");
}

Result<AnchorSide> World::Impl::cloth_side(const ClothVertex& point, const char* field) const {
  const std::size_t count = std::size_t(part_of(point.cloth).count());
  if (point.vertex < 0 || std::size_t(point.vertex) >= count)
    return out_of_range(field, "vertex", point.vertex, count);
  return particle_side(cloths[point.cloth], particle_of(point.cloth, point.vertex));
}

Result<AnchorSide> World::Impl::cloth_side(const ClothTrianglePoint& point,
                                           const char* field) const {
  const std::vector<Triangle>& triangles = def_of(point.cloth).mesh.triangles;
  if (point.triangle < 0 || std::size_t(point.triangle) >= triangles.size())
    return out_of_range(field, "triangle", point.triangle, triangles.size());
  AnchorSide side;
  side.deformable = cloths[point.cloth];
  for (std::size_t n = 0; n < 3; ++n)
    add_to_corner(side, particle_of(point.cloth, triangles[std::size_t(point.triangle)][n]), int(n),
                  1, point.weights[n]);
  return side;
}

Result<AnchorSide> World::Impl::solid_side(const SolidVertex& point, const char* field) const {
  const std::int32_t index = solids[point.solid];
  const Deformable& body = state.deformables[std::size_t(index)];
  if (point.vertex < 0 || std::size_t(point.vertex) >= body.order.size())
    return out_of_range(field, "vertex", point.vertex, body.order.size());
  return particle_side(index, body.order[std::size_t(point.vertex)]);
}

Result<AnchorSide> World::Impl::solid_side(const SolidTrianglePoint& point,
                                           const char* field) const {
  const std::int32_t index = solids[point.solid];
  const Deformable& body = state.deformables[std::size_t(index)];
  if (point.triangle < 0 || std::size_t(point.triangle) >= body.surface.triangles.size())
    return out_of_range(field, "triangle", point.triangle, body.surface.triangles.size());
  return triangle_side(index, body, point.triangle, point.weights);
}

// --- removing
// ------------------------------------------------------------------------------------------

void World::remove(BodyId id) {
  Impl& w = *impl_;
  const std::int32_t index = w.bodies[id];
  w.part_from_all(index);
  w.drop_anchors_of(index, -1);
  // The place stays, empty and out of every search: indices of other bodies do not change.
  retire_body(w.state.rigid, index);
  w.measured = false;
  std::erase_if(w.special, [&](const SpecialBody& s) { return s.body == index; });
  w.bodies.remove(id);
  w.things_changed();
}

void World::Impl::remove_deformable(std::int32_t index) {
  drop_anchors_of(-1, index);
  Particles& particles = state.particles;
  const Deformable& body = state.deformables[std::size_t(index)];
  const std::int32_t places = body.constraints.places();
  for (std::vector<Vec4>* array : {&particles.base, &particles.d, &particles.d_before,
                                   &particles.velocity, &particles.force, &particles.settled})
    array->erase(array->begin() + body.begin, array->begin() + body.begin + places);
  erase_deformable(index);
}

// Of which no particles are left.
void World::Impl::erase_deformable(std::int32_t index) {
  state.deformables.erase(state.deformables.begin() + index);
  deformable_defs.erase(deformable_defs.begin() + index);
  for (Anchor& anchor : state.anchors)
    for (AnchorSide* side : {&anchor.a, &anchor.b})
      if (side->deformable > index) --side->deformable;
  for (Joint& joint : state.joints)
    for (AnchorSide* side : {&joint.a, &joint.b})
      if (side->deformable > index) --side->deformable;
  for (Seam& seam : state.seams)
    if (seam.deformable > index) --seam.deformable;
  cloths.close_gap(index);
  solids.close_gap(index);
  things_changed();
  close_ranks();
}

// The particles of each body come behind those of the one before it.
void World::Impl::close_ranks() {
  std::int32_t begin = 0;
  for (Deformable& body : state.deformables) {
    body.begin = begin;
    begin += body.constraints.places();
  }
  state.slots.clear();
  published_step = ~0ull;
}

void World::Impl::drop_anchors_of(std::int32_t rigid, std::int32_t deformable) {
  drop_links([&](const AnchorPoint&, const AnchorSide& side) {
    return (rigid >= 0 && side.rigid == rigid) ||
           (deformable >= 0 && side.deformable == deformable);
  });
}

// Anchors and joints of which some side is meant.
void World::Impl::drop_links(const std::function<bool(const AnchorPoint&, const AnchorSide&)>& of) {
  for (const AnchorId id : anchors.all()) {
    const Anchor& anchor = state.anchors[std::size_t(anchors[id])];
    if (of(anchor.def.a, anchor.a) || of(anchor.def.b, anchor.b)) drop_anchor(id);
  }
  for (const JointId id : joints.all()) {
    const Joint& joint = state.joints[std::size_t(joints[id])];
    if (of(joint.def.a, joint.a) || of(joint.def.b, joint.b)) drop_joint(id);
  }
}

void World::Impl::drop_anchor(AnchorId id) {
  const std::int32_t index = anchors[id];
  const Anchor& anchor = state.anchors[std::size_t(index)];
  for (const std::int32_t node : {node_of(anchor.a), node_of(anchor.b)})
    if (node >= 0) wake_node(node);
  anchors.remove(id);
  state.anchors.erase(state.anchors.begin() + index);
  anchors.close_gap(index);
}

void World::remove(ClothId id) {
  const std::int32_t index = impl_->cloths[id];
  impl_->drop_seams_of(id);
  impl_->part_from_all(impl_->state.rigid.size() + index);
  if (impl_->state.deformables[std::size_t(index)].parts.size() > 1) return impl_->remove_part(id);
  impl_->cloths.remove(id);
  impl_->remove_deformable(index);
}
void World::remove(SolidId id) {
  const std::int32_t index = impl_->solids[id];
  impl_->part_from_all(impl_->state.rigid.size() + index);
  impl_->solids.remove(id);
  impl_->remove_deformable(index);
}
void World::remove(AnchorId id) { impl_->drop_anchor(id); }
void World::remove(SeamId id) { impl_->drop_seam(id); }

bool World::valid(BodyId id) const { return impl_->bodies.valid(id); }
bool World::valid(ClothId id) const { return impl_->cloths.valid(id); }
bool World::valid(SolidId id) const { return impl_->solids.valid(id); }
bool World::valid(AnchorId id) const { return impl_->anchors.valid(id); }
bool World::valid(SeamId id) const { return impl_->seams.valid(id); }

// --- commands
// ------------------------------------------------------------------------------------------

void World::apply_force(BodyId id, const Vec3& force, const Vec3& point) {
  impl_->commands.push_back({Command::Kind::force, id.index, id.generation, 0, force, point, {}});
}
void World::apply_impulse(BodyId id, const Vec3& impulse, const Vec3& point) {
  impl_->commands.push_back(
      {Command::Kind::impulse, id.index, id.generation, 0, impulse, point, {}});
}
void World::set_velocity(BodyId id, const Vec3& velocity, const Vec3& angular_velocity) {
  impl_->commands.push_back(
      {Command::Kind::velocity, id.index, id.generation, 0, velocity, angular_velocity, {}});
}
void World::set_pose(BodyId id, const Transform& pose) {
  impl_->commands.push_back(
      {Command::Kind::pose, id.index, id.generation, 0, pose.position, {}, pose.rotation});
}
void World::move_to(BodyId id, const Transform& pose) {
  impl_->commands.push_back(
      {Command::Kind::move_to, id.index, id.generation, 0, pose.position, {}, pose.rotation});
}
void World::set_pin_target(ClothId id, std::int32_t vertex, const Vec3& position) {
  impl_->commands.push_back(
      {Command::Kind::pin_target, id.index, id.generation, vertex, position, {}, {}});
}
void World::set_gravity(const Vec3& gravity) {
  impl_->commands.push_back({Command::Kind::gravity, 0, 0, 0, gravity, {}, {}});
}
void World::set_wind(const Vec3& wind) {
  impl_->commands.push_back({Command::Kind::wind, 0, 0, 0, wind, {}, {}});
}

// The vertex is held from now on and goes to `target` in the coming step.
void World::Impl::send_pin(ClothId cloth, std::int32_t vertex, const Vec3& target, double dt) {
  const std::int32_t deformable = cloths[cloth];
  Deformable& body = state.deformables[std::size_t(deformable)];
  if (vertex < 0 || vertex >= part_of(cloth).count()) return;
  const std::int32_t particle = particle_of(cloth, vertex);
  wake_node(state.rigid.size() + deformable);
  const std::size_t at = std::size_t(body.begin) + std::size_t(particle);
  const Vec4 base = state.particles.base[at];
  Vec4& d = state.particles.d[at];
  const Vec3 from = cast<double>(xyz(base)) + cast<double>(xyz(d));
  const PinnedParticle sent{particle, -1, target, (target - from) / dt, state.time + dt};
  d.w = 0;
  for (PinnedParticle& pin : body.pins)
    if (pin.particle == particle) {
      pin = sent;
      return;
    }
  body.pins.push_back(sent);
}

// --- waking
// --------------------------------------------------------------------------------------------

void World::Impl::wake_node(std::int32_t node) {
  scratch.woken.clear();
  wake(state, node, scratch.woken);
  for (const std::int32_t woken : scratch.woken)
    (stepping ? events : pending_events).push_back({EventKind::wake, any_id(key_of(woken)), {}, 0});
}

void World::Impl::wake_all() {
  const std::int32_t nodes = state.rigid.size() + std::int32_t(state.deformables.size());
  for (std::int32_t node = 0; node < nodes; ++node) wake_node(node);
  // Nor may what was about to sleep do so while it begins to move.
  for (BodyRest& rest : state.rigid.rest) rest.still = 0;
  for (Deformable& body : state.deformables) body.still = 0;
}

std::uint32_t World::Impl::key_of(std::int32_t node) const {
  return node < state.rigid.size() ? state.rigid.key[std::size_t(node)]
                                   : state.deformables[std::size_t(node - state.rigid.size())].key;
}

// Keys rise with the index in both lists.
std::int32_t World::Impl::node_of(std::uint32_t key) const {
  const auto& keys = state.rigid.key;
  // The first key is 1: where no deformable came before it, a body is here.
  if (const std::size_t guess = key - 1; guess < keys.size() && keys[guess] == key)
    return std::int32_t(guess);
  const auto at = std::lower_bound(keys.begin(), keys.end(), key);
  if (at != keys.end() && *at == key) return std::int32_t(at - keys.begin());
  const auto& soft = state.deformables;
  const auto found =
      std::lower_bound(soft.begin(), soft.end(), key,
                       [](const Deformable& b, std::uint32_t k) { return b.key < k; });
  if (found != soft.end() && found->key == key)
    return state.rigid.size() + std::int32_t(found - soft.begin());
  return -1;
}

std::int32_t World::Impl::node_of(const AnchorSide& side) const {
  if (side.rigid >= 0) return side.rigid;
  return side.deformable >= 0 ? state.rigid.size() + side.deformable : -1;
}

AnyId World::Impl::any_id(std::uint32_t key) const {
  const std::int32_t node = node_of(key);
  if (node < 0) return {};
  if (node < state.rigid.size()) return bodies.id_of(node);
  const std::int32_t index = node - state.rigid.size();
  const bool cloth = state.deformables[std::size_t(index)].kind == DeformableKind::cloth;
  return cloth ? AnyId(cloths.id_of(index)) : AnyId(solids.id_of(index));
}

bool World::Impl::both_asleep(std::uint64_t pair_key) const {
  for (const std::uint32_t key : {std::uint32_t(pair_key >> 32), std::uint32_t(pair_key)}) {
    const std::int32_t node = node_of(key);
    if (node < 0) return false;
    const bool still = node < state.rigid.size()
                           ? !state.rigid.awake[std::size_t(node)] || !state.rigid.dynamic(node)
                           : !awake(state.deformables[std::size_t(node - state.rigid.size())]);
    if (!still) return false;
  }
  return true;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
