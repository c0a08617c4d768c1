// The tree over a cloth's triangles: what is in it, which parts hang together, and the material's
// axis, against direct computation.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <set>

#include "build/deformable_build.h"
#include "build/sheet_tree.h"
#include "random_points.h"

namespace pliant {
namespace {

// The surface of a mesh whose particles are numbered otherwise than its vertices.
DeformableSurface surface_of(const TriMesh& mesh) {
  DeformableSurface surface;
  surface.triangles = mesh.triangles;
  const std::int32_t count = std::int32_t(mesh.vertices.size());
  for (std::int32_t v = 0; v < count; ++v)
    surface.vertices.push_back({{count - 1 - v, 0, 0, 0}, {1, 0, 0, 0}});
  return surface;
}

TriMesh two_sheets() {
  TriMesh mesh = make_grid(9, 7, 1, 0.8), other = make_grid(5, 4, 0.5, 0.5);
  const std::int32_t first = std::int32_t(mesh.vertices.size());
  for (const Vec3& v : other.vertices) mesh.vertices.push_back(v + Vec3{0.2, 0.5, 0.1});
  for (const Triangle& t : other.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return mesh;
}

// The triangles below a node.
void collect(const SheetTree& tree, std::int32_t n, std::vector<std::int32_t>& triangles) {
  const SheetNode& node = tree.nodes[std::size_t(n)];
  if (node.leaf >= 0) {
    const SheetLeaf& leaf = tree.leaves[std::size_t(node.leaf)];
    triangles.insert(triangles.end(), leaf.triangle.begin(), leaf.triangle.begin() + leaf.count);
    return;
  }
  EXPECT_GT(node.left, n);  // children are behind their parent
  EXPECT_GT(node.right, n);
  collect(tree, node.left, triangles);
  collect(tree, node.right, triangles);
}

// By painting from the first triangle on, over shared vertices, until nothing changes.
bool hangs_together(const TriMesh& mesh, const std::vector<std::int32_t>& triangles) {
  std::set<std::int32_t> painted;
  for (const std::int32_t v : mesh.triangles[std::size_t(triangles[0])]) painted.insert(v);
  for (std::size_t before = 0; painted.size() != before;) {
    before = painted.size();
    for (const std::int32_t t : triangles) {
      const Triangle& tri = mesh.triangles[std::size_t(t)];
      if (std::any_of(tri.begin(), tri.end(), [&](std::int32_t v) { return painted.count(v); }))
        painted.insert(tri.begin(), tri.end());
    }
  }
  return std::all_of(triangles.begin(), triangles.end(), [&](std::int32_t t) {
    return painted.count(mesh.triangles[std::size_t(t)][0]) > 0;
  });
}

// What threads may do side by side, and what comes after: no node before those below it.
TEST(SheetTree, is_cut_into_whole_branches_and_a_crown) {
  const TriMesh mesh = make_grid(61, 40, 1.5, 1);
  const SheetTree tree = make_sheet_tree(surface_of(mesh), mesh.vertices);
  ASSERT_GT(tree.branch_begin.size(), 4u);
  ASSERT_EQ(tree.branch_begin.size(), tree.branch_end.size());
  std::vector<int> turn(tree.nodes.size(), 0);  // in which a node is done
  for (std::size_t k = 0; k < tree.branch_begin.size(); ++k)
    for (std::int32_t n = tree.branch_begin[k]; n < tree.branch_end[k]; ++n) {
      const SheetNode& node = tree.nodes[std::size_t(n)];
      EXPECT_EQ(turn[std::size_t(n)], 0);
      turn[std::size_t(n)] = 1;
      EXPECT_TRUE(node.leaf >= 0 || (node.left > n && node.left < tree.branch_end[k]));
      EXPECT_TRUE(node.leaf >= 0 || (node.right > n && node.right < tree.branch_end[k]));
    }
  for (std::size_t k = tree.crown.size(); k-- > 0;) {
    const std::size_t n = std::size_t(tree.crown[k]);
    EXPECT_EQ(turn[n], 0);
    turn[n] = 2;
    EXPECT_GT(turn[std::size_t(tree.nodes[n].left)], 0);
    EXPECT_GT(turn[std::size_t(tree.nodes[n].right)], 0);
  }
  EXPECT_EQ(std::count(turn.begin(), turn.end(), 0), 0);
}

TEST(SheetTree, has_every_triangle_once_in_full_leaves) {
  const TriMesh mesh = two_sheets();
  const SheetTree tree = make_sheet_tree(surface_of(mesh), mesh.vertices);
  std::vector<std::int32_t> all;
  collect(tree, 0, all);
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), mesh.triangles.size());
  for (std::size_t t = 0; t < all.size(); ++t) EXPECT_EQ(all[t], std::int32_t(t));
  EXPECT_EQ(tree.leaves.size(), (mesh.triangles.size() + k_lanes - 1) / k_lanes);
  EXPECT_EQ(tree.nodes.size(), 2 * tree.leaves.size() - 1);
  const std::int32_t last = std::int32_t(mesh.vertices.size()) - 1;
  for (const SheetLeaf& leaf : tree.leaves)
    for (std::size_t k = 0; k < k_lanes; ++k)
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_EQ(leaf.corner[c][k], last - mesh.triangles[std::size_t(leaf.triangle[k])][c]);
}

TEST(SheetTree, knows_which_nodes_hang_together) {
  const TriMesh mesh = two_sheets();
  const SheetTree tree = make_sheet_tree(surface_of(mesh), mesh.vertices);
  int apart = 0;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    std::vector<std::int32_t> below;
    collect(tree, std::int32_t(n), below);
    EXPECT_EQ(tree.nodes[n].connected, hangs_together(mesh, below)) << n;
    apart += !tree.nodes[n].connected;
  }
  EXPECT_FALSE(tree.nodes[0].connected);  // two sheets
  EXPECT_GT(apart, 1);
  const TriMesh one = make_grid(9, 7, 1, 0.8);
  EXPECT_TRUE(make_sheet_tree(surface_of(one), one.vertices).nodes[0].connected);
}

// Halves lie on either side of a plane across the longest side of the centres' box.
TEST(SheetTree, is_halved_along_its_longest_side) {
  const TriMesh mesh = make_grid(20, 4, 1, 0.2);
  const SheetTree tree = make_sheet_tree(surface_of(mesh), mesh.vertices);
  const auto range = [&](std::int32_t n) {
    std::vector<std::int32_t> below;
    collect(tree, n, below);
    double low = 1e30, high = -1e30;
    for (const std::int32_t t : below) {
      double x = 0;
      for (const std::int32_t v : mesh.triangles[std::size_t(t)])
        x += mesh.vertices[std::size_t(v)].x / 3;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    return std::pair{low, high};
  };
  EXPECT_LE(range(tree.nodes[0].left).second, range(tree.nodes[0].right).first + 1e-12);
}

// The shadow of a coordinate axis on a triangle is e - (e . n) n; here the axis is the one that
// most of a bumpy sheet in the xz plane lies along, x or z.
TEST(SheetTree, material_axis_is_the_shadow_of_a_coordinate_axis) {
  TriMesh mesh = make_grid(12, 10, 1, 1);
  test::Random random(3);
  for (Vec3& v : mesh.vertices) v += random.point(0.02);
  const SheetTree tree = make_sheet_tree(surface_of(mesh), mesh.vertices);
  double along_x = 0, along_z = 0;
  for (const SheetLeaf& leaf : tree.leaves)
    for (int k = 0; k < leaf.count; ++k) {
      const Triangle& t = mesh.triangles[std::size_t(leaf.triangle[std::size_t(k)])];
      const Vec3 a = mesh.vertices[std::size_t(t[0])], b = mesh.vertices[std::size_t(t[1])],
                 c = mesh.vertices[std::size_t(t[2])];
      const Vec3 n = normalized(cross(b - a, c - a));
      const Vec3 axis = double(leaf.axis_b[k]) * (b - a) + double(leaf.axis_c[k]) * (c - a);
      const Vec3 x{1, 0, 0}, z{0, 0, 1};
      along_x = std::max(along_x, length(axis - (x - dot(x, n) * n)));
      along_z = std::max(along_z, length(axis - (z - dot(z, n) * n)));
    }
  EXPECT_LT(std::min(along_x, along_z), 1e-5);
  EXPECT_GT(std::max(along_x, along_z), 0.5);  // control: one of them, everywhere
}

TEST(SheetTree, of_no_triangles_is_empty) {
  const SheetTree tree = make_sheet_tree({}, {});
  EXPECT_TRUE(tree.nodes.empty());
  EXPECT_TRUE(tree.leaves.empty());
}

}  // namespace
}  // namespace pliant
