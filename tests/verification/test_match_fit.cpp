// The rotation that shape matching takes is the best one (items of the elastic bodies).
// Tolerances are those of the items in double; in float some roundings of the sizes involved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/world.h>

#include "../random_points.h"
#include "verification/match_clouds.h"

namespace pliant {
namespace {

using test::Random;

std::vector<Vec3> random_cloud(Random& random, int count) {
  std::vector<Vec3> cloud;
  for (int i = 0; i < count; ++i)
    cloud.push_back({random.number(1), random.number(0.3), random.number(0.1)});
  return cloud;
}
std::vector<double> random_masses(Random& random, std::size_t count) {
  std::vector<double> mass(count);
  for (double& m : mass) m = 1 + random.number(0.9);
  return mass;
}

TEST(ShapeMatching, elastic_A01_rigid_motion_is_recovered) {
  Random random(1);
  for (int n = 0; n < 1000; ++n) {
    const std::vector<Vec3> rest = random_cloud(random, 12);
    const Quat turn = random.rotation();
    const Vec3 shift = random.point(1);
    std::vector<Vec3> x;
    for (const Vec3& p : rest) x.push_back(rotate(turn, p) + shift);
    MatchRig rig({}, rest, x, random_masses(random, rest.size()));
    rig.goals();
    const Mat3 r = rig.rotation();
    EXPECT_LT(error_of(r, matrix_of(turn)), tolerance(1e-10, 1e-5));
    EXPECT_LT(error_of(r * transposed(r), Mat3{}), tolerance(1e-12, 3e-6));
    EXPECT_NEAR(determinant(r), 1, tolerance(1e-12, 3e-6));
    for (std::size_t i = 0; i < rest.size(); ++i)
      EXPECT_LT(length(rig.way(i)), tolerance(1e-10, 1e-5));
  }
}

struct Fit {
  double residual = 0;
  Vec3 torque;      // sum m p x R q
  double size = 0;  // sum m |p| |q|
};
Fit fit_of(const Mat3& r, const std::vector<Vec3>& rest, const std::vector<Vec3>& x,
           const std::vector<double>& mass) {
  Vec3 t0, t;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    t0 += rest[i] * mass[i], t += x[i] * mass[i];
    sum += mass[i];
  }
  Fit fit;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 q = rest[i] - t0 / sum, p = x[i] - t / sum, goal = r * q;
    fit.residual += mass[i] * length_sq(goal - p);
    fit.torque += mass[i] * cross(p, goal);
    fit.size += mass[i] * length(p) * length(q);
  }
  return fit;
}

// The rotation of a matrix by columns.
Mat3 rotation_of(const Mat3& m) {
  Mat3W wide;
  for (int c = 0; c < 3; ++c)
    wide.c[c] = {splat(Real(m.row[0][c])), splat(Real(m.row[1][c])), splat(Real(m.row[2][c]))};
  const Mat3W turned = nearest_rotation(wide);
  Mat3 r;
  for (int c = 0; c < 3; ++c) {
    r.row[0][c] = double(turned.c[c].x[0]);
    r.row[1][c] = double(turned.c[c].y[0]);
    r.row[2][c] = double(turned.c[c].z[0]);
  }
  return r;
}

TEST(ShapeMatching, elastic_A02_no_other_rotation_fits_better_and_no_torque_is_left) {
  Random random(2);
  double worse = 0;
  for (int n = 0; n < 100; ++n) {
    const std::vector<Vec3> rest = random_cloud(random, 15);
    const std::vector<double> mass = random_masses(random, rest.size());
    std::vector<Vec3> x;
    for (const Vec3& p : rest)
      x.push_back(p + Vec3{0.4 * p.y, 0.6 * p.x * p.x, 0.3 * p.x} + random.point(0.1));
    MatchRig rig({}, rest, x, mass);
    rig.goals();
    const Mat3 r = rig.rotation();
    const Fit fit = fit_of(r, rest, x, mass);
    EXPECT_LT(length(fit.torque), tolerance(1e-10, 1e-5) * fit.size);
    const double rounding = tolerance(1e-12, 1e-6) * fit.residual;
    for (int k = 0; k < 1000; ++k) {
      const Vec3 v = random.point(0.3);
      const Mat3 other = matrix_of(normalized(Quat{v.x, v.y, v.z, 1})) * r;
      EXPECT_LE(fit.residual, fit_of(other, rest, x, mass).residual + rounding);
    }
    const Mat3 from_map = rotation_of(linear_map(rest, x, mass));
    const double residual = fit_of(from_map, rest, x, mass).residual;
    EXPECT_LE(fit.residual, residual + rounding);
    worse = std::max(worse, residual / fit.residual);
    Vec3 impulse;
    double impulses = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      impulse += mass[i] * rig.way(i);
      impulses += mass[i] * length(rig.way(i));
    }
    EXPECT_LT(length(impulse), tolerance(1e-12, 1e-6) * impulses + tolerance(1e-15, 1e-6));
  }
  EXPECT_GT(worse, 1.01);  // the rotation of the linear map is another
}

struct Sheared {
  double momentum = 0;  // most that it ever had
  double angle = 0;     // degrees
};
// A box with shear 0.3 let go, step by step as the rig does it; the rotation from M or from A.
Sheared let_go(bool from_map) {
  const std::vector<Vec3> rest = box_points();
  const std::vector<double> mass(rest.size(), 1.0);
  std::vector<Vec3> x, v(rest.size());
  for (const Vec3& p : rest) x.push_back({p.x, p.y + 0.3 * p.x, p.z});
  const double h = 0.01, alpha = 0.2;
  Sheared result;
  Mat3 r;
  for (int n = 0; n < 400; ++n) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += v[i] * h;
    Mat3 pq{{{}, {}, {}}};
    Vec3 centre, momentum;
    for (const Vec3& p : x) centre += p / double(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int k = 0; k < 3; ++k) pq.row[k] += rest[i] * (x[i] - centre)[k];
    r = rotation_of(from_map ? linear_map(rest, x, mass) : pq);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3 u = (r * rest[i] + centre - x[i]) * alpha;
      x[i] += u, v[i] += u / h;
      momentum += cross(x[i], v[i]);
    }
    result.momentum = std::max(result.momentum, length(momentum));
  }
  result.angle = std::atan2(r.row[1][0], r.row[0][0]) * 180 / 3.14159265358979323846;
  return result;
}

TEST(ShapeMatching, elastic_A02_a_sheared_box_let_go_does_not_begin_to_turn) {
  const std::vector<Vec3> rest = box_points();
  std::vector<Vec3> x;
  for (const Vec3& p : rest) x.push_back({p.x, p.y + 0.3 * p.x, p.z});
  MatchRig rig({.frequency = frequency_of(0.2, 0.01)}, rest, x,
               std::vector<double>(rest.size(), 1.0));
  double most = 0;
  for (int n = 0; n < 400; ++n) {
    rig.step(0.01);
    Vec3 momentum;
    for (std::size_t i = 0; i < rest.size(); ++i) momentum += cross(rig.place(i), rig.velocity(i));
    most = std::max(most, length(momentum));
  }
  rig.goals();
  const Mat3 r = rig.rotation();
  const double angle = std::atan2(r.row[1][0], r.row[0][0]) * 180 / 3.14159265358979323846;
  // In float a step's goals are rounded by 2e-7 m of 2 m, each a velocity of 4e-6 m/s on 20 masses
  // at arms of 2 m; 400 of them add up to less than 0.05 of what the wrong rotation makes, 183.
  EXPECT_LT(most, tolerance(1e-9, 0.05));
  EXPECT_NEAR(std::abs(angle), 14.93, tolerance(0.01, 0.05));
  const Sheared wrong = let_go(true);
  EXPECT_GT(wrong.momentum, 100);  // a torque from nowhere
  EXPECT_NEAR(std::abs(wrong.angle), 8.53, tolerance(0.01, 0.05));
}

TEST(ShapeMatching, elastic_A03_what_is_flat_a_line_a_point_or_mirrored_returns) {
  const std::vector<Vec3> rest = box_points();
  const Vec3 scales[] = {{1, 1, 0}, {1, 0, 0}, {0, 0, 0}, {1, 1, -1}};
  for (const Vec3& scale : scales) {
    std::vector<Vec3> x;
    for (const Vec3& p : rest) x.push_back(scaled(p, scale));
    MatchRig rig({.frequency = frequency_of(0.5, 0.01)}, rest, x,
                 std::vector<double>(rest.size(), 1.0));
    EXPECT_GT(rig.rms_way(), 0.1);
    for (int n = 0; n < 200; ++n) {
      rig.step(0.01);
      rig.goals();
      const Mat3 r = rig.rotation();
      ASSERT_NEAR(determinant(r), 1, tolerance(1e-12, 1e-4));
      for (std::size_t i = 0; i < rest.size(); ++i) ASSERT_TRUE(finite(rig.place(i)));
    }
    EXPECT_LT(rig.rms_way(), 1e-3 * 4);
  }
}

// The same to one body, one after the other, across its own axes.
TEST(ShapeMatching, elastic_A03_one_body_returns_from_all_of_them) {
  Random random(3);
  const std::vector<Vec3> rest = box_points();
  MatchRig rig({.frequency = frequency_of(0.5, 0.01)}, rest, rest,
               std::vector<double>(rest.size(), 1.0));
  const Vec3 scales[] = {{1, 1, 0}, {1, 0, 0}, {0, 0, 0}, {1, 1, -1}};
  for (const Vec3& scale : scales) {
    const Mat3 axes = matrix_of(random.rotation());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const Vec3 there = transposed(axes) * scaled(axes * rig.place(i), scale);
      const Vec4& b = rig.particles.base[i];
      Vec4& d = rig.particles.d[i];
      d = {Real(there.x) - b.x, Real(there.y) - b.y, Real(there.z) - b.z, d.w};
      rig.set_velocity(i, {});
    }
    EXPECT_GT(rig.rms_way(), 0.1);
    for (int n = 0; n < 200; ++n) {
      rig.step(0.01);
      rig.goals();
      ASSERT_NEAR(determinant(rig.rotation()), 1, tolerance(1e-12, 1e-4));
      for (std::size_t i = 0; i < rest.size(); ++i) ASSERT_TRUE(finite(rig.place(i)));
    }
    EXPECT_LT(rig.rms_way(), 1e-3 * 4);
  }
}

}  // namespace
}  // namespace pliant
