// The same bits from springs and shape matching for any number of threads, and after a snapshot.
#include <gtest/gtest.h>

#include <pliant/pliant.h>

namespace pliant {
namespace {

// On a floor and on each other: large bodies of many clusters and blocks, and small ones.
World make_world(int threads, double frequency) {
  WorldDef def;
  def.substeps = 4;
  World world(def, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}, .position = {0, -0.25, 0}});
  SolidDef solid;
  const auto add = [&](int length) {
    solid.tets = make_lattice(length, 8, 9, 0.05);
    (void)world.add_solid(solid).value();
    solid.tets = make_lattice(4, 4, 4, 0.05);
    solid.position.y += 0.35;
    (void)world.add_solid(solid).value();
    solid.position.y -= 0.35;
    solid.position.z += 1;
  };
  solid.model = SolidModel::shape_matching;
  for (const MatchingMode mode :
       {MatchingMode::rigid, MatchingMode::linear, MatchingMode::quadratic})
    for (const int cells : {0, 2}) {
      solid.matching = {
          .mode = mode, .frequency = frequency, .freedom = 0.4, .cluster_cells = cells};
      add(cells == 2 && mode != MatchingMode::rigid ? 34 : 6);
    }
  solid.model = SolidModel::mass_spring;
  solid.springs = {.distance = 5, .area = 1, .volume = 2, .damping = 0.05};
  for (const SpringIntegrator integrator :
       {SpringIntegrator::verlet, SpringIntegrator::semi_implicit}) {
    solid.springs.integrator = integrator;
    solid.pins = {{.vertices = {0, 1}}};
    add(integrator == SpringIntegrator::verlet ? 34 : 6);
  }
  return world;
}

std::uint64_t hash_after(World& world, int steps) {
  for (int n = 0; n < steps; ++n) world.step(1.0 / 60);
  return world.state_hash();
}

TEST(DeterminismOfSoftModels, any_number_of_threads) {
  World alone = make_world(0, 20);
  const std::uint64_t expected = hash_after(alone, 12);
  EXPECT_GT(alone.measurements().contacts, 50);
  for (const int threads : {1, 2, 4}) {
    World world = make_world(threads, 20);
    EXPECT_EQ(hash_after(world, 12), expected) << threads;
  }
  World other = make_world(0, 21);
  EXPECT_NE(hash_after(other, 12), expected);  // control: another stiffness
}

TEST(DeterminismOfSoftModels, goes_on_from_a_snapshot) {
  World world = make_world(0, 20);
  hash_after(world, 5);
  const std::vector<std::byte> bytes = world.snapshot();
  const std::uint64_t expected = hash_after(world, 5);
  World again = make_world(2, 20);
  ASSERT_TRUE(again.restore(bytes).ok());
  EXPECT_EQ(hash_after(again, 5), expected);
}

}  // namespace
}  // namespace pliant
