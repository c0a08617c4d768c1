// Bounds of the distance from a mesh against the nearest triangle itself.
#include "geometry/mesh_field.h"

#include <gtest/gtest.h>

#include <random>

#include "geometry/shape_data.h"

namespace pliant {
namespace {

class Field : public testing::TestWithParam<int> {
 protected:
  static TriMesh mesh(int kind) {
    if (kind == 0) return make_sphere(0.3, 1);
    if (kind == 1) return make_sphere(1, 4);
    if (kind == 2) return make_box({2, 0.05, 0.4}, 3);
    if (kind == 3) return make_grid(8, 6, 1, 2);  // open, and without height
    TriMesh l = make_box({0.5, 0.5, 0.5}, 2);     // a dent
    for (Vec3& v : l.vertices)
      if (v == Vec3{0, 0.5, 0}) v.y = -0.3;
    return l;
  }
};

TEST_P(Field, bounds_hold_and_the_bounded_search_is_the_same) {
  const TriMesh m = mesh(GetParam());
  const TriangleTree tree(m);
  const bool closed = is_closed(m);
  EXPECT_EQ(closed, GetParam() != 3);
  const MeshField field(m, tree, closed);
  ASSERT_FALSE(field.empty());
  std::mt19937 rng(8);
  std::uniform_real_distribution<double> u(-1.2, 1.2), r(0, 0.2);
  Vec3 size;
  for (const Vec3& v : m.vertices) size = max(size, v);
  int sided = 0;
  double width = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 p = scaled(size + Vec3{0.01, 0.01, 0.01}, Vec3{u(rng), u(rng), u(rng)});
    const NearestOnMesh near = tree.nearest(p);
    const MeshField::Bounds at = field.around(p, 0);
    ASSERT_LE(at.least, near.distance);
    ASSERT_GE(at.most, near.distance);
    width = std::max(width, at.most - at.least);
    if (at.side != 0) {
      ++sided;
      ASSERT_EQ(at.side < 0, near.behind);
    }
    for (const NearestOnMesh& other : {tree.nearest(p, at.most), field.nearest(tree, p, at)}) {
      ASSERT_EQ(other.triangle, near.triangle);
      ASSERT_EQ(other.point, near.point);
      ASSERT_EQ(other.distance, near.distance);
      ASSERT_EQ(other.behind, near.behind);
    }
    // Of all points of a ball.
    const double radius = r(rng) * size.x;
    const MeshField::Bounds all = field.around(p, radius);
    const Vec3 q = p + normalized(Vec3{u(rng), u(rng), u(rng)}) * (0.999 * radius);
    const NearestOnMesh there = tree.nearest(q);
    ASSERT_LE(all.least, there.distance);
    ASSERT_GE(all.most, there.distance);
    if (all.side != 0) {
      ASSERT_EQ(all.side < 0, there.behind);
    }
  }
  EXPECT_EQ(sided > 1000, closed);
  EXPECT_GT(width, 0);
}

INSTANTIATE_TEST_SUITE_P(meshes, Field, testing::Range(0, 5));

// A bound that is too small does not lose the triangle.
TEST(mesh_field, a_wrong_bound_is_noticed) {
  const TriMesh m = make_sphere(0.3, 1);
  const TriangleTree tree(m);
  EXPECT_EQ(tree.nearest({1, 0.2, 0}, 0.01).triangle, tree.nearest({1, 0.2, 0}).triangle);
}

TEST(mesh_field, groups_hold_every_point_once) {
  std::mt19937 rng(9);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Vec3> points;
  for (int i = 0; i < 777; ++i) points.push_back({u(rng), u(rng), double(i % 3)});
  const PointGroups all = group_points(points);
  std::int32_t next = 0;
  for (const PointGroup& g : all.groups) {
    EXPECT_EQ(g.first, next);
    EXPECT_GT(g.count, 0);
    EXPECT_LE(g.count, 16);
    next += g.count;
    for (std::int32_t i = g.first; i < next; ++i) {
      const Vec3& p = points[std::size_t(all.members[std::size_t(i)])];
      EXPECT_LE(length(p - g.centre), g.radius);
    }
    EXPECT_LT(g.radius, 1);
  }
  EXPECT_EQ(next, 777);
  std::vector<std::int32_t> members = all.members;
  std::sort(members.begin(), members.end());
  for (std::int32_t i = 0; i < 777; ++i) EXPECT_EQ(members[std::size_t(i)], i);
}

TEST(mesh_field, the_same_mesh_in_the_same_frame_is_known) {
  const Shape ball = Mesh{make_sphere(0.3, 1)}, other = Mesh{make_sphere(0.3, 2)};
  const ConvexShape a = make_convex(ball), b = make_convex(ball), c = make_convex(other),
                    d = make_convex(ball, {0.1, 0, 0});
  EXPECT_TRUE(same_mesh(*a.data, *b.data));
  EXPECT_FALSE(same_mesh(*a.data, *c.data));
  EXPECT_FALSE(same_mesh(*a.data, *d.data));
}

}  // namespace
}  // namespace pliant
