// Vertices of a deformable against triangles of another one, or of itself, and edges against sharp
// edges.
#include "narrowphase/deformable_search.h"

#include <algorithm>
#include <cmath>

#include "model/surface_pair.h"
#include "narrowphase/self_near.h"

namespace pliant {
namespace {

// The triangles or sharp edges near a body, in a grid of buckets by the lower ends of their boxes
// along the two longest axes of the region: those that meet a box are in few buckets of few rows.
struct Buckets {
  static constexpr int k_side = 16;
  static constexpr int k_count = k_side * k_side;
  struct Axis {
    int axis = 0;
    Real low = 0, inverse_width = 0, widest = 0;

    int bucket(Real x) const {
      const Real b = (x - low) * inverse_width;
      return b <= 0 ? 0 : b >= Real(k_side - 1) ? k_side - 1 : int(b);
    }
    int first(const SweptBox& box) const { return bucket(along(box.low, axis) - widest); }
    int last(const SweptBox& box) const { return bucket(along(box.high, axis)); }
  };
  std::vector<std::int32_t>&near, &sorted;
  std::vector<std::uint8_t>& bucket_of;  // beside near
  std::int32_t begin[k_count + 1] = {};
  Axis row, column;

  explicit Buckets(ContactSlots& memory)
      : near(memory.near), sorted(memory.sorted), bucket_of(memory.bucket_of) {}

  static Real along(const Vec4& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

  Axis measured(int axis, const std::vector<SweptBox>& boxes, const SweptBox& region) const {
    Axis a{axis};
    for (const std::int32_t t : near) {
      const SweptBox& b = boxes[std::size_t(t)];
      a.widest = std::max(a.widest, along(b.high, axis) - along(b.low, axis));
    }
    a.low = along(region.low, axis) - a.widest;
    a.inverse_width = Real(k_side) / std::max(along(region.high, axis) - a.low, Real(1e-6));
    return a;
  }
  void fill(const std::vector<SweptBox>& boxes, const SweptBox& region) {
    near.clear();
    for (std::size_t t = 0; t < boxes.size(); ++t)
      if (meet(boxes[t], region)) near.push_back(std::int32_t(t));
    const Real x = region.high.x - region.low.x, y = region.high.y - region.low.y,
               z = region.high.z - region.low.z;
    const int shortest = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
    row = measured(shortest == 0 ? 1 : 0, boxes, region);
    column = measured(shortest == 2 ? 1 : 2, boxes, region);
    std::fill(std::begin(begin), std::end(begin), 0);
    bucket_of.resize(near.size());
    for (std::size_t n = 0; n < near.size(); ++n) {
      const Vec4& l = boxes[std::size_t(near[n])].low;
      const int b = row.bucket(along(l, row.axis)) * k_side + column.bucket(along(l, column.axis));
      bucket_of[n] = std::uint8_t(b);
      ++begin[b + 1];
    }
    for (int b = 0; b < k_count; ++b) begin[b + 1] += begin[b];
    std::int32_t next[k_count];
    std::copy(begin, begin + k_count, next);
    sorted.resize(near.size());
    for (std::size_t n = 0; n < near.size(); ++n)
      sorted[std::size_t(next[bucket_of[n]]++)] = near[n];
  }
  // Calls visit(item) for each whose box may meet this one.
  template <class Visit>
  void each_near(const SweptBox& box, const Visit& visit) const {
    const int from = column.first(box), to = column.last(box), last = row.last(box);
    for (int r = row.first(box); r <= last; ++r)
      for (std::int32_t n = begin[r * k_side + from]; n < begin[r * k_side + to + 1]; ++n)
        visit(sorted[std::size_t(n)]);
  }
};

CandidateTriangle candidate(const Deformable& other, std::int32_t triangle) {
  CandidateTriangle c{triangle, {}};
  if (!other.surface.direct) return c;
  const Triangle& tri = other.surface.triangles[std::size_t(triangle)];
  for (std::size_t n = 0; n < 3; ++n)
    c.particle[n] = other.begin + other.surface.vertices[std::size_t(tri[n])].particle[0];
  return c;
}

}  // namespace

ContactPair make_pair_of(const Deformable& body, std::int32_t index, std::uint32_t other_key,
                         const Surface& other, const ContactSlots& slots) {
  ContactPair pair;
  pair.key = std::uint64_t(std::min(body.key, other_key)) << 32 | std::max(body.key, other_key);
  pair.body = index;
  pair.batch_begin = pair.batch_end = std::int32_t(slots.batches.size());
  pair.slot_begin = pair.slot_end = std::int32_t(slots.slots.size());
  const SurfacePair surface = combined(body.contact, other);
  pair.friction_static = Real(surface.friction_static);
  pair.friction_kinetic = Real(surface.friction_kinetic);
  pair.restitution = Real(surface.restitution);
  return pair;
}

void append_pair(ContactPair& pair, ContactSlots& slots) {
  pair.batch_end = std::int32_t(slots.batches.size());
  pair.slot_end = std::int32_t(slots.slots.size());
  if (pair.batch_end > pair.batch_begin || pair.slot_end > pair.slot_begin)
    slots.pairs.push_back(pair);
}

void copy_pairs(const ContactSlots& from, std::uint64_t key, ContactSlots& to) {
  for (const ContactPair& old : from.pairs) {
    if (old.key != key) continue;
    const std::int32_t index = std::int32_t(to.pairs.size());
    ContactPair pair = old;
    pair.batch_begin = std::int32_t(to.batches.size());
    pair.slot_begin = std::int32_t(to.slots.size());
    for (std::int32_t b = old.batch_begin; b < old.batch_end; ++b) {
      to.batches.push_back(from.batches[std::size_t(b)]);
      to.batches.back().pair = index;
    }
    for (std::int32_t s = old.slot_begin; s < old.slot_end; ++s) {
      ContactSlot slot = from.slots[std::size_t(s)];
      const auto first = from.candidates.begin() + slot.first;
      slot.pair = index;
      slot.first = std::int32_t(to.candidates.size());
      to.candidates.insert(to.candidates.end(), first, first + slot.count);
      to.slots.push_back(slot);
    }
    pair.batch_end = std::int32_t(to.batches.size());
    pair.slot_end = std::int32_t(to.slots.size());
    to.pairs.push_back(pair);
  }
}

namespace {

void search_vertices(const Deformable& soft, const SweptSurface& swept, const Deformable& obstacle,
                     const SweptSurface& swept_other, const SweptBox& region, ContactSlots& slots) {
  const std::int32_t pair_index = std::int32_t(slots.pairs.size());
  Buckets buckets(slots);
  buckets.fill(swept_other.triangle, region);
  if (buckets.near.empty()) return;
  for (std::size_t v = 0; v < swept.vertex.size(); ++v) {
    const SweptBox& box = swept.vertex[v];
    if (!meet(box, region)) continue;
    const std::int32_t first = std::int32_t(slots.candidates.size());
    buckets.each_near(box, [&](std::int32_t t) {
      if (!meet(swept_other.triangle[std::size_t(t)], box)) return;
      if (&soft != &obstacle || may_meet_itself(soft, std::int32_t(v), t))
        slots.candidates.push_back(candidate(obstacle, t));
    });
    const std::int32_t count = std::int32_t(slots.candidates.size()) - first;
    if (count == 0) continue;
    std::sort(slots.candidates.begin() + first, slots.candidates.end(),
              [](const CandidateTriangle& a, const CandidateTriangle& b) {
                return a.triangle < b.triangle;
              });
    slots.slots.push_back(
        {ContactKind::vertex_triangle, pair_index, std::int32_t(v), first, count, -1, {}});
  }
}

// Against the sharp edges of a solid: all edges of a cloth, the sharp ones of another solid, which
// of the two orders of the pair has only one.
bool meets_by_edges(const Deformable& soft, const Deformable& obstacle) {
  if (obstacle.surface.sharp.empty()) return false;
  return soft.kind == DeformableKind::cloth || soft.key < obstacle.key;
}

void search_edges(const Deformable& soft, const SweptSurface& swept,
                  const SweptSurface& swept_other, const SweptBox& region, ContactSlots& slots) {
  const std::int32_t pair_index = std::int32_t(slots.pairs.size());
  Buckets buckets(slots);
  buckets.fill(swept_other.sharp, region);
  if (buckets.near.empty()) return;
  const auto search_edge = [&](std::size_t edge, const SweptBox& box) {
    if (!meet(box, region)) return;
    const auto first = std::ptrdiff_t(slots.slots.size());
    buckets.each_near(box, [&](std::int32_t e) {
      if (!meet(swept_other.sharp[std::size_t(e)], box)) return;
      ContactSlot& slot = slots.slots.emplace_back();
      slot.kind = ContactKind::edge_edge;
      slot.pair = pair_index;
      slot.feature = std::int32_t(edge);
      slot.sharp = e;
    });
    std::sort(slots.slots.begin() + first, slots.slots.end(),
              [](const ContactSlot& a, const ContactSlot& b) { return a.sharp < b.sharp; });
  };
  const DeformableSurface& surface = soft.surface;
  if (surface.closed)
    for (std::size_t e = 0; e < surface.sharp.size(); ++e) search_edge(e, swept.sharp[e]);
  else
    for (std::size_t e = 0; e < surface.edges.size(); ++e)
      search_edge(e, edge_box(swept, surface.edges[e]));
}

}  // namespace

void search_deformable(const Particles& particles, std::span<const Deformable> bodies,
                       std::int32_t body, SweptSurface& swept, std::int32_t other,
                       SweptSurface& swept_other, const SearchContext& context,
                       ContactSlots& slots) {
  const Deformable &soft = bodies[std::size_t(body)], &obstacle = bodies[std::size_t(other)];
  if (!meet(swept.all, swept_other.all)) return;
  detail_surface(particles, soft, context, swept);
  detail_surface(particles, obstacle, context, swept_other);
  ContactPair pair = make_pair_of(soft, body, obstacle.key, obstacle.contact, slots);
  pair.other = other;
  pair.thickness = Real(0.5 * (soft.thickness + obstacle.thickness));
  SweptBox region;
  store4(&region.low, max4(low_of(swept.all), low_of(swept_other.all)));
  store4(&region.high, min4(high_of(swept.all), high_of(swept_other.all)));
  search_vertices(soft, swept, obstacle, swept_other, region, slots);
  if (meets_by_edges(soft, obstacle)) search_edges(soft, swept, swept_other, region, slots);
  append_pair(pair, slots);
}

}  // namespace pliant
