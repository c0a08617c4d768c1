// The same bits: for any number of threads, after snapshot and restore, on replay, and whatever
// else is far away. Hashes are compared at every step, so that a failure names the first one that
// differs.
#include <gtest/gtest.h>

#include <string>

#include "core/hash.h"
#include "mixed_scene.h"

namespace pliant {
namespace {

constexpr int k_steps = 150;

std::vector<std::uint64_t> hashes_of(const MixedOptions& options, int steps) {
  MixedScene s = make_mixed(options);
  std::vector<std::uint64_t> hashes{s.world.state_hash()};
  for (int n = 0; n < steps; ++n) {
    step_mixed(s, n);
    hashes.push_back(s.world.state_hash());
  }
  return hashes;
}

// -1 where all agree.
int first_difference(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n)
    if (a[n] != b[n]) return int(n);
  return a.size() == b.size() ? -1 : int(std::min(a.size(), b.size()));
}

TEST(Determinism, any_number_of_threads_gives_the_same_bits) {
  const auto expected = hashes_of({}, k_steps);
  for (const int threads : {1, 2, 3, 8})
    EXPECT_EQ(first_difference(expected, hashes_of({.threads = threads}, k_steps)), -1)
        << threads << " threads; the number is the first step that differs";
}

// A cloth and a solid of several clusters each, a ball that falls on both, two sweeps.
std::vector<std::uint64_t> hashes_of_large(int threads) {
  WorldDef def;
  def.substeps = 3;
  def.sweeps = 2;
  World world(def, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
  ClothDef cloth;
  cloth.mesh = make_grid(69, 61, 1, 1);
  cloth.position = {0, 1, 0};
  cloth.bend_rigidity = 1e-5;
  cloth.tethers = true;
  cloth.pins = {{.vertices = {0}, .path = {}, .pivot = {}},
                {.vertices = {69}, .path = {}, .pivot = {}}};
  world.add_cloth(cloth).value();
  SolidDef solid;
  solid.tets = make_lattice(15, 12, 11, 0.04);
  solid.position = {2, 0.3, 0};
  solid.angular_velocity = {0, 0, 2};
  world.add_solid(solid).value();
  world.add_body({.shape = Sphere{0.2}, .position = {0, 1.3, 0}, .velocity = {0, -2, 0}}).value();
  world.add_body({.shape = Sphere{0.2}, .position = {2, 1.1, 0}, .velocity = {0, -2, 0}}).value();
  std::vector<std::uint64_t> hashes;
  for (int n = 0; n < 30; ++n) {
    world.step(k_scene_dt);
    hashes.push_back(world.state_hash());
  }
  std::vector<Vec3> places;  // what a user reads is copied by threads too
  world.copy_positions(world.cloths()[0], places);
  StateHash hash;
  for (const Vec3& p : places) hash.add(p.x), hash.add(p.y), hash.add(p.z);
  hashes.push_back(hash.value());
  return hashes;
}

TEST(Determinism, bodies_of_several_clusters_have_the_same_bits_on_any_number_of_threads) {
  const auto expected = hashes_of_large(0);
  for (const int threads : {1, 2, 3, 8})
    EXPECT_EQ(first_difference(expected, hashes_of_large(threads)), -1)
        << threads << " threads; the number is the first step that differs";
}

// A control of the measure itself: the smallest change of the input changes the hash at once, and
// the scene moves all the time.
TEST(Determinism, the_hash_sees_the_smallest_change) {
  MixedScene a = make_mixed(), b = make_mixed();
  EXPECT_EQ(a.world.state_hash(), b.world.state_hash());
  const Vec3 v = b.world.velocity(b.ball);
  b.world.set_velocity(b.ball, {double(std::nextafter(float(v.x), 1.0f)), v.y, v.z},
                       b.world.angular_velocity(b.ball));
  a.world.set_velocity(a.ball, v, a.world.angular_velocity(a.ball));
  a.world.step(k_scene_dt);
  b.world.step(k_scene_dt);
  EXPECT_NE(a.world.state_hash(), b.world.state_hash());
  std::vector<std::uint64_t> seen = hashes_of({}, 60);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

TEST(Determinism, snapshot_restored_into_a_new_world_goes_on_alike) {
  MixedScene original = make_mixed();
  for (int n = 0; n < k_steps; ++n) {
    step_mixed(original, n);
    if (n != 0 && n != 37 && n != 89) continue;
    const std::vector<std::byte> saved = original.world.snapshot();
    MixedScene copy = make_mixed({.threads = 2});
    for (int k = 0; k < n % 7; ++k) step_mixed(copy, k);  // a past of its own
    ASSERT_TRUE(copy.world.restore(saved).ok());
    EXPECT_EQ(copy.world.state_hash(), original.world.state_hash()) << "at step " << n;
    MixedScene go_on = make_mixed();
    ASSERT_TRUE(go_on.world.restore(saved).ok());
    for (int k = n + 1; k < n + 25; ++k) {
      step_mixed(copy, k);
      step_mixed(go_on, k);
      ASSERT_EQ(copy.world.state_hash(), go_on.world.state_hash())
          << "restored after step " << n << ", differs after step " << k;
    }
  }
}

// Against a run that was never interrupted.
TEST(Determinism, snapshot_restored_at_several_steps_follows_the_uninterrupted_run) {
  const auto expected = hashes_of({}, k_steps);
  for (const int at : {1, 30, 75, 121}) {
    MixedScene first = make_mixed();
    for (int n = 0; n < at; ++n) step_mixed(first, n);
    const std::vector<std::byte> saved = first.world.snapshot();
    MixedScene fresh = make_mixed();
    ASSERT_TRUE(fresh.world.restore(saved).ok());
    for (int n = at; n < std::min(at + 40, k_steps); ++n) {
      step_mixed(fresh, n);
      ASSERT_EQ(fresh.world.state_hash(), expected[std::size_t(n) + 1])
          << "fresh world, restored after " << at << " steps, differs after step " << n;
    }
    for (int n = at; n < at + 10; ++n) step_mixed(first, n);  // on, and back again
    ASSERT_TRUE(first.world.restore(saved).ok());
    for (int n = at; n < std::min(at + 40, k_steps); ++n) {
      step_mixed(first, n);
      ASSERT_EQ(first.world.state_hash(), expected[std::size_t(n) + 1])
          << "same world, restored after " << at << " steps, differs after step " << n;
    }
  }
}

// Calm weather, and only the pendulum is kept awake: the stack, the jelly under the sheet and the
// ball come to rest.
MixedScene make_calm() {
  MixedScene s = make_mixed();
  s.world.set_wind({});
  return s;
}

TEST(Determinism, snapshot_while_half_the_world_sleeps) {
  MixedScene s = make_calm();
  int n = 0;
  const auto sleepers = [&] { return s.world.measurements().asleep; };
  for (; n < 900 && sleepers() < 4; ++n) s.world.step(k_scene_dt);
  ASSERT_GE(sleepers(), 4) << "after " << n << " steps";
  ASSERT_FALSE(s.world.asleep(s.pendulum));
  const std::vector<std::byte> saved = s.world.snapshot();
  MixedScene fresh = make_calm();
  ASSERT_TRUE(fresh.world.restore(saved).ok());
  EXPECT_EQ(fresh.world.measurements().asleep, sleepers());
  EXPECT_EQ(fresh.world.contact_force(fresh.floor), s.world.contact_force(s.floor));
  for (int k = 0; k < 60; ++k) {
    for (MixedScene* scene : {&s, &fresh}) {
      if (k == 10) scene->world.apply_impulse(scene->boxes[0], {3, 0, 0}, {3, 0.2, 0});
      scene->world.step(k_scene_dt);
    }
    ASSERT_EQ(s.world.state_hash(), fresh.world.state_hash()) << "differs after step " << k;
    ASSERT_EQ(s.world.events().size(), fresh.world.events().size()) << "after step " << k;
    ASSERT_EQ(s.world.contact_force(s.floor), fresh.world.contact_force(fresh.floor));
    if (k == 10) {
      EXPECT_FALSE(s.world.asleep(s.boxes[3]));  // woken with the one below
    }
  }
}

TEST(Determinism, bad_snapshots_are_refused_and_change_nothing) {
  MixedScene s = make_mixed();
  for (int n = 0; n < 5; ++n) step_mixed(s, n);
  const std::uint64_t before = s.world.state_hash();
  std::vector<std::byte> saved = s.world.snapshot();
  for (const std::size_t size :
       {std::size_t(0), std::size_t(3), std::size_t(40), saved.size() / 2, saved.size() - 1}) {
    const Status status = s.world.restore(std::span(saved).first(size));
    ASSERT_FALSE(status.ok()) << size << " of " << saved.size() << " bytes";
    EXPECT_FALSE(status.error().message.empty());
  }
  MixedScene other = make_mixed({.distant_last = true});
  EXPECT_FALSE(other.world.restore(saved).ok());
  saved[0] ^= std::byte(1);
  EXPECT_FALSE(s.world.restore(saved).ok());
  EXPECT_EQ(s.world.state_hash(), before);
}

// Any byte that is not the state's own: refused or restored, never a crash. Sizes are what could do
// harm; a flipped bit of a number is a number.
TEST(Determinism, a_damaged_snapshot_never_crashes) {
  MixedScene s = make_mixed();
  step_mixed(s, 0);
  const std::vector<std::byte> saved = s.world.snapshot();
  std::uint32_t random = 12345;
  for (int n = 0; n < 200; ++n) {
    random = random * 1664525u + 1013904223u;
    std::vector<std::byte> damaged = saved;
    // The first bytes hold the sizes of the arrays that come first.
    const std::size_t at = n < 120 ? std::size_t(16 + n) : random % damaged.size();
    damaged[at] ^= std::byte(1u << (random >> 29));
    (void)s.world.restore(damaged);
  }
  ASSERT_TRUE(s.world.restore(saved).ok());
}

TEST(Determinism, a_distant_body_changes_no_bit_of_the_others) {
  MixedScene alone = make_mixed(), after = make_mixed({.distant_last = true}),
             before = make_mixed({.distant_first = true});
  for (int n = 0; n < k_steps; ++n) {
    for (MixedScene* s : {&alone, &after, &before}) step_mixed(*s, n);
    const std::vector<Vec3> expected = state_of(alone);
    ASSERT_EQ(expected, state_of(after)) << "added last, differs after step " << n;
    ASSERT_EQ(expected, state_of(before)) << "added first, differs after step " << n;
  }
  // The distant ones are really there and move.
  EXPECT_EQ(after.world.bodies().size(), alone.world.bodies().size() + 1);
  EXPECT_GT(after.world.pose(after.world.bodies().back()).position.z, 60);
}

TEST(Determinism, removing_a_distant_body_changes_no_bit_of_the_others) {
  MixedScene alone = make_mixed(), with = make_mixed({.distant_first = true});
  for (int n = 0; n < 80; ++n) {
    if (n == 40) {
      with.world.remove(with.world.bodies().front());
      with.world.remove(with.world.cloths().front());
    }
    step_mixed(alone, n);
    step_mixed(with, n);
    ASSERT_EQ(state_of(alone), state_of(with)) << "differs after step " << n;
  }
}

}  // namespace
}  // namespace pliant
