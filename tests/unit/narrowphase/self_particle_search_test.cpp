// The search for pairs of a cloth's particles against its twin of all pairs, who neighbours are,
// and how long a search lasts.
//
// Seen to fail: with boxes that lack the margin, with the reach halved, with the last lane of the
// neighbours' masks left out, with pairs of a leaf with itself twice, and with margins that are
// never checked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "build/deformable_build.h"
#include "build/self_particles.h"
#include "narrowphase/self_particle_search.h"
#include "random_points.h"

namespace pliant {
namespace {

// A cloth in some place.
struct Crumpled {
  Deformable body;
  Particles particles;
  SelfSearch search;

  Crumpled(const TriMesh& mesh, const std::vector<Vec3>& places) {
    ClothDef def;
    def.mesh = mesh;
    def.thickness = 1e-4;
    def.self_contact = true;
    def.self_contact_by = SelfContact::particles;
    DeformableBuild build = build_cloth(def);
    body = std::move(build.body);
    body.begin = 3;  // as if others came first
    particles.resize(body.begin + body.constraints.places());
    for (std::size_t v = 0; v < places.size(); ++v) {
      const Vec3& p = places[v];
      const std::size_t n = std::size_t(body.begin + body.order[v]);
      particles.base[n] = {Real(p.x), Real(p.y), Real(p.z), 0};
    }
  }
  SelfRange range() const { return {body.self_particles, body.begin, body.count}; }
  std::vector<SelfPair> find(TaskPool* pool, int substeps) {
    constexpr double k_substep = 1. / 240;
    SelfPairs pairs;
    place_self_particles(range(), particles, k_substep, substeps * k_substep, pool, search);
    find_self_pairs(range(), pool, search, pairs);
    pairs.near.insert(pairs.near.end(), pairs.far.begin(), pairs.far.end());
    return pairs.near;
  }
  // By so much and by something of the size `each` (m), or likewise the speeds (m/s).
  static void add(std::vector<Vec4>& array, const Deformable& body, const Vec3& by,
                  test::Random& random, double each) {
    for (std::int32_t i = 0; i < body.count; ++i) {
      const Vec3 way = by + random.point(each);
      Vec4& d = array[std::size_t(body.begin + i)];
      d = {d.x + Real(way.x), d.y + Real(way.y), d.z + Real(way.z), d.w};
    }
  }
  void move(const Vec3& by, test::Random& random, double each) {
    add(particles.d, body, by, random, each);
  }
  void hurry(const Vec3& by, test::Random& random, double each) {
    add(particles.velocity, body, by, random, each);
  }
};

std::vector<Vec3> scattered(const TriMesh& mesh, test::Random& random, double share, double size) {
  std::vector<Vec3> places;
  for (const Vec3& v : mesh.vertices) places.push_back(share * v + random.point(size));
  return places;
}

void expect_the_twins_pairs(Crumpled& cloth, int substeps, std::size_t least) {
  const std::vector<SelfPair> expected_order = cloth.find(nullptr, substeps);
  std::vector<SelfPair> found = expected_order;
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, find_self_pairs_brute(cloth.range(), cloth.search));
  EXPECT_GE(found.size(), least);
  const auto pool = make_task_pool(3);
  EXPECT_EQ(cloth.find(pool.get(), substeps), expected_order);
}

TEST(SelfParticleSearch, finds_what_the_twin_finds) {
  test::Random random(3);
  for (const int cells : {1, 5, 17, 40})
    for (const double share : {0.1, 0.5, 1.0}) {
      SCOPED_TRACE(cells);
      const TriMesh mesh = make_grid(cells, cells + 3, 0.3, 0.3);
      Crumpled cloth(mesh, scattered(mesh, random, share, 0.01));
      expect_the_twins_pairs(cloth, 1, cells >= 17 && share < 1 ? 50 : 0);
      cloth.hurry({1, 0, 0}, random, 0.1);
      expect_the_twins_pairs(cloth, 4, cells >= 17 && share < 1 ? 50 : 0);
    }
}

// Vertices that are not alike, and a mesh that lies on itself.
TEST(SelfParticleSearch, finds_what_the_twin_finds_on_uneven_meshes) {
  test::Random random(4);
  TriMesh mesh = make_grid(30, 20, 0.3, 0.2);
  for (Vec3& v : mesh.vertices) v = {v.x + 2 * v.x * v.x, v.y, v.z + v.z * v.z * v.z};
  for (int attempt = 0; attempt < 10; ++attempt) {
    std::vector<Vec3> places;
    for (const Vec3& v : mesh.vertices)
      places.push_back(Vec3{std::abs(v.x), 0.003 * v.z, v.z} + random.point(0.002));
    Crumpled cloth(mesh, places);
    cloth.hurry({0, 0, 3}, random, 0.3);
    expect_the_twins_pairs(cloth, 4, 100);
  }
}

// A flat cloth at rest has no pairs: neighbours are none, and all others are too far.
TEST(SelfParticleSearch, finds_nothing_in_flat_cloth) {
  const TriMesh mesh = make_grid(30, 30, 1, 1);
  Crumpled cloth(mesh, mesh.vertices);
  EXPECT_TRUE(cloth.find(nullptr, 4).empty());
  EXPECT_TRUE(cloth.search.lasting);
}

// Of a grid with cells of h x h particles keep h, whichever way the diagonals run; but a thickness
// that is more.
TEST(SelfParticleSearch, keeps_an_edge_length_or_the_thickness) {
  const TriMesh mesh = make_grid(10, 10, 0.5, 0.5);
  const Crumpled cloth(mesh, mesh.vertices);
  EXPECT_NEAR(double(cloth.body.self_particles.reach), 0.05, 1e-8);
  ClothDef def;
  def.mesh = mesh;
  def.thickness = 0.07;
  def.self_contact = true;
  def.self_contact_by = SelfContact::particles;
  EXPECT_NEAR(double(build_cloth(def).body.self_particles.reach), 0.07, 1e-8);
  def.self_contact_by = SelfContact::features;
  EXPECT_TRUE(build_cloth(def).body.self_particles.empty());
}

// Smallest circles: of an equilateral triangle with edge 1 the one through its corners, of a right
// or obtuse one that around the longest edge.
TEST(SelfParticleSearch, circles_around_triangles) {
  EXPECT_NEAR(circle_around_sq({}, {1, 0, 0}, {0.5, std::sqrt(0.75), 0}), 1. / 3, 1e-14);
  EXPECT_NEAR(circle_around_sq({}, {3, 0, 0}, {0, 0, 4}), 25. / 4, 1e-14);
  EXPECT_NEAR(circle_around_sq({}, {10, 0, 0}, {4, 0.1, 0}), 25, 1e-14);
}

// The bound itself: an edge through a triangle has an end that is within sqrt(q + q') of a corner.
TEST(SelfParticleSearch, an_edge_through_a_triangle_has_an_end_near_a_corner) {
  test::Random random(9);
  double most = 0;
  for (int attempt = 0; attempt < 20000; ++attempt) {
    const Vec3 a = random.point(1), b = random.point(1), c = random.point(1), p = random.point(1);
    const double u = 0.5 + 0.5 * random.number(1), v = (0.5 + 0.5 * random.number(1)) * (1 - u),
                 s = 0.55 + 0.45 * random.number(1);
    const Vec3 x = a + u * (b - a) + v * (c - a), q = p + (x - p) / s;
    double nearest = 1e9;
    for (const Vec3& end : {p, q})
      for (const Vec3& corner : {a, b, c}) nearest = std::min(nearest, length_sq(end - corner));
    most = std::max(most, nearest / (circle_around_sq(a, b, c) + length_sq(q - p) / 4));
  }
  EXPECT_LE(most, 1);
  EXPECT_GT(most, 0.9);  // it is not far from being the best one
}

// What has moved together, or little, needs no search; what has moved by more does.
TEST(SelfParticleSearch, lasts_until_something_has_left_its_margin) {
  test::Random random(5);
  const TriMesh mesh = make_grid(30, 30, 1, 1);
  Crumpled cloth(mesh, mesh.vertices);
  cloth.find(nullptr, 4);
  cloth.move({0.5, -2, 0}, random, 1e-3);
  EXPECT_TRUE(self_pairs_last(cloth.range(), cloth.particles, nullptr, cloth.search));
  Vec4& d = cloth.particles.d[std::size_t(cloth.body.begin + 77)];
  d.y += Real(0.01);
  EXPECT_FALSE(self_pairs_last(cloth.range(), cloth.particles, nullptr, cloth.search));
}

// Fast cloth is searched for one substep, with margins that let nothing pass unseen.
TEST(SelfParticleSearch, does_not_last_where_cloth_is_fast) {
  test::Random random(6);
  const TriMesh mesh = make_grid(30, 30, 1, 1);
  Crumpled cloth(mesh, mesh.vertices);
  cloth.hurry({}, random, 5);
  expect_the_twins_pairs(cloth, 4, 1);
  EXPECT_FALSE(cloth.search.lasting);
  EXPECT_FALSE(self_pairs_last(cloth.range(), cloth.particles, nullptr, cloth.search));
}

}  // namespace
}  // namespace pliant
