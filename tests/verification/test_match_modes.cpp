// How deformations swing under shape matching, and its limits (items of the elastic
// bodies).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/world.h>

#include "../random_points.h"
#include "verification/match_clouds.h"

namespace pliant {
namespace {

using test::Random;

// The scale of a cloud against its rest shape, less 1.
double scale_of(const MatchRig& rig, const std::vector<Vec3>& rest) {
  double with = 0, of = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    with += dot(rig.place(i), rest[i]);
    of += length_sq(rest[i]);
  }
  return with / of - 1;
}
double law(double a, int n) {
  return 0.1 * std::pow(1 - a, n / 2.0) * std::cos(n * std::acos(std::sqrt(1 - a)));
}
MatchRig swollen(Matching def, double alpha, double h) {
  def.frequency = frequency_of(alpha, h);
  const std::vector<Vec3> rest = box_points();
  std::vector<Vec3> x;
  for (const Vec3& p : rest) x.push_back(p * 1.1);
  return MatchRig(def, rest, x, std::vector<double>(rest.size(), 1.0));
}

TEST(ShapeMatching, elastic_A04_deformation_swings_by_its_law) {
  EXPECT_NEAR(law(0.1, 10), -0.05887893888, 1e-11);
  EXPECT_NEAR(law(0.1, 60), 0.003806942852, 1e-12);
  for (const double h : {0.01, 1.0 / 240})
    for (const double alpha : {0.1, 0.5, 1.0}) {
      MatchRig rig = swollen({}, alpha, h);
      for (int n = 1; n <= 60; ++n) {
        rig.step(h);
        EXPECT_NEAR(scale_of(rig, box_points()), law(alpha, n), tolerance(1e-10, 2e-6));
      }
    }
}

TEST(ShapeMatching, elastic_A05_freedom_softens_linear_modes) {
  const double h = 0.01, alpha = 0.3;
  for (const double beta : {0.3, 0.9, 1.0}) {
    MatchRig rig = swollen({.freedom = beta, .keep_volume = false}, alpha, h);
    for (int n = 1; n <= (beta < 1 ? 60 : 1000); ++n) {
      rig.step(h);
      ASSERT_NEAR(scale_of(rig, box_points()), law(alpha * (1 - beta), n),
                  tolerance(1e-10, beta < 1 ? 5e-6 : 1e-5));
    }
  }
  MatchRig keeps = swollen({.freedom = 1, .keep_volume = true}, alpha, h);
  for (int n = 1; n <= 60; ++n) {
    keeps.step(h);
    EXPECT_NEAR(scale_of(keeps, box_points()), law(alpha, n), tolerance(1e-10, 5e-6));
  }
}

TEST(ShapeMatching, elastic_A06_its_limits_are_free_particles_and_a_rigid_body) {
  Random random(6);
  const double h = 0.01;
  const std::vector<Vec3> rest = box_points();
  const std::vector<double> mass(rest.size(), 1.0);
  const Vec3 gravity{0, -9.81, 0};
  MatchRig loose({.frequency = 0}, rest, rest, mass), stiff({.frequency = 1e9}, rest, rest, mass);
  ASSERT_EQ(match_share(1e9, h), 1.0);
  MatchRig single = loose;
  single.body.matching = {};  // no constraints at all
  Vec3 before;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Vec3 v = random.point(1);
    loose.set_velocity(i, v), single.set_velocity(i, v);
    stiff.set_velocity(i, cross(Vec3{1, 2, 3}, rest[i]) + Vec3{1, 0, 0});
    before += stiff.velocity(i);
  }
  for (int n = 0; n < 1000; ++n) {
    loose.step(h, gravity), single.step(h, gravity), stiff.step(h);
    for (std::size_t i = 0; i < rest.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        ASSERT_NEAR(length(stiff.place(i) - stiff.place(j)), length(rest[i] - rest[j]),
                    tolerance(1e-9, 1e-4));
  }
  Vec3 after;
  double speeds = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    EXPECT_EQ(loose.place(i), single.place(i));
    EXPECT_EQ(loose.velocity(i), single.velocity(i));
    after += stiff.velocity(i);
    speeds += length(stiff.velocity(i));
  }
  EXPECT_LT(length(after - before), tolerance(1e-12, 5e-3) * speeds);
  EXPECT_GT(length(single.place(0) - single.place(1)), 2);  // these fly apart
}

}  // namespace
}  // namespace pliant
