#include "narrowphase/sheet_boxes.h"

#include <algorithm>
#include <cmath>

#include "model/rigid.h"

namespace pliant {
namespace {

// Cosine: 41 degrees to either side; with 60 a twisted sheet crossed.
constexpr Real k_same_way = Real(0.75);
// Of an edge: where a triangle is lower, what lies beyond it is near even in a flat cloth. At rest
// it is 0.7 of it in a grid.
constexpr Real k_squashed = Real(0.3);

Real4V load(const Vec4& v) { return load4(&v); }
Real4V lower(Real4V a, Real4V b) { return a < b ? a : b; }
Real4V upper(Real4V a, Real4V b) { return a > b ? a : b; }

Vec3W normalized(const Vec3W& v) {
  return v * (splat(1) / sqrt(max(dot(v, v), splat(Real(1e-30)))));
}

// m, of triangles with two edges from one corner.
RealW lowest_height(const Vec3W& ab, const Vec3W& ac) {
  const Vec3W bc = ac - ab, normal = cross(ab, ac);
  const RealW longest = max(dot(ab, ab), max(dot(ac, ac), dot(bc, bc)));
  return sqrt(dot(normal, normal) / max(longest, splat(Real(1e-30))));
}

// The least (or, by `pick`, greatest) of eight lanes.
template <class Pick>
Real over_lanes(RealW v, const Pick& pick) {
  v = pick(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
  v = pick(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
  v = pick(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
  return v[0];
}

// Unused lanes of a leaf repeat the first.
void put_range(const Vec3W& v, Vec4& low, Vec4& high) {
  const auto least = [](RealW x) {
    return over_lanes(x, [](RealW a, RealW b) { return min(a, b); });
  };
  const auto most = [](RealW x) {
    return over_lanes(x, [](RealW a, RealW b) { return max(a, b); });
  };
  low = {least(v.x), least(v.y), least(v.z), 0};
  high = {most(v.x), most(v.y), most(v.z), 0};
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
  put_range(normalized(cross(ab, ac)), box.normal_low, box.normal_high);
  put_range(normalized(ab * leaf.axis_b + ac * leaf.axis_c), box.axis_low, box.axis_high);
  if (any(lowest_height(ab, ac) < splat(k_squashed * Real(body.cell)))) {
    box.axis_low = {-1, -1, -1, 0};
    box.axis_high = {1, 1, 1, 0};
  }
  return box;
}

void join_range(const Vec4& a_low, const Vec4& b_low, const Vec4& a_high, const Vec4& b_high,
                Vec4& low, Vec4& high) {
  store4(&low, lower(load(a_low), load(b_low)));
  store4(&high, upper(load(a_high), load(b_high)));
}

// Whether all unit vectors of a box are within k_same_way of one direction.
bool same_way(const Vec4& low, const Vec4& high) {
  const Vec3R c = (xyz(low) + xyz(high)) * Real(0.5), e = (xyz(high) - xyz(low)) * Real(0.5);
  const Real size2 = dot(c, c);
  const Real least =
      size2 - (e.x * std::abs(c.x) + e.y * std::abs(c.y) + e.z * std::abs(c.z));  // of v . c
  return least > 0 && least * least > k_same_way * k_same_way * size2;
}

// Calls take(n) for every node, children before their parents.
template <class Take>
void from_below(const SheetTree& tree, TaskPool* pool, const Take& take) {
  parallel_for(pool, int(tree.branch_begin.size()), 1, [&](int begin, int end) {
    for (std::size_t k = std::size_t(begin); k < std::size_t(end); ++k)
      for (std::int32_t n = tree.branch_end[k]; n-- > tree.branch_begin[k];) take(std::size_t(n));
  });
  for (std::size_t k = tree.crown.size(); k-- > 0;) take(std::size_t(tree.crown[k]));
}

}  // namespace

BoxInMotion join(const BoxInMotion& a, const BoxInMotion& b) {
  BoxInMotion box;
  join_range(a.low, b.low, a.high, b.high, box.low, box.high);
  join_range(a.motion_low, b.motion_low, a.motion_high, b.motion_high, box.motion_low,
             box.motion_high);
  return box;
}

SheetBox join(const SheetBox& a, const SheetBox& b) {
  SheetBox box;
  static_cast<BoxInMotion&>(box) =
      join(static_cast<const BoxInMotion&>(a), static_cast<const BoxInMotion&>(b));
  join_range(a.normal_low, b.normal_low, a.normal_high, b.normal_high, box.normal_low,
             box.normal_high);
  join_range(a.axis_low, b.axis_low, a.axis_high, b.axis_high, box.axis_low, box.axis_high);
  return box;
}

bool is_flat(const SheetBox& box, Real moves) {
  const Vec3R apart = xyz(box.motion_high) - xyz(box.motion_low);
  return std::max({apart.x, apart.y, apart.z}) < moves &&
         same_way(box.normal_low, box.normal_high) && same_way(box.axis_low, box.axis_high);
}

void box_sheet(const Deformable& body, const SheetMotion& motion, TaskPool* pool,
               std::vector<SheetBox>& boxes) {
  const SheetTree& tree = body.tree;
  boxes.resize(tree.nodes.size());
  from_below(tree, pool, [&](std::size_t n) {
    const SheetNode& node = tree.nodes[n];
    boxes[n] = node.leaf >= 0 ? box_leaf(body, tree.leaves[std::size_t(node.leaf)], motion)
                              : join(boxes[std::size_t(node.left)], boxes[std::size_t(node.right)]);
  });
}

void mark_strayed(const Deformable& body, std::span<const std::uint8_t> strayed, TaskPool* pool,
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
  from_below(tree, pool, [&](std::size_t n) {
    const SheetNode& node = tree.nodes[n];
    has_strayed[n] =
        node.leaf >= 0 ? strays(tree.leaves[std::size_t(node.leaf)])
                       : has_strayed[std::size_t(node.left)] | has_strayed[std::size_t(node.right)];
  });
}

}  // namespace pliant
