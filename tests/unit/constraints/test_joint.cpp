// Joints: the gradient of every coordinate against finite differences, and the bounded system of
// their rows against its own equations.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include "constraints/joint_coordinates.h"
#include "constraints/joint_system.h"
#include "math/trig.h"

namespace pliant {
namespace {

struct Random {
  std::mt19937 engine{11};
  double uniform(double a, double b) { return a + (b - a) * double(engine()) / 4294967296.0; }
  Vec3 vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Quat rotation() {
    return normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
  }
};

struct Motion3 {
  Vec3 v, w;
};

JointSideFrame moved(const JointSideFrame& side, const Motion3& m, double t) {
  const Quat turn = exp_quat(m.w * (t / 2));
  const Vec3 centre = side.centre + m.v * t;
  return {centre + rotate(turn, side.point - side.centre), centre, turn * side.axes};
}

// The two frames far apart and turned against each other by up to `swing`.
JointFrames random_frames(Random& random, double swing) {
  JointFrames f;
  f.a = {random.vector(1), random.vector(1), random.rotation()};
  const Vec3 turn{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  f.b = {random.vector(1), random.vector(1),
         f.a.axes * exp_quat(normalized(turn) * random.uniform(0, swing / 2))};
  return f;
}

double rate(const JointGradient& g, const Motion3& a, const Motion3& b) {
  return dot(g.along, b.v - a.v) + dot(g.about_b, b.w) - dot(g.about_a, a.w);
}

// Central differences over 2e-5 s of motions of some m/s and rad/s: the error is of the order of
// t^2 (1e-10) and of the rounding 1e-16 / 1e-5, both far below 1e-6. Near half a turn the twist is
// steep, so swings go to 2.6 rad.
constexpr double k_time = 1e-5, k_good = 1e-6;

double worst_error(const Joint& joint, double swing, bool wrong_arm) {
  Random random;
  double worst = 0;
  for (int n = 0; n < 2000; ++n) {
    const JointFrames frames = random_frames(random, swing);
    const Motion3 a{random.vector(1), random.vector(1)}, b{random.vector(1), random.vector(1)};
    JointGradients gradients = joint_gradients(joint, frames);
    const auto at = [&](double t) {
      return joint_coordinates(joint, {moved(frames.a, a, t), moved(frames.b, b, t)});
    };
    const JointCoordinates before = at(-k_time), after = at(k_time);
    for (std::size_t k = 0; k < k_joint_axes; ++k) {
      if (joint.distance && (k == 1 || k == 2)) continue;
      if (k == 6 && before[6] < 0.05) continue;  // has a kink at zero
      if (wrong_arm && k < 3)
        gradients[k].about_a = cross(frames.a.point - frames.a.centre, gradients[k].along);
      const double change = after[k] - before[k];
      const double seen = (k == 3 ? wrapped(change) : change) / (2 * k_time);
      worst = std::max(worst, std::abs(seen - rate(gradients[k], a, b)));
    }
  }
  return worst;
}

TEST(Joint, gradients_of_all_coordinates_are_their_derivatives) {
  Joint joint;
  joint.turns = true;
  EXPECT_LT(worst_error(joint, 2.6, false), k_good);
}

TEST(Joint, gradient_of_the_length_is_its_derivative) {
  Joint joint;
  joint.distance = true;
  EXPECT_LT(worst_error(joint, 2.6, false), k_good);
}

// The arm of side a ends at side b's point, because the axes turn with a.
TEST(Joint, negative_control_an_arm_to_the_own_point_is_noticed) {
  Joint joint;
  EXPECT_GT(worst_error(joint, 2.6, true), 0.1);
}

TEST(Joint, nearly_straight_joints_have_gradients_too) {
  Joint joint;
  joint.turns = true;
  JointFrames frames;
  const JointGradients g = joint_gradients(joint, frames);
  for (std::size_t k = 3; k < 6; ++k) {
    Vec3 e;
    e[int(k) - 3] = 1;
    EXPECT_LT(length(g[k].about_b - e), 1e-12) << k;
  }
}

// --- rows
// -------------------------------------------------------------------------------------------
// A chain of bodies between which rows pull, as joints of a chain do: row n holds bodies n and n+1.
struct RandomSystem {
  std::vector<double> impulse;
  JointSystem system;

  RandomSystem(Random& random, int joints, int rows_of_joint) : impulse(std::size_t(64)) {
    std::int32_t row_number = 0;
    for (int n = 0; n < joints; ++n) {
      const std::int32_t first = std::max(0, row_number - (n > 0 ? rows_of_joint : 0));
      for (int r = 0; r < rows_of_joint; ++r, ++row_number) {
        JointRow row;
        row.gradient = {random.vector(1), random.vector(1), random.vector(1)};
        const double light = 1 + 0.1 * n, next = 1.1 + 0.1 * n;
        const JointGradient& g = row.gradient;
        row.a = {n, light, g.along * light, g.about_a * (2 + 0.2 * n)};
        row.b = {n + 1, next, g.along * next, g.about_b * (2.2 + 0.2 * n)};
        row.softness = random.uniform(0.01, 1);
        row.target = random.uniform(-1, 1);
        row.order = 2;
        row.impulse = &impulse[std::size_t(row_number)];
        system.rows.push_back(row);
        system.first.push_back(first);
      }
    }
    assemble(system);
  }
};

// All pairs of rows, whether they lie in the envelope or not: velocities of every body from all
// changes, then the rate of the row.
double residual(const JointSystem& s, std::size_t i) {
  std::vector<Vec3> v(32), w(32);
  const auto mass = [](int body) { return 1 / (1 + 0.1 * body); };
  const auto inertia = [](int body) { return 1 / (2 + 0.2 * body); };
  for (const JointRow& row : s.rows) {
    const JointGradient& g = row.gradient;
    for (const auto& [body, sign, about] :
         {std::tuple{row.a.body, -1.0, g.about_a}, {row.b.body, 1.0, g.about_b}}) {
      v[std::size_t(body)] += g.along * (sign * row.change / mass(body));
      w[std::size_t(body)] += about * (sign * row.change / inertia(body));
    }
  }
  const JointRow& row = s.rows[i];
  const JointGradient& g = row.gradient;
  const std::size_t a = std::size_t(row.a.body), b = std::size_t(row.b.body);
  return row.target + row.softness * row.change + dot(g.along, v[b] - v[a]) + dot(g.about_b, w[b]) -
         dot(g.about_a, w[a]);
}

TEST(JointSystem, rows_without_bounds_are_solved) {
  Random random;
  for (int n = 0; n < 200; ++n) {
    RandomSystem random_system(random, 1 + n % 12, 1 + n % 5);
    JointSystem& s = random_system.system;
    solve_bounded(s);
    for (std::size_t i = 0; i < s.rows.size(); ++i) EXPECT_LT(std::abs(residual(s, i)), 1e-9);
    for (JointRow& row : s.rows) row.target = random.uniform(-1, 1);
    solve_again(s);
    for (std::size_t i = 0; i < s.rows.size(); ++i) EXPECT_LT(std::abs(residual(s, i)), 1e-9);
  }
}

TEST(JointSystem, bounded_rows_stay_inside_and_the_others_are_solved) {
  Random random;
  int at_bounds = 0;
  for (int n = 0; n < 500; ++n) {
    RandomSystem random_system(random, 3, 3);
    JointSystem& s = random_system.system;
    for (const std::size_t i : {5u, 6u})  // bounds come last
      s.rows[i].low = -0.05, s.rows[i].high = 0.05, s.rows[i].order = 0;
    for (const std::size_t i : {7u, 8u}) s.rows[i].low = 0, s.rows[i].order = 1;
    assemble(s);
    solve_bounded(s);
    for (std::size_t i = 0; i < s.rows.size(); ++i) {
      const JointRow& row = s.rows[i];
      const double p = *row.impulse + row.change;
      EXPECT_GE(p, row.low);
      EXPECT_LE(p, row.high);
      at_bounds += row.bound;
      if (!row.bound) {
        EXPECT_LT(std::abs(residual(s, i)), 1e-9);
      }
    }
  }
  EXPECT_GT(at_bounds, 300);  // the test has something to test
}

// A row that is there twice, as the last lock of a loop is.
TEST(JointSystem, redundant_rows_do_no_harm) {
  Random random;
  RandomSystem random_system(random, 1, 3);
  JointSystem& s = random_system.system;
  s.rows.push_back(s.rows[2]);
  s.first.push_back(0);
  for (JointRow& row : s.rows) row.softness = 0;
  assemble(s);
  solve_bounded(s);
  for (std::size_t i = 0; i < s.rows.size(); ++i) EXPECT_LT(std::abs(residual(s, i)), 1e-9);
}

}  // namespace
}  // namespace pliant
