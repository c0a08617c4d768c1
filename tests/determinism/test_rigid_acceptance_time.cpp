// Time of a host, the same bits whatever its frames, and rollback (ACCEPTANCE 23 of the rigid
// specification).
#include <gtest/gtest.h>
#include <pliant/pliant.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace pliant {
namespace {

constexpr double k_step = 1.0 / 240;

// Boxes and balls that fall onto a floor, under gravity, drag and a magnet that comes and goes.
World make_world() {
  World world({.substeps = 10});
  EXPECT_TRUE(world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).ok());
  for (int n = 0; n < 6; ++n) {
    BodyDef def{.position = {0.05 * n, 0.3 + 0.35 * n, 0.03 * n}};
    def.shape = n % 2 == 0 ? Shape(Box{{0.15, 0.1, 0.12}}) : Shape(Sphere{0.12});
    def.surface.restitution = 0.3;
    def.material = n < 3 ? "iron" : "wood";
    EXPECT_TRUE(world.add_body(def).ok());
  }
  EXPECT_TRUE(world.add_field(FieldDef{.kind = Drag{}}).ok());
  EXPECT_TRUE(
      world
          .add_field(FieldDef{
              .kind = Magnet{.position = {1, 2, 0}, .strength = 20}, .begin = 0.3, .duration = 0.2})
          .ok());
  return world;
}

std::vector<std::uint64_t> plain_hashes(int steps) {
  World world = make_world();
  std::vector<std::uint64_t> hashes;
  for (int n = 0; n < steps; ++n) {
    world.step(k_step);
    hashes.push_back(world.state_hash());
  }
  return hashes;
}

}  // namespace

TEST(Acceptance, rigid_A23_any_frames_give_the_same_steps) {
  const std::vector<std::uint64_t> expected = plain_hashes(240);
  const std::map<const char*, std::function<double(int)>> hosts = {
      {"30", [](int) { return 1.0 / 30; }},
      {"60", [](int) { return 1.0 / 60; }},
      {"144", [](int) { return 1.0 / 144; }},
      {"jittered", [](int n) { return 1e-3 * double(1 + (n * 7919) % 47); }}};
  for (const auto& [name, frame] : hosts) {
    World world = make_world();
    Clock clock(k_step);
    double wall = 0;
    for (int n = 0; world.steps() < 240; ++n) {
      wall += frame(n);
      for (int due = clock.advance(frame(n)); due > 0 && world.steps() < 240; --due) {
        world.step(clock.step());
        ASSERT_EQ(world.state_hash(), expected[std::size_t(world.steps() - 1)])
            << name << " frames, step " << world.steps();
      }
      EXPECT_GE(clock.share(), 0);
      EXPECT_LT(clock.share(), 1 + 1e-9);
    }
    EXPECT_NEAR(wall, 1, 0.06) << name;
  }
}

TEST(Acceptance, rigid_A23_time_runs_at_half_and_double_speed_and_stops) {
  for (const double speed : {0.5, 1.0, 2.0}) {
    World world({.time_speed = speed});
    Clock clock(k_step, world.def().time_speed);
    const auto host = [&](double seconds) {
      for (int n = 0; n < int(std::lround(seconds * 60)); ++n)
        for (int due = clock.advance(1.0 / 60); due > 0; --due) world.step(clock.step());
    };
    host(2);
    EXPECT_NEAR(world.time(), 2 * speed, 1.01 * k_step);
    clock.set_paused(true);
    host(5);
    EXPECT_NEAR(world.time(), 2 * speed, 1.01 * k_step);
    clock.set_paused(false);
    host(1);
    EXPECT_NEAR(world.time(), 3 * speed, 1.01 * k_step);
  }
}

TEST(Acceptance, rigid_A23_long_frames_are_cut_and_bad_ones_are_none) {
  Clock clock(0.01);
  EXPECT_EQ(clock.advance(100), 25);
  EXPECT_EQ(clock.advance(-1), 0);
  EXPECT_EQ(clock.advance(std::nan("")), 0);
  EXPECT_EQ(clock.advance(0.005), 0);
  EXPECT_NEAR(clock.share(), 0.5, 1e-9);
  EXPECT_EQ(clock.advance(0.005), 1);
}

TEST(Acceptance, rigid_A23_two_processes_agree) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::vector<std::uint64_t> hashes = plain_hashes(120);
    const std::size_t bytes = hashes.size() * sizeof(hashes[0]);
    _exit(write(ends[1], hashes.data(), bytes) == ssize_t(bytes) ? 0 : 1);
  }
  close(ends[1]);
  std::vector<std::uint64_t> other(120);
  const ssize_t size = ssize_t(other.size() * sizeof(other[0]));
  ssize_t got = 0;
  while (got < size) {
    const ssize_t part =
        read(ends[0], reinterpret_cast<char*>(other.data()) + got, std::size_t(size - got));
    if (part <= 0) break;
    got += part;
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(other, plain_hashes(120));
}

TEST(Acceptance, rigid_A23_rollback_of_sixty_steps) {
  const std::vector<std::uint64_t> expected = plain_hashes(180);
  World world = make_world();
  for (int n = 0; n < 60; ++n) world.step(k_step);
  const std::vector<std::byte> saved = world.snapshot();
  for (int n = 0; n < 60; ++n) world.step(k_step);
  // Something that was not to be.
  world.apply_impulse(world.bodies()[2], {0, 50, 0}, world.pose(world.bodies()[2]).position);
  for (int n = 0; n < 10; ++n) world.step(k_step);
  EXPECT_NE(world.state_hash(), expected[129]);
  ASSERT_TRUE(world.restore(saved).ok());
  for (std::size_t n = 60; n < 180; ++n) {
    world.step(k_step);
    ASSERT_EQ(world.state_hash(), expected[n]) << n;
  }
}

TEST(Acceptance, rigid_A23_poses_between_steps) {
  World world({.gravity = {}});
  const BodyId id = world
                        .add_body({.shape = Box{},
                                   .velocity = {2, 0, 0},
                                   .angular_velocity = {0, 0, 3},
                                   .allow_sleep = false})
                        .value();
  EXPECT_EQ(world.pose(id, 0.5).position, Vec3{});
  world.step(0.1);
  EXPECT_EQ(world.pose(id, 1).position, world.pose(id).position);
  EXPECT_NEAR(world.pose(id, 0).position.x, 0, 1e-12);
  EXPECT_NEAR(world.pose(id, 0.25).position.x, 0.05, 1e-6);
  EXPECT_NEAR(world.pose(id, 0.25).rotation.z, std::sin(0.25 * 0.3 / 2), 1e-6);
  // A teleport is no way to be drawn.
  world.set_pose(id, {{50, 0, 0}, {}});
  world.step(0.1);
  EXPECT_NEAR(world.pose(id, 0).position.x, 50, 1e-6);
  EXPECT_NEAR(world.velocity(id).x, 2, 1e-6);
}

}  // namespace pliant
