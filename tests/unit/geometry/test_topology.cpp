// Edges, boundary faces and pieces of small meshes whose answers can be counted by hand.
#include "geometry/topology.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Topology, two_triangles_share_one_edge) {
  const std::vector<Triangle> triangles{{0, 1, 2}, {2, 1, 3}};
  const EdgeList edges = unique_edges(triangles);
  ASSERT_EQ(edges.size(), 5u);
  const MeshEdge& shared = edges[2];  // (0,1) (0,2) (1,2) (1,3) (2,3)
  EXPECT_EQ(shared.a, 1);
  EXPECT_EQ(shared.b, 2);
  EXPECT_EQ(shared.triangle_count, 2);
  EXPECT_EQ(shared.triangle[0], 0);
  EXPECT_EQ(shared.triangle[1], 1);
  EXPECT_EQ(shared.opposite[0], 0);
  EXPECT_EQ(shared.opposite[1], 3);
  EXPECT_TRUE(shared.forward[0]);
  EXPECT_FALSE(shared.forward[1]);
  EXPECT_EQ(edges[0].triangle_count, 1);
  EXPECT_EQ(edges[0].triangle[1], -1);
}

TEST(Topology, edge_of_three_triangles_is_counted) {
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 1, 3}, {1, 0, 4}};
  EXPECT_EQ(unique_edges(triangles).front().triangle_count, 3);
}

TEST(Topology, faces_of_a_positive_tetrahedron_point_outward) {
  const TetMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  EXPECT_NEAR(signed_volume(mesh, mesh.tetrahedra[0]), 1.0 / 6, 1e-16);
  const BoundaryFaces faces = boundary_faces(mesh.tetrahedra);
  ASSERT_EQ(faces.triangles.size(), 4u);
  EXPECT_TRUE(is_closed({mesh.vertices, faces.triangles}));
  for (int f = 0; f < 4; ++f) {
    const Triangle face = faces_of(mesh.tetrahedra[0])[f];
    for (const std::int32_t v : face) EXPECT_NE(v, f);
  }
}

TEST(Topology, two_tetrahedra_share_no_boundary_face) {
  const std::vector<Tetrahedron> tets{{0, 1, 2, 3}, {1, 2, 3, 4}};
  const BoundaryFaces faces = boundary_faces(tets);
  EXPECT_EQ(faces.triangles.size(), 6u);
  EXPECT_EQ(faces.tetrahedron, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1}));
}

TEST(Topology, components_are_numbered_by_first_vertex) {
  const std::vector<Triangle> triangles{{6, 5, 4}, {0, 2, 1}};
  const Components pieces = connected_components(8, triangles);
  EXPECT_EQ(pieces.count, 2);
  EXPECT_EQ(pieces.of_vertex, (std::vector<std::int32_t>{0, 0, 0, -1, 1, 1, 1, -1}));
}

}  // namespace
}  // namespace pliant
