// The volume row of a lattice's cube against its five tetrahedra, finite differences, momentum.
#include <gtest/gtest.h>
#include <pliant/mesh.h>

#include <algorithm>
#include <array>
#include <random>

#include "constraints/cell_volume.h"

namespace pliant {
namespace {

// The cube of make_lattice(1, 1, 1): its middle tetrahedron, then the corners opposite.
struct Cube {
  TetMesh mesh = make_lattice(1, 1, 1, 1.0);
  std::array<std::int32_t, 8> order{};

  Cube() {
    const Tetrahedron& middle = mesh.tetrahedra[4];
    for (std::size_t k = 0; k < 4; ++k) order[k] = middle[k];
    for (std::size_t t = 0; t < 4; ++t)
      for (std::size_t k = 0; k < 4; ++k) {
        const Tetrahedron& tet = mesh.tetrahedra[t];
        if (std::find(tet.begin(), tet.end(), middle[k]) != tet.end()) continue;
        for (const std::int32_t v : tet)
          if (std::find(middle.begin(), middle.end(), v) == middle.end()) order[4 + k] = v;
      }
  }
  void shake(unsigned seed, double by) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> move(-by, by);
    for (Vec3& p : mesh.vertices) p += Vec3{move(random), move(random), move(random)};
  }
};

CellVolumeBatch make_batch(Real rest, Real compliance) {
  CellVolumeBatch b{};
  for (std::size_t n = 0; n < 8; ++n) {
    constexpr std::int32_t k_bytes = std::int32_t(sizeof(Vec4));
    b.at[n].fill(8 * k_bytes);  // unused lanes: the scratch particle
    b.at[n][0] = std::int32_t(n) * k_bytes;
  }
  b.rest = splat(0);
  b.compliance = splat(1);
  b.rest[0] = rest;
  b.compliance[0] = compliance;
  return b;
}

double energy_at(const Cube& cube, Real rest) {
  std::vector<Vec4> base(9), d(9);
  for (std::size_t n = 0; n < 8; ++n) {
    const Vec3& p = cube.mesh.vertices[std::size_t(cube.order[n])];
    base[n] = {Real(p.x), Real(p.y), Real(p.z), 0};
  }
  std::vector<CellVolumeBatch> batch{make_batch(rest, 1)};
  refresh_bases(batch, base.data());
  return energy(batch, d.data());
}

TEST(CellVolume, is_the_volume_of_the_five_tetrahedra) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Cube cube;
    cube.shake(seed, 0.2);
    const double six = 6 * volume(cube.mesh);
    EXPECT_NEAR(energy_at(cube, 0), 0.5 * six * six, 1e-5 * six * six);
    EXPECT_NEAR(energy_at(cube, Real(six)), 0, 1e-9);
  }
}

// A stiff projection moves every vertex along the gradient of the five tetrahedra's volume times
// its inverse mass, keeps the momentum and restores the volume.
TEST(CellVolume, projection_follows_the_gradient_and_keeps_momentum) {
  constexpr bool is_double = sizeof(Real) == 8;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Cube cube;
    cube.shake(seed, 0.15);
    std::vector<Vec4> base(9), d(9);
    std::array<double, 8> mass;
    for (std::size_t n = 0; n < 8; ++n) {
      const Vec3& p = cube.mesh.vertices[std::size_t(cube.order[n])];
      base[n] = {Real(p.x), Real(p.y), Real(p.z), 0};
      mass[n] = 1 + 0.3 * double(n);
      d[n].w = Real(1 / mass[n]);
    }
    const double six = 6 * volume(cube.mesh), rest = 0.999 * six;
    std::vector<CellVolumeBatch> batch{make_batch(Real(rest), Real(1e-12))};
    refresh_bases(batch, base.data());
    project(batch, nullptr, d.data(), 1);
    Vec3 sum, turn;
    double ratio = 0;
    TetMesh moved = cube.mesh;
    for (std::size_t n = 0; n < 8; ++n) {
      const Vec3 step{double(d[n].x), double(d[n].y), double(d[n].z)};
      const Vec3& p = cube.mesh.vertices[std::size_t(cube.order[n])];
      sum += step * mass[n];
      turn += cross(p, step * mass[n]);
      Vec3 gradient;
      for (int axis = 0; axis < 3; ++axis) {
        const double e = 1e-6;
        TetMesh more = cube.mesh, less = cube.mesh;
        more.vertices[std::size_t(cube.order[n])][axis] += e;
        less.vertices[std::size_t(cube.order[n])][axis] -= e;
        gradient[axis] = 6 * (volume(more) - volume(less)) / (2 * e);
      }
      if (n == 0) ratio = dot(step, gradient) * mass[n] / length_sq(gradient);
      EXPECT_LT(length(step * mass[n] - gradient * ratio),
                (is_double ? 1e-5 : 5e-3) * length(gradient * ratio));
      moved.vertices[std::size_t(cube.order[n])] += step;
    }
    const double tolerance = is_double ? 1e-12 : 1e-6;
    EXPECT_LT(length(sum), tolerance);
    EXPECT_LT(length(turn), tolerance);
    EXPECT_NEAR(6 * volume(moved), rest, 1e-5 * six);
  }
}

}  // namespace
}  // namespace pliant
