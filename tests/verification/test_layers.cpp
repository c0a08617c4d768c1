// Cloths with an order: the outer one is brought to the side to which the normals of the inner one
// point (up, for a grid) from near the other, and stays there.
//
// Seen to fail: with equal layers (the control) none of the sheets below moves; with contacts that
// keep their direction where the sheets are tangled, those that start crossed stay so.
#include "sheet_rig.h"

namespace pliant {
namespace {

constexpr double k_thickness = 4e-3;

ClothDef sheet(int cells, const Vec3& at, int layer) {
  ClothDef cloth;
  cloth.mesh = make_grid(cells, cells, 0.3, 0.3);
  cloth.position = at;
  cloth.layer = layer;
  return cloth;
}

// An inner sheet, and an outer one below it by a distance and tilted by an angle (rad).
void add_two(SheetRig& rig, double below, double tilt, int inner, int outer) {
  rig.add(sheet(16, {}, inner));
  ClothDef cloth = sheet(14, {0.013, -below, 0.007}, outer);
  cloth.rotation = {0.6 * std::sin(tilt / 2), 0, 0.8 * std::sin(tilt / 2), std::cos(tilt / 2)};
  rig.add(cloth);
}

void run(SheetRig& rig, int frames) {
  for (int n = 0; n < frames; ++n) ASSERT_EQ(rig.world.step(1. / 60).frozen, 0);
}

TEST(Layers, cloth_A21_layers_come_to_their_sides) {
  SheetRig rig(weightless_sheets());
  add_two(rig, 5e-3, 0, 1, 2);
  ASSERT_NEAR(least_height(rig, 1, 0), -5e-3, 1e-6);
  run(rig, 59);
  EXPECT_GT(least_height(rig, 1, 0), 0.9 * k_thickness);
  EXPECT_EQ(rig.crossings(), 0u);
}

TEST(Layers, cloth_A21_without_layers_sheets_stay) {
  for (const int layer : {0, 2}) {  // none, or the same
    SheetRig rig(weightless_sheets());
    add_two(rig, 5e-3, 0, layer, layer);
    run(rig, 60);
    EXPECT_NEAR(least_height(rig, 1, 0), -5e-3, 1e-5);
  }
}

TEST(Layers, sheets_in_their_order_are_left_alone) {
  SheetRig rig(weightless_sheets());
  add_two(rig, 5e-3, 0, 2, 1);
  run(rig, 60);
  EXPECT_NEAR(least_height(rig, 0, 1), 5e-3, 1e-5);
  EXPECT_LT(rig.world.measurements().kinetic_energy, 1e-12);
}

// What faces the other way is no layer: the back of a coat is not outside the front of the shirt.
TEST(Layers, sheets_that_face_opposite_ways_are_left_alone) {
  SheetRig rig(weightless_sheets());
  rig.add(sheet(16, {}, 1));
  ClothDef cloth = sheet(14, {0.013, -5e-3, 0.007}, 2);
  cloth.rotation = {1, 0, 0, 0};
  rig.add(cloth);
  run(rig, 30);
  EXPECT_NEAR(least_height(rig, 1, 0), -5e-3, 1e-5);
}

// The third at the bottom, the first on top. It takes no velocity worth the name from that: what is
// pushed by 9 and 18 mm in a part of a second flies no faster than 0.3 m/s.
TEST(Layers, three_sheets_upside_down) {
  SheetRig rig(weightless_sheets());
  for (const int n : {0, 1, 2}) rig.add(sheet(12 + n, {0.011 * n, -5e-3 * n, 0.005 * n}, n + 1));
  run(rig, 60);
  EXPECT_EQ(rig.crossings(), 0u);
  EXPECT_GT(least_height(rig, 1, 0), 0.9 * k_thickness);
  EXPECT_GT(least_height(rig, 2, 1), 0.9 * k_thickness);
  EXPECT_LT(rig.world.measurements().kinetic_energy, 0.5 * 3 * 0.018 * 0.3 * 0.3);
}

// Half of the outer sheet is outside already: they cross along a line.
TEST(Layers, crossed_sheets_come_to_their_sides) {
  SheetRig rig(weightless_sheets());
  add_two(rig, 5e-3, 0.1, 1, 2);
  ASSERT_GT(rig.crossings(), 20u);
  EXPECT_GT(rig.world.step(1. / 60).tangled, 20);
  run(rig, 58);
  EXPECT_EQ(rig.crossings(), 0u);
  EXPECT_GT(least_height(rig, 1, 0), 0.9 * k_thickness);
}

// A hanging cloth is held to the side by an inner one that is pulled through where it was.
TEST(Layers, the_outer_cloth_gives_way_to_the_inner_one) {
  SheetRig rig;
  ClothDef inner = sheet(12, {0, 0.3, 0}, 1), outer = sheet(12, {0.01, 0.31, 0.01}, 2);
  Pin pin;
  for (std::int32_t v = 0; v < std::int32_t(inner.mesh.vertices.size()); ++v)
    if (std::abs(inner.mesh.vertices[std::size_t(v)].x) > 0.149) pin.vertices.push_back(v);
  pin.path = {{0, {}, {}}, {1, {0, 0.1, 0}, {}}};
  inner.pins.push_back(pin);
  rig.add(inner);
  rig.add(outer);
  rig.expect_no_crossing(1.5);
  EXPECT_GT(least_height(rig, 1, 0), 0.5 * k_thickness);
}

std::uint64_t hash_after(int threads, bool restored) {
  SheetRig rig(weightless_sheets(), threads);
  add_two(rig, 5e-3, 0.1, 1, 2);
  run(rig, 8);
  if (restored) {
    const std::vector<std::byte> saved = rig.world.snapshot();
    run(rig, 12);
    EXPECT_TRUE(rig.world.restore(saved));
  }
  run(rig, 12);
  return rig.world.state_hash();
}

TEST(Layers, same_bits_for_any_threads_and_after_a_snapshot) {
  const std::uint64_t expected = hash_after(1, false);
  EXPECT_EQ(hash_after(2, false), expected);
  EXPECT_EQ(hash_after(4, false), expected);
  EXPECT_EQ(hash_after(1, true), expected);
}

}  // namespace
}  // namespace pliant
