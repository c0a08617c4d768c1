// Colourings are valid and small, and the coloured order is the one that stays stable.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "build/colouring.h"
#include "build/deformable_build.h"
#include "geometry/topology.h"
#include "verification/particle_rig.h"

namespace pliant {
namespace {

void expect_valid(const std::vector<std::int32_t>& flat, int arity,
                  const std::vector<std::int32_t>& colours) {
  std::set<std::pair<std::int32_t, std::int32_t>> used;  // colour and particle
  for (std::size_t e = 0; e < colours.size(); ++e)
    for (int n = 0; n < arity; ++n)
      ASSERT_TRUE(used.insert({colours[e], flat[e * std::size_t(arity) + std::size_t(n)]}).second)
          << "element " << e << " shares a particle with another of colour " << colours[e];
}
int count(const std::vector<std::int32_t>& colours) {
  return 1 + *std::max_element(colours.begin(), colours.end());
}

// Edges (right, down, diagonal) and hinges of an n x n grid of vertices.
struct Grid {
  int n;
  std::vector<std::int32_t> edges, hinges;
  explicit Grid(int size) : n(size) {
    const auto p = [&](int i, int j) { return std::int32_t(j * n + i); };
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        if (i + 1 < n) edges.insert(edges.end(), {p(i, j), p(i + 1, j)});
        if (j + 1 < n) edges.insert(edges.end(), {p(i, j), p(i, j + 1)});
        if (i + 1 < n && j + 1 < n) {
          edges.insert(edges.end(), {p(i, j), p(i + 1, j + 1)});
          hinges.insert(hinges.end(), {p(i, j), p(i + 1, j + 1), p(i + 1, j), p(i, j + 1)});
        }
        if (i + 1 < n && j + 1 < n && j > 0)  // over a horizontal edge
          hinges.insert(hinges.end(), {p(i, j), p(i + 1, j), p(i + 1, j + 1), p(i, j - 1)});
        if (i + 1 < n && j + 1 < n && i > 0)  // over a vertical edge
          hinges.insert(hinges.end(), {p(i, j), p(i, j + 1), p(i + 1, j + 1), p(i - 1, j)});
      }
  }
};

TEST(Colouring, cloth_A15_grid_of_30) {
  const Grid grid(30);
  const auto edges = colour_elements(grid.edges, 2, 900);
  expect_valid(grid.edges, 2, edges);
  EXPECT_EQ(count(edges), 6) << "six edges meet in a vertex";
  const auto hinges = colour_elements(grid.hinges, 4, 900);
  expect_valid(grid.hinges, 4, hinges);
  EXPECT_GE(count(hinges), 12) << "twelve hinges meet in a vertex";
  EXPECT_LE(count(hinges), 15);
}

TEST(Colouring, random_elements_are_valid) {
  std::mt19937 random(3);
  for (int n = 0; n < 50; ++n) {
    const int arity = 2 + n % 3, particles = 20 + int(random() % 200);
    std::vector<std::int32_t> flat;
    for (unsigned e = 0; e < 100 + random() % 400; ++e) {
      std::set<std::int32_t> mine;
      while (int(mine.size()) < arity) mine.insert(std::int32_t(random() % unsigned(particles)));
      flat.insert(flat.end(), mine.begin(), mine.end());
    }
    expect_valid(flat, arity, colour_elements(flat, arity, particles));
  }
}

// --- order: a cloth of 64 x 64 cells hung by two corners, one sweep in 8 substeps, 5 kN/m.
struct Hanging {
  ConstraintRows rows;
  std::vector<Vec3> x;
  std::vector<double> mass;
  static constexpr int k_side = 65;
  static constexpr double k_compliance = 1 / 5e3;

  Hanging() {
    const Grid grid(k_side);
    for (int j = 0; j < k_side; ++j)
      for (int i = 0; i < k_side; ++i) {
        x.push_back({i / 64.0, 0, j / 64.0});
        mass.push_back(0.2 / (k_side * k_side));
      }
    mass[0] = mass[k_side - 1] = 0;
    for (std::size_t e = 0; e < grid.edges.size(); e += 2) {
      const std::int32_t a = grid.edges[e], b = grid.edges[e + 1];
      rows.distance.push_back(
          {{a, b}, length(x[std::size_t(a)] - x[std::size_t(b)]), k_compliance});
    }
  }
};

// The same rows one after the other, as they are listed: row by row of the grid.
double fastest_row_by_row(const Hanging& cloth, double seconds, int substeps) {
  const double h = 1.0 / 60 / substeps, a = Hanging::k_compliance / (h * h);
  std::vector<Vec3> x = cloth.x, v(x.size());
  double fastest = 0;
  for (int s = 0; s < int(seconds * 60) * substeps && fastest < 1e3; ++s) {
    const std::vector<Vec3> before = x;
    for (std::size_t p = 0; p < x.size(); ++p)
      if (cloth.mass[p] > 0) x[p] += (v[p] + Vec3{0, -9.81 * h, 0}) * h;
    for (const DistanceRow& row : cloth.rows.distance) {
      const std::size_t i = std::size_t(row.particle[0]), j = std::size_t(row.particle[1]);
      const double wi = cloth.mass[i] > 0 ? 1 / cloth.mass[i] : 0;
      const double wj = cloth.mass[j] > 0 ? 1 / cloth.mass[j] : 0;
      const Vec3 d = x[j] - x[i];
      const double l = length(d), k = -(l - row.rest) / ((wi + wj + a) * l);
      x[i] -= d * (wi * k);
      x[j] += d * (wj * k);
    }
    for (std::size_t p = 0; p < x.size(); ++p) {
      v[p] = (x[p] - before[p]) / h;
      fastest = std::fmax(fastest, length(v[p]));
    }
  }
  return fastest;
}

// Nothing that falls a metre and swings can be faster than some sqrt(2 g 1 m) = 4.4 m/s, whips
// twice or three times that.
TEST(Colouring, coloured_order_is_stable_where_row_by_row_order_explodes) {
  const Hanging cloth;
  ParticleRig rig(cloth.rows, cloth.x, cloth.mass);
  double fastest = 0;
  for (int n = 0; n < 180; ++n) {
    rig.step(1.0 / 60, 8, 1, {0, -9.81, 0});
    for (std::size_t p = 0; p < cloth.x.size(); ++p)
      fastest = std::fmax(fastest, length(rig.velocity(p)));
  }
  EXPECT_LT(fastest, 20) << "m/s, coloured, 8 substeps of one sweep";
  EXPECT_GT(fastest_row_by_row(cloth, 3, 8), 1e3) << "m/s, row by row: the negative control";
}

}  // namespace
}  // namespace pliant
