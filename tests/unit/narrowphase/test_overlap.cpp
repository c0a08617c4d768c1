// Points inside tetrahedra: the three searches find the same, and depths are what geometry says.
#include <gtest/gtest.h>

#include <pliant/world.h>

#include "../../random_points.h"
#include "overlap_rig.h"

namespace pliant {
namespace {

using test::OverlapRig;
using test::Random;

TEST(OverlapHash, deformable_A10_vectors_and_table_sizes) {
  struct Case {
    std::int32_t i, j, k;
    std::uint32_t at_877, at_607;
  };
  for (const Case& c : {Case{0, 0, 0, 0, 0}, Case{1, 0, 0, 415, 582}, Case{0, 1, 0, 412, 324},
                        Case{0, 0, 1, 637, 548}, Case{1, 2, 3, 487, 210}, Case{-1, 0, 0, 578, 425},
                        Case{-1, -2, -3, 506, 190}}) {
    EXPECT_EQ(cell_hash(c.i, c.j, c.k, 877), c.at_877);
    EXPECT_EQ(cell_hash(c.i, c.j, c.k, 607), c.at_607);
  }
  EXPECT_EQ(table_size(648), 877u);
  EXPECT_EQ(table_size(452), 607u);
  EXPECT_EQ(table_size(1331), 1777u);
  for (const std::size_t n : {1, 2, 3, 10, 100, 9999})
    EXPECT_LE(double(n), 0.75 * double(table_size(n)));
}

TEST(OverlapHash, inside_is_inside_whatever_the_winding) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0}, d{0, 0, 1};
  EXPECT_TRUE(is_inside(a, b, c, d, {0.2, 0.2, 0.2}));
  EXPECT_TRUE(is_inside(b, a, c, d, {0.2, 0.2, 0.2}));
  EXPECT_FALSE(is_inside(a, b, c, d, {0.4, 0.4, 0.4}));
  EXPECT_FALSE(is_inside(b, a, c, d, {-1e-9, 0.2, 0.2}));
  EXPECT_FALSE(is_inside(a, b, c, {1, 1, 0}, {0.2, 0.2, 0}));  // flat: has no inside
}

// Three cubes of 5 x 5 x 5 cells in a heap, the second one also meets itself.
OverlapRig heap() {
  OverlapRig rig;
  for (int n = 0; n < 3; ++n)
    rig.add(make_lattice(5, 5, 5, 0.2), 0.2, [](const Vec3& v) { return v; });
  rig.solids[1].self = true;
  return rig;
}

// Each bent, shaken and put somewhere near `middle`; the second one folded.
void deform(OverlapRig& rig, Random& random, const Vec3& middle) {
  const TetMesh mesh = make_lattice(5, 5, 5, 0.2);
  for (std::size_t n = 0; n < 3; ++n) {
    const Vec3 shift = middle + 0.5 * random.point(1);
    const double bend = random.number(1), fold = n == 1 ? 0.1 : 9;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      const Vec3& v = mesh.vertices[i];
      const double x = v.x > fold ? 2 * fold - v.x : v.x;
      rig.x[n * mesh.vertices.size() + i] =
          Vec3{x + bend * v.y * v.y, v.y + 0.3 * bend * v.z, v.z} + shift + 0.02 * random.point(1);
    }
  }
}

TEST(OverlapHash, deformable_A10_three_searches_find_the_same_set) {
  Random random(10);
  const std::unique_ptr<TaskPool> pool = make_task_pool(3);
  OverlapRig rig = heap();
  std::size_t total = 0, own = 0;
  for (int frame = 0; frame < 1000; ++frame) {
    deform(rig, random, frame % 2 == 0 ? Vec3{-40, -3, -0.1} : Vec3{0, 0, 0});
    rig.solids[0].awake = rig.solids[2].awake = frame % 5 != 0;
    const std::vector<OverlapHit> by_hash =
        rig.find(OverlapSearch::hash, frame % 10 == 0 ? pool.get() : nullptr);
    ASSERT_EQ(by_hash, rig.find(OverlapSearch::bvh)) << frame;
    ASSERT_EQ(by_hash, rig.find(OverlapSearch::brute)) << frame;
    total += by_hash.size();
    for (const OverlapHit& hit : by_hash) {
      const OverlapSolid& s = rig.solids[std::size_t(hit.body)];
      for (const std::int32_t p : s.topology.tets[std::size_t(hit.tet)])
        ASSERT_NE(s.begin + p, hit.point);
      own += hit.point >= s.begin && hit.point < s.begin + 216 ? 1 : 0;
    }
  }
  EXPECT_GT(total, 50000u);
  EXPECT_GT(own, 1000u);
}

// Solids that drift and shake a little from frame to frame: what was found before is used as long
// as it is good, and the set stays that of a search through all.
TEST(OverlapHash, candidates_that_are_kept_lack_nothing) {
  Random random(11);
  OverlapRig rig = heap();
  deform(rig, random, {});
  std::vector<Vec3> drift(rig.x.size());
  std::size_t total = 0, changes = 0, before = 0;
  std::int64_t looked = 0;
  constexpr int k_frames = 600;
  for (int frame = 0; frame < k_frames; ++frame) {
    if (frame % 50 == 0)
      for (std::size_t n = 0; n < 3; ++n)
        std::fill_n(drift.begin() + std::ptrdiff_t(216 * n), 216, 0.002 * random.point(1));
    for (std::size_t p = 0; p < rig.x.size(); ++p) rig.x[p] += drift[p] + 0.0005 * random.point(1);
    if (frame % 97 == 0) rig.solids[0].awake = !rig.solids[0].awake;
    const std::vector<OverlapHit> by_hash = rig.find(OverlapSearch::hash);
    ASSERT_EQ(by_hash, rig.find(OverlapSearch::brute)) << frame;
    total += by_hash.size();
    changes += by_hash.size() != before ? 1 : 0;
    before = by_hash.size();
    looked = rig.solids[0].looked + rig.solids[1].looked + rig.solids[2].looked;
  }
  EXPECT_GT(total, 10000u);
  EXPECT_GT(changes, 100u);
  EXPECT_LT(looked, k_frames) << "nothing was kept";
  EXPECT_GT(looked, 60);
  // Control: of solids that have gone far unnoticed something is missed.
  const std::vector<OverlapSolid> old = rig.solids;
  for (std::size_t p = 0; p < 216; ++p) rig.x[p] += Vec3{0.1, 0.05, 0};
  const std::vector<OverlapHit> all = rig.find(OverlapSearch::brute);
  rig.solids = old;
  std::vector<OverlapHit> some;
  find_overlaps(OverlapSearch::hash, rig.solids, rig.x, rig.cell(), nullptr, rig.memory, some);
  EXPECT_LT(some.size(), all.size());
}

// A cube of n cells, lowered by `depth` into the top (y = 0) of a larger one, a bit turned.
OverlapRig press(double depth, double turn) {
  OverlapRig rig;
  rig.add(make_lattice(8, 5, 8, 0.25), 0.25, [](const Vec3& v) { return v - Vec3{0, 0.625, 0}; });
  rig.add(make_lattice(5, 5, 5, 0.2), 0.2, [&](const Vec3& v) {
    return Vec3{v.x + turn * v.z, v.y + 0.5 - depth, v.z - turn * v.x};
  });
  return rig;
}

TEST(OverlapDepths, deformable_A12_depths_of_a_planar_press_are_true) {
  for (const double depth : {1e-4, 0.1, 0.55})  // the last one three layers deep
    for (const double turn : {0.0, 0.11}) {
      OverlapRig rig = press(depth, turn);
      const std::vector<OverlapDepth> found = rig.depths(1, 0);
      EXPECT_EQ(found.size(), depth < 0.2 ? 36u : 108u);
      for (const OverlapDepth& d : found) {
        EXPECT_TRUE(d.known);
        EXPECT_NEAR(d.depth, -rig.x[std::size_t(d.point)].y, 1e-9);
        EXPECT_LT(length(d.out - Vec3{0, 1, 0}), 1e-9);
      }
    }
}

TEST(OverlapDepths, deformable_A17_an_edge_with_its_ends_in_two_bodies) {
  OverlapRig rig;
  const TetMesh mesh = make_lattice(4, 4, 4, 0.25);
  rig.add(mesh, 0.25, [](const Vec3& v) { return v - Vec3{0.6, 0, 0}; });
  rig.add(mesh, 0.25, [](const Vec3& v) { return v + Vec3{0.6, 0, 0}; });
  // One tetrahedron across the slit between them, two corners in each.
  const TetMesh one{
      {{-0.15, 0.02, 0.03}, {-0.15, -0.05, 0.04}, {0.15, 0.01, -0.06}, {0.15, 0, 0.06}},
      {{0, 1, 2, 3}}};
  rig.add(one, 0.2, [](const Vec3& v) { return v; });
  for (const std::int32_t body : {0, 1}) {
    const std::vector<OverlapDepth> found = rig.depths(2, body);
    ASSERT_EQ(found.size(), 2u);
    for (const OverlapDepth& d : found) {
      EXPECT_NEAR(d.depth, 0.05, 1e-9);
      EXPECT_NEAR(d.out.x, body == 0 ? 1 : -1, 1e-9);
    }
  }
}

TEST(OverlapDepths, deformable_A17_what_is_enclosed_leaves_as_a_whole) {
  OverlapRig rig;
  rig.add(make_lattice(6, 6, 6, 0.25), 0.25, [](const Vec3& v) { return v; });
  rig.add(make_lattice(2, 2, 2, 0.1), 0.1, [](const Vec3& v) { return v + Vec3{0.3, 0, 0.05}; });
  int lost = 0;
  const std::vector<OverlapDepth> found = rig.depths(1, 0, &lost);
  EXPECT_EQ(lost, 27);
  for (const OverlapDepth& d : found) {
    EXPECT_NEAR(d.out.x, 1, 1e-9);
    EXPECT_NEAR(d.depth, 0.75 - rig.x[std::size_t(d.point)].x, 1e-9);
  }
}

// A tetrahedron drawn over the ridge of a wedge. The angle between the ways out of one step and the
// next, of the point that is inside all the time; and of the nearest face, which jumps.
TEST(OverlapDepths, deformable_A13_directions_do_not_jump_over_a_ridge) {
  double most = 0, most_nearest = 0;
  Vec3 before, before_nearest;
  OverlapRig rig;
  // A roof along z: the top of a lattice folded down to both sides, 45 degrees each.
  rig.add(make_lattice(8, 4, 8, 0.25), 0.25, [](const Vec3& v) {
    return Vec3{v.x, v.y - 0.5 - std::abs(v.x), v.z};
  });
  const TetMesh one{{{0, 0, 0}, {-0.15, 0.5, -0.1}, {0.15, 0.5, -0.1}, {0, 0.5, 0.17}},
                    {{0, 1, 3, 2}}};
  rig.add(one, 0.3, [](const Vec3& v) { return v; });
  const std::size_t first = std::size_t(rig.solids[1].begin);
  for (int step = 0; step <= 1000; ++step) {
    const double at = -0.4 + 0.8 * step / 1000;
    const double height = -std::abs(at) - 0.08 + 0.05 * std::max(0.0, 1 - std::abs(at) / 0.1);
    for (std::size_t n = 0; n < 4; ++n) rig.x[first + n] = one.vertices[n] + Vec3{at, height, 0.05};
    const std::vector<OverlapDepth> found = rig.depths(1, 0);
    ASSERT_EQ(found.size(), 1u) << step;
    ASSERT_TRUE(finite(found[0].out));
    const NearFace near = nearest_face(rig.solids[0], rig.x, rig.x[std::size_t(found[0].point)]);
    const Vec3 nearest = normalized(near.point - rig.x[std::size_t(found[0].point)]);
    const auto angle = [](const Vec3& a, const Vec3& b) {
      return 2 * std::asin(std::min(1.0, length(a - b) / 2)) * 180 / 3.14159265358979;
    };
    if (step > 0) {
      most = std::max(most, angle(before, found[0].out));
      most_nearest = std::max(most_nearest, angle(before_nearest, nearest));
    }
    before = found[0].out, before_nearest = nearest;
  }
  EXPECT_LT(most, 5);
  EXPECT_GT(most_nearest, 60);  // control: what the nearest face says
}

TEST(OverlapDepths, deformable_A13_shallow_points_give_numbers) {
  for (double depth = 1; depth > 1e-13; depth *= 0.1) {
    OverlapRig rig = press(depth * 0.3, 0.05);
    for (const OverlapDepth& d : rig.depths(1, 0)) {
      ASSERT_TRUE(std::isfinite(d.depth) && finite(d.out)) << depth;
      EXPECT_NEAR(d.depth, -rig.x[std::size_t(d.point)].y, d.depth == 0 ? 1e-6 : 1e-9);
      EXPECT_NEAR(length(d.out), 1, 1e-9);
    }
  }
}

}  // namespace
}  // namespace pliant
