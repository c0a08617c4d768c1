// Compounds, meshes and hulls in contact: against what is the same solid in another form.
#include "narrowphase/rigid_composite.h"

#include <gtest/gtest.h>

#include "geometry/shape_data.h"
#include "unit/narrowphase/pair_twin.h"

namespace pliant {
namespace {

using twin::Pair;

// The library's shapes point to data that somebody has to keep.
struct Kept {
  ConvexShape a, b;
  PairGeometry g;
  explicit Kept(const Pair& p, double margin = 10)
      : a(make_convex(p.a)), b(make_convex(p.b)), g(twin::geometry(p, margin)) {
    g.a = shape_numbers<Real>(a);
    g.b = shape_numbers<Real>(b);
  }
};

double deepest(const ContactList& contacts) {
  double s = 1e30;
  for (const PairContact& c : contacts) s = std::min(s, twin::deepest(c));
  return s;
}
int points(const ContactList& contacts) {
  int n = 0;
  for (const PairContact& c : contacts) n += c.count;
  return n;
}
ContactList collide(const Pair& p, double margin = 10) {
  const Kept kept(p, margin);
  ContactList out;
  collide_composite(kept.g, out);
  return out;
}

std::vector<Vec3> corners(const Vec3& half) {
  std::vector<Vec3> out;
  for (int i = 0; i < 8; ++i)
    out.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  return out;
}

TEST(composite, hulls_of_random_points_match_the_twin) {
  std::mt19937 rng(31);
  std::uniform_real_distribution<double> u(-0.7, 0.7);
  int overlapping = 0;
  for (int i = 0; i < 400; ++i) {
    Pair p = twin::random_pair(i % twin::k_shapes, 0, rng);
    Hull hull;
    for (int k = 0; k < 4 + i % 20; ++k) hull.points.push_back({u(rng), u(rng), u(rng)});
    p.b = hull;
    const double expected = twin::signed_distance(p);
    const Kept kept(p);
    const PairContact c = collide_convex(kept.g);
    const double found = twin::deepest(c);
    ASSERT_NEAR(twin::gap_along(p, normalized(cast<double>(c.normal))), found, 5e-4) << i;
    ASSERT_LT(expected, found + 5e-4) << i;
    overlapping += found < 0;
  }
  EXPECT_GT(overlapping, 50);
}

TEST(composite, the_hull_of_a_box_is_the_box) {
  std::mt19937 rng(32);
  for (int i = 0; i < 300; ++i) {
    Pair p = twin::random_pair(i % twin::k_shapes, 1, rng);
    const double expected = twin::deepest(collide_convex(twin::geometry(p)));
    p.b = Hull{corners(std::get<Box>(p.b).half)};
    const Kept kept(p);
    ASSERT_NEAR(twin::deepest(collide_convex(kept.g)), expected, 1e-3) << i;
  }
}

// Two halves of a box beside each other; contacts of both come with different features.
TEST(composite, a_compound_of_two_halves_is_the_whole) {
  std::mt19937 rng(33);
  for (int i = 0; i < 300; ++i) {
    Pair p = twin::random_pair(i % twin::k_shapes, 1, rng);
    const double expected = twin::deepest(collide_convex(twin::geometry(p)));
    if (expected < 0) continue;  // the depth into a part is not that into the whole
    const Vec3 half = std::get<Box>(p.b).half;
    const Box part{{half.x / 2, half.y, half.z}};
    p.b = Compound{{{part, {-half.x / 2, 0, 0}}, {part, {half.x / 2, 0, 0}}}};
    ASSERT_NEAR(deepest(collide(p)), expected, 1e-3) << i;
    std::swap(p.a, p.b);
    std::swap(p.rotation_a, p.rotation_b);
    p.offset = -p.offset;
    ASSERT_NEAR(deepest(collide(p)), expected, 1e-3) << i;
  }
}

TEST(composite, turned_parts_and_compounds_in_compounds) {
  const Quat quarter{0, 0, std::sqrt(0.5), std::sqrt(0.5)};                       // x to y
  const Compound inner{{{Box{{0.5, 0.1, 0.1}}, {}, quarter}}};                    // stands along y
  const Compound outer{{{inner, {0, 0, 1}, quarter}, {Sphere{0.1}, {3, 0, 0}}}};  // lies along x
  const Pair p{Sphere{0.1}, outer, {}, {}, {-0.7, 0, -1}};
  EXPECT_NEAR(deepest(collide(p)), 0.1, 1e-5);
}

TEST(composite, a_closed_mesh_is_the_solid) {
  std::mt19937 rng(34);
  int near = 0;
  for (int i = 0; i < 400; ++i) {
    Pair p = twin::random_pair(i % twin::k_shapes, 1, rng);
    const double expected = twin::deepest(collide_convex(twin::geometry(p)));
    if (expected < 0.01 || expected > 0.5) continue;
    ++near;
    p.b = Mesh{make_box(std::get<Box>(p.b).half, 3)};
    // Where an edge that bends is nearest both of its triangles see it, but flat ones do not.
    ASSERT_NEAR(deepest(collide(p)), expected, 5e-3) << i;
  }
  EXPECT_GT(near, 50);
}

TEST(composite, a_box_lies_on_a_mesh_with_four_points) {
  const Mesh floor{make_grid(8, 8, 4, 4)};
  const Pair p{Box{{0.5, 0.2, 0.5}}, floor, {}, {}, {0.1, -0.2, 0.05}};
  const ContactList contacts = collide(p, 0.01);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].count, 4);
  EXPECT_NEAR(double(contacts[0].normal.y), -1, 1e-6);
  EXPECT_NEAR(deepest(contacts), 0, 1e-5);
}

// A ball that rolls over the edges between triangles has one point, along the plane's normal.
TEST(composite, flat_edges_are_not_felt) {
  const Mesh floor{make_grid(8, 8, 4, 4)};
  for (int i = 0; i < 200; ++i) {
    const Pair p{Sphere{0.2}, floor, {}, {}, {-0.7 + 0.007 * i, -0.199, 0.003 * i}};
    const ContactList contacts = collide(p, 0.01);
    ASSERT_EQ(contacts.size(), 1u) << i;
    EXPECT_NEAR(double(contacts[0].normal.y), -1, 1e-5);
    EXPECT_NEAR(deepest(contacts), -0.001, 1e-5);
  }
}

TEST(composite, mesh_on_mesh_and_on_a_half_space) {
  const Mesh cube{make_box({0.5, 0.5, 0.5}, 2)};
  const Pair stacked{cube, cube, {}, {}, {0.1, 0.999, 0.05}};
  EXPECT_NEAR(deepest(collide(stacked, 0.01)), -0.001, 1e-5);
  EXPECT_GE(points(collide(stacked, 0.01)), 4);
  const Pair on_floor{cube, HalfSpace{}, {}, {}, {0, -0.499, 0}};
  EXPECT_NEAR(deepest(collide(on_floor, 0.01)), -0.001, 1e-6);
  EXPECT_EQ(points(collide(on_floor, 0.01)), 4);
}

// A user's shapes: an octahedron by its support, a ring by its distance.
class Octahedron : public SupportFunction {
 public:
  Vec3 support(const Vec3& d) const override {
    const Vec3 s{std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)};
    if (s.x >= s.y && s.x >= s.z) return {d.x < 0 ? -1.0 : 1.0, 0, 0};
    if (s.y >= s.z) return {0, d.y < 0 ? -1.0 : 1.0, 0};
    return {0, 0, d.z < 0 ? -1.0 : 1.0};
  }
};
class Ring : public DistanceFunction {
 public:
  double distance(const Vec3& p) const override {
    return std::hypot(std::hypot(p.x, p.z) - 1, p.y) - 0.25;
  }
  Vec3 low() const override { return {-1.25, -0.25, -1.25}; }
  Vec3 high() const override { return {1.25, 0.25, 1.25}; }
};

TEST(composite, a_user_shape_meets_all_others) {
  std::mt19937 rng(35);
  const std::vector<Vec3> tips = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                  {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  for (int i = 0; i < 120; ++i) {
    Pair p = twin::random_pair(i % twin::k_shapes, 0, rng);
    p.offset = p.offset * 1.5;
    p.b = Hull{tips};
    const Kept as_hull(p);
    const double expected = twin::deepest(collide_convex(as_hull.g));
    p.b = UserShape{std::make_shared<Octahedron>(), nullptr};
    const Kept kept(p);
    ASSERT_NEAR(twin::deepest(collide_convex(kept.g)), expected, 1e-3) << i;
  }
}

TEST(composite, a_ball_passes_through_a_ring_and_touches_it) {
  const UserShape ring{nullptr, std::make_shared<Ring>()};
  EXPECT_TRUE(is_closed(user_mesh(ring)));
  EXPECT_GT(deepest(collide({Sphere{0.5}, ring, {}, {}, {0, 0, 0}}, 0.1)),
            0.1);  // through the hole
  const ContactList beside = collide({Sphere{0.5}, ring, {}, {}, {-0.3, 0, 0}}, 0.1);
  EXPECT_NEAR(deepest(beside), -0.05, 0.005);
  const ConvexShape shape = make_convex(ring);
  Vec3 g;
  EXPECT_NEAR(signed_distance(shape_numbers<double>(shape), Vec3{0, 0, 0}, g), 0.75, 1e-12);
}

}  // namespace
}  // namespace pliant
