// The benchmark scenes are what their names promise.
#include <gtest/gtest.h>
#include <pliant/fabric.h>

#include <algorithm>
#include <cmath>

#include "bench/catalogue.h"
#include "bench/topology.h"
#include "bench/work.h"

namespace pliant::bench {
namespace {

Scene load(const std::string& name) {
  SceneProblems problems;
  const Benchmark* benchmark = find_benchmark(name);
  if (!benchmark) {
    ADD_FAILURE() << "no benchmark " << name;
    return {};
  }
  const auto scene = load_scene(PLIANT_SOURCE_DIR "/scenes/benchmark/" + benchmark->file + ".json",
                                benchmark->overrides, problems);
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

void expect_held_cloth(const std::string& name, int n, int substeps, bool self_contact) {
  SCOPED_TRACE(name);
  const Scene scene = load(name);
  ASSERT_EQ(scene.cloths.size(), 1u);
  EXPECT_EQ(scene.world.substeps, substeps);
  EXPECT_EQ(scene.world.sweeps, 1);
  EXPECT_TRUE(scene.bodies.empty());
  const ClothDef& cloth = scene.cloths[0];
  EXPECT_EQ(cloth.self_contact, self_contact);
  EXPECT_EQ(cloth.mesh.vertices.size(), std::size_t(n * n));
  EXPECT_NEAR(area(cloth.mesh), 1, 1e-10);
  ASSERT_EQ(cloth.pins.size(), 1u);
  ASSERT_EQ(cloth.pins[0].vertices.size(), 2u);
  const Vec3 a = cloth.mesh.vertices[std::size_t(cloth.pins[0].vertices[0])];
  const Vec3 b = cloth.mesh.vertices[std::size_t(cloth.pins[0].vertices[1])];
  EXPECT_NEAR(length(a - b), 1, 1e-12);
  EXPECT_NEAR(length(a), std::sqrt(0.5), 1e-12);
}

TEST(BenchScenes, ClothsAreASquareMetreHeldAtTwoCorners) {
  expect_held_cloth("cloth64", 64, 2, false);
  expect_held_cloth("cloth128", 128, 4, false);
  expect_held_cloth("cloth64_self", 64, 2, true);
  expect_held_cloth("cloth128_self", 128, 6, true);
  expect_held_cloth("cloth_A25_10k", 100, 20, false);
}

TEST(BenchScenes, ScaledClothsDifferInTheirGridsAlone) {
  const int sizes[] = {32, 64, 128, 256, 512};
  for (std::size_t i = 0; i < 5; ++i)
    expect_held_cloth(scaling_at_fixed_substeps()[i], sizes[i], 4, false);
  int substeps = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const Scene scene = load(scaling_at_equal_stretch()[i]);
    ASSERT_EQ(scene.cloths.size(), 1u);
    EXPECT_EQ(scene.cloths[0].mesh.vertices.size(), std::size_t(sizes[i] * sizes[i]));
    EXPECT_GT(scene.world.substeps, substeps) << "finer cloths need more for the same stretch";
    substeps = scene.world.substeps;
  }
}

void expect_drape(const std::string& name, int n, int substeps) {
  SCOPED_TRACE(name);
  const Scene scene = load(name);
  ASSERT_EQ(scene.cloths.size(), 1u);
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_EQ(scene.world.substeps, substeps);
  const ClothDef& cloth = scene.cloths[0];
  EXPECT_TRUE(cloth.self_contact);
  EXPECT_TRUE(cloth.pins.empty());
  EXPECT_EQ(cloth.mesh.vertices.size(), std::size_t(n * n));
  EXPECT_NEAR(area(cloth.mesh), 1, 1e-10);
  EXPECT_EQ(scene.bodies[0].motion, Motion::fixed);
  const auto* ball = std::get_if<Sphere>(&scene.bodies[0].shape);
  ASSERT_NE(ball, nullptr);
  EXPECT_GT(cloth.position.y, scene.bodies[0].position.y + ball->radius + cloth.thickness / 2);
}

TEST(BenchScenes, DrapesFallOverABallAndMeetThemselves) {
  expect_drape("drape128", 128, 3);
  expect_drape("drape128_features", 128, 3);
  expect_drape("cloth_A25_900", 30, 20);
  expect_drape("cloth_A25_10k_self", 100, 20);
  EXPECT_EQ(load("drape128").cloths[0].self_contact_by, SelfContact::particles);
  for (const char* name : {"drape128_features", "cloth_A25_900", "cloth_A25_10k_self", "drape64",
                           "drape128_fixed", "crumple64_rtree"})
    EXPECT_EQ(load(name).cloths[0].self_contact_by, SelfContact::features) << name;
}

// The limp drape is made of cloth128's cloth.
TEST(BenchScenes, TheLimpDrapeIsOfTheSameClothAsItsReference) {
  for (const char* name : {"drape128_limp", "drape128_limp_features"}) {
    expect_drape(name, 128, 4);
    const ClothDef drape = load(name).cloths.at(0), hung = load("cloth128").cloths.at(0);
    EXPECT_EQ(drape.areal_density, hung.areal_density);
    EXPECT_EQ(drape.stretch_stiffness, hung.stretch_stiffness);
    EXPECT_EQ(drape.bend_rigidity, hung.bend_rigidity);
    EXPECT_EQ(drape.linear_drag, hung.linear_drag);
    EXPECT_EQ(drape.membrane, hung.membrane);
    EXPECT_EQ(drape.tethers, hung.tethers);
    EXPECT_EQ(drape.tether_slack, hung.tether_slack);
    EXPECT_EQ(drape.thickness, hung.thickness);
  }
}

// As stiff as cloth128 for the solver, but a fabric: of its weight and bending, with the drag that
// lets it fall as fast as in air.
TEST(BenchScenes, TheDrapeIsOfCotton) {
  const ClothDef drape = load("drape128").cloths.at(0), hung = load("cloth128").cloths.at(0);
  ClothDef cotton;
  use_fabric(*find_fabric("cotton"), cotton);
  EXPECT_EQ(drape.areal_density, cotton.areal_density);
  EXPECT_EQ(drape.bend_rigidity, cotton.bend_rigidity);
  const double g = 9.81, air = 1.2, coefficient = drape.wind_drag + drape.wind_lift;
  const double speed = std::sqrt(2 * drape.areal_density * g / (air * coefficient));
  EXPECT_NEAR(drape.linear_drag, g / speed, 0.05);
  EXPECT_EQ(drape.membrane, hung.membrane);
  EXPECT_EQ(drape.stretch_stiffness, hung.stretch_stiffness);
  EXPECT_EQ(drape.tethers, hung.tethers);
  EXPECT_EQ(drape.tether_slack, hung.tether_slack);
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

// Closed and without handles: 3 V - 6 edges.
TEST(BenchScenes, ShellsHaveTheVerticesOfTheWorks) {
  for (const auto& [cells, vertices] : {std::pair{std::array<int, 3>{15, 18, 16}, 1598u},
                                        std::pair{std::array<int, 3>{18, 39, 43}, 6308u}}) {
    const TriMesh shell = make_shell(cells);
    EXPECT_EQ(shell.vertices.size(), vertices);
    EXPECT_EQ(shell.triangles.size(), 2 * vertices - 4);
    EXPECT_TRUE(is_closed(shell));
    EXPECT_NEAR(volume(shell), 1, 1e-12);
  }
}

TEST(BenchScenes, RigidScenesHaveTheirNumbers) {
  EXPECT_EQ(dynamic_bodies(load("pyramid")), 465);
  EXPECT_EQ(dynamic_bodies(load("boxes")), 2000);
  EXPECT_EQ(dynamic_bodies(load("spheres")), 5000);
  EXPECT_EQ(dynamic_bodies(load("hulls")), 1000);
  EXPECT_EQ(dynamic_bodies(load("meshes")), 1000);
  EXPECT_EQ(dynamic_bodies(load("statics")), 2000);
  Scene ragdolls = load("ragdolls");
  make_copies(find_benchmark("ragdolls")->copies, ragdolls);
  EXPECT_EQ(dynamic_bodies(ragdolls), 500 * 11);
  EXPECT_EQ(ragdolls.joints.size(), 500u * 10);
  Scene far = load("statics_far");
  const std::size_t near = far.bodies.size();
  make_copies(find_benchmark("statics_far")->copies, far);
  EXPECT_EQ(far.bodies.size(), near + 200000);
  EXPECT_EQ(dynamic_bodies(far), 2000);
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

TEST(BenchScenes, GroupsHoldWhatThereIs) {
  for (const BenchGroup& group : all_groups())
    for (const std::string& name : group.members) EXPECT_NE(find_benchmark(name), nullptr) << name;
  EXPECT_EQ(all_groups().front().members.size(), 7u);
  for (const Benchmark& b : all_benchmarks())
    if (!b.reference.empty()) {
      ASSERT_NE(find_benchmark(b.reference), nullptr) << b.name;
      EXPECT_TRUE(find_benchmark(b.reference)->peers) << b.name;
      EXPECT_EQ(find_benchmark(b.reference)->turn, b.turn) << b.name;
    }
}

TEST(BenchScenes, GroupsBecomeTheirMembersOnce) {
  const auto names = expand_groups({"mix", "cloth", "cloth64", "other"});
  EXPECT_EQ(names.front(), "mix");
  EXPECT_EQ(names.back(), "other");
  EXPECT_EQ(std::count(names.begin(), names.end(), "cloth64"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "cloth"), 0);
  EXPECT_EQ(std::count(names.begin(), names.end(), "drape128"), 1);
}

TEST(BenchScenes, SearchRowsDifferInTheStructureAlone) {
  const std::pair<const char*, const char*> rows[] = {
      {"drape32", "drape32_rtree"},         {"drape64", "drape64_rtree"},
      {"drape128_fixed", "drape128_rtree"}, {"drape128_fixed", "drape128_inserted"},
      {"drape256", "drape256_rtree"},       {"crumple64", "crumple64_rtree"},
      {"crumple64", "crumple64_inserted"}};
  const auto group = expand_groups({"search"});
  EXPECT_EQ(group.size(), 12u) << "five scenes and seven twins";
  for (const auto& [plain, other] : rows) {
    SCOPED_TRACE(other);
    for (const char* name : {plain, other})
      EXPECT_EQ(std::count(group.begin(), group.end(), name), 1) << name;
    const Scene a = load(plain);
    Scene b = load(other);
    EXPECT_EQ(a.world.cloth_search, ClothSearch::bvh);
    EXPECT_NE(b.world.cloth_search, ClothSearch::bvh);
    b.world.cloth_search = ClothSearch::bvh;
    EXPECT_EQ(scene_to_json(a), scene_to_json(b));
  }
}

}  // namespace
}  // namespace pliant::bench
