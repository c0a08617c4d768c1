// Springs and how they are written down: the order of item A-15 of the elastic bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <pliant/world.h>

#include "../random_points.h"
#include "verification/rig_precision.h"
#include "verification/spring_rig.h"

namespace pliant {
namespace {

using test::Random;

// In place: each spring moves its ends at once, so that the next sees the new velocities.
std::vector<Vec3> in_place_velocities(const std::vector<SpringRow>& rows,
                                      const std::vector<Vec3>& x, std::vector<Vec3> v) {
  for (const SpringRow& row : rows) {
    const std::size_t i = std::size_t(row.particle[0]), j = std::size_t(row.particle[1]);
    const Vec3 e = x[j] - x[i], n = normalized(e);
    const Vec3 f =
        n * (row.stiffness * (length(e) - row.rest) + row.damping * dot(v[j] - v[i], n)) * 0.001;
    v[i] += f, v[j] -= f;
  }
  return v;
}

TEST(Springs, elastic_A15_the_order_of_springs_does_not_matter) {
  Random random(15);
  const TetMesh mesh = make_lattice(2, 2, 2, 0.5);
  SpringRows rows = lattice_springs({.area = 5}, mesh);
  const std::vector<double> mass(mesh.vertices.size(), 1.0);
  SpringRig first(rows, mesh.vertices, mass);
  const SpringRows given = rows;
  std::shuffle(rows.springs.begin(), rows.springs.end(), random.engine);
  std::shuffle(rows.areas.begin(), rows.areas.end(), random.engine);
  std::shuffle(rows.volumes.begin(), rows.volumes.end(), random.engine);
  SpringRig second(rows, mesh.vertices, mass);
  std::vector<Vec3> x, v;
  for (std::size_t i = 0; i < first.count(); ++i) {
    const Vec3 by = random.point(0.05), speed = random.point(1);
    first.move(i, by), second.move(i, by);
    first.set_velocity(i, speed), second.set_velocity(i, speed);
    x.push_back(mesh.vertices[i] + by), v.push_back(speed);
  }
  // The test of the test: where springs act one after the other their order does matter.
  EXPECT_NE(in_place_velocities(given.springs, x, v), in_place_velocities(rows.springs, x, v));
  for (int n = 0; n < 100; ++n) first.substep(0.001), second.substep(0.001);
  for (std::size_t i = 0; i < first.count(); ++i) {
    EXPECT_EQ(first.place(i), second.place(i));
    EXPECT_EQ(first.velocity(i), second.velocity(i));
  }
}

// The numbers that vertices get.
std::vector<std::int32_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::int32_t> to(count);
  std::iota(to.begin(), to.end(), 0);
  std::shuffle(to.begin(), to.end(), random.engine);
  return to;
}

template <class T>
std::vector<T> moved(const std::vector<T>& list, const std::vector<std::int32_t>& to) {
  std::vector<T> out(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) out[std::size_t(to[i])] = list[i];
  return out;
}

// Elements in another order, each with its corners in another one of the same orientation.
template <class Element>
void rewrite(std::vector<Element>& elements, const std::vector<std::int32_t>& to, Random& random) {
  for (Element& e : elements) {
    for (std::int32_t& v : e) v = to[std::size_t(v)];
    const int turns = int(random.engine() % 3);
    for (int n = 0; n < turns; ++n) std::rotate(e.end() - 3, e.end() - 2, e.end());
    if (e.size() == 4 && random.engine() % 2 == 0) std::swap(e[0], e[1]), std::swap(e[2], e[3]);
  }
  std::shuffle(elements.begin(), elements.end(), random.engine);
}

SolidDef rewritten(SolidDef def, const std::vector<std::int32_t>& to, Random& random) {
  const auto elsewhere = [&](auto& list) {
    if (!list.empty()) list = moved(list, to);
  };
  elsewhere(def.tets.vertices), elsewhere(def.mesh.vertices);
  elsewhere(def.initial_positions), elsewhere(def.initial_velocities);
  rewrite(def.tets.tetrahedra, to, random), rewrite(def.mesh.triangles, to, random);
  return def;
}

// Places and velocities of the vertices after half a second, in which the body falls on a floor.
std::vector<Vec3> fallen(const SolidDef& def) {
  World world;
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
  const SolidId id = world.add_solid(def).value();
  for (int n = 0; n < 30; ++n) EXPECT_TRUE(world.step(1.0 / 60).ok());
  std::vector<Vec3> x, v;
  world.copy_positions(id, x);
  world.copy_velocities(id, v);
  EXPECT_LT(
      std::min_element(x.begin(), x.end(), [](const Vec3& a, const Vec3& b) { return a.y < b.y; })
          ->y,
      0.02);
  x.insert(x.end(), v.begin(), v.end());
  return x;
}

void expect_the_same_bits_under_other_numbers(const SolidDef& def, std::size_t vertices) {
  const std::vector<Vec3> given = fallen(def);
  Random random(17);
  for (int n = 0; n < 4; ++n) {
    const std::vector<std::int32_t> to = shuffled(vertices, random);
    const std::vector<Vec3> other = fallen(rewritten(def, to, random));
    for (std::size_t i = 0; i < vertices; ++i) {
      ASSERT_EQ(given[i], other[std::size_t(to[i])]) << n << " " << i;
      ASSERT_EQ(given[vertices + i], other[vertices + std::size_t(to[i])]) << n << " " << i;
    }
  }
}

SolidDef spring_solid(const Springs& springs) {
  SolidDef def;
  def.position = {0, 0.45, 0};
  def.rotation = normalized(Quat{0.9, 0.1, 0.3, 0.2});
  def.velocity = {0.3, -1, 0};
  def.angular_velocity = {1, 2, 3};
  def.model = SolidModel::mass_spring;
  def.springs = springs;
  return def;
}

TEST(Springs, elastic_A15_the_numbers_of_vertices_do_not_matter) {
  for (const SpringLaw law : {SpringLaw::energy, SpringLaw::length, SpringLaw::equal}) {
    SolidDef def =
        spring_solid({.distance = 2, .area = 0.5, .volume = 1, .damping = 0.01, .law = law});
    def.tets = make_lattice(4, 3, 3, 0.1);
    Random random(15);  // cells of all sizes, so that sums are rounded
    for (Vec3& v : def.tets.vertices) v += random.point(0.02);
    expect_the_same_bits_under_other_numbers(def, def.tets.vertices.size());
  }
}

TEST(Springs, elastic_A15_the_numbers_of_a_surface_do_not_matter) {
  SolidDef def = spring_solid(
      {.distance = 0.2, .area = 0.05, .damping = 0.002, .lattice = false, .inner = 600});
  def.mesh = make_sphere(0.3, 2);
  def.density = 30;
  Random random(16);
  for (Vec3& v : def.mesh.vertices) v += random.point(0.01);
  expect_the_same_bits_under_other_numbers(def, def.mesh.vertices.size());
}

// What the numbers would do: particles that are not in the order of their places add up their
// springs in another order, and differ in the last bits alone.
TEST(Springs, elastic_A15_control_sums_in_the_order_of_the_numbers_differ) {
  Random random(17);
  const TetMesh mesh = make_lattice(3, 2, 2, 0.5);
  const SpringRows rows = lattice_springs({.area = 5}, mesh);
  const std::size_t count = mesh.vertices.size();
  const std::vector<std::int32_t> to = shuffled(count, random);
  SpringRows renamed = rows;
  const auto rename = [&](auto& list) {
    for (auto& row : list)
      for (std::int32_t& p : row.particle) p = to[std::size_t(p)];
  };
  rename(renamed.springs), rename(renamed.areas), rename(renamed.volumes);
  const std::vector<double> mass(count, 1.0);
  SpringRig first(rows, mesh.vertices, mass), second(renamed, moved(mesh.vertices, to), mass);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 by = random.point(0.05), speed = random.point(1);
    first.move(i, by), second.move(std::size_t(to[i]), by);
    first.set_velocity(i, speed), second.set_velocity(std::size_t(to[i]), speed);
  }
  for (int n = 0; n < 100; ++n) first.substep(0.001), second.substep(0.001);
  bool same = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t other = std::size_t(to[i]);
    same = same && first.place(i) == second.place(other);
    EXPECT_LT(length(first.place(i) - second.place(other)), tolerance(1e-13, 1e-5));
    EXPECT_LT(length(first.velocity(i) - second.velocity(other)), tolerance(1e-12, 1e-4));
  }
  EXPECT_FALSE(same);
}

}  // namespace
}  // namespace pliant
