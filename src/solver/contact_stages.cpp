#include "solver/contact_stages.h"

#include <algorithm>
#include <bit>

#include "math/trig.h"
#include "narrowphase/surface_points.h"

namespace pliant {
namespace {

constexpr int k_slot_grain = 256;
constexpr int k_max_colours = 63;  // the last one takes the overflow and is swept serially

// Calls visit(particle) for every particle that a slot may come to move.
template <class Visit>
void for_each_particle(std::span<const Deformable> bodies, const ContactSlots& slots,
                       const ContactFeature& f, const Visit& visit) {
  const Deformable& body = bodies[std::size_t(f.body)];
  const auto vertex = [&](const Deformable& owner, std::int32_t v) {
    const Stencil stencil = vertex_stencil(owner, v);
    for (int n = 0; n < stencil.count; ++n) visit(stencil.particle[std::size_t(n)]);
  };
  if (f.kind == ContactKind::triangle_rigid) {
    for (const std::int32_t v : body.surface.triangles[std::size_t(f.feature)]) vertex(body, v);
    return;
  }
  vertex(body, f.feature);
  if (f.kind != ContactKind::vertex_triangle) return;
  const Deformable& other = bodies[std::size_t(f.other)];
  for (std::int32_t n = f.first; n < f.first + f.count; ++n)
    for (const std::int32_t v :
         other.surface.triangles[std::size_t(slots.triangles[std::size_t(n)])])
      vertex(other, v);
}

}  // namespace

void colour_slots(std::span<const Deformable> bodies, ContactSlots& slots,
                  std::vector<std::uint64_t>& marks) {
  const std::size_t count = slots.features.size();
  static thread_local std::vector<std::int32_t> colour_of;
  colour_of.assign(count, 0);
  std::int32_t sizes[k_max_colours + 1] = {};
  int colours = 0;
  for (std::size_t s = 0; s < count; ++s) {
    std::uint64_t used = 0;
    for_each_particle(bodies, slots, slots.features[s],
                      [&](std::int32_t p) { used |= marks[std::size_t(p)]; });
    const int colour = std::min(std::countr_one(used), k_max_colours);
    for_each_particle(bodies, slots, slots.features[s],
                      [&](std::int32_t p) { marks[std::size_t(p)] |= 1ull << colour; });
    colour_of[s] = colour;
    ++sizes[colour];
    colours = std::max(colours, colour + 1);
  }
  for (std::size_t s = 0; s < count; ++s)
    for_each_particle(bodies, slots, slots.features[s],
                      [&](std::int32_t p) { marks[std::size_t(p)] = 0; });
  slots.colour_begin.assign(1, 0);
  for (int c = 0; c < colours; ++c)
    slots.colour_begin.push_back(slots.colour_begin.back() + sizes[c]);
  slots.coloured.resize(count);
  static thread_local std::vector<std::int32_t> next;
  next.assign(slots.colour_begin.begin(), slots.colour_begin.end());
  for (std::size_t s = 0; s < count; ++s)
    slots.coloured[std::size_t(next[std::size_t(colour_of[s])]++)] = std::int32_t(s);
}

void refresh_slots(const RefreshContext& context, ContactSlots& slots, std::span<RigidPush> pushes,
                   TaskPool* pool) {
  slots.contacts.resize(slots.features.size());
  parallel_for(pool, int(slots.features.size()), k_slot_grain, [&](int begin, int end) {
    for (std::size_t s = std::size_t(begin); s < std::size_t(end); ++s)
      refresh_contact(context, slots, slots.features[s], slots.contacts[s]);
  });
  for (const ParticleContact& c : slots.contacts)
    if (c.active && c.rigid >= 0) ++pushes[std::size_t(c.rigid)].contacts;
}

void project_slots(ContactSlots& slots, Particles& particles, std::span<const BodyMotion> rigid,
                   std::span<RigidPush> pushes, std::vector<RigidReaction>& reactions,
                   TaskPool* pool) {
  reactions.resize(slots.features.size());
  for (std::size_t c = 0; c + 1 < slots.colour_begin.size(); ++c) {
    const std::int32_t first = slots.colour_begin[c], last = slots.colour_begin[c + 1];
    const auto project = [&](int begin, int end) {
      for (std::int32_t n = first + begin; n < first + end; ++n) {
        const std::size_t s = std::size_t(slots.coloured[std::size_t(n)]);
        reactions[s] = project_contact(slots.contacts[s], particles, rigid, pushes);
      }
    };
    // The overflow colour may have conflicts: it is swept in order.
    if (int(c) == k_max_colours)
      project(0, last - first);
    else
      parallel_for(pool, last - first, k_slot_grain, project);
    for (std::int32_t n = first; n < last; ++n) {
      const std::size_t s = std::size_t(slots.coloured[std::size_t(n)]);
      const ParticleContact& contact = slots.contacts[s];
      if (contact.rigid >= 0 && contact.multiplier > 0)
        add_reaction(contact, reactions[s], rigid, pushes[std::size_t(contact.rigid)]);
    }
  }
}

void apply_pushes(RigidBodies& rigid, std::span<RigidPush> pushes, double h) {
  for (std::int32_t i = 0; i < rigid.size(); ++i) {
    RigidPush& push = pushes[std::size_t(i)];
    if (push.moved == Vec3R{} && push.turned == Vec3R{}) continue;
    const std::size_t n = std::size_t(i);
    rigid.position[n] += cast<double>(push.moved);
    rigid.rotation[n] = normalized(exp_quat(0.5 * cast<double>(push.turned)) * rigid.rotation[n]);
    const Real inv_h = Real(1 / h);
    BodyMotion& m = rigid.motion[n];
    m.velocity.x += inv_h * push.gained.x;
    m.velocity.y += inv_h * push.gained.y;
    m.velocity.z += inv_h * push.gained.z;
    m.spin.x += inv_h * push.gained_spin.x;
    m.spin.y += inv_h * push.gained_spin.y;
    m.spin.z += inv_h * push.gained_spin.z;
    refresh_body(rigid, i);
  }
}

void restore_speeds(const ContactSlots& slots, double threshold, Particles& particles,
                    std::span<BodyMotion> rigid) {
  for (const ParticleContact& c : slots.contacts)
    restore_speed(c, Real(threshold), particles, rigid);
}

}  // namespace pliant
