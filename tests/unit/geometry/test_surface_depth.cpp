// How deep surfaces are in each other: cubes by closed forms, tetrahedra against planes that part
// them.
#include "geometry/surface_depth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/topology.h"
#include "random_points.h"

namespace pliant {
namespace {

using test::Random;

struct Placed {
  TriMesh mesh;
  std::vector<std::array<std::int32_t, 2>> edges;
  PlacedSurface surface;

  explicit Placed(TriMesh m, const Vec3& inner) : mesh(std::move(m)) {
    for (const MeshEdge& e : unique_edges(mesh.triangles)) edges.push_back({e.a, e.b});
    surface.x = mesh.vertices;
    surface.inner = {inner};
    surface.triangles = mesh.triangles;
    surface.edges = edges;
    make_box(surface);
    make_tree(surface);
  }
};

double depth_of(const Placed& a, const Placed& b) {
  std::vector<double> memory;
  return std::max(depth_in(a.surface, b.surface, 1e300, memory),
                  depth_in(b.surface, a.surface, 1e300, memory));
}

Placed box(const Vec3& half, const Vec3& at, const Quat& turn = {}) {
  TriMesh mesh = make_box(half);
  for (Vec3& v : mesh.vertices) v = at + rotate(turn, v);
  return Placed(std::move(mesh), at);
}

TEST(SurfaceDepth, of_boxes) {
  const Placed large = box({1, 1, 1}, {});
  const Vec3 small{0.3, 0.3, 0.3};
  EXPECT_EQ(depth_of(large, box(small, {1.31, 0.1, 0.2})), 0);
  EXPECT_NEAR(depth_of(large, box(small, {1.25, 0.1, 0.2})), 0.05, 1e-12);  // four corners
  EXPECT_NEAR(depth_of(large, box(small, {0.1, 0.2, 0.05})), 0.8, 1e-12);   // wholly inside
  // A beam through it, no corner inside: the pieces of its edges within are 2 long, 0.7 from the
  // sides.
  const Placed beam(make_box({2, 0.3, 0.3}), {1.9, 0, 0});
  EXPECT_NEAR(depth_of(large, beam), 0.7, 1e-12);
  // In the same place, and its middle is one deep.
  EXPECT_NEAR(depth_of(large, box({1, 1, 1}, {})), 1, 1e-12);
  // What touches is not in each other.
  EXPECT_LT(depth_of(large, box({1, 1, 1}, {2, 0, 0})), 1e-12);
  EXPECT_LT(depth_of(large, box({1, 1, 1}, {0.3, 2, 0.4})), 1e-12);
}

TEST(SurfaceDepth, more_than_enough_is_not_looked_for) {
  const Placed large = box({1, 1, 1}, {}), small = box({0.3, 0.3, 0.3}, {0.1, 0.2, 0.05});
  std::vector<double> memory;
  EXPECT_GT(depth_in(small.surface, large.surface, 0.1, memory), 0.1);
}

Placed tetrahedron(Random& random, const Vec3& at) {
  TriMesh mesh;
  Vec3 middle;
  for (int k = 0; k < 4; ++k) {
    mesh.vertices.push_back(at + random.point(0.6));
    middle += 0.25 * mesh.vertices.back();
  }
  const auto& v = mesh.vertices;
  const bool positive = dot(v[1] - v[0], cross(v[2] - v[0], v[3] - v[0])) > 0;
  const Tetrahedron t = positive ? Tetrahedron{0, 1, 2, 3} : Tetrahedron{0, 1, 3, 2};
  for (const Triangle& f : faces_of(t)) mesh.triangles.push_back(f);
  return Placed(std::move(mesh), middle);
}

// By how much two convex bodies overlap along the axis where that is least: normals of faces and
// cross products of edges. Negative: they are apart.
double least_overlap(const Placed& a, const Placed& b) {
  std::vector<Vec3> axes;
  for (const Placed* p : {&a, &b})
    for (const Triangle& t : p->mesh.triangles) {
      const auto at = [&](std::size_t k) { return p->mesh.vertices[std::size_t(t[k])]; };
      axes.push_back(cross(at(1) - at(0), at(2) - at(0)));
    }
  for (const auto& e : a.edges)
    for (const auto& f : b.edges)
      axes.push_back(
          cross(a.mesh.vertices[std::size_t(e[1])] - a.mesh.vertices[std::size_t(e[0])],
                b.mesh.vertices[std::size_t(f[1])] - b.mesh.vertices[std::size_t(f[0])]));
  double least = 1e300;
  for (const Vec3& axis : axes) {
    if (length(axis) < 1e-9) continue;
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (const int n : {0, 1})
      for (const Vec3& v : (n == 0 ? a : b).mesh.vertices) {
        const double x = dot(v, axis) / length(axis);
        low[n] = std::min(low[n], x), high[n] = std::max(high[n], x);
      }
    least = std::min({least, high[0] - low[1], high[1] - low[0]});
  }
  return least;
}

TEST(SurfaceDepth, tetrahedra_are_in_each_other_where_no_plane_parts_them) {
  Random random(8);
  int apart = 0, in_each_other = 0, without_corner = 0;
  for (int n = 0; n < 20000; ++n) {
    const Placed a = tetrahedron(random, {}), b = tetrahedron(random, random.point(0.8));
    const double overlap = least_overlap(a, b), depth = depth_of(a, b);
    if (std::abs(overlap) < 1e-6) continue;
    ASSERT_EQ(depth > 0, overlap > 0) << n << " " << depth << " " << overlap;
    ++(overlap > 0 ? in_each_other : apart);
    // A point is no deeper than the two have to move apart.
    EXPECT_LT(depth, overlap > 0 ? overlap * (1 + 1e-9) : 1e-12) << n;
    bool corner = false;
    for (const Vec3& v : a.surface.x) corner |= is_inside(b.surface, v);
    for (const Vec3& v : b.surface.x) corner |= is_inside(a.surface, v);
    without_corner += overlap > 0 && !corner;
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(in_each_other, 1000);
  EXPECT_GT(without_corner, 100);  // edges alone
}

}  // namespace
}  // namespace pliant
