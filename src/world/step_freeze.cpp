// Bodies whose numbers have left what arithmetic can hold: put back to where the step began, which
// was sound, and held there as an obstacle. Nobody else's state is touched: a deformable is looked
// at after its own constraints and before it meets anything in every substep, a rigid body when
// something from outside acts on it and at the end of a step.
#include <atomic>
#include <cmath>
#include <initializer_list>

#include "math/wide.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// m or m/s. Far beyond any use, and squares and cubes of it are still finite floats.
constexpr Real k_wild = Real(1e9);

bool is_sound(Real x) { return x > -k_wild && x < k_wild; }  // false for NaN
bool is_sound(const Vec4& v) { return is_sound(v.x) && is_sound(v.y) && is_sound(v.z); }

// All arrays in one pass, two particles at a time; the scratch particle after the last one is
// sound.
bool all_sound(std::initializer_list<const std::vector<Vec4>*> arrays, const Deformable& body,
               TaskPool* pool) {
  const std::vector<std::int32_t>& clusters = body.constraints.clusters;
  std::atomic<bool> all = true;
  parallel_for(pool, body.constraints.cluster_count(), 1, [&](int begin, int end) {
    const RealW xyz{1, 1, 1, 0, 1, 1, 1, 0};
    MaskW sound = splat(0) == splat(0);
    for (const std::vector<Vec4>* array : arrays) {
      const Vec4* first = array->data() + body.begin;
      for (int i = clusters[std::size_t(begin)]; i < clusters[std::size_t(end)]; i += 2)
        sound &= abs(join4(load4(first + i), load4(first + i + 1)) * xyz) < splat(k_wild);
    }
    if (any(~sound)) all.store(false, std::memory_order_relaxed);
  });
  return all;
}

}  // namespace

void World::Impl::freeze(Deformable& body) {
  Particles& particles = state.particles;
  body.frozen = true;
  for (std::int32_t p = body.begin; p < body.begin + body.constraints.places(); ++p) {
    const std::size_t n = std::size_t(p);
    particles.d[n] = particles.d_before[n] = particles.velocity[n] = {};
    particles.force[n] = {0, 0, 0, particles.force[n].w};
  }
  ++report.frozen;
  events.push_back({EventKind::frozen, any_id(body.key), {}, 0});
}

bool World::Impl::freeze_wild_deformables(bool only_meeting) {
  scratch.sound.assign(state.deformables.size(), 1);
  each_body([&](std::size_t n, TaskPool* inner) {
    const Deformable& body = state.deformables[n];
    if (!awake(body) || (only_meeting && !scratch.meeting[n])) return;
    const Particles& p = state.particles;
    scratch.sound[n] =
        only_meeting ? all_sound({&p.d}, body, inner) : all_sound({&p.d, &p.velocity}, body, inner);
  });
  bool any = false;
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    if (scratch.sound[n]) continue;
    freeze(state.deformables[n]);
    any = true;
  }
  return any;
}

void World::Impl::freeze_rigid(std::int32_t i) {
  RigidBodies& rigid = state.rigid;
  const std::size_t n = std::size_t(i);
  rigid.position[n] = rigid.base[n].position;
  rigid.rotation[n] = rigid.base[n].rotation;
  rigid.motion[n] = {};
  set_motion(rigid, i, Motion::fixed);
  rigid.mass[n] = {};
  rigid.force[n] = rigid.torque[n] = {};
  refresh_body(rigid, i);
  ++report.frozen;
  events.push_back({EventKind::frozen, any_id(rigid.key[n]), {}, 0});
}

// Fixed bodies only change by commands.
void World::Impl::freeze_wild_rigid() {
  const RigidBodies& rigid = state.rigid;
  const auto is_sound_body = [&](std::int32_t i) {
    const std::size_t n = std::size_t(i);
    const Vec3& x = rigid.position[n];
    const Quat& q = rigid.rotation[n];
    return std::abs(x.x) + std::abs(x.y) + std::abs(x.z) < double(k_wild) &&
           std::isfinite(q.x + q.y + q.z + q.w) && is_sound(rigid.motion[n].velocity) &&
           is_sound(rigid.motion[n].spin) && finite(rigid.force[n]) && finite(rigid.torque[n]);
  };
  std::atomic<bool> all = true;
  parallel_for(pool.get(), int(rigid.movable.size()), 512, [&](int begin, int end) {
    for (const std::int32_t i : movable(begin, end))
      if (!is_sound_body(i)) all.store(false, std::memory_order_relaxed);
  });
  if (!all)
    for (const std::int32_t i : rigid.movable)
      if (!is_sound_body(i)) freeze_rigid(i);
  for (const std::int32_t i : scratch.commanded)
    if (rigid.kind[std::size_t(i)] == Motion::fixed && !is_sound_body(i)) freeze_rigid(i);
}

// A field that gives no number: the body it did not give one for is frozen before it moves.
void World::Impl::freeze_unforced() {
  for (Deformable& body : state.deformables)
    if (awake(body) && !all_sound({&state.particles.force}, body, pool.get())) freeze(body);
  if (scratch.active_fields.empty()) return;
  for (const std::int32_t n : state.rigid.movable)
    if (const std::size_t i = std::size_t(n);
        !finite(scratch.field_force[i]) || !finite(scratch.carried[i])) {
      scratch.field_force[i] = scratch.carried[i] = {};
      freeze_rigid(n);
    }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
