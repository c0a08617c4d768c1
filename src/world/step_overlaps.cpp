// Solids that overlap, under the contact responses `pressure` and `penalty`: which points are
// inside what, how deep, and the contacts that follow. The response is in
// step_overlap_response.cpp.
#include <algorithm>
#include <iterator>
#include <tuple>

#include "model/surface_pair.h"
#include "narrowphase/overlap_edges.h"
#include "narrowphase/overlap_follow.h"
#include "world/query_index.h"
#include "world/stage_timer.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// Which part a point has in overlaps: it is in something, or a corner of what holds another.
constexpr std::uint8_t k_inside = 2, k_holds = 1;

// Those of one point, or of points of one solid, lie behind each other.
bool before(const OverlapDepth& d, std::int32_t body, std::int32_t point) {
  return d.body != body ? d.body < body : d.point < point;
}

// Whether a point has an edge to a corner of the tetrahedron: a fold does not reach that near.
bool is_near(const SolidTopology& topology, std::int32_t tet, std::int32_t point) {
  for (const std::int32_t corner : topology.tets[std::size_t(tet)])
    for (const std::int32_t n : topology.neighbours(corner))
      if (n == point) return true;
  return false;
}

// The solid of a body that has been there before, if its tetrahedra are the same.
OverlapSolid* find_old(Overlaps& old, const Deformable& body) {
  for (std::size_t n = 0; n < old.keys.size(); ++n)
    if (old.keys[n] == body.key && old.solids[n].topology.tets == body.tets &&
        old.solids[n].topology.ring_begin.size() == std::size_t(body.count) + 1)
      return &old.solids[n];
  return nullptr;
}

}  // namespace

bool World::Impl::meets_by_overlap(const Deformable& body) const {
  return def.solid_contact != SolidContact::position && body.kind == DeformableKind::solid &&
         !body.tets.empty();
}

void World::Impl::list_overlap_solids() {
  Overlaps& o = scratch.overlaps;
  if (o.topology != queries->topology || o.parted != scratch.partings.bodies) {
    Overlaps old;
    old.solids.swap(o.solids), old.keys.swap(o.keys);
    o.is_looked_for = false;
    o.found.clear();
    o.topology = queries->topology;
    o.parted = scratch.partings.bodies;
    o.solid_of.assign(state.deformables.size(), -1);
    o.owner.assign(std::size_t(state.particles.size()), -1);
    o.cell = 0;
    for (std::size_t n = 0; n < state.deformables.size(); ++n) {
      const Deformable& body = state.deformables[n];
      if (!meets_by_overlap(body) && !(is_parted(n) && !body.tets.empty())) continue;
      OverlapSolid* known = find_old(old, body);
      OverlapSolid solid;
      if (known != nullptr)
        solid = std::move(*known);
      else
        solid.topology = make_topology(body.tets, body.count);
      solid.body = std::int32_t(n);
      solid.begin = body.begin;
      solid.cell = body.cell;
      o.solid_of[n] = std::int32_t(o.solids.size());
      std::fill_n(o.owner.begin() + body.begin, body.count, std::int32_t(n));
      o.solids.push_back(std::move(solid));
      o.keys.push_back(body.key);
    }
  }
  for (OverlapSolid& solid : o.solids) {
    const Deformable& body = state.deformables[std::size_t(solid.body)];
    solid.awake = awake(body);
    solid.self = body.self_contact && meets_by_overlap(body);
  }
}

void World::Impl::place_overlap_solids() {
  Overlaps& o = scratch.overlaps;
  o.now.resize(std::size_t(state.particles.size()));
  parallel_for(pool.get(), int(o.solids.size()), 1, [&](int begin, int end) {
    for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n)
      for (const std::int32_t q : o.solids[n].topology.points) {
        const std::size_t p = std::size_t(o.solids[n].begin + q);
        const Vec4 &base = state.particles.base[p], &d = state.particles.d[p];
        o.now[p] = {double(base.x) + double(d.x), double(base.y) + double(d.y),
                    double(base.z) + double(d.z)};
      }
  });
}

// Which solids have moved so far that their contacts must be looked for. Solids that are led apart
// as a whole have directions that are chosen anew, and nothing waits over a solid that meets
// itself.
bool World::Impl::overlaps_follow() {
  Overlaps& o = scratch.overlaps;
  const bool never = !o.is_looked_for || def.solid_contact == SolidContact::position;
  bool follow = true;
  for (OverlapSolid& solid : o.solids) {
    solid.fresh = never || solid.self || !is_followed(solid, solid.then, o.now);
    follow = follow && !solid.fresh;
  }
  return follow;
}

// The places at hand become those that everything is looked for at.
void World::Impl::look_for_overlaps() {
  Overlaps& o = scratch.overlaps;
  o.x = o.now;
  o.is_looked_for = true;
  parallel_for(pool.get(), int(o.solids.size()), 1, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      OverlapSolid& solid = o.solids[std::size_t(n)];
      refresh_box(solid, o.x);
      if (!solid.fresh) continue;
      const auto first = o.x.begin() + solid.begin;
      solid.then.assign(first, first + std::ptrdiff_t(solid.topology.ring_begin.size()) - 1);
    }
  });
  if (o.cell > 0) return;
  for (const OverlapSolid& solid : o.solids)
    o.cell += mean_edge(solid, o.x) / double(o.solids.size());
}

// By their definitions and joints.
bool World::Impl::overlaps_meet(std::int32_t a, std::int32_t b) const {
  if (def.solid_contact == SolidContact::position)
    return is_parting(state.deformables[std::size_t(a)], state.deformables[std::size_t(b)]);
  if (a == b) return state.deformables[std::size_t(a)].self_contact;
  const std::uint32_t ka = state.deformables[std::size_t(a)].key;
  const std::uint32_t kb = state.deformables[std::size_t(b)].key;
  const std::uint64_t key = std::uint64_t(std::min(ka, kb)) << 32 | std::max(ka, kb);
  const std::vector<std::uint64_t>& apart = scratch.joints.apart;
  return filters_fit(state.rigid.size() + a, state.rigid.size() + b) &&
         (apart.empty() || !std::binary_search(apart.begin(), apart.end(), key));
}

// The points that are inside something, each once for each body that it is in.
void World::Impl::find_overlap_points() {
  Overlaps& o = scratch.overlaps;
  find_overlaps(def.overlap_search, o.solids, o.x, o.cell, pool.get(), o.search, o.hits);
  o.depths.clear();
  o.part.assign(o.x.size(), 0);
  for (const OverlapHit& hit : o.hits) {
    const std::int32_t own = o.owner[std::size_t(hit.point)];
    if (!overlaps_meet(own, hit.body)) continue;
    const OverlapSolid& solid = o.solids[std::size_t(o.solid_of[std::size_t(hit.body)])];
    if (own == hit.body && is_near(solid.topology, hit.tet, hit.point - solid.begin)) continue;
    o.part[std::size_t(hit.point)] |= k_inside;
    for (const std::int32_t p : solid.topology.tets[std::size_t(hit.tet)])
      o.part[std::size_t(solid.begin + p)] |= k_holds;
    if (!o.depths.empty() && o.depths.back().body == hit.body && o.depths.back().point == hit.point)
      continue;
    OverlapDepth d;
    d.body = hit.body, d.own = own, d.point = hit.point;
    o.depths.push_back(d);
  }
}

// Points in a half-space, where their own motion has brought them.
void World::Impl::mark_points_in_floors() {
  Overlaps& o = scratch.overlaps;
  for (const ContactPair& pair : state.slots.pairs) {
    if (pair.rigid < 0 || o.solid_of[std::size_t(pair.body)] < 0) continue;
    const std::size_t r = std::size_t(pair.rigid);
    if (state.rigid.shape[r].kind != ShapeKind::half_space) continue;
    const Transform pose{state.rigid.position[r], state.rigid.rotation[r]};
    const OverlapSolid& solid = o.solids[std::size_t(o.solid_of[std::size_t(pair.body)])];
    for (const std::int32_t q : solid.topology.points) {
      const std::size_t p = std::size_t(solid.begin + q);
      if (to_local(pose, o.x[p]).y < double(pair.thickness)) o.part[p] |= k_inside;
    }
  }
}

// A point counts once, in however many things it is.
void World::Impl::count_overlaps() {
  const Overlaps& o = scratch.overlaps;
  stats.overlap_vertices = stats.overlap_triangles = 0;
  for (const OverlapSolid& solid : o.solids) {
    for (const std::int32_t p : solid.topology.points)
      stats.overlap_vertices += (o.part[std::size_t(solid.begin + p)] & k_inside) != 0 ? 1 : 0;
    for (const Triangle& f : solid.topology.faces)
      stats.overlap_triangles += std::any_of(f.begin(), f.end(), [&](std::int32_t p) {
        return o.part[std::size_t(solid.begin + p)] != 0;
      });
  }
}

OverlapSolid& World::Impl::overlap_solid(std::int32_t body) {
  Overlaps& o = scratch.overlaps;
  OverlapSolid& solid = o.solids[std::size_t(o.solid_of[std::size_t(body)])];
  if (!solid.has_faces) refresh_faces(solid, o.x);
  return solid;
}

void World::Impl::find_overlap_depths() {
  Overlaps& o = scratch.overlaps;
  int enclosed = 0;
  o.new_guesses.clear();
  std::size_t guess = 0;
  for (std::size_t first = 0, end = 0; first < o.depths.size(); first = end) {
    const OverlapDepth& head = o.depths[first];
    for (end = first;
         end < o.depths.size() && o.depths[end].body == head.body && o.depths[end].own == head.own;)
      ++end;
    OverlapSolid& solid = overlap_solid(head.body);
    const OverlapSolid& own = overlap_solid(head.own);
    const std::span<OverlapDepth> group = std::span(o.depths).subspan(first, end - first);
    {
      const StageTimer timer(stats.overlap_ms[std::size_t(OverlapPhase::depths)]);
      const int lost = find_depths(solid, own, o.x, group, o.depth);
      enclosed += lost == int(own.topology.points.size()) ? 1 : 0;
    }
    const StageTimer timer(stats.overlap_ms[std::size_t(OverlapPhase::triangles)]);
    for (const OverlapDepth& d : group) {
      while (guess < o.guesses.size() &&
             (o.guesses[guess].body != d.body ? o.guesses[guess].body < d.body
                                              : o.guesses[guess].point < d.point))
        ++guess;
      const bool same = guess < o.guesses.size() && o.guesses[guess].body == d.body &&
                        o.guesses[guess].point == d.point;
      std::int32_t face = same ? o.guesses[guess].face : -1;
      OverlapContact contact;
      if (make_contact(solid, own, o.x, d, face, contact)) o.contacts.push_back(contact);
      o.new_guesses.push_back({d.body, d.point, face});
    }
  }
  o.guesses.swap(o.new_guesses);
  report.enclosed = std::max(report.enclosed, enclosed);
}

// Edges that pass through a solid without an end in it.
void World::Impl::find_overlap_edges() {
  Overlaps& o = scratch.overlaps;
  o.near.resize(o.x.size(), 0);
  for (std::size_t s = 0; s < o.solids.size(); ++s)
    for (const std::int32_t met : o.search.now.meets[s]) {
      const std::int32_t own = o.solids[s].body, body = o.solids[std::size_t(met)].body;
      if (own == body || !overlaps_meet(own, body)) continue;
      const OverlapSolid &from = overlap_solid(own), &solid = overlap_solid(body);
      const auto mark = [&](std::uint8_t value) {
        mark_near(from, body, value), mark_near(solid, own, value);
      };
      mark(1);
      find_edge_contacts(from, solid, o.x, o.near, o.contacts);
      mark(0);
    }
}

// The points of a solid that are in a body, and their neighbours.
void World::Impl::mark_near(const OverlapSolid& own, std::int32_t body, std::uint8_t value) {
  Overlaps& o = scratch.overlaps;
  const std::int32_t end = own.begin + std::int32_t(own.topology.ring_begin.size()) - 1;
  auto d = std::lower_bound(
      o.depths.begin(), o.depths.end(), own.begin,
      [&](const OverlapDepth& a, std::int32_t point) { return before(a, body, point); });
  for (; d != o.depths.end() && d->body == body && d->point < end; ++d) {
    o.near[std::size_t(d->point)] = value;
    for (const std::int32_t n : own.topology.neighbours(d->point - own.begin))
      o.near[std::size_t(own.begin + n)] = value;
  }
}

// What this substep and those that follow without a search go by, pair by pair. Contacts that lead
// round a corner give way to those that lead back, where there are such, and some wait. Pairs of
// which nothing has moved far keep what they have.
void World::Impl::keep_overlaps() {
  Overlaps& o = scratch.overlaps;
  if (def.solid_contact == SolidContact::position) return;
  const auto solid_of = [&](const OverlapSide& side) -> const OverlapSolid& {
    return o.solids[std::size_t(o.solid_of[std::size_t(side.body)])];
  };
  const auto is_old = [&](const OverlapContact& c) {
    return !solid_of(c.a).fresh && !solid_of(c.b).fresh;
  };
  const auto faces = [&](const OverlapContact& c) { return is_facing(overlap_solid(c.a.body), c); };
  o.older.clear();
  std::copy_if(o.found.begin(), o.found.end(), std::back_inserter(o.older), is_old);
  o.found.clear();
  std::erase_if(o.contacts, is_old);
  std::copy_if(o.contacts.begin(), o.contacts.end(), std::back_inserter(o.found), faces);
  std::erase_if(o.contacts, faces);
  const std::size_t facing = o.found.size();
  for (std::size_t s = 0; s < o.solids.size(); ++s)
    for (const std::int32_t met : o.search.now.meets[s])
      if (o.solids[s].fresh || o.solids[std::size_t(met)].fresh)
        add_waiting(o.solids[s].body, o.solids[std::size_t(met)].body, facing);
  note_sides(o.found, o.x);
  o.found.insert(o.found.end(), o.older.begin(), o.older.end());
  // By pairs, each of one search: an order that nobody else has a part in.
  std::sort(o.found.begin(), o.found.end(), [](const OverlapContact& a, const OverlapContact& b) {
    return std::tuple(a.b.body, a.a.body, a.place) < std::tuple(b.b.body, b.a.body, b.place);
  });
}

// Of one solid over another. The first `facing` of what was found lead out of the right side.
void World::Impl::add_waiting(std::int32_t own, std::int32_t body, std::size_t facing) {
  Overlaps& o = scratch.overlaps;
  if (own == body || !overlaps_meet(own, body)) return;
  const std::size_t first = o.found.size();
  mark_points(std::span(o.found).first(facing), own, body, 1);
  find_waiting(overlap_solid(body), overlap_solid(own), o.x, o.near, o.found);
  mark_points(std::span(o.found).first(facing), own, body, 0);
  const std::span<const OverlapContact> instead = std::span(o.found).subspan(first);
  mark_points(instead, own, body, 1);
  std::erase_if(o.contacts, [&](const OverlapContact& c) {
    return c.a.body == own && c.b.body == body && o.near[std::size_t(c.a.particle[0])] != 0;
  });
  mark_points(instead, own, body, 0);
}

// Those that one solid has in contacts with another.
void World::Impl::mark_points(std::span<const OverlapContact> contacts, std::int32_t own,
                              std::int32_t body, std::uint8_t value) {
  for (const OverlapContact& c : contacts)
    if (c.a.body == own && c.b.body == body)
      for (const std::int32_t p : c.a.particle) scratch.overlaps.near[std::size_t(p)] = value;
}

// After the bodies' own constraints have moved them and before contacts with anything else, which
// have the last word.
void World::Impl::part_overlaps(double h) {
  Overlaps& o = scratch.overlaps;
  if (state.deformables.empty()) return;
  o.contacts.clear();
  o.bound.assign(state.deformables.size(), 0);
  if (def.solid_contact == SolidContact::position && state.parting.empty()) return o.depths.clear();
  const auto timed = [&](OverlapPhase phase, auto&& run) {
    const StageTimer timer(stats.overlap_ms[std::size_t(phase)]);
    run();
  };
  timed(OverlapPhase::detection, [&] { list_overlap_solids(); });
  if (o.solids.empty()) return o.depths.clear();
  bool follow = false;
  timed(OverlapPhase::detection, [&] { place_overlap_solids(), follow = overlaps_follow(); });
  if (!follow) {
    timed(OverlapPhase::detection,
          [&] { look_for_overlaps(), find_overlap_points(), mark_points_in_floors(); });
    timed(OverlapPhase::triangles, [&] { count_overlaps(); });
    find_overlap_depths();  // and the triangles that they lead through
    timed(OverlapPhase::detection, [&] { find_overlap_edges(), keep_overlaps(); });
  }
  if (def.solid_contact != SolidContact::position) follow_contacts(o.found, o.now, o.contacts);
  if (!o.contacts.empty()) timed(OverlapPhase::response, [&] { respond_to_overlaps(h); });
}

}  // namespace PLIANT_ABI
}  // namespace pliant
