// The force of the air on each triangle, eight at a time and added up around particles, against the
// formula written out triangle by triangle in double.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <cmath>

#include "build/sheet_tree.h"
#include "random_points.h"
#include "solver/wind.h"

namespace pliant {
namespace {

constexpr double k_density = 1.2;
constexpr std::int32_t k_begin = 3, k_tail = 2;  // other bodies' particles; merged away

struct Rig {
  Deformable cloth;
  Particles particles;
  WindScratch scratch;

  // A crumpled grid `away` from the origin, whose particles are numbered from the last vertex on.
  Rig(int columns, int rows, const Vec3& away) {
    const TriMesh mesh = make_grid(columns, rows, 1, 0.7);
    test::Random random(7);
    const std::int32_t count = std::int32_t(mesh.vertices.size());
    cloth.begin = k_begin;
    cloth.count = count + k_tail;
    cloth.wind_drag = 0.8;
    cloth.wind_lift = 0.3;
    cloth.surface.triangles = mesh.triangles;
    for (std::int32_t v = 0; v < count; ++v)
      cloth.surface.vertices.push_back({{count - 1 - v, 0, 0, 0}, {1, 0, 0, 0}});
    cloth.tree = make_sheet_tree(cloth.surface, mesh.vertices);
    particles.resize(k_begin + cloth.count);
    for (std::int32_t v = 0; v < count; ++v) {
      const std::size_t p = std::size_t(k_begin + count - 1 - v);
      const Vec3 base = mesh.vertices[std::size_t(v)] + away;
      particles.base[p] = {Real(base.x), Real(base.y), Real(base.z), 0};
      particles.d[p] = packed(random.point(0.03), 5);
      particles.velocity[p] = packed(random.point(2), 0);
    }
    for (std::size_t p = 0; p < particles.force.size(); ++p)
      particles.force[p] = packed(random.point(100), Real(p));  // of the substep before
  }
  static Vec4 packed(const Vec3& v, Real w) { return {Real(v.x), Real(v.y), Real(v.z), w}; }
  static Vec3 wide(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }

  void blow(const Vec3& wind, TaskPool* pool = nullptr) {
    wind_forces(cloth, wind, k_density, scratch, pool, particles);
  }
  std::size_t particle(std::int32_t vertex) const {
    return std::size_t(k_begin + cloth.surface.vertices[std::size_t(vertex)].particle[0]);
  }
  Vec3 edge(std::size_t from, std::size_t to) const {
    return (wide(particles.base[to]) - wide(particles.base[from])) +
           (wide(particles.d[to]) - wide(particles.d[from]));
  }
  std::vector<Vec3> expected(const Vec3& wind) const;
};

// F = 1/2 rho A ( C_drag (u . n) u + C_lift (u . n)^2 n ), n on the windward side.
std::vector<Vec3> Rig::expected(const Vec3& wind) const {
  std::vector<Vec3> force(particles.force.size());
  for (const Triangle& t : cloth.surface.triangles) {
    const std::size_t a = particle(t[0]), b = particle(t[1]), c = particle(t[2]);
    const Vec3 across = cross(edge(a, b), edge(a, c));
    const double area = length(across) / 2;
    Vec3 n = across / length(across);
    const Vec3 u = wind - (wide(particles.velocity[a]) + wide(particles.velocity[b]) +
                           wide(particles.velocity[c])) /
                              3.0;
    if (dot(u, n) < 0) n = -n;
    const double into = dot(u, n);
    const Vec3 share =
        k_density * area / 6 * (cloth.wind_drag * into * u + cloth.wind_lift * into * into * n);
    for (const std::size_t p : {a, b, c}) force[p] += share;
  }
  return force;
}

double worst_error(const Rig& rig, const Vec3& wind) {
  const std::vector<Vec3> expected = rig.expected(wind);
  double worst = 0, largest = 0;
  for (std::size_t p = k_begin; p < expected.size(); ++p) {
    worst = std::max(worst, length(Rig::wide(rig.particles.force[p]) - expected[p]));
    largest = std::max(largest, length(expected[p]));
  }
  EXPECT_GT(largest, 1e-4);
  return worst / largest;
}

// Some twenty roundings of single precision, of places and velocities of a size of one.
const double k_tolerance = sizeof(Real) == 4 ? 1e-5 : 1e-13;

TEST(Wind, is_the_formula_on_every_triangle) {
  const Vec3 wind{3, -1, 2};
  for (const int columns : {1, 5, 18}) {  // with a short last leaf, too
    Rig rig(columns, 7, {});
    rig.blow(wind);
    EXPECT_LT(worst_error(rig, wind), k_tolerance) << columns << " columns";
    // The test's own control: without lift it is another force.
    rig.cloth.wind_lift = 0;
    EXPECT_GT(worst_error(rig, wind), 0.02);
  }
}

// Displacements keep their digits a kilometre away; plain places would be 0.06 mm off there.
TEST(Wind, keeps_its_digits_far_from_the_origin) {
  const Vec3 wind{0, 4, 0};
  Rig rig(18, 7, {1024, 0, -1024});
  rig.blow(wind);
  EXPECT_LT(worst_error(rig, wind), k_tolerance);
}

TEST(Wind, replaces_what_was_there_and_nothing_else) {
  Rig rig(5, 7, {});
  const std::vector<Vec4> before = rig.particles.force;
  rig.blow({0, 0, 0});
  for (std::size_t p = 0; p < before.size(); ++p) EXPECT_EQ(rig.particles.force[p].w, before[p].w);
  for (std::size_t p = 0; p < k_begin; ++p) EXPECT_EQ(rig.particles.force[p].x, before[p].x);
  for (std::size_t p = before.size() - k_tail; p < before.size(); ++p)
    EXPECT_EQ(Rig::wide(rig.particles.force[p]), Vec3{}) << "has no triangle";
}

TEST(Wind, the_same_bits_on_any_number_of_threads) {
  Rig alone(60, 60, {});
  alone.blow({1, 2, 3});
  for (const int threads : {2, 3, 8}) {
    Rig rig(60, 60, {});
    rig.blow({1, 2, 3}, make_task_pool(threads).get());
    for (std::size_t p = 0; p < alone.particles.force.size(); ++p)
      ASSERT_EQ(Rig::wide(rig.particles.force[p]), Rig::wide(alone.particles.force[p]));
  }
}

TEST(Wind, a_flat_triangle_of_no_area_has_no_force) {
  Rig rig(1, 1, {});
  for (std::size_t p = 0; p < std::size_t(rig.particles.size()); ++p) {
    rig.particles.base[p] = {};
    rig.particles.d[p] = {Real(p), 0, 0, 1};
  }
  rig.blow({5, 5, 5});
  for (std::size_t p = k_begin; p < std::size_t(rig.particles.size()); ++p)
    EXPECT_EQ(Rig::wide(rig.particles.force[p]), Vec3{});
}

}  // namespace
}  // namespace pliant
