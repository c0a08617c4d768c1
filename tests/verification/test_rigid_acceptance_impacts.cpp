// Impacts of rigid bodies in the order of their times: ACCEPTANCE 5, 6 and 8 to 11 of the rigid
// bodies, and Newton's cradle. Steps of 1/240 s of 10 substeps unless the item gives others.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "verification/bodies.h"
#include "verification/bullets.h"
#include "verification/joint_rig.h"

namespace pliant {
namespace {

constexpr bool k_double = sizeof(Real) == 8;
// Velocities and moments are Real: a sum of a few of them is off by some roundings.
constexpr double k_rounding = k_double ? 1e-12 : 5e-7;

WorldDef ordered_world(const Vec3& gravity = {}) {
  WorldDef def = joint_world(gravity);
  def.impacts = Impacts::ordered;
  return def;
}

// A ball that neither rubs nor loses speed.
BodyDef marble(double radius, double mass, const Vec3& position, const Vec3& velocity,
               double restitution = 1) {
  BodyDef def = ball(radius, mass, position, velocity);
  def.surface = {.friction_static = 0, .friction_kinetic = 0, .restitution = restitution};
  return def;
}

BodyDef wall(const Shape& shape, const Vec3& position, const Quat& rotation, double restitution) {
  BodyDef def;
  def.motion = Motion::fixed;
  def.shape = shape;
  def.position = position;
  def.rotation = rotation;
  def.surface = {.friction_static = 0, .friction_kinetic = 0, .restitution = restitution};
  return def;
}

// Turns the y axis, which is the normal of half-spaces and rectangles, onto the direction.
Quat facing(const Vec3& n) {
  const Vec3 axis = cross(Vec3{0, 1, 0}, n);
  const double s = length(axis), angle = std::atan2(s, n.y);
  if (s < 1e-12) return n.y > 0 ? Quat{} : Quat{1, 0, 0, 0};
  const Vec3 v = axis * (std::sin(angle / 2) / s);
  return {v.x, v.y, v.z, std::cos(angle / 2)};
}

std::vector<Event> impacts(const World& world) {
  std::vector<Event> found;
  for (const Event& e : world.events())
    if (e.kind == EventKind::impact) found.push_back(e);
  return found;
}

void expect_near(const Vec3& value, const Vec3& wanted, double within) {
  EXPECT_NEAR(value.x, wanted.x, within);
  EXPECT_NEAR(value.y, wanted.y, within);
  EXPECT_NEAR(value.z, wanted.z, within);
}

// The reflection leaves the part along the surface and turns the part along the normal round.
TEST(RigidImpacts, rigid_A05_reflection) {
  for (const Vec3& n : {Vec3{0, 1, 0}, Vec3{0.6, 0.8, 0}}) {
    for (const double e : {1.0, 0.5, 0.0}) {
      World world(ordered_world());
      world.add_body(wall(HalfSpace{}, {}, facing(n), e)).value();
      const Vec3 v{3, -4, 0};
      const BodyId id = world.add_body(marble(0.2, 1, n * 0.203, v, e)).value();
      world.step(k_step);
      expect_near(world.velocity(id), v - n * ((1 + e) * dot(v, n)), 8 * k_rounding);
      ASSERT_EQ(impacts(world).size(), 1u);
      const Vec3 after = world.velocity(id);
      if (e == 1) {
        EXPECT_NEAR(length(after), 5, 5 * 1e-6);
      }
      // What the record says of it: the wall is the first.
      const Event record = impacts(world)[0];
      expect_near(record.before_b, v, 2 * k_rounding);
      EXPECT_EQ(record.after_b, after);
      EXPECT_EQ(record.before_a, Vec3{});
      EXPECT_EQ(record.after_a, Vec3{});
      world.step(k_step);  // separating, or along the surface: nothing more happens
      expect_near(world.velocity(id), after, 4 * k_rounding);
      EXPECT_TRUE(impacts(world).empty());
    }
  }
}

TEST(RigidImpacts, rigid_A06_sphere_on_sphere) {
  struct Row {
    double e;
    Vec3 a, b;
    double energy;
  };
  const Vec3 n = normalized(Vec3{1, 1, 0});
  for (const Row& row :
       {Row{1, {0, -2, 0}, {1, 2, 0}, 11.5}, Row{0.5, {0.75, -1.25, 0}, {0.5, 1.5, 0}, 5.875},
        Row{0, {1.5, -0.5, 0}, {0, 1, 0}, 4}}) {
    World world(ordered_world());
    // They touch with the normal n after some 2 ms.
    const double t = 0.002;
    const Vec3 va{3, 1, 0}, vb{-1, 0, 0};
    const BodyId a = world.add_body(marble(0.1, 2, va * -t, va, row.e)).value();
    const BodyId b = world.add_body(marble(0.1, 3, n * 0.2 - vb * t, vb, row.e)).value();
    world.step(k_step);
    ASSERT_EQ(impacts(world).size(), 1u);
    const Event record = impacts(world)[0];
    expect_near(record.normal, n, 1e-5);
    expect_near(record.before_a, va, 4 * k_rounding);
    expect_near(record.before_b, vb, 4 * k_rounding);
    expect_near(record.after_a, row.a, 1e-5);
    expect_near(record.after_b, row.b, 1e-5);
    expect_near(world.velocity(a), row.a, 1e-5);
    expect_near(world.velocity(b), row.b, 1e-5);
    const Measurements& m = world.measurements();
    EXPECT_NEAR(m.kinetic_energy, row.energy, 1e-5 * row.energy);
    expect_near(m.momentum, {3, 2, 0}, 12 * k_rounding);
  }
}

// r 0.2 falls from y = 5 to a rectangle at y = 0.01.
TEST(RigidImpacts, rigid_A08_time_of_impact) {
  for (const ImpactTime method : {ImpactTime::advancement, ImpactTime::bisection}) {
    for (const double dt : {2.0, 1.0 / 60}) {
      WorldDef def = ordered_world({0, -9.8, 0});
      def.impact_time = method;
      World world(def);
      world.add_body(wall(Rectangle{5, 5}, {5, 0.01, 5}, {}, 1)).value();
      const BodyId id = world.add_body(marble(0.2, 1, {5, 5, 5}, {})).value();
      std::vector<Event> found;
      while (found.empty() && world.time() < 3) {
        world.step(dt);
        found = impacts(world);
      }
      ASSERT_FALSE(found.empty());
      // The greatest of a time and a distance over the speed (docs/conventions.md), and in float
      // the rounding of the speed of 100 substeps.
      const double within = std::max(1e-6, 1e-4 / 9.69) + (k_double ? 0 : 1e-5);
      EXPECT_NEAR(found[0].time, 0.988712, within) << "step " << dt;
      EXPECT_NEAR(found[0].speed, 9.6894, 9.8 * within + 1e-4);
      EXPECT_GE(world.pose(id).position.y, 0.21 - 1e-6);
    }
  }
}

TEST(RigidImpacts, rigid_A09_bullet_returns_in_the_same_step) {
  World world(ordered_world());
  world.add_body(wall(Rectangle{1, 1}, {2.5, 0, 0}, facing({-1, 0, 0}), 1)).value();
  const BodyId id = world.add_body(marble(0.05, 1, {}, {300, 0, 0})).value();
  world.step(1.0 / 60);
  ASSERT_EQ(impacts(world).size(), 1u);
  EXPECT_NEAR(impacts(world)[0].time, 8.1667e-3, 1e-7);
  EXPECT_NEAR(world.pose(id).position.x, -0.1, 1e-5);
  EXPECT_NEAR(world.velocity(id).x, -300, 300 * k_rounding);
}

// The long test has 10^5 of them.
TEST(RigidImpacts, rigid_A09_two_thousand_bullets) {
  test::Random random(9);
  for (int n = 0; n < 2000; ++n) ASSERT_TRUE(plate_stops_bullet(random, n)) << n;
}

// Through the rim of a ball and out again within a step: the closest approach is 5 mm inside.
TEST(RigidImpacts, rigid_A09_grazing_shot_is_not_missed) {
  for (const Impacts mode : {Impacts::ordered, Impacts::together}) {
    WorldDef def = ordered_world();
    def.impacts = mode;
    World world(def);
    BodyDef post = wall(Sphere{0.5}, {2, 0, 0}, {}, 1);
    world.add_body(post).value();
    const BodyId id = world.add_body(marble(0.05, 1, {0, 0.545, 0}, {300, 0, 0})).value();
    for (int n = 0; n < 2; ++n) world.step(1.0 / 60);
    EXPECT_GT(world.velocity(id).y, 1) << int(mode);
    if (mode == Impacts::together) continue;
    // The normal leads from the centre of the post to that of the ball when they touch; it is found
    // up to 1e-6 m early, which at this angle turns it by 1.4e-5 rad.
    const double ny = 0.545 / 0.55, nx = -std::sqrt(1 - ny * ny);
    const Vec3 v{300, 0, 0}, m{nx, ny, 0};
    expect_near(world.velocity(id), v - m * (2 * dot(v, m)), 2 * 300 * 1.4e-5 + 300 * k_rounding);
  }
}

TEST(RigidImpacts, rigid_A10_slot_corner_and_chain) {
  {
    World world(ordered_world());
    world.add_body(wall(Rectangle{1, 1}, {0.5, 0, 0}, facing({-1, 0, 0}), 1)).value();
    world.add_body(wall(Rectangle{1, 1}, {-0.5, 0, 0}, facing({1, 0, 0}), 1)).value();
    const BodyId id = world.add_body(marble(0.1, 1, {}, {10, 0, 0})).value();
    world.step(0.95);
    // Each impact is found up to 1e-6 m early, which shortens the way by twice that.
    EXPECT_EQ(impacts(world).size(), 12u);
    EXPECT_NEAR(world.pose(id).position.x, -0.1, 12 * 2e-6 + 10 * k_rounding);
    EXPECT_NEAR(world.velocity(id).x, 10, 120 * k_rounding);
  }
  {
    World world(ordered_world());
    for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
      world.add_body(wall(HalfSpace{}, {}, facing(n), 1)).value();
    const BodyId id = world.add_body(marble(0.5, 1, {2, 2, 2}, {-1, -1, -1})).value();
    world.step(3);
    const std::vector<Event> found = impacts(world);
    ASSERT_EQ(found.size(), 3u);
    for (const Event& e : found) EXPECT_NEAR(e.time, 1.5, 1e-6 + 2 * k_rounding);
    expect_near(world.pose(id).position, {2, 2, 2}, 1e-5);
    expect_near(world.velocity(id), {1, 1, 1}, 8 * k_rounding);
  }
  // Once in tiles of 1 m: where the first would end, at x = 5, it shares no tile with the second.
  for (const BroadPhase phase : {BroadPhase::sweep, BroadPhase::tiles}) {
    WorldDef def = ordered_world();
    def.broad_phase = phase;
    def.tiles = {.low = {-1, -1, -1}, .high = {9, 1, 1}, .count = {10, 2, 2}};
    World world(def);
    std::vector<BodyId> chain;
    for (int n = 0; n < 3; ++n)
      chain.push_back(
          world.add_body(marble(0.5, 1, {2.0 * n, 0, 0}, {n == 0 ? 10.0 : 0.0, 0, 0})).value());
    world.step(0.5);
    EXPECT_EQ(impacts(world).size(), 2u);
    const double x[3] = {1, 3, 7}, v[3] = {0, 0, 10};
    for (std::size_t n = 0; n < 3; ++n) {
      EXPECT_NEAR(world.pose(chain[n]).position.x, x[n], 2e-5);
      EXPECT_NEAR(world.velocity(chain[n]).x, v[n], 40 * k_rounding);
    }
  }
}

// Without the order the chain of the slot does not come out: what the mode is for.
TEST(RigidImpacts, control_together_loses_the_slot) {
  WorldDef def = ordered_world();
  def.impacts = Impacts::together;
  World world(def);
  world.add_body(wall(Rectangle{1, 1}, {0.5, 0, 0}, facing({-1, 0, 0}), 1)).value();
  world.add_body(wall(Rectangle{1, 1}, {-0.5, 0, 0}, facing({1, 0, 0}), 1)).value();
  const BodyId id = world.add_body(marble(0.1, 1, {}, {10, 0, 0})).value();
  world.step(0.95);
  EXPECT_GT(std::abs(world.pose(id).position.x + 0.1), 1e-3);
}

// Balls poured into a box, some of them begun inside each other: every step ends within the limit
// of impacts, and after a second nobody is deep in anybody.
TEST(RigidImpacts, rigid_A11_a_crowd_ends_every_step) {
  WorldDef def = ordered_world({0, -9.8, 0});
  World world(def);
  world.add_body(wall(HalfSpace{}, {}, {}, 0.5)).value();
  for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}})
    world.add_body(wall(HalfSpace{}, n * -0.35, facing(n), 0.5)).value();
  int added = 0;
  for (int layer = 0; layer < 5; ++layer)
    for (int i = -2; i <= 2; ++i)
      for (int j = -2; j <= 2; ++j, ++added) {
        // Each second layer is 3 cm, half a ball, into the one below.
        const double y = 0.05 + 0.13 * layer - (layer % 2 == 1 ? 0.06 : 0);
        world.add_body(marble(0.05, 0.5, {0.13 * i + 0.002 * layer, y, 0.13 * j}, {}, 0.5)).value();
      }
  int most = 0, cut = 0;
  for (int n = 0; n < 240; ++n) {
    const StepReport report = world.step(k_step);
    ASSERT_TRUE(report.ok());
    most = std::max(most, report.impacts);
    cut += report.cut_off;
  }
  // One piece may follow each impact.
  EXPECT_LE(most, 10 * def.max_impacts);
  EXPECT_EQ(cut, 0);
  EXPECT_LT(world.measurements().penetration_max, 0.005);
  RecordProperty("impacts", most);
}

// A limit of one: the rest of the substep goes the normal way, and the step says so.
TEST(RigidImpacts, rigid_A11_the_limit_of_impacts_is_reported) {
  WorldDef def = ordered_world();
  def.max_impacts = 1;
  World world(def);
  world.add_body(wall(Rectangle{1, 1}, {0.5, 0, 0}, facing({-1, 0, 0}), 1)).value();
  world.add_body(wall(Rectangle{1, 1}, {-0.5, 0, 0}, facing({1, 0, 0}), 1)).value();
  const BodyId id = world.add_body(marble(0.1, 1, {}, {10, 0, 0})).value();
  EXPECT_GT(world.step(0.95).cut_off, 0);
  EXPECT_LT(std::abs(world.pose(id).position.x), 0.41);
}

// Balls on rigid threads of 1 m that touch; `count` of them begin at 45 degrees.
struct Cradle {
  World world;
  std::vector<BodyId> balls;
  explicit Cradle(int count, int total = 5) : world(ordered_world({0, -k_g, 0})) {
    const double r = 0.05, angle = k_pi / 4;
    for (int n = 0; n < total; ++n) {
      const double x = 2 * r * n;
      const bool raised = n < count;
      const Vec3 place = raised ? Vec3{x - std::sin(angle), -std::cos(angle), 0} : Vec3{x, -1, 0};
      balls.push_back(world.add_body(marble(r, 0.5, place, {})).value());
      JointDef thread;
      thread.kind = JointKind::distance;
      thread.a = WorldPoint{{x, 0, 0}};
      thread.b = BodyPoint{balls.back(), {}};
      world.add_joint(thread).value();
    }
  }
  double angle(std::size_t n) const {
    const Vec3 p = world.pose(balls[n]).position;
    return std::atan2(p.x - 0.1 * double(n), -p.y);
  }
};

// n in, n out: half a period after the start as many balls stand at 45 degrees on the other side,
// and the others hang.
TEST(RigidImpacts, cradle_gives_on_as_many_as_it_gets) {
  for (int count = 1; count <= 4; ++count) {
    Cradle cradle(count);
    const double period = 2.0863;  // s, of a pendulum of 1 m from 45 degrees: 4 K(sin 22.5) / w
    run(cradle.world, period / 2);
    for (std::size_t n = 0; n < 5; ++n) {
      const bool out = n >= std::size_t(5 - count);
      EXPECT_NEAR(cradle.angle(n), out ? k_pi / 4 : 0, 0.01) << count << " of 5, ball " << n;
    }
  }
}

// What a step keeps is the energy less half a kick of gravity, m g v h / 2 (a ball on a thread
// moves with the velocity that it has after the kick). It is compared over each step with a blow.
TEST(RigidImpacts, cradle_keeps_its_period_and_energy) {
  Cradle cradle(1);
  const double scale = 0.5 * k_g * (1 - std::cos(k_pi / 4));  // J, that move
  const auto kept = [&] {
    return energy(cradle.world) -
           0.5 * (k_step / k_fine) * k_g * cradle.world.measurements().momentum.y;
  };
  std::vector<double> hits;
  double last = 0, worst = 0;
  for (int n = 0; n < 240 * 5; ++n) {
    cradle.world.step(k_step);
    const std::vector<Event> found = impacts(cradle.world);
    const double now = kept();
    if (!found.empty()) {
      hits.push_back(found[0].time);
      worst = std::max(worst, std::abs(now - last) / scale / double(found.size()));
    }
    last = now;
  }
  ASSERT_GE(hits.size(), 4u);
  for (std::size_t n = 2; n < hits.size(); ++n)
    EXPECT_NEAR(hits[n] - hits[n - 2], 2.0863, 0.005 * 2.0863);
  std::printf("energy lost or gained by an impact: %.2e of what moves\n", worst);
  // In float the roundings of ten substeps.
  EXPECT_LT(worst, k_double ? 1e-6 : 1e-5);
}

}  // namespace
}  // namespace pliant
