// Resting contact: slopes, stacks, loads; with negative controls that switch a feature off.
#include <gtest/gtest.h>

#include "rigid_loop.h"

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 240;
constexpr int k_substeps = 10;
constexpr double k_g = 9.81;

void add_floor(RigidLoop& loop, const Quat& rotation = {}) {
  loop.add({.motion = Motion::fixed, .shape = HalfSpace{}, .rotation = rotation});
}

// A box of half side 0.25 lying on a plane inclined by the angle; returns its place along it.
struct Slope {
  RigidLoop loop;
  std::int32_t box = 0;
  Vec3 down;
  explicit Slope(double degrees, double friction = 0.5) {
    const double a = degrees * M_PI / 180;
    const Quat tilt{0, 0, std::sin(a / 2), std::cos(a / 2)};
    const Surface surface{friction, friction, 0};
    loop.add({.motion = Motion::fixed, .shape = HalfSpace{}, .rotation = tilt, .surface = surface});
    box = loop.add({.shape = Box{{0.25, 0.25, 0.25}},
                    .position = rotate(tilt, Vec3{0, 0.25, 0}),
                    .rotation = tilt,
                    .surface = surface});
    down = rotate(tilt, Vec3{-1, 0, 0});
  }
  double along() const { return dot(loop.bodies.position[box], down); }
};

TEST(rigid_A17, box_holds_at_25_degrees) {
  Slope s(25);
  const Vec3 start = s.loop.bodies.position[s.box];
  s.loop.run(10, k_dt, k_substeps);
  EXPECT_LT(length(s.loop.bodies.position[s.box] - start), 1e-3);
}

TEST(rigid_A17, box_slides_at_30_degrees) {
  Slope s(30);
  s.loop.run(0.5, k_dt, k_substeps);
  const double v0 = dot(s.loop.velocity(s.box), s.down);
  s.loop.run(2, k_dt, k_substeps);
  const double a = (dot(s.loop.velocity(s.box), s.down) - v0) / 2;
  EXPECT_NEAR(a / 0.657, 1, 0.02);
}

TEST(rigid_A17, negative_control_without_friction_25_degrees_slides) {
  Slope s(25, 0);
  s.loop.run(1, k_dt, k_substeps);
  EXPECT_NEAR(s.along(), 0.5 * k_g * std::sin(25 * M_PI / 180), 0.02);
}

TEST(rigid_A17, static_friction_holds_what_kinetic_would_not) {
  Slope hold(25);
  for (Surface& s : hold.loop.bodies.surface) s = {0.6, 0.3, 0};
  hold.loop.run(3, k_dt, k_substeps);
  EXPECT_LT(std::fabs(hold.along()), 1e-3);
  // Once moving fast it goes on with the kinetic coefficient.
  Slope slide(25);
  for (Surface& s : slide.loop.bodies.surface) s = {0.6, 0.3, 0};
  const Vec3R v = cast<Real>(slide.down);
  slide.loop.bodies.motion[slide.box].velocity.x = v.x;
  slide.loop.bodies.motion[slide.box].velocity.y = v.y;
  slide.loop.run(1, k_dt, k_substeps);
  const double a = 25 * M_PI / 180;
  EXPECT_NEAR(dot(slide.loop.velocity(slide.box), slide.down) - 1,
              k_g * (std::sin(a) - 0.3 * std::cos(a)), 0.05);
}

std::vector<Vec3> add_tower(RigidLoop& loop, int boxes) {
  std::vector<Vec3> start;
  for (int i = 0; i < boxes; ++i) {
    loop.add({.shape = Box{}, .position = {0, 0.5 + i, 0}});
    start.push_back(loop.bodies.position.back());
  }
  return start;
}
std::vector<Vec3> add_pyramid(RigidLoop& loop, int base) {
  std::vector<Vec3> start;
  for (int row = 0; row < base; ++row)
    for (int i = 0; i < base - row; ++i) {
      loop.add({.shape = Box{}, .position = {i * 1.02 + row * 0.51, 0.5 + row, 0}});
      start.push_back(loop.bodies.position.back());
    }
  return start;
}
double worst_drift(const RigidLoop& loop, const std::vector<Vec3>& start) {
  double d = 0;
  for (std::size_t i = 0; i < start.size(); ++i)
    d = std::fmax(d, length(loop.bodies.position[i + 1] - start[i]));
  return d;
}
double weight_of_all(const RigidLoop& loop) {
  double m = 0;
  for (const BodyMass& b : loop.bodies.mass) m += b.mass;
  return m * k_g;
}
double fastest(const RigidLoop& loop) {
  double v = 0;
  for (std::int32_t i = 0; i < loop.bodies.size(); ++i)
    v = std::fmax(v, length(loop.velocity(i)) + length(loop.spin(i)));
  return v;
}

// m/s: what WorldDef lets fall asleep, 2 mm in half a second.
constexpr double k_asleep = 4e-3;

TEST(rigid_A18, tower_of_10_stands) {
  RigidLoop loop;
  add_floor(loop);
  const auto start = add_tower(loop, 10);
  loop.run(10, k_dt, k_substeps);
  EXPECT_LT(worst_drift(loop, start), 0.01);
  EXPECT_LT(fastest(loop), k_asleep);
  EXPECT_NEAR(-loop.contact_force(0, k_dt).y / weight_of_all(loop), 1, 0.01);
}

TEST(rigid_A18, pyramid_of_55_stands) {
  RigidLoop loop;
  add_floor(loop);
  const auto start = add_pyramid(loop, 10);
  ASSERT_EQ(start.size(), 55u);
  loop.run(10, k_dt, k_substeps);
  EXPECT_LT(worst_drift(loop, start), 0.01);
  EXPECT_NEAR(-loop.contact_force(0, k_dt).y / weight_of_all(loop), 1, 0.01);
}

TEST(rigid_A18, heavy_on_light_sinks_less_than_one_percent) {
  RigidLoop loop;
  add_floor(loop);
  const auto light = loop.add({.shape = Box{}, .position = {0, 0.5, 0}, .mass = 1});
  const auto heavy = loop.add({.shape = Box{}, .position = {0, 1.5, 0}, .mass = 100});
  loop.run(10, k_dt, k_substeps);
  EXPECT_NEAR(loop.bodies.position[light].y, 0.5, 0.01);
  EXPECT_NEAR(loop.bodies.position[heavy].y, 1.5, 0.01);
  EXPECT_LT(fastest(loop), k_asleep);
  EXPECT_NEAR(-loop.contact_force(0, k_dt).y / (101 * k_g), 1, 0.01);
}

TEST(rigid_A18, negative_control_a_soft_frequency_lets_the_load_sink) {
  RigidLoop loop;
  loop.settings.frequency = Real(0.125 / 100);  // 3 Hz instead of 300
  add_floor(loop);
  loop.add({.shape = Box{}, .position = {0, 0.5, 0}, .mass = 1});
  const auto heavy = loop.add({.shape = Box{}, .position = {0, 1.5, 0}, .mass = 100});
  loop.run(3, k_dt, k_substeps);
  EXPECT_LT(loop.bodies.position[heavy].y, 1.49);
}

TEST(rigid_A18, negative_control_without_warm_start_the_tower_sags) {
  RigidLoop warm, cold;
  cold.warm_start = false;
  for (RigidLoop* loop : {&warm, &cold}) {
    add_floor(*loop);
    const auto start = add_tower(*loop, 10);
    loop->run(2, 1.0 / 60, 4);
  }
  EXPECT_LT(warm.deepest(), 0.006);
  EXPECT_GT(cold.deepest(), 2 * warm.deepest());
}

TEST(rigid_push, removing_an_overlap_adds_no_energy) {
  // Two boxes start 0.3 m inside each other: they part no faster than the push speed and stop.
  for (bool relax : {true, false}) {
    RigidLoop loop;
    loop.relax = relax;
    loop.def.gravity = {};
    loop.def.push_speed = 1;
    const auto a = loop.add({.shape = Box{}, .position = {0, 0, 0}});
    const auto b = loop.add({.shape = Box{}, .position = {0.7, 0, 0}});
    double fastest_parting = 0;
    double gap = 0.7;
    for (int i = 0; i < 480; ++i) {
      loop.step(k_dt, k_substeps);
      const double now = loop.bodies.position[b].x - loop.bodies.position[a].x;
      fastest_parting = std::fmax(fastest_parting, (now - gap) / k_dt);
      gap = now;
    }
    if (relax) {
      EXPECT_LT(fastest_parting, 1.01);
      // What one sweep over four points leaves: a tenth of the push speed at most.
      EXPECT_NEAR(gap, 1.0, 0.15);
      EXPECT_LT(fastest(loop), 0.1);
    } else {
      EXPECT_GT(gap, 1.5);  // negative control: the push has become velocity
    }
  }
}

TEST(rigid_loop, same_bits_for_any_number_of_threads) {
  std::vector<std::vector<Vec3>> results;
  for (int threads : {1, 2, 3}) {
    const auto pool = make_task_pool(threads);
    RigidLoop loop;
    loop.pool = threads > 1 ? pool.get() : nullptr;
    add_floor(loop);
    add_pyramid(loop, 8);
    loop.add({.shape = Sphere{0.4}, .position = {3, 8, 0.1}, .velocity = {0, -10, 0}});
    loop.run(0.5, 1.0 / 60, 4);
    results.push_back(loop.bodies.position);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(rigid_loop, a_distant_body_changes_no_bit) {
  std::vector<Vec3> results[2];
  for (int with : {0, 1}) {
    RigidLoop loop;
    add_floor(loop);
    add_pyramid(loop, 6);
    if (with) {
      loop.add({.shape = Box{{3, 3, 3}}, .position = {500, 3, 0}, .velocity = {0, 0, 30}});
      loop.add({.shape = Box{{40, 1, 3}}, .position = {500, 9, 0}});
    }
    loop.run(0.5, 1.0 / 60, 4);
    results[with].assign(loop.bodies.position.begin(), loop.bodies.position.begin() + 22);
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace pliant
