// Packing, refreshing and projecting contacts between sheets: each candidate in one lane, no moving
// particle twice in a colour, and closed forms of four particles.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <map>
#include <random>
#include <set>

#include "model/rigid.h"
#include "solver/sheet_stages.h"

namespace pliant {
namespace {

constexpr Real k_thick = Real(0.004);
constexpr double k_h = 1.0 / 480;

struct Rig {
  std::vector<Deformable> bodies{1};
  Particles particles;
  SheetContacts contacts;
  PackScratch pack;

  explicit Rig(std::int32_t count) {
    bodies[0].count = count;
    particles.resize(count + 1);
    for (std::int32_t p = 0; p < count; ++p) particles.d[std::size_t(p)] = {0, 0, 0, 1};
    contacts.pairs = {{0, 0, 0, k_thick, 0, 0}};
  }
  void put(std::size_t p, const Vec3& at) {
    particles.base[p] = {Real(at.x), Real(at.y), Real(at.z), 0};
  }
  void add(const std::array<std::int32_t, 4>& particle, SheetFeature feature, std::uint8_t level) {
    contacts.candidates.push_back({particle, 0, k_thick, feature, level});
  }
  void refresh(double push_speed = 0) {
    choose_levels(bodies, particles, 0, pack, contacts);
    refresh_sheets(contacts, particles, particles.d, {}, k_h, push_speed, nullptr);
  }
};

// Random candidates of 60 particles, of which some are held.
Rig crowd(int count) {
  Rig rig(60);
  for (const std::size_t held : {3u, 20u, 41u}) rig.particles.d[held].w = 0;
  std::mt19937 engine(5);
  for (int n = 0; n < count; ++n) {
    std::set<std::int32_t> four;
    while (four.size() < 4) four.insert(std::int32_t(engine() % 60));
    std::array<std::int32_t, 4> particle;
    std::copy(four.begin(), four.end(), particle.begin());
    rig.add(particle, engine() % 2 ? SheetFeature::edge_edge : SheetFeature::vertex_triangle,
            std::uint8_t(1 + engine() % 3));
  }
  return rig;
}

TEST(SheetStages, every_candidate_has_one_lane_and_colours_share_nothing_that_moves) {
  Rig rig = crowd(400);
  choose_levels(rig.bodies, rig.particles, k_thick, rig.pack, rig.contacts);
  ASSERT_EQ(rig.contacts.used, k_sheet_levels);
  std::map<std::pair<std::array<std::int32_t, 4>, SheetFeature>, int> wanted, packed;
  for (const SheetCandidate& c : rig.contacts.candidates) ++wanted[{c.particle, c.feature}];
  for (const SheetLevel& level : rig.contacts.levels)
    for (int c = 0; c < level.colours(); ++c) {
      std::set<std::int32_t> used;
      for (std::int32_t i = level.colour_begin[std::size_t(c)];
           i < level.colour_begin[std::size_t(c) + 1]; ++i) {
        const SheetBatch& b = level.batches[std::size_t(i)];
        for (std::size_t k = 0; k < std::size_t(b.lanes); ++k) {
          std::array<std::int32_t, 4> particle;
          for (std::size_t n = 0; n < 4; ++n) particle[n] = b.particle[n][k];
          ++packed[{particle, b.feature}];
          for (const std::int32_t p : particle)
            if (rig.particles.d[std::size_t(p)].w > 0) {
              EXPECT_TRUE(used.insert(p).second);
            }
        }
      }
    }
  EXPECT_EQ(packed, wanted);
}

// One particle in a hundred candidates: 63 colours of one each, and the rest one after the other.
TEST(SheetStages, what_has_no_colour_left_runs_one_by_one) {
  Rig rig(301);
  for (std::int32_t n = 0; n < 100; ++n)
    rig.add({0, 3 * n + 1, 3 * n + 2, 3 * n + 3}, SheetFeature::vertex_triangle, 1);
  choose_levels(rig.bodies, rig.particles, 0, rig.pack, rig.contacts);
  const SheetLevel& level = rig.contacts.levels[1];
  EXPECT_EQ(level.colours(), 64);
  EXPECT_TRUE(level.serial);
  EXPECT_EQ(level.batches.size(), 100u);
  for (const SheetBatch& b : level.batches) EXPECT_EQ(b.lanes, 1);
  // Control: a particle that is held conflicts with nobody.
  rig.particles.d[0].w = 0;
  rig.contacts.levels[1].packed = false;
  choose_levels(rig.bodies, rig.particles, 0, rig.pack, rig.contacts);
  EXPECT_EQ(level.colours(), 1);
  EXPECT_EQ(level.batches.size(), 13u);
}

// What a level promises to be apart by, less what is looked at anyway, may be used up from both
// sides.
TEST(SheetStages, levels_are_looked_at_when_strays_can_reach_them) {
  Rig rig(1);
  const auto levels = [&](double thicknesses) {
    return needs_levels(rig.contacts, Real(thicknesses) * k_thick);
  };
  EXPECT_EQ(levels(0), 2);
  EXPECT_EQ(levels(0.024), 2);
  EXPECT_EQ(levels(0.026), 3);  // (1.15 - 1.1) / 2
  EXPECT_EQ(levels(0.099), 3);
  EXPECT_EQ(levels(0.101), 4);  // (1.3 - 1.1) / 2
}

// A vertex over the middle of a triangle.
Rig vertex_over_triangle(double height) {
  Rig rig(4);
  rig.put(0, {0, height, 0});
  rig.put(1, {-1, 0, 1});
  rig.put(2, {2, 0, 1});
  rig.put(3, {-1, 0, -2});
  rig.add({0, 1, 2, 3}, SheetFeature::vertex_triangle, 1);
  return rig;
}

TEST(SheetStages, refresh_finds_distance_normal_and_target) {
  Rig rig = vertex_over_triangle(0.003);
  rig.refresh(1);
  const SheetBatch& b = rig.contacts.levels[1].batches[0];
  EXPECT_TRUE(b.live);
  EXPECT_NEAR(double(b.distance[0]), 0.003, 1e-7);
  EXPECT_NEAR(double(b.normal.y[0]), 1, 1e-6);
  EXPECT_EQ(b.weight[0][0], 1);
  for (std::size_t n = 1; n < 4; ++n) EXPECT_NEAR(double(b.weight[n][0]), -1.0 / 3, 1e-6);
  EXPECT_NEAR(double(b.target[0]), 0.003 + 0.1 * k_h, 1e-7);  // a tenth of the push speed
  Rig far = vertex_over_triangle(0.01);
  far.refresh(1);
  EXPECT_FALSE(far.contacts.levels[1].batches[0].live);
}

// Pressed 1 mm nearer than when the substep began, which is restored: of equal masses the vertex
// goes 3/4 of it and the triangle 1/4; what is held does not move.
TEST(SheetStages, cloth_A20_projection_shares_by_mass) {
  Rig rig = vertex_over_triangle(0.003);
  rig.refresh();
  rig.particles.d[0].y = Real(-0.001);
  project_sheets(rig.contacts, rig.particles, nullptr);
  EXPECT_NEAR(double(rig.particles.d[0].y), -0.00025, 1e-7);
  for (std::size_t n = 1; n < 4; ++n) EXPECT_NEAR(double(rig.particles.d[n].y), -0.00025, 1e-7);
  Rig held = vertex_over_triangle(0.003);
  for (std::size_t n = 1; n < 4; ++n) held.particles.d[n].w = 0;
  held.refresh();
  held.particles.d[0].y = Real(-0.001);
  project_sheets(held.contacts, held.particles, nullptr);
  EXPECT_NEAR(double(held.particles.d[0].y), 0, 1e-7);
  EXPECT_EQ(held.particles.d[1].y, 0);
}

// Crossed edges, met in their middles.
TEST(SheetStages, cloth_A20_crossed_edges_share_by_halves) {
  Rig rig(4);
  rig.put(0, {-1, 0.003, 0});
  rig.put(1, {1, 0.003, 0});
  rig.put(2, {0, 0, -1});
  rig.put(3, {0, 0, 1});
  rig.add({0, 1, 2, 3}, SheetFeature::edge_edge, 1);
  rig.refresh();
  rig.particles.d[0].y = rig.particles.d[1].y = Real(-0.001);
  project_sheets(rig.contacts, rig.particles, nullptr);
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(double(rig.particles.d[n].y), -0.0005, 1e-7);
}

// A crowd of contacts: momentum is kept, and threads change no bit.
TEST(SheetStages, a_sweep_keeps_momentum_and_has_one_result) {
  const auto sweep = [](TaskPool* pool) {
    Rig rig = crowd(400);
    std::mt19937 engine(6);
    std::uniform_real_distribution<double> number(0, 0.01);
    for (std::size_t p = 0; p < 60; ++p) {
      rig.particles.d[p].w = 1;
      rig.put(p, {number(engine), number(engine), number(engine)});
    }
    for (SheetCandidate& c : rig.contacts.candidates) c.level = 1;
    rig.refresh(1);
    for (std::size_t p = 0; p < 60; ++p) rig.particles.d[p].x = Real(number(engine) - 0.005);
    project_sheets(rig.contacts, rig.particles, pool);
    return rig.particles.d;
  };
  const std::vector<Vec4> alone = sweep(nullptr);
  const auto pool = make_task_pool(3);
  const std::vector<Vec4> threads = sweep(pool.get());
  Rig before = crowd(1);
  Vec3 sum, moved;
  std::mt19937 engine(6);
  std::uniform_real_distribution<double> number(0, 0.01);
  for (int n = 0; n < 180; ++n) number(engine);
  for (std::size_t p = 0; p < 60; ++p) {
    const double x = double(Real(number(engine) - 0.005));
    sum += Vec3{double(alone[p].x) - x, double(alone[p].y), double(alone[p].z)};
    moved += Vec3{std::abs(double(alone[p].x) - x), 0, 0};
    EXPECT_EQ(alone[p].x, threads[p].x);
    EXPECT_EQ(alone[p].y, threads[p].y);
    EXPECT_EQ(alone[p].z, threads[p].z);
  }
  EXPECT_GT(moved.x, 0.01);
  EXPECT_LT(length(sum), 1e-5 * moved.x);
}

}  // namespace
}  // namespace pliant
