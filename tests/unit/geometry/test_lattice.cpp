// Wrapping and embedding: closed forms for boxes, brute point-in-box for the choice of cubes.
#include "geometry/lattice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "geometry/topology.h"
#include "geometry/triangle_box.h"

namespace pliant {
namespace {

void expect_embedding(const TriMesh& mesh, const WrappedMesh& wrapped) {
  ASSERT_EQ(wrapped.embedding.size(), mesh.vertices.size());
  double size = 0;
  for (const Vec3& v : mesh.vertices) size = std::max(size, length(v));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const EmbeddedVertex& e = wrapped.embedding[v];
    double sum = 0;
    for (const double w : e.weights) {
      EXPECT_GE(w, -1e-9);
      EXPECT_LE(w, 1 + 1e-9);
      sum += w;
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_LT(length(carried_position(e, wrapped.lattice) - mesh.vertices[v]), 1e-12 * (size + 1));
  }
}

void expect_sound_lattice(const WrappedMesh& wrapped) {
  const double cube = wrapped.cell * wrapped.cell * wrapped.cell;
  for (const Tetrahedron& t : wrapped.lattice.tetrahedra) {
    EXPECT_GT(signed_volume(wrapped.lattice, t), cube / 6.0001);
  }
  const double exact = cube * double(wrapped.lattice.tetrahedra.size() / 5);
  EXPECT_NEAR(volume(wrapped.lattice), exact, 1e-9 * exact);
}

TEST(Lattice, aligned_box_gets_exactly_its_own_cubes) {
  const TriMesh box = make_box({0.5, 0.25, 1.0}, 4);
  const WrappedMesh wrapped = wrap_in_lattice(box, 8).value();
  EXPECT_EQ(wrapped.lattice.tetrahedra.size(), std::size_t(4 * 2 * 8 * 5));
  EXPECT_EQ(wrapped.lattice.vertices.size(), std::size_t(5 * 3 * 9));
  EXPECT_NEAR(volume(wrapped.lattice), volume(box), 1e-12);
  EXPECT_EQ(wrapped.lattice_pieces, 1);
  expect_embedding(box, wrapped);
  expect_sound_lattice(wrapped);
}

TEST(Lattice, deformable_A11_cube_skin) {
  const TriMesh skin = make_box({1, 1, 1}, 20);
  EXPECT_EQ(skin.vertices.size(), 2402u);
  EXPECT_EQ(skin.triangles.size(), 4800u);
  WrappedMesh wrapped = wrap_in_lattice(skin, 5).value();
  EXPECT_EQ(wrapped.lattice.vertices.size(), 216u);
  EXPECT_EQ(wrapped.lattice.tetrahedra.size(), 625u);
  expect_embedding(skin, wrapped);
  // An affine map of the lattice is carried exactly.
  const Mat3 m{{{1.2, 0.3, -0.1}, {-0.4, 0.9, 0.2}, {0.15, -0.25, 1.1}}};
  const Vec3 shift{3, -2, 1};
  for (Vec3& v : wrapped.lattice.vertices) v = m * v + shift;
  for (std::size_t v = 0; v < skin.vertices.size(); ++v) {
    const Vec3 expected = m * skin.vertices[v] + shift;
    EXPECT_LT(length(carried_position(wrapped.embedding[v], wrapped.lattice) - expected), 1e-13);
  }
}

TEST(Lattice, sphere_is_covered_and_hardly_more) {
  const TriMesh sphere = make_sphere(1.0, 3);
  for (const int cells : {1, 2, 3, 8, 17}) {
    const WrappedMesh wrapped = wrap_in_lattice(sphere, cells).value();
    EXPECT_EQ(wrapped.lattice_pieces, 1);
    EXPECT_EQ(wrapped.mesh_pieces, 1);
    EXPECT_GE(volume(wrapped.lattice), volume(sphere));
    // Every cube reaches no further out than its diagonal.
    const double reach = 1 + wrapped.cell * std::sqrt(3.0);
    for (const Vec3& v : wrapped.lattice.vertices) EXPECT_LT(length(v), reach + 1e-9);
    expect_embedding(sphere, wrapped);
    expect_sound_lattice(wrapped);
  }
}

TEST(Lattice, inside_of_a_shell_is_filled_but_a_hole_is_not) {
  TriMesh outer = make_sphere(1.0, 4);
  const std::size_t solid = wrap_in_lattice(outer, 20).value().lattice.tetrahedra.size();
  TriMesh hollow = outer;
  TriMesh inner = make_sphere(0.5, 3);
  for (Triangle t : inner.triangles) {
    const std::int32_t n = std::int32_t(outer.vertices.size());
    hollow.triangles.push_back({t[0] + n, t[2] + n, t[1] + n});
  }
  hollow.vertices.insert(hollow.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  const WrappedMesh wrapped = wrap_in_lattice(hollow, 20).value();
  EXPECT_EQ(wrapped.mesh_pieces, 2);
  EXPECT_EQ(wrapped.lattice_pieces, 1);
  // The cubes wholly within the inner ball are missing: those whose farthest corner is inside.
  std::size_t missing = 0;
  for (int k = 0; k < 20; ++k) {
    for (int j = 0; j < 20; ++j) {
      for (int i = 0; i < 20; ++i) {
        const Vec3 c{std::abs(i - 9.5) + 0.5, std::abs(j - 9.5) + 0.5, std::abs(k - 9.5) + 0.5};
        missing += length(c) * wrapped.cell < 0.49;
      }
    }
  }
  EXPECT_GT(missing, 0u);
  EXPECT_LE(wrapped.lattice.tetrahedra.size(), solid - 5 * missing);
  EXPECT_GT(wrapped.lattice.tetrahedra.size(), solid - 5 * 2 * missing);
}

// A size instead of a count: as many whole cubes as cover the box, around its middle.
TEST(Lattice, a_cell_size_gives_cubes_of_that_size) {
  const TriMesh box = make_box({0.5, 0.25, 1.0}, 4);
  const WrappedMesh exact = wrap_in_lattice(box, LatticeGrain{.size = 0.25}).value();
  EXPECT_EQ(exact.cell, 0.25);
  EXPECT_EQ(exact.lattice.tetrahedra.size(), std::size_t(4 * 2 * 8 * 5));
  expect_embedding(box, exact);
  // 1, 0.5 and 2 m are 3.33, 1.67 and 6.67 cubes of 0.3 m.
  const WrappedMesh wider = wrap_in_lattice(box, LatticeGrain{.size = 0.3}).value();
  EXPECT_EQ(wider.lattice.tetrahedra.size(), std::size_t(4 * 2 * 7 * 5));
  Vec3 low = wider.lattice.vertices[0], high = low;
  for (const Vec3& v : wider.lattice.vertices) low = min(low, v), high = max(high, v);
  EXPECT_LT(length(high - Vec3{0.6, 0.3, 1.05}), 1e-12);
  EXPECT_LT(length(low + Vec3{0.6, 0.3, 1.05}), 1e-12);
  expect_embedding(box, wider);
  expect_sound_lattice(wider);
  // Larger than the body: one cube.
  EXPECT_EQ(wrap_in_lattice(box, LatticeGrain{.size = 5}).value().lattice.vertices.size(), 8u);
  // 2 m are 256 cubes of 7.8 mm.
  EXPECT_FALSE(check_lattice(box, {.size = 2.0 / 256}));
  const auto refused = check_lattice(box, {.size = 7e-3});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->place, "cell_size");
  EXPECT_FALSE(wrap_in_lattice(box, LatticeGrain{.size = 7e-3}).ok());
}

TEST(Lattice, two_bodies_are_two_pieces) {
  TriMesh two = make_box({0.1, 0.1, 0.1});
  const TriMesh other = two;
  for (const Vec3& v : other.vertices) two.vertices.push_back(v + Vec3{1, 0, 0});
  for (const Triangle& t : other.triangles) two.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  const WrappedMesh wrapped = wrap_in_lattice(two, 12).value();
  EXPECT_EQ(wrapped.mesh_pieces, 2);
  EXPECT_EQ(wrapped.lattice_pieces, 2);
}

TEST(Lattice, bad_input_is_refused_with_a_reason) {
  TriMesh open = make_box({1, 1, 1});
  open.triangles.pop_back();
  const auto refused = wrap_in_lattice(open, 4);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text().find("3 edges"), std::string::npos) << refused.error().text();
  EXPECT_FALSE(wrap_in_lattice({}, 4).ok());
  EXPECT_FALSE(wrap_in_lattice(make_box({1, 1, 1}), 0).ok());
  EXPECT_FALSE(wrap_in_lattice(make_box({1, 1, 1}), 100000).ok());
  TriMesh turned = make_box({1, 1, 1});
  for (Triangle& t : turned.triangles) std::swap(t[0], t[1]);
  EXPECT_FALSE(wrap_in_lattice(turned, 4).ok());
  EXPECT_FALSE(wrap_in_lattice(make_box({1.5e308, 1, 1}), 4).ok());
}

// Twin of the separating axis test: a dense sampling of the triangle can only find what meets.
TEST(TriangleBox, agrees_with_sampling) {
  std::mt19937 random(7);
  const auto next = [&] { return double(random()) / 4294967295.0 * 4 - 2; };
  int meets = 0, sampled_meets = 0;
  for (int round = 0; round < 2000; ++round) {
    const Vec3 a{next(), next(), next()}, b{next(), next(), next()}, c{next(), next(), next()};
    const Vec3 half{0.5, 0.3, 0.7};
    bool sampled = false;
    for (int i = 0; i <= 60; ++i) {
      for (int j = 0; j + i <= 60; ++j) {
        const Vec3 p = a + (b - a) * (i / 60.0) + (c - a) * (j / 60.0);
        sampled |= std::abs(p.x) <= half.x && std::abs(p.y) <= half.y && std::abs(p.z) <= half.z;
      }
    }
    const bool found = triangle_meets_box(a, b, c, {}, half);
    EXPECT_TRUE(found || !sampled);
    meets += found;
    sampled_meets += sampled;
  }
  EXPECT_GT(sampled_meets, 300);
  EXPECT_LT(meets, sampled_meets * 1.1);  // what sampling misses is a thin margin
}

}  // namespace
}  // namespace pliant
