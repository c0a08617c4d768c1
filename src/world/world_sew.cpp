// Sewing: cloths that are sewn to each other become one body, and vertices that have met one
// particle. docs/architecture.md says what else knows of it.
#include <algorithm>

#include "build/pack.h"
#include "constraints/seam.h"
#include "scene/check_definitions.h"
#include "solver/particle_stages.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }
Vec4 with_w(const Vec3& v, Real w) { return {Real(v.x), Real(v.y), Real(v.z), w}; }

std::array<std::vector<Vec4>*, 6> arrays_of(Particles& p) {
  return {&p.base, &p.d, &p.d_before, &p.velocity, &p.force, &p.settled};
}

// The share of a run's length at rest that lies before each of its vertices.
std::vector<double> shares_along(const TriMesh& mesh, const std::vector<std::int32_t>& run) {
  std::vector<double> share(run.size(), 0);
  for (std::size_t n = 1; n < run.size(); ++n)
    share[n] = share[n - 1] +
               length(mesh.vertices[std::size_t(run[n])] - mesh.vertices[std::size_t(run[n - 1])]);
  const double whole = share.back();
  for (std::size_t n = 0; n < run.size(); ++n)
    share[n] = whole > 0 ? share[n] / whole : double(n) / double(run.size() - 1);
  return share;
}

// The point of a run at a share of its length: the end of an edge where it is that to 1e-6.
Stitch stitch_at(double share, const std::vector<double>& shares,
                 const std::vector<std::int32_t>& particles) {
  std::size_t n = 0;
  while (n + 2 < shares.size() && share > shares[n + 1]) ++n;
  const double edge = shares[n + 1] - shares[n];
  const double t = edge > 0 ? std::clamp((share - shares[n]) / edge, 0.0, 1.0) : 0;
  Stitch stitch;
  if (t < 1e-6 || t > 1 - 1e-6) {
    const std::int32_t end = particles[t < 0.5 ? n : n + 1];
    stitch.b = {end, end};
  } else {
    stitch.b = {particles[n], particles[n + 1]};
    stitch.weight = {1 - t, t};
  }
  return stitch;
}

std::vector<bool> held_particles(const Deformable& body) {
  std::vector<bool> held(std::size_t(body.count));
  for (const PinnedParticle& pin : body.pins) held[std::size_t(pin.particle)] = true;
  return held;
}

// Which particles have become one by the merged stitches of all seams of a body. The one that stays
// is the first that is held, else the first.
std::vector<std::int32_t> merged_particles(const Deformable& body, std::span<const Seam> seams,
                                           std::int32_t deformable) {
  std::vector<std::int32_t> parent(std::size_t(body.count));
  for (std::int32_t n = 0; n < body.count; ++n) parent[std::size_t(n)] = n;
  const auto root = [&](std::int32_t n) {
    while (parent[std::size_t(n)] != n) n = parent[std::size_t(n)];
    return n;
  };
  bool any = false;
  for (const Seam& seam : seams) {
    if (seam.deformable != deformable) continue;
    for (const Stitch& s : seam.stitches) {
      if (s.state != Stitch::State::merged) continue;
      any = true;
      const std::int32_t a = root(s.a), b = root(s.b[0]);
      parent[std::size_t(std::max(a, b))] = std::min(a, b);
    }
  }
  if (!any) return {};
  const std::vector<bool> held = held_particles(body);
  std::vector<std::int32_t> stays(parent.size(), -1);  // of each group, by its first
  for (std::int32_t n = 0; n < body.count; ++n) {
    std::int32_t& chosen = stays[std::size_t(root(n))];
    if (chosen < 0 || (held[std::size_t(n)] && !held[std::size_t(chosen)])) chosen = n;
  }
  std::vector<std::int32_t> merged(parent.size());
  for (std::int32_t n = 0; n < body.count; ++n)
    merged[std::size_t(n)] = stays[std::size_t(root(n))];
  return merged;
}

// Particles that become one stay at their centre of mass and keep their momentum; one that is held
// stays where it is.
void gather_motion(Particles& particles, const Deformable& body,
                   const std::vector<std::int32_t>& before) {
  struct Sum {
    double mass = 0;
    Vec3 shift, momentum;  // from the place of the one that stays
    int count = 0;
  };
  std::vector<Sum> sums(std::size_t(body.count));
  const auto at = [&](std::int32_t n) { return std::size_t(body.begin + n); };
  for (std::int32_t n = 0; n < body.count; ++n) {
    if (!before.empty() && before[std::size_t(n)] != n) continue;
    const std::int32_t root = body.root(n);
    Sum& sum = sums[std::size_t(root)];
    const double mass = double(particles.force[at(n)].w);
    sum.mass += mass;
    sum.shift += mass * ((in_double(particles.base[at(n)]) - in_double(particles.base[at(root)])) +
                         (in_double(particles.d[at(n)]) - in_double(particles.d[at(root)])));
    sum.momentum += mass * in_double(particles.velocity[at(n)]);
    ++sum.count;
  }
  const std::vector<bool> held = held_particles(body);
  for (std::int32_t n = 0; n < body.count; ++n) {
    const Sum& sum = sums[std::size_t(n)];
    if (sum.count < 2 || held[std::size_t(n)] || !(sum.mass > 0)) continue;
    Vec4& d = particles.d[at(n)];
    d = with_w(in_double(d) + sum.shift / sum.mass, d.w);
    particles.d_before[at(n)] = d;
    particles.velocity[at(n)] = with_w(sum.momentum / sum.mass, 0);
  }
}

}  // namespace

const ClothPart& World::Impl::part_of(ClothId id) const {
  const Deformable& body = state.deformables[std::size_t(cloths[id])];
  return body.parts[std::size_t(cloth_part[id.index])];
}
const ClothDef& World::Impl::def_of(ClothId id) const {
  return deformable_defs[std::size_t(cloths[id])].cloths[std::size_t(cloth_part[id.index])];
}
ClothId World::Impl::cloth_of(std::int32_t deformable, std::int32_t part) const {
  ClothId found{};
  cloths.for_each([&](std::int32_t object, ClothId id) {
    if (object == deformable && cloth_part[id.index] == part) found = id;
  });
  return found;
}
std::int32_t World::Impl::particle_of(ClothId id, std::int32_t vertex) const {
  const ClothPart& part = part_of(id);
  return state.deformables[std::size_t(cloths[id])].root(part.begin +
                                                         part.order[std::size_t(vertex)]);
}

// --- adding
// --------------------------------------------------------------------------------------------

Result<SeamId> World::add_seam(const SeamDef& def) {
  Impl& w = *impl_;
  for (const SeamSide* side : {&def.a, &def.b})
    if (!w.cloths.valid(side->cloth))
      return Error{side == &def.a ? "a.cloth" : "b.cloth", "no such thing in this world"};
  if (const auto errors = check(def, w.def_of(def.a.cloth), w.def_of(def.b.cloth)); !errors.empty())
    return errors.front();
  const std::int32_t index = w.join_cloths(def.a.cloth, def.b.cloth);
  Seam seam;
  seam.def = def;
  seam.deformable = index;
  seam.stitches = w.make_stitches(def);
  const Deformable& body = w.state.deformables[std::size_t(index)];
  for (Stitch& s : seam.stitches) s.gap = length(stitch_gap(w.state.particles, body, s));
  w.state.seams.push_back(std::move(seam));
  const SeamId id = w.seams.add(std::int32_t(w.state.seams.size()) - 1);
  w.wake_node(w.state.rigid.size() + index);
  w.close_seams();
  w.place_seam_marks(index);
  return id;
}

std::vector<Stitch> World::Impl::make_stitches(const SeamDef& seam) const {
  const bool swapped = seam.b.vertices.size() > seam.a.vertices.size();
  const SeamSide &fine = swapped ? seam.b : seam.a, &coarse = swapped ? seam.a : seam.b;
  const auto particles = [&](const SeamSide& side) {
    const ClothPart& part = part_of(side.cloth);
    std::vector<std::int32_t> list;
    for (const std::int32_t v : side.vertices)
      list.push_back(part.begin + part.order[std::size_t(v)]);
    return list;
  };
  const std::vector<std::int32_t> from = particles(fine), to = particles(coarse);
  std::vector<Stitch> stitches(from.size());
  if (from.size() == to.size()) {
    for (std::size_t n = 0; n < from.size(); ++n) stitches[n].b = {to[n], to[n]};
  } else {
    const std::vector<double> share = shares_along(def_of(fine.cloth).mesh, fine.vertices);
    const std::vector<double> shares = shares_along(def_of(coarse.cloth).mesh, coarse.vertices);
    for (std::size_t n = 0; n < from.size(); ++n) stitches[n] = stitch_at(share[n], shares, to);
  }
  for (std::size_t n = 0; n < from.size(); ++n) stitches[n].a = from[n];
  return stitches;
}

// --- cloths that become one body, and leave it
// ----------------------------------------------------------
namespace {

// The real particles of a body; scratch particles are left out.
std::vector<Vec4> real_places(const std::vector<Vec4>& array, const Deformable& body) {
  const auto first = array.begin() + body.begin;
  return {first, first + body.count};
}

void replace_places(std::vector<Vec4>& array, const Deformable& body,
                    const std::vector<Vec4>& places) {
  const auto first = array.begin() + body.begin;
  const auto after = array.erase(first, first + body.constraints.places());
  array.insert(after, places.begin(), places.end());
}

std::int32_t places_for(std::int32_t count) {
  ConstraintSet set;
  set.clusters = cluster_ranges(count);
  return set.places();
}

// Appends the parts of `other`, whose particles come behind those of `body`.
void append_body(Deformable& body, const Deformable& other) {
  const std::int32_t shift = body.count;
  const std::int32_t paths = std::int32_t(body.pin_paths.size());
  for (const std::int32_t p : other.order) body.order.push_back(shift + p);
  for (ClothPart part : other.parts) {
    part.begin += shift;
    body.parts.push_back(std::move(part));
  }
  for (PinnedParticle pin : other.pins) {
    pin.particle += shift;
    if (pin.pin >= 0) pin.pin += paths;
    body.pins.push_back(pin);
  }
  body.pin_paths.insert(body.pin_paths.end(), other.pin_paths.begin(), other.pin_paths.end());
  body.folds.insert(body.folds.end(), other.folds.begin(), other.folds.end());
  body.count += other.count;
  body.mass += other.mass;
  body.cell = std::min(body.cell, other.cell);
  body.allow_sleep &= other.allow_sleep;
  body.frozen |= other.frozen;
  body.constraints.clusters = cluster_ranges(body.count);
}

void shift_stitches(Seam& seam, std::int32_t from, std::int32_t by) {
  for (Stitch& s : seam.stitches)
    for (std::int32_t* p : {&s.a, &s.b[0], &s.b[1]})
      if (*p >= from) *p += by;
}

}  // namespace

// One body of two cloths; returns its index. The one that was made first keeps its place.
std::int32_t World::Impl::join_cloths(ClothId a, ClothId b) {
  const std::int32_t first = std::min(cloths[a], cloths[b]);
  const std::int32_t second = std::max(cloths[a], cloths[b]);
  if (first == second) return first;
  part_from_all(state.rigid.size() + second);
  wake_node(state.rigid.size() + first);
  forget_sides(second);
  Deformable& body = state.deformables[std::size_t(first)];
  const Deformable& other = state.deformables[std::size_t(second)];
  for (std::vector<Vec4>* array : arrays_of(state.particles)) {
    std::vector<Vec4> places = real_places(*array, body);
    const std::vector<Vec4> more = real_places(*array, other);
    places.insert(places.end(), more.begin(), more.end());
    places.resize(std::size_t(places_for(body.count + other.count)));
    replace_places(*array, other, {});  // first: it lies behind
    replace_places(*array, body, places);
  }
  for (Seam& seam : state.seams) {
    if (seam.deformable != second) continue;
    seam.deformable = first;
    shift_stitches(seam, 0, body.count);
  }
  for (const ClothId id : cloths.all()) {
    if (cloths[id] != second) continue;
    cloth_part[id.index] += std::int32_t(body.parts.size());
    cloths.move(id, first);
  }
  append_body(body, other);
  std::vector<ClothDef>& defs = deformable_defs[std::size_t(first)].cloths;
  for (ClothDef& moved : deformable_defs[std::size_t(second)].cloths)
    defs.push_back(std::move(moved));
  erase_deformable(second);
  state.deformables[std::size_t(first)].merged =
      merged_particles(state.deformables[std::size_t(first)], state.seams, first);
  rebuild_cloth(first);
  return first;
}

// Takes one cloth out of those that are sewn together; its seams are gone already.
void World::Impl::remove_part(ClothId id) {
  const std::int32_t index = cloths[id], gone = cloth_part[id.index];
  drop_anchors_of(id);
  forget_sides(index);
  Deformable& body = state.deformables[std::size_t(index)];
  std::vector<ClothDef>& defs = deformable_defs[std::size_t(index)].cloths;
  const ClothPart part = body.parts[std::size_t(gone)];
  const std::int32_t end = part.begin + part.count();
  for (std::vector<Vec4>* array : arrays_of(state.particles)) {
    std::vector<Vec4> places = real_places(*array, body);
    places.erase(places.begin() + part.begin, places.begin() + end);
    places.resize(std::size_t(places_for(body.count - part.count())));
    replace_places(*array, body, places);
  }
  std::int32_t first_path = 0;
  for (std::int32_t n = 0; n < gone; ++n)
    first_path += std::int32_t(defs[std::size_t(n)].pins.size());
  const std::int32_t paths = std::int32_t(defs[std::size_t(gone)].pins.size());
  body.pin_paths.erase(body.pin_paths.begin() + first_path,
                       body.pin_paths.begin() + first_path + paths);
  std::erase_if(body.pins, [&](const PinnedParticle& pin) {
    return pin.particle >= part.begin && pin.particle < end;
  });
  for (PinnedParticle& pin : body.pins) {
    if (pin.particle >= end) pin.particle -= part.count();
    if (pin.pin >= first_path) pin.pin -= paths;
  }
  for (Seam& seam : state.seams)
    if (seam.deformable == index) shift_stitches(seam, end, -part.count());
  body.count -= part.count();
  body.mass -= part.mass;
  body.constraints.clusters = cluster_ranges(body.count);
  body.parts.erase(body.parts.begin() + gone);
  defs.erase(defs.begin() + gone);
  body.order.clear();
  body.folds.clear();
  for (std::size_t n = 0; n < body.parts.size(); ++n) {
    if (body.parts[n].begin >= end) body.parts[n].begin -= part.count();
    for (const std::int32_t p : body.parts[n].order) body.order.push_back(body.parts[n].begin + p);
    body.folds.insert(body.folds.end(), defs[n].folds.begin(), defs[n].folds.end());
  }
  cloths.remove(id);
  for (const ClothId other : cloths.all())
    if (cloths[other] == index && cloth_part[other.index] > gone) --cloth_part[other.index];
  close_ranks();
  body.merged = merged_particles(body, state.seams, index);
  rebuild_cloth(index);
}

void World::Impl::forget_sides(std::int32_t deformable) {
  const std::uint32_t key = state.deformables[std::size_t(deformable)].key;
  std::erase_if(state.sides, [&](const RememberedSide& s) {
    return std::uint32_t(s.key >> 32) == key || std::uint32_t(s.key) == key;
  });
}

void World::Impl::drop_anchors_of(ClothId cloth) {
  drop_links([&](const AnchorPoint& point, const AnchorSide&) {
    const auto* vertex = std::get_if<ClothVertex>(&point);
    const auto* triangle = std::get_if<ClothTrianglePoint>(&point);
    return (vertex != nullptr && vertex->cloth == cloth) ||
           (triangle != nullptr && triangle->cloth == cloth);
  });
}

// --- vertices that become one
// ------------------------------------------------------------------------------

// Between steps: what has met becomes one, in the order of the seams.
void World::Impl::close_seams() {
  std::vector<std::int32_t> changed;
  for (Seam& seam : state.seams) {
    const Deformable& body = state.deformables[std::size_t(seam.deformable)];
    if (seam.closed || !awake(body)) continue;
    for (Stitch& s : seam.stitches) {
      if (s.state != Stitch::State::open ||
          !(length(stitch_gap(state.particles, body, s)) < seam.def.merge_distance))
        continue;
      s.state = s.to_edge() ? Stitch::State::joined : Stitch::State::merged;
      changed.push_back(seam.deformable);
    }
    seam.closed = std::none_of(seam.stitches.begin(), seam.stitches.end(),
                               [](const Stitch& s) { return s.state == Stitch::State::open; });
    const std::int32_t number = std::int32_t(&seam - state.seams.data());
    if (seam.closed)
      (stepping ? events : pending_events)
          .push_back(
              {EventKind::seam_closed, seam.def.a.cloth, seam.def.b.cloth, 0, seams.id_of(number)});
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (const std::int32_t index : changed) merge_particles(index);
}

void World::Impl::merge_particles(std::int32_t deformable) {
  Deformable& body = state.deformables[std::size_t(deformable)];
  const std::vector<std::int32_t> before = std::move(body.merged);
  body.merged = merged_particles(body, state.seams, deformable);
  if (body.merged == before) return place_seam_marks(deformable);
  gather_motion(state.particles, body, before);
  rebuild_cloth(deformable);
}

// Everything that follows from which particles are one: constraints, surface, masses, anchors.
// Places and velocities stay, but for those that were merged into another.
void World::Impl::rebuild_cloth(std::int32_t deformable) {
  Deformable& body = state.deformables[std::size_t(deformable)];
  std::vector<std::uint8_t> bends(std::size_t(body.count));
  for (const Seam& seam : state.seams)
    for (const Stitch& s : seam.stitches)
      if (seam.deformable == deformable && seam.def.bend && s.state == Stitch::State::merged)
        bends[std::size_t(body.root(s.a))] = 1;
  const std::vector<SurfaceVertex> old_vertices = std::move(body.surface.vertices);
  const std::vector<double> mass =
      assemble_cloth(deformable_defs[std::size_t(deformable)].cloths, bends, body);
  renumber_sides(deformable, old_vertices);
  std::vector<bool> held(std::size_t(body.count));
  for (const PinnedParticle& pin : body.pins) held[std::size_t(body.root(pin.particle))] = true;
  for (std::size_t n = 0; n < mass.size() && !body.frozen; ++n) {
    const std::size_t p = std::size_t(body.begin) + n;
    state.particles.force[p].w = Real(mass[n]);
    state.particles.d[p].w = held[n] || mass[n] <= 0 ? Real(0) : Real(1 / mass[n]);
  }
  copy_merged(state.particles, body);
  place_seam_marks(deformable);
  refresh_constraint_bases(state.particles, body, pool.get());
  const auto renumber = [&](const AnchorPoint& point, AnchorSide& side) {
    if (std::holds_alternative<ClothVertex>(point) ||
        std::holds_alternative<ClothTrianglePoint>(point))
      side = anchor_side(point, "").value();
  };
  for (Anchor& anchor : state.anchors)
    renumber(anchor.def.a, anchor.a), renumber(anchor.def.b, anchor.b);
  for (Joint& joint : state.joints) renumber(joint.def.a, joint.a), renumber(joint.def.b, joint.b);
  body.measured = measured = false;
  published_step = ~0ull;
}

// The sides on which vertices were of open surfaces go with them to their new numbers.
void World::Impl::renumber_sides(std::int32_t deformable,
                                 const std::vector<SurfaceVertex>& old_vertices) {
  const Deformable& body = state.deformables[std::size_t(deformable)];
  std::vector<std::int32_t> number(std::size_t(body.count), -1);
  for (std::size_t v = 0; v < body.surface.vertices.size(); ++v)
    number[std::size_t(body.surface.vertices[v].particle[0])] = std::int32_t(v);
  for (RememberedSide& s : state.sides)
    if (s.body_key == body.key)
      s.vertex = number[std::size_t(body.root(old_vertices[std::size_t(s.vertex)].particle[0]))];
  std::sort(state.sides.begin(), state.sides.end());
  const auto same = [](const RememberedSide& a, const RememberedSide& b) {
    return !(a < b) && !(b < a);
  };
  state.sides.erase(std::unique(state.sides.begin(), state.sides.end(), same), state.sides.end());
}

// Tells the surface where things come together: at seams that are still to close, and where
// vertices are held on edges.
void World::Impl::place_seam_marks(std::int32_t deformable) {
  Deformable& body = state.deformables[std::size_t(deformable)];
  std::vector<std::int32_t> mark(std::size_t(body.count), 0);
  bool any = false;
  for (std::size_t n = 0; n < state.seams.size(); ++n) {
    const Seam& seam = state.seams[n];
    if (seam.deformable != deformable) continue;
    for (const Stitch& s : seam.stitches) {
      if (seam.closed && s.state != Stitch::State::joined) continue;
      any = true;
      for (const std::int32_t p : {s.a, s.b[0], s.b[1]})
        mark[std::size_t(body.root(p))] = std::int32_t(n) + 1;
    }
  }
  body.surface.open_seam.clear();
  if (!any) return;
  for (const SurfaceVertex& v : body.surface.vertices)
    body.surface.open_seam.push_back(mark[std::size_t(v.particle[0])]);
}

// --- cutting and reading
// -----------------------------------------------------------------------------------

void World::Impl::drop_seam(SeamId id) {
  const std::int32_t number = seams[id];
  const std::int32_t index = state.seams[std::size_t(number)].deformable;
  wake_node(state.rigid.size() + index);
  seams.remove(id);
  state.seams.erase(state.seams.begin() + number);
  seams.close_gap(number);
  Deformable& body = state.deformables[std::size_t(index)];
  body.merged = merged_particles(body, state.seams, index);
  rebuild_cloth(index);
}

void World::Impl::drop_seams_of(ClothId cloth) {
  for (const SeamId id : seams.all()) {
    const SeamDef& seam = state.seams[std::size_t(seams[id])].def;
    if (seam.a.cloth == cloth || seam.b.cloth == cloth) drop_seam(id);
  }
}

SeamStatus World::seam_status(SeamId id) const {
  const State& state = impl_->state;
  const Seam& seam = state.seams[std::size_t(impl_->seams[id])];
  const Deformable& body = state.deformables[std::size_t(seam.deformable)];
  SeamStatus status;
  status.force = seam.force;
  for (const Stitch& s : seam.stitches) {
    ++status.stitches;
    status.merged += s.state == Stitch::State::merged;
    status.joined += s.state == Stitch::State::joined;
    status.open += s.state == Stitch::State::open;
    status.gap = std::max(status.gap, length(stitch_gap(state.particles, body, s)));
  }
  return status;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
