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

// A sheet that falls on a ball and folds over itself, another one on top of it.
World make_heap(int threads, ClothSearch search = ClothSearch::bvh,
                SelfContact by = SelfContact::features) {
  WorldDef def;
  def.cloth_search = search;
  World world(def, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
  BodyDef ball;
  ball.motion = Motion::fixed;
  ball.shape = Sphere{0.06};
  world.add_body(ball).value();
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  floor.position = {0, -0.1, 0};
  world.add_body(floor).value();
  ClothDef cloth;
  cloth.mesh = make_grid(26, 26, 0.4, 0.4);
  cloth.self_contact = true;
  cloth.self_contact_by = by;
  cloth.position = {0.02, 0.08, 0.01};
  world.add_cloth(cloth).value();
  cloth.position = {0, 0.1, 0};
  cloth.rotation = {0, 0.3, 0, 0.95};
  world.add_cloth(cloth).value();
  return world;
}

TEST(DeterminismOfFabric, cloth_A17_a_heap_of_cloth_for_any_number_of_threads) {
  World alone = make_heap(0);
  const std::uint64_t expected = hash_after(alone, 45);
  EXPECT_GT(alone.measurements().contacts, 100);
  for (const int threads : {1, 2, 4}) {
    World world = make_heap(threads);
    EXPECT_EQ(hash_after(world, 45), expected) << threads;
  }
}

TEST(DeterminismOfFabric, a_heap_of_cloth_for_any_structure_that_searches) {
  World world = make_heap(0);
  const std::uint64_t expected = hash_after(world, 45);
  for (const ClothSearch search : {ClothSearch::rtree, ClothSearch::rtree_inserted}) {
    World other = make_heap(2, search);
    EXPECT_EQ(hash_after(other, 45), expected) << int(search);
  }
}

TEST(DeterminismOfFabric, a_heap_of_cloth_goes_on_from_a_snapshot) {
  World world = make_heap(0);
  hash_after(world, 30);
  const std::vector<std::byte> saved = world.snapshot();
  const std::uint64_t expected = hash_after(world, 15);
  World other = make_heap(2);
  ASSERT_TRUE(other.restore(saved).ok());
  EXPECT_EQ(hash_after(other, 15), expected);
}

World make_heap_of_particles(int threads) {
  return make_heap(threads, ClothSearch::bvh, SelfContact::particles);
}

TEST(DeterminismOfFabric, a_heap_by_particles_for_any_number_of_threads) {
  World alone = make_heap_of_particles(0);
  const std::uint64_t expected = hash_after(alone, 45);
  EXPECT_GT(alone.measurements().contacts, 100);
  for (const int threads : {1, 2, 4}) {
    World world = make_heap_of_particles(threads);
    EXPECT_EQ(hash_after(world, 45), expected) << threads;
  }
  World features = make_heap(0);
  EXPECT_NE(hash_after(features, 45), expected);  // control
}

TEST(DeterminismOfFabric, a_heap_by_particles_goes_on_from_a_snapshot) {
  World world = make_heap_of_particles(0);
  hash_after(world, 30);
  const std::vector<std::byte> saved = world.snapshot();
  const std::uint64_t expected = hash_after(world, 15);
  World other = make_heap_of_particles(2);
  ASSERT_TRUE(other.restore(saved).ok());
  EXPECT_EQ(hash_after(other, 15), expected);
}

// One large cloth, so that blocks of leaves and of batches run on several threads; and a distant
// one beside it.
TEST(DeterminismOfFabric, a_large_drape_by_particles) {
  const auto places_after = [](int threads, bool distant) {
    WorldDef def;
    def.substeps = 4;
    World world(def, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
    BodyDef ball;
    ball.motion = Motion::fixed;
    ball.shape = Sphere{0.1};
    world.add_body(ball).value();
    ClothDef cloth;
    cloth.mesh = make_grid(70, 70, 0.8, 0.8);
    cloth.self_contact = true;
    cloth.self_contact_by = SelfContact::particles;
    cloth.position = {0.01, 0.11, 0.02};
    const ClothId id = world.add_cloth(cloth).value();
    cloth.position.x = 50;
    if (distant) world.add_cloth(cloth).value();
    for (int n = 0; n < 40; ++n) world.step(1. / 60);
    std::vector<Vec3> places;
    world.copy_positions(id, places);
    return places;
  };
  const std::vector<Vec3> expected = places_after(0, false);
  EXPECT_EQ(places_after(2, false), expected);
  EXPECT_EQ(places_after(3, true), expected);
}

TEST(DeterminismOfFabric, a_distant_heap_changes_no_bit) {
  World world = make_heap(0);
  World more = make_heap(0);
  ClothDef cloth;
  cloth.mesh = make_grid(16, 16, 0.3, 0.3);
  cloth.position = {50, 0.05, 0};
  more.add_cloth(cloth).value();
  cloth.position = {50, 0.07, 0};
  more.add_cloth(cloth).value();
  hash_after(world, 40);
  hash_after(more, 40);
  // The first two cloths were made first: their ids are the same in both worlds.
  ASSERT_EQ(world.cloths().size() + 2, more.cloths().size());
  for (std::size_t n = 0; n < 2; ++n) {
    std::vector<Vec3> a, b;
    world.copy_positions(world.cloths()[n], a);
    more.copy_positions(more.cloths()[n], b);
    EXPECT_EQ(a, b);
  }
}

}  // namespace
}  // namespace pliant
