// Measurements against values computed by hand.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

namespace pliant {
namespace {

WorldDef still() {
  WorldDef def;
  def.gravity = {0, -9.81, 0};
  def.substeps = 1;
  def.sleep = false;
  return def;
}
constexpr double k_instant = 1e-6;  // s, a step in which next to nothing moves

TEST(Measurements, energy_and_momentum_of_rigid_bodies) {
  World world(still());
  // A sphere, m = 2, I = 2/5 m r^2; a box, m = 3, I_z = m (a^2 + b^2) / 12 of its full sides.
  world
      .add_body({.shape = Sphere{0.5},
                 .position = {1, 2, 0},
                 .velocity = {3, 0, 4},
                 .angular_velocity = {0, 0, 2},
                 .mass = 2})
      .value();
  world
      .add_body({.shape = Box{{0.5, 1, 0.25}},
                 .position = {-5, -1, 0},
                 .angular_velocity = {0, 0, 3},
                 .mass = 3})
      .value();
  world.step(k_instant);
  const Measurements& m = world.measurements();
  const double inertia_sphere = 0.4 * 2 * 0.25, inertia_box = 3 * (1 + 4) / 12.0;
  const double kinetic = 0.5 * 2 * 25 + 0.5 * inertia_sphere * 4 + 0.5 * inertia_box * 9;
  EXPECT_NEAR(m.kinetic_energy, kinetic, 1e-4);
  EXPECT_NEAR(m.potential_energy, 9.81 * (2 * 2 - 3 * 1), 1e-3);
  EXPECT_LT(length(m.momentum - Vec3{6, 0, 8}), 1e-4);
  // x cross m v of the sphere: (1, 2, 0) x (6, 0, 8) = (16, -8, -12), and the spins.
  const Vec3 angular{16, -8, -12 + inertia_sphere * 2 + inertia_box * 3};
  EXPECT_LT(length(m.angular_momentum - angular), 1e-3);
  EXPECT_EQ(m.elastic_energy, 0);
}

TEST(Measurements, energy_of_a_stretched_cloth) {
  // Two triangles, all edges 10 % too long: C = 0.1 L, energy sum of k (0.1 L)^2 / 2, where the
  // definition gives each edge k = stiffness * width / length. Only the ratio is known here, so two
  // stretches are compared: twice the strain, four times the energy; and the linear one by scale.
  const auto energy = [](double stretch) {
    World world(still());
    ClothDef def;
    def.mesh = make_grid(3, 3, 1, 1);
    def.bend_rigidity = 0;
    for (const Vec3& v : def.mesh.vertices) def.initial_positions.push_back(v * stretch);
    world.add_cloth(def).value();
    world.step(k_instant);
    return world.measurements().elastic_energy;
  };
  EXPECT_NEAR(energy(1.0), 0, 1e-6);
  EXPECT_NEAR(energy(1.02) / energy(1.01), 4, 0.02);
  // Membrane stiffness K with Poisson ratio 1/3 (edges alone): uniform biaxial strain e stores
  // K e^2 / (1 - 1/3) per area = 1.5 K e^2; right isosceles triangles weigh their diagonals by
  // their own rule, so the order of magnitude is what is checked.
  EXPECT_GT(energy(1.01), 0.5 * 5e3 * 1e-4);
  EXPECT_LT(energy(1.01), 4.0 * 5e3 * 1e-4);
}

TEST(Measurements, stretch_volume_and_particles) {
  World world(still());
  ClothDef cloth;
  cloth.mesh = make_grid(4, 4, 1, 1);
  for (const Vec3& v : cloth.mesh.vertices)
    cloth.initial_positions.push_back({v.x * 1.25, v.y, v.z});
  const ClothId c = world.add_cloth(cloth).value();
  SolidDef solid;
  solid.tets = make_lattice(3, 3, 3, 0.1);
  solid.velocity = {0, 0, 2};
  for (const Vec3& v : solid.tets.vertices)
    solid.initial_positions.push_back(Vec3{v.x * 0.5, v.y, v.z} + Vec3{10, 0, 0});
  for (std::size_t i = 0; i < solid.tets.vertices.size(); ++i)
    solid.initial_velocities.push_back({0, 0, 2});
  const SolidId s = world.add_solid(solid).value();
  world.step(k_instant);
  EXPECT_NEAR(world.stretch_max(c), 1.25, 1e-3);
  EXPECT_NEAR(world.measurements().stretch_max, 1.25, 1e-3);
  EXPECT_GT(world.stretch_mean(c), 1.05);
  EXPECT_LT(world.stretch_mean(c), 1.2);
  EXPECT_NEAR(world.rest_volume(s), 0.027, 1e-8);
  EXPECT_NEAR(world.volume(s) / world.rest_volume(s), 0.5, 1e-2);
  EXPECT_NEAR(world.mass(s), 27, 1e-3);
  EXPECT_NEAR(world.mass(c), 0.2, 1e-6);
  EXPECT_NEAR(world.measurements().momentum.z, 27 * 2, 1e-2);
}

// Falling keeps the sum, to the rounding of float speeds.
TEST(Measurements, energy_is_kept_in_free_fall) {
  WorldDef def = still();
  def.substeps = 8;
  World world(def);
  world.add_body({.position = {0, 10, 0}, .velocity = {1, 0, 0}}).value();
  SolidDef solid;
  solid.tets = make_lattice(2, 2, 2, 0.2);
  solid.position = {5, 10, 0};
  solid.linear_drag = 0;
  world.add_solid(solid).value();
  world.step(1.0 / 60);
  const auto sum = [&] {
    const Measurements& m = world.measurements();
    return m.kinetic_energy + m.potential_energy + m.elastic_energy;
  };
  const double before = sum();
  for (int n = 0; n < 60; ++n) world.step(1.0 / 60);
  EXPECT_NEAR(sum() / before, 1, 1e-5);
  EXPECT_GT(world.measurements().kinetic_energy, 1000);
}

// Two sheets that begin `apart` (m) from each other, with nothing of one above its like of the
// other, after one substep.
Measurements of_two_sheets(double apart) {
  WorldDef def = still();
  def.substeps = 1;
  World world(def);
  ClothDef cloth;
  cloth.mesh = make_grid(6, 6, 0.3, 0.3);
  world.add_cloth(cloth).value();
  cloth.position = {0.013, apart, 0.007};
  world.add_cloth(cloth).value();
  world.step(1.0 / 60);
  return world.measurements();
}

// They keep 4 mm, rims and what is beside the nearest 0.9 of it: the overlap is what is missing
// when the substep begins. Seen to fail: sheets left out.
TEST(Measurements, cloth_nearer_than_it_keeps_is_an_overlap) {
  const Measurements near = of_two_sheets(3e-3);
  EXPECT_GT(near.contacts, 30);
  EXPECT_NEAR(near.penetration_max, 1e-3, 1e-6);
  EXPECT_GE(near.penetration_mean, 0.6e-3 - 1e-6);
  EXPECT_LE(near.penetration_mean, 1e-3 + 1e-6);
  const Measurements apart = of_two_sheets(5e-3);
  EXPECT_EQ(apart.contacts, 0);
  EXPECT_EQ(apart.penetration_max, 0);
  EXPECT_EQ(apart.penetration_mean, 0);
}

// Laid double, 3 cm between the layers: spheres keep the cell of 5 cm.
TEST(Measurements, cloth_that_meets_itself_by_particles_overlaps) {
  WorldDef def = still();
  def.substeps = 1;
  World world(def);
  ClothDef cloth;
  cloth.mesh = make_grid(16, 4, 0.8, 0.2);
  cloth.self_contact = true;
  cloth.self_contact_by = SelfContact::particles;
  for (const Vec3& v : cloth.mesh.vertices)
    cloth.initial_positions.push_back(v.x < 1e-9 ? Vec3{v.x, 0, v.z} : Vec3{-v.x, 0.03, v.z});
  cloth.initial_velocities.assign(cloth.mesh.vertices.size(), Vec3{});
  world.add_cloth(cloth).value();
  world.step(1.0 / 60);
  EXPECT_GT(world.measurements().contacts, 20);
  EXPECT_NEAR(world.measurements().penetration_max, 0.02, 1e-6);
}

TEST(Measurements, a_resting_box_is_a_loaded_contact) {
  World world;
  world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  world.add_body({.shape = Box{}, .position = {0, 0.5, 0}}).value();
  for (int n = 0; n < 20; ++n) world.step(1.0 / 60);
  EXPECT_EQ(world.measurements().contacts, 4);
  EXPECT_GE(world.measurements().penetration_max, world.measurements().penetration_mean);
  EXPECT_LT(world.measurements().penetration_max, 1e-3);
  double stages = 0;
  for (const double ms : world.stats().stage_ms) {
    EXPECT_GE(ms, 0);
    stages += ms;
  }
  EXPECT_LE(stages, world.stats().total_ms * 1.05 + 0.01);
}

}  // namespace
}  // namespace pliant
