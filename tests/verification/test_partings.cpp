// Solids that begin in each other, under contact by position: they come apart without being thrown
// or crushed, and then meet as others do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/real.h>
#include <pliant/world.h>

#include "random_points.h"

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60;
constexpr SolidModel k_models[] = {SolidModel::xpbd, SolidModel::fem, SolidModel::explicit_fem,
                                   SolidModel::shape_matching};

SolidDef cube(int n, double cell, const Vec3& at, SolidModel model = SolidModel::xpbd) {
  SolidDef def;
  def.tets = make_lattice(n, n, n, cell);
  def.model = model;
  def.position = at;
  def.youngs_modulus = 1e5;
  def.linear_drag = 0;
  return def;
}

World floating() {
  WorldDef def;
  def.gravity = {};
  return World(def);
}

double fastest(const World& world) {
  double most = 0;
  std::vector<Vec3> v;
  for (const SolidId id : world.solids()) {
    world.copy_velocities(id, v);
    for (const Vec3& u : v) most = std::max(most, length(u));
  }
  return most;
}

// Steps until they are free, at most as many as `most`.
int steps_to_part(World& world, int most, double* speed = nullptr) {
  for (int n = 1; n <= most; ++n) {
    if (world.step(k_dt).parting == 0) return n;
    if (speed != nullptr) *speed = std::max(*speed, fastest(world));
  }
  return most + 1;
}

Vec3 middle_of(const World& world) {
  Vec3 sum;
  double mass = 0;
  std::vector<Vec3> x;
  for (const SolidId id : world.solids()) {
    world.copy_positions(id, x);
    for (const Vec3& p : x) sum += world.mass(id) / double(x.size()) * p;
    mass += world.mass(id);
  }
  return sum / mass;
}

// The push speed is 1 m/s, and 0.8 m the furthest that they have to go. Nothing is thrown: what
// particles gain is of the order of the push speed.
TEST(Partings, half_in_each_other_in_the_same_place_and_inside) {
  for (const SolidModel model : k_models)
    for (const Vec3& at : {Vec3{0.43, 0.01, 0.05}, Vec3{0.013, 0.05, 0.02}, Vec3{}}) {
      World world = floating();
      const SolidId a = world.add_solid(cube(4, 0.2, {}, model)).value();
      const SolidId b = world.add_solid(cube(4, 0.2, at, model)).value();
      double speed = 0;
      EXPECT_LE(steps_to_part(world, 90, &speed), 90) << int(model) << " " << at.x;
      EXPECT_LT(speed, 1.5) << int(model) << " " << at.x;
      EXPECT_TRUE(world.overlapping_solids().empty()) << int(model) << " " << at.x;
      for (const SolidId id : {a, b})
        EXPECT_NEAR(world.volume(id) / world.rest_volume(id), 1, 0.02) << int(model);
    }
}

// Parting is no motion: the common centre stays, and nothing has got momentum.
TEST(Partings, keep_the_centre_of_mass_and_the_momentum) {
  World world = floating();
  (void)world.add_solid(cube(4, 0.2, {})).value();
  SolidDef light = cube(3, 0.2, {0.45, 0.1, 0.07});
  light.density = 300;
  (void)world.add_solid(light).value();
  const Vec3 before = middle_of(world);
  double mass = 0;
  for (const SolidId id : world.solids()) mass += world.mass(id);
  std::vector<Vec3> x, moved;
  world.copy_positions(world.solids()[1], x);
  EXPECT_EQ(world.step(k_dt).parting, 1);
  world.copy_positions(world.solids()[1], moved);
  EXPECT_GT(length(moved[0] - x[0]), 0.01);
  EXPECT_LT(length(middle_of(world) - before), 1e-4);
  EXPECT_LT(length(world.measurements().momentum), mass * (sizeof(Real) == 8 ? 1e-12 : 1e-5));
}

// Of a solid made from a surface its lattice is larger, and overlaps what the surface does not.
TEST(Partings, lattices_around_surfaces_that_are_apart_are_left_alone) {
  for (const double at : {0.82, 0.6}) {
    World world = floating();
    SolidDef ball;
    ball.mesh = make_sphere(0.4, 2);
    ball.cells = 8;
    (void)world.add_solid(ball).value();
    ball.position = {at, 0.02, 0.01};
    const SolidId id = world.add_solid(ball).value();
    const bool in_each_other = at < 0.8;
    EXPECT_EQ(world.overlapping_solids().size(), in_each_other ? 1u : 0u);
    EXPECT_EQ(world.step(k_dt).parting, in_each_other ? 1 : 0);
    if (in_each_other) {
      EXPECT_LE(steps_to_part(world, 60), 60);
    } else {
      for (int n = 0; n < 10; ++n) EXPECT_EQ(world.step(k_dt).parting, 0);
      std::vector<Vec3> v;
      world.copy_velocities(id, v);
      for (const Vec3& u : v) EXPECT_LT(length(u), 1e-3);
    }
  }
}

// What lies on each other is let go and comes to rest.
TEST(Partings, a_stack_that_begins_in_itself_sleeps) {
  World world;
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
  SolidDef solid = cube(3, 0.2, {0, 0.301, 0});
  solid.linear_drag = 2;
  solid.youngs_modulus = 2e5;
  (void)world.add_solid(solid).value();
  solid.position = {0.03, 0.801, 0.02};
  (void)world.add_solid(solid).value();
  EXPECT_LE(steps_to_part(world, 60), 60);
  int steps = 0;
  while (world.measurements().asleep < 2 && steps++ < 600)
    EXPECT_EQ(world.step(k_dt).parting, 0) << steps;
  EXPECT_EQ(world.measurements().asleep, 2);
  for (const SolidOverlap& overlap : world.overlapping_solids())
    EXPECT_LT(overlap.depth, 0.1 * 0.2);
}

// All at once: each is in several others, turned any way, and falls on the floor meanwhile.
TEST(Partings, a_heap_of_cubes_in_each_other) {
  World world;
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
  test::Random random(4);
  for (int n = 0; n < 12; ++n) {
    SolidDef solid = cube(3, 0.2, Vec3{0, 1.5, 0} + random.point(0.7));
    solid.rotation = random.rotation();
    solid.youngs_modulus = 2e5;
    (void)world.add_solid(solid).value();
  }
  EXPECT_GT(world.overlapping_solids().size(), 12u);
  for (int n = 0; n < 180; ++n) world.step(k_dt);
  EXPECT_EQ(world.step(k_dt).parting, 0);
  for (const SolidOverlap& overlap : world.overlapping_solids())
    EXPECT_LT(overlap.depth, 0.1 * 0.2);
}

TEST(Partings, what_is_held_does_not_give_way) {
  World world = floating();
  SolidDef held = cube(3, 0.2, {});
  held.pins.emplace_back();
  for (std::size_t v = 0; v < held.tets.vertices.size(); ++v)
    held.pins[0].vertices.push_back(std::int32_t(v));
  const SolidId a = world.add_solid(held).value();
  (void)world.add_solid(cube(3, 0.2, {0.4, 0.05, 0})).value();
  std::vector<Vec3> before, after;
  world.copy_positions(a, before);
  EXPECT_LE(steps_to_part(world, 60), 60);
  EXPECT_TRUE(world.overlapping_solids().empty());
  world.copy_positions(a, after);
  EXPECT_EQ(before, after);
}

// Not those that do not meet, and those that begin apart and are kept so.
TEST(Partings, only_what_begins_in_each_other) {
  World filtered = floating();
  SolidDef solid = cube(3, 0.2, {});
  (void)filtered.add_solid(solid).value();
  solid.position = {0.3, 0.1, 0};
  solid.filter.mask = 0;
  (void)filtered.add_solid(solid).value();
  EXPECT_EQ(filtered.step(k_dt).parting, 0);
  World world;
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
  (void)world.add_solid(cube(3, 0.2, {0, 0.31, 0})).value();
  (void)world.add_solid(cube(3, 0.2, {0.05, 1.2, 0.02})).value();
  for (int n = 0; n < 120; ++n) EXPECT_EQ(world.step(k_dt).parting, 0) << n;
  EXPECT_GT(world.measurements().contacts, 0);
}

// One is put into the other while the world runs.
TEST(Partings, one_that_is_added_later) {
  World world = floating();
  (void)world.add_solid(cube(4, 0.2, {})).value();
  for (int n = 0; n < 5; ++n) EXPECT_EQ(world.step(k_dt).parting, 0);
  (void)world.add_solid(cube(2, 0.1, {0.1, 0, 0})).value();
  const StepReport report = world.step(k_dt);
  EXPECT_EQ(report.parting, 1);
  EXPECT_EQ(report.enclosed, 1);
  EXPECT_LE(steps_to_part(world, 60), 60);
}

}  // namespace
}  // namespace pliant
