#include "solver/sheet_stages.h"

#include <algorithm>
#include <bit>

#include "constraints/contact_sheet.h"
#include "constraints/guards.h"
#include "constraints/shift.h"
#include "model/rigid.h"
#include "narrowphase/sheet_distance.h"

namespace pliant {
namespace {

constexpr int k_batch_grain = 32;
constexpr int k_overflow = 63;      // the last colour
constexpr Real k_live = Real(1.1);  // thicknesses
// Thicknesses that rims and ridges keep, whose nearest points are on the border of a feature, once
// they are that near. Where a neighbour is nearer, as on all that lies flat, that one keeps them
// further apart than this: with more, or from further away, they would brake what slides.
constexpr Real k_rim = Real(0.9);
// Of the push speed. What comes apart keeps its velocity here: of a pile of sheets each is pushed
// from both sides, and what one contact would leave out the next one would put in.
constexpr double k_push = 0.1;
// Likewise, towards the right side of another sheet: that is no velocity.
constexpr double k_push_through = 0.3;

SheetNearestW nearest(SheetFeature feature, const Vec3W& r1, const Vec3W& r2, const Vec3W& r3) {
  return feature == SheetFeature::edge_edge ? nearest_edge_edge(r1, r2, r3)
                                            : nearest_vertex_triangle(r1, r2, r3);
}

constexpr int k_colours = k_overflow + 1;
using SlotSizes = std::array<std::int32_t, std::size_t(2 * k_colours)>;  // by colour and feature
std::size_t slot_of(int colour, SheetFeature feature) {
  return std::size_t(2 * colour + (feature == SheetFeature::edge_edge ? 1 : 0));
}

// Colours the candidates of a level; returns how many there are of each colour and feature.
SlotSizes colour_level(std::span<const SheetCandidate> candidates, int level,
                       const Particles& particles, PackScratch& scratch) {
  SlotSizes sizes{};
  scratch.members.clear();
  scratch.colour.clear();
  scratch.marks.resize(std::size_t(particles.size()), 0);
  const auto moves = [&](std::int32_t p) { return particles.d[std::size_t(p)].w > 0; };
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    const SheetCandidate& c = candidates[n];
    if (c.level != level) continue;
    std::uint64_t used = 0;
    for (const std::int32_t p : c.particle)
      if (moves(p)) used |= scratch.marks[std::size_t(p)];
    const int colour = std::min(std::countr_one(used), k_overflow);
    for (const std::int32_t p : c.particle)
      if (moves(p)) scratch.marks[std::size_t(p)] |= 1ull << colour;
    scratch.members.push_back(std::int32_t(n));
    scratch.colour.push_back(std::uint8_t(colour));
    ++sizes[slot_of(colour, c.feature)];
  }
  for (const std::int32_t n : scratch.members)
    for (const std::int32_t p : candidates[std::size_t(n)].particle)
      scratch.marks[std::size_t(p)] = 0;
  return sizes;
}

void put_lane(SheetBatch& b, const SheetCandidate& c, const SheetPair& pair,
              const Particles& particles) {
  const std::size_t lane = std::size_t(b.lanes);
  const int k = b.lanes++;
  if (c.outer != 0) {
    std::uint8_t& outer = c.outer > 0 ? b.outer_b : b.outer_a;
    outer = std::uint8_t(outer | 1u << k);
  }
  const Vec4& origin = particles.base[std::size_t(c.particle[0])];
  for (std::size_t n = 0; n < 4; ++n) b.particle[n][lane] = c.particle[n];
  for (std::size_t n = 1; n < 4; ++n) {
    const Vec4& base = particles.base[std::size_t(c.particle[n])];
    b.from[n - 1].x[k] = base.x - origin.x;
    b.from[n - 1].y[k] = base.y - origin.y;
    b.from[n - 1].z[k] = base.z - origin.z;
  }
  b.pair[lane] = c.pair;
  b.thickness[k] = c.thickness;
  b.friction_static[k] = pair.friction_static;
  b.friction_kinetic[k] = pair.friction_kinetic;
}

void refresh_batch(SheetBatch& b, const Particles& particles, std::span<const Vec4> begin,
                   const SheetSides& sides, Real pushed) {
  const auto at = [&](std::size_t k) { return gather(begin.data(), b.particle[k].data()).xyz(); };
  const Vec3W origin = at(0);
  const std::array<Vec3W, 3> r{b.from[0] + (at(1) - origin), b.from[1] + (at(2) - origin),
                               b.from[2] + (at(3) - origin)};
  const SheetNearestW near = nearest(b.feature, r[0], r[1], r[2]);
  const RealW zero = splat(0);
  b.weight = near.weight;
  b.distance = sqrt(dot(near.between, near.between));
  const MaskW apart = b.distance > splat(Real(1e-9));
  b.normal = near.between * select(apart, splat(1) / select(apart, b.distance, splat(1)), zero);
  MaskW acts = apart;
  if ((b.outer_b | b.outer_a) != 0) turn_wrong_lanes(b, near, r, sides.normals);
  acts &= near.proper | ((b.distance > zero) & (b.distance < k_rim * b.thickness));
  if (!sides.loose.empty()) acts &= ~let_go(b, near, r, sides);
  b.kept = select(near.proper, b.thickness, k_rim * b.thickness);
  const MaskW nears = distance_now(b, gather_sheet(b, particles.d)) < k_live * b.kept;
  b.live = any(nears & acts);
  if (!b.live) return;
  const RealW push =
      select(b.distance < zero, splat(Real(k_push_through / k_push) * pushed), splat(pushed));
  b.target = select(acts, min(b.kept, b.distance + push), splat(-1));
  b.multiplier = zero;
  b.rubbed = {zero, zero, zero};
}

}  // namespace

namespace {

// Where the batches of each colour and feature begin; those of the overflow have one lane.
void lay_out(const SlotSizes& sizes, std::vector<std::int32_t>& next, SheetLevel& level) {
  next.assign(sizes.size(), 0);
  level.colour_begin.assign(1, 0);
  level.serial = false;
  std::int32_t batches = 0;
  for (int colour = 0; colour < k_colours; ++colour) {
    const int wide = colour == k_overflow ? 1 : k_lanes;
    for (const SheetFeature feature : {SheetFeature::vertex_triangle, SheetFeature::edge_edge}) {
      const std::size_t slot = slot_of(colour, feature);
      next[slot] = batches * k_lanes;
      batches += (sizes[slot] + wide - 1) / wide;
    }
    if (batches == level.colour_begin.back()) break;
    level.colour_begin.push_back(batches);
    level.serial = colour == k_overflow;
  }
  level.batches.resize(std::size_t(batches));
  for (SheetBatch& b : level.batches) b.lanes = 0;
}

void start_batch(SheetBatch& b, SheetFeature feature, const Deformable& body) {
  for (Lanes& lanes : b.particle) lanes.fill(body.begin + body.count);
  for (Vec3W& from : b.from) from = Vec3W{};
  b.thickness = b.friction_static = b.friction_kinetic = RealW{};
  b.feature = feature;
  b.outer_b = b.outer_a = 0;
}

void pack_level(std::span<const Deformable> bodies, const Particles& particles, int index,
                PackScratch& scratch, SheetContacts& contacts) {
  SheetLevel& level = contacts.levels[std::size_t(index)];
  level.packed = true;
  lay_out(colour_level(contacts.candidates, index, particles, scratch), scratch.next, level);
  for (std::size_t n = 0; n < scratch.members.size(); ++n) {
    const SheetCandidate& c = contacts.candidates[std::size_t(scratch.members[n])];
    std::int32_t& next = scratch.next[slot_of(scratch.colour[n], c.feature)];
    SheetBatch& b = level.batches[std::size_t(next / k_lanes)];
    next += scratch.colour[n] == k_overflow ? k_lanes : 1;
    const SheetPair& pair = contacts.pairs[std::size_t(c.pair)];
    if (b.lanes == 0) start_batch(b, c.feature, bodies[std::size_t(pair.b)]);
    put_lane(b, c, pair, particles);
  }
}

}  // namespace

int needs_levels(const SheetContacts& contacts, Real stray) {
  Real thickness = 0;
  for (const SheetPair& pair : contacts.pairs) thickness = std::max(thickness, pair.thickness);
  int levels = 2;
  while (levels < k_sheet_levels &&
         (Real(k_level_begin[std::size_t(levels)]) - k_live) * thickness < 2 * stray)
    ++levels;
  return levels;
}

void choose_levels(std::span<const Deformable> bodies, const Particles& particles, Real stray,
                   PackScratch& scratch, SheetContacts& contacts) {
  contacts.used = needs_levels(contacts, stray);
  for (int n = 0; n < contacts.used; ++n)
    if (!contacts.levels[std::size_t(n)].packed)
      pack_level(bodies, particles, n, scratch, contacts);
}

void refresh_level(SheetLevel& level, const Particles& particles, std::span<const Vec4> begin,
                   const SheetSides& sides, double h, double push_speed, TaskPool* pool) {
  std::vector<SheetBatch>& batches = level.batches;
  parallel_for(pool, int(batches.size()), k_batch_grain, [&](int first, int last) {
    for (int i = first; i < last; ++i)
      refresh_batch(batches[std::size_t(i)], particles, begin, sides,
                    Real(k_push * push_speed * h));
  });
}

void refresh_sheets(SheetContacts& contacts, const Particles& particles,
                    std::span<const Vec4> begin, const SheetSides& sides, double h,
                    double push_speed, TaskPool* pool) {
  for (std::size_t n = 0; n < std::size_t(contacts.used); ++n)
    refresh_level(contacts.levels[n], particles, begin, sides, h, push_speed, pool);
}

void forget_pushes(const SheetContacts& contacts, std::span<const Deformable> bodies,
                   Particles& particles) {
  const auto is_tangled = [&](std::int32_t pair) {
    const SheetPair& p = contacts.pairs[std::size_t(pair)];
    return bodies[std::size_t(p.b)].tangled != 0 || bodies[std::size_t(p.a)].tangled != 0;
  };
  const auto visit = [&](const SheetBatch& b) {
    const MaskW pushed = (b.distance < b.target) & (b.multiplier > splat(0));
    unsigned lanes = lane_bits(pushed) & (b.outer_b | b.outer_a);
    for (int k = 0; k < b.lanes; ++k)
      if (!is_tangled(b.pair[std::size_t(k)])) lanes &= ~(1u << k);
    if (lanes == 0) return;
    std::array<Vec4W, 4> before = gather_sheet(b, particles.d_before);
    RealW weight = splat(0);
    for (std::size_t k = 0; k < 4; ++k) weight += before[k].w * b.weight[k] * b.weight[k];
    const RealW change = min(b.multiplier, (b.target - b.distance) / max(weight, splat(k_tiny)));
    for (std::size_t k = 0; k < 4; ++k) {
      shift(before[k], change * before[k].w * b.weight[k], b.normal);
      scatter_lanes(particles.d_before.data(), b.particle[k].data(), before[k], lanes);
    }
  };
  for (std::size_t n = 0; n < std::size_t(contacts.used); ++n)
    for (const SheetBatch& b : contacts.levels[n].batches)
      if (b.live && (b.outer_b | b.outer_a) != 0) visit(b);
}

void note_wrong_sides(const SheetContacts& contacts, std::span<Deformable> bodies) {
  for (std::size_t n = 0; n < std::size_t(contacts.used); ++n)
    for (const SheetBatch& b : contacts.levels[n].batches) {
      if (!b.live || (b.outer_b | b.outer_a) == 0) continue;
      const MaskW wrong = (b.distance < splat(0)) & (b.target >= b.distance);  // those that act
      unsigned lanes = lane_bits(wrong) & (b.outer_b | b.outer_a);
      for (; lanes != 0; lanes &= lanes - 1) {
        const std::size_t lane = std::size_t(std::countr_zero(lanes));
        const SheetPair& pair = contacts.pairs[std::size_t(b.pair[lane])];
        for (const std::int32_t body : {pair.b, pair.a})
          bodies[std::size_t(body)].tangled = k_tangled_substeps;
      }
    }
}

void project_sheets(SheetContacts& contacts, Particles& particles, TaskPool* pool) {
  for (std::size_t n = 0; n < std::size_t(contacts.used); ++n) {
    SheetLevel& level = contacts.levels[n];
    for (int c = 0; c < level.colours(); ++c) {
      const std::int32_t first = level.colour_begin[std::size_t(c)];
      const std::int32_t count = level.colour_begin[std::size_t(c) + 1] - first;
      const bool serial = level.serial && c + 1 == level.colours();
      parallel_for(serial ? nullptr : pool, count, k_batch_grain, [&](int begin, int end) {
        for (std::int32_t i = first + begin; i < first + end; ++i) {
          SheetBatch& b = level.batches[std::size_t(i)];
          if (b.live) project_sheet_batch(b, particles);
        }
      });
    }
  }
}

}  // namespace pliant
