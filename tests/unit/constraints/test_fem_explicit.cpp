// Explicit finite elements (deformable_A09): strain, stress and viscosity of single elements.
#include "constraints/fem_explicit.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "build/fem_rows.h"
#include "verification/fem_reference.h"

namespace pliant {
namespace {

constexpr bool k_double = sizeof(Real) == sizeof(double);
constexpr Energy k_all[] = {Energy::neo_hookean, Energy::corotated, Energy::green, Energy::cauchy};

Mat3W all_lanes(const Eigen::Matrix3d& m) {
  Mat3W w;
  for (int c = 0; c < 3; ++c)
    w.c[c] = {splat(Real(m(0, c))), splat(Real(m(1, c))), splat(Real(m(2, c)))};
  return w;
}
Eigen::Matrix3d first_lane(const Mat3W& w) {
  Eigen::Matrix3d m;
  for (int c = 0; c < 3; ++c)
    m.col(c) << double(w.c[c].x[0]), double(w.c[c].y[0]), double(w.c[c].z[0]);
  return m;
}
FemMaterial material(Energy energy, double damping = 0) {
  SolidDef def;
  def.model = SolidModel::explicit_fem;
  def.energy = energy;
  def.youngs_modulus = 1;
  def.poisson_ratio = 0.3;
  def.damping = damping;
  return fem_material(def);
}
Eigen::Matrix3d random_matrix(std::mt19937& engine, double size) {
  std::normal_distribution<double> normal(0, size);
  Eigen::Matrix3d m;
  for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = normal(engine);
  return m;
}
Eigen::Matrix3d stress(const FemMaterial& m, const Eigen::Matrix3d& f,
                       const Eigen::Matrix3d& rate = Eigen::Matrix3d::Zero()) {
  return first_lane(explicit_stress(m, {all_lanes(f), all_lanes(rate)}));
}

// A quarter turn about z is no strain for Green; for Cauchy it is diag(-1, -1, 0), and the stress
// that belongs to it.
TEST(FemExplicit, deformable_A09_quarter_turn) {
  Eigen::Matrix3d turn;
  turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_LE(stress(material(Energy::green), turn).norm(), 1e-12);
  const FemMaterial m = material(Energy::cauchy);
  const double mu = double(m.mu), lambda = double(m.lambda);
  Eigen::Matrix3d expected = Eigen::Matrix3d::Identity() * (-2 * lambda);
  expected(0, 0) -= 2 * mu;
  expected(1, 1) -= 2 * mu;
  EXPECT_LE((stress(m, turn) - expected).norm(), 1e-6);
}

// The energy by itself, with e = F^T F - I, sigma = lambda tr(e) I + 2 mu e: an eighth of sigma : e
// (a half, as the works print it, is four times as much). Strain of the quarter turn likewise.
TEST(FemExplicit, deformable_A09_energy_is_an_eighth_of_stress_times_strain) {
  std::mt19937 engine(3);
  const FemMaterial m = material(Energy::green);
  const double mu = double(m.mu), lambda = double(m.lambda);
  for (int n = 0; n < 200; ++n) {
    const Eigen::Matrix3d f = Eigen::Matrix3d::Identity() + random_matrix(engine, 0.3);
    const Eigen::Matrix3d e = f.transpose() * f - Eigen::Matrix3d::Identity();
    const Eigen::Matrix3d sigma = lambda * e.trace() * Eigen::Matrix3d::Identity() + 2 * mu * e;
    const double expected = (sigma.array() * e.array()).sum() / 8;
    EXPECT_NEAR(double(explicit_density(m, all_lanes(f))[0]), expected,
                (k_double ? 1e-12 : 1e-5) * (1 + expected));
  }
}

// Forces on the corners of one element, by the velocities that a push gives unit masses: -dW/dx.
TEST(FemExplicit, deformable_A09_forces_on_corners_are_the_gradient_of_the_energy) {
  if (!k_double) GTEST_SKIP() << "differences of energies, in double";
  std::mt19937 engine(4);
  std::normal_distribution<double> normal(0, 0.2);
  TetMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  const FemMaterial m = material(Energy::green);
  for (int n = 0; n < 100; ++n) {
    Eigen::Matrix<double, 3, 4> x;
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 3; ++r) x(r, c) = mesh.vertices[std::size_t(c)][r] + normal(engine);
    const auto gradient = [](const Eigen::Matrix<double, 3, 4>& at) {
      Eigen::Matrix3d f;  // of the unit tetrahedron the edges are the columns
      for (int c = 0; c < 3; ++c) f.col(c) = at.col(c + 1) - at.col(0);
      return f;
    };
    const auto energy = [&](const Eigen::Matrix<double, 3, 4>& at) {
      return double(explicit_density(m, all_lanes(gradient(at)))[0]) / 6;
    };
    const Eigen::Matrix3d p = stress(m, gradient(x)) / 6;
    Eigen::Matrix<double, 3, 4> force;
    force.rightCols<3>() = -p;
    force.col(0) = p.rowwise().sum();
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 3; ++r) {
        Eigen::Matrix<double, 3, 4> up = x, down = x;
        up(r, c) += 1e-5, down(r, c) -= 1e-5;
        EXPECT_NEAR(force(r, c), -(energy(up) - energy(down)) / 2e-5, 1e-6 * (1 + force.norm()));
      }
  }
}

// P = dPsi/dF by central differences in every direction; 1e-6 in double, floats by what their
// difference knows.
TEST(FemExplicit, deformable_A09_stress_is_the_gradient_of_the_energy) {
  std::mt19937 engine(1);
  const double step = k_double ? 1e-5 : 1e-2;
  for (const Energy energy : k_all)
    for (int n = 0; n < 200; ++n) {
      const FemMaterial m = material(energy);
      const Eigen::Matrix3d f = Eigen::Matrix3d::Identity() + random_matrix(engine, 0.2);
      const Eigen::Matrix3d along = random_matrix(engine, 1).normalized();
      // Where the law changes there is no slope.
      const auto wrecked = [&](double by) {
        return reference::is_wrecked(reference::material(reference::Law::neo_hookean, 1, 0.3),
                                     f + by * along);
      };
      if (energy == Energy::neo_hookean && wrecked(step) != wrecked(-step)) continue;
      const auto at = [&](double t) {
        return double(explicit_density(m, all_lanes(f + t * along))[0]);
      };
      const double slope = (at(step) - at(-step)) / (2 * step);
      EXPECT_NEAR((stress(m, f).array() * along.array()).sum(), slope, k_double ? 1e-6 : 2e-3);
    }
}

// The power of the viscous stress, P_v : F', is never positive for the body: it takes energy.
TEST(FemExplicit, deformable_A09_viscosity_never_gives_energy) {
  std::mt19937 engine(2);
  for (const Energy energy : k_all) {
    const FemMaterial elastic = material(energy), viscous = material(energy, 0.5);
    int some = 0;
    for (int n = 0; n < 10000; ++n) {
      const Eigen::Matrix3d f = random_matrix(engine, 1), rate = random_matrix(engine, 1);
      const Eigen::Matrix3d p = stress(viscous, f, rate) - stress(elastic, f, rate);
      const double power = (p.array() * rate.array()).sum();
      EXPECT_GE(power, k_double ? -1e-12 : -1e-3);
      some += power > 0.01;
    }
    EXPECT_GT(some, 9000);  // control: there is viscosity at all
  }
}

// A bar pulled by a thousandth that may shrink across: its stress over its strain is the modulus.
TEST(FemExplicit, deformable_A09_youngs_modulus) {
  for (const Energy energy : k_all) {
    Eigen::Matrix3d f = Eigen::Matrix3d::Identity();
    f.diagonal() << 1.001, 1 - 0.3e-3, 1 - 0.3e-3;
    const Eigen::Matrix3d p = stress(material(energy), f);
    EXPECT_NEAR(p(0, 0) / 1e-3, 1, 0.02);
    EXPECT_NEAR(p(1, 1) / 1e-3, 0, 0.02);
  }
}

}  // namespace
}  // namespace pliant
