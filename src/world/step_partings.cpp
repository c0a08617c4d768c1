// Under contact by position: solids that are in each other when they first meet. That contact keeps
// apart what was apart, sees vertices alone and does not know which way out is where they are deep;
// so such a pair is parted like overlaps under `pressure` until it is free, and has no other
// contacts meanwhile.
//
// A pair is looked at when the boxes of its two solids begin to meet: when one is new, has been
// made anew, or comes near. What contact by position has kept apart from there on is not looked at
// again, so that a scene in which nothing begins so pays for one search in a list.
#include <algorithm>
#include <limits>

#include "narrowphase/surface_points.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// Cells of the finer one: what is deeper is parted, until it is no deeper than the second.
constexpr double k_deep = 1e-2, k_free = 1e-3;

std::uint64_t pair_key(const Deformable& a, const Deformable& b) {
  return std::uint64_t(std::min(a.key, b.key)) << 32 | std::max(a.key, b.key);
}

bool has(const std::vector<std::uint64_t>& keys, std::uint64_t key) {
  return std::binary_search(keys.begin(), keys.end(), key);
}

bool is_closed_solid(const Deformable& body) {
  return body.kind == DeformableKind::solid && body.surface.closed;
}

void place(const Particles& particles, const Deformable& body, PlacedSurface& out) {
  out.triangles = body.surface.triangles;
  out.edges = body.surface.edges;
  out.x.resize(body.surface.vertices.size());
  for (std::size_t v = 0; v < out.x.size(); ++v)
    out.x[v] = stencil_place(particles, vertex_stencil(body, std::int32_t(v)), Moment::now);
  make_box(out);
}

}  // namespace

// Solids of springs without a lattice have no tetrahedra to be parted by: they are counted alone.
bool World::Impl::is_parting(const Deformable& a, const Deformable& b) const {
  return !state.parting.empty() && !a.tets.empty() && !b.tets.empty() &&
         has(state.parting, pair_key(a, b));
}

bool World::Impl::is_parted(std::size_t deformable) const {
  return deformable < scratch.partings.bodies.size() && scratch.partings.bodies[deformable] != 0;
}

const PlacedSurface& World::Impl::placed_surface(std::size_t deformable, bool with_tree) {
  Partings& p = scratch.partings;
  PlacedSurface& surface = p.surfaces[deformable];
  if (p.placed[deformable] == 0) {
    place(state.particles, state.deformables[deformable], surface);
    p.placed[deformable] = 1;
  }
  if (with_tree && p.placed[deformable] == 1) {
    make_tree(surface);
    p.placed[deformable] = 2;
  }
  return surface;
}

void World::Impl::forget_places() {
  scratch.partings.surfaces.resize(state.deformables.size());
  scratch.partings.placed.assign(state.deformables.size(), 0);
}

// How deep two solids are in each other (m); more than `enough` is not told apart from it.
double World::Impl::depth_of_solids(std::size_t a, std::size_t b, double enough) {
  if (!placed_surface(a, false).box.meets(placed_surface(b, false).box)) return 0;
  const PlacedSurface &sa = placed_surface(a, true), &sb = placed_surface(b, true);
  const double depth = depth_in(sa, sb, enough, scratch.partings.cuts);
  if (depth > enough) return depth;
  return std::max(depth, depth_in(sb, sa, enough, scratch.partings.cuts));
}

// Whether a pair whose boxes meet is to be parted.
bool World::Impl::is_deep(const BoxPair& pair) {
  if (has(state.met, pair.key)) return false;
  const std::size_t a = std::size_t(pair.a - state.rigid.size());
  const std::size_t b = std::size_t(pair.b - state.rigid.size());
  const double cell = std::min(state.deformables[a].cell, state.deformables[b].cell);
  const double enough = (has(state.parting, pair.key) ? k_free : k_deep) * cell;
  return depth_of_solids(a, b, enough) > enough;
}

void World::Impl::find_partings() {
  Partings& p = scratch.partings;
  p.met.clear(), p.parting.clear();
  p.bodies.assign(state.deformables.size(), 0);
  if (def.solid_contact != SolidContact::position || state.deformables.size() < 2) {
    state.met.clear(), state.parting.clear();
    return;
  }
  forget_places();
  const std::int32_t rigid_count = state.rigid.size();
  for (const BoxPair& pair : scratch.pairs) {
    if (pair.a < rigid_count || pair.b < rigid_count) continue;
    if (!is_closed_solid(state.deformables[std::size_t(pair.a - rigid_count)]) ||
        !is_closed_solid(state.deformables[std::size_t(pair.b - rigid_count)]))
      continue;
    (is_deep(pair) ? p.parting : p.met).push_back(pair.key);
  }
  // Pairs that sleep are not in the list.
  const std::size_t met = p.met.size(), parting = p.parting.size();
  const auto keep = [&](const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to) {
    for (const std::uint64_t key : from)
      if (both_asleep(key)) to.push_back(key);
  };
  keep(state.met, p.met), keep(state.parting, p.parting);
  if (p.met.size() > met) std::sort(p.met.begin(), p.met.end());
  if (p.parting.size() > parting) std::sort(p.parting.begin(), p.parting.end());
  state.met.swap(p.met), state.parting.swap(p.parting);
  for (const std::uint64_t key : state.parting)
    for (const std::uint32_t half : {std::uint32_t(key >> 32), std::uint32_t(key)})
      if (const std::int32_t node = node_of(half); node >= rigid_count)
        p.bodies[std::size_t(node - rigid_count)] = 1;
  report.parting = std::int32_t(state.parting.size());
}

// What has been found about the pairs of a solid.
void World::Impl::forget_partings(std::uint32_t key) {
  for (std::vector<std::uint64_t>* keys : {&state.met, &state.parting})
    std::erase_if(*keys, [&](std::uint64_t pair) {
      return std::uint32_t(pair >> 32) == key || std::uint32_t(pair) == key;
    });
}

std::vector<SolidOverlap> World::overlapping_solids() const {
  Impl& w = *impl_;
  std::vector<SolidOverlap> found;
  w.forget_places();
  w.list_traits();
  for (std::size_t b = 1; b < w.state.deformables.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      if (!is_closed_solid(w.state.deformables[a]) || !is_closed_solid(w.state.deformables[b]))
        continue;
      const std::int32_t rigid_count = w.state.rigid.size();
      if (!w.filters_fit(rigid_count + std::int32_t(a), rigid_count + std::int32_t(b))) continue;
      const double depth = w.depth_of_solids(a, b, std::numeric_limits<double>::max());
      const double cell = std::min(w.state.deformables[a].cell, w.state.deformables[b].cell);
      if (depth > k_deep * cell)
        found.push_back({w.solids.id_of(std::int32_t(a)), w.solids.id_of(std::int32_t(b)), depth});
    }
  return found;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
