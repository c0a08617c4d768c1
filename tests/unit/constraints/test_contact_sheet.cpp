// Contact between sheets: what one projection does to four particles, and that it keeps momentum.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "constraints/contact_sheet.h"
#include "model/rigid.h"

namespace pliant {
namespace {

// Particles 0 to 3 make the contact; particle 4 is the scratch of the lanes that are not used.
struct Four {
  Particles particles;
  SheetBatch batch;

  explicit Four(const std::array<Vec3R, 4>& x) {
    particles.resize(5);
    for (Lanes& lanes : batch.particle) lanes.fill(4);
    for (std::size_t k = 0; k < 4; ++k) {
      batch.particle[k][0] = std::int32_t(k);
      particles.base[k] = {x[k].x, x[k].y, x[k].z, 0};
      particles.d[k] = {0, 0, 0, 1};
      if (k == 0) continue;
      const Vec3R from = x[k] - x[0];
      batch.from[k - 1].x[0] = from.x;
      batch.from[k - 1].y[0] = from.y;
      batch.from[k - 1].z[0] = from.z;
    }
    batch.lanes = 1;
    batch.live = true;
  }
  void set(const std::array<double, 4>& weight, const Vec3R& normal, double target) {
    for (std::size_t k = 0; k < 4; ++k) batch.weight[k][0] = Real(weight[k]);
    batch.normal.x[0] = normal.x;
    batch.normal.y[0] = normal.y;
    batch.normal.z[0] = normal.z;
    batch.target[0] = Real(target);
  }
};

constexpr double k_tolerance = sizeof(Real) == 4 ? 1e-6 : 1e-12;

// Equal masses, the vertex over the middle of the triangle: it moves by three quarters of what is
// missing and each corner by a quarter the other way.
TEST(ContactSheet, cloth_A20_vertex_over_the_middle) {
  Four four({Vec3R{0, Real(0.5), 0}, {-1, 0, 1}, {2, 0, 1}, {-1, 0, -2}});
  four.set({1, -1. / 3, -1. / 3, -1. / 3}, {0, 1, 0}, 0.9);
  project_sheet_batch(four.batch, four.particles);
  EXPECT_NEAR(double(four.particles.d[0].y), 0.75 * 0.4, k_tolerance);
  for (std::size_t k = 1; k < 4; ++k)
    EXPECT_NEAR(double(four.particles.d[k].y), -0.25 * 0.4, k_tolerance);
}

TEST(ContactSheet, cloth_A20_edges_at_their_middles) {
  Four four({Vec3R{-1, Real(0.5), 0}, {1, Real(0.5), 0}, {0, 0, -1}, {0, 0, 1}});
  four.set({0.5, 0.5, -0.5, -0.5}, {0, 1, 0}, 0.9);
  project_sheet_batch(four.batch, four.particles);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(double(four.particles.d[k].y), (k < 2 ? 0.5 : -0.5) * 0.4, k_tolerance);
}

// Held corners stay, and the vertex takes all of it.
TEST(ContactSheet, cloth_A20_held_triangle) {
  Four four({Vec3R{0, Real(0.5), 0}, {-1, 0, 1}, {2, 0, 1}, {-1, 0, -2}});
  for (std::size_t k = 1; k < 4; ++k) four.particles.d[k].w = 0;
  four.set({1, -1. / 3, -1. / 3, -1. / 3}, {0, 1, 0}, 0.9);
  project_sheet_batch(four.batch, four.particles);
  EXPECT_NEAR(double(four.particles.d[0].y), 0.4, k_tolerance);
  for (std::size_t k = 1; k < 4; ++k) EXPECT_EQ(four.particles.d[k].y, 0);
}

// What is far enough apart is not pulled together.
TEST(ContactSheet, does_not_pull) {
  Four four({Vec3R{0, Real(0.5), 0}, {-1, 0, 1}, {2, 0, 1}, {-1, 0, -2}});
  four.set({1, -1. / 3, -1. / 3, -1. / 3}, {0, 1, 0}, 0.4);
  project_sheet_batch(four.batch, four.particles);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(four.particles.d[k].y, 0);
}

// Any masses, any normal, friction and several sweeps: linear momentum stays.
TEST(ContactSheet, cloth_A02_keeps_linear_momentum) {
  std::mt19937 engine(5);
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  for (int trial = 0; trial < 200; ++trial) {
    std::array<Vec3R, 4> x;
    for (Vec3R& p : x) p = {Real(number(-1, 1)), Real(number(-1, 1)), Real(number(-1, 1))};
    Four four(x);
    const double s = number(0, 1), t = number(0, 1);
    const Vec3R n =
        normalized(Vec3R{Real(number(-1, 1)), Real(number(-1, 1)), Real(number(0.1, 1))});
    four.set({1 - s, s, t - 1, -t}, n, 3);
    four.batch.friction_static = four.batch.friction_kinetic = splat(Real(0.4));
    std::array<double, 4> mass;
    for (std::size_t k = 0; k < 4; ++k) {
      mass[k] = std::pow(10., number(-3, 0));
      four.particles.d[k] = {Real(number(-0.1, 0.1)), Real(number(-0.1, 0.1)),
                             Real(number(-0.1, 0.1)), Real(1 / mass[k])};
    }
    const auto before = four.particles.d;
    for (int sweep = 0; sweep < 3; ++sweep) project_sheet_batch(four.batch, four.particles);
    Vec3 sum;
    double size = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3R moved = xyz(four.particles.d[k]) - xyz(before[k]);
      sum += mass[k] * cast<double>(moved);
      size += mass[k] * length(cast<double>(moved));
    }
    EXPECT_GT(size, 0);
    EXPECT_LT(length(sum), (sizeof(Real) == 4 ? 1e-4 : 1e-9) * size);
  }
}

}  // namespace
}  // namespace pliant
