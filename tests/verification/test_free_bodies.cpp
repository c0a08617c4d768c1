// Bodies that nothing holds: momentum, free fall, the law of the strip.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

namespace pliant {
namespace {

constexpr bool k_double = sizeof(Real) == sizeof(double);
constexpr double k_dt = 1. / 60;

// A soft cube that tumbles and trembles, far enough from rest that its constraints work all the
// time.
World tumbling_cube(int substeps, SolidId& cube, const Vec3& at = {}) {
  WorldDef def;
  def.gravity = {};
  def.substeps = substeps;
  def.sleep = false;
  World world(def);
  SolidDef solid;
  solid.tets = make_lattice(4, 4, 4, 0.1);
  solid.position = at;
  solid.velocity = {0.7, 0.3, -0.2};
  solid.angular_velocity = {1.5, 3.0, 0.6};
  solid.linear_drag = 0;
  cube = world.add_solid(solid).value();
  return world;
}

// Each projection keeps momentum to rounding; over 10 s of float that is 1e-3, of double 1e-10.
TEST(FreeBodies, linear_momentum_is_kept) {
  for (const int substeps : {10, 20, 40}) {
    SolidId cube;
    World world = tumbling_cube(substeps, cube);
    const Vec3 expected = world.mass(cube) * Vec3{0.7, 0.3, -0.2};
    for (int n = 0; n < 600; ++n) world.step(k_dt);
    const double error = length(world.measurements().momentum - expected) / length(expected);
    EXPECT_LT(error, k_double ? 1e-10 : 1e-3) << substeps << " substeps";
  }
}

// Backward Euler takes angular momentum at a rate of about omega^2 h.
TEST(FreeBodies, angular_momentum_is_lost_no_faster_than_the_law) {
  for (const int substeps : {10, 20, 40}) {
    SolidId cube;
    World world = tumbling_cube(substeps, cube);
    world.step(k_dt);
    const auto spin = [&] {  // about the centre of mass
      const Measurements& m = world.measurements();
      std::vector<Vec3> x;
      world.copy_positions(cube, x);
      Vec3 centre;
      const TetMesh lattice = make_lattice(4, 4, 4, 0.1);
      std::vector<double> mass(x.size());
      for (const Tetrahedron& t : lattice.tetrahedra)
        for (const std::int32_t v : t)
          mass[std::size_t(v)] += std::abs(dot(
              lattice.vertices[std::size_t(t[1])] - lattice.vertices[std::size_t(t[0])],
              cross(lattice.vertices[std::size_t(t[2])] - lattice.vertices[std::size_t(t[0])],
                    lattice.vertices[std::size_t(t[3])] - lattice.vertices[std::size_t(t[0])])));
      double sum = 0;
      for (std::size_t v = 0; v < x.size(); ++v) centre += x[v] * mass[v], sum += mass[v];
      return length(m.angular_momentum - cross(centre / sum, m.momentum));
    };
    const double begin = spin();
    const double seconds = 5;
    for (int n = 0; n < int(seconds / k_dt); ++n) world.step(k_dt);
    const double omega_sq = 1.5 * 1.5 + 3.0 * 3.0 + 0.6 * 0.6, h = k_dt / substeps;
    const double allowed = std::exp(-1.1 * omega_sq * h * seconds);
    EXPECT_GT(spin() / begin, allowed) << substeps << " substeps";
  }
}

// 100 m from the origin floats are 7.6e-6 m apart; the displacement form does not notice.
TEST(FreeBodies, free_fall_far_from_the_origin_is_exact) {
  WorldDef def;
  def.substeps = 40;
  World world(def);
  ClothDef cloth;
  cloth.mesh = make_grid(8, 8, 0.5, 0.5);
  cloth.position = {100, 100, 100};
  cloth.linear_drag = 0;
  const ClothId id = world.add_cloth(cloth).value();
  for (int n = 0; n < 60; ++n) world.step(k_dt);
  std::vector<Vec3> x, v;
  world.copy_positions(id, x);
  world.copy_velocities(id, v);
  for (std::size_t n = 0; n < x.size(); ++n) {
    EXPECT_NEAR((x[n].y - 100) / (-0.5 * 9.81), 1, 1e-4);
    EXPECT_NEAR(v[n].y / -9.81, 1, 1e-4);
  }
}

// --- strips
// ---------------------------------------------------------------------------------------------

double strip_elongation(int rows, int substeps, int sweeps, double stiffness) {
  WorldDef def;
  def.substeps = substeps;
  def.sweeps = sweeps;
  def.sleep = false;  // the last tenth of a millimetre is slower than what may sleep
  World world(def);
  ClothDef strip;
  const int columns = rows / 4 > 0 ? rows / 4 : 1;
  strip.mesh = make_grid(columns, rows, 0.25, 1);
  // The grid lies in the xz plane; hang it along -y with row 0 on top.
  const double s = std::sqrt(0.5);
  strip.rotation = {s, 0, 0, s};
  strip.areal_density = 0.2;
  strip.stretch_stiffness = stiffness;
  strip.bend_rigidity = 0;
  strip.linear_drag = 3;
  Pin pin;
  const bool zero_on_top = rotate(strip.rotation, strip.mesh.vertices[0]).y > 0;
  for (int i = 0; i <= columns; ++i)
    pin.vertices.push_back(zero_on_top ? i : rows * (columns + 1) + i);
  strip.pins = {pin};
  const ClothId id = world.add_cloth(strip).value();
  for (int n = 0; n < 240; ++n) world.step(k_dt);
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  const int first = zero_on_top ? rows * (columns + 1) : 0;
  double bottom = 0;
  for (int i = 0; i <= columns; ++i) bottom += x[std::size_t(first + i)].y / (columns + 1);
  return x[std::size_t(pin.vertices[0])].y - bottom - 1;
}

// rho g L^2 / (2 E h) = 0.2 * 9.81 / (2 * 200) = 4.905 mm; the top row carries its half cell
// itself, so that a coarse strip elongates less by 1/rows. Within 2 % of each other when converged.
TEST(Strip, elongates_alike_at_every_resolution) {
  std::vector<double> dl;
  for (const int rows : {10, 20, 40}) {
    const double e = strip_elongation(rows, 20, 40, 200);
    dl.push_back(e);
    EXPECT_NEAR(e, 0.2 * 9.81 / 400, 0.02 * 0.2 * 9.81 / 400) << rows << " rows";
  }
  EXPECT_NEAR(dl[0] / dl[2], 1, 0.02);
  EXPECT_NEAR(dl[1] / dl[2], 1, 0.02);
}

// With one sweep the excess over the converged value is N^2 g h^2 / 2.
TEST(Strip, excess_of_one_sweep_follows_the_law) {
  const double h = k_dt / 20;
  const double stiff = 1e6;  // the material itself adds 1 micrometre
  for (const int rows : {20, 40}) {
    const double law = 0.5 * rows * rows * 9.81 * h * h;
    EXPECT_NEAR(strip_elongation(rows, 20, 1, stiff), law, 0.15 * law) << rows << " rows";
  }
}

}  // namespace
}  // namespace pliant
