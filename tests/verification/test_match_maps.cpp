// The maps that shape matching finds: rotations, linear and quadratic ones, of clusters (item A08
// of the deformable bodies).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/world.h>

#include "../random_points.h"
#include "verification/match_clouds.h"

namespace pliant {
namespace {

using test::Random;

TEST(ShapeMatching, deformable_A08_a_moved_cube_is_found_and_its_goals_reached_in_a_step) {
  Random random(81);
  const std::vector<Vec3> rest = cube_points(6, 0.2);
  const Quat turn = random.rotation();
  std::vector<Vec3> x, off;
  for (const Vec3& p : rest) {
    x.push_back(rotate(turn, p) + Vec3{0.3, -0.2, 0.5});
    off.push_back(p + random.point(0.02));
  }
  MatchRig moved({}, rest, x, std::vector<double>(rest.size(), 1.0));
  EXPECT_LT(moved.rms_way(), tolerance(1e-10, 1e-6));
  EXPECT_LT(error_of(moved.rotation(), matrix_of(turn)), tolerance(1e-10, 1e-5));
  // t, from the goals: their mean, as that of the rest shape is at the origin.
  Vec3 t;
  for (std::size_t i = 0; i < rest.size(); ++i)
    t += (moved.place(i) + moved.way(i)) / double(rest.size());
  EXPECT_LT(length(t - Vec3{0.3, -0.2, 0.5}), tolerance(1e-10, 1e-6));
  MatchRig rough({.frequency = 1e9}, rest, off, std::vector<double>(rest.size(), 1.0));
  rough.goals();
  std::vector<Vec3> goals;
  for (std::size_t i = 0; i < rest.size(); ++i) goals.push_back(rough.place(i) + rough.way(i));
  rough.step(0.01);
  for (std::size_t i = 0; i < rest.size(); ++i)
    EXPECT_LT(length(rough.place(i) - goals[i]), tolerance(1e-12, 1e-6));
}

TEST(ShapeMatching, deformable_A08_a_quadratic_map_is_recovered) {
  Random random(82);
  std::vector<Vec3> rest, x;
  for (int i = 0; i < 20; ++i) rest.push_back(random.point(1));
  Vec3 columns[9];
  for (std::size_t k = 0; k < 9; ++k) columns[k] = random.point(0.2);
  for (std::size_t k = 0; k < 3; ++k) columns[k][int(k)] += 1;
  for (const Vec3& q : rest) {
    const double t[] = {q.x,       q.y,       q.z,       q.x * q.x, q.y * q.y,
                        q.z * q.z, q.x * q.y, q.y * q.z, q.z * q.x};
    Vec3 p{0.1, 0.2, 0.3};
    for (std::size_t k = 0; k < 9; ++k) p += columns[k] * t[k];
    x.push_back(p);
  }
  const std::vector<double> mass = std::vector<double>(rest.size(), 1.0);
  Matching def{.mode = MatchingMode::quadratic, .freedom = 1, .keep_volume = false};
  MatchRig quadratic(def, rest, x, mass);
  EXPECT_LT(quadratic.rms_way(), tolerance(1e-8, 1e-4));
  def.mode = MatchingMode::linear;
  MatchRig linear(def, rest, x, mass);
  EXPECT_GT(linear.rms_way(), 0.01);
}

TEST(ShapeMatching, deformable_A08_kept_volume_no_impulse_and_a_proper_rotation) {
  Random random(83);
  const std::vector<Vec3> rest = cube_points(4, 0.3);
  const std::vector<double> mass(rest.size(), 1.0);
  std::vector<Vec3> x, mirrored;
  for (const Vec3& p : rest) {
    x.push_back({1.3 * p.x + 0.2 * p.y, 0.9 * p.y, 1.2 * p.z + 0.1 * p.x});
    mirrored.push_back({p.x, p.y, -p.z * 0.7});
  }
  MatchRig keeps({.freedom = 1, .keep_volume = true}, rest, x, mass);
  keeps.goals();
  const MatchMap& map = keeps.body.matching.scratch.maps[0];
  const double size = double(keeps.body.matching.groups[0].size[0]);
  const Vec3R* c = map.column.data();
  const double det = double(dot(c[0], cross(c[1], c[2]))) / (size * size * size);
  EXPECT_NEAR(det, 1, tolerance(1e-12, 1e-5));
  MatchRig turned({}, rest, mirrored, mass);
  turned.goals();
  EXPECT_NEAR(determinant(turned.rotation()), 1, tolerance(1e-12, 1e-5));
  // Impulses of overlapping clusters of all kinds sum to nothing, also about the origin.
  for (const MatchingMode mode :
       {MatchingMode::rigid, MatchingMode::linear, MatchingMode::quadratic}) {
    const TetMesh mesh = make_lattice(4, 3, 3, 0.2);
    std::vector<Vec3> shaken;
    for (const Vec3& p : mesh.vertices) shaken.push_back(p + random.point(0.05));
    std::vector<double> masses;
    for (std::size_t i = 0; i < shaken.size(); ++i) masses.push_back(1 + random.number(0.5));
    MatchRig rig({.mode = mode, .frequency = 1e9, .freedom = 0.6}, mesh.vertices, shaken, masses,
                 find_clusters(mesh, 2));
    ASSERT_GT(rig.body.matching.cluster_count(), 8);
    rig.step(1);
    Vec3 sum, torque;
    double size_of_all = 0;
    for (std::size_t i = 0; i < shaken.size(); ++i) {
      const Vec3 impulse = rig.velocity(i) * masses[i];
      sum += impulse, torque += cross(rig.place(i), impulse);
      size_of_all += length(impulse);
    }
    EXPECT_GT(size_of_all, 0.1);
    EXPECT_LT(length(sum), tolerance(1e-12, 1e-5) * size_of_all);
    EXPECT_LT(length(torque), tolerance(1e-12, 1e-5) * size_of_all);
  }
}

}  // namespace
}  // namespace pliant
