// The same bits for any number of threads, at full size (spec of cloth, 13.17): a cloth of 100 x
// 100 cells falls on a sphere.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <memory>

namespace pliant {
namespace {

std::uint64_t hash_after(int frames, bool self_contact, int threads) {
  World world({}, make_task_pool(threads));
  BodyDef ball;
  ball.motion = Motion::fixed;
  ball.shape = Sphere{0.2};
  (void)world.add_body(ball).value();
  ClothDef def;
  def.mesh = make_grid(100, 100, 1, 1);
  def.position = {0.013, 0.3, 0.007};
  def.self_contact = self_contact;
  (void)world.add_cloth(def).value();
  for (int n = 0; n < frames; ++n) world.step(1. / 60);
  return world.state_hash();
}

void expect_same_bits(int frames, bool self_contact) {
  const std::uint64_t expected = hash_after(frames, self_contact, 1);
  EXPECT_NE(hash_after(frames - 1, self_contact, 1), expected);  // it still moves
  for (const int threads : {1, 2, 4, 8, 16})
    EXPECT_EQ(hash_after(frames, self_contact, threads), expected) << threads << " threads";
}

TEST(ThreadsLong, cloth_A17_a_cloth_falls_on_a_sphere) { expect_same_bits(600, false); }
// Until it hangs around the sphere in folds.
TEST(ThreadsLong, cloth_A17_a_cloth_that_meets_itself_falls_on_a_sphere) {
  expect_same_bits(180, true);
}

}  // namespace
}  // namespace pliant
