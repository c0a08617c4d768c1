// Cloths that are sewn to each other become one body, and leave it.
#include <algorithm>

#include "build/pack.h"
#include "world/sewing.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

std::array<std::vector<Vec4>*, 6> arrays_of(Particles& p) {
  return {&p.base, &p.d, &p.d_before, &p.velocity, &p.force, &p.settled};
}

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
  body.tangled = std::max(body.tangled, other.tangled);
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
}  // namespace PLIANT_ABI
}  // namespace pliant
