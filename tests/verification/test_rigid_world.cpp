// Rigid acceptance items through the world, with the default settings but h = 1/240 and 10
// substeps.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 240;

WorldDef settings(double gravity = 9.81) {
  WorldDef def;
  def.substeps = 10;
  def.gravity = {0, -gravity, 0};
  return def;
}
void run(World& world, double seconds) {
  for (int n = 0; n < int(std::lround(seconds / k_dt)); ++n) world.step(k_dt);
}

struct Pile {
  World world{settings()};
  BodyId floor;
  std::vector<BodyId> boxes;
  std::vector<Vec3> start;
  double mass = 0;

  Pile() { floor = world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value(); }
  void add(const Vec3& at, double kilograms = 0) {
    boxes.push_back(world.add_body({.shape = Box{}, .position = at, .mass = kilograms}).value());
    start.push_back(at);
    mass += world.mass(boxes.back());
  }
  double drift() const {
    double worst = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      worst = std::fmax(worst, length(world.pose(boxes[i]).position - start[i]));
    return worst;
  }
  int asleep() const {
    int n = 0;
    for (const BodyId id : boxes) n += world.asleep(id);
    return n;
  }
  void expect_stands() {
    EXPECT_LT(drift(), 0.01) << "m after 10 s at 1/240 s, 10 substeps";
    EXPECT_EQ(asleep(), int(boxes.size()));
    EXPECT_NEAR(-world.contact_force(floor).y / (mass * 9.81), 1, 0.01);
  }
};

TEST(rigid_A18, world_tower_of_10_stands_and_sleeps) {
  Pile pile;
  for (int i = 0; i < 10; ++i) pile.add({0, 0.5 + i, 0});
  run(pile.world, 10);
  pile.expect_stands();
  // Pulling the bottom box wakes all that depend on it in that step, and the tower comes down.
  pile.world.remove(pile.boxes[0]);
  pile.boxes.erase(pile.boxes.begin());
  pile.world.step(k_dt);
  EXPECT_EQ(pile.asleep(), 0);
  run(pile.world, 0.3);
  EXPECT_LT(pile.world.pose(pile.boxes.back()).position.y, 9.5 - 0.3);
}

TEST(rigid_A18, world_pyramid_of_55_stands_and_sleeps) {
  Pile pile;
  for (int row = 0; row < 10; ++row)
    for (int i = 0; i < 10 - row; ++i) pile.add({i * 1.02 + row * 0.51, 0.5 + row, 0});
  ASSERT_EQ(pile.boxes.size(), 55u);
  run(pile.world, 10);
  pile.expect_stands();
}

TEST(rigid_A18, world_heavy_on_light_sinks_less_than_one_percent) {
  Pile pile;
  pile.add({0, 0.5, 0}, 1);
  pile.add({0, 1.5, 0}, 100);
  run(pile.world, 10);
  EXPECT_NEAR(pile.world.pose(pile.boxes[1]).position.y, 1.5, 0.01);
  pile.expect_stands();
}

TEST(rigid_A18, a_ball_brings_the_tower_down) {
  Pile pile;
  for (int i = 0; i < 10; ++i) pile.add({0, 0.5 + i, 0});
  run(pile.world, 3);
  ASSERT_EQ(pile.asleep(), 10);
  pile.world
      .add_body(
          {.shape = Sphere{0.5}, .position = {-3, 5, 0}, .velocity = {30, 0, 0}, .mass = 2000})
      .value();
  run(pile.world, 2);
  EXPECT_LT(pile.world.pose(pile.boxes.back()).position.y, 8);
}

// Falls 1 m in 0.4518 s; with e = 0.5 the bounces end at 1.3553 s, the cut-off shortens it.
TEST(rigid_A11, world_drop_rests_in_time) {
  World world(settings(9.8));
  const Surface surface{0.5, 0.5, 0.5};
  world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}, .surface = surface}).value();
  const BodyId ball =
      world.add_body({.shape = Sphere{0.1}, .position = {0, 1.1, 0}, .surface = surface}).value();
  std::vector<double> apexes;
  double before = 0, moving = 0;
  std::vector<double> rests;  // s, when it comes to the state of rest
  while (world.time() < 3) {
    world.step(k_dt);
    for (const Event& e : world.events())
      if (e.kind == EventKind::state && e.to == BodyState::rest) rests.push_back(e.time);
    const double v = world.velocity(ball).y;
    if (before > 0 && v <= 0) apexes.push_back(world.pose(ball).position.y - 0.1);
    if (std::fabs(v) > 0.01) moving = world.time();
    before = v;
  }
  ASSERT_GE(apexes.size(), 2u);
  EXPECT_NEAR(apexes[0], 0.25, 2e-3);
  EXPECT_NEAR(apexes[1], 0.0625, 2e-3);
  EXPECT_GT(moving, 1.25);
  EXPECT_LT(moving, 1.37);
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_GT(rests[0], 1.25);
  EXPECT_LT(rests[0], 1.37);
  EXPECT_EQ(world.state(ball), BodyState::rest);
  EXPECT_NEAR(world.pose(ball).position.y, 0.1, 1e-3);
  EXPECT_TRUE(world.asleep(ball));
}

// An impact happens within a substep: the height lost or gained there is at most h v, so energy
// rises by no more than g h v (per kg).
TEST(rigid_A11, world_a_bounce_gains_no_more_than_g_h_v) {
  World world(settings());
  const Surface surface{0.5, 0.5, 1};
  world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}, .surface = surface}).value();
  const BodyId ball =
      world.add_body({.shape = Sphere{0.1}, .position = {0, 1.1, 0}, .surface = surface}).value();
  const auto energy = [&] {
    return 0.5 * length_sq(world.velocity(ball)) + 9.81 * (world.pose(ball).position.y - 0.1);
  };
  double last = energy(), vy = 0;
  int bounces = 0;
  for (int n = 0; n < 1200; ++n) {
    world.step(k_dt);
    const double now = world.velocity(ball).y;
    if (vy < 0 && now > 0) {
      ++bounces;
      EXPECT_LE(energy() - last, 9.81 * (k_dt / 10) * std::fabs(vy) + 1e-5);
      last = energy();
    }
    vy = now;
  }
  EXPECT_GE(bounces, 4);
}

// The trouble that a whole frame as a step would make: 60 Hz and 8 substeps, the defaults.
TEST(rigid_A18, world_tower_stands_at_the_default_settings) {
  World world;
  world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  std::vector<BodyId> boxes;
  for (int i = 0; i < 10; ++i)
    boxes.push_back(world.add_body({.shape = Box{}, .position = {0, 0.5 + i, 0}}).value());
  for (int n = 0; n < 600; ++n) world.step(1.0 / 60);
  for (int i = 0; i < 10; ++i) {
    EXPECT_LT(length(world.pose(boxes[std::size_t(i)]).position - Vec3{0, 0.5 + i, 0}), 0.02) << i;
    EXPECT_TRUE(world.asleep(boxes[std::size_t(i)])) << i;
  }
}

}  // namespace
}  // namespace pliant
