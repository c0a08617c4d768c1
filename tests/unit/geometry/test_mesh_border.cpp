// Runs along borders.
#include <gtest/gtest.h>

#include <algorithm>

#include <pliant/mesh.h>

namespace pliant {
namespace {

using Vertices = std::vector<std::int32_t>;

TEST(MeshBorder, sides_of_a_grid) {
  const TriMesh grid = make_grid(3, 2, 3, 2);  // vertices j * 4 + i
  EXPECT_EQ(boundary_side(grid, MeshSide::left), (Vertices{0, 4, 8}));
  EXPECT_EQ(boundary_side(grid, MeshSide::right), (Vertices{3, 7, 11}));
  EXPECT_EQ(boundary_side(grid, MeshSide::top), (Vertices{0, 1, 2, 3}));
  EXPECT_EQ(boundary_side(grid, MeshSide::bottom), (Vertices{8, 9, 10, 11}));
  EXPECT_TRUE(boundary_side(make_sphere(1, 1), MeshSide::left).empty()) << "it has no border";
}

TEST(MeshBorder, runs_go_the_shorter_way_along_the_border) {
  const TriMesh grid = make_grid(3, 2, 3, 2);
  EXPECT_EQ(boundary_run(grid, 0, 3).value(), (Vertices{0, 1, 2, 3}));
  EXPECT_EQ(boundary_run(grid, 3, 0).value(), (Vertices{3, 2, 1, 0}));
  EXPECT_EQ(boundary_run(grid, 4, 1).value(), (Vertices{4, 0, 1})) << "not across the inside";
  EXPECT_EQ(boundary_run(grid, 7, 7).value(), (Vertices{7}));
}

TEST(MeshBorder, what_is_on_no_border_or_another_is_refused) {
  TriMesh grid = make_grid(3, 2, 3, 2);
  EXPECT_EQ(boundary_run(grid, 5, 0).error().place, "from");
  EXPECT_EQ(boundary_run(grid, 0, 12).error().place, "to");
  const TriMesh other = make_grid(1, 1, 1, 1);
  for (const Vec3& v : other.vertices) grid.vertices.push_back(v + Vec3{9, 0, 0});
  for (const Triangle& t : other.triangles)
    grid.triangles.push_back({t[0] + 12, t[1] + 12, t[2] + 12});
  EXPECT_EQ(boundary_run(grid, 0, 12).error().place, "to");
  EXPECT_EQ(boundary_run(grid, 12, 13).value(), (Vertices{12, 13}));
}

}  // namespace
}  // namespace pliant
