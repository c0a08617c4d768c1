#include "solver/pinch_stage.h"

#include <algorithm>

namespace pliant {
namespace {

// For the parts of a body's mass to settle.
constexpr int k_press_sweeps = 4, k_rub_sweeps = 2;
constexpr Real k_against = Real(-0.5);  // cosine between the normals

// The lane of a batch as a contact of its own.
ParticleContact lane_contact(const ContactPair& pair, const VertexBatch& b, int k) {
  const auto lane = [k](const Vec3W& v) { return Vec3R{v.x[k], v.y[k], v.z[k]}; };
  ParticleContact c;
  c.particle[0] = b.particle[std::size_t(k)];
  c.weight[0] = 1;
  c.particles = 1;
  c.pair = b.pair;
  c.rigid = pair.dynamic ? pair.rigid : -1;
  c.normal = lane(b.normal);
  if (pair.dynamic) c.arm = lane(b.arm);
  c.rigid_motion = lane(b.rigid_motion);
  c.offset = b.offset[k];
  c.gap = b.gap[k];
  c.multiplier = b.multiplier[k];
  c.friction_static = pair.friction_static;
  c.friction_kinetic = pair.friction_kinetic;
  c.rubbed = lane(b.rubbed);
  return c;
}

// To and fro: what a sweep leaves by its order the next one takes back.
template <class Run>
void each_pinch(std::vector<Pinch>& pinches, int sweep, const Run& run) {
  for (std::size_t n = 0; n < pinches.size(); ++n)
    run(pinches[sweep % 2 == 0 ? n : pinches.size() - 1 - n]);
}

class Finder {
 public:
  Finder(const ContactSlots& slots, Real push_most, PinchScratch& scratch)
      : slots_(slots), push_most_(push_most), scratch_(scratch) {}

  // Of one deformable: everything that two of its pairs press.
  void find(std::int32_t body) {
    scratch_.loaded.clear();
    for (std::size_t n = 0; n < slots_.pairs.size(); ++n) {
      const ContactPair& pair = slots_.pairs[n];
      if (pair.body == body && pair.rigid >= 0 && pair.loaded > 0) visit(pair, std::int32_t(n));
    }
    for (const PinchScratch::Loaded& entry : scratch_.loaded) mark(entry) = 0;
  }

 private:
  using Loaded = PinchScratch::Loaded;

  void visit(const ContactPair& pair, std::int32_t n) {
    for (std::int32_t i = pair.batch_begin; i < pair.batch_end; ++i) {
      const VertexBatch& b = slots_.batches[std::size_t(i)];
      if (!b.live) continue;
      for (int k = 0; k < b.lanes; ++k)
        if (b.multiplier[k] > 0 || b.gap[k] < 0) note({n, k, i, b.particle[std::size_t(k)]});
    }
    for (std::int32_t s = pair.slot_begin; s < pair.slot_end; ++s) {
      const ContactSlot& slot = slots_.slots[std::size_t(s)];
      if (slot.kind != ContactKind::triangle_rigid || !slots_.live[std::size_t(s)]) continue;
      const ParticleContact& c = slots_.contacts[std::size_t(s)];
      if (c.multiplier > 0 || c.gap < 0) note({n, -1, s, slot.feature});
    }
  }

  std::int32_t& mark(const Loaded& entry) {
    std::vector<std::int32_t>& marks =
        entry.lane >= 0 ? scratch_.vertex_mark : scratch_.triangle_mark;
    if (std::size_t(entry.feature) >= marks.size()) marks.resize(std::size_t(entry.feature) + 1);
    return marks[std::size_t(entry.feature)];
  }

  void note(const Loaded& entry) {
    std::int32_t& at = mark(entry);
    if (at > 0) add(scratch_.loaded[std::size_t(at) - 1], entry);
    scratch_.loaded.push_back(entry);
    at = std::int32_t(scratch_.loaded.size());
  }

  PinchSide side(const Loaded& entry) const {
    const ContactPair& pair = slots_.pairs[std::size_t(entry.pair)];
    const std::size_t at = std::size_t(entry.at);
    return {
        entry.lane >= 0 ? lane_contact(pair, slots_.batches[at], entry.lane) : slots_.contacts[at],
        pair.rigid,
        {}};
  }

  void add(const Loaded& first, const Loaded& second) {
    const PinchSide a = side(first), b = side(second);
    if (dot(a.contact.normal, b.contact.normal) < k_against)
      scratch_.pinches.push_back(make_pinch(a, b, push_most_));
  }

  const ContactSlots& slots_;
  Real push_most_;
  PinchScratch& scratch_;
};

}  // namespace

void hold_pinched(const ContactSlots& slots, std::int32_t deformables, Real push_most,
                  Particles& particles, std::span<const Vec4> begin,
                  std::span<const BodyMotion> rigid, std::span<RigidPush> pushes,
                  PinchScratch& scratch) {
  scratch.meets.assign(std::size_t(deformables), 0);
  scratch.pinches.clear();
  for (const ContactPair& pair : slots.pairs)
    if (pair.rigid >= 0 && pair.loaded > 0) ++scratch.meets[std::size_t(pair.body)];
  for (std::int32_t body = 0; body < deformables; ++body)
    if (scratch.meets[std::size_t(body)] > 1) Finder(slots, push_most, scratch).find(body);
  const auto contacts = [&](const PinchSide& side) -> std::int32_t& {
    return pushes[std::size_t(side.body)].contacts;
  };
  for (const Pinch& pinch : scratch.pinches) contacts(pinch.a) = contacts(pinch.b) = 0;
  for (const Pinch& pinch : scratch.pinches) ++contacts(pinch.a), ++contacts(pinch.b);
  for (int sweep = 0; sweep < k_press_sweeps; ++sweep)
    each_pinch(scratch.pinches, sweep,
               [&](Pinch& pinch) { press_pinch(pinch, particles, rigid, pushes); });
  for (int sweep = 0; sweep < k_rub_sweeps; ++sweep)
    each_pinch(scratch.pinches, sweep,
               [&](Pinch& pinch) { rub_pinch(pinch, particles, begin, rigid, pushes); });
}

}  // namespace pliant
