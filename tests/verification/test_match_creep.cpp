// Shapes that creep: plasticity of shape matching (item A08 of the deformable bodies).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/world.h>

#include "../random_points.h"
#include "build/match_creep.h"
#include "verification/match_rig.h"

namespace pliant {
namespace {

using test::Random;

// Stretched to one and a half times its length by its held ends for a second, then let go.
struct Plastic {
  double length = 0, volume = 0;  // of those at rest
};
Plastic stretched_and_let_go(const Matching& def) {
  World world({.gravity = {}, .substeps = 8});
  SolidDef solid;
  solid.tets = make_lattice(4, 2, 2, 0.1);
  solid.model = SolidModel::shape_matching;
  solid.matching = def;
  solid.linear_drag = 3;
  std::vector<std::int32_t> ends, left, right;
  for (std::size_t v = 0; v < solid.tets.vertices.size(); ++v)
    if (std::abs(solid.tets.vertices[v].x) > 0.19) ends.push_back(std::int32_t(v));
  for (const std::int32_t v : ends)
    (solid.tets.vertices[std::size_t(v)].x < 0 ? left : right).push_back(v);
  solid.pins = {{.vertices = left, .path = {}, .pivot = {}},
                {.vertices = right, .path = {{0, {}, {}}, {0.5, {0.2, 0, 0}, {}}}, .pivot = {}}};
  const SolidId pulled = world.add_solid(solid).value();
  for (int n = 0; n < 60; ++n) EXPECT_TRUE(world.step(1.0 / 60).ok());
  for (const std::int32_t v : ends) world.set_locked(pulled, v, false);
  for (int n = 0; n < 240; ++n) EXPECT_TRUE(world.step(1.0 / 60).ok());
  std::vector<Vec3> x;
  world.copy_positions(pulled, x);
  double low = 1e9, high = -1e9;
  for (const Vec3& p : x) low = std::min(low, p.x), high = std::max(high, p.x);
  return {(high - low) / 0.4, world.volume(pulled) / world.rest_volume(pulled)};
}

TEST(ShapeMatching, deformable_A08_what_is_stretched_beyond_its_yield_stays_longer) {
  const Plastic elastic = stretched_and_let_go({.frequency = 30});
  EXPECT_NEAR(elastic.length, 1, 0.005);  // control
  const Plastic strong = stretched_and_let_go({.frequency = 30, .yield = 0.8, .creep = 5});
  EXPECT_NEAR(strong.length, 1, 0.005);  // never beyond its yield
  const Plastic bound =
      stretched_and_let_go({.frequency = 30, .yield = 0.1, .creep = 5, .max_creep = 0.2});
  EXPECT_GT(bound.length, 1.05);
  EXPECT_LE(bound.length, 1.2 + 0.005);
  EXPECT_NEAR(bound.volume, 1, 0.01);
  const Plastic plastic = stretched_and_let_go({.frequency = 30, .yield = 0.1, .creep = 5});
  EXPECT_GT(plastic.length, bound.length + 0.05);
  EXPECT_LT(plastic.length, 1.5);
}

// The rule by itself: |C - I| is greater than nothing and at most max_creep, det C = 1.
TEST(ShapeMatching, deformable_A08_creep_is_bounded_and_keeps_the_volume) {
  Random random(86);
  double most = 0;
  for (int n = 0; n < 300; ++n) {
    Mat3 shape;
    for (int step = 0; step < 40; ++step) {
      Mat3 stretch;
      for (Vec3& row : stretch.row) row += random.point(0.3);
      creep_shape({0.1, 0.1, 0.25}, stretch, shape);
      ASSERT_LE(strain_norm(shape), 0.25);
      ASSERT_NEAR(determinant(shape), 1, 1e-12);
    }
    most = std::max(most, strain_norm(shape));
  }
  EXPECT_GT(most, 0.2);
  Mat3 still;
  EXPECT_FALSE(creep_shape({0.1, 0.1, 0.25}, Mat3{{{1.09, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, still));
  EXPECT_FALSE(creep_shape({0.1, 0.1, 0.25}, Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}}, still));
  EXPECT_EQ(strain_norm(still), 0);
  EXPECT_NEAR(strain_norm(Mat3{{{1.3, 0, 0}, {0, 0.6, 0}, {0, 0, 1}}}), 0.4, 1e-12);
}

// A snapshot knows what has crept.
TEST(ShapeMatching, deformable_A08_creep_is_part_of_the_state) {
  World world({.substeps = 4});
  SolidDef solid;
  solid.tets = make_lattice(3, 3, 3, 0.1);
  solid.model = SolidModel::shape_matching;
  solid.matching = {.frequency = 5, .yield = 0.01, .creep = 10};
  for (const Vec3& v : solid.tets.vertices) solid.initial_velocities.push_back({4 * v.x, 0, 0});
  const SolidId id = world.add_solid(solid).value();
  for (int n = 0; n < 20; ++n) (void)world.step(1.0 / 60);
  const std::vector<std::byte> kept = world.snapshot();
  const std::uint64_t there = world.state_hash();
  for (int n = 0; n < 30; ++n) (void)world.step(1.0 / 60);
  const std::uint64_t first = world.state_hash();
  ASSERT_TRUE(world.restore(kept).ok());
  EXPECT_EQ(world.state_hash(), there);
  for (int n = 0; n < 30; ++n) (void)world.step(1.0 / 60);
  EXPECT_EQ(world.state_hash(), first);
  EXPECT_GT(world.rest_volume(id), 0);
}

}  // namespace
}  // namespace pliant
