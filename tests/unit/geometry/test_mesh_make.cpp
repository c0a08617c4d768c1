// Generators against closed forms: counts, volumes, areas, orientation.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <pliant/mesh.h>

#include "geometry/topology.h"

namespace pliant {
namespace {

TEST(MeshMake, grid_lies_in_xz_and_faces_up) {
  const TriMesh grid = make_grid(4, 3, 2.0, 1.5);
  ASSERT_EQ(grid.vertices.size(), 20u);
  ASSERT_EQ(grid.triangles.size(), 24u);
  EXPECT_NEAR(area(grid), 3.0, 1e-14);
  EXPECT_EQ(grid.vertices[0], (Vec3{-1.0, 0.0, -0.75}));
  EXPECT_EQ(grid.vertices[2 * 5 + 3], (Vec3{0.5, 0.0, 0.25}));
  for (const auto& [a, b, c] : grid.triangles) {
    const Vec3 n = cross(grid.vertices[b] - grid.vertices[a], grid.vertices[c] - grid.vertices[a]);
    EXPECT_NEAR(n.y, 0.25, 1e-14);
  }
  bool diagonal = false;
  for (const MeshEdge& edge : unique_edges(grid.triangles)) diagonal |= edge.a == 0 && edge.b == 6;
  EXPECT_TRUE(diagonal);
  EXPECT_FALSE(is_closed(grid));
}

TEST(MeshMake, box_is_closed_with_exact_volume_and_area) {
  for (const int cells : {1, 2, 5}) {
    const TriMesh box = make_box({0.5, 1.0, 1.5}, cells);
    EXPECT_EQ(box.vertices.size(), std::size_t(6 * cells * cells + 2));
    EXPECT_EQ(box.triangles.size(), std::size_t(12 * cells * cells));
    EXPECT_TRUE(is_closed(box));
    EXPECT_NEAR(volume(box), 6.0, 1e-13);
    EXPECT_NEAR(area(box), 22.0, 1e-12);
  }
}

TEST(MeshMake, sphere_converges_from_inside) {
  double last = 0;
  const double exact = 4.0 / 3.0 * 3.14159265358979 * 8;
  for (int levels = 0; levels < 5; ++levels) {
    const TriMesh sphere = make_sphere(2.0, levels);
    EXPECT_EQ(sphere.vertices.size(), std::size_t(10 * (1 << (2 * levels)) + 2));
    EXPECT_EQ(sphere.triangles.size(), std::size_t(20 * (1 << (2 * levels))));
    EXPECT_TRUE(is_closed(sphere));
    for (const Vec3& v : sphere.vertices) EXPECT_NEAR(length(v), 2.0, 1e-14);
    EXPECT_GT(volume(sphere), last);
    EXPECT_LT(volume(sphere), exact);
    last = volume(sphere);
  }
  EXPECT_NEAR(last, exact, 0.003 * exact);
}

TEST(MeshMake, turning_a_closed_mesh_inside_out_opens_it) {
  TriMesh box = make_box({1, 1, 1}, 2);
  for (Triangle& t : box.triangles) std::swap(t[1], t[2]);
  EXPECT_NEAR(volume(box), -8.0, 1e-13);
  EXPECT_FALSE(is_closed(box));
  box = make_box({1, 1, 1}, 2);
  box.triangles.pop_back();
  EXPECT_FALSE(is_closed(box));
}

TEST(MeshMake, deformable_A01_lattice_counts) {
  for (const int n : {5, 10}) {
    const TetMesh lattice = make_lattice(n, n, n, 0.1);
    const std::size_t vertices = lattice.vertices.size();
    const std::size_t edges = unique_edges(lattice.tetrahedra).size();
    const BoundaryFaces boundary = boundary_faces(lattice.tetrahedra);
    const std::size_t tets = lattice.tetrahedra.size();
    EXPECT_EQ(vertices, n == 5 ? 216u : 1331u);
    EXPECT_EQ(edges, n == 5 ? 990u : 6930u);
    EXPECT_EQ(boundary.triangles.size(), n == 5 ? 300u : 1200u);
    EXPECT_EQ(tets, n == 5 ? 625u : 5000u);
    const std::size_t faces = (4 * tets + boundary.triangles.size()) / 2;
    EXPECT_EQ(vertices + faces, edges + tets + 1);  // Euler: V - E + F - T = 1
    for (const Tetrahedron& t : lattice.tetrahedra) {
      const double v = signed_volume(lattice, t) / 1e-3;
      EXPECT_TRUE(std::abs(v - 1.0 / 6) < 1e-12 || std::abs(v - 1.0 / 3) < 1e-12) << v;
    }
    const double exact = n * n * n * 1e-3;
    EXPECT_NEAR(volume(lattice), exact, 1e-12 * exact);
    const TriMesh skin{lattice.vertices, boundary.triangles};
    EXPECT_TRUE(is_closed(skin));
    EXPECT_NEAR(volume(skin), exact, 1e-12 * exact);
    EXPECT_EQ(connected_components(vertices, std::span(lattice.tetrahedra)).count, 1);
  }
}

TEST(MeshMake, lattice_is_centred_with_x_fastest_and_mixed_valence) {
  const TetMesh lattice = make_lattice(4, 3, 2, 0.5);
  EXPECT_EQ(lattice.vertices.front(), (Vec3{-1.0, -0.75, -0.5}));
  EXPECT_EQ(lattice.vertices[1], (Vec3{-0.5, -0.75, -0.5}));
  EXPECT_EQ(lattice.vertices[5], (Vec3{-1.0, -0.25, -0.5}));
  EXPECT_EQ(lattice.vertices[20], (Vec3{-1.0, -0.75, 0.0}));
  std::map<std::int32_t, int> valence;
  for (const VertexPair& e : unique_edges(lattice.tetrahedra)) ++valence[e[0]], ++valence[e[1]];
  const int inner = valence[20 + 5 + 1], next = valence[20 + 5 + 2];  // nodes (1,1,1), (2,1,1)
  EXPECT_EQ(std::min(inner, next), 6);
  EXPECT_EQ(std::max(inner, next), 18);
}

}  // namespace
}  // namespace pliant
