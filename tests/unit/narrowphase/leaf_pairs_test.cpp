// The pairs of leaves that the tree made with a cloth and both R-trees find, against trying all;
// and what must hold in an R-tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/narrowphase/sheet_search_rig.h"

namespace pliant {
namespace {

using test::k_structures;
using test::Random;
using Rig = test::SearchRig;

constexpr double k_reach = 0.006;  // m

// The node of each leaf.
std::vector<std::int32_t> nodes_of_leaves(const SheetTree& tree) {
  std::vector<std::int32_t> node(tree.leaves.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    if (tree.nodes[n].leaf >= 0) node[std::size_t(tree.nodes[n].leaf)] = std::int32_t(n);
  return node;
}

// Whether some node above both, or both themselves, hangs together and is flat.
bool in_one_flat_patch(const SheetSide& side, std::int32_t m, std::int32_t n) {
  const SheetTree& tree = side.tree();
  std::vector<std::int32_t> parent(tree.nodes.size(), -1);
  for (std::size_t k = 0; k < tree.nodes.size(); ++k)
    for (const std::int32_t child : {tree.nodes[k].left, tree.nodes[k].right})
      if (child >= 0) parent[std::size_t(child)] = std::int32_t(k);
  for (std::int32_t i = m; i >= 0; i = parent[std::size_t(i)])
    for (std::int32_t j = n; j >= 0; j = parent[std::size_t(j)])
      if (i == j && tree.nodes[std::size_t(i)].connected &&
          is_flat(side.boxes[std::size_t(i)], flat_motion(side.body)))
        return true;
  return false;
}

// Apart along some axis at both ends of the motion, and in between: each end moves linearly.
bool come_near(const SheetBox& a, const SheetBox& b, double reach) {
  const auto axis = [&](double a_low, double a_high, double b_low, double b_high, double slowest,
                        double fastest) {
    return a_low - b_high + std::min(0.0, slowest) <= reach &&
           b_low - a_high - std::max(0.0, fastest) <= reach;
  };
  return axis(a.low.x, a.high.x, b.low.x, b.high.x, a.motion_low.x - b.motion_high.x,
              a.motion_high.x - b.motion_low.x) &&
         axis(a.low.y, a.high.y, b.low.y, b.high.y, a.motion_low.y - b.motion_high.y,
              a.motion_high.y - b.motion_low.y) &&
         axis(a.low.z, a.high.z, b.low.z, b.high.z, a.motion_low.z - b.motion_high.z,
              a.motion_high.z - b.motion_low.z);
}

std::vector<LeafPair> try_all(const SheetSide& b, const SheetSide& a, double reach) {
  const bool one = &b.body == &a.body;
  const auto node_b = nodes_of_leaves(b.tree()), node_a = nodes_of_leaves(a.tree());
  std::vector<LeafPair> out;
  for (std::size_t i = 0; i < node_b.size(); ++i)
    for (std::size_t j = one ? i : 0; j < node_a.size(); ++j) {
      const std::int32_t m = node_b[i], n = node_a[j];
      if (!come_near(b.boxes[std::size_t(m)], a.boxes[std::size_t(n)], reach)) continue;
      if (!b.concerns(m) && !a.concerns(n)) continue;
      if (one && (in_one_flat_patch(b, m, n) || (i != j && are_flat_neighbours(b, m, n)))) continue;
      out.push_back({std::int32_t(i), std::int32_t(j)});
    }
  return out;
}

std::vector<LeafPair> find(Rig& rig, std::int32_t b, std::int32_t a, ClothSearch structure,
                           std::span<const std::uint8_t> strayed) {
  rig.scratch.structure = structure;
  rig.scratch.has_strayed.resize(rig.bodies.size());
  for (std::size_t n = 0; n < rig.bodies.size(); ++n) {
    box_sheet(rig.bodies[n], n, rig.motion, nullptr, rig.scratch);
    if (!strayed.empty()) mark_strayed(rig.bodies[n], strayed, nullptr, rig.scratch.has_strayed[n]);
  }
  std::vector<SheetCandidate> found;
  search_sheets(rig.bodies, rig.pair(b, a), 0, rig.motion, Real(k_reach), strayed, nullptr,
                rig.scratch, found);
  return rig.scratch.leaves;
}

void expect_all_find_the_same(Rig& rig, std::int32_t b, std::int32_t a, std::size_t at_least,
                              std::span<const std::uint8_t> strayed = {}) {
  for (const ClothSearch structure : k_structures) {
    const std::vector<LeafPair> found = find(rig, b, a, structure, strayed);
    const auto side = [&](std::int32_t n) {
      const std::size_t k = std::size_t(n);
      return SheetSide{rig.bodies[k], rig.scratch.boxes[k],
                       strayed.empty() ? std::span<const std::uint8_t>{}
                                       : std::span<const std::uint8_t>(rig.scratch.has_strayed[k])};
    };
    const SheetSide of_b = side(b), of_a = side(a);
    std::vector<LeafPair> sorted = found;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, try_all(of_b, b == a ? of_b : of_a, k_reach)) << int(structure);
    EXPECT_EQ(found, find(rig, b, a, ClothSearch::bvh, strayed));  // in the same order
    std::vector<LeafPair> uncut;
    list_leaf_pairs(of_b, of_a, Real(k_reach), uncut);
    EXPECT_EQ(found, uncut);
    EXPECT_GE(found.size(), at_least);
  }
}

TEST(LeafPairs, all_structures_find_in_crumpled_sheets_what_trying_all_finds) {
  Random random(3);
  Rig rig = test::crumpled_sheets(random, random.point(1), 0.01);
  for (const auto& [b, a] : {std::pair{0, 0}, std::pair{0, 1}, std::pair{1, 1}})
    expect_all_find_the_same(rig, b, a, 100);
}

TEST(LeafPairs, all_structures_find_around_what_has_strayed_what_trying_all_finds) {
  Random random(4);
  Rig rig = test::crumpled_sheets(random, {}, 0.01);
  std::vector<std::uint8_t> strayed(rig.motion.place.size(), 0);
  for (std::size_t p = 3; p < strayed.size(); p += 41) strayed[p] = 1;
  for (const auto& [b, a] : {std::pair{0, 0}, std::pair{0, 1}, std::pair{1, 1}})
    expect_all_find_the_same(rig, b, a, 50, strayed);
}

// Here there are flat patches, neighbours that are flat together, and turns that meet.
TEST(LeafPairs, all_structures_find_in_a_roll_what_trying_all_finds) {
  const TriMesh mesh = make_grid(90, 20, 1, 0.2);
  Rig rig;
  rig.add(mesh, test::rolled_up(mesh, normalized(Quat{0.3, 0.2, 0.1, 1})),
          std::vector<Vec3>(mesh.vertices.size(), Vec3{1, 0, 0}));
  expect_all_find_the_same(rig, 0, 0, 100);
  const SheetSide side{rig.bodies[0], rig.scratch.boxes[0], {}};
  const std::vector<std::int32_t> node = nodes_of_leaves(side.tree());
  int flat = 0;
  for (const std::int32_t n : node) flat += in_one_flat_patch(side, n, n);
  EXPECT_GT(flat, int(node.size()) / 2);
}

bool holds(const BoxInMotion& outer, const BoxInMotion& inner) {
  const auto within = [](const Vec4& low, const Vec4& high, const Vec4& from, const Vec4& to) {
    return low.x <= from.x && low.y <= from.y && low.z <= from.z && to.x <= high.x &&
           to.y <= high.y && to.z <= high.z;
  };
  return within(outer.low, outer.high, inner.low, inner.high) &&
         within(outer.motion_low, outer.motion_high, inner.motion_low, inner.motion_high);
}

// Goes through all nodes; counts how often it meets each node of the cloth's tree.
void check_node(const SheetRtree& tree, std::int32_t n, int least, std::vector<int>& met) {
  const RtreeNode& node = tree.nodes[std::size_t(n)];
  EXPECT_LE(node.count, k_rtree_most);
  if (n != tree.root) {
    EXPECT_GE(node.count, least);
  }
  for (std::size_t k = 0; k < std::size_t(node.count); ++k) {
    const RtreeEntry& e = node.entry[k];
    if (node.height == 0) {
      ++met[std::size_t(e.child)];
      continue;
    }
    const RtreeNode& child = tree.nodes[std::size_t(e.child)];
    EXPECT_EQ(child.height, node.height - 1);
    for (std::size_t m = 0; m < std::size_t(child.count); ++m) {
      EXPECT_TRUE(holds(e.box, child.entry[m].box));
      EXPECT_TRUE(e.concerns || !child.entry[m].concerns);
      EXPECT_TRUE(e.patch < 0 || e.patch == child.entry[m].patch);
    }
    check_node(tree, e.child, least, met);
  }
}

// Guttman's invariants: boxes hold what is below, nodes are filled from half to full (the last of a
// bulk load need not be), all leaves are at one depth, and each leaf is there once.
TEST(SheetRtree, is_an_r_tree_either_way) {
  const TriMesh mesh = make_grid(60, 60, 1, 1);
  Random random(5);
  std::vector<Vec3> places, ways;
  for (const Vec3& v : mesh.vertices) {
    places.push_back(v + random.point(0.02));
    ways.push_back(random.point(0.1));
  }
  Rig rig;
  rig.add(mesh, places, ways);
  box_sheet(rig.bodies[0], 0, rig.motion, nullptr, rig.scratch);
  const SheetSide side{rig.bodies[0], rig.scratch.boxes[0], {}};
  for (const RtreeMaking making : {RtreeMaking::bulk, RtreeMaking::insert}) {
    SheetRtree tree;
    make_rtree(side, making, Real(k_reach), tree);
    std::vector<int> met(side.tree().nodes.size());
    check_node(tree, tree.root, making == RtreeMaking::insert ? k_rtree_least : 1, met);
    for (std::size_t n = 0; n < met.size(); ++n)
      EXPECT_EQ(met[n], side.tree().nodes[n].leaf >= 0 ? 1 : 0);
    EXPECT_GE(tree.nodes[std::size_t(tree.root)].height, 2);
  }
}

// Both group what is near: along the edges of a flat sheet of 60 x 60 the boxes of the lowest nodes
// cover at most twice the sheet together, where random groups would each cover most of it.
TEST(SheetRtree, groups_what_is_near) {
  const TriMesh mesh = make_grid(60, 60, 1, 1);
  Rig rig;
  rig.add(mesh, mesh.vertices, std::vector<Vec3>(mesh.vertices.size()));
  box_sheet(rig.bodies[0], 0, rig.motion, nullptr, rig.scratch);
  const SheetSide side{rig.bodies[0], rig.scratch.boxes[0], {}};
  for (const RtreeMaking making : {RtreeMaking::bulk, RtreeMaking::insert}) {
    SheetRtree tree;
    make_rtree(side, making, Real(k_reach), tree);
    double area = 0;
    for (const RtreeNode& node : tree.nodes)
      for (std::size_t k = 0; k < std::size_t(node.count) && node.height == 1; ++k) {
        const BoxInMotion& box = node.entry[k].box;
        area += double(box.high.x - box.low.x) * double(box.high.z - box.low.z);
      }
    EXPECT_GE(area, 1 - 1e-4);
    EXPECT_LE(area, 2);
  }
}

TEST(SheetRtree, of_nothing_finds_nothing) {
  const Deformable body;
  const SheetSide side{body, {}, {}};
  SheetRtree tree;
  make_rtree(side, RtreeMaking::bulk, Real(k_reach), tree);
  std::vector<LeafPair> found;
  std::vector<KeyedLeafPair> scratch;
  list_leaf_pairs(side, tree, side, tree, Real(k_reach), scratch, found);
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace pliant
