// Forces on particles and bodies besides gravity: wind on cloth, and the user's fields.
#include <algorithm>

#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

Vec3 place_of(const Particles& particles, std::size_t p) {
  const Vec4 &b = particles.base[p], &d = particles.d[p];
  return {double(b.x) + double(d.x), double(b.y) + double(d.y), double(b.z) + double(d.z)};
}

void add_force(Particles& particles, std::size_t p, const Vec3& force) {
  Vec4& f = particles.force[p];
  f = {f.x + Real(force.x), f.y + Real(force.y), f.z + Real(force.z), f.w};
}

}  // namespace

// Takes back what the fields did in the substep before.
void World::Impl::clear_field_forces() {
  scratch.rigid_ids.resize(std::size_t(state.rigid.size()));
  for (const std::int32_t n : state.rigid.movable) {
    const std::size_t i = std::size_t(n);
    state.rigid.force[i] -= scratch.field_force[i];
    scratch.field_force[i] = {};
    scratch.rigid_ids[i] = bodies.id_of(n);
  }
}

// Returns whether any particle has a force. Rigid bodies get theirs as an addition for this
// substep.
bool World::Impl::field_forces(double time) {
  if (!user_fields.empty()) clear_field_forces();
  bool wind_blows = false;
  for (const Deformable& body : state.deformables)
    wind_blows |= body.wind_drag + body.wind_lift > 0 && def.medium_density > 0;
  if (user_fields.empty() && !wind_blows && particle_forces.empty()) return false;
  for (Deformable& body : state.deformables) {
    if (!awake(body)) continue;
    for (std::int32_t p = body.begin; p < body.begin + body.count; ++p) {
      Vec4& f = state.particles.force[std::size_t(p)];
      f = {0, 0, 0, f.w};
    }
    if (wind_blows && body.kind == DeformableKind::cloth) wind_forces(body);
  }
  for (const ParticleForce& f : particle_forces)
    add_force(state.particles, std::size_t(f.particle), f.force);
  for (const UserField& field : user_fields)
    if (field.field != nullptr) apply_field(*field.field, time);
  freeze_unforced();
  return true;
}

// On the particles [first, last) of a body, which belong to `id`.
void World::Impl::apply_field(const ForceField& field, double time, const Deformable& body,
                              std::int32_t first, std::int32_t last, const AnyId& id) {
  parallel_for(pool.get(), last - first, 512, [&](int begin, int end) {
    for (int n = first + begin; n < first + end; ++n) {
      if (body.root(n) != n) continue;
      const std::size_t p = std::size_t(body.begin + n);
      const Vec4& v = state.particles.velocity[p];
      const FieldSample sample{place_of(state.particles, p),
                               {double(v.x), double(v.y), double(v.z)},
                               double(state.particles.force[p].w),
                               time,
                               id};
      add_force(state.particles, p, field.force(sample));
    }
  });
}

void World::Impl::apply_field(const ForceField& field, double time) {
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    const Deformable& body = state.deformables[n];
    if (!awake(body)) continue;
    if (body.parts.size() < 2) apply_field(field, time, body, 0, body.count, any_id(body.key));
    for (std::size_t k = 0; body.parts.size() > 1 && k < body.parts.size(); ++k) {
      const ClothPart& part = body.parts[k];
      apply_field(field, time, body, part.begin, part.begin + part.count(),
                  cloth_of(std::int32_t(n), std::int32_t(k)));
    }
  }
  RigidBodies& rigid = state.rigid;
  for (const std::int32_t n : rigid.movable) {
    const std::size_t i = std::size_t(n);
    if (!rigid.dynamic(n) || !rigid.awake[i]) continue;
    const FieldSample sample{rigid.position[i], cast<double>(xyz(rigid.motion[i].velocity)),
                             rigid.mass[i].mass, time, scratch.rigid_ids[i]};
    const Vec3 force = field.force(sample);
    rigid.force[i] += force;
    scratch.field_force[i] += force;
  }
}

// On each triangle, with u = wind - its velocity, n its normal on the windward side and A its area:
//   F = 1/2 rho A ( C_drag (u . n) u + C_lift (u . n)^2 n ), shared by its three corners.
// Lift presses along the normal, drag carries along; both vanish edge-on.
void World::Impl::wind_forces(const Deformable& body) {
  const Vec3 wind = state.air;
  for (const Triangle& t : body.surface.triangles) {
    std::array<std::size_t, 3> p;
    Vec3 velocity;
    for (std::size_t n = 0; n < 3; ++n) {
      p[n] = std::size_t(body.begin + body.surface.vertices[std::size_t(t[n])].particle[0]);
      const Vec4& v = state.particles.velocity[p[n]];
      velocity += Vec3{double(v.x), double(v.y), double(v.z)} / 3.0;
    }
    const Vec3 a = place_of(state.particles, p[0]);
    const Vec3 twice_area =
        cross(place_of(state.particles, p[1]) - a, place_of(state.particles, p[2]) - a);
    const double area = 0.5 * length(twice_area);
    if (area <= 0) continue;
    Vec3 normal = twice_area / (2 * area);
    const Vec3 u = wind - velocity;
    if (dot(u, normal) < 0) normal = -normal;
    const double across = dot(u, normal);
    const Vec3 force = 0.5 * def.medium_density * area *
                       (body.wind_drag * across * u + body.wind_lift * across * across * normal);
    for (const std::size_t corner : p) add_force(state.particles, corner, force / 3.0);
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
