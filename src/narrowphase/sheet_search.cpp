#include "narrowphase/sheet_search.h"

#include <algorithm>
#include <bit>

#include "model/rigid.h"
#include "narrowphase/sheet_distance.h"

namespace pliant {
namespace {

constexpr int k_leaf_grain = 64;
constexpr int k_pair_grain = 64;
constexpr Real k_same_way =
    Real(0.75);  // cosine: 41 degrees to either side; with 60 a twisted sheet crossed
// How far, in edges, a patch may come apart in the time searched for and still count as flat.
constexpr Real k_flat_motion = Real(0.25);

// Features whose neighbours are nearer, and that will hardly slide to where they are not, count as
// further away than they are: in thicknesses, how near they may come and how far slide.
constexpr Real k_idle_least = Real(0.6), k_idle_slide = Real(0.25);
constexpr std::uint8_t k_idle_level = k_sheet_levels - 1;
constexpr Real k_of_rest = Real(0.9);  // of the distance in the rest shape

Real4V load(const Vec4& v) { return load4(&v); }
Real4V lower(Real4V a, Real4V b) { return a < b ? a : b; }
Real4V upper(Real4V a, Real4V b) { return a > b ? a : b; }

Vec3W normalized(const Vec3W& v) {
  return v * (splat(1) / sqrt(max(dot(v, v), splat(Real(1e-30)))));
}

void put_range(const Vec3W& v, std::int32_t count, Vec4& low, Vec4& high) {
  low = high = {v.x[0], v.y[0], v.z[0], 0};
  for (int k = 1; k < count; ++k) {
    low = {std::min(low.x, v.x[k]), std::min(low.y, v.y[k]), std::min(low.z, v.z[k]), 0};
    high = {std::max(high.x, v.x[k]), std::max(high.y, v.y[k]), std::max(high.z, v.z[k]), 0};
  }
}

SheetBox box_leaf(const Deformable& body, const SheetLeaf& leaf, const SheetMotion& motion) {
  const Vec4* place = motion.place.data() + body.begin;
  const Vec4* moved = motion.motion.data() + body.begin;
  SheetBox box;
  Real4V low = load(place[leaf.corner[0][0]]), high = low;
  Real4V motion_low = load(moved[leaf.corner[0][0]]), motion_high = motion_low;
  for (const Lanes& corner : leaf.corner)
    for (const std::int32_t p : corner) {
      low = lower(low, load(place[p]));
      high = upper(high, load(place[p]));
      motion_low = lower(motion_low, load(moved[p]));
      motion_high = upper(motion_high, load(moved[p]));
    }
  store4(&box.low, low);
  store4(&box.high, high);
  store4(&box.motion_low, motion_low);
  store4(&box.motion_high, motion_high);
  const Vec3W a = gather(place, leaf.corner[0].data()).xyz();
  const Vec3W ab = gather(place, leaf.corner[1].data()).xyz() - a;
  const Vec3W ac = gather(place, leaf.corner[2].data()).xyz() - a;
  put_range(normalized(cross(ab, ac)), leaf.count, box.normal_low, box.normal_high);
  put_range(normalized(ab * leaf.axis_b + ac * leaf.axis_c), leaf.count, box.axis_low,
            box.axis_high);
  return box;
}

SheetBox join(const SheetBox& a, const SheetBox& b) {
  SheetBox box;
  const auto both = [](const Vec4& a_low, const Vec4& b_low, const Vec4& a_high, const Vec4& b_high,
                       Vec4& low, Vec4& high) {
    store4(&low, lower(load(a_low), load(b_low)));
    store4(&high, upper(load(a_high), load(b_high)));
  };
  both(a.low, b.low, a.high, b.high, box.low, box.high);
  both(a.motion_low, b.motion_low, a.motion_high, b.motion_high, box.motion_low, box.motion_high);
  both(a.normal_low, b.normal_low, a.normal_high, b.normal_high, box.normal_low, box.normal_high);
  both(a.axis_low, b.axis_low, a.axis_high, b.axis_high, box.axis_low, box.axis_high);
  return box;
}

// Whether boxes come within reach of each other while they move.
bool meet(const SheetBox& a, const SheetBox& b, Real reach) {
  const Real4V zero{}, r{reach, reach, reach, reach};
  const Real4V nearest =
      load(a.low) - load(b.high) + lower(zero, load(a.motion_low) - load(b.motion_high));
  const Real4V furthest =
      load(a.high) - load(b.low) + upper(zero, load(a.motion_high) - load(b.motion_low));
  const auto apart = (nearest > r) | (furthest < -r);
  return (apart[0] | apart[1] | apart[2]) == 0;
}

// Whether all unit vectors of a box are within k_same_way of one direction.
bool same_way(const Vec4& low, const Vec4& high) {
  const Vec3R c = (xyz(low) + xyz(high)) * Real(0.5), e = (xyz(high) - xyz(low)) * Real(0.5);
  const Real size2 = dot(c, c);
  const Real least =
      size2 - (e.x * std::abs(c.x) + e.y * std::abs(c.y) + e.z * std::abs(c.z));  // of v . c
  return least > 0 && least * least > k_same_way * k_same_way * size2;
}

bool is_flat(const SheetBox& box, Real moves) {
  const Vec3R apart = xyz(box.motion_high) - xyz(box.motion_low);
  return std::max({apart.x, apart.y, apart.z}) < moves &&
         same_way(box.normal_low, box.normal_high) && same_way(box.axis_low, box.axis_high);
}

struct TreeSide {
  const Deformable& body;
  std::span<const SheetBox> boxes;
  std::span<const std::uint8_t> has_strayed;  // of each node; empty: all are looked at
  bool concerns(std::int32_t n) const {
    return has_strayed.empty() || has_strayed[std::size_t(n)] != 0;
  }
  const SheetTree& tree() const { return body.tree; }
  const SheetNode& node(std::int32_t n) const { return body.tree.nodes[std::size_t(n)]; }
};

// Collects the pairs of leaves that may hold candidates, in the order of the tree.
class Descent {
 public:
  Descent(const TreeSide& b, const TreeSide& a, Real reach, std::vector<LeafPair>& out)
      : b_(b), a_(a), reach_(reach), moves_(k_flat_motion * Real(b.body.cell)), out_(out) {}

  void with_itself(std::int32_t n) {
    const SheetNode& node = b_.node(n);
    if (!b_.concerns(n)) return;
    if (node.connected && is_flat(b_.boxes[std::size_t(n)], moves_)) return;
    if (node.leaf >= 0) {
      out_.push_back({node.leaf, node.leaf});
      return;
    }
    with_itself(node.left);
    with_itself(node.right);
    with_other(node.left, node.right);
  }

  void with_other(std::int32_t m, std::int32_t n) {
    const SheetBox &mine = b_.boxes[std::size_t(m)], &other = a_.boxes[std::size_t(n)];
    if ((!b_.concerns(m) && !a_.concerns(n)) || !meet(mine, other, reach_)) return;
    const SheetNode &b = b_.node(m), &a = a_.node(n);
    if (b.leaf >= 0 && a.leaf >= 0) {
      if (!flat_neighbours(b, a, mine, other)) out_.push_back({b.leaf, a.leaf});
      return;
    }
    if (a.leaf >= 0 || (b.leaf < 0 && size(mine) >= size(other))) {
      with_other(b.left, n);
      with_other(b.right, n);
    } else {
      with_other(m, a.left);
      with_other(m, a.right);
    }
  }

 private:
  static Real size(const SheetBox& box) {
    const Vec3R e = xyz(box.high) - xyz(box.low);
    return std::max({e.x, e.y, e.z});
  }

  bool flat_neighbours(const SheetNode& b, const SheetNode& a, const SheetBox& mine,
                       const SheetBox& other) const {
    if (&b_.body != &a_.body || !b.connected || !a.connected) return false;
    const SheetTree& tree = b_.tree();
    const SheetLeaf& leaf = tree.leaves[std::size_t(b.leaf)];
    return std::binary_search(tree.near.begin() + leaf.near_begin,
                              tree.near.begin() + leaf.near_end, a.leaf) &&
           is_flat(join(mine, other), moves_);
  }

  const TreeSide &b_, &a_;
  Real reach_, moves_;
  std::vector<LeafPair>& out_;
};

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

// Feature pairs that wait until there are eight of a kind.
struct Waiting {
  std::array<Lanes, 4> particle{};
  int count = 0;
};

// Goes through pairs of leaves and keeps the feature pairs that come within reach.
class Features {
 public:
  Features(const Deformable& b, const Deformable& a, std::int32_t pair, Real thickness,
           const SheetMotion& motion, Real reach, std::span<const std::uint8_t> strayed,
           std::vector<SheetCandidate>& out)
      : b_(b),
        a_(a),
        pair_(pair),
        thickness_(thickness),
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
    for (int k = 0; k < mine.count; ++k) {
      unsigned near = triangles_in_reach(boxes, k, other_boxes, reach_) & ((1u << other.count) - 1);
      if (itself) near &= ~((2u << k) - 1);  // each pair once, and none with itself
      for (; near != 0; near &= near - 1)
        visit_triangles(mine.triangle[std::size_t(k)],
                        other.triangle[std::size_t(std::countr_zero(near))]);
    }
  }

  void finish() {
    flush(vertices_, SheetFeature::vertex_triangle);
    flush(edges_, SheetFeature::edge_edge);
  }

 private:
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
      const std::int32_t p = particle(b_, edge[0]), q = particle(b_, edge[1]);
      for (const std::int32_t f : a_.surface.owned_edges[std::size_t(other)]) {
        if (f < 0) continue;
        const auto& against = a_.surface.edges[std::size_t(f)];
        const std::int32_t r = particle(a_, against[0]), s = particle(a_, against[1]);
        if (p != r && p != s && q != r && q != s && !at_one_seam(edge, against))
          add(edges_, SheetFeature::edge_edge, {p, q, r, s});
      }
    }
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
    for (const std::int32_t v : body.surface.owned_vertices[std::size_t(owner)]) {
      if (v < 0) continue;
      const std::int32_t p = particle(body, v);
      if (p != t[0] && p != t[1] && p != t[2] && !at_one_seam(std::array{v}, vertices))
        add(vertices_, SheetFeature::vertex_triangle, {p, t[0], t[1], t[2]});
    }
  }

  bool concerns(const std::array<std::int32_t, 4>& particles) const {
    return strayed_.empty() || std::any_of(particles.begin(), particles.end(), [&](std::int32_t p) {
             return strayed_[std::size_t(p)] != 0;
           });
  }

  void add(Waiting& waiting, SheetFeature feature, const std::array<std::int32_t, 4>& particles) {
    if (!concerns(particles)) return;
    for (std::size_t k = 0; k < 4; ++k)
      waiting.particle[k][std::size_t(waiting.count)] = particles[k];
    if (++waiting.count == k_lanes) flush(waiting, feature);
  }

  // Keeps what may come within reach: along the line between the nearest points both sides are
  // apart by their distance, less what they can close in along it.
  void flush(Waiting& waiting, SheetFeature feature) {
    if (waiting.count == 0) return;
    for (std::size_t k = 0; k < 4; ++k)
      for (int n = waiting.count; n < k_lanes; ++n)
        waiting.particle[k][std::size_t(n)] = waiting.particle[k][0];
    const auto at = [&](const std::vector<Vec4>& array, std::size_t k) {
      return gather(array.data(), waiting.particle[k].data()).xyz();
    };
    const Vec3W x0 = at(motion_.place, 0), r1 = at(motion_.place, 1) - x0,
                r2 = at(motion_.place, 2) - x0, r3 = at(motion_.place, 3) - x0;
    const bool edges = feature == SheetFeature::edge_edge;
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
    const MaskW in_reach = least <= reach_;
    if (!any(in_reach)) {
      waiting.count = 0;
      return;
    }
    const Vec3W slide =
        w0 * near.weight[0] + w1 * near.weight[1] + w2 * near.weight[2] + w3 * near.weight[3];
    const MaskW idle =
        ~near.proper & (least > k_idle_least * thickness_) &
        (dot(slide, slide) < splat(k_idle_slide * k_idle_slide * thickness_ * thickness_));
    MaskW waits = idle;  // until it is nearer
    RealW thickness = splat(thickness_);
    if (&b_ == &a_) {
      const RealW rest = rest_distance(waiting, feature);
      thickness = min(thickness, k_of_rest * rest);
      waits |= rest <= reach_;
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
                        feature,
                        (idle_lanes >> k & 1) != 0 ? idle_level() : level_of(least[k])});
      }
    waiting.count = 0;
  }

  // Features that are near each other in the rest shape keep no more than that distance: neighbours
  // are not driven apart, nor is what was modelled touching.
  RealW rest_distance(const Waiting& waiting, SheetFeature feature) const {
    const Vec4* rest = b_.tree.rest.data();
    const auto at = [&](std::size_t k) {
      Lanes own;
      for (std::size_t n = 0; n < own.size(); ++n) own[n] = waiting.particle[k][n] - b_.begin;
      return gather(rest, own.data()).xyz();
    };
    const Vec3W x0 = at(0), r1 = at(1) - x0, r2 = at(2) - x0, r3 = at(3) - x0;
    const Vec3W between = feature == SheetFeature::edge_edge
                              ? nearest_edge_edge(r1, r2, r3).between
                              : nearest_vertex_triangle(r1, r2, r3).between;
    return sqrt(dot(between, between));
  }

  std::uint8_t level_of(Real least) const {
    if (!strayed_.empty()) return k_late_level;
    std::uint8_t level = 1;
    for (int n = 2; n < k_sheet_levels; ++n)
      if (least > Real(k_level_begin[std::size_t(n)]) * thickness_) level = std::uint8_t(n);
    return level;
  }

  std::uint8_t idle_level() const { return strayed_.empty() ? k_idle_level : k_late_level; }

  const Deformable &b_, &a_;
  std::int32_t pair_;
  Real thickness_;
  const SheetMotion& motion_;
  Real reach_;
  std::span<const std::uint8_t> strayed_;
  std::vector<SheetCandidate>& out_;
  Waiting vertices_, edges_;
};

}  // namespace

void box_sheet(const Deformable& body, const SheetMotion& motion, TaskPool* pool,
               std::vector<SheetBox>& boxes) {
  const SheetTree& tree = body.tree;
  boxes.resize(tree.nodes.size());
  const int count = int(tree.nodes.size());
  parallel_for(pool, count, k_leaf_grain, [&](int begin, int end) {
    for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n)
      if (tree.nodes[n].leaf >= 0)
        boxes[n] = box_leaf(body, tree.leaves[std::size_t(tree.nodes[n].leaf)], motion);
  });
  for (std::size_t n = tree.nodes.size(); n-- > 0;)
    if (tree.nodes[n].leaf < 0)
      boxes[n] =
          join(boxes[std::size_t(tree.nodes[n].left)], boxes[std::size_t(tree.nodes[n].right)]);
}

void mark_strayed(const Deformable& body, std::span<const std::uint8_t> strayed,
                  std::vector<std::uint8_t>& has_strayed) {
  const SheetTree& tree = body.tree;
  has_strayed.resize(tree.nodes.size());
  const std::uint8_t* own = strayed.data() + body.begin;
  const auto strays = [&](const SheetLeaf& leaf) {
    std::uint8_t any = 0;
    for (const Lanes& corner : leaf.corner)
      for (const std::int32_t p : corner) any |= own[p];
    return any;
  };
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    const SheetNode& node = tree.nodes[n];
    has_strayed[n] =
        node.leaf >= 0 ? strays(tree.leaves[std::size_t(node.leaf)])
                       : has_strayed[std::size_t(node.left)] | has_strayed[std::size_t(node.right)];
  }
}

void search_sheets(std::span<const Deformable> bodies, const SheetPair& pair, std::int32_t index,
                   const SheetMotion& motion, Real reach, std::span<const std::uint8_t> strayed,
                   TaskPool* pool, SheetScratch& scratch, std::vector<SheetCandidate>& candidates) {
  const auto side = [&](std::int32_t n) {
    const std::size_t at = std::size_t(n);
    TreeSide tree{bodies[at], scratch.boxes[at], {}};
    if (!strayed.empty()) tree.has_strayed = scratch.has_strayed[at];
    return tree;
  };
  const TreeSide b = side(pair.b), a = side(pair.a);
  if (b.boxes.empty() || a.boxes.empty()) return;
  scratch.leaves.clear();
  Descent descent(b, a, reach, scratch.leaves);
  if (pair.a == pair.b)
    descent.with_itself(0);
  else
    descent.with_other(0, 0);
  const int count = int(scratch.leaves.size()), blocks = (count + k_pair_grain - 1) / k_pair_grain;
  if (int(scratch.found.size()) < blocks) scratch.found.resize(std::size_t(blocks));
  parallel_for(pool, blocks, 1, [&](int begin, int end) {
    for (int block = begin; block < end; ++block) {
      std::vector<SheetCandidate>& found = scratch.found[std::size_t(block)];
      found.clear();
      Features features(b.body, a.body, index, pair.thickness, motion, reach, strayed, found);
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
