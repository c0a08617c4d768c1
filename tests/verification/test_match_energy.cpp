// Energy of shape matching over many steps (item A08 of the deformable bodies).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <pliant/world.h>

#include "../random_points.h"
#include "verification/match_clouds.h"

namespace pliant {
namespace {

using test::Random;

// One step of the order in which the method was published, by the engine's goals:
// v += alpha (g - x) / h, x += h v. It has no damping of its own.
void published_step(MatchRig& rig, double alpha, double h) {
  rig.goals();
  for (std::size_t i = 0; i < rig.count(); ++i) {
    const Vec3 v = rig.velocity(i) + rig.way(i) * (alpha / h);
    Vec4& d = rig.particles.d[i];
    rig.set_velocity(i, v);
    d = {d.x + Real(v.x * h), d.y + Real(v.y * h), d.z + Real(v.z * h), d.w};
  }
}

struct Radii {
  double first = 0, last = 0;  // m, the greatest in the first and the last 1000 steps
};
// 27 points of a cube of half-size 1 m whose velocities have components of spread 0.3 m/s; steps of
// a second.
template <class Step>
Radii radii(double alpha, const Step& step) {
  Random random(84);
  std::normal_distribution<double> normal(0, 0.3);
  const std::vector<Vec3> rest = cube_points(3, 1);
  MatchRig rig({.frequency = frequency_of(alpha, 1)}, rest, rest,
               std::vector<double>(rest.size(), 1.0));
  for (std::size_t i = 0; i < rest.size(); ++i)
    rig.set_velocity(i, {normal(random.engine), normal(random.engine), normal(random.engine)});
  Radii out;
  for (int n = 0; n < 10000; ++n) {
    step(rig);
    Vec3 centre;
    for (std::size_t i = 0; i < rest.size(); ++i) centre += rig.place(i) / double(rest.size());
    double far = 0;
    for (std::size_t i = 0; i < rest.size(); ++i)
      far = std::max(far, length(rig.place(i) - centre));
    if (n < 1000) out.first = std::max(out.first, far);
    if (n >= 9000) out.last = std::max(out.last, far);
  }
  return out;
}

TEST(ShapeMatching, deformable_A08_as_published_it_swings_on_and_does_not_grow) {
  for (const double alpha : {0.5, 1.0}) {
    const Radii r = radii(alpha, [&](MatchRig& rig) { published_step(rig, alpha, 1); });
    EXPECT_NEAR(r.last, r.first, 0.05 * r.first) << alpha;
    EXPECT_GT(r.first, 1.1 * std::sqrt(3.0)) << alpha;  // it does swing
  }
}

// The engine's own order, of items of the elastic bodies, has damping: it never grows,
// and what is left in the end is the shape.
TEST(ShapeMatching, deformable_A08_does_not_gain_energy) {
  for (const double alpha : {0.5, 1.0}) {
    const Radii r = radii(alpha, [](MatchRig& rig) { rig.step(1); });
    EXPECT_LT(r.last, 1.05 * r.first) << alpha;
    EXPECT_GT(r.last, 0.9 * std::sqrt(3.0)) << alpha;
  }
}

// Of one mode e with velocity v the published step keeps alpha e^2 - alpha h e v + h^2 v^2, so its
// amplitude is the root of that. Without damping roundings add up: in float 1e4 of 1e-7 m, of 0.1
// m.
TEST(ShapeMatching, deformable_A08_the_amplitude_of_a_mode_is_constant_as_published) {
  const std::vector<Vec3> rest = cube_points(3, 1);
  for (const double alpha : {0.1, 0.5, 1.0})
    for (const double h : {1.0, 0.01}) {
      std::vector<Vec3> x;
      for (const Vec3& p : rest) x.push_back(p * 1.1);
      MatchRig rig({}, rest, x, std::vector<double>(rest.size(), 1.0));
      const auto amplitude = [&] {  // of the uniform scale, by a corner
        const double e = rig.place(26).x - 1, v = rig.velocity(26).x;
        return std::sqrt(e * e - h * e * v + h * h * v * v / alpha);
      };
      const double first = amplitude();
      ASSERT_NEAR(first, 0.1, 1e-6);
      double most = 0;
      for (int n = 0; n < 10000; ++n) {
        published_step(rig, alpha, h);
        most = std::max(most, std::abs(amplitude() / first - 1));
      }
      EXPECT_LT(most, tolerance(1e-6, 0.1)) << alpha << " " << h;
    }
}

TEST(ShapeMatching, energy_is_that_of_its_forces) {
  Random random(85);
  const TetMesh mesh = make_lattice(2, 2, 2, 0.5);
  for (const double beta : {0.0, 0.4}) {
    for (const MatchingMode mode : {MatchingMode::linear, MatchingMode::quadratic}) {
      if (!k_rig_double) return;  // differences of energies
      std::vector<Vec3> x;
      for (const Vec3& p : mesh.vertices) x.push_back(p + random.point(0.05));
      const Matching def{.mode = mode, .frequency = 3, .freedom = beta, .keep_volume = false};
      MatchRig rig(def, mesh.vertices, x, std::vector<double>(x.size(), 2.0),
                   find_clusters(mesh, 1));
      const auto energy_with = [&](std::size_t i, int k, double by) {
        std::vector<Vec3> moved = x;
        moved[i][k] += by;
        MatchRig other(def, mesh.vertices, moved, std::vector<double>(x.size(), 2.0),
                       find_clusters(mesh, 1));
        return match_energy(other.body.matching, other.particles.base.data(),
                            other.particles.d.data(), other.particles.force.data());
      };
      // A short step from rest moves by alpha times the mean way: f = m alpha way / h^2.
      const double h = 1e-5;
      rig.step(h);
      for (std::size_t i = 0; i < 5; ++i)
        for (int k = 0; k < 3; ++k) {
          const double force = 2 * rig.velocity(i)[k] / h;
          const double slope = (energy_with(i, k, 1e-6) - energy_with(i, k, -1e-6)) / 2e-6;
          EXPECT_NEAR(force, -slope, 1e-5 * (1 + std::abs(slope)));
        }
    }
  }
}

}  // namespace
}  // namespace pliant
