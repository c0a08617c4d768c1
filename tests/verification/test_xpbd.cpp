// Closed forms of the constraints by themselves (spec of cloth, section 13).
#include <gtest/gtest.h>

#include "particle_rig.h"

namespace pliant {
namespace {

constexpr Vec3 k_gravity{0, -9.81, 0};
constexpr bool k_double = sizeof(Real) == sizeof(double);

double spring_sag(double compliance, double h, int sweeps) {
  ConstraintRows rows;
  rows.distance.push_back({{0, 1}, 1.0, compliance});
  ParticleRig rig(rows, {{0, 0, 0}, {0, -1, 0}}, {0, 1});
  rig.body.linear_drag = 5;  // to rest: e^-50 after 10 s
  for (double t = 0; t < 10; t += h) rig.step(h, 1, sweeps, k_gravity);
  return -1 - rig.place(1).y;
}

// m g alpha = 9.81 mm whatever the step and the number of sweeps; +-0.1 % as the spec says.
TEST(Xpbd, cloth_A03_spring_sag) {
  for (const double h : {1. / 30, 1. / 60, 1. / 120, 1. / 240})
    for (const int sweeps : {1, 10})
      EXPECT_NEAR(spring_sag(1e-3, h, sweeps), 9.81e-3, 9.81e-6)
          << "h " << h << " sweeps " << sweeps;
}

// Control: half the stiffness doubles the sag, so the check above would fail.
TEST(Xpbd, cloth_A03_control_half_stiffness) {
  EXPECT_GT(std::abs(spring_sag(2e-3, 1. / 60, 1) - 9.81e-3), 9e-3);
}

// One linear spring is backward Euler: the period and the loss are known exactly.
TEST(Xpbd, cloth_A05_oscillator) {
  ConstraintRows rows;
  rows.distance.push_back({{0, 1}, 1.0, 1e-3});
  ParticleRig rig(rows, {{0, 0, 0}, {1.5, 0, 0}}, {0, 1});
  const double h = 1e-3;
  std::vector<double> crossings;
  double before = 0.5;
  double energy = 0;
  for (int n = 1; n <= 1000; ++n) {
    rig.step(h, 1, 1, {});
    const double x = rig.place(1).x - 1;
    if (before > 0 && x <= 0) crossings.push_back((n - x / (x - before)) * h);
    before = x;
    energy = 0.5 * 1000 * x * x + 0.5 * length_sq(rig.velocity(1));
  }
  ASSERT_GE(crossings.size(), 4u);
  const double period = (crossings.back() - crossings.front()) / double(crossings.size() - 1);
  EXPECT_NEAR(period, 0.19876, 0.19876 * 5e-4);
  const double expected = 0.5 * 1000 * 0.25 * 0.368;
  EXPECT_NEAR(energy, expected, expected * 5e-3 + (k_double ? 0 : expected * 5e-3));
}

double chain_stretch(double h) {
  const int links = 32;
  ConstraintRows rows;
  std::vector<Vec3> x;
  std::vector<double> mass;
  for (int i = 0; i <= links; ++i) {
    x.push_back({0, -double(i) / links, 0});
    mass.push_back(i == 0 ? 0 : 1);
    if (i > 0) rows.distance.push_back({{i - 1, i}, 1. / links, 0});
  }
  ParticleRig rig(rows, x, mass);
  rig.body.linear_drag = 2;
  for (double t = 0; t < 8; t += 20 * h) rig.step(20 * h, 20, 1, k_gravity);
  double sum = 0;
  for (int n = 0; n < 60; ++n) {  // the mean of a second: a hard chain with one sweep trembles
    rig.step(20 * h, 20, 1, k_gravity);
    sum += -1 - rig.place(links).y;
  }
  return sum / 60;
}

// One sweep over N hard links: N^2 g h^2 / 2 = 3.49 mm, and a quarter of it at half the step.
TEST(Xpbd, cloth_A08_chain_law) {
  const double coarse = chain_stretch(1. / 1200), fine = chain_stretch(1. / 2400);
  EXPECT_GT(coarse, 3.35e-3);
  EXPECT_LT(coarse, 3.65e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
}

}  // namespace
}  // namespace pliant
