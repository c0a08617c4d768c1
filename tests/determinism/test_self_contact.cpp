// The same bits from a large cloth that crumples and meets itself, so that threads work inside it:
// on its clusters, on blocks of its tree, and on the search around what has left the way that the
// search for contacts reckoned with.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <memory>

namespace pliant {
namespace {

// 60 x 60 cells (several clusters) fall edge first, leaning a little, and lay themselves in folds.
World make_crumple(int threads, bool self_contact) {
  World world({}, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  ClothDef cloth;
  cloth.mesh = make_grid(60, 60, 0.6, 0.6);
  cloth.self_contact = self_contact;
  cloth.position = {0, 0.31, 0};
  cloth.rotation = normalized(Quat{1, 0.05, 0.03, 1});
  (void)world.add_cloth(cloth).value();
  return world;
}

// After each step.
std::vector<std::uint64_t> hashes(World world, int steps, int* searched_again = nullptr) {
  std::vector<std::uint64_t> out;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = world.step(1. / 60);
    if (searched_again != nullptr) *searched_again += report.searched_again;
    out.push_back(world.state_hash());
  }
  return out;
}

TEST(DeterminismOfSelfContact, cloth_A17_a_large_cloth_that_crumples) {
  constexpr int k_steps = 20;
  int searched_again = 0;
  const auto expected = hashes(make_crumple(0, true), k_steps, &searched_again);
  EXPECT_GT(searched_again, k_steps);
  for (const int threads : {1, 2, 3})
    EXPECT_EQ(hashes(make_crumple(threads, true), k_steps), expected) << threads << " threads";
  EXPECT_NE(hashes(make_crumple(0, false), k_steps).back(), expected.back()) << "it meets itself";
}

}  // namespace
}  // namespace pliant
