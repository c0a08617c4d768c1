#include "narrowphase/sheet_search.h"

#include <algorithm>
#include <bit>

#include "model/rigid.h"
#include "narrowphase/sewn_rest.h"
#include "narrowphase/sheet_distance.h"

namespace pliant {
namespace {

constexpr int k_pair_grain = 64;

// Features whose neighbours are nearer, and that will hardly slide to where they are not, count as
// further away than they are: in thicknesses, how near they may come and how far slide. Further
// apart than k_idle_wait they are none at all.
constexpr Real k_idle_least = Real(0.9), k_idle_slide = Real(0.25), k_idle_wait = 1;
constexpr std::uint8_t k_idle_level = k_sheet_levels - 1;
constexpr Real k_of_rest = Real(0.9);  // of the distance in the rest shape

// The boxes of a leaf's triangles.
struct LeafBoxes {
  Vec3W low, high, motion_low, motion_high;
};

Vec3W lower(const Vec3W& a, const Vec3W& b) {
  return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
}
Vec3W upper(const Vec3W& a, const Vec3W& b) {
  return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
}

LeafBoxes leaf_boxes(const Deformable& body, const SheetLeaf& leaf, const SheetMotion& motion) {
  const auto range = [&](const std::vector<Vec4>& array, Vec3W& low, Vec3W& high) {
    const Vec4* at = array.data() + body.begin;
    const Vec3W a = gather(at, leaf.corner[0].data()).xyz();
    const Vec3W b = gather(at, leaf.corner[1].data()).xyz();
    const Vec3W c = gather(at, leaf.corner[2].data()).xyz();
    low = lower(a, lower(b, c));
    high = upper(a, upper(b, c));
  };
  LeafBoxes boxes;
  range(motion.place, boxes.low, boxes.high);
  range(motion.motion, boxes.motion_low, boxes.motion_high);
  return boxes;
}

// Which triangles of `a` come within reach of triangle k of `b`.
unsigned triangles_in_reach(const LeafBoxes& b, int k, const LeafBoxes& a, Real reach) {
  const RealW zero = splat(0);
  MaskW apart = zero > 0;
  const auto axis = [&](RealW b_low, RealW b_high, RealW b_motion_low, RealW b_motion_high,
                        RealW a_low, RealW a_high, RealW a_motion_low, RealW a_motion_high) {
    const RealW nearest = b_low[k] - a_high + min(zero, b_motion_low[k] - a_motion_high);
    const RealW furthest = b_high[k] - a_low + max(zero, b_motion_high[k] - a_motion_low);
    apart |= (nearest > reach) | (furthest < -reach);
  };
  axis(b.low.x, b.high.x, b.motion_low.x, b.motion_high.x, a.low.x, a.high.x, a.motion_low.x,
       a.motion_high.x);
  axis(b.low.y, b.high.y, b.motion_low.y, b.motion_high.y, a.low.y, a.high.y, a.motion_low.y,
       a.motion_high.y);
  axis(b.low.z, b.high.z, b.motion_low.z, b.motion_high.z, a.low.z, a.high.z, a.motion_low.z,
       a.motion_high.z);
  return ~lane_bits(apart) & 0xffu;
}

// Feature pairs that wait until there are eight of a kind: with an order or without.
struct Waiting {
  SheetFeature feature = SheetFeature::vertex_triangle;
  bool ordered = false;
  std::array<Lanes, 4> particle{};
  std::array<std::int8_t, std::size_t(k_lanes)> outer{};
  unsigned by_seams = 0;  // lanes whose distance at rest is that of sewn_rest.h
  int count = 0;
};

// Goes through pairs of leaves and keeps the feature pairs that come within reach.
class Features {
 public:
  Features(const Deformable& b, const Deformable& a, std::int32_t pair, Real thickness,
           bool ordered, const SheetMotion& motion, Real reach,
           std::span<const std::uint8_t> strayed, std::vector<SheetCandidate>& out)
      : b_(b),
        a_(a),
        pair_(pair),
        thickness_(thickness),
        ordered_(ordered),
        sewn_(&b == &a && !b.sewn.empty()),
        motion_(motion),
        reach_(reach),
        strayed_(strayed),
        out_(out) {}

  void visit(const LeafPair& leaves) {
    const SheetLeaf& mine = b_.tree.leaves[std::size_t(leaves.first)];
    const SheetLeaf& other = a_.tree.leaves[std::size_t(leaves.second)];
    const bool itself = &mine == &other;
    const LeafBoxes boxes = leaf_boxes(b_, mine, motion_);
    const LeafBoxes other_boxes = itself ? boxes : leaf_boxes(a_, other, motion_);
    const unsigned mine_strayed = strayed_triangles(b_, mine);
    const unsigned other_strayed = itself ? mine_strayed : strayed_triangles(a_, other);
    for (int k = 0; k < mine.count; ++k) {
      const unsigned looked_at = (mine_strayed >> k & 1) != 0 ? 0xffu : other_strayed;
      if (looked_at == 0) continue;
      unsigned near =
          triangles_in_reach(boxes, k, other_boxes, reach_) & looked_at & ((1u << other.count) - 1);
      if (itself) near &= ~((2u << k) - 1);  // each pair once, and none with itself
      for (; near != 0; near &= near - 1)
        visit_triangles(mine.triangle[std::size_t(k)],
                        other.triangle[std::size_t(std::countr_zero(near))]);
    }
  }

  void finish() {
    for (Waiting* waiting : {&vertices_, &edges_, &ordered_vertices_, &ordered_edges_})
      flush(*waiting);
  }

 private:
  // Which triangles of a leaf have a particle that has strayed; all, if everything is looked at.
  unsigned strayed_triangles(const Deformable& body, const SheetLeaf& leaf) const {
    if (strayed_.empty()) return 0xffu;
    unsigned lanes = 0;
    for (const Lanes& corner : leaf.corner)
      for (std::size_t k = 0; k < corner.size(); ++k)
        lanes |= unsigned(strayed_[std::size_t(body.begin + corner[k])] != 0) << k;
    return lanes;
  }

  static std::int32_t particle(const Deformable& body, std::int32_t vertex) {
    return body.begin + body.surface.vertices[std::size_t(vertex)].particle[0];
  }
  static std::array<std::int32_t, 3> corners(const Deformable& body, std::int32_t triangle) {
    const Triangle& t = body.surface.triangles[std::size_t(triangle)];
    return {particle(body, t[0]), particle(body, t[1]), particle(body, t[2])};
  }

  void visit_triangles(std::int32_t mine, std::int32_t other) {
    visit_vertices(b_, mine, a_, other);
    visit_vertices(a_, other, b_, mine);
    for (const std::int32_t e : b_.surface.owned_edges[std::size_t(mine)]) {
      if (e < 0) continue;
      const auto& edge = b_.surface.edges[std::size_t(e)];
      const SewnFeature side = named(b_, b_.sewn.edges, e);
      const std::int32_t p = particle(b_, edge[0]), q = particle(b_, edge[1]);
      for (const std::int32_t f : a_.surface.owned_edges[std::size_t(other)]) {
        if (f < 0) continue;
        const auto& against = a_.surface.edges[std::size_t(f)];
        const std::int32_t r = particle(a_, against[0]), s = particle(a_, against[1]);
        if (p != r && p != s && q != r && q != s && !at_one_seam(edge, against))
          add(SheetFeature::edge_edge, side, named(a_, a_.sewn.edges, f), {p, q, r, s});
      }
    }
  }

  // The feature n of a kind.
  static SewnFeature named(const Deformable& body, const std::vector<SewnFeature>& features,
                           std::int32_t n) {
    return features.empty() ? SewnFeature{0, body.layer} : features[std::size_t(n)];
  }
  static std::int8_t outer_of(const SewnFeature& b, const SewnFeature& a) {
    if (b.layer == 0 || a.layer == 0 || b.layer == a.layer) return 0;
    return b.layer > a.layer ? 1 : -1;
  }

  // Where a seam is about to close, things come together.
  template <class B, class A>
  bool at_one_seam(const B& b, const A& a) const {
    const std::vector<std::int32_t>& seam = b_.surface.open_seam;
    if (&b_ != &a_ || seam.empty()) return false;
    for (const std::int32_t v : b)
      for (const std::int32_t w : a)
        if (seam[std::size_t(v)] != 0 && seam[std::size_t(v)] == seam[std::size_t(w)]) return true;
    return false;
  }

  void visit_vertices(const Deformable& body, std::int32_t owner, const Deformable& other,
                      std::int32_t triangle) {
    const std::array<std::int32_t, 3> t = corners(other, triangle);
    const Triangle& vertices = other.surface.triangles[std::size_t(triangle)];
    const SewnFeature side = named(other, other.sewn.triangles, triangle);
    for (const std::int32_t v : body.surface.owned_vertices[std::size_t(owner)]) {
      if (v < 0) continue;
      const std::int32_t p = particle(body, v);
      if (p != t[0] && p != t[1] && p != t[2] && !at_one_seam(std::array{v}, vertices))
        add(SheetFeature::vertex_triangle, named(body, body.sewn.particles, p - body.begin), side,
            {p, t[0], t[1], t[2]});
    }
  }

  bool concerns(const std::array<std::int32_t, 4>& particles) const {
    return strayed_.empty() || std::any_of(particles.begin(), particles.end(), [&](std::int32_t p) {
             return strayed_[std::size_t(p)] != 0;
           });
  }

  void add(SheetFeature feature, const SewnFeature& b, const SewnFeature& a,
           const std::array<std::int32_t, 4>& particles) {
    if (!concerns(particles) || (sewn_ && !b_.sewn_features_meet(b, a))) return;
    const std::int8_t outer = ordered_ ? outer_of(b, a) : std::int8_t(0);
    Waiting& waiting = feature == SheetFeature::edge_edge
                           ? (outer != 0 ? ordered_edges_ : edges_)
                           : (outer != 0 ? ordered_vertices_ : vertices_);
    const std::size_t lane = std::size_t(waiting.count);
    for (std::size_t k = 0; k < 4; ++k) waiting.particle[k][lane] = particles[k];
    waiting.outer[lane] = outer;
    if (sewn_ && (b.part != a.part || touch_seam(particles))) waiting.by_seams |= 1u << lane;
    if (++waiting.count == k_lanes) flush(waiting);
  }

  bool touch_seam(const std::array<std::int32_t, 4>& particles) const {
    return std::any_of(particles.begin(), particles.end(), [&](std::int32_t p) {
      return b_.sewn.particles[std::size_t(p - b_.begin)].part < 0;
    });
  }

  void flush(Waiting& waiting) {
    if (waiting.count > 0) keep_near(waiting);
    waiting.count = 0;
    waiting.by_seams = 0;
  }

  // Keeps what may come within reach: along the line between the nearest points both sides are
  // apart by their distance, less what they can close in along it.
  void keep_near(Waiting& waiting) {
    for (std::size_t k = 0; k < 4; ++k)
      for (int n = waiting.count; n < k_lanes; ++n)
        waiting.particle[k][std::size_t(n)] = waiting.particle[k][0];
    const auto at = [&](const std::vector<Vec4>& array, std::size_t k) {
      return gather(array.data(), waiting.particle[k].data()).xyz();
    };
    const Vec3W x0 = at(motion_.place, 0), r1 = at(motion_.place, 1) - x0,
                r2 = at(motion_.place, 2) - x0, r3 = at(motion_.place, 3) - x0;
    const bool edges = waiting.feature == SheetFeature::edge_edge;
    const SheetNearestW near =
        edges ? nearest_edge_edge(r1, r2, r3) : nearest_vertex_triangle(r1, r2, r3);
    const Vec3W& n = near.between;
    const RealW distance = sqrt(dot(n, n));
    const Vec3W w0 = at(motion_.motion, 0), w1 = at(motion_.motion, 1), w2 = at(motion_.motion, 2),
                w3 = at(motion_.motion, 3);
    const RealW m0 = dot(n, w0), m1 = dot(n, w1), m2 = dot(n, w2), m3 = dot(n, w3);
    const RealW closing = edges ? max(m2, m3) - min(m0, m1) : max(m1, max(m2, m3)) - m0;
    const RealW closed = max(closing, splat(0)) / max(distance, splat(Real(1e-30)));
    const RealW least = distance - closed;
    const Real reach = reach_of(waiting);
    const MaskW in_reach = least <= reach;
    if (!any(in_reach)) return;
    const Vec3W slide =
        w0 * near.weight[0] + w1 * near.weight[1] + w2 * near.weight[2] + w3 * near.weight[3];
    const MaskW idle =
        ~near.proper & (least > k_idle_least * thickness_) &
        (dot(slide, slide) < splat(k_idle_slide * k_idle_slide * thickness_ * thickness_));
    MaskW waits = idle & (least > k_idle_wait * thickness_);  // until it is nearer
    if (waiting.ordered) waits |= ~near.proper & (least > thickness_);
    RealW thickness = splat(thickness_);
    if (&b_ == &a_) {
      const RealW rest = rest_distance(waiting);
      thickness = min(thickness, k_of_rest * rest);
      waits |= rest <= reach;
    }
    const unsigned kept =
        lane_bits(in_reach & (~waits | (least <= splat(k_waiting_reach * thickness_))));
    const unsigned idle_lanes = lane_bits(idle);
    for (int k = 0; k < waiting.count; ++k)
      if (kept >> k & 1) {
        const std::size_t lane = std::size_t(k);
        out_.push_back({{waiting.particle[0][lane], waiting.particle[1][lane],
                         waiting.particle[2][lane], waiting.particle[3][lane]},
                        pair_,
                        thickness[k],
                        waiting.feature,
                        (idle_lanes >> k & 1) != 0 ? idle_level() : level_of(waiting, least[k]),
                        waiting.outer[lane]});
      }
  }

  // What has no order needs no more than it has in any search.
  Real reach_of(const Waiting& waiting) const {
    return ordered_ && !waiting.ordered ? std::min(reach_, Real(k_sheet_reach) * thickness_)
                                        : reach_;
  }

  // Features that are near each other in the rest shape keep no more than that distance: neighbours
  // are not driven apart, nor is what was modelled touching.
  RealW rest_distance(const Waiting& waiting) const {
    const Vec4* rest = b_.tree.rest.data();
    const auto at = [&](std::size_t k) {
      Lanes own;
      for (std::size_t n = 0; n < own.size(); ++n) own[n] = waiting.particle[k][n] - b_.begin;
      return gather(rest, own.data()).xyz();
    };
    const Vec3W x0 = at(0), r1 = at(1) - x0, r2 = at(2) - x0, r3 = at(3) - x0;
    const Vec3W between = waiting.feature == SheetFeature::edge_edge
                              ? nearest_edge_edge(r1, r2, r3).between
                              : nearest_vertex_triangle(r1, r2, r3).between;
    RealW distance = sqrt(dot(between, between));
    for (unsigned lanes = waiting.by_seams; lanes != 0; lanes &= lanes - 1) {
      const std::size_t k = std::size_t(std::countr_zero(lanes));
      distance[k] = Real(sewn_rest_distance(b_,
                                            {waiting.particle[0][k], waiting.particle[1][k],
                                             waiting.particle[2][k], waiting.particle[3][k]},
                                            waiting.feature));
    }
    return distance;
  }

  std::uint8_t level_of(const Waiting& waiting, Real least) const {
    if (!strayed_.empty()) return k_late_level;
    std::uint8_t level = 1;
    if (waiting.ordered) return level;  // on the wrong side it acts from any distance
    for (int n = 2; n < k_sheet_levels; ++n)
      if (least > Real(k_level_begin[std::size_t(n)]) * thickness_) level = std::uint8_t(n);
    return level;
  }

  std::uint8_t idle_level() const { return strayed_.empty() ? k_idle_level : k_late_level; }

  const Deformable &b_, &a_;
  std::int32_t pair_;
  Real thickness_;
  bool ordered_;  // some feature pairs have an order
  bool sewn_;     // b and a are one body of several cloths
  const SheetMotion& motion_;
  Real reach_;
  std::span<const std::uint8_t> strayed_;
  std::vector<SheetCandidate>& out_;
  Waiting vertices_{.feature = SheetFeature::vertex_triangle},
      edges_{.feature = SheetFeature::edge_edge},
      ordered_vertices_{.feature = SheetFeature::vertex_triangle, .ordered = true},
      ordered_edges_{.feature = SheetFeature::edge_edge, .ordered = true};
};

SheetRtree& current_rtree(const SheetSide& side, std::size_t n, Real reach, SheetScratch& scratch) {
  SheetRtree& tree = scratch.rtrees[n];
  const RtreeMaking making =
      scratch.structure == ClothSearch::rtree ? RtreeMaking::bulk : RtreeMaking::insert;
  if (!tree.is_current) make_rtree(side, making, reach, tree);
  return tree;
}

void find_leaf_pairs(const SheetPair& pair, const SheetSide& b, const SheetSide& a, Real reach,
                     TaskPool* pool, SheetScratch& scratch) {
  scratch.leaves.clear();
  if (scratch.structure == ClothSearch::bvh)
    list_leaf_pairs(b, a, reach, pool, scratch.descent, scratch.leaves);
  else
    list_leaf_pairs(b, current_rtree(b, std::size_t(pair.b), reach, scratch), a,
                    current_rtree(a, std::size_t(pair.a), reach, scratch), reach, scratch.keyed,
                    scratch.leaves);
}

}  // namespace

void box_sheet(const Deformable& body, std::size_t n, const SheetMotion& motion, TaskPool* pool,
               SheetScratch& scratch) {
  if (scratch.boxes.size() <= n) scratch.boxes.resize(n + 1);
  box_sheet(body, motion, pool, scratch.boxes[n]);
  if (scratch.structure == ClothSearch::bvh) return;
  if (scratch.rtrees.size() <= n) scratch.rtrees.resize(n + 1);
  scratch.rtrees[n].is_current = false;
}

void search_sheets(std::span<const Deformable> bodies, const SheetPair& pair, std::int32_t index,
                   const SheetMotion& motion, Real reach, std::span<const std::uint8_t> strayed,
                   TaskPool* pool, SheetScratch& scratch, std::vector<SheetCandidate>& candidates) {
  const auto side = [&](std::int32_t n) {
    const std::size_t at = std::size_t(n);
    SheetSide tree{bodies[at], scratch.boxes[at], {}};
    if (!strayed.empty()) tree.has_strayed = scratch.has_strayed[at];
    return tree;
  };
  const SheetSide b = side(pair.b), a = side(pair.a);
  find_leaf_pairs(pair, b, a, reach, pool, scratch);
  const int count = int(scratch.leaves.size()), blocks = (count + k_pair_grain - 1) / k_pair_grain;
  if (int(scratch.found.size()) < blocks) scratch.found.resize(std::size_t(blocks));
  parallel_for(pool, blocks, 1, [&](int begin, int end) {
    for (int block = begin; block < end; ++block) {
      std::vector<SheetCandidate>& found = scratch.found[std::size_t(block)];
      found.clear();
      Features features(b.body, a.body, index, pair.thickness, pair.ordered, motion, reach, strayed,
                        found);
      for (int n = block * k_pair_grain; n < std::min(count, (block + 1) * k_pair_grain); ++n)
        features.visit(scratch.leaves[std::size_t(n)]);
      features.finish();
    }
  });
  for (int block = 0; block < blocks; ++block)
    candidates.insert(candidates.end(), scratch.found[std::size_t(block)].begin(),
                      scratch.found[std::size_t(block)].end());
}

}  // namespace pliant
