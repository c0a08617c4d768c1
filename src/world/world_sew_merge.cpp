// Vertices that have met become one particle, and what follows from it.
#include <algorithm>

#include "build/self_particles.h"
#include "constraints/seam.h"
#include "solver/particle_stages.h"
#include "world/sewing.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }
Vec4 with_w(const Vec3& v, Real w) { return {Real(v.x), Real(v.y), Real(v.z), w}; }

std::vector<bool> held_particles(const Deformable& body) {
  std::vector<bool> held(std::size_t(body.count));
  for (const PinnedParticle& pin : body.pins) held[std::size_t(pin.particle)] = true;
  return held;
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
          .push_back({.kind = EventKind::seam_closed,
                      .a = seam.def.a.cloth,
                      .b = seam.def.b.cloth,
                      .seam = seams.id_of(number)});
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
  body.self_particles.seam.clear();
  if (!any) return;
  for (const SurfaceVertex& v : body.surface.vertices)
    body.surface.open_seam.push_back(mark[std::size_t(v.particle[0])]);
  if (!body.self_particles.empty()) mark_open_seams(body.surface, mark, body.self_particles);
}
}  // namespace PLIANT_ABI
}  // namespace pliant
