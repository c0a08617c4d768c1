// The end of a step: sleep, measurements.
#include <algorithm>
#include <cmath>

#include "constraints/distance.h"
#include "constraints/springs.h"
#include "constraints/strain.h"
#include "solver/copies.h"
#include "solver/particle_stages.h"
#include "solver/self_particle_stages.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }

}  // namespace

void World::Impl::sleep(double dt) {
  parallel_for(pool.get(), int(scratch.batches.batch.size()), 64, [&](int begin, int end) {
    finish_contacts(scratch.batches, begin, end, state.manifolds);
  });
  finish_ordered();
  freeze_wild_rigid();
  freeze_wild_deformables(false);
  wake_overlapped();
  find_grips();
  // Side by side: they read the same and write nothing of each other's.
  parallel_for(pool.get(), 2, 1, [&](int begin, int end) {
    if (begin == 0) collect_contacts(dt);
    if (end == 2) find_footings();
  });
  remember_sides();
  update_sleep(state, dt, def.sleep_distance, def.sleep, scratch.islands);
  for (const std::int32_t node : scratch.islands.changed)
    events.push_back({EventKind::sleep, any_id(key_of(node)), {}, 0});
  update_states(dt);
}

void World::Impl::publish(double dt) {
  for (const std::int32_t i : pressed_bodies) contact_force[std::size_t(i)] = {};
  pressed_bodies = scratch.pressed;
  for (const std::int32_t i : pressed_bodies)
    contact_force[std::size_t(i)] = scratch.contact_impulse[std::size_t(i)] / dt;
  for (Anchor& anchor : state.anchors)
    if (anchor_works(anchor)) anchor.force = anchor.impulse / dt;
  for (Seam& seam : state.seams)
    if (awake(state.deformables[std::size_t(seam.deformable)])) seam.force = seam.impulse / dt;
  publish_joints(dt);
  publish_sensors();
  for (Event& event : events)
    if (event.kind != EventKind::impact) event.time = state.time;
  measured = false;
  each_deformable([&](Deformable& body, TaskPool* inner) {
    follow_particles(state.particles, body, inner);  // contacts have moved them since
  });
  for (Deformable& body : state.deformables) {
    const double speed = std::sqrt(body.youngs_modulus / std::max(body.density, 1e-9));
    if (body.youngs_modulus > 0 && dt / def.substeps * speed / body.cell > 0.5)
      ++report.stiff_warning;
    if (!body.springs.empty() && spring_steps(body.springs, dt / def.substeps).scale < 1)
      ++report.stiff_warning;
  }
}

// Measured when somebody asks: a step that nobody looks at does not pay for it.
void World::Impl::measure() {
  if (measured) return;
  measured = true;
  Measurements m;
  m.time = state.time;
  m.contacts = loaded_contacts;
  measure_rigid(m);
  for (Deformable& body : state.deformables) measure_deformable(body, m);
  measure_joints(m);
  measure_fields(m);
  double depth_sum = scratch.sheets.depth_sum;
  int depths = scratch.sheets.loaded;
  m.penetration_max = scratch.sheets.deepest;
  const auto depth = [&](double gap) {
    const double d = std::max(0.0, -gap);
    m.penetration_max = std::max(m.penetration_max, d);
    depth_sum += d;
    ++depths;
  };
  for (const Manifold& manifold : state.manifolds.manifolds)
    for (int k = 0; k < manifold.count; ++k)
      if (manifold.point[k].normal_impulse > 0) depth(double(manifold.point[k].separation));
  for (const ContactPair& pair : state.slots.pairs) {
    m.penetration_max = std::max(m.penetration_max, double(pair.deepest));
    depth_sum += double(pair.depth_sum);
    depths += pair.loaded;
  }
  for (const OverlapContact& c : scratch.overlaps.contacts) depth(-c.depth);
  std::vector<double> between_particles;
  for (const SelfParticleStep& own : scratch.self_particles)
    for (const SelfContacts& contacts : own.contacts)
      if (own.meets) list_self_depths(contacts, between_particles);
  for (const double d : between_particles) depth(-d);
  m.penetration_mean = depths > 0 ? depth_sum / depths : 0;
  count_touching(m);
  measurements = m;
}

void World::Impl::measure_rigid(Measurements& m) const {
  const RigidBodies& rigid = state.rigid;
  for (const std::int32_t n : rigid.movable) {
    const std::size_t i = std::size_t(n);
    if (!rigid.dynamic(n)) continue;
    const double mass = rigid.mass[i].mass;
    const Vec3 v = cast<double>(xyz(rigid.motion[i].velocity));
    const Vec3 w = cast<double>(xyz(rigid.motion[i].spin));
    const Quat frame = principal_frame(rigid.mass[i], rigid.rotation[i]);
    const Vec3 local = rotate_inverse(frame, w);
    const Vec3 spin = rotate(frame, scaled(rigid.mass[i].inertia, local));
    m.kinetic_energy += 0.5 * mass * length_sq(v) + 0.5 * dot(w, spin);
    const double scale = body_defs[i].gravity_scale;
    m.potential_energy -= mass * scale * dot(state.gravity, rigid.position[i]);
    m.momentum += mass * v;
    m.angular_momentum += mass * cross(rigid.position[i], v) + spin;
    m.asleep += rigid.awake[i] ? 0 : 1;
  }
}

void World::Impl::measure_deformable(Deformable& body, Measurements& m) const {
  const Particles& particles = state.particles;
  for (std::int32_t n = 0; n < body.count; ++n) {
    const std::size_t p = std::size_t(body.begin) + std::size_t(n);
    if (particles.d[p].w <= 0) continue;
    const double mass = double(particles.force[p].w);
    const Vec3 v = in_double(particles.velocity[p]);
    const Vec3 x = in_double(particles.base[p]) + in_double(particles.d[p]);
    m.kinetic_energy += 0.5 * mass * length_sq(v);
    m.potential_energy -= mass * dot(state.gravity, x);
    m.momentum += mass * v;
    m.angular_momentum += mass * cross(x, v);
  }
  m.asleep += body.awake ? 0 : 1;
  if (!body.measured) {
    body.measured = true;
    body.elastic = elastic_energy(particles, body);
    measure_stretch(body);
    measure_volume(body);
  }
  m.elastic_energy += body.elastic;
  if (body.kind == DeformableKind::cloth) m.stretch_max = std::max(m.stretch_max, body.stretch_max);
}

void World::Impl::measure_stretch(Deformable& body) const {
  if (body.kind != DeformableKind::cloth) return;
  const Vec4* d = state.particles.d.data() + body.begin;
  Stretch stretch;
  pliant::measure_stretch(body.constraints.distance, d, stretch);
  pliant::measure_stretch(body.constraints.triangle, d, stretch);
  if (stretch.count == 0) pliant::measure_stretch(body.constraints.strain, d, stretch);
  body.stretch_max = stretch.max;
  body.stretch_mean = stretch.count > 0 ? stretch.sum / stretch.count : 1;
}

// m3, six times that inside the surface of a body without tetrahedra.
double World::Impl::surface_volume(const Deformable& body) const {
  double six_times = 0;
  if (body.kind != DeformableKind::solid) return six_times;
  const Vec4* base = state.particles.base.data() + body.begin;
  const Vec4* d = state.particles.d.data() + body.begin;
  const auto x = [&](std::int32_t v) {
    const std::int32_t p = body.surface.vertices[std::size_t(v)].particle[0];
    return in_double(base[p]) + in_double(d[p]);
  };
  const Vec3 origin = x(0);
  for (const Triangle& t : body.surface.triangles)
    six_times += dot(x(t[0]) - origin, cross(x(t[1]) - origin, x(t[2]) - origin));
  return six_times;
}

void World::Impl::measure_volume(Deformable& body) const {
  double six_times = 0;
  const Vec4* base = state.particles.base.data() + body.begin;
  const Vec4* d = state.particles.d.data() + body.begin;
  for (const Tetrahedron& t : body.tets) {
    const auto x = [&](std::size_t n) { return in_double(base[t[n]]) + in_double(d[t[n]]); };
    const Vec3 a = x(0);
    six_times += dot(x(1) - a, cross(x(2) - a, x(3) - a));
  }
  if (body.tets.empty()) six_times = surface_volume(body);
  body.volume = six_times / 6;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
