// Every constraint against its own definition: C is written down once more in a test,
// differentiated numerically in double, and the projection must move the particles by w J^T lambda
// with (J w J^T + a) lambda = -C. Random masses from 1 g to 1 kg, random compliance.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "verification/particle_rig.h"

namespace pliant {

inline constexpr bool k_double = sizeof(Real) == sizeof(double);
inline constexpr int k_tries = 1000;
// Central differences with a step of 1e-6 are good to 1e-9; the check asks for 1e-6 as the
// acceptance item does. Floats of size 1 are rounded by 6e-8, C of size 0.1 and the gradients
// carry some ten of these.
inline constexpr double k_gradient = k_double ? 1e-6 : 3e-5;
// Of the sum of the norms: a few roundings of each term.
inline constexpr double k_momentum = k_double ? 1e-9 : 2e-5;

using Places = std::vector<Vec3>;
using Equation = std::function<std::vector<double>(const Places&)>;  // one value or three

// To the precision of the library. Through memory: g++ 12 forgets the way to float and back where
// it vectorises.
inline double rounded(double x) {
  volatile Real r = Real(x);
  return double(r);
}
inline Vec3 rounded(const Vec3& p) { return {rounded(p.x), rounded(p.y), rounded(p.z)}; }

struct Random {
  std::mt19937 engine{7};
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  Vec3 vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  double mass() { return std::pow(10.0, uniform(-3, 0)); }
};

// dC_k / dx_i by central differences.
inline std::vector<std::vector<Vec3>> jacobian(const Equation& equation, const Places& x) {
  const double step = 1e-6;
  std::vector<std::vector<Vec3>> rows(equation(x).size(), std::vector<Vec3>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      Places plus = x, minus = x;
      plus[i][axis] += step;
      minus[i][axis] -= step;
      const auto high = equation(plus), low = equation(minus);
      for (std::size_t k = 0; k < rows.size(); ++k)
        rows[k][i][axis] = (high[k] - low[k]) / (2 * step);
    }
  return rows;
}

// What a projection should do. Rows of a vector constraint are orthogonal: J w J^T is diagonal.
inline Places expected_motion(const Equation& equation, const Places& x,
                              const std::vector<double>& w, double a) {
  const auto rows = jacobian(equation, x);
  const std::vector<double> c = equation(x);
  Places motion(x.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (c[k] == 0) continue;  // satisfied: nothing moves
    double denominator = a;
    for (std::size_t i = 0; i < x.size(); ++i) denominator += w[i] * length_sq(rows[k][i]);
    for (std::size_t i = 0; i < x.size(); ++i)
      motion[i] += rows[k][i] * (-c[k] / denominator * w[i]);
  }
  return motion;
}

struct Trial {
  Places x;
  std::vector<double> mass, w;
  double compliance = 0;
};
inline Trial random_trial(Random& random, int particles) {
  Trial t;
  for (int i = 0; i < particles; ++i) {
    const Vec3 p = random.vector(1);
    t.x.push_back(rounded(p));
    t.mass.push_back(random.mass());
    t.w.push_back(double(Real(1 / t.mass.back())));
  }
  t.compliance = double(Real(std::pow(10.0, random.uniform(-6, 1))));
  return t;
}

inline Places moved(const ParticleRig& rig) {
  Places out;
  for (std::int32_t i = 0; i < rig.body.count; ++i) {
    const Vec4& d = rig.particles.d[std::size_t(i)];
    out.push_back({double(d.x), double(d.y), double(d.z)});
  }
  return out;
}

inline double size_of(const Places& x) {
  double sum = 0;
  for (const Vec3& p : x) sum += length(p);
  return sum;
}

inline void expect_same(const Places& found, const Places& expected, int attempt) {
  double error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) error += length(found[i] - expected[i]);
  EXPECT_LE(error, k_gradient * (size_of(expected) + (k_double ? 1e-9 : 5e-3)))
      << "try " << attempt;
}

inline void expect_momentum_kept(const Places& motion, const Trial& t, int attempt) {
  Vec3 linear, angular;
  double linear_size = 0, angular_size = 0;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const Vec3 p = motion[i] / t.w[i];
    linear += p;
    angular += cross(t.x[i], p);
    linear_size += length(p);
    angular_size += length(cross(t.x[i], p));
  }
  EXPECT_LE(length(linear), k_momentum * linear_size + 1e-30) << "try " << attempt;
  EXPECT_LE(length(angular), k_momentum * (angular_size + linear_size) + 1e-30)
      << "try " << attempt;
}

// One projection with h = 1, so that a is the compliance.
inline Places project_once(const ConstraintRows& rows, const Trial& t) {
  ParticleRig rig(rows, t.x, t.mass);
  refresh_constraint_bases(rig.particles, rig.body, nullptr);
  project_internal(rig.particles, rig.body, {1, 0, {}, 1, nullptr});
  return moved(rig);
}

inline void check(const char* name, int particles,
                  const std::function<Equation(Random&, Trial&, ConstraintRows&)>& make) {
  SCOPED_TRACE(name);
  Random random;
  for (int n = 0; n < k_tries; ++n) {
    Trial t = random_trial(random, particles);
    ConstraintRows rows;
    const Equation equation = make(random, t, rows);
    const Places motion = project_once(rows, t);
    expect_same(motion, expected_motion(equation, t.x, t.w, t.compliance), n);
    expect_momentum_kept(motion, t, n);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace pliant
