// Three stacked cubes and four piled animals for a minute: they come to rest, sleep, and neither
// drift nor sink into each other.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include <pliant/scene.h>

#include "verification/resting.h"

namespace pliant {
namespace {

constexpr SolidModel k_models[] = {SolidModel::xpbd, SolidModel::fem, SolidModel::mass_spring,
                                   SolidModel::shape_matching};
constexpr const char* k_model_names[] = {"xpbd", "fem", "mass_spring", "shape_matching"};

// After ten seconds of settling nothing drifts by more than a hundredth of a cell or is deeper than
// two of them in anything; at the end all sleep.
void expect_rest(const char* what, World& world, const std::vector<SolidId>& solids, double cell) {
  const Watch watch = watch_rest(world, solids, 10, 50);
  std::printf(
      "%s: drift %.5f, up and down %.5f, deepest %.5f of a cell; rms %.2e m/s, fastest %.2e m/s\n",
      what, watch.drift / cell, watch.bobbing / cell, watch.deepest / cell, watch.rms_speed,
      watch.fastest);
  EXPECT_LE(watch.drift, 0.01 * cell) << what;
  EXPECT_LE(watch.bobbing, 0.01 * cell) << what;
  EXPECT_LE(watch.deepest, 0.02 * cell) << what;
  for (const SolidId id : solids) EXPECT_TRUE(world.asleep(id)) << what;
}

TEST(SolidRestLong, three_cubes_sleep_for_a_minute) {
  for (std::size_t m = 0; m < 4; ++m) {
    World world({.substeps = 16});
    const std::vector<SolidId> cubes = add_stack(world, k_models[m], 3);
    expect_rest(k_model_names[m], world, cubes, k_cell);
  }
}

// The same awake, with the bounds of A20: it is the contacts that rest, not the sleep.
TEST(SolidRestLong, deformable_A20_three_cubes_rest_awake) {
  for (std::size_t m = 0; m < 4; ++m) {
    World world({.substeps = 16, .sleep = false});
    const std::vector<SolidId> cubes = add_stack(world, k_models[m], 3);
    const Watch watch = watch_rest(world, cubes, 10, 50);
    std::printf(
        "%s awake: drift %.5f, up and down %.5f, deepest %.5f of a cell; rms %.2e, fastest %.2e "
        "m/s\n",
        k_model_names[m], watch.drift / k_cell, watch.bobbing / k_cell, watch.deepest / k_cell,
        watch.rms_speed, watch.fastest);
    EXPECT_LE(watch.drift, 0.02 * k_cell) << k_model_names[m];
    EXPECT_LE(watch.bobbing, 0.005 * k_cell) << k_model_names[m];
    EXPECT_LE(watch.fastest, 0.05 * k_cell) << k_model_names[m];
    EXPECT_LE(watch.deepest, 0.02 * k_cell) << k_model_names[m];
  }
}

// Control: without friction the stack slides apart, and the watch sees it.
TEST(SolidRestLong, control_without_friction_it_drifts) {
  World world({.substeps = 16, .sleep = false});
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
  std::vector<SolidId> cubes;
  for (int n = 0; n < 2; ++n) {
    SolidDef def = stack_cube(SolidModel::xpbd);
    def.surface.friction_static = def.surface.friction_kinetic = 0;
    def.position = {0, k_side / 2 + 0.01 + n * (k_side + 0.01), 0};
    if (n == 1) def.velocity = {0.01, 0, 0};
    def.linear_drag = 0;
    cubes.push_back(world.add_solid(def).value());
  }
  EXPECT_GT(watch_rest(world, cubes, 1, 4).drift, 0.01 * k_cell);
}

// The animal of the project's own scene.
TEST(SolidRestLong, four_animals_sleep_for_a_minute) {
  SceneProblems problems;
  const auto scene = load_scene(PLIANT_SOURCE_DIR "/scenes/four_animals.json", {}, problems);
  ASSERT_TRUE(scene.has_value());
  SceneWorld in = build_world(*scene).value();
  std::vector<SolidId> solids;
  for (const auto& [name, id] : in.solids) solids.push_back(id);
  ASSERT_EQ(solids.size(), 4u);
  expect_rest("four animals", in.world, solids, 0.048);
}

// A cat, a koala, a cow and a rabbit: the fourth falls on three.
TEST(SolidRestLong, four_scanned_animals_sleep_for_a_minute) {
  const std::string folder = PLIANT_SOURCE_DIR "/../shared/data/surfaces/";
  struct Animal {
    const char* file;
    double scale;
    Vec3 position;
  };
  const Animal animals[] = {{"cat.obj", 1, {-0.19, 0, 0}},
                            {"koala.obj", 1, {0, 0, 0}},
                            {"spot.obj", 1, {0.17, 0, 0}},
                            {"bunny_3k.obj", 1.6, {0.06, 0.4, 0}}};
  if (!std::filesystem::exists(folder + animals[0].file)) GTEST_SKIP() << "no scanned animals";
  World world({.substeps = 16});
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
  std::vector<SolidId> solids;
  double cell = 1e9;
  for (const Animal& animal : animals) {
    SolidDef def;
    def.mesh = load_tri_mesh(folder + animal.file).value();
    Vec3 low = def.mesh.vertices[0], high = low;
    for (Vec3& v : def.mesh.vertices) {
      v = v * animal.scale;
      low = min(low, v), high = max(high, v);
    }
    def.cells = 8;
    const Vec3 size = high - low;
    cell = std::min(cell, std::max({size.x, size.y, size.z}) / def.cells);
    def.model = SolidModel::fem;
    def.density = 200;
    def.youngs_modulus = 1e5;
    def.poisson_ratio = 0.4;
    def.damping = 0.01;
    def.linear_drag = 0.5;
    def.position = animal.position + Vec3{0, 0.005, 0};
    solids.push_back(world.add_solid(def).value());
  }
  expect_rest("scanned animals", world, solids, cell);
}

}  // namespace
}  // namespace pliant
