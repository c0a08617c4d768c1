// Meshes under other numbers: the same places and volumes, whichever way they were written down.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <random>

#include "geometry/renumber.h"

namespace pliant {
namespace {

// Whether an even number of exchanges leads from one to the other.
template <std::size_t n>
bool same_orientation(std::array<std::int32_t, n> from, const std::array<std::int32_t, n>& to) {
  bool even = true;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t m = k + 1; from[k] != to[k] && m < n; ++m)
      if (from[m] == to[k]) std::swap(from[k], from[m]), even = !even;
  return even && from == to;
}

TEST(Renumber, corners_rise_and_keep_their_orientation) {
  std::array<std::int32_t, 4> tet{2, 5, 7, 9};
  std::array<std::int32_t, 3> triangle{1, 4, 8};
  do {
    const auto rising = in_rising_order(tet);
    EXPECT_EQ(rising[0], 2);
    EXPECT_EQ(rising[1], 5);
    EXPECT_TRUE(same_orientation(tet, rising));
  } while (std::next_permutation(tet.begin(), tet.end()));
  do {
    EXPECT_EQ(in_rising_order(triangle)[0], 1);
    EXPECT_TRUE(same_orientation(triangle, in_rising_order(triangle)));
  } while (std::next_permutation(triangle.begin(), triangle.end()));
  EXPECT_FALSE(same_orientation(std::array{1, 2, 3}, std::array{1, 3, 2})) << "the test's own";
}

TEST(Renumber, how_a_mesh_was_written_leaves_no_trace) {
  const TriMesh mesh = make_grid(4, 3, 1, 1);
  const std::size_t count = mesh.vertices.size();
  std::vector<std::int32_t> plain(count), shuffle(count);
  for (std::size_t v = 0; v < count; ++v) plain[v] = shuffle[v] = std::int32_t(v);
  std::mt19937 engine(4);
  std::shuffle(shuffle.begin(), shuffle.end(), engine);
  TriMesh other = mesh;  // vertex v has become shuffle[v], its triangles come in another order
  std::vector<std::int32_t> back(count);
  for (std::size_t v = 0; v < count; ++v) {
    other.vertices[std::size_t(shuffle[v])] = mesh.vertices[v];
    back[std::size_t(shuffle[v])] = std::int32_t(v);
  }
  for (Triangle& t : other.triangles) {
    for (std::int32_t& v : t) v = shuffle[std::size_t(v)];
    std::rotate(t.begin(), t.begin() + 1, t.end());
  }
  std::shuffle(other.triangles.begin(), other.triangles.end(), engine);
  const TriMesh a = renumbered(mesh, plain), b = renumbered(other, back);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_NE(other.triangles, mesh.triangles);
}

}  // namespace
}  // namespace pliant
