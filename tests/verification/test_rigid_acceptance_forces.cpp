// Forces on rigid bodies against closed forms: flight, drag, orbits, explosions (ACCEPTANCE 1 to 4
// of the rigid specification), magnets and vortices. Steps of 1/240 s with ten substeps.
#include <gtest/gtest.h>
#include <pliant/world.h>

#include <array>
#include <cmath>
#include <limits>

using namespace pliant;

namespace {

constexpr double k_step = 1.0 / 240;
constexpr double k_pi = 3.14159265358979323846;

World empty_space(int substeps = 10) { return World({.gravity = {}, .substeps = substeps}); }

double energy(const World& world) {
  return world.measurements().kinetic_energy + world.measurements().potential_energy;
}

struct Flight {
  double range = 0, apex = 0, time = 0;
};
Flight throw_ball(double mass) {
  World world({.gravity = {0, -9.8, 0}, .substeps = 10});
  const double v = 10 / std::sqrt(2.0);
  const BodyId ball =
      world.add_body({.shape = Sphere{0.1}, .velocity = {v, v, 0}, .mass = mass}).value();
  Flight out;
  Vec3 before;
  while (true) {
    world.step(k_step);
    const Vec3 at = world.pose(ball).position;
    out.apex = std::max(out.apex, at.y);
    if (at.y < 0) {
      const double share = before.y / (before.y - at.y);
      out.range = before.x + share * (at.x - before.x);
      out.time = world.time() - (1 - share) * k_step;
      return out;
    }
    before = at;
  }
}

}  // namespace

TEST(Acceptance, rigid_A01_projectile) {
  // v^2 / g, v^2 / (4 g), sqrt(2) v / g.
  for (const double mass : {1.0, 100.0}) {
    const Flight flight = throw_ball(mass);
    EXPECT_NEAR(flight.range, 10.2041, 1e-3) << mass;
    EXPECT_NEAR(flight.apex, 2.5510, 1e-3) << mass;
    EXPECT_NEAR(flight.time, 1.44308, 1e-3) << mass;
  }
}

namespace {

constexpr Drag k_air{.density = 1.276, .coefficient = 0.5};

BodyId light_ball(World& world, const Vec3& velocity) {
  return world.add_body({.shape = Sphere{0.1}, .velocity = velocity, .mass = 0.1}).value();
}

}  // namespace

TEST(Acceptance, rigid_A02_drag_against_closed_forms) {
  World level = empty_space();
  ASSERT_TRUE(level.add_field(FieldDef{.kind = k_air}).ok());
  const BodyId thrown = light_ball(level, {20, 0, 0});
  for (int n = 0; n < 480; ++n) level.step(k_step);
  EXPECT_NEAR(level.velocity(thrown).x, 3.9931, 0.005 * 3.9931);  // v0 / (1 + k v0 t / m)
  EXPECT_NEAR(level.pose(thrown).position.x, 16.077, 0.005 * 16.077);

  World falling({.gravity = {0, -9.8, 0}, .substeps = 10});
  ASSERT_TRUE(falling.add_field(FieldDef{.kind = k_air}).ok());
  const BodyId dropped = light_ball(falling, {});
  for (int n = 0; n < 720; ++n) falling.step(k_step);
  EXPECT_NEAR(-falling.velocity(dropped).y, 9.8372, 0.005 * 9.8372);  // v_t tanh(g t / v_t)
  EXPECT_NEAR(-falling.pose(dropped).position.y, 22.776, 0.005 * 22.776);
  for (int n = 0; n < 2400; ++n) falling.step(k_step);
  EXPECT_NEAR(-falling.velocity(dropped).y, 9.8888, 0.005 * 9.8888);  // sqrt(2 m g / (C rho S))
}

TEST(Acceptance, rigid_A02_long_steps_never_reverse_a_velocity) {
  for (const double density : {1.276, 1000.0, 20000.0}) {
    World world({.gravity = {}, .substeps = 1, .sleep = false});
    ASSERT_TRUE(world.add_field(FieldDef{.kind = Drag{.density = density}}).ok());
    const BodyId ball = light_ball(world, {20, 0, 0});
    double before = 20;
    for (int n = 0; n < 10; ++n) {
      world.step(1.0);
      EXPECT_GT(world.velocity(ball).x, 0) << density;
      EXPECT_LT(world.velocity(ball).x, before) << density;
      before = world.velocity(ball).x;
    }
    // As an explicit force it would: v - 1/2 C rho S v^2 / m.
    EXPECT_LT(20 - 0.5 * 0.5 * density * k_pi * 0.01 * 400 / 0.1, 0) << density;
  }
}

TEST(Acceptance, rigid_A02_drag_carries_to_the_speed_of_the_medium) {
  World world = empty_space();
  ASSERT_TRUE(world.add_field(FieldDef{.kind = Drag{.density = 1000, .velocity = {0, 3, 0}}}).ok());
  const BodyId ball = light_ball(world, {});
  for (int n = 0; n < 240; ++n) world.step(k_step);
  const double k = 0.5 * 0.5 * 1000 * k_pi * 0.01 / 0.1;  // 1/m
  EXPECT_NEAR(world.velocity(ball).y, 3 - 3 / (1 + k * 3), 1e-4);
  EXPECT_LE(world.velocity(ball).y, 3);
}

namespace {

// The scheme that moves with forces of the beginning of each step: what these tests would find.
double energy_gain_of_frozen_forces(double h, double seconds) {
  Vec3 x{2, 0, 0}, v{0, 5, 0};
  const auto energy_of = [&] { return 0.5 * length_sq(v) - 50 / length(x); };
  const double begin = energy_of();
  for (int n = 0; n < int(seconds / h); ++n) {
    const double r = length(x);
    const Vec3 a = x * (-50 / (r * r * r));
    x += v * h + a * (h * h / 2);
    v += a * h;
  }
  return (energy_of() - begin) / std::abs(begin);
}

FieldDef sun() { return {.kind = PointGravity{.strength = 50, .softening = 0}}; }

}  // namespace

TEST(Acceptance, rigid_A03_circular_orbit) {
  constexpr double k_period = 2 * k_pi * 2 / 5;
  World world = empty_space();
  ASSERT_TRUE(world.add_field(sun()).ok());
  const BodyId planet =
      world.add_body({.shape = Sphere{0.1}, .position = {2, 0, 0}, .velocity = {0, 5, 0}}).value();
  world.step(1e-9);  // so that there is something to measure
  const double begin = energy(world);
  double returned = 0;  // when it last came through its beginning
  int turns = 0;
  Vec3 before = world.pose(planet).position;
  while (world.time() < 10 * k_period + 0.1) {
    world.step(k_step);
    const Vec3 at = world.pose(planet).position;
    ASSERT_NEAR(length(at), 2, 0.002) << world.time();
    ASSERT_NEAR(energy(world), begin, 0.001 * std::abs(begin)) << world.time();
    if (before.y < 0 && at.y >= 0) {
      returned = world.time() - k_step * at.y / (at.y - before.y);
      ++turns;
    }
    before = at;
  }
  EXPECT_EQ(turns, 10);
  EXPECT_NEAR(returned / turns, k_period, 0.001 * k_period);
  EXPECT_GT(energy_gain_of_frozen_forces(k_step / 10, 10 * k_period), 0.01);
}

TEST(Acceptance, rigid_A03_elliptic_orbit) {
  World world = empty_space();
  ASSERT_TRUE(world.add_field(sun()).ok());
  const BodyId planet =
      world.add_body({.shape = Sphere{0.1}, .position = {2, 0, 0}, .velocity = {0, 4, 0}}).value();
  double nearest = 2, rising = 0, apogee = 0;  // rate of the distance, of the step before
  int turns = 0;
  for (int n = 0; n < 4000 && turns < 5; ++n) {
    world.step(k_step);
    const Vec3 at = world.pose(planet).position;
    const double rate = dot(at, world.velocity(planet)) / length(at);
    nearest = std::min(nearest, length(at));
    if (rising > 0 && rate <= 0) {
      apogee = world.time() - k_step * rate / (rate - rising);
      ++turns;
      EXPECT_NEAR(length(at), 2, 0.02);
    }
    rising = rate;
  }
  EXPECT_EQ(turns, 5);
  EXPECT_NEAR(apogee / turns, 1.5846, 0.01 * 1.5846);  // 2 pi sqrt(a^3 / G), a = 1.4706
  EXPECT_NEAR(nearest, 0.9412, 0.01 * 0.9412);
}

TEST(Acceptance, rigid_A03_orbit_of_a_field_of_the_user) {
  struct Sun final : ForceField {
    Vec3 force(const FieldSample& s) const override {
      const double r = length(s.position);
      return s.position * (-50 * s.mass / (r * r * r));
    }
    double energy(const FieldSample& s) const override { return -50 * s.mass / length(s.position); }
  };
  World world = empty_space();
  world.add_field(std::make_shared<Sun>());
  const BodyId planet =
      world.add_body({.shape = Sphere{0.1}, .position = {2, 0, 0}, .velocity = {0, 5, 0}}).value();
  world.step(1e-9);
  const double begin = energy(world);
  for (int n = 0; n < 6000; ++n) world.step(k_step);
  EXPECT_NEAR(length(world.pose(planet).position), 2, 0.002);
  EXPECT_NEAR(energy(world), begin, 0.001 * std::abs(begin));
}

namespace {

// The speed at the end of a push from rest at a distance, by fine steps.
double pushed_speed(double distance, double strength, double seconds) {
  double x = distance, v = 0;
  constexpr int k_parts = 200000;
  const double h = seconds / k_parts;
  for (int n = 0; n < k_parts; ++n) {
    const double middle = x + v * h / 2;
    const double a = strength / (middle * middle);
    x += (v + a * h / 2) * h;
    v += a * h;
  }
  return v;
}

// Speeds of bodies at 2 m and 4 m, with masses 1 and 10, and one at the centre.
std::array<double, 5> explode(double duration, double dt, int substeps) {
  World world = empty_space(substeps);
  std::array<BodyId, 5> body;
  const Vec3 places[] = {{2, 0, 0}, {-2, 0, 0}, {0, 4, 0}, {0, -4, 0}, {}};
  for (std::size_t n = 0; n < 5; ++n)
    body[n] =
        world
            .add_body(
                {.shape = Sphere{0.1}, .position = places[n], .mass = n % 2 == 0 ? 1.0 : 10.0})
            .value();
  const auto add = world.add_field(
      FieldDef{.kind = Explosion{.strength = 500}, .begin = 0.02, .duration = duration});
  EXPECT_TRUE(add.ok());
  for (int n = 0; n < int(0.15 / dt); ++n) world.step(dt);
  std::array<double, 5> speed;
  for (std::size_t n = 0; n < 5; ++n) speed[n] = length(world.velocity(body[n]));
  for (int n = 0; n < 20; ++n) world.step(dt);
  for (std::size_t n = 0; n < 5; ++n)  // it is over
    EXPECT_EQ(length(world.velocity(body[n])), speed[n]) << n;
  return speed;
}

}  // namespace

TEST(Acceptance, rigid_A04_explosion) {
  const std::array<double, 5> speed = explode(0.05, k_step, 10);
  EXPECT_NEAR(speed[0], 5.950, 0.02 * 5.950);
  EXPECT_NEAR(speed[2], 1.552, 0.02 * 1.552);
  EXPECT_NEAR(speed[1], speed[0], 1e-5);
  EXPECT_NEAR(speed[3], speed[2], 1e-5);
  EXPECT_TRUE(std::isfinite(speed[4]));
  EXPECT_EQ(speed[4], 0);  // nothing says where to
}

TEST(Acceptance, rigid_A04_durations_that_are_no_whole_number_of_substeps) {
  for (const double duration : {0.0101, 0.0333, 0.05}) {
    const double far = pushed_speed(4, 500, duration);
    for (const double dt : {1.0 / 240, 1.0 / 60})
      EXPECT_NEAR(explode(duration, dt, 3)[2], far, 0.01 * far) << duration << " " << dt;
  }
}

TEST(Fields, LiveAndDieAndWakeWhatSleeps) {
  World world({.substeps = 10});
  const BodyId floor = world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  const BodyId box =
      world.add_body({.shape = Box{{0.1, 0.1, 0.1}}, .position = {0, 0.1, 0}}).value();
  for (int n = 0; n < 480; ++n) world.step(k_step);
  ASSERT_TRUE(world.asleep(box));
  FieldDef lift{.name = "lift", .kind = UniformGravity{{0, 20, 0}}};
  const FieldId id = world.add_field(lift).value();
  EXPECT_TRUE(world.valid(id));
  for (int n = 0; n < 24; ++n) world.step(k_step);
  EXPECT_NEAR(world.velocity(box).y, (20 - 9.81) * 0.1, 0.02);
  lift.kind = UniformGravity{{0, 9.81, 0}};
  ASSERT_TRUE(world.change(id, lift).ok());
  EXPECT_EQ(std::get<UniformGravity>(world.describe(id).kind).acceleration.y, 9.81);
  const double speed = world.velocity(box).y;
  for (int n = 0; n < 24; ++n) world.step(k_step);
  EXPECT_NEAR(world.velocity(box).y, speed, 1e-4);
  lift.duration = -1;
  const Status bad = world.change(id, lift);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().place, "duration");
  EXPECT_EQ(world.describe(id).duration, 0);
  EXPECT_EQ(world.fields().size(), 1u);
  world.remove(id);
  EXPECT_FALSE(world.valid(id));
  EXPECT_TRUE(world.fields().empty());
  for (int n = 0; n < 1200; ++n) world.step(k_step);
  EXPECT_TRUE(world.asleep(box));
  // One that begins later wakes it when it begins.
  ASSERT_TRUE(
      world
          .add_field(FieldDef{
              .kind = UniformGravity{{0, 20, 0}}, .begin = world.time() + 2, .duration = 0.1})
          .ok());
  for (int n = 0; n < 470; ++n) world.step(k_step);
  EXPECT_TRUE(world.asleep(box));
  for (int n = 0; n < 30; ++n) world.step(k_step);
  EXPECT_FALSE(world.asleep(box));
  EXPECT_GT(world.velocity(box).y, 0.3);
  EXPECT_FALSE(world.asleep(floor));
}

TEST(Fields, MagnetsAskForTheMaterialAndRangesEnd) {
  World world = empty_space();
  const auto ball = [&](double x, const char* material) {
    return world.add_body({.shape = Sphere{0.1}, .position = {x, 0, 0}, .material = material})
        .value();
  };
  const BodyId iron = ball(2, "iron"), wood = ball(-2, "wood"), far = ball(5, "iron");
  ASSERT_TRUE(
      world.add_field(FieldDef{.kind = Magnet{.strength = 4, .softening = 0}, .range = 4}).ok());
  for (int n = 0; n < 24; ++n) world.step(k_step);
  EXPECT_NEAR(world.velocity(iron).x, -0.1, 0.001);  // 4 / 2^2 for 0.1 s
  EXPECT_EQ(world.velocity(wood), Vec3{});
  EXPECT_EQ(world.velocity(far), Vec3{});
  // Kinetic and potential energy of the iron ball alone: 4 (1/2 - 1/4) m above that at the range.
  const double mass = world.mass(iron);
  EXPECT_NEAR(energy(world), -mass * 4 * (0.5 - 0.25), 1e-5 * mass);
}

TEST(Fields, VorticesCarryRoundTheAxisAndNeverOvershoot) {
  World world = empty_space(1);
  ASSERT_TRUE(world
                  .add_field(FieldDef{
                      .kind = Vortex{.axis = {0, 2, 0}, .speed = 3, .radius = 2, .rate = 1e4}})
                  .ok());
  const auto at = [&](double x) {
    return world.add_body({.shape = Sphere{0.1}, .position = {x, 0, 0}}).value();
  };
  const BodyId core = at(1), rim = at(2), outside = at(4);
  world.step(1e-3);
  // Axis y turns x to -z. Of the speed 10 / 11 are reached in one substep of 1 ms.
  EXPECT_NEAR(world.velocity(core).z, -1.5 * 10 / 11, 1e-3);
  EXPECT_NEAR(world.velocity(rim).z, -3.0 * 10 / 11, 1e-3);
  EXPECT_NEAR(world.velocity(outside).z, -1.5 * 10 / 11, 1e-3);
  World slow = empty_space(1);
  ASSERT_TRUE(slow.add_field(FieldDef{.kind = Vortex{.rate = 1}}).ok());
  const BodyId one = slow.add_body({.shape = Sphere{0.1}, .position = {1, 0, 0}}).value();
  slow.step(1e3);
  EXPECT_LE(length(slow.velocity(one)), 1.0);
  EXPECT_GE(length(slow.velocity(one)), 0.99);
}

TEST(Fields, ActOnClothToo) {
  World world = empty_space();
  ClothDef def{.mesh = make_grid(2, 2, 0.2, 0.2), .linear_drag = 0};
  const ClothId cloth = world.add_cloth(def).value();
  ASSERT_TRUE(world.add_field(FieldDef{.kind = UniformGravity{{0, -2, 0}}}).ok());
  ASSERT_TRUE(
      world.add_field(FieldDef{.kind = Magnet{.position = {5, 0, 0}, .strength = 1e3}}).ok());
  for (int n = 0; n < 240; ++n) world.step(k_step);
  std::vector<Vec3> velocities;
  world.copy_velocities(cloth, velocities);
  for (const Vec3& v : velocities) {
    EXPECT_NEAR(v.y, -2, 2e-3);
    EXPECT_NEAR(v.x, 0, 1e-4);  // a cloth is of no material
  }
}

TEST(Fields, BadOnesAreRefusedByName) {
  World world;
  const auto place = [&](const FieldDef& def) {
    const auto added = world.add_field(def);
    return added.ok() ? std::string("accepted") : added.error().place;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(place({.kind = PointGravity{.strength = nan}}), "kind.point_gravity.strength");
  EXPECT_EQ(place({.kind = PointGravity{.softening = -1}}), "kind.point_gravity.softening");
  EXPECT_EQ(place({.kind = Vortex{.axis = {}}}), "kind.vortex.axis");
  EXPECT_EQ(place({.kind = Vortex{.radius = 0}}), "kind.vortex.radius");
  EXPECT_EQ(place({.kind = Drag{}, .range = 1}), "range");
  EXPECT_EQ(place({.kind = Magnet{}, .range = 1}), "accepted");
}
