// How many vertices and triangles of solids are in loaded contacts, counted when somebody asks.
#include <algorithm>

#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// Contacts are those of the last step; what has been removed since is left out.
void mark(std::vector<std::vector<std::uint8_t>>& features, std::int32_t body, std::int32_t n) {
  if (std::size_t(body) >= features.size()) return;
  std::vector<std::uint8_t>& list = features[std::size_t(body)];
  if (std::size_t(n) < list.size()) list[std::size_t(n)] = 1;
}

// The faces at a sharp edge; of a cloth, which is not counted, none.
void mark_faces(std::vector<std::vector<std::uint8_t>>& triangles, const Deformable& body,
                std::int32_t n, std::int32_t edge) {
  if (!body.surface.closed || std::size_t(edge) >= body.surface.sharp.size()) return;
  for (const std::int32_t t : body.surface.sharp[std::size_t(edge)].triangle) mark(triangles, n, t);
}

}  // namespace

void World::Impl::mark_touching() {
  TouchingFeatures& t = scratch.touching_features;
  t.particle.assign(std::size_t(state.particles.size()), 0);
  t.vertex.resize(state.deformables.size()), t.triangle.resize(state.deformables.size());
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    t.vertex[n].assign(state.deformables[n].surface.vertices.size(), 0);
    t.triangle[n].assign(state.deformables[n].surface.triangles.size(), 0);
  }
  const ContactSlots& slots = state.slots;
  for (const VertexBatch& batch : slots.batches)
    for (int lane = 0; batch.live && lane < batch.lanes; ++lane) {
      const std::size_t p = std::size_t(batch.particle[std::size_t(lane)]);
      if (batch.multiplier[lane] > 0 && p < t.particle.size()) t.particle[p] = 1;
    }
  for (const std::int32_t s : slots.coloured) {
    if (!(slots.contacts[std::size_t(s)].multiplier > 0)) continue;
    const ContactSlot& slot = slots.slots[std::size_t(s)];
    const ContactPair& pair = slots.pairs[std::size_t(slot.pair)];
    if (slot.kind == ContactKind::edge_edge) {
      const std::size_t body = std::size_t(pair.body), other = std::size_t(pair.other);
      if (std::max(body, other) >= state.deformables.size()) continue;
      mark_faces(t.triangle, state.deformables[body], pair.body, slot.feature);
      mark_faces(t.triangle, state.deformables[other], pair.other, slot.sharp);
      continue;
    }
    mark(slot.kind == ContactKind::triangle_rigid ? t.triangle : t.vertex, pair.body, slot.feature);
    if (slot.kind != ContactKind::vertex_triangle || slot.nearest < 0) continue;
    const std::size_t met = std::size_t(slot.first + slot.nearest);
    mark(t.triangle, pair.other, slots.candidates[met].triangle);
  }
}

// A vertex counts once, with however many things it is in contact.
void World::Impl::count_touching(Measurements& m) {
  mark_touching();
  TouchingFeatures& t = scratch.touching_features;
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    const Deformable& body = state.deformables[n];
    if (body.kind != DeformableKind::solid) continue;
    std::vector<std::uint8_t>& vertex = t.vertex[n];
    for (std::size_t v = 0; v < vertex.size(); ++v) {
      const SurfaceVertex& at = body.surface.vertices[v];
      const bool is_particle = at.weight[0] == 1;
      if (is_particle && t.particle[std::size_t(body.begin + at.particle[0])] != 0) vertex[v] = 1;
      m.touching_vertices += vertex[v];
    }
    for (std::size_t k = 0; k < t.triangle[n].size(); ++k) {
      const Triangle& f = body.surface.triangles[k];
      const bool some = std::any_of(f.begin(), f.end(),
                                    [&](std::int32_t v) { return vertex[std::size_t(v)] != 0; });
      m.touching_triangles += some || t.triangle[n][k] != 0 ? 1 : 0;
    }
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
