// Under contact by position: solids that are in each other when they first meet. That contact keeps
// apart what was apart, sees vertices alone and does not know which way out is where they are deep;
// so such a pair goes through the stage of overlaps until it is free, and has no other contacts
// meanwhile.
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

// Cells of the finer one: what is deeper than the first is parted, until it is no deeper than the
// second, or for some steps no deeper than the third: what lies on each other under load is so
// under any contact, and that by position holds it.
constexpr double k_deep = 1e-2, k_free = 1e-3, k_near = 0.1;
constexpr std::uint64_t k_near_steps = 10;

std::uint64_t pair_key(const Deformable& a, const Deformable& b) {
  return std::uint64_t(std::min(a.key, b.key)) << 32 | std::max(a.key, b.key);
}

template <class T>
bool has(const std::vector<T>& sorted, const T& wanted) {
  return std::binary_search(sorted.begin(), sorted.end(), wanted);
}

bool is_closed_solid(const Deformable& body) {
  return body.kind == DeformableKind::solid && body.surface.closed;
}

void place_outside(const Particles& particles, const Deformable& body, PlacedSurface& out) {
  out.triangles = body.surface.triangles;
  out.edges = body.surface.edges;
  out.x.resize(body.surface.vertices.size());
  for (std::size_t v = 0; v < out.x.size(); ++v)
    out.x[v] = stencil_place(particles, vertex_stencil(body, std::int32_t(v)), Moment::now);
  make_box(out);
}

// The middles of the tetrahedra.
void place_inner(const Particles& particles, const Deformable& body, PlacedSurface& out) {
  out.inner.clear();
  for (const Tetrahedron& t : body.tets) {
    Vec3 sum;
    for (const std::int32_t k : t) {
      const std::size_t p = std::size_t(body.begin + k);
      sum += pliant::place(particles.base[p], particles.d[p]);
    }
    out.inner.push_back(0.25 * sum);
  }
}

}  // namespace

// Solids of springs without a lattice have no tetrahedra to be parted by: they are counted alone.
bool World::Impl::is_parting(const Deformable& a, const Deformable& b) const {
  return !state.parting.empty() && !a.tets.empty() && !b.tets.empty() &&
         has(state.parting, {pair_key(a, b)});
}

bool World::Impl::is_parted(std::size_t deformable) const {
  return deformable < scratch.partings.bodies.size() && scratch.partings.bodies[deformable] != 0;
}

const PlacedSurface& World::Impl::placed_surface(std::size_t deformable, bool with_tree) {
  Partings& p = scratch.partings;
  PlacedSurface& surface = p.surfaces[deformable];
  if (p.placed[deformable] == 0) {
    place_outside(state.particles, state.deformables[deformable], surface);
    p.placed[deformable] = 1;
  }
  if (with_tree && p.placed[deformable] == 1) {
    place_inner(state.particles, state.deformables[deformable], surface);
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

// A pair whose boxes meet: into the list where it belongs.
void World::Impl::sort_out(const BoxPair& pair) {
  Partings& p = scratch.partings;
  if (has(state.met, pair.key)) return p.met.push_back(pair.key);
  const std::size_t a = std::size_t(pair.a - state.rigid.size());
  const std::size_t b = std::size_t(pair.b - state.rigid.size());
  const auto known =
      std::lower_bound(state.parting.begin(), state.parting.end(), PartingPair{pair.key});
  const bool parting = known != state.parting.end() && known->key == pair.key;
  const double cell = std::min(state.deformables[a].cell, state.deformables[b].cell);
  const double depth = depth_of_solids(a, b, k_near * cell);
  const std::uint64_t near = parting && depth <= k_near * cell ? known->near + 1 : 0;
  if (depth > (parting ? k_free : k_deep) * cell && near <= k_near_steps)
    p.parting.push_back({pair.key, near});
  else
    p.met.push_back(pair.key);
}

// Pairs that sleep are not among those whose boxes are found to meet.
void World::Impl::keep_sleeping_partings() {
  Partings& p = scratch.partings;
  const std::size_t met = p.met.size(), parting = p.parting.size();
  for (const std::uint64_t key : state.met)
    if (both_asleep(key)) p.met.push_back(key);
  for (const PartingPair& pair : state.parting)
    if (both_asleep(pair.key)) p.parting.push_back(pair);
  if (p.met.size() > met) std::sort(p.met.begin(), p.met.end());
  if (p.parting.size() > parting) std::sort(p.parting.begin(), p.parting.end());
}

void World::Impl::find_partings() {
  Partings& p = scratch.partings;
  p.met.clear(), p.parting.clear();
  p.bodies.assign(state.deformables.size(), 0);
  if (def.solid_contact == SolidContact::position && state.deformables.size() > 1) {
    forget_places();
    const std::int32_t rigid_count = state.rigid.size();
    const auto is_solid = [&](std::int32_t node) {
      return node >= rigid_count &&
             is_closed_solid(state.deformables[std::size_t(node - rigid_count)]);
    };
    for (const BoxPair& pair : scratch.pairs)
      if (is_solid(pair.a) && is_solid(pair.b)) sort_out(pair);
    keep_sleeping_partings();
  }
  state.met.swap(p.met), state.parting.swap(p.parting);
  for (const PartingPair& pair : state.parting)
    for (const std::uint32_t key : {std::uint32_t(pair.key >> 32), std::uint32_t(pair.key)})
      if (const std::int32_t node = node_of(key); node >= state.rigid.size())
        p.bodies[std::size_t(node - state.rigid.size())] = 1;
  report.parting = std::int32_t(state.parting.size());
}

// What has been found about the pairs of a solid.
void World::Impl::forget_partings(std::uint32_t key) {
  const auto is_of = [&](std::uint64_t pair) {
    return std::uint32_t(pair >> 32) == key || std::uint32_t(pair) == key;
  };
  std::erase_if(state.met, is_of);
  std::erase_if(state.parting, [&](const PartingPair& pair) { return is_of(pair.key); });
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
