// Mass, centre and inertia of shapes against closed forms and the parallel-axis theorem; hulls and
// trees of triangles against brute force.
#include "geometry/shape_bulk.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "geometry/closest_point.h"
#include "geometry/shape_data.h"

namespace pliant {
namespace {

constexpr double k_pi = 3.14159265358979323846;

void expect_near(const Mat3& a, const Mat3& b, double tolerance) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a.row[i][j], b.row[i][j], tolerance) << i << j;
}

TEST(shape_bulk, closed_forms) {
  const Bulk cylinder = shape_bulk(Cylinder{0.3, 0.5}, 2);
  EXPECT_NEAR(cylinder.mass, 2 * k_pi * 0.09, 1e-12);
  EXPECT_NEAR(cylinder.inertia.row[1].y, cylinder.mass * 0.09 / 2, 1e-12);
  EXPECT_NEAR(cylinder.inertia.row[0].x, cylinder.mass * (3 * 0.09 + 1) / 12, 1e-12);
  const Bulk cone = shape_bulk(Cone{0.3, 0.8}, 1);
  EXPECT_NEAR(cone.mass, k_pi * 0.09 * 0.8 / 3, 1e-12);
  EXPECT_NEAR(cone.inertia.row[0].x, cone.mass * (3.0 / 20 * 0.09 + 3.0 / 80 * 0.64), 1e-12);
  const Bulk ellipsoid = shape_bulk(Ellipsoid{{1, 2, 3}}, 1);
  EXPECT_NEAR(ellipsoid.mass, 8 * k_pi, 1e-12);
  EXPECT_NEAR(ellipsoid.inertia.row[2].z, ellipsoid.mass / 5 * (1 + 4), 1e-12);
}

TEST(shape_bulk, hull_and_mesh_of_a_box_are_the_box) {
  const Vec3 half{0.3, 0.5, 0.9}, at{1, -2, 3};
  Hull hull;
  TriMesh mesh = make_box(half, 2);
  for (Vec3& v : mesh.vertices) hull.points.push_back(v += at);
  const Bulk box = shape_bulk(Box{half}, 700);
  for (const Bulk& b : {shape_bulk(hull, 700), shape_bulk(Mesh{mesh}, 700)}) {
    EXPECT_NEAR(b.mass, box.mass, 1e-9 * box.mass);
    EXPECT_NEAR(length(b.centre - at), 0, 1e-9);
    expect_near(b.inertia, box.inertia, 1e-9 * box.mass);
  }
}

// A hammer: by hand with the parallel-axis theorem; and the same by cutting a box into two.
TEST(shape_bulk, compounds_follow_the_parallel_axis_theorem) {
  const Compound hammer{
      {{Cylinder{0.02, 0.2}, {}, {}, 600}, {Box{{0.1, 0.03, 0.03}}, {0, 0.2, 0}, {}, 7800}}};
  const double handle = 600 * k_pi * 0.0004 * 0.4, head = 7800 * 0.2 * 0.06 * 0.06;
  const double y = head * 0.2 / (handle + head);
  const Bulk b = shape_bulk(hammer, 1000);
  EXPECT_NEAR(b.mass, handle + head, 1e-9);
  EXPECT_NEAR(b.centre.y, y, 1e-12);
  const double xx = handle * (0.0004 / 4 + 0.16 / 12) + handle * y * y +
                    head / 3 * (0.0009 + 0.0009) + head * (0.2 - y) * (0.2 - y);
  EXPECT_NEAR(b.inertia.row[0].x, xx, 1e-9);
  const double yy = handle * 0.0004 / 2 + head / 3 * (0.01 + 0.0009);
  EXPECT_NEAR(b.inertia.row[1].y, yy, 1e-9);

  const Quat turn = normalized(Quat{0.1, 0.2, 0.3, 1});
  const Box part{{0.2, 0.5, 0.3}};
  const Vec3 side = rotate(turn, Vec3{0.2, 0, 0});
  const Bulk whole = shape_bulk(Compound{{{Box{{0.4, 0.5, 0.3}}, {1, 2, 3}, turn}}}, 5);
  const Bulk halves = shape_bulk(
      Compound{{{part, Vec3{1, 2, 3} + side, turn}, {part, Vec3{1, 2, 3} - side, turn}}}, 5);
  EXPECT_NEAR(whole.mass, halves.mass, 1e-12);
  EXPECT_NEAR(length(whole.centre - halves.centre), 0, 1e-12);
  expect_near(whole.inertia, halves.inertia, 1e-12);
}

TEST(shape_bulk, principal_axes_give_the_matrix_back) {
  std::mt19937 rng(3);
  std::normal_distribution<double> n;
  for (int i = 0; i < 100; ++i) {
    const Mat3 r = to_matrix(normalized(Quat{n(rng), n(rng), n(rng), n(rng)}));
    const Mat3 d{{{1, 0, 0}, {0, 2, 0}, {0, 0, i % 2 ? 2.0 : 2.5}}};
    const Mat3 m = r * d * transposed(r);
    const Principal p = find_principal(m);
    const Mat3 q = to_matrix(p.axes);
    const Mat3 back{{{p.moments.x, 0, 0}, {0, p.moments.y, 0}, {0, 0, p.moments.z}}};
    expect_near(q * back * transposed(q), m, 1e-12);
  }
  const Principal kept = find_principal({{{3, 0, 0}, {0, 1, 0}, {0, 0, 2}}});
  EXPECT_EQ(kept.axes, Quat{});
  EXPECT_EQ(kept.moments, (Vec3{3, 1, 2}));
}

TEST(shape_bulk, open_meshes_are_refused_with_the_reason) {
  EXPECT_EQ(no_bulk_reason(Mesh{make_box({1, 1, 1})}), "");
  EXPECT_NE(no_bulk_reason(Mesh{make_grid(1, 1, 1, 1)}).find("not closed"), std::string::npos);
  TriMesh inside_out = make_box({1, 1, 1});
  for (Triangle& t : inside_out.triangles) std::swap(t[0], t[1]);
  EXPECT_NE(no_bulk_reason(Mesh{inside_out}).find("not closed"), std::string::npos);
  EXPECT_NE(no_bulk_reason(Compound{{{Rectangle{}}}}).find("rectangle"), std::string::npos);
}

// Every point is behind every face, every face has its corners in its plane, and Euler's formula
// holds for the triangles.
TEST(hull, of_random_points_holds_them) {
  std::mt19937 rng(4);
  std::normal_distribution<double> n;
  for (int i = 0; i < 60; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 4 + 3 * i; ++k) points.push_back({n(rng), n(rng), n(rng)});
    const HullData hull = make_hull(points).value();
    const TriMesh mesh = hull_mesh(hull);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_EQ(mesh.triangles.size(), 2 * mesh.vertices.size() - 4);
    for (const HullFace& f : hull.faces)
      for (const Vec3& p : points) ASSERT_LT(dot(f.normal, p) - f.offset, 1e-7);
  }
}

TEST(hull, a_cube_with_points_inside_and_on_its_faces_has_six_faces_of_four) {
  std::vector<Vec3> points;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) points.push_back({0.5 * x, 0.5 * y, 0.5 * z});
  const HullData hull = make_hull(points).value();
  EXPECT_EQ(hull.faces.size(), 6u);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_NEAR(volume(hull_mesh(hull)), 8, 1e-12);
  EXPECT_NEAR(area(hull_mesh(hull)), 24, 1e-12);
}

TEST(hull, flat_input_is_refused) {
  EXPECT_FALSE(make_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).ok());
  EXPECT_FALSE(make_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.2, 0}}).ok());
  EXPECT_FALSE(make_hull({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}).ok());
  EXPECT_FALSE(make_hull({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}).ok());
  EXPECT_TRUE(make_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1e-3}}).ok());
}

TEST(triangle_tree, nearest_and_side_match_brute_force) {
  std::mt19937 rng(6);
  std::uniform_real_distribution<double> u(-1.5, 1.5);
  const Vec3 half{0.5, 0.8, 0.3};
  const TriMesh mesh = make_box(half, 4);
  const TriangleTree tree(mesh);
  const ShapeNumbers<double> box{ShapeKind::box, half, 0};
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p{u(rng), u(rng), u(rng)};
    double best = 1e30;
    for (const Triangle& t : mesh.triangles) {
      const Vec3 &a = mesh.vertices[std::size_t(t[0])], &b = mesh.vertices[std::size_t(t[1])],
                 &c = mesh.vertices[std::size_t(t[2])];
      const auto w = closest_on_triangle(p, a, b, c);
      best = std::min(best, length(p - (a * w[0] + b * w[1] + c * w[2])));
    }
    const NearestOnMesh near = tree.nearest(p);
    ASSERT_NEAR(near.distance, best, 1e-12);
    Vec3 g;
    const double d = signed_distance(box, p, g);
    ASSERT_NEAR(near.behind ? -near.distance : near.distance, d, 1e-9);
  }
}

TEST(triangle_tree, overlapping_boxes_match_brute_force) {
  std::mt19937 rng(7);
  std::uniform_real_distribution<double> u(-1, 1);
  const TriMesh mesh = make_sphere(1, 3);
  const TriangleTree tree(mesh);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p{u(rng), u(rng), u(rng)}, q{u(rng), u(rng), u(rng)};
    const Vec3 low = min(p, q), high = max(p, q);
    std::vector<std::int32_t> found, expected;
    tree.overlapping(low, high, found);
    for (std::int32_t t = 0; t < std::int32_t(mesh.triangles.size()); ++t) {
      Vec3 l{1e9, 1e9, 1e9}, h = -l;
      for (const std::int32_t v : mesh.triangles[std::size_t(t)]) {
        l = min(l, mesh.vertices[std::size_t(v)]);
        h = max(h, mesh.vertices[std::size_t(v)]);
      }
      if (l.x <= high.x && l.y <= high.y && l.z <= high.z && h.x >= low.x && h.y >= low.y &&
          h.z >= low.z)
        expected.push_back(t);
    }
    ASSERT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace pliant
