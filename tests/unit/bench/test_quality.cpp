// Stretch, volume, standing and lumped masses as the benchmarks measure them.
#include <gtest/gtest.h>

#include <cmath>

#include "bench/quality.h"

namespace pliant::bench {
namespace {

TEST(BenchQuality, StretchOfAGridPulledAlongX) {
  ClothDef cloth;
  cloth.mesh = make_grid(1, 1, 1, 1);
  const RestEdges rest = rest_edges(cloth);
  ASSERT_EQ(rest.edges.size(), 5u);
  std::vector<Vec3> x = cloth.mesh.vertices;
  EXPECT_DOUBLE_EQ(stretch_of(rest, x).mean, 1);
  for (Vec3& p : x) p.x *= 3;
  // Two edges three times as long, two unchanged, the diagonal sqrt(10) / sqrt(2).
  EXPECT_NEAR(stretch_of(rest, x).max, 3, 1e-12);
  EXPECT_NEAR(stretch_of(rest, x).mean, (3 + 3 + 1 + 1 + std::sqrt(5.0)) / 5, 1e-12);
}

TEST(BenchQuality, VolumeScalesWithTheStretchAndTurnsNegativeInside) {
  const TetMesh mesh = make_lattice(2, 3, 4, 0.5);
  std::vector<Vec3> x = mesh.vertices;
  EXPECT_NEAR(tet_volume(mesh, x), 3, 1e-12);
  for (Vec3& p : x) p = {1.1 * p.x, 0.5 * p.y, p.z};
  EXPECT_NEAR(tet_volume(mesh, x), 3 * 0.55, 1e-12);
  for (Vec3& p : x) p.x = -p.x;
  EXPECT_NEAR(tet_volume(mesh, x), -3 * 0.55, 1e-12);
}

TEST(BenchQuality, SagIsOfTheCentre) {
  SolidDef solid;
  solid.mesh = make_box({1, 2, 3}, 1);
  solid.position = {0, 5, 0};
  solid.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};  // z upward or downward
  std::vector<Vec3> x = solid.mesh.vertices;
  for (Vec3& p : x) p = solid.position + 0.5 * rotate(solid.rotation, p) - Vec3{0, 0.25, 0};
  EXPECT_NEAR(sag_of(solid, x), 0.25, 1e-12);
  x[0].y -= double(x.size());
  EXPECT_NEAR(sag_of(solid, x), 1.25, 1e-12);
}

TEST(BenchQuality, LumpedMassesAddUp) {
  ClothDef cloth;
  cloth.mesh = make_grid(5, 4, 2, 3);
  cloth.areal_density = 0.3;
  double sum = 0;
  for (const double m : lumped_masses(cloth)) sum += m;
  EXPECT_NEAR(sum, 0.3 * 6, 1e-12);
  SolidDef solid;
  solid.tets = make_lattice(2, 2, 2, 0.5);
  sum = 0;
  for (const double m : lumped_masses(solid)) sum += m;
  EXPECT_NEAR(sum, 1000, 1e-9);
}

TEST(BenchQuality, LatticeBoundaryIsClosedAndOutward) {
  const TetMesh mesh = make_lattice(9, 9, 9, 0.1);
  const TriMesh surface{mesh.vertices, boundary(mesh.tetrahedra)};
  EXPECT_EQ(surface.triangles.size(), 6u * 81u * 2u);
  EXPECT_NEAR(volume(surface), 0.729, 1e-12);
  // Three directions of cube edges, and one diagonal of every square of the lattice.
  EXPECT_EQ(unique_edges(mesh.tetrahedra).size(), 3u * 9u * 100u + 3u * 10u * 81u);
}

std::vector<BodyDef> scattered_bodies() {
  std::vector<BodyDef> bodies(1);
  bodies[0].motion = Motion::fixed;
  bodies[0].shape = HalfSpace{};
  bodies.push_back({.motion = Motion::fixed, .shape = Box{{0.5, 3, 3}}, .position = {2, 1, 0}});
  for (int i = 0; i < 60; ++i) {
    BodyDef def;
    if (i % 2) def.shape = Box{{0.2, 0.3, 0.25}};
    if (i % 2 == 0) def.shape = Sphere{0.3};
    def.position = {0.31 * (i % 7) - 1, 0.27 * (i % 5) + 0.1, 0.29 * (i % 3) - 0.3 + 0.01 * i};
    def.rotation = normalized(Quat{0.1 * (i % 4), 0.2, 0.3 * (i % 3), 1});
    bodies.push_back(def);
  }
  return bodies;
}

TEST(BenchQuality, SweptOverlapsAreThoseOfAllPairs) {
  const std::vector<BodyDef> bodies = scattered_bodies();
  std::vector<Transform> poses;
  for (const BodyDef& b : bodies) poses.push_back({b.position, b.rotation});
  double deepest = 0, sum = 0;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = std::max<std::size_t>(i + 1, 2); j < bodies.size(); ++j) {
      const double d = shape_depth(bodies[i].shape, poses[i], bodies[j].shape, poses[j]);
      deepest = std::max(deepest, d);
      sum += d;
      count += d > 0;
    }
  }
  const Overlaps found = overlaps_of(bodies, poses);
  EXPECT_EQ(found.count, count);
  EXPECT_EQ(found.deepest, deepest);
  EXPECT_NEAR(found.sum, sum, 1e-12);
  EXPECT_GT(count, 50);
}

std::vector<BodyDef> tower() {
  std::vector<BodyDef> bodies;
  for (int i = 0; i < 3; ++i) bodies.push_back({.shape = Box{}, .position = {0, 0.5 + i, 0}});
  return bodies;
}
std::vector<Transform> poses_of(const std::vector<BodyDef>& bodies) {
  std::vector<Transform> poses;
  for (const BodyDef& b : bodies) poses.push_back({b.position, b.rotation});
  return poses;
}

TEST(BenchQuality, TowerStandsUntilABoxMovesOrTheTopSinks) {
  const std::vector<BodyDef> bodies = tower();
  std::vector<Transform> poses = poses_of(bodies);
  EXPECT_TRUE(standing(Standing::in_place, bodies, poses));
  poses[1].position.x = 0.51;
  EXPECT_FALSE(standing(Standing::in_place, bodies, poses));
  poses = poses_of(bodies);
  poses[2].position.y = 2.4;
  EXPECT_FALSE(standing(Standing::in_place, bodies, poses));
  poses[2].position.y = std::nan("");
  EXPECT_FALSE(standing(Standing::in_place, bodies, poses));
}

TEST(BenchQuality, BinHoldsUntilABodyIsBeyondAWallOrBelowTheFloor) {
  std::vector<BodyDef> bodies = tower();
  for (const double side : {-1.0, 1.0}) {
    bodies.push_back({.motion = Motion::fixed, .shape = Box{}, .position = {2 * side, 1, 0}});
    bodies.push_back({.motion = Motion::fixed, .shape = Box{}, .position = {0, 1, 2 * side}});
  }
  std::vector<Transform> poses = poses_of(bodies);
  EXPECT_TRUE(standing(Standing::contained, bodies, poses));
  poses[0].position.z = 2.1;
  EXPECT_FALSE(standing(Standing::contained, bodies, poses));
  poses[0].position = {1, -0.01, 0};
  EXPECT_FALSE(standing(Standing::contained, bodies, poses));
}

// An engine that moves by itself: what the meter sees must be what was shown to it.
class ShownEngine final : public BenchEngine {
 public:
  void step(double) override {}
  void poses(std::vector<Transform>& out) const override { out = shown_poses; }
  void cloth_positions(std::size_t, std::vector<Vec3>& out) const override { out = shown_cloth; }
  void solid_positions(std::size_t i, std::vector<Vec3>& out) const override {
    out = shown_solids[i];
  }
  int substeps() const override { return 1; }
  int sweeps() const override { return 1; }
  std::string settings() const override { return {}; }

  std::vector<Transform> shown_poses;
  std::vector<Vec3> shown_cloth;
  std::vector<std::vector<Vec3>> shown_solids;
};

TEST(BenchQuality, SolidsAreJudgedByVolumeAndByTheDeepestVertexInCells) {
  Scene scene;
  scene.bodies = {{.motion = Motion::fixed, .shape = HalfSpace{}}};
  for (const double y : {0.5, 1.48}) {
    SolidDef solid;
    solid.tets = make_lattice(4, 4, 4, 0.25);
    solid.position = {y == 0.5 ? 0 : 0.125, y, 0.125};
    scene.solids.push_back(solid);
  }
  ShownEngine engine;
  for (const SolidDef& s : scene.solids) engine.shown_solids.push_back(placed_vertices(s));
  engine.shown_poses = {{}};
  QualityMeter meter(scene, Standing::in_place);
  meter.sample(engine, true);
  // The upper one is 0.02 m in the lower one: 8 % of a cell.
  EXPECT_NEAR(meter.result(engine).deepest.value(), 0.08, 1e-9);
  EXPECT_NEAR(meter.result(engine).volume_min.value(), 1, 1e-12);
  EXPECT_FALSE(meter.result(engine).penetration_max.has_value());
  for (Vec3& p : engine.shown_solids[0]) p.y = 0.9 * p.y - 0.05;
  for (Vec3& p : engine.shown_solids[1]) p.y += 1;
  meter.sample(engine, true);
  EXPECT_NEAR(meter.result(engine).deepest.value(), 0.2, 1e-9);  // 0.05 m below the floor
  EXPECT_NEAR(meter.result(engine).volume_min.value(), 0.9, 1e-12);
  for (Vec3& p : engine.shown_solids[0]) p.x *= 0.5;
  meter.sample(engine, false);  // not a measured frame
  EXPECT_NEAR(meter.result(engine).volume_min.value(), 0.9, 1e-12);
  EXPECT_NEAR(meter.result(engine).volume_min_all.value(), 0.45, 1e-12);
}

TEST(BenchQuality, ClothInsideABodyIsTold) {
  Scene scene;
  scene.bodies = {{.shape = Box{}, .position = {3, 0, 0}}};
  scene.cloths.resize(1);
  scene.cloths[0].mesh = make_grid(1, 1, 0.1, 0.1);
  ShownEngine engine;
  engine.shown_cloth = scene.cloths[0].mesh.vertices;
  engine.shown_poses = {{{3, 0, 0}, {}}};
  QualityMeter meter(scene, Standing::in_place);
  meter.sample(engine, true);
  EXPECT_EQ(meter.result(engine).cloth_deepest.value(), 0);
  engine.shown_poses = {{{0, 0.47, 0}, {}}};
  meter.sample(engine, true);
  EXPECT_NEAR(meter.result(engine).cloth_deepest.value(), 0.03, 1e-12);
}

TEST(BenchQuality, ClothCountsTheWorstFrameAndNotFiniteIsTold) {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].mesh = make_grid(3, 3, 1, 1);
  ShownEngine engine;
  engine.shown_cloth = scene.cloths[0].mesh.vertices;
  QualityMeter meter(scene, Standing::in_place);
  for (const double scale : {1.0, 1.5, 0.7}) {
    for (std::size_t i = 0; i < engine.shown_cloth.size(); ++i)
      engine.shown_cloth[i] = scene.cloths[0].mesh.vertices[i] * scale;
    meter.sample(engine, false);
  }
  EXPECT_NEAR(meter.result(engine).stretch_mean_worst.value(), 1.5, 1e-12);
  EXPECT_TRUE(meter.result(engine).finite);
  engine.shown_cloth[3].x = std::nan("");
  meter.sample(engine, true);
  EXPECT_FALSE(meter.result(engine).finite);
}

}  // namespace
}  // namespace pliant::bench
