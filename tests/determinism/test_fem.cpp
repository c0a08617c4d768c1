// The same bits from finite elements for any number of threads, and after a snapshot.
#include <gtest/gtest.h>

#include <pliant/pliant.h>

namespace pliant {
namespace {

// A bar of several clusters for each energy, and small ones, which run side by side.
World make_world(int threads, Energy first) {
  WorldDef def;
  def.substeps = 4;
  def.sweeps = 2;
  World world(def, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
  SolidDef solid;
  solid.model = SolidModel::fem;
  for (const int length : {40, 5}) {
    solid.tets = make_lattice(length, 8, 9, 0.05);
    solid.pins = {{.vertices = {0, 1, 2, 3}, .path = {}, .pivot = {}}};
    for (const Energy energy : {first, Energy::corotated})
      for (const Element element : {Element::tetrahedra, Element::hexahedra}) {
        solid.energy = energy;
        solid.element = element;
        solid.damping = element == Element::hexahedra ? 0.01 : 0;
        solid.position.z += 1;
        world.add_solid(solid).value();
      }
  }
  solid.model = SolidModel::explicit_fem;
  solid.energy = Energy::green;
  solid.position.z += 1;
  world.add_solid(solid).value();
  return world;
}

std::uint64_t hash_after(World& world, int steps) {
  for (int n = 0; n < steps; ++n) world.step(1.0 / 60);
  return world.state_hash();
}

TEST(DeterminismOfFem, any_number_of_threads) {
  World alone = make_world(0, Energy::neo_hookean);
  const std::uint64_t expected = hash_after(alone, 20);
  for (const int threads : {1, 2, 4}) {
    World world = make_world(threads, Energy::neo_hookean);
    EXPECT_EQ(hash_after(world, 20), expected) << threads;
  }
  World other = make_world(0, Energy::corotated);
  EXPECT_NE(hash_after(other, 20), expected);  // control: another energy
}

TEST(DeterminismOfFem, goes_on_from_a_snapshot) {
  World world = make_world(0, Energy::neo_hookean);
  hash_after(world, 7);
  const std::vector<std::byte> bytes = world.snapshot();
  const std::uint64_t expected = hash_after(world, 7);
  World again = make_world(2, Energy::neo_hookean);
  ASSERT_TRUE(again.restore(bytes).ok());
  EXPECT_EQ(hash_after(again, 7), expected);
}

}  // namespace
}  // namespace pliant
