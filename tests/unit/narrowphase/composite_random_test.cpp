// Random meshes and compounds against the brute-force twin, one triangle or part after the other.
#include <gtest/gtest.h>

#include "geometry/shape_data.h"
#include "narrowphase/rigid_composite.h"
#include "narrowphase/rigid_outline.h"
#include "unit/narrowphase/pair_twin.h"

namespace pliant {
namespace {

using twin::Pair;

double deepest_of(const Pair& p) {
  const ConvexShape a = make_convex(p.a), b = make_convex(p.b);
  PairGeometry g = twin::geometry(p, 10);
  g.a = shape_numbers<Real>(a);
  g.b = shape_numbers<Real>(b);
  ContactList out;
  collide_composite(g, out);
  double s = 1e30;
  for (const PairContact& c : out) s = std::min(s, twin::deepest(c));
  return s;
}

// Triangles that share nothing, so that every one of them counts.
TEST(rigid_mesh, random_triangles_match_the_twin_one_by_one) {
  std::mt19937 rng(41);
  std::uniform_real_distribution<double> u(-1, 1);
  int apart = 0;
  for (int i = 0; i < 150; ++i) {
    Pair p = twin::random_pair(i % twin::k_shapes, 0, rng);
    p.offset = p.offset * 2.0;
    Mesh mesh;
    double expected = 1e30;
    for (std::int32_t t = 0; t < 5; ++t) {
      const Vec3 at{u(rng), u(rng), u(rng)};
      Pair one = p;
      Hull triangle;
      for (int k = 0; k < 3; ++k) {
        const Vec3 corner = at + 0.5 * Vec3{u(rng), u(rng), u(rng)};
        triangle.points.push_back(corner);
        mesh.mesh.vertices.push_back(corner);
      }
      mesh.mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
      one.b = triangle;
      expected = std::min(expected, twin::signed_distance(one));
    }
    if (expected < 0.02) continue;  // the depth in a surface is another matter
    p.b = mesh;
    ASSERT_NEAR(deepest_of(p), expected, 2e-3) << i;
    ++apart;
  }
  EXPECT_GT(apart, 40);
}

// With the grids of distances two meshes have the same contacts, to the bit, as without.
TEST(rigid_mesh, fields_of_distances_change_no_contact) {
  std::mt19937 rng(43);
  std::uniform_real_distribution<double> u(-1, 1);
  TriMesh dented = make_box({0.5, 0.4, 0.3}, 3);
  for (Vec3& v : dented.vertices) v += 0.02 * Vec3{u(rng), u(rng), u(rng)};
  const Shape shapes[] = {Mesh{make_sphere(0.5, 1)}, Mesh{make_sphere(0.4, 3)},
                          Mesh{make_box({0.6, 0.05, 0.5}, 2)}, Mesh{dented},
                          Mesh{make_grid(6, 6, 1, 1)}};
  int touching = 0;
  for (int i = 0; i < 500; ++i) {
    const Shape &sa = shapes[i % 5], &sb = shapes[(i / 5) % 5];
    const ConvexShape plain_a = make_convex(sa), plain_b = make_convex(sb);
    ConvexShape fast_a = plain_a, fast_b = plain_b;
    fast_a.data = with_field(plain_a.data);
    fast_b.data = with_field(plain_b.data);
    Pair p = twin::random_pair(0, 0, rng);
    p.offset = normalized(p.offset) * (0.6 + 0.4 * u(rng));
    PairGeometry g = twin::geometry(p, 0.02);
    ContactList plain, fast;
    g.a = shape_numbers<Real>(plain_a), g.b = shape_numbers<Real>(plain_b);
    collide_composite(g, plain);
    g.a = shape_numbers<Real>(fast_a), g.b = shape_numbers<Real>(fast_b);
    collide_composite(g, fast);
    ASSERT_EQ(plain.size(), fast.size()) << i;
    for (std::size_t n = 0; n < plain.size(); ++n) {
      ASSERT_EQ(plain[n].count, fast[n].count) << i;
      ASSERT_EQ(plain[n].normal, fast[n].normal) << i;
      for (int k = 0; k < plain[n].count; ++k) {
        ASSERT_EQ(plain[n].point[k].position, fast[n].point[k].position) << i;
        ASSERT_EQ(plain[n].point[k].separation, fast[n].point[k].separation) << i;
        ASSERT_EQ(plain[n].point[k].feature, fast[n].point[k].feature) << i;
      }
    }
    touching += !plain.empty();
  }
  EXPECT_GT(touching, 100);
}

TEST(rigid_composite, random_compounds_match_the_twin_part_by_part) {
  std::mt19937 rng(42);
  std::uniform_real_distribution<double> u(-1, 1);
  int apart = 0;
  for (int i = 0; i < 150; ++i) {
    Pair p = twin::random_pair(i % twin::k_shapes, 0, rng);
    p.offset = p.offset * 2.0;
    Compound compound;
    double expected = 1e30;
    for (int n = 0; n < 4; ++n) {
      CompoundPart part;
      part.shape = twin::random_shape((i + n) % twin::k_shapes, rng);
      part.position = {u(rng), u(rng), u(rng)};
      part.rotation = twin::random_rotation(rng);
      compound.parts.push_back(part);
      const Pair one{p.a, part.shape, p.rotation_a, p.rotation_b * part.rotation,
                     p.offset + rotate(p.rotation_b, part.position)};
      expected = std::min(expected, twin::signed_distance(one));
    }
    if (expected < 0.02) continue;  // in an overlap parts that are not nearest count as well
    p.b = compound;
    ASSERT_NEAR(deepest_of(p), expected, 2e-3) << i;
    ++apart;
  }
  EXPECT_GT(apart, 40);
}

// --- outlines ------------------------------------------------------------------------------------

Placed placed_alone(const ConvexShape& shape) {
  return placed(shape_numbers<Real>(shape), Mat3R{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {});
}

TEST(rigid_outline, of_a_box_is_the_face_towards_it) {
  const ConvexShape box = make_convex(Box{{0.5, 0.25, 1}});
  const Outline top = outline_along(placed_alone(box), {0, 1, 0});
  ASSERT_EQ(top.count, 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(top.point[i].y, 0.25, 1e-7);
    EXPECT_NEAR(std::abs(top.point[i].x), 0.5, 1e-7);
    EXPECT_NEAR(std::abs(top.point[i].z), 1, 1e-7);
  }
  EXPECT_NEAR(top.normal.y, 1, 1e-7);
}

// The deepest and the furthest stay, whatever the order.
TEST(rigid_outline, the_best_four_of_many_hold_the_deepest_and_span_the_rest) {
  std::mt19937 rng(43);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int round = 0; round < 100; ++round) {
    std::vector<PairPoint> points;
    Real deepest = 1;
    for (std::uint32_t n = 0; n < 12; ++n) {
      points.push_back({{Real(u(rng)), 0, Real(u(rng))}, Real(0.1 * u(rng)), n});
      deepest = std::min(deepest, points.back().separation);
    }
    const PairContact best = keep_best(points.data(), int(points.size()), {0, 1, 0}, 1e-6);
    ASSERT_GE(best.count, 3);
    Real least = 1;
    for (int i = 0; i < best.count; ++i) least = std::min(least, best.point[i].separation);
    EXPECT_EQ(least, deepest);
    for (int i = 0; i < best.count; ++i)
      for (int k = 0; k < i; ++k) EXPECT_NE(best.point[i].feature, best.point[k].feature);
  }
}

}  // namespace
}  // namespace pliant
