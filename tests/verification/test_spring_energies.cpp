// Forces of springs, areas and volumes: gradients of their energies, momentum, damping (items A01
// to A03 of the deformable bodies).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <pliant/world.h>

#include "../random_points.h"
#include "geometry/topology.h"
#include "verification/rig_precision.h"
#include "verification/spring_cube.h"

namespace pliant {
namespace {

using test::Random;

TEST(Springs, deformable_A01_a_lattice_has_its_nodes_edges_faces_and_volume) {
  struct Case {
    int n;
    std::size_t nodes, edges, faces, tets;
  };
  for (const Case& c : {Case{5, 216, 990, 300, 625}, Case{10, 1331, 6930, 1200, 5000}}) {
    const TetMesh mesh = make_lattice(c.n, c.n, c.n, 0.3);
    EXPECT_EQ(mesh.vertices.size(), c.nodes);
    EXPECT_EQ(mesh.tetrahedra.size(), c.tets);
    const SpringRows rows = lattice_springs({.area = 1}, mesh);
    EXPECT_EQ(rows.springs.size(), c.edges);
    EXPECT_EQ(rows.areas.size(), c.faces);
    EXPECT_EQ(rows.volumes.size(), c.tets);
    double sum = 0;
    std::set<Triangle> faces;
    for (const Tetrahedron& t : mesh.tetrahedra) {
      EXPECT_GT(signed_volume(mesh, t), 0);
      sum += signed_volume(mesh, t);
      for (Triangle f : faces_of(t)) {
        std::sort(f.begin(), f.end());
        faces.insert(f);
      }
    }
    const double side = 0.3 * c.n;
    EXPECT_NEAR(sum, side * side * side, 1e-12 * sum);
    EXPECT_EQ(c.nodes - c.edges + faces.size() - c.tets, 1u);  // Euler's number of a ball
  }
}

// One spring, one area and one volume of random corners, by themselves.
struct Single {
  SpringRows rows;
  std::size_t corners;
  double (*value)(const std::vector<Vec3>&);
};
double length_value(const std::vector<Vec3>& x) { return length(x[1] - x[0]); }
double area_value(const std::vector<Vec3>& x) {
  return length(cross(x[1] - x[0], x[2] - x[0])) / 2;
}

TEST(Springs, deformable_A02_forces_are_minus_the_gradient_of_energies) {
  Random random(2);
  const double stiffness = 3;
  std::vector<Single> singles(3);
  singles[0] = {
      {.springs = {{{0, 1}, 0.8, stiffness, 0}}, .areas = {}, .volumes = {}}, 2, length_value};
  singles[1] = {
      {.springs = {}, .areas = {{{0, 1, 2}, 0.4, stiffness}}, .volumes = {}}, 3, area_value};
  singles[2] = {
      {.springs = {}, .areas = {}, .volumes = {{{0, 1, 2, 3}, 0.2, stiffness}}}, 4, volume_value};
  const double rests[] = {0.8, 0.4, 0.2};
  int inverted = 0;
  for (std::size_t kind = 0; kind < 3; ++kind)
    for (int n = 0; n < 1000; ++n) {
      std::vector<Vec3> x;
      do {
        x.clear();
        for (std::size_t i = 0; i < singles[kind].corners; ++i) x.push_back(random.point(1));
      } while (kind < 2 && singles[kind].value(x) < 0.05);  // has no direction
      inverted += kind == 2 && singles[kind].value(x) < 0;
      SpringRig rig(singles[kind].rows, x, std::vector<double>(x.size(), 1.0));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = rig.place(i);
      const auto energy_at = [&](const std::vector<Vec3>& at) {
        const double c = singles[kind].value(at) - rests[kind];
        return stiffness / 2 * c * c;
      };
      EXPECT_NEAR(rig.elastic(), energy_at(x), tolerance(1e-12, 1e-5));
      const std::vector<Vec3> f = rig.forces();
      Vec3 sum, torque;
      double size = 1e-3;
      for (const Vec3& force : f) size += length(force);
      for (std::size_t i = 0; i < x.size(); ++i) {
        sum += f[i];
        torque += cross(x[i], f[i]);
        for (int k = 0; k < 3; ++k) {
          std::vector<Vec3> up = x, down = x;
          up[i][k] += 1e-6, down[i][k] -= 1e-6;
          EXPECT_NEAR(f[i][k], -(energy_at(up) - energy_at(down)) / 2e-6,
                      tolerance(1e-6, 2e-5) * size + tolerance(0, 1e-6));
        }
      }
      EXPECT_LT(length(sum), tolerance(1e-10, 1e-5) * size);
      EXPECT_LT(length(torque), tolerance(1e-10, 2e-5) * size);
    }
  EXPECT_GT(inverted, 400);  // volumes have a sign
}

// What is set are energies: k/2 C^2 with C the change of a length, area or volume over the one at
// rest.
TEST(Springs, deformable_A02_constants_are_energies) {
  const double stiffness = 3, by = 1.3;
  const TetMesh mesh = make_lattice(2, 1, 1, 0.7);
  const auto energy_of = [&](const Springs& def) {
    SpringRig rig(lattice_springs(def, mesh), mesh.vertices, equal_masses(mesh, 1));
    for (std::size_t i = 0; i < rig.count(); ++i) rig.move(i, mesh.vertices[i] * (by - 1));
    return rig.elastic();
  };
  const SpringRows rows = lattice_springs({.area = 1}, mesh);
  const auto expected = [&](std::size_t count, int power) {
    const double c = std::pow(by, power) - 1;
    return double(count) * stiffness / 2 * c * c;
  };
  const double d = expected(rows.springs.size(), 1), a = expected(rows.areas.size(), 2),
               v = expected(rows.volumes.size(), 3);
  const double rounding = tolerance(1e-12, 1e-5);
  EXPECT_NEAR(energy_of({.distance = stiffness, .volume = 0}), d, rounding * d);
  EXPECT_NEAR(energy_of({.distance = 0, .area = stiffness, .volume = 0}), a, rounding * a);
  EXPECT_NEAR(energy_of({.distance = 0, .volume = stiffness}), v, rounding * v);
}

TEST(Springs, deformable_A03_damping_pulls_together_what_recedes) {
  SpringRig rig({.springs = {{{0, 1}, 1, 0, 1}}, .areas = {}, .volumes = {}},
                {{0, 0, 0}, {1, 0, 0}}, {1, 1});
  rig.set_velocity(1, {1, 0, 0});
  const std::vector<Vec3> f = rig.forces();
  EXPECT_NEAR(f[0].x, 1, 1e-6);
  EXPECT_NEAR(f[1].x, -1, 1e-6);
}

TEST(Springs, deformable_A03_momentum_is_kept_and_energy_falls) {
  Random random(3);
  const TetMesh mesh = make_lattice(2, 2, 2, 1);
  SpringRig rig(lattice_springs({.damping = 0.5}, mesh), mesh.vertices, equal_masses(mesh, 0.05));
  for (std::size_t i = 0; i < rig.count(); ++i) rig.set_velocity(i, random.point(1));
  const Vec3 momentum = rig.momentum(), spin = rig.angular_momentum();
  double before = rig.kinetic() + rig.elastic();
  const double first = before;
  for (int n = 0; n < 10000; ++n) {
    rig.plain_step(0.002);
    const double now = rig.kinetic() + rig.elastic();
    ASSERT_LT(now, before * (1 + 1e-3));
    before = now;
    ASSERT_LT(length(rig.momentum() - momentum), tolerance(1e-9, 1e-4));
    ASSERT_LT(length(rig.angular_momentum() - spin), tolerance(1e-9, 1e-3));
  }
  EXPECT_LT(before, 0.5 * first);
  // Control: damping of the other sign, as the work prints it, gives energy.
  SpringRows wrong = lattice_springs({.damping = 0.5}, mesh);
  for (SpringRow& row : wrong.springs) row.damping = -row.damping;
  SpringRig gains(wrong, mesh.vertices, equal_masses(mesh, 0.05));
  for (std::size_t i = 0; i < gains.count(); ++i) gains.set_velocity(i, random.point(0.1));
  const double little = gains.kinetic();
  for (int n = 0; n < 200; ++n) gains.plain_step(0.002);
  EXPECT_GT(gains.kinetic() + gains.elastic(), 2 * little);
}

TEST(Springs, deformable_A03_rigid_motion_is_not_damped) {
  const TetMesh mesh = make_lattice(2, 2, 2, 1);
  const SpringRows rows = lattice_springs({.damping = 2}, mesh);
  SpringRig moves(rows, mesh.vertices, equal_masses(mesh, 0.05)), turns = moves;
  for (std::size_t i = 0; i < moves.count(); ++i) {
    moves.set_velocity(i, {1, 0, 0});
    turns.set_velocity(i, cross(Vec3{0, 0.1, 0}, mesh.vertices[i]));
  }
  const double moving = moves.kinetic(), turning = turns.kinetic();
  for (int n = 0; n < 5000; ++n) moves.plain_step(0.002), turns.plain_step(0.002);
  EXPECT_NEAR(moves.kinetic(), moving, tolerance(1e-9, 1e-4) * moving);
  EXPECT_NEAR(turns.kinetic() + turns.elastic(), turning, 1e-3 * turning);
}

}  // namespace
}  // namespace pliant
