// A heap of so many rigid bodies that every loop over bodies, pairs and contacts is shared out: the
// same bits for any number of threads.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <vector>

namespace pliant {
namespace {

World heap(std::shared_ptr<TaskPool> pool) {
  World world({}, std::move(pool));
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  world.add_body(floor).value();
  for (int n = 0; n < 1500; ++n) {
    BodyDef def;
    if (n % 4 == 0)
      def.shape = Box{{0.1, 0.08, 0.09}};
    else
      def.shape = Sphere{0.1};
    def.position = {0.21 * (n % 25), 0.12 + 0.22 * (n / 300), 0.21 * (n / 25 % 12)};
    def.velocity = {0.2 * (n % 7) - 0.6, -1, 0.1 * (n % 5)};
    def.surface.restitution = n % 9 == 0 ? 0.5 : 0;
    world.add_body(def).value();
  }
  return world;
}

std::vector<std::uint64_t> hashes(std::shared_ptr<TaskPool> pool) {
  World world = heap(std::move(pool));
  std::vector<std::uint64_t> out;
  for (int step = 0; step < 20; ++step) {
    world.step(1.0 / 60);
    out.push_back(world.state_hash());
  }
  EXPECT_GT(world.stats().candidates, 2000);
  return out;
}

TEST(DeterminismOfLargeHeaps, any_number_of_threads) {
  const std::vector<std::uint64_t> alone = hashes(nullptr);
  for (const int threads : {2, 3, 5}) EXPECT_EQ(hashes(make_task_pool(threads)), alone) << threads;
}

// Without this, a world that stands still would pass.
TEST(DeterminismOfLargeHeaps, the_heap_moves) {
  const std::vector<std::uint64_t> alone = hashes(nullptr);
  for (std::size_t n = 1; n < alone.size(); ++n) EXPECT_NE(alone[n], alone[n - 1]);
}

}  // namespace
}  // namespace pliant
