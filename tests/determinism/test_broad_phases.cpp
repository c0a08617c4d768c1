// The broad phases find the same pairs, so a world has the same bits under each of them.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <random>

namespace pliant {
namespace {

struct Method {
  const char* name;
  BroadPhase phase;
  TileDetector detector = TileDetector::box;
};
const Method k_methods[] = {
    {"sweep", BroadPhase::sweep},
    {"bvh", BroadPhase::bvh},
    {"sphere_tree", BroadPhase::sphere_tree},
    {"tiles, box", BroadPhase::tiles},
    {"tiles, rotated_box", BroadPhase::tiles, TileDetector::rotated_box},
    {"tiles, relative_index", BroadPhase::tiles, TileDetector::relative_index},
    {"tiles, mask_points", BroadPhase::tiles, TileDetector::mask_points}};
const Method k_brute{"brute", BroadPhase::brute};

// What a run shows of what meets what: its bits, its pairs and its contact events, of each step.
struct Story {
  std::vector<std::uint64_t> hashes;
  std::vector<std::int32_t> pairs, tests;
  std::vector<std::pair<AnyId, AnyId>> begun;
};

void expect_same(const Story& found, const Story& brute, const char* name) {
  ASSERT_EQ(found.hashes.size(), brute.hashes.size());
  for (std::size_t n = 0; n < brute.hashes.size(); ++n) {
    ASSERT_EQ(found.pairs[n], brute.pairs[n]) << name << ", step " << n;
    ASSERT_EQ(found.hashes[n], brute.hashes[n]) << name << ", step " << n;
  }
  EXPECT_EQ(found.begun, brute.begun) << name;
}

void tell(World& world, Story& story) {
  story.hashes.push_back(world.state_hash());
  story.pairs.push_back(world.stats().pairs);
  story.tests.push_back(world.stats().tests);
  for (const Event& e : world.events())
    if (e.kind == EventKind::contact_begin) story.begun.push_back({e.a, e.b});
}

// With a map of 10 m that may reach further along z.
World make_world(const Method& method, double tile, double far = 10, int substeps = 2) {
  WorldDef def;
  def.substeps = substeps;
  def.broad_phase = method.phase;
  const int count = int(10 / tile);
  def.tiles = {{0, 0, 0}, {10, 10, far}, {count, count, int(far / tile)}, method.detector};
  return World(def);
}

// Spheres between rectangles in a map of 10 m: some larger than a tile, some on its border and
// some outside of it.
void fill(World& world, int spheres, int rectangles) {
  std::mt19937 rng(7);
  std::uniform_real_distribution<double> u(0, 1);
  const auto somewhere = [&] { return Vec3{12 * u(rng) - 1, 12 * u(rng) - 1, 12 * u(rng) - 1}; };
  for (int n = 0; n < rectangles; ++n) {
    BodyDef r;
    r.motion = Motion::fixed;
    r.shape = Rectangle{0.1 + (n % 20 == 0 ? 3 : u(rng)), 0.1 + u(rng)};
    r.position = somewhere();
    if (n % 10 == 0) r.position.x = 10;
    r.rotation = normalized(Quat{u(rng) - 0.5, u(rng) - 0.5, u(rng) - 0.5, u(rng)});
    ASSERT_TRUE(world.add_body(r).ok());
  }
  for (int n = 0; n < spheres; ++n) {
    BodyDef s;
    s.shape = Sphere{n % 30 == 0 ? 0.8 : 0.1 + 0.15 * u(rng)};
    s.position = somewhere();
    s.velocity = {4 * u(rng) - 2, 4 * u(rng) - 2, 4 * u(rng) - 2};
    s.surface.restitution = 0.5;
    ASSERT_TRUE(world.add_body(s).ok());
  }
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  floor.position.y = -1;
  ASSERT_TRUE(world.add_body(floor).ok());
}

TEST(BroadPhases, rigid_A13_spheres_and_rectangles_for_1000_steps) {
  const auto run = [](const Method& method) {
    World world = make_world(method, 1, 10, 10);
    fill(world, 300, 300);
    Story story;
    for (int n = 0; n < 1000; ++n) {
      world.step(1.0 / 240);
      tell(world, story);
    }
    return story;
  };
  const Story brute = run(k_brute);
  EXPECT_GT(brute.begun.size(), 500u);
  for (const Method& method : k_methods) {
    const Story found = run(method);
    ASSERT_NO_FATAL_FAILURE(expect_same(found, brute, method.name));
    EXPECT_LT(found.tests[0], brute.tests[0] / 3) << method.name;
  }
}

// Bodies come, go, fall asleep and are moved; fixed ones too.
TEST(BroadPhases, the_same_while_everything_changes) {
  const auto run = [](const Method& method) {
    World world = make_world(method, 2);
    fill(world, 60, 40);
    const std::vector<BodyId> first = world.bodies();
    Story story;
    for (int n = 0; n < 240; ++n) {
      if (n == 30) world.remove(first[3]), world.remove(first[50]);
      if (n == 60) world.set_pose(first[5], {{5, 1, 5}, Quat{}});
      if (n == 90) {
        BodyDef wall;
        wall.motion = Motion::fixed;
        wall.shape = Box{{2, 0.2, 2}};
        wall.position = {5, 0, 5};
        EXPECT_TRUE(world.add_body(wall).ok());
        BodyDef ball;
        ball.position = {5, 2, 5};
        EXPECT_TRUE(world.add_body(ball).ok());
      }
      if (n == 120) {
        const std::vector<std::byte> saved = world.snapshot();
        world.step(1.0 / 60);
        EXPECT_TRUE(world.restore(saved).ok());
      }
      world.step(1.0 / 60);
      tell(world, story);
    }
    return story;
  };
  const Story brute = run(k_brute);
  for (const Method& method : k_methods)
    ASSERT_NO_FATAL_FAILURE(expect_same(run(method), brute, method.name));
}

// A snapshot brings back where fixed bodies were, and what is kept of them.
TEST(BroadPhases, a_fixed_body_that_was_moved_is_back_after_a_snapshot) {
  for (const Method& method : k_methods) {
    std::uint64_t hash[2]{};
    for (const bool moved : {false, true}) {
      World world = make_world(method, 1);
      BodyDef plate;
      plate.motion = Motion::fixed;
      plate.shape = Box{{1, 0.1, 1}};
      plate.position = {5, 5, 5};
      const BodyId id = world.add_body(plate).value();
      BodyDef ball;
      ball.shape = Sphere{0.2};
      ball.position = {5, 5.5, 5};
      const BodyId fallen = world.add_body(ball).value();
      for (int n = 0; n < 5; ++n) world.step(1.0 / 60);
      const std::vector<std::byte> saved = world.snapshot();
      if (moved) world.set_pose(id, {{8, 5, 5}, Quat{}});
      for (int n = 0; n < 5; ++n) world.step(1.0 / 60);
      ASSERT_TRUE(world.restore(saved).ok());
      for (int n = 0; n < 120; ++n) world.step(1.0 / 60);
      EXPECT_NEAR(world.pose(fallen).position.y, 5.3, 1e-3) << method.name;
      hash[moved] = world.state_hash();
    }
    EXPECT_EQ(hash[0], hash[1]) << method.name;
  }
}

// spec-rigid A24: ten times as many fixed bodies where nobody goes.
TEST(BroadPhases, rigid_A24_distant_fixed_bodies_cost_no_pair_test) {
  for (const Method& method : k_methods) {
    Story story[2];
    for (const bool far : {false, true}) {
      // What is outside of a map shares its border tiles: this one holds the distant ones too.
      World world = make_world(method, 1, 510);
      fill(world, 100, 200);
      for (int n = 0; far && n < 2000; ++n) {
        BodyDef r;
        r.motion = Motion::fixed;
        r.shape = Rectangle{0.5, 0.5};
        r.position = {double(n % 40), double(n / 40), 500};
        ASSERT_TRUE(world.add_body(r).ok());
      }
      for (int n = 0; n < 100; ++n) {
        world.step(1.0 / 60);
        tell(world, story[far]);
      }
    }
    EXPECT_GT(story[0].tests[50], 0) << method.name;
    EXPECT_EQ(story[0].tests, story[1].tests) << method.name;
    EXPECT_EQ(story[0].pairs, story[1].pairs) << method.name;
  }
}

}  // namespace
}  // namespace pliant
