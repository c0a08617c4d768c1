// The benchmark scenes are what their names promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/topology.h"
#include "bench/work.h"

namespace pliant::bench {
namespace {

Scene load(const std::string& name) {
  SceneProblems problems;
  const auto scene =
      load_scene(PLIANT_SOURCE_DIR "/scenes/benchmark/" + name + ".json", {}, problems);
  for (const Error& error : problems.errors) ADD_FAILURE() << error.text();
  if (scene) {
    EXPECT_FALSE(scene->world.sleep);
    EXPECT_NEAR(scene->dt, 1.0 / 60, 1e-9);
  }
  return scene.value_or(Scene{});
}

int dynamic_bodies(const Scene& scene) {
  int count = 0;
  for (const BodyDef& body : scene.bodies) count += body.motion == Motion::dynamic;
  return count;
}

TEST(BenchScenes, ClothsAreASquareMetreHeldAtTwoCorners) {
  for (const int n : {64, 128}) {
    const Scene scene = load("cloth" + std::to_string(n));
    ASSERT_EQ(scene.cloths.size(), 1u);
    const ClothDef& cloth = scene.cloths[0];
    EXPECT_EQ(cloth.mesh.vertices.size(), std::size_t(n * n));
    EXPECT_NEAR(area(cloth.mesh), 1, 1e-12);
    ASSERT_EQ(cloth.pins.size(), 1u);
    ASSERT_EQ(cloth.pins[0].vertices.size(), 2u);
    const Vec3 a = cloth.mesh.vertices[std::size_t(cloth.pins[0].vertices[0])];
    const Vec3 b = cloth.mesh.vertices[std::size_t(cloth.pins[0].vertices[1])];
    EXPECT_NEAR(length(a - b), 1, 1e-12);
    EXPECT_NEAR(length(a), std::sqrt(0.5), 1e-12);
  }
}

TEST(BenchScenes, SoftCubesAreEightLatticesApart) {
  const Scene scene = load("softcubes");
  ASSERT_EQ(scene.solids.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(scene.solids[i].tets.vertices.size(), 1000u);
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 d = scene.solids[i].position - scene.solids[j].position;
      EXPECT_GT(std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}), 0.9);
    }
  }
}

TEST(BenchScenes, RigidScenesHaveTheirNumbers) {
  EXPECT_EQ(dynamic_bodies(load("pyramid")), 465);
  EXPECT_EQ(dynamic_bodies(load("boxes")), 2000);
  EXPECT_EQ(dynamic_bodies(load("spheres")), 5000);
  const Scene mix = load("mix");
  EXPECT_EQ(dynamic_bodies(mix), 9);
  ASSERT_EQ(mix.cloths.size(), 1u);
  EXPECT_EQ(mix.cloths[0].mesh.vertices.size(), 4096u);
}

TEST(BenchScenes, TheWorkIsTold) {
  const std::string text = describe_work(load("pyramid"));
  EXPECT_NE(text.find("465 boxes of 1 x 1 x 1 m, 1000 kg"), std::string::npos) << text;
  EXPECT_NE(text.find("substeps"), std::string::npos);
  const std::string cloth = describe_work(load("cloth64"));
  EXPECT_NE(cloth.find("4096 vertices and 12033 edges, 0.2 kg"), std::string::npos) << cloth;
}

}  // namespace
}  // namespace pliant::bench
