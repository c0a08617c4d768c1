// Forces on particles and bodies besides gravity: wind on cloth, fields by name and the user's.
#include <algorithm>

#include "geometry/shape.h"
#include "solver/field_force.h"
#include "solver/wind.h"
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

// On a particle, which has no cross-section. Of a field that drags: the force that carries it as
// the field would alone.
Vec3 particle_force(const UserField& field, const FieldSample& sample, double share, double h) {
  if (field.field) return field.field->force(sample);
  if (!drags(field.def)) return field_acceleration(field.def, sample) * (sample.mass * share);
  const Vec3 after = carried_velocity(field.def, sample, h * share);
  return (after - sample.velocity) * (sample.mass / h);
}

}  // namespace

// The fields that are there in this substep.
void World::Impl::list_fields(double h, double time) {
  scratch.active_fields.clear();
  for (const UserField& field : user_fields) {
    if (field.gone) continue;
    const double share = field.field ? 1 : covered_share(field.def, time, h);
    if (share > 0) scratch.active_fields.push_back({&field, share});
  }
}

// Returns whether any particle has a force.
bool World::Impl::field_forces(double h, double time) {
  list_fields(h, time);
  bool wind_blows = false;
  for (const Deformable& body : state.deformables)
    wind_blows |= body.wind_drag + body.wind_lift > 0 && def.medium_density > 0;
  if (scratch.active_fields.empty() && !wind_blows && particle_forces.empty()) return false;
  take_due_velocities(h);
  for (Deformable& body : state.deformables) {
    if (!awake(body)) continue;
    if (wind_blows && body.kind == DeformableKind::cloth) {
      wind_forces(body, state.air, def.medium_density, scratch.wind, pool.get(), state.particles);
      continue;
    }
    for (std::int32_t p = body.begin; p < body.begin + body.count; ++p) {
      Vec4& f = state.particles.force[std::size_t(p)];
      f = {0, 0, 0, f.w};
    }
  }
  for (const ParticleForce& f : particle_forces)
    add_force(state.particles, std::size_t(f.particle), f.force);
  if (!scratch.active_fields.empty()) apply_fields(h, time);
  freeze_unforced();
  return true;
}

// On the particles [first, last) of a body, which belong to `id`.
void World::Impl::apply_fields(double h, double time, const Deformable& body, std::int32_t first,
                               std::int32_t last, const AnyId& id) {
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
      Vec3 force;
      for (const ActiveField& active : scratch.active_fields)
        force += particle_force(*active.field, sample, active.share, h);
      add_force(state.particles, p, force);
    }
  });
}

void World::Impl::apply_fields(double h, double time) {
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    const Deformable& body = state.deformables[n];
    if (!awake(body)) continue;
    if (body.parts.size() < 2) apply_fields(h, time, body, 0, body.count, any_id(body.key));
    for (std::size_t k = 0; body.parts.size() > 1 && k < body.parts.size(); ++k) {
      const ClothPart& part = body.parts[k];
      apply_fields(h, time, body, part.begin, part.begin + part.count(),
                   cloth_of(std::int32_t(n), std::int32_t(k)));
    }
  }
  const std::size_t count = std::size_t(state.rigid.size());
  scratch.rigid_ids.resize(count);
  bodies.for_each([&](std::int32_t i, BodyId id) { scratch.rigid_ids[std::size_t(i)] = id; });
  measure_cross_sections();
  scratch.field_force.resize(count);
  scratch.carried.resize(count);
  const std::vector<std::int32_t>& movable = state.rigid.movable;
  parallel_for(pool.get(), int(movable.size()), 256, [&](int begin, int end) {
    for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n)
      if (const std::int32_t i = movable[n];
          state.rigid.dynamic(i) && state.rigid.awake[std::size_t(i)])
        apply_fields(h, time, i);
  });
}

// Of bodies that came since the last time.
void World::Impl::measure_cross_sections() {
  for (std::size_t i = cross_section.size(); i < body_defs.size(); ++i)
    cross_section.push_back(mean_cross_section(make_convex(body_defs[i].shape)));
}

FieldSample World::Impl::field_sample(std::int32_t body) const {
  const std::size_t i = std::size_t(body);
  const RigidBodies& rigid = state.rigid;
  FieldSample sample;
  sample.position = rigid.position[i];
  sample.velocity = cast<double>(xyz(rigid.motion[i].velocity));
  sample.mass = rigid.mass[i].mass;
  sample.drag_area = i < cross_section.size() ? cross_section[i] : 0;
  sample.material = &body_defs[i].material;
  return sample;
}

// Forces are those of the middle of the substep, where the body would be without them: see
// solver/rigid_integrate.h.
void World::Impl::apply_fields(double h, double time, std::int32_t body) {
  const std::size_t i = std::size_t(body);
  FieldSample sample = field_sample(body);
  sample.position += sample.velocity * (h / 2);
  sample.time = time + h / 2;
  sample.body = scratch.rigid_ids[i];
  FieldSample carried = sample;
  Vec3 force;
  for (const ActiveField& active : scratch.active_fields) {
    const FieldDef& named = active.field->def;
    if (active.field->field)
      force += active.field->field->force(sample);
    else if (drags(named))
      carried.velocity = carried_velocity(named, carried, h * active.share);
    else
      force += field_acceleration(named, sample) * (sample.mass * active.share);
  }
  scratch.field_force[i] = force;
  scratch.carried[i] = carried.velocity;
}

// What moves the bodies of a set in a piece of a substep, as `forces` does all others.
void World::Impl::piece_forces(const OrderedSet& set, double time, double piece) {
  list_fields(piece, time);
  BodyForces forces{state.gravity, def.medium_density, state.air, time};
  const bool sized = scratch.field_force.size() == std::size_t(state.rigid.size());
  if (!scratch.active_fields.empty() && sized) {
    for (const std::int32_t i : set.bodies) apply_fields(piece, time, i);
    forces.field = scratch.field_force;
    forces.carried = scratch.carried;
  }
  std::vector<SpecialBody>& own = scratch.ordered.special;
  own.clear();
  for (const SpecialBody& s : special)
    if (scratch.ordered.set_of[std::size_t(s.body)] == scratch.ordered.running) own.push_back(s);
  note_special(state.rigid, own);
  apply_body_forces(state.rigid, set.bodies, forces, piece, true);
  apply_special_forces(state.rigid, own, forces, piece, true);
}

// N, at most about, that the fields exert on a body in the coming step.
double World::Impl::field_pull(std::int32_t body) const {
  const FieldSample sample = field_sample(body);
  double sum = 0;
  for (const UserField& field : user_fields) {
    if (field.gone) continue;
    if (field.field)
      sum += length(field.field->force(sample));
    else if (!drags(field.def))
      sum += sample.mass * length(field_acceleration(field.def, sample));
  }
  return 1.5 * sum;
}

// A field that comes or goes moves what sleeps.
void World::Impl::wake_by_fields(double dt) {
  for (const UserField& field : user_fields)
    if (!field.gone && !field.field && comes_or_goes(field.def, state.time, dt)) return wake_all();
}

// J, of the potentials that there are now.
double World::Impl::potential(const FieldSample& sample) const {
  double sum = 0;
  for (const UserField& field : user_fields) {
    if (field.gone) continue;
    if (field.field)
      sum += field.field->energy(sample);
    else if (covered_share(field.def, state.time, 1e-9) > 0 && !drags(field.def))
      sum += field_energy(field.def, sample);
  }
  return sum;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
