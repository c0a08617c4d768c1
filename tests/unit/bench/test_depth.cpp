// The benchmarks' judge of overlaps, against closed forms and brute force.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bench/depth.h"
#include "bench/topology.h"

namespace pliant::bench {
namespace {

Quat turned(const Vec3& axis, double angle) {
  const Vec3 n = normalized(axis) * std::sin(angle / 2);
  return {n.x, n.y, n.z, std::cos(angle / 2)};
}

const Box k_unit{{0.5, 0.5, 0.5}};

TEST(BenchDepth, AlignedBoxesOverlapByTheLeastSide) {
  const Box flat{{1, 0.25, 2}};
  EXPECT_NEAR(shape_depth(k_unit, {{0, 0, 0}, {}}, flat, {{0.3, 0.7, 0.1}, {}}), 0.05, 1e-12);
  EXPECT_EQ(shape_depth(k_unit, {{0, 0, 0}, {}}, flat, {{0.3, 0.76, 0.1}, {}}), 0);
}

TEST(BenchDepth, BoxStandingOnItsEdgeReachesByItsHalfDiagonal) {
  const Quat q = turned({0, 0, 1}, std::numbers::pi / 4);
  const double reach = 0.5 + std::sqrt(0.5);
  EXPECT_NEAR(shape_depth(k_unit, {{0, 0, 0}, {}}, k_unit, {{0, reach - 0.01, 0}, q}), 0.01, 1e-12);
  EXPECT_EQ(shape_depth(k_unit, {{0, 0, 0}, {}}, k_unit, {{0, reach + 0.01, 0}, q}), 0);
}

// Edge along z at the top of a, edge along x at the bottom of b: both boxes stand on an edge, so
// the axis is the product of the two edges and no face normal separates them.
TEST(BenchDepth, CrossedEdgesOverlapAlongTheirProduct) {
  const Quat qa = turned({0, 0, 1}, std::numbers::pi / 4);
  const Quat qb = turned({1, 0, 0}, std::numbers::pi / 4);
  const double touch = 2 * std::sqrt(0.5);
  EXPECT_NEAR(shape_depth(k_unit, {{0, 0, 0}, qa}, k_unit, {{0, touch - 0.02, 0}, qb}), 0.02,
              1e-12);
  EXPECT_EQ(shape_depth(k_unit, {{0, 0, 0}, qa}, k_unit, {{0, touch + 0.02, 0}, qb}), 0);
}

TEST(BenchDepth, SpheresBoxesAndHalfSpaces) {
  EXPECT_NEAR(shape_depth(Sphere{1}, {{0, 0, 0}, {}}, Sphere{2}, {{0, 2.9, 0}, {}}), 0.1, 1e-12);
  EXPECT_NEAR(shape_depth(Sphere{1}, {{0, 1.45, 0}, {}}, k_unit, {{0, 0, 0}, {}}), 0.05, 1e-12);
  // Near a corner the distance is along the diagonal; with the centre inside, out by the next face.
  const Vec3 corner = Vec3{0.5, 0.5, 0.5} + Vec3{0.9, 0.9, 0.9} / std::sqrt(3.0);
  EXPECT_NEAR(shape_depth(k_unit, {{0, 0, 0}, {}}, Sphere{1}, {corner, {}}), 0.1, 1e-12);
  EXPECT_NEAR(shape_depth(k_unit, {{0, 0, 0}, {}}, Sphere{1}, {{0.4, 0, 0}, {}}), 1.1, 1e-12);
  const Quat q = turned({1, 0, 0}, std::numbers::pi / 4);
  EXPECT_NEAR(shape_depth(HalfSpace{}, {{0, 1, 0}, {}}, k_unit, {{3, 1.7, 0}, q}),
              std::sqrt(0.5) - 0.7, 1e-12);
  EXPECT_EQ(shape_depth(k_unit, {{3, 1.8, 0}, q}, HalfSpace{}, {{0, 1, 0}, {}}), 0);
}

// How far the box reaches from its centre along n, by its corners.
double corner_reach(const Box& box, const Transform& pose, const Vec3& n) {
  double reach = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign{corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0};
    reach = std::max(reach, dot(rotate(pose.rotation, scaled(sign, box.half)), n));
  }
  return reach;
}

// The least overlap along any of many directions: never less than the depth, and close to it.
double sampled_depth(const Box& a, const Transform& pose_a, const Box& b, const Transform& pose_b,
                     const std::vector<Vec3>& directions) {
  double least = 1e9;
  for (const Vec3& n : directions) {
    const double offset = std::abs(dot(pose_b.position - pose_a.position, n));
    least = std::min(least, corner_reach(a, pose_a, n) + corner_reach(b, pose_b, n) - offset);
  }
  return least;
}

TEST(BenchDepth, RandomBoxesAgreeWithManyDirections) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Vec3> directions;
  while (directions.size() < 20000) {
    const Vec3 v{u(random), u(random), u(random)};
    if (length(v) > 0.1 && length(v) < 1) directions.push_back(normalized(v));
  }
  int overlapping = 0, apart = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Box a{{0.6 + 0.3 * u(random), 0.6, 0.5}}, b{{0.5, 0.4, 0.6 + 0.2 * u(random)}};
    const Transform pose_a{{}, turned({u(random), u(random), u(random)}, 3 * u(random))};
    const Transform pose_b{Vec3{u(random), u(random), u(random)} * 1.4,
                           turned({u(random), u(random), u(random)}, 3 * u(random))};
    const double depth = shape_depth(a, pose_a, b, pose_b);
    const double sampled = sampled_depth(a, pose_a, b, pose_b, directions);
    EXPECT_GE(std::max(sampled, 0.0), depth - 1e-12);
    EXPECT_LE(sampled, depth + 0.03);  // directions are about 0.02 rad apart, arms up to 1.5 m
    overlapping += depth > 0;
    apart += depth == 0;
  }
  EXPECT_GT(overlapping, 20);
  EXPECT_GT(apart, 20);
}

TEST(BenchDepth, DistanceToATriangleFromEachRegion) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  EXPECT_NEAR(distance_to_triangle({0.2, 0.2, 0.7}, a, b, c), 0.7, 1e-12);
  EXPECT_NEAR(distance_to_triangle({-3, -4, 0}, a, b, c), 5, 1e-12);
  EXPECT_NEAR(distance_to_triangle({4, 0, 4}, a, b, c), 5, 1e-12);
  EXPECT_NEAR(distance_to_triangle({0, 2, 0}, a, b, c), 1, 1e-12);
  EXPECT_NEAR(distance_to_triangle({0.5, -2, 0}, a, b, c), 2, 1e-12);
  EXPECT_NEAR(distance_to_triangle({1, 1, 0}, a, b, c), std::sqrt(0.5), 1e-12);
}

// The solid angle that the closed surface fills around p, over 4 pi: 1 inside, 0 outside
// (Van Oosterom and Strackee 1983).
double winding(const std::vector<Triangle>& surface, const std::vector<Vec3>& x, const Vec3& p) {
  double sum = 0;
  for (const Triangle& t : surface) {
    const Vec3 a = x[std::size_t(t[0])] - p, b = x[std::size_t(t[1])] - p,
               c = x[std::size_t(t[2])] - p;
    const double la = length(a), lb = length(b), lc = length(c);
    sum += 2 * std::atan2(dot(a, cross(b, c)),
                          la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

TEST(BenchDepth, DepthInADeformedSolidAgreesWithTheWindingNumber) {
  const TetMesh mesh = make_lattice(4, 3, 5, 0.25);
  std::vector<Vec3> x = mesh.vertices;
  for (Vec3& p : x) p += Vec3{0.1 * std::sin(4 * p.y), 0.08 * std::cos(3 * p.z), 0.2 * p.x * p.y};
  SolidDepth solid(mesh);
  solid.update(x);
  const std::vector<Triangle> surface = boundary(mesh.tetrahedra);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-0.8, 0.8);
  int inside = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 p{u(random), u(random), u(random)};
    double least = 1e9;
    for (const Triangle& t : surface)
      least = std::min(least, distance_to_triangle(p, x[std::size_t(t[0])], x[std::size_t(t[1])],
                                                   x[std::size_t(t[2])]));
    const bool in = winding(surface, x, p) > 0.5;
    EXPECT_NEAR(solid.depth(p), in ? least : 0, 1e-12);
    inside += in;
  }
  EXPECT_GT(inside, 100);
}

TEST(BenchDepth, CentreOfACubeIsHalfItsSideDeep) {
  SolidDepth solid(make_lattice(3, 3, 3, 0.2));
  solid.update(make_lattice(3, 3, 3, 0.2).vertices);
  EXPECT_NEAR(solid.depth({0.01, 0.02, 0}), 0.28, 1e-12);
  EXPECT_EQ(solid.depth({0.31, 0, 0}), 0);
}

}  // namespace
}  // namespace pliant::bench
