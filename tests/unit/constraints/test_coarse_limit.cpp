// The coarse level of a cloth: what its nodes spread, and what that keeps.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "build/coarse.h"
#include "constraints/coarse_limit.h"

namespace pliant {
namespace {

struct Sheet {
  TriMesh mesh = make_grid(40, 30, 1.0, 0.75);
  std::vector<std::int32_t> order;
  std::vector<double> mass;
  std::vector<bool> pinned;
  CoarseLevel level;
  std::vector<Vec4> base, d;

  explicit Sheet(double slack = 0.01, bool even = false) {
    const std::size_t count = mesh.vertices.size();
    pinned.resize(count);
    for (std::size_t v = 0; v < count; ++v) {
      order.push_back(std::int32_t(v));
      mass.push_back(1e-3 * (even ? 3 : 1 + double(v % 5)));
      const Vec3& x = mesh.vertices[v];
      base.push_back({Real(x.x), Real(x.y), Real(x.z), 0});
      d.push_back({0, 0, 0, Real(1 / mass[v])});
    }
    level = make_coarse_level({&mesh, &order, &mass, &pinned, slack});
    for (std::vector<Vec4>* array : {&base, &d}) array->push_back({});  // particles come by twos
    mass.push_back(0);
    refresh_bases(level, base.data(), nullptr);
  }
};

constexpr double k_tolerance = sizeof(Real) == sizeof(double) ? 1e-12 : 2e-5;

// A correction that is linear over the sheet is spread as the same linear function, but for the
// rounding of weights: each of a particle's nodes but the nearest, which takes the rest, is half a
// part wrong at most.
TEST(CoarseLimit, shares_reproduce_linear_functions) {
  const Sheet sheet;
  ASSERT_FALSE(sheet.level.empty());
  const auto linear = [](const Vec3& x) { return 0.3 + 2 * x.x - 1.7 * x.z; };
  for (std::size_t p = 0; p < sheet.order.size(); ++p) {
    const CoarseShare& share = sheet.level.share[p];
    const auto at_node = [&](std::size_t k) {
      const std::int32_t node = sheet.level.particle[share.node[k]];
      return linear(sheet.mesh.vertices[std::size_t(node)]);
    };
    int sum = 0;
    double value = 0, rounding = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      sum += share.weight[k];
      value += double(share.weight[k]) / k_whole_share * at_node(k);
      rounding += 0.5 / k_whole_share * std::abs(at_node(k) - at_node(0));
    }
    EXPECT_EQ(sum, k_whole_share);
    EXPECT_NEAR(value, linear(sheet.mesh.vertices[p]), rounding + 1e-12);
  }
}

Vec3 momentum(const Sheet& sheet) {
  Vec3 sum;
  for (std::size_t p = 0; p < sheet.d.size(); ++p)
    sum += sheet.mass[p] * Vec3{double(sheet.d[p].x), double(sheet.d[p].y), double(sheet.d[p].z)};
  return sum;
}

void stretch(Sheet& sheet) {  // a twelfth longer along x, and a wave
  for (std::size_t p = 0; p < sheet.d.size(); ++p) {
    sheet.d[p].x = Real(0.08 * double(sheet.base[p].x));
    sheet.d[p].y = Real(0.01 * std::sin(9 * double(sheet.base[p].z)));
  }
}

double moved_mass(const Sheet& sheet, const std::vector<Vec4>& before) {
  double sum = 0;
  for (std::size_t p = 0; p < sheet.d.size(); ++p)
    sum += sheet.mass[p] * std::abs(double(sheet.d[p].x) - double(before[p].x));
  return sum;
}

void correct(Sheet& sheet, int sweeps) {
  if (project(sheet.level, sweeps, sheet.d.data(), nullptr))
    spread(sheet.level, 0, int(sheet.order.size()), sheet.d.data());
}

TEST(CoarseLimit, keeps_momentum) {
  Sheet sheet;
  stretch(sheet);
  const Vec3 before = momentum(sheet);
  const std::vector<Vec4> start = sheet.d;
  correct(sheet, 4);
  const double moved = moved_mass(sheet, start);
  ASSERT_GT(moved, 1e-3);  // it did something
  EXPECT_LT(length(momentum(sheet) - before), 10 * k_tolerance * moved);
}

// Control: nodes with the mass of their particle alone would not keep it.
TEST(CoarseLimit, control_wrong_masses_lose_momentum) {
  Sheet sheet;
  for (std::size_t k = 0; k < sheet.level.particle.size(); ++k)
    sheet.level.inverse_mass[k] =
        Real(1 / (sheet.mass[std::size_t(sheet.level.particle[k])] * double(1 + k % 7)));
  stretch(sheet);
  const Vec3 before = momentum(sheet);
  const std::vector<Vec4> start = sheet.d;
  correct(sheet, 4);
  EXPECT_GT(length(momentum(sheet) - before), 1e-3 * moved_mass(sheet, start));
}

// m, of a node: the mean of its members.
Vec3 place_of(const Sheet& sheet, std::int32_t node) {
  const CoarseLevel& level = sheet.level;
  Vec3 sum;
  const auto [from, to] = level.members_range[std::size_t(node)];
  for (std::int32_t n = from; n < to; ++n) {
    const CoarseMembers& m = level.members[std::size_t(n)];
    for (std::size_t k = 0; k < m.weight.size(); ++k) {
      const Vec4 &base = sheet.base[std::size_t(m.first) + k],
                 &d = sheet.d[std::size_t(m.first) + k];
      sum += double(m.weight[k]) * Vec3{double(base.x) + double(d.x), double(base.y) + double(d.y),
                                        double(base.z) + double(d.z)};
    }
  }
  return sum;
}

// A node is held where its vertex is, or is a mean: of its own particles, none beyond the sheet's
// last one.
TEST(CoarseLimit, weights_of_a_node_add_up_to_one) {
  const Sheet sheet;
  for (const auto& [from, to] : sheet.level.members_range) {
    double sum = 0;
    for (std::int32_t n = from; n < to; ++n) {
      const CoarseMembers& m = sheet.level.members[std::size_t(n)];
      ASSERT_GE(m.first, 0);
      ASSERT_LE(std::size_t(m.first) + m.weight.size(), sheet.order.size());
      for (const Real weight : m.weight) sum += double(weight);
    }
    EXPECT_NEAR(sum, 1, k_tolerance);
  }
}

// Stretched by 8 %, fifty substeps of four sweeps bring every pair of nodes back to its limit of
// 1 %.
TEST(CoarseLimit, brings_nodes_within_their_limits) {
  Sheet sheet;
  stretch(sheet);
  for (int substep = 0; substep < 50; ++substep) correct(sheet, 4);
  for (const DistanceBatch& b : sheet.level.limit)
    for (std::size_t lane = 0; lane < k_lanes; ++lane) {
      if (std::size_t(b.i[lane]) >= sheet.level.particle.size()) continue;
      const double apart = length(place_of(sheet, b.j[lane]) - place_of(sheet, b.i[lane]));
      EXPECT_LT(apart, double(b.rest[int(lane)]) * 1.003);
    }
}

// A wave of two edges, 5 % of the distance of the nodes high, in an even cloth at rest moves next
// to nothing: means of a node's members hardly know of it but at the rim, where a node has few.
// Control: with nodes that follow the particle in their middle whole patches move, a thousand times
// as much.
TEST(CoarseLimit, fine_waves_move_no_patch) {
  const auto moved_by_wave = [](bool middle_only) {
    Sheet sheet(0.01, true);
    if (middle_only)
      for (std::size_t k = 0; k < sheet.level.particle.size(); ++k) {
        const auto [from, to] = sheet.level.members_range[k];
        const std::int32_t middle = sheet.level.particle[k],
                           first = std::min(middle, std::int32_t(sheet.order.size()) - 4);
        for (std::int32_t n = from; n < to; ++n) {
          CoarseMembers& m = sheet.level.members[std::size_t(n)];
          m = {first, {}};
          if (n == from) m.weight[std::size_t(middle - first)] = 1;
        }
      }
    refresh_bases(sheet.level, sheet.base.data(), nullptr);
    for (std::size_t p = 0; p < sheet.d.size(); ++p)
      sheet.d[p].x = Real((p % 41 + p / 41) % 2 == 0 ? 0.0075 : -0.0075);
    const std::vector<Vec4> before = sheet.d;
    correct(sheet, 4);
    return moved_mass(sheet, before);
  };
  const double control = moved_by_wave(true);
  EXPECT_GT(control, 1e-2);
  EXPECT_LT(moved_by_wave(false), 1e-3 * control);
}

// Within its limits a cloth does not feel its coarse level, to the last bit.
TEST(CoarseLimit, leaves_slack_cloth_alone) {
  Sheet sheet;
  for (std::size_t p = 0; p < sheet.d.size(); ++p)
    sheet.d[p].x = Real(-0.05 * double(sheet.base[p].x));
  const std::vector<Vec4> before = sheet.d;
  correct(sheet, 4);
  for (std::size_t p = 0; p < sheet.d.size(); ++p) EXPECT_EQ(sheet.d[p].x, before[p].x);
}

}  // namespace
}  // namespace pliant
