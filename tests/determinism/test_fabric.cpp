// The same bits from strain triangles, limits, hinges, folds, the older method, all schedules and
// gusts: for any number of threads, and after a snapshot in the middle of a fold.
#include <gtest/gtest.h>

#include <pliant/pliant.h>

namespace pliant {
namespace {

std::vector<std::int32_t> row(int columns, int j) {
  std::vector<std::int32_t> vertices;
  for (int i = 0; i <= columns; ++i) vertices.push_back(j * (columns + 1) + i);
  return vertices;
}

// Four cloths of several clusters each, by all methods and schedules.
World make_world(int threads, int seed) {
  WorldDef def;
  def.substeps = 4;
  def.sweeps = 2;
  def.medium_density = 1.2;
  def.gust_speed = 3;
  def.gust_period = 0.3;
  def.gust_seed = seed;
  World world(def, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
  ClothDef cloth;
  cloth.mesh = make_grid(50, 40, 1, 0.8);
  use_fabric(*find_fabric("jersey"), cloth);
  cloth.strain_limit = 0.1;
  cloth.bending = Bending::hinge;
  cloth.folds = {{row(50, 20), -1.5, 0, 0, 0.5}};
  cloth.pins = {{.vertices = {0, 50}, .path = {}, .pivot = {}}};
  world.add_cloth(cloth).value();
  cloth.position = {0, 0, 2};
  cloth.method = Method::pbd;
  world.add_cloth(cloth).value();
  cloth.mesh = make_grid(60, 50, 1, 0.8);  // threads work inside a cloth of more than 3000
  cloth.folds.clear();
  cloth.pins[0].vertices = {0, 60};
  cloth.position = {0, 0, 4};
  cloth.schedule = Schedule::split;
  cloth.bending = Bending::quadratic;
  world.add_cloth(cloth).value();
  cloth.position = {0, 0, 6};
  cloth.schedule = Schedule::colours;
  cloth.method = Method::xpbd;
  cloth.membrane = Membrane::edges;
  world.add_cloth(cloth).value();
  return world;
}

std::uint64_t hash_after(World& world, int steps) {
  for (int n = 0; n < steps; ++n) world.step(1.0 / 60);
  return world.state_hash();
}

TEST(DeterminismOfFabric, any_number_of_threads) {
  World alone = make_world(0, 1);
  const std::uint64_t expected = hash_after(alone, 40);
  for (const int threads : {1, 2, 5}) {
    World world = make_world(threads, 1);
    EXPECT_EQ(hash_after(world, 40), expected) << threads;
  }
  World other = make_world(0, 2);
  EXPECT_NE(hash_after(other, 40), expected);  // control: other gusts
}

TEST(DeterminismOfFabric, goes_on_from_a_snapshot_in_the_middle_of_a_fold) {
  World world = make_world(0, 1);
  hash_after(world, 15);
  const auto snapshot = world.snapshot();
  const std::uint64_t expected = hash_after(world, 25);
  World again = make_world(0, 1);
  ASSERT_TRUE(again.restore(snapshot).ok());
  EXPECT_EQ(hash_after(again, 25), expected);
}

}  // namespace
}  // namespace pliant
