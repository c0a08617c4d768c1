// Mass properties against closed forms, and one path against another (mesh, tetrahedra, primitive).
#include "geometry/mass_properties.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
}

void expect_near(const Mat3& a, const Mat3& b, double tolerance) {
  for (int i = 0; i < 3; ++i) expect_near(a.row[i], b.row[i], tolerance);
}

// Unit-depth prism over a counter-clockwise polygon in the xy plane, caps as fans.
TriMesh prism(const std::vector<Vec3>& outline, const std::vector<Triangle>& cap) {
  TriMesh mesh;
  mesh.vertices = outline;
  const std::int32_t n = std::int32_t(outline.size());
  for (const Vec3& v : outline) mesh.vertices.push_back(v + Vec3{0, 0, 1});
  for (const auto& [a, b, c] : cap) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({a + n, b + n, c + n});
  }
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t j = (i + 1) % n;
    mesh.triangles.push_back({i, j, j + n});
    mesh.triangles.push_back({i, j + n, i + n});
  }
  return mesh;
}

TEST(MassProperties, rigid_A22_cube_at_an_offset) {
  TriMesh cube = make_box({1, 1, 1});
  for (Vec3& v : cube.vertices) v += Vec3{4, 5, 6};
  const MassProperties m = mass_properties(cube);
  EXPECT_NEAR(m.volume, 8, 1e-12);
  expect_near(m.centre, {4, 5, 6}, 1e-12);
  const double i = 8 * 2.0 / 3;
  expect_near(m.inertia, {{{i, 0, 0}, {0, i, 0}, {0, 0, i}}}, 1e-12);
}

TEST(MassProperties, rigid_A22_l_prism) {
  const TriMesh l = prism({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}},
                          {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}});
  ASSERT_TRUE(is_closed(l));
  const MassProperties m = mass_properties(l);
  EXPECT_NEAR(m.volume, 3, 1e-13);
  expect_near(m.centre, {5.0 / 6, 5.0 / 6, 0.5}, 1e-13);
  const double third = 1.0 / 3;
  expect_near(m.inertia, {{{7.0 / 6, third, 0}, {third, 7.0 / 6, 0}, {0, 0, 11.0 / 6}}}, 1e-13);
}

TEST(MassProperties, rigid_A22_tetrahedron_both_ways) {
  const TetMesh tet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  const TriMesh skin{tet.vertices, {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
  for (const MassProperties& m : {mass_properties(tet), mass_properties(skin)}) {
    EXPECT_NEAR(m.volume, 1.0 / 6, 1e-15);
    expect_near(m.centre, {0.25, 0.25, 0.25}, 1e-15);
    // About the centre: second moment 1/60 - V/16 = 1/160, products 1/120 - V/16 = -1/480.
    const double d = 2.0 / 160, o = 1.0 / 480;
    expect_near(m.inertia, {{{d, o, o}, {o, d, o}, {o, o, d}}}, 1e-15);
  }
}

TEST(MassProperties, lattice_equals_box) {
  const MassProperties lattice = mass_properties(make_lattice(4, 2, 6, 0.25));
  const MassProperties box = box_mass_properties({0.5, 0.25, 0.75});
  EXPECT_NEAR(lattice.volume, box.volume, 1e-14);
  expect_near(lattice.centre, {0, 0, 0}, 1e-14);
  expect_near(lattice.inertia, box.inertia, 1e-14);
}

TEST(MassProperties, fine_sphere_mesh_converges_to_sphere) {
  // A polyhedron inscribed in the unit sphere misses volume of second order: 4 times less per
  // level.
  const MassProperties exact = sphere_mass_properties(1);
  const double coarse =
      exact.inertia.row[0].x - mass_properties(make_sphere(1, 3)).inertia.row[0].x;
  const double fine = exact.inertia.row[0].x - mass_properties(make_sphere(1, 4)).inertia.row[0].x;
  EXPECT_NEAR(coarse / fine, 4, 0.1);
  EXPECT_LT(fine, 0.01);
}

// A capsule as a sphere mesh pulled apart at its equator.
TriMesh capsule_mesh(double radius, double half_height) {
  TriMesh mesh = make_sphere(radius, 5);
  for (Vec3& v : mesh.vertices) v.y += v.y >= 0 ? half_height : -half_height;
  return mesh;
}

TEST(MassProperties, capsule_against_mesh) {
  // Triangles that cross the equator become the wall, so the mesh is closed and approximates it.
  const MassProperties mesh = mass_properties(capsule_mesh(0.3, 0.5));
  const MassProperties exact = capsule_mass_properties(0.3, 0.5);
  EXPECT_NEAR(mesh.volume / exact.volume, 1, 0.005);
  EXPECT_NEAR(mesh.inertia.row[0].x / exact.inertia.row[0].x, 1, 0.01);
  EXPECT_NEAR(mesh.inertia.row[1].y / exact.inertia.row[1].y, 1, 0.01);
}

TEST(MassProperties, capsule_limits) {
  const MassProperties ball = capsule_mass_properties(0.4, 0);
  const MassProperties sphere = sphere_mass_properties(0.4);
  EXPECT_NEAR(ball.volume, sphere.volume, 1e-15);
  expect_near(ball.inertia, sphere.inertia, 1e-15);
}

TEST(MassProperties, far_from_the_origin_loses_nothing) {
  TriMesh cube = make_box({0.5, 0.5, 0.5}, 3);
  for (Vec3& v : cube.vertices) v += Vec3{1e6, -1e6, 1e6};
  const MassProperties m = mass_properties(cube);
  EXPECT_NEAR(m.volume, 1, 1e-8);
  EXPECT_NEAR(m.inertia.row[0].x, 1.0 / 6, 1e-8);
}

}  // namespace
}  // namespace pliant
