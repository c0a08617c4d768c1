// World: reading.
#include <pliant/world.h>

#include "core/hash.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }

}  // namespace

double World::time() const { return impl_->state.time; }
std::uint64_t World::steps() const { return impl_->state.steps; }

Transform World::pose(BodyId id) const {
  const std::size_t i = std::size_t(impl_->bodies[id]);
  const RigidBodies& rigid = impl_->state.rigid;
  const Transform at{rigid.position[i], rigid.rotation[i]};
  return {origin_from_centre(rigid.mass[i], at), at.rotation};
}
Vec3 World::velocity(BodyId id) const {
  return in_double(impl_->state.rigid.motion[std::size_t(impl_->bodies[id])].velocity);
}
Vec3 World::angular_velocity(BodyId id) const {
  return in_double(impl_->state.rigid.motion[std::size_t(impl_->bodies[id])].spin);
}
double World::mass(BodyId id) const {
  return impl_->state.rigid.mass[std::size_t(impl_->bodies[id])].mass;
}
double World::mass(ClothId id) const { return impl_->part_of(id).mass; }
double World::mass(SolidId id) const {
  return impl_->state.deformables[std::size_t(impl_->solids[id])].mass;
}
bool World::asleep(BodyId id) const {
  return !impl_->state.rigid.awake[std::size_t(impl_->bodies[id])];
}
bool World::asleep(ClothId id) const {
  return !impl_->state.deformables[std::size_t(impl_->cloths[id])].awake;
}
bool World::asleep(SolidId id) const {
  return !impl_->state.deformables[std::size_t(impl_->solids[id])].awake;
}
Vec3 World::contact_force(BodyId id) const {
  return impl_->contact_force[std::size_t(impl_->bodies[id])];
}
Vec3 World::anchor_force(AnchorId id) const {
  return impl_->state.anchors[std::size_t(impl_->anchors[id])].force;
}

// --- positions
// ------------------------------------------------------------------------------------------

void World::Impl::publish_positions() const {
  if (published_step == state.steps) return;
  published_step = state.steps;
  published.resize(state.particles.base.size());
  for (std::size_t p = 0; p < published.size(); ++p) {
    const Vec4 &b = state.particles.base[p], &d = state.particles.d[p];
    published[p] = {b.x + d.x, b.y + d.y, b.z + d.z, d.w};
  }
}

// In as many blocks as the body has clusters: a core that has a part of the body in its cache reads
// that part, and keeps it to itself for the next step.
void World::Impl::copy(const ParticleOrder& from, const std::vector<Vec4>& array, bool add_base,
                       std::vector<Vec3>& out) const {
  const int count = int(from.order.size()), blocks = from.clusters;
  out.resize(from.order.size());
  parallel_for(stepping ? nullptr : pool.get(), count, (count + blocks - 1) / blocks,
               [&](int begin, int end) {
                 for (std::size_t v = std::size_t(begin); v < std::size_t(end); ++v) {
                   const std::size_t p = std::size_t(from.begin + from.order[v]);
                   out[v] = in_double(array[p]);
                   if (add_base) out[v] += in_double(state.particles.base[p]);
                 }
               });
}

ParticleOrder World::Impl::order_of(ClothId id) const {
  const Deformable& body = state.deformables[std::size_t(cloths[id])];
  const ClothPart& part = part_of(id);
  return {body.begin + part.begin, part.order, body.constraints.cluster_count()};
}
ParticleOrder World::Impl::order_of(SolidId id) const {
  const Deformable& body = state.deformables[std::size_t(solids[id])];
  return {body.begin, body.order, body.constraints.cluster_count()};
}

std::span<const Vec4> World::positions(ClothId id) const {
  impl_->publish_positions();
  const ParticleOrder from = impl_->order_of(id);
  return std::span<const Vec4>(impl_->published)
      .subspan(std::size_t(from.begin), from.order.size());
}
std::span<const Vec4> World::positions(SolidId id) const {
  impl_->publish_positions();
  const ParticleOrder from = impl_->order_of(id);
  return std::span<const Vec4>(impl_->published)
      .subspan(std::size_t(from.begin), from.order.size());
}
std::span<const std::int32_t> World::order(ClothId id) const { return impl_->part_of(id).order; }
std::span<const std::int32_t> World::order(SolidId id) const {
  return impl_->state.deformables[std::size_t(impl_->solids[id])].order;
}
void World::copy_positions(ClothId id, std::vector<Vec3>& out) const {
  impl_->copy(impl_->order_of(id), impl_->state.particles.d, true, out);
}
void World::copy_positions(SolidId id, std::vector<Vec3>& out) const {
  impl_->copy(impl_->order_of(id), impl_->state.particles.d, true, out);
}
void World::copy_velocities(ClothId id, std::vector<Vec3>& out) const {
  impl_->copy(impl_->order_of(id), impl_->state.particles.velocity, false, out);
}
void World::copy_velocities(SolidId id, std::vector<Vec3>& out) const {
  impl_->copy(impl_->order_of(id), impl_->state.particles.velocity, false, out);
}

double World::volume(SolidId id) const {
  impl_->measure();
  return impl_->state.deformables[std::size_t(impl_->solids[id])].volume;
}
double World::rest_volume(SolidId id) const {
  return impl_->state.deformables[std::size_t(impl_->solids[id])].rest_volume;
}
double World::stretch_max(ClothId id) const {
  impl_->measure();
  return impl_->state.deformables[std::size_t(impl_->cloths[id])].stretch_max;
}
double World::stretch_mean(ClothId id) const {
  impl_->measure();
  return impl_->state.deformables[std::size_t(impl_->cloths[id])].stretch_mean;
}

const Measurements& World::measurements() const {
  impl_->measure();
  return impl_->measurements;
}
const StepStats& World::stats() const { return impl_->stats; }
std::span<const Event> World::events() const { return impl_->events; }
const WorldDef& World::def() const { return impl_->def; }

std::vector<BodyId> World::bodies() const { return impl_->bodies.all(); }
std::vector<ClothId> World::cloths() const { return impl_->cloths.all(); }
std::vector<SolidId> World::solids() const { return impl_->solids.all(); }
std::vector<AnchorId> World::anchors() const { return impl_->anchors.all(); }
std::vector<SeamId> World::seams() const { return impl_->seams.all(); }

// --- definitions that go on from here
// ---------------------------------------------------------------------

BodyDef World::describe(BodyId id) const {
  BodyDef def = impl_->body_defs[std::size_t(impl_->bodies[id])];
  const Transform at = pose(id);
  def.position = at.position;
  def.rotation = at.rotation;
  def.velocity = velocity(id);
  def.angular_velocity = angular_velocity(id);
  return def;
}
ClothDef World::describe(ClothId id) const {
  ClothDef def = impl_->def_of(id);
  copy_positions(id, def.initial_positions);
  copy_velocities(id, def.initial_velocities);
  return def;
}
SolidDef World::describe(SolidId id) const {
  SolidDef def = impl_->deformable_defs[std::size_t(impl_->solids[id])].solid;
  def.pins = impl_->present_pins(id);
  copy_positions(id, def.initial_positions);
  copy_velocities(id, def.initial_velocities);
  return def;
}
AnchorDef World::describe(AnchorId id) const {
  return impl_->state.anchors[std::size_t(impl_->anchors[id])].def;
}
SeamDef World::describe(SeamId id) const {
  return impl_->state.seams[std::size_t(impl_->seams[id])].def;
}

// --- frames
// -------------------------------------------------------------------------------------------------

FrameLayout World::frame_layout() const {
  FrameLayout layout;
  for (const BodyId id : bodies()) {
    const BodyDef& def = impl_->body_defs[std::size_t(impl_->bodies[id])];
    layout.bodies.push_back({def.name, def.motion, def.shape});
  }
  for (const ClothId id : cloths()) {
    const ClothDef& def = impl_->def_of(id);
    layout.surfaces.push_back({def.name, FrameSurface::Kind::cloth,
                               std::int32_t(def.mesh.vertices.size()), def.mesh.triangles, -1});
  }
  for (const SolidId id : solids()) {
    const std::size_t index = std::size_t(impl_->solids[id]);
    const Deformable& body = impl_->state.deformables[index];
    const SolidDef& def = impl_->deformable_defs[index].solid;
    const bool skin = !body.skin.empty();
    layout.surfaces.push_back({def.name, FrameSurface::Kind::solid,
                               std::int32_t(skin ? body.skin.size() : body.surface.vertices.size()),
                               skin ? body.skin_triangles : body.surface.triangles, def.colour});
  }
  return layout;
}

// Also what has been merged into another vertex: the cloth keeps the mesh that it was made from.
void World::Impl::capture_surface(ClothId cloth, std::vector<Vec3f>& out) const {
  const ParticleOrder from = order_of(cloth);
  out.resize(from.order.size());
  for (std::size_t v = 0; v < out.size(); ++v) {
    const std::size_t p = std::size_t(from.begin + from.order[v]);
    out[v] = cast<float>(in_double(state.particles.base[p]) + in_double(state.particles.d[p]));
  }
}

void World::Impl::capture_surface(std::int32_t deformable, std::vector<Vec3f>& out) const {
  const Deformable& body = state.deformables[std::size_t(deformable)];
  const bool skin = !body.skin.empty();
  const std::vector<SurfaceVertex>& vertices = skin ? body.skin : body.surface.vertices;
  const std::size_t carriers = !skin && body.surface.direct ? 1 : 4;
  out.resize(vertices.size());
  for (std::size_t v = 0; v < out.size(); ++v) {
    const SurfaceVertex& vertex = vertices[v];
    Vec3 sum;
    for (std::size_t n = 0; n < carriers; ++n) {
      const std::size_t p = std::size_t(body.begin + vertex.particle[n]);
      sum += (in_double(state.particles.base[p]) + in_double(state.particles.d[p])) *
             double(vertex.weight[n]);
    }
    out[v] = cast<float>(sum);
  }
}

void World::capture(Frame& frame) const {
  frame.time = time();
  frame.poses.clear();
  for (const BodyId id : bodies()) frame.poses.push_back(pose(id));
  const std::vector<ClothId> all_cloths = cloths();
  const std::vector<SolidId> all_solids = solids();
  frame.positions.resize(all_cloths.size() + all_solids.size());
  std::size_t at = 0;
  for (const ClothId id : all_cloths) impl_->capture_surface(id, frame.positions[at++]);
  for (const SolidId id : all_solids)
    impl_->capture_surface(impl_->solids[id], frame.positions[at++]);
}

}  // namespace PLIANT_ABI
}  // namespace pliant
