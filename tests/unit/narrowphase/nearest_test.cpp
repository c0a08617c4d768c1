// Where triangles are nearest to a shape, eight at once, against a grid of points of each triangle
// and against a twin of another method; and which way out of a box is taken at its edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "narrowphase/nearest_wide.h"
#include "narrowphase/refresh_parts.h"
#include "random_points.h"
#include "unit/narrowphase/deepest.h"

namespace pliant {
namespace {

using test::Random;

using Corners = std::array<Vec3, 3>;

double distance_at(const ShapeNumbers<double>& shape, const Corners& x,
                   const std::array<double, 3>& w) {
  Vec3 gradient;
  return signed_distance(shape, test::point_of(x, w), gradient);
}

double least_by_sampling(const ShapeNumbers<double>& shape, const Corners& x) {
  constexpr int k_parts = 60;
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i <= k_parts; ++i)
    for (int j = 0; i + j <= k_parts; ++j) {
      const double s = double(i) / k_parts, t = double(j) / k_parts;
      least = std::min(least, distance_at(shape, x, {1 - s - t, s, t}));
    }
  return least;
}

const WeightsW k_middle{{splat(Real(1. / 3)), splat(Real(1. / 3)), splat(Real(1. / 3))}};
const RealW k_everywhere = splat(std::numeric_limits<Real>::max());

NearestW find(const ShapeNumbers<double>& shape, const std::vector<Corners>& eight,
              const WeightsW& start, RealW reach, Descent descent) {
  TrianglesW t{};
  for (int k = 0; k < k_wide; ++k)
    for (std::size_t n = 0; n < 3; ++n) {
      const Vec3& x = eight[std::size_t(k)][n];
      t.corner[n].x[k] = Real(x.x);
      t.corner[n].y[k] = Real(x.y);
      t.corner[n].z[k] = Real(x.z);
    }
  return nearest_on_triangles({shape.kind, cast<Real>(shape.half), Real(shape.radius)}, t, start,
                              reach, descent);
}

std::array<double, 3> lane(const WeightsW& w, int k) {
  return {double(w.of[0][k]), double(w.of[1][k]), double(w.of[2][k])};
}

std::vector<Corners> random_triangles(Random& random, double far, double size) {
  std::vector<Corners> eight;
  for (int k = 0; k < k_wide; ++k) {
    const Vec3 middle = random.point(far);
    eight.push_back(
        {middle + random.point(size), middle + random.point(size), middle + random.point(size)});
  }
  return eight;
}

const ShapeNumbers<double> k_shapes[] = {{ShapeKind::sphere, {}, 0.5},
                                         {ShapeKind::capsule, {0, 0.4, 0}, 0.3},
                                         {ShapeKind::box, {0.5, 0.3, 0.4}, 0}};

TEST(NearestWide, is_the_least_of_all_points_of_the_triangle) {
  Random random(4);
  int count = 0, missed = 0;
  for (const auto& shape : k_shapes)
    for (const bool leaps : {true, false})
      for (int trial = 0; trial < 40; ++trial) {
        const auto eight = random_triangles(random, 0.7, 0.4);
        const NearestW at = find(shape, eight, k_middle, k_everywhere, {24, leaps});
        for (int k = 0; k < k_wide; ++k) {
          const Corners& x = eight[std::size_t(k)];
          const double found = distance_at(shape, x, lane(at.weights, k));
          const double sampled = least_by_sampling(shape, x);
          EXPECT_NEAR(double(at.distance[k]), found, 1e-6);
          ++count;
          missed += found > sampled + 2e-3;
          if (shape.kind != ShapeKind::box) {
            EXPECT_LE(found, sampled + 5e-3);
          }
          EXPECT_LE(double(at.least[k]), sampled + 1e-6);
        }
      }
  // Inside a box, where its faces meet, the descent may stop early.
  EXPECT_LT(missed, count / 25);
}

// The few tries of a substep, from where the triangle was nearest a little before: a sheet over the
// edge of a box, where a descent by gradients alone goes to and fro in a valley and is 50
// micrometres off in the mean (seen).
TEST(NearestWide, follows_a_triangle_along_the_edge_of_a_box) {
  const ShapeNumbers<double> box{ShapeKind::box, {0.1, 0.1, 0.1}, 0};
  Random random(5);
  double sum = 0;
  int count = 0;
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<Corners> eight;
    for (int k = 0; k < k_wide; ++k) {
      // Across the edge x = y, 2 mm above it, turned about its normal.
      const Vec3 up = normalized(Vec3{1, 1 + random.number(0.9), random.number(0.1)});
      const Vec3 a = normalized(cross(up, random.point(1))), b = cross(up, a);
      const Vec3 at = Vec3{0.1, 0.1, random.number(0.08)} + 0.002 * up;
      eight.push_back({at - 0.006 * a - 0.004 * b, at + 0.01 * a - 0.004 * b, at + 0.012 * b});
    }
    const NearestW before = find(box, eight, k_middle, k_everywhere, {24, true});
    for (Corners& x : eight)
      for (Vec3& corner : x) corner += random.point(2e-4);
    const NearestW at = find(box, eight, before.weights, k_everywhere, {5, true});
    for (int k = 0; k < k_wide; ++k) {
      const Corners& x = eight[std::size_t(k)];
      const auto twin = test::deepest_on_triangle(box, x, lane(at.weights, k), 200);
      const double least = std::min(distance_at(box, x, twin), least_by_sampling(box, x));
      if (least < 2e-4) continue;  // tilted into the box: not a sheet that lies on it
      sum += distance_at(box, x, lane(at.weights, k)) - least;
      ++count;
    }
  }
  EXPECT_GT(count, 400);
  EXPECT_LT(sum / count, 1e-5);
}

TEST(NearestWide, lanes_do_not_know_of_each_other) {
  Random random(6);
  for (const auto& shape : k_shapes) {
    const auto eight = random_triangles(random, 0.7, 0.4);
    const NearestW together = find(shape, eight, k_middle, splat(Real(0.2)), {6, true});
    for (int k = 0; k < k_wide; ++k) {
      const std::vector<Corners> same(k_wide, eight[std::size_t(k)]);
      const NearestW alone = find(shape, same, k_middle, splat(Real(0.2)), {6, true});
      EXPECT_EQ(together.distance[k], alone.distance[0]);
      for (std::size_t n = 0; n < 3; ++n)
        EXPECT_EQ(together.weights.of[n][k], alone.weights.of[n][0]);
    }
  }
}

TEST(NearestWide, a_triangle_without_area_gives_numbers) {
  for (const auto& shape : k_shapes) {
    const Vec3 a{0.6, 0.1, 0.2}, b{0.1, 0.7, 0.3};
    const std::vector<Corners> eight{{a, a, a}, {a, b, a}, {a, a, b}, {b, a, a},
                                     {a, b, b}, {b, b, b}, {b, a, b}, {a, (a + b) / 2.0, b}};
    const NearestW at = find(shape, eight, k_middle, k_everywhere, {12, true});
    for (int k = 0; k < k_wide; ++k) EXPECT_TRUE(std::isfinite(double(at.distance[k])));
  }
}

TEST(ChooseFace, out_of_a_box_is_through_the_face_along_which_the_triangle_lies) {
  const ShapeNumbers<double> box{ShapeKind::box, {0.1, 0.1, 0.1}, 0};
  const Vec3 point{0, -0.0998, -0.0999};  // 0.2 mm above the lower face, 0.1 mm inside the side
  Vec3 gradient;
  double distance = signed_distance(box, point, gradient);
  EXPECT_EQ(gradient, (Vec3{0, 0, -1}));
  choose_face(box, point, {0.01, 1, 0.02}, 0.001, distance, gradient);
  EXPECT_EQ(gradient, (Vec3{0, -1, 0}));
  EXPECT_NEAR(distance, -2e-4, 1e-12);
  // Further inside than the tolerance the nearest face is the way out.
  distance = signed_distance(box, point, gradient);
  choose_face(box, point, {0.01, 1, 0.02}, 1e-5, distance, gradient);
  EXPECT_EQ(gradient, (Vec3{0, 0, -1}));
}

}  // namespace
}  // namespace pliant
