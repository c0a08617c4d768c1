// Snapshots and the state's hash: the same list of everything that changes, written, read or
// hashed.
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "build/match_clusters.h"
#include "core/hash.h"
#include "solver/particle_stages.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr std::uint32_t k_magic = 0x706c6e3b;  // changes when the list below does

struct Writer {
  std::vector<std::byte> bytes;
  template <class T>
  void value(const T& x) {
    const auto* p = reinterpret_cast<const std::byte*>(&x);
    bytes.insert(bytes.end(), p, p + sizeof(T));
  }
  template <class T>
  void array(const std::vector<T>& xs) {
    value(std::uint64_t(xs.size()));
    const auto* p = reinterpret_cast<const std::byte*>(xs.data());
    bytes.insert(bytes.end(), p, p + xs.size() * sizeof(T));
  }
};

// Reads within bounds; after the first failure everything stays as it is.
struct Reader {
  std::span<const std::byte> bytes;
  bool ok = true;
  template <class T>
  void value(T& x) {
    if (bytes.size() < sizeof(T)) ok = false;
    if (!ok) return;
    std::memcpy(&x, bytes.data(), sizeof(T));
    bytes = bytes.subspan(sizeof(T));
  }
  template <class T>
  void array(std::vector<T>& xs) {
    std::uint64_t size = 0;
    value(size);
    if (!ok || size > bytes.size() / sizeof(T)) {
      ok = false;
      return;
    }
    xs.resize(std::size_t(size));
    if (xs.empty()) return;  // has no address to copy to
    std::memcpy(static_cast<void*>(xs.data()), bytes.data(), xs.size() * sizeof(T));
    bytes = bytes.subspan(xs.size() * sizeof(T));
  }
};

template <class Archive, class S>
void visit_state(Archive& archive, S& state) {
  archive.value(state.time);
  archive.value(state.steps);
  archive.value(state.gravity);
  archive.value(state.wind);
  archive.array(state.particles.base);
  archive.array(state.particles.d);
  archive.array(state.particles.d_before);
  archive.array(state.particles.velocity);
  archive.array(state.particles.settled);
  for (auto& body : state.deformables) {
    archive.value(body.awake);
    archive.value(body.frozen);
    archive.value(body.still);
    archive.value(body.island);
    archive.value(body.tangled);
    archive.value(body.measured);
    archive.value(body.stretch_max);
    archive.value(body.stretch_mean);
    archive.value(body.volume);
    archive.value(body.elastic);
    archive.array(body.pins);
    archive.array(body.merged);
    archive.array(body.matching.crept);
  }
  archive.array(state.rigid.position);
  archive.array(state.rigid.rotation);
  archive.array(state.rigid.motion);
  archive.array(state.rigid.kind);
  archive.array(state.rigid.mass);
  archive.array(state.rigid.awake);
  archive.array(state.rigid.island);
  archive.array(state.rigid.steered);
  archive.array(state.rigid.rest);
  archive.array(state.rigid.status);
  archive.array(state.manifolds.pairs);
  archive.array(state.manifolds.manifolds);
  archive.array(state.touching);
  archive.array(state.sensed);
  archive.array(state.sides);
  archive.array(state.met);
  archive.array(state.parting);
  for (auto& anchor : state.anchors) {
    archive.value(anchor.multiplier);
    archive.value(anchor.force);
    archive.value(anchor.a.point);
    archive.value(anchor.b.point);
  }
  for (auto& joint : state.joints) archive.value(joint.memory);
  for (auto& seam : state.seams) {
    archive.value(seam.closed);
    archive.value(seam.force);
    archive.array(seam.stitches);
  }
}

// What a snapshot must agree with: which bodies there are and how large they are.
std::uint64_t structure_hash(const State& state, std::uint32_t changes) {
  StateHash hash;
  hash.add(changes);
  for (const std::uint32_t key : state.rigid.key) hash.add(key);
  for (const Deformable& body : state.deformables) {
    hash.add(body.key);
    hash.add(body.count);
    hash.add(std::int32_t(body.parts.size()));
    hash.add(std::int32_t(body.tets.size()));
  }
  hash.add(std::uint32_t(state.anchors.size()));
  hash.add(std::uint32_t(state.joints.size()));
  for (const Seam& seam : state.seams) {
    hash.add(seam.deformable);
    hash.add(std::int32_t(seam.stitches.size()));
  }
  return hash.value();
}

bool has_own_stitches(const Seam& seam, const Deformable& body) {
  for (const Stitch& s : seam.stitches)
    for (const std::int32_t p : {s.a, s.b[0], s.b[1]})
      if (p < 0 || p >= body.count) return false;
  return true;
}

// Every particle is merged into one that stays.
bool is_merge_table(const Deformable& body) {
  if (!body.merged.empty() && body.merged.size() != std::size_t(body.count)) return false;
  for (const std::int32_t p : body.merged)
    if (p < 0 || p >= body.count || body.merged[std::size_t(p)] != p) return false;
  return true;
}

// Arrays as long as those of this world, and pins and stitches of its own particles.
bool same_sizes(const State& a, const State& b) {
  const auto sizes = [](const State& s) {
    const Particles& p = s.particles;
    const RigidBodies& r = s.rigid;
    return std::array{p.base.size(),    p.d.size(),        p.d_before.size(), p.velocity.size(),
                      p.settled.size(), r.position.size(), r.rotation.size(), r.motion.size(),
                      r.kind.size(),    r.mass.size(),     r.awake.size(),    r.island.size(),
                      r.steered.size(), r.rest.size()};
  };
  for (std::size_t n = 0; n < a.seams.size(); ++n)
    if (a.seams[n].stitches.size() != b.seams[n].stitches.size() ||
        !has_own_stitches(a.seams[n], a.deformables[std::size_t(a.seams[n].deformable)]))
      return false;
  for (std::size_t n = 0; n < a.deformables.size(); ++n)
    if (!is_merge_table(a.deformables[n]) ||
        a.deformables[n].matching.crept.size() != b.deformables[n].matching.crept.size())
      return false;
  for (const Deformable& body : a.deformables)
    for (const PinnedParticle& pin : body.pins)
      if (pin.particle < 0 || pin.particle >= body.count ||
          pin.pin >= std::int32_t(body.pin_paths.size()))
        return false;
  return sizes(a) == sizes(b) && a.manifolds.pairs.size() == a.manifolds.manifolds.size();
}

}  // namespace

std::vector<std::byte> World::snapshot() const {
  impl_->measure();
  Writer writer;
  writer.value(k_magic);
  writer.value(std::uint32_t(sizeof(Real)));
  writer.value(structure_hash(impl_->state, impl_->changes));
  visit_state(writer, impl_->state);
  writer.array(impl_->contact_force);
  writer.value(impl_->measurements);
  return std::move(writer.bytes);
}

Status World::restore(std::span<const std::byte> snapshot) {
  Reader reader{snapshot};
  std::uint32_t magic = 0, scalar = 0;
  std::uint64_t structure = 0;
  reader.value(magic);
  reader.value(scalar);
  reader.value(structure);
  if (!reader.ok || magic != k_magic) return Error{"snapshot", "not a snapshot of this version"};
  if (scalar != sizeof(Real)) return Error{"snapshot", "taken with the other precision"};
  if (structure != structure_hash(impl_->state, impl_->changes))
    return Error{"snapshot",
                 "taken from a world with other bodies; make this one by the same calls"};
  const std::size_t rest = reader.bytes.size();
  State state = impl_->state;
  visit_state(reader, state);
  std::vector<Vec3> contact_force;
  Measurements measurements;
  reader.array(contact_force);
  reader.value(measurements);
  if (!reader.ok)
    return Error{"snapshot", "cut off at " + std::to_string(snapshot.size()) + " bytes"};
  if (!same_sizes(state, impl_->state) || contact_force.size() != impl_->contact_force.size() ||
      !reader.bytes.empty())
    return Error{"snapshot", "damaged: its lists do not have the lengths of this world's"};
  // Once more into the world's own lists, which keep their memory: the next step allocates nothing.
  Reader again{snapshot.subspan(snapshot.size() - rest)};
  std::vector<std::int32_t> changed;
  for (std::size_t n = 0; n < state.deformables.size(); ++n)
    if (state.deformables[n].merged != impl_->state.deformables[n].merged)
      changed.push_back(std::int32_t(n));
  visit_state(again, impl_->state);
  impl_->def.gravity = impl_->state.gravity;
  impl_->def.wind = impl_->state.wind;
  impl_->state.sides = {};
  for (const std::int32_t n : changed) impl_->rebuild_cloth(n);
  impl_->state.sides = state.sides;
  for (const Seam& seam : impl_->state.seams) impl_->place_seam_marks(seam.deformable);
  impl_->step_begin.clear();
  impl_->scratch.joints.listed = false;
  impl_->things_moved();
  impl_->state.slots.clear();
  impl_->scratch.overlaps.depths.clear();
  impl_->contact_force = std::move(contact_force);
  forget_places(impl_->state.rigid);
  impl_->list_pressed();
  impl_->measurements = measurements;
  impl_->measured = true;
  impl_->published_step = ~0ull;
  impl_->commands.clear();
  impl_->events.clear();
  impl_->pending_events.clear();
  for (Deformable& body : impl_->state.deformables)
    if (!body.matching.empty()) weigh_clusters(body.matching, pinned_particles(body));
  for (Deformable& body : impl_->state.deformables)
    refresh_constraint_bases(impl_->state.particles, body, nullptr);
  return Done{};
}

std::uint64_t World::state_hash() const {
  const State& state = impl_->state;
  StateHash hash;
  const auto vec = [&](const auto& v) { hash.add(v.x), hash.add(v.y), hash.add(v.z); };
  hash.add(state.time);
  hash.add(state.steps);
  for (std::size_t p = 0; p < state.particles.base.size(); ++p) {
    vec(state.particles.base[p]);
    vec(state.particles.d[p]);
    vec(state.particles.velocity[p]);
  }
  for (const Deformable& body : state.deformables) {
    hash.add(body.awake);
    hash.add(body.frozen);
    hash.add(body.still);
    for (const Mat3& shape : body.matching.crept)
      for (const Vec3& row : shape.row) vec(row);
  }
  const RigidBodies& rigid = state.rigid;
  for (std::size_t i = 0; i < rigid.position.size(); ++i) {
    vec(rigid.position[i]);
    vec(rigid.rotation[i]);
    hash.add(rigid.rotation[i].w);
    vec(rigid.motion[i].velocity);
    vec(rigid.motion[i].spin);
    hash.add(std::uint32_t(rigid.awake[i]));
    hash.add(rigid.rest[i].still);
  }
  for (const Manifold& m : state.manifolds.manifolds)
    for (int k = 0; k < m.count; ++k) {
      hash.add(m.point[k].normal_impulse);
      hash.add(m.point[k].friction_impulse[0]);
      hash.add(m.point[k].friction_impulse[1]);
    }
  for (const std::uint64_t pair : state.sensed) hash.add(pair);
  for (const Anchor& anchor : state.anchors) vec(anchor.multiplier);
  for (const Joint& joint : state.joints) {
    const JointMemory& m = joint.memory;
    for (const auto* list : {&m.held, &m.relaxed, &m.sprung, &m.driven, &m.target})
      for (const double value : *list) hash.add(value);
    hash.add(m.broken);
  }
  for (const Seam& seam : state.seams)
    for (const Stitch& s : seam.stitches) {
      hash.add(s.gap);
      hash.add(std::uint32_t(s.state));
    }
  return hash.value();
}

}  // namespace PLIANT_ABI
}  // namespace pliant
