// Points carried by tetrahedra.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "geometry/embed.h"
#include "geometry/lattice.h"

using namespace pliant;

namespace {

// The cube of 5 x 5 x 5 cells with a skin of 20 x 20 on each side.
const TetMesh k_cube = make_lattice(5, 5, 5, 0.2);
const TriMesh k_skin = make_box({0.5, 0.5, 0.5}, 20);

TEST(Embedding, deformable_A11_weights_are_convex_and_the_rest_skin_is_reproduced) {
  EXPECT_EQ(k_skin.vertices.size(), 2402u);
  EXPECT_EQ(k_skin.triangles.size(), 4800u);
  const std::vector<EmbeddedVertex> e = embed_points(k_skin.vertices, k_cube);
  ASSERT_EQ(e.size(), k_skin.vertices.size());
  for (std::size_t v = 0; v < e.size(); ++v) {
    const auto& w = e[v].weights;
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, 1e-14);
    EXPECT_GE(*std::min_element(w.begin(), w.end()), -1e-6);
    EXPECT_LT(length(carried_position(e[v], k_cube) - k_skin.vertices[v]), 1e-6);
  }
}

TEST(Embedding, deformable_A11_an_affine_map_of_the_lattice_is_that_of_the_skin) {
  const std::vector<EmbeddedVertex> e = embed_points(k_skin.vertices, k_cube);
  const Mat3 map{{{1.3, 0.4, -0.2}, {0.1, 0.6, 0.5}, {-0.7, 0.2, 1.1}}};
  const Vec3 shift{3, -2, 5};
  TetMesh moved = k_cube;
  for (Vec3& x : moved.vertices) x = map * x + shift;
  for (std::size_t v = 0; v < e.size(); ++v)
    EXPECT_LT(length(carried_position(e[v], moved) - (map * k_skin.vertices[v] + shift)), 1e-13);
  // What is not affine is not: the middle of a bent cube's face is elsewhere.
  TetMesh bent = k_cube;
  for (Vec3& x : bent.vertices) x.y += x.x * x.x;
  double off = 0;
  for (std::size_t v = 0; v < e.size(); ++v) {
    Vec3 there = k_skin.vertices[v];
    there.y += there.x * there.x;
    off = std::max(off, length(carried_position(e[v], bent) - there));
  }
  EXPECT_GT(off, 1e-3);
}

// Against all tetrahedra, one by one.
TEST(Embedding, points_find_the_tetrahedra_that_contain_them) {
  const std::vector<EmbeddedVertex> e = embed_points(k_skin.vertices, k_cube);
  for (std::size_t v = 0; v < e.size(); v += 7) {
    double best = -1e300;
    for (const Tetrahedron& t : k_cube.tetrahedra) {
      const auto w = barycentric(k_cube, t, k_skin.vertices[v]);
      best = std::max(best, *std::min_element(w.begin(), w.end()));
    }
    const double least = *std::min_element(e[v].weights.begin(), e[v].weights.end());
    EXPECT_NEAR(least, best, 1e-12);
  }
}

TEST(Embedding, points_outside_go_to_the_nearest_face) {
  const std::vector<Vec3> points = {{0.6, 0.05, 0.03}, {0, 0, 0}};
  const std::vector<EmbeddedVertex> e = embed_points(points, k_cube);
  EXPECT_LT(*std::min_element(e[0].weights.begin(), e[0].weights.end()), -0.1);
  for (std::size_t v = 0; v < 2; ++v)
    EXPECT_LT(length(carried_position(e[v], k_cube) - points[v]), 1e-14);
  const Tetrahedron& t = k_cube.tetrahedra[std::size_t(e[0].tetrahedron)];
  double reach = -1;
  for (const std::int32_t c : t) reach = std::max(reach, k_cube.vertices[std::size_t(c)].x);
  EXPECT_NEAR(reach, 0.5, 1e-12);
}

}  // namespace
