// The same bits while seams close and merge: for any number of threads, and after snapshots taken
// before, while and after vertices become one. Seen to fail: a restore that does not rebuild the
// cloth.
#include <gtest/gtest.h>

#include <pliant/pliant.h>

namespace pliant {
namespace {

// Three panels of several clusters, sewn to a tube with an unequal hem, that fall on a ball.
World make_world(int threads, double speed = 0.3) {
  WorldDef def;
  def.substeps = 4;
  World world(def, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
  world.add_body({.motion = Motion::fixed, .shape = Sphere{0.15}, .position = {0, -0.2, 0}})
      .value();
  ClothDef cloth;
  cloth.mesh = make_grid(40, 30, 0.4, 0.3);
  cloth.position = {0, 0, 0.02};
  const ClothId front = world.add_cloth(cloth).value();
  cloth.position = {0, 0.05, -0.01};
  const ClothId back = world.add_cloth(cloth).value();
  cloth.mesh = make_grid(30, 10, 0.4, 0.1);
  cloth.position = {0, 0, 0.24};
  const ClothId hem = world.add_cloth(cloth).value();
  const auto sew = [&](ClothId a, MeshSide side_a, ClothId b, MeshSide side_b) {
    SeamDef seam;
    seam.a = {a, boundary_side(world.describe(a).mesh, side_a)};
    seam.b = {b, boundary_side(world.describe(b).mesh, side_b)};
    seam.speed = speed;
    world.add_seam(seam).value();
  };
  sew(front, MeshSide::left, back, MeshSide::left);
  sew(front, MeshSide::right, back, MeshSide::right);
  sew(front, MeshSide::bottom, hem, MeshSide::top);
  return world;
}

std::uint64_t hash_after(World& world, int steps) {
  for (int n = 0; n < steps; ++n) world.step(1.0 / 60);
  return world.state_hash();
}

int merged(const World& world) {
  int sum = 0;
  for (const SeamId id : world.seams()) sum += world.seam_status(id).merged;
  return sum;
}

TEST(DeterminismOfSewing, any_number_of_threads) {
  World alone = make_world(0);
  const std::uint64_t expected = hash_after(alone, 60);
  EXPECT_GT(merged(alone), 60);
  for (const int threads : {1, 2, 3, 8}) {
    World world = make_world(threads);
    EXPECT_EQ(hash_after(world, 60), expected) << threads;
  }
  World other = make_world(0, 0.31);
  EXPECT_NE(hash_after(other, 60), expected);  // control: drawn in faster
}

TEST(DeterminismOfSewing, goes_on_from_snapshots_before_while_and_after_merging) {
  World world = make_world(0);
  std::vector<std::vector<std::byte>> snapshots;
  std::vector<int> counts;
  for (int n = 0; n < 50; ++n) {
    snapshots.push_back(world.snapshot());
    counts.push_back(merged(world));
    world.step(1.0 / 60);
  }
  const std::uint64_t expected = world.state_hash();
  EXPECT_EQ(counts.front(), 0);
  EXPECT_GT(counts.back(), 60);
  World again = make_world(0);
  for (const int at : {49, 3, 15, 20, 0, 30}) {  // also back to before the merges of this world
    ASSERT_TRUE(again.restore(snapshots[std::size_t(at)]).ok());
    EXPECT_EQ(merged(again), counts[std::size_t(at)]);
    EXPECT_EQ(hash_after(again, 50 - at), expected) << at;
  }
}

}  // namespace
}  // namespace pliant
