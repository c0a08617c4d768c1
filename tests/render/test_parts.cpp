// The parts of the renderer that can be checked alone: sample points and normals.
#include <gtest/gtest.h>

#include "render/hand_made.h"
#include "render/sampler.h"

namespace pliant {
namespace {

// Each aligned block of 16 points has exactly one point in every 4 x 4, 2 x 8, 8 x 2, 16 x 1 and
// 1 x 16 cell of the square: the (0, 2) property, which scrambling keeps.
TEST(Sampler, blocks_of_points_are_spread_evenly) {
  for (const std::uint32_t purpose : {0u, 1u, 2u}) {
    for (const std::uint32_t block : {0u, 1u, 77u, 4096u, 100003u}) {
      for (const int columns : {1, 2, 4, 8, 16}) {
        const int rows = 16 / columns;
        std::vector<int> cells(16, 0);
        for (std::uint32_t i = 0; i < 16; ++i) {
          const Sample2 s = sample_2d({16 * block + i, 0}, purpose);
          ASSERT_TRUE(s.u >= 0 && s.u < 1 && s.v >= 0 && s.v < 1);
          const int x = static_cast<int>(s.u * static_cast<float>(columns));
          const int y = static_cast<int>(s.v * static_cast<float>(rows));
          ++cells[static_cast<std::size_t>(y * columns + x)];
        }
        EXPECT_EQ(cells, std::vector<int>(16, 1)) << purpose << " " << block << " " << columns;
      }
    }
  }
}

TEST(Sampler, z_curve_numbers_blocks_of_pixels_in_a_row) {
  EXPECT_EQ(z_curve(0, 0), 0u);
  EXPECT_EQ(z_curve(1, 0), 1u);
  EXPECT_EQ(z_curve(0, 1), 2u);
  EXPECT_EQ(z_curve(3, 3), 15u);
  EXPECT_EQ(z_curve(16383, 16383), (1u << 28) - 1);
}

TEST(Normals, a_crease_keeps_the_faces_of_a_box_flat) {
  const TriMesh box = shape_mesh(Box{{1, 2, 3}});
  std::vector<Vec3f> points;
  for (const Vec3& v : box.vertices) points.push_back(cast<float>(v));
  const std::vector<Vec3f> flat = corner_normals(points, box.triangles, 0.77f);
  const std::vector<Vec3f> smooth = corner_normals(points, box.triangles, -1);
  for (std::size_t i = 0; i < flat.size(); ++i) {
    const Vec3f& n = flat[i];
    EXPECT_EQ(std::abs(n.x) + std::abs(n.y) + std::abs(n.z), 1.0f);  // along an axis
    const Vec3f& s = smooth[i];
    EXPECT_GT(std::abs(s.x) + std::abs(s.y) + std::abs(s.z), 1.2f);  // towards the corner
  }
}

TEST(Normals, of_a_sphere_point_outward) {
  const TriMesh ball = shape_mesh(Sphere{0.5});
  std::vector<Vec3f> points;
  for (const Vec3& v : ball.vertices) points.push_back(cast<float>(v));
  const std::vector<Vec3f> normals = corner_normals(points, ball.triangles, 0.77f);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const auto v = static_cast<std::size_t>(ball.triangles[i / 3][i % 3]);
    EXPECT_GT(dot(normals[i], normalized(points[v])), 0.995f);
  }
}

}  // namespace
}  // namespace pliant
