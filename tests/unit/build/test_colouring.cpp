// Colourings are valid and small, and the coloured order is the one that stays stable.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "build/colouring.h"
#include "build/deformable_build.h"
#include "build/split.h"
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

// Edges and hinges as one list.
ElementList mixed(const Grid& grid) {
  ElementList elements;
  const std::span<const std::int32_t> edges = grid.edges, hinges = grid.hinges;
  for (std::size_t e = 0; e < edges.size(); e += 2) elements.add(edges.subspan(e, 2));
  for (std::size_t e = 0; e < hinges.size(); e += 4) elements.add(hinges.subspan(e, 4));
  return elements;
}
int most_that_meet(const ElementList& elements, std::int32_t particles) {
  std::vector<int> met(std::size_t(particles), 0);
  for (const std::int32_t p : elements.particle) ++met[std::size_t(p)];
  return *std::max_element(met.begin(), met.end());
}
void expect_valid(const ElementList& elements, const std::vector<std::int32_t>& colours) {
  std::set<std::pair<std::int32_t, std::int32_t>> used;  // colour and particle
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const std::int32_t p : elements.of(e))
      ASSERT_TRUE(used.insert({colours[e], p}).second) << "element " << e << " at particle " << p;
}

TEST(Colouring, cloth_A15_greedy) {
  const Grid grid(30);
  const auto edges = colour_elements(grid.edges, 2, 900);
  expect_valid(grid.edges, 2, edges);
  EXPECT_EQ(count(edges), 6) << "six edges meet in a vertex";
  const auto hinges = colour_elements(grid.hinges, 4, 900);
  expect_valid(grid.hinges, 4, hinges);
  EXPECT_GE(count(hinges), 12) << "twelve hinges meet in a vertex";
  EXPECT_LE(count(hinges), 15);
  const ElementList both = mixed(grid);
  EXPECT_EQ(both.size(), 2581u + 2465u);
  EXPECT_EQ(most_that_meet(both, 900), 18) << "no colouring has fewer";
  const auto colours = colour_elements(both, 900);
  expect_valid(both, colours);
  EXPECT_LE(count(colours), 22);
}

std::vector<GridPlace> places_of(int side) {
  std::vector<GridPlace> places;
  for (int v = 0; v < side * side; ++v) places.push_back({v % side, v / side});
  return places;
}

TEST(Colouring, cloth_A15_formula_of_a_grid) {
  const Grid grid(30);
  const std::vector<GridPlace> place = places_of(30);
  const auto edges = colour_grid(grid.edges, 2, place), hinges = colour_grid(grid.hinges, 4, place);
  expect_valid(grid.edges, 2, edges);
  expect_valid(grid.hinges, 4, hinges);
  EXPECT_EQ(count(edges), 6);
  EXPECT_EQ(count(edges) + count(hinges), 18) << "exactly the bound";
  // Nearly equal in size: each colour has its share of the 2465 hinges to a tenth.
  for (int c = 0; c < 12; ++c)
    EXPECT_NEAR(double(std::count(hinges.begin(), hinges.end(), c)), 2465 / 12.0, 20);
  std::vector<std::int32_t> triangles;
  for (const Triangle& t : make_grid(29, 29, 1, 1).triangles)
    triangles.insert(triangles.end(), t.begin(), t.end());
  const auto colours = colour_grid(triangles, 3, place);
  expect_valid(triangles, 3, colours);
  EXPECT_EQ(count(colours), 6) << "six triangles meet in a vertex";
}

// The grid of make_grid is known by its triangles, whatever its shape; others are not.
TEST(Colouring, grids_are_recognised) {
  TriMesh mesh = make_grid(5, 3, 1, 2);
  for (Vec3& v : mesh.vertices) v.y = v.x * v.x;
  const std::vector<GridPlace> place = grid_places(mesh);
  ASSERT_EQ(place.size(), 24u);
  EXPECT_EQ(place[7], (GridPlace{1, 1}));
  EXPECT_TRUE(grid_places(make_sphere(1, 2)).empty());
  EXPECT_TRUE(grid_places({}).empty());
  TriMesh other = mesh;
  std::swap(other.triangles[3], other.triangles[4]);
  EXPECT_TRUE(grid_places(other).empty());
  other = mesh;
  other.triangles.pop_back();
  EXPECT_TRUE(grid_places(other).empty());
}

// Numbers of split vertices and of copies as spec-cloth 5.2 counts them: an inner vertex has 18
// constraints, so ceil(18 / q) copies.
TEST(Colouring, cloth_A15_partial_split) {
  struct Case {
    int q;
    std::size_t split;
    int copies, colours;
  };
  for (const Case& c : {Case{12, 784, 1568, 12}, {6, 896, 2576, 9}, {3, 898, 5044, 5}}) {
    ElementList elements = mixed(Grid(30));
    const ParticleCopies copies = split_particles(elements, 900, c.q, 900);
    EXPECT_EQ(copies.particle.size(), c.split) << "q = " << c.q;
    EXPECT_EQ(copies.count(), c.copies) << "q = " << c.q;
    EXPECT_LE(most_that_meet(elements, 900 + copies.count()), c.q);
    const auto colours = colour_elements(elements, 900 + copies.count());
    expect_valid(elements, colours);
    EXPECT_LE(count(colours), c.colours) << "q = " << c.q;
    // Control: each copy taken back to its particle, the same colours clash.
    for (std::int32_t& p : elements.particle)
      if (p >= 900) {
        const auto after = std::upper_bound(copies.begin.begin(), copies.begin.end(), p - 900);
        p = copies.particle[std::size_t(after - copies.begin.begin()) - 1];
      }
    EXPECT_EQ(elements.particle, mixed(Grid(30)).particle);
  }
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
