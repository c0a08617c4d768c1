// Worlds whose impacts are resolved in the order of their times: the same bits for any number of
// threads, after a snapshot, and whatever happens far away.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <vector>

namespace pliant {
namespace {

// A heap of balls, boxes and a jointed pair in a corner, some of them ordered by their own wish.
World crowd(std::shared_ptr<TaskPool> pool, bool far_away) {
  WorldDef def;
  def.impacts = Impacts::ordered;
  World world(def, std::move(pool));
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  world.add_body(floor).value();
  std::vector<BodyId> ids;
  for (int n = 0; n < 30; ++n) {
    BodyDef def_n;
    if (n % 3 == 0)
      def_n.shape = Box{{0.1, 0.07, 0.12}};
    else
      def_n.shape = Sphere{0.1};
    def_n.mass = 1 + n % 4;
    def_n.position = {0.23 * (n % 3), 0.3 + 0.25 * (n / 9), 0.24 * (n / 3 % 3)};
    def_n.velocity = {0.5 * (n % 5) - 1, -1, 0.3 * (n % 7) - 1};
    def_n.angular_velocity = {double(n % 3), 2, 0};
    def_n.surface.restitution = 0.6;
    ids.push_back(world.add_body(def_n).value());
  }
  JointDef joint;
  joint.kind = JointKind::ball;
  joint.a = BodyPoint{ids[3], {0.12, 0, 0}};
  joint.b = BodyPoint{ids[4], {-0.11, 0, 0}};
  world.add_joint(joint).value();
  if (far_away)
    for (int n = 0; n < 5; ++n) {
      BodyDef other;
      other.shape = Sphere{0.2};
      other.position = {100, 0.5 + n, 0};
      world.add_body(other).value();
    }
  return world;
}

std::vector<Vec3> places(const World& world, std::size_t count) {
  std::vector<Vec3> found;
  for (const BodyId id : world.bodies())
    if (found.size() < count) found.push_back(world.pose(id).position);
  return found;
}

TEST(DeterminismOfImpacts, any_number_of_threads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {0, 2, 8}) {
    World world = crowd(threads > 0 ? make_task_pool(threads) : nullptr, false);
    std::int32_t impacts = 0;
    for (int n = 0; n < 60; ++n) impacts += world.step(1.0 / 60).impacts;
    EXPECT_GT(impacts, 20);
    hashes.push_back(world.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(DeterminismOfImpacts, goes_on_from_a_snapshot) {
  World world = crowd(nullptr, false);
  for (int n = 0; n < 25; ++n) world.step(1.0 / 60);
  const std::vector<std::byte> bytes = world.snapshot();
  for (int n = 0; n < 30; ++n) world.step(1.0 / 60);
  World other = crowd(nullptr, false);
  ASSERT_TRUE(other.restore(bytes).ok());
  for (int n = 0; n < 30; ++n) other.step(1.0 / 60);
  EXPECT_EQ(world.state_hash(), other.state_hash());
}

TEST(DeterminismOfImpacts, a_distant_set_changes_no_bit) {
  World world = crowd(nullptr, false), other = crowd(nullptr, true);
  for (int n = 0; n < 60; ++n) {
    world.step(1.0 / 60);
    other.step(1.0 / 60);
  }
  const std::vector<Vec3> a = places(world, 31), b = places(other, 31);
  for (std::size_t n = 0; n < a.size(); ++n) EXPECT_EQ(a[n], b[n]) << n;
}

}  // namespace
}  // namespace pliant
