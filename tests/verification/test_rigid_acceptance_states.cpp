// What bodies do, as the engine tells it, and what they should: ACCEPTANCE 15 to 18 of the rigid
// bodies. Steps of 1/240 s of 10 substeps.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <vector>

#include "verification/bodies.h"
#include "verification/joint_rig.h"

namespace pliant {
namespace {

WorldDef world_with_sleep() {
  WorldDef def = joint_world({0, -k_g, 0});
  def.sleep = true;
  return def;
}

BodyDef ground(double friction, double angle = 0) {
  BodyDef def;
  def.motion = Motion::fixed;
  def.shape = HalfSpace{};
  def.rotation = {0, 0, std::sin(-angle / 2), std::cos(angle / 2)};  // falls along +x
  def.surface.friction_static = def.surface.friction_kinetic = friction;
  return def;
}

// Lifts everything while it is on.
class Lift : public ForceField {
 public:
  Vec3 force(const FieldSample& sample) const override { return {0, 2 * k_g * sample.mass, 0}; }
};

struct Log {
  std::vector<BodyState> states{BodyState::flight};
  int contacts = 0;
  void run(World& world, double seconds) {
    for (long n = std::lround(seconds / k_step); n > 0; --n) {
      world.step(k_step);
      for (const Event& e : world.events()) {
        if (e.kind == EventKind::contact_begin) ++contacts;
        if (e.kind != EventKind::state) continue;
        EXPECT_EQ(e.from, states.back());
        states.push_back(e.to);
      }
    }
  }
};

// Dropped on a table, lifted off and let fall again, rolled off the table by tilting it, and
// brought to rest on the ground by rolling resistance.
TEST(rigid_A15, states_of_a_ball) {
  World world(world_with_sleep());
  BodyDef floor = ground(0.8);
  floor.position = {0, -1, 0};
  floor.surface.rolling_resistance = 0.02;
  world.add_body(floor).value();
  BodyDef table;
  table.motion = Motion::kinematic;
  table.shape = Box{{1, 0.1, 1}};
  table.position = {0, -0.1, 0};
  table.surface.friction_static = table.surface.friction_kinetic = 0.8;
  const BodyId board = world.add_body(table).value();
  BodyDef def = ball(0.1, 1, {0, 0.5, 0}, {});
  def.surface.friction_static = def.surface.friction_kinetic = 0.8;
  def.surface.restitution = 0.3;
  def.surface.rolling_resistance = 0.02;
  const BodyId id = world.add_body(def).value();
  Log log;
  log.run(world, 3);
  using enum BodyState;
  std::vector<BodyState> wanted{flight, rest};
  EXPECT_EQ(log.states, wanted);
  EXPECT_TRUE(world.asleep(id));
  const int contacts = log.contacts;
  log.run(world, 2);
  EXPECT_EQ(log.states, wanted);  // and nothing is told of while it rests
  EXPECT_EQ(log.contacts, contacts);
  EXPECT_EQ(world.stats().pairs, 0);  // nothing is tested while all rest
  EXPECT_EQ(world.stats().tests, 0);
  ASSERT_EQ(world.supports(id).size(), 1u);
  EXPECT_EQ(world.supports(id)[0], board);

  const FieldId lift = world.add_field(std::make_shared<Lift>());
  log.run(world, 0.3);
  wanted.push_back(flight);
  EXPECT_EQ(log.states, wanted);
  EXPECT_TRUE(world.supports(id).empty());
  world.remove(lift);
  log.run(world, 3);
  wanted.push_back(rest);
  EXPECT_EQ(log.states, wanted);

  // Tilted by 0.2 rad within a second.
  for (int n = 1; n <= 240; ++n) {
    const double angle = 0.2 * n / 240;
    world.move_to(board, {{0, -0.1, 0}, {0, 0, std::sin(-angle / 2), std::cos(angle / 2)}});
    log.run(world, k_step);
  }
  log.run(world, 20);
  wanted.insert(wanted.end(), {rolling, flight});
  ASSERT_GE(log.states.size(), wanted.size());
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), log.states.begin()));
  EXPECT_EQ(log.states.back(), rest);  // by rolling resistance, after some bounces
  EXPECT_EQ(log.states[log.states.size() - 2], rolling);
  EXPECT_GT(world.pose(id).position.x, 1);
}

TEST(rigid_A15, a_hit_in_flight_stays_flight) {
  World world(world_with_sleep());
  BodyDef floor = ground(0);
  floor.surface.restitution = 1;
  world.add_body(floor).value();
  world.add_body(ball(0.1, 1, {0, 1, 0}, {})).value();
  Log log;
  log.run(world, 4);
  EXPECT_GE(log.contacts, 4);  // bounces
  EXPECT_EQ(log.states.size(), 1u);
}

// A solid ball on 20 degrees: 5/7 g sin 20 without slip where mu is 0.3; with 0.05 it slips.
TEST(rigid_A16, ball_on_a_slope) {
  const double angle = 20 * k_pi / 180;
  for (const double mu : {0.3, 0.05}) {
    WorldDef def = world_with_sleep();
    World world(def);
    world.add_body(ground(mu, angle)).value();
    const Vec3 up{std::sin(angle), std::cos(angle), 0}, down{std::cos(angle), -std::sin(angle), 0};
    BodyDef b = ball(0.1, 1, up * 0.1, {});
    b.surface.friction_static = b.surface.friction_kinetic = mu;
    const BodyId id = world.add_body(b).value();
    run(world, 0.5);
    const double v0 = dot(world.velocity(id), down);
    run(world, 1.0);
    const double a = dot(world.velocity(id), down) - v0;
    const bool rolls = mu > 0.1;
    EXPECT_NEAR(a, rolls ? 2.3966 : 2.894, 0.01 * 2.3966);
    const double slip = dot(world.velocity(id), down) + world.angular_velocity(id).z * 0.1;
    if (rolls) {
      EXPECT_NEAR(slip, 0, 1e-3);
    }
    EXPECT_EQ(world.state(id), rolls ? BodyState::rolling : BodyState::sliding);
  }
}

// Begins to slide at 7 m/s without spin: rolls after 2 v / (7 mu g) = 1.0194 s, with 5/7 of it.
TEST(rigid_A16, sliding_ball_begins_to_roll) {
  World world(world_with_sleep());
  world.add_body(ground(0.2)).value();
  BodyDef b = ball(0.1, 1, {0, 0.1, 0}, {7, 0, 0});
  b.surface.friction_static = b.surface.friction_kinetic = 0.2;
  const BodyId id = world.add_body(b).value();
  double begins = 0, x = 0;
  while (world.time() < 2) {
    world.step(k_step);
    if (begins == 0 && world.state(id) == BodyState::rolling) {
      begins = world.time();
      x = world.pose(id).position.x;
    }
  }
  // The state changes with the slip below 1 cm/s, which is 1.5 ms before the end of it, and at the
  // end of a step.
  EXPECT_NEAR(begins, 1.0194, 1.5 * k_step);
  EXPECT_NEAR(x, 6.116, 0.01 * 6.116);
  EXPECT_NEAR(world.velocity(id).x, 5, 0.01 * 5);
}

TEST(rigid_A17, box_on_a_slope) {
  for (const double degrees : {25.0, 30.0}) {
    const double angle = degrees * k_pi / 180;
    World world(world_with_sleep());
    world.add_body(ground(0.5, angle)).value();
    const Vec3 up{std::sin(angle), std::cos(angle), 0}, down{std::cos(angle), -std::sin(angle), 0};
    BodyDef b;
    b.shape = Box{{0.1, 0.1, 0.1}};
    b.position = up * 0.1;
    b.rotation = {0, 0, std::sin(-angle / 2), std::cos(angle / 2)};
    const BodyId id = world.add_body(b).value();
    run(world, 0.2);
    const Vec3 begin = world.pose(id).position;
    const double v0 = dot(world.velocity(id), down);
    if (degrees < 26) {
      run(world, 10);
      EXPECT_LT(length(world.pose(id).position - begin), 1e-3);
      EXPECT_EQ(world.state(id), BodyState::rest);
    } else {
      run(world, 1);
      EXPECT_NEAR(dot(world.velocity(id), down) - v0, 0.657, 0.02 * 0.657);
      EXPECT_EQ(world.state(id), BodyState::sliding);
    }
  }
}

// Pulling the bottom box wakes the whole tower in that step, and it falls.
TEST(rigid_A18, pulling_the_lowest_box_wakes_all_that_depend_on_it) {
  World world(world_with_sleep());
  world.add_body(ground(0.5)).value();
  std::vector<BodyId> tower;
  for (int n = 0; n < 10; ++n) {
    BodyDef b;
    b.shape = Box{{0.5, 0.5, 0.5}};
    b.mass = 1;
    b.position = {0, 0.5 + n, 0};
    tower.push_back(world.add_body(b).value());
  }
  BodyDef lone;
  lone.shape = Box{{0.5, 0.5, 0.5}};
  lone.position = {20, 0.5, 0};
  const BodyId other = world.add_body(lone).value();
  run(world, 10);
  for (std::size_t n = 0; n < 10; ++n) {
    EXPECT_TRUE(world.asleep(tower[n]));
    EXPECT_LT(length(world.pose(tower[n]).position - Vec3{0, 0.5 + double(n), 0}), 0.01);
    const std::vector<BodyId> on = world.supports(tower[n]);
    ASSERT_EQ(on.size(), 1u);
    if (n > 0) {
      EXPECT_EQ(on[0], tower[n - 1]);
    }
  }
  EXPECT_NEAR(world.contact_force(tower[0]).y + 9 * k_g, 10 * k_g, 0.1 * k_g);
  world.apply_impulse(tower[0], {40, 0, 0}, {0, 0.5, 0});
  world.step(k_step);
  for (const BodyId id : tower) EXPECT_FALSE(world.asleep(id));
  EXPECT_TRUE(world.asleep(other));  // and nobody else
  for (int n = 0; n < 240; ++n) {
    world.apply_force(tower[0], {60, 0, 0}, world.pose(tower[0]).position);
    world.step(k_step);
  }
  EXPECT_LT(world.pose(tower[9]).position.y, 9);
}

}  // namespace
}  // namespace pliant
