// Orders and limits of the integration of springs (items A04 and A05 of the deformable bodies).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <pliant/world.h>

#include "../random_points.h"
#include "verification/particle_rig.h"
#include "verification/rig_precision.h"
#include "verification/spring_cube.h"

namespace pliant {
namespace {

using test::Random;

// Two unit masses on a spring that begins `by` too long: half of what it is too long after 1 s.
double swing_after_a_second(double h, SpringIntegrator integrator, double stiffness) {
  SpringRig rig({.springs = {{{0, 1}, 1, stiffness, 0}}, .areas = {}, .volumes = {}},
                {{0, 0, 0}, {1, 0, 0}}, {1, 1}, integrator);
  rig.move(0, {-0.05, 0, 0}), rig.move(1, {0.05, 0, 0});
  const int steps = int(std::lround(1 / h));
  for (int n = 0; n < steps; ++n) rig.plain_step(h);
  return (rig.place(1).x - rig.place(0).x - 1) / 2;
}

TEST(Springs, deformable_A04_verlet_is_exact_in_free_fall_and_of_second_order) {
  SpringRig falls({.springs = {{{0, 1}, 1, 0, 0}}, .areas = {}, .volumes = {}},
                  {{0, 0, 0}, {1, 0, 0}}, {1, 1});
  for (int n = 0; n < 200; ++n) falls.plain_step(0.005, {0, -9.81, 0});
  EXPECT_NEAR(falls.place(0).y, -9.81 / 2, tolerance(1e-9, 1e-5));
  // Steps of other lengths do not change a constant velocity.
  SpringRig flies({.springs = {{{0, 1}, 1, 0, 0}}, .areas = {}, .volumes = {}},
                  {{0, 0, 0}, {1, 0, 0}}, {1, 1});
  for (const std::size_t i : {0u, 1u}) flies.set_velocity(i, {0, 0, 3});
  for (int n = 0; n < 100; ++n) flies.plain_step(n % 2 == 0 ? 0.005 : 0.015);
  EXPECT_NEAR(flies.place(0).z, 3 * 1.0, tolerance(1e-9, 1e-5));
  // Control: the formula for equal steps goes as far in a long one as in the short one before it.
  double before = -3 * 0.005, now = 0;
  for (int n = 0; n < 100; ++n) before = std::exchange(now, 2 * now - before);
  EXPECT_NEAR(now, 0.5 * 3, 1e-9);
  const double stiffness = 8, exact = 0.05 * std::cos(std::sqrt(2 * stiffness));
  const auto order = [&](SpringIntegrator integrator) {
    const double coarse = swing_after_a_second(0.02, integrator, stiffness) - exact;
    const double fine = swing_after_a_second(0.01, integrator, stiffness) - exact;
    return std::log2(std::abs(coarse / fine));
  };
  if (k_rig_double) {
    EXPECT_NEAR(order(SpringIntegrator::verlet), 2, 0.1);
    EXPECT_NEAR(order(SpringIntegrator::semi_implicit), 1, 0.1);
  }
}

// Forward Euler gains energy at every step and is not offered; by the engine's forces it is of
// first order.
double euler_swing_after_a_second(double h, double stiffness) {
  SpringRig rig({.springs = {{{0, 1}, 1, stiffness, 0}}, .areas = {}, .volumes = {}},
                {{0, 0, 0}, {1, 0, 0}}, {1, 1});
  rig.move(0, {-0.05, 0, 0}), rig.move(1, {0.05, 0, 0});
  const int steps = int(std::lround(1 / h));
  for (int n = 0; n < steps; ++n) {
    const std::vector<Vec3> force = rig.forces();
    for (const std::size_t i : {0u, 1u}) {
      rig.move(i, rig.velocity(i) * h);
      rig.set_velocity(i, rig.velocity(i) + force[i] * h);
    }
  }
  return (rig.place(1).x - rig.place(0).x - 1) / 2;
}

TEST(Springs, deformable_A04_forward_euler_is_of_first_order) {
  if (!k_rig_double) GTEST_SKIP() << "differences of errors, in double";
  const double stiffness = 8, exact = 0.05 * std::cos(std::sqrt(2 * stiffness));
  const double coarse = euler_swing_after_a_second(0.002, stiffness) - exact;
  const double fine = euler_swing_after_a_second(0.001, stiffness) - exact;
  EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 1, 0.1);
}

// The farthest that a particle has come from its rest place.
double farthest(const SpringRig& rig, const std::vector<Vec3>& rest) {
  double far = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double by = length(rig.place(i) - rest[i]);
    far = by < 1e6 ? std::max(far, by) : 1e6;
  }
  return far;
}

TEST(Springs, deformable_A04_stable_up_to_two_over_the_frequency) {
  const double stiffness = 8, limit = 2 / std::sqrt(2 * stiffness);
  for (const double share : {0.99, 1.01}) {
    SpringRig rig({.springs = {{{0, 1}, 1, stiffness, 0}}, .areas = {}, .volumes = {}},
                  {{0, 0, 0}, {1, 0, 0}}, {1, 1});
    rig.move(1, {1e-3, 0, 0});
    double far = 0;
    for (int n = 0; n < (share < 1 ? 10000 : 400); ++n) {
      rig.plain_step(share * limit);
      far = std::max(far, farthest(rig, {{0, 0, 0}, {1, 0, 0}}));
    }
    EXPECT_EQ(far < 0.05, share < 1);
    EXPECT_EQ(far > 1, share > 1);
  }
}

// Backward Euler, which springs are not offered with, is how constraints with compliance move: one
// of the same stiffness.
TEST(Springs, deformable_A04_implicit_steps_are_stable_at_any_length) {
  const double stiffness = 8, limit = 2 / std::sqrt(2 * stiffness);
  ConstraintRows rows;
  rows.distance.push_back({{0, 1}, 1.0, 1 / stiffness});
  ParticleRig rig(rows, {{0, 0, 0}, {1.1, 0, 0}}, {1, 1});
  double far = 0;
  for (int n = 0; n < 400; ++n) {
    rig.step(100 * limit, 1, 1, {});
    far = std::max(far, std::abs(rig.place(1).x - rig.place(0).x - 1));
  }
  EXPECT_LT(far, 0.1);
  EXPECT_NEAR(rig.place(1).x - rig.place(0).x, 1, 1e-5);
}

bool stays_bounded(const SpringRows& rows, const TetMesh& mesh, double h) {
  Random random(5);
  SpringRig rig(rows, mesh.vertices, equal_masses(mesh, 0.05));
  for (std::size_t i = 0; i < rig.count(); ++i) rig.move(i, random.point(1e-4));
  for (int n = 0; n < 1500; ++n) rig.plain_step(h);
  return farthest(rig, mesh.vertices) < 0.1;
}

TEST(Springs, deformable_A05_longest_stable_step_of_the_cube) {
  const TetMesh mesh = make_lattice(5, 5, 5, 1);
  const SpringRows rows = thesis_cube(mesh, 60, 20, 0);
  EXPECT_TRUE(stays_bounded(rows, mesh, 14.5e-3 * 0.95));
  EXPECT_FALSE(stays_bounded(rows, mesh, 14.5e-3 * 1.05));
  // The step that the engine allows itself is on the safe side, and not by much.
  const SpringRig rig(rows, mesh.vertices, equal_masses(mesh, 0.05));
  EXPECT_LT(stable_step(rig.body.springs), 14.5e-3);
  EXPECT_GT(stable_step(rig.body.springs), 0.9 * 14.5e-3);
}

// Verlet as the work has it: damping takes the velocity of a step ago, (x(t) - x(t - 2 h)) / 2 h.
bool stays_bounded_with_old_velocities(const SpringRows& rows, const TetMesh& mesh, double h) {
  Random random(5);
  SpringRig rig(rows, mesh.vertices, equal_masses(mesh, 0.05));
  std::vector<Vec3> now, before, older;
  for (std::size_t i = 0; i < rig.count(); ++i) now.push_back(random.point(1e-4));
  before = older = now;
  for (int n = 0; n < 1500; ++n) {
    for (std::size_t i = 0; i < rig.count(); ++i) {
      Vec4& d = rig.particles.d[i];
      d = {Real(now[i].x), Real(now[i].y), Real(now[i].z), d.w};
      rig.set_velocity(i, (now[i] - older[i]) / (2 * h));
    }
    const std::vector<Vec3> force = rig.forces(h);
    older = before, before = now;
    for (std::size_t i = 0; i < rig.count(); ++i)
      now[i] = now[i] * 2.0 - older[i] + force[i] * (h * h / rig.mass(i));
    for (const Vec3& u : now)
      if (!(length(u) < 0.1)) return false;
  }
  return true;
}

TEST(Springs, deformable_A05_longest_stable_step_with_damping) {
  const TetMesh mesh = make_lattice(5, 5, 5, 1);
  const SpringRows rows = thesis_cube(mesh, 60, 20, 2);
  EXPECT_TRUE(stays_bounded_with_old_velocities(rows, mesh, 5.9e-3 * 0.9));
  EXPECT_FALSE(stays_bounded_with_old_velocities(rows, mesh, 5.9e-3 * 1.1));
  // The engine's own step takes the velocity of half a step ago, and bears a longer one.
  const SpringRig rig(rows, mesh.vertices, equal_masses(mesh, 0.05));
  const double step = stable_step(rig.body.springs);
  EXPECT_TRUE(stays_bounded(rows, mesh, step));
  EXPECT_FALSE(stays_bounded(rows, mesh, 1.6 * step));
  EXPECT_GT(step, 5.9e-3);
  RecordProperty("step", std::to_string(step));
}

}  // namespace
}  // namespace pliant
