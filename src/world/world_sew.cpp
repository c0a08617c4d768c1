// Sewing: cloths that are sewn to each other become one body (world_sew_bodies.cpp), and vertices
// that have met one particle (world_sew_merge.cpp). docs/architecture.md says what else knows of
// it. Here: adding, cutting and reading seams.
#include <algorithm>

#include "constraints/seam.h"
#include "scene/check_definitions.h"
#include "world/sewing.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

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
