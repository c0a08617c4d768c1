// Cloths that begin tangled, without layers: drawn out of each other where the line along which
// they cross can be shortened over a rim or to a point, and reported until they are.
//
// Seen to fail: with `push_speed` 0 nothing is drawn apart (the control); before there was
// untangling every one of these stayed as it was.
#include "sheet_rig.h"

namespace pliant {
namespace {

ClothDef shaped(int cells, double size, const auto& height) {
  ClothDef cloth;
  cloth.mesh = make_grid(cells, cells, size, size);
  for (const Vec3& v : cloth.mesh.vertices)
    cloth.initial_positions.push_back({v.x + 0.013, height(v), v.z + 0.007});
  cloth.initial_velocities.assign(cloth.initial_positions.size(), Vec3{});
  return cloth;
}

// Its lowest corner is 4 cm below the other sheet, some 11 cm of it.
ClothDef low_corner() {
  return shaped(14, 0.3, [](const Vec3& v) { return -0.04 + 0.25 * (v.x + v.z + 0.3); });
}
// A bulge in its middle goes 3 cm through the other sheet.
ClothDef bulge() {
  return shaped(24, 0.3, [](const Vec3& v) {
    return 0.015 - 0.045 * std::exp(-(v.x * v.x + v.z * v.z) / 0.002);
  });
}

struct Tangled : SheetRig {
  explicit Tangled(const ClothDef& cloth, const WorldDef& def = weightless_sheets(),
                   int threads = 0)
      : SheetRig(def, threads) {
    ClothDef flat;
    flat.mesh = make_grid(15, 15, 0.4, 0.4);
    add(flat);
    add(cloth);
  }
  // Steps until nothing crosses; s.
  double time_to_part(double most) {
    EXPECT_GT(crossings(), 10u);
    for (int n = 1; n <= std::lround(60 * most); ++n) {
      const std::int32_t tangled = world.step(1. / 60).tangled;
      if (crossings() == 0) return n / 60.;
      EXPECT_GT(tangled, 0);
    }
    return 1e9;
  }
};

TEST(Tangles, a_corner_is_drawn_out) {
  Tangled rig(low_corner());
  EXPECT_LT(rig.time_to_part(1.5), 1.5);
  rig.expect_no_crossing(0.5);
  EXPECT_EQ(rig.world.step(1. / 60).tangled, 0);
  EXPECT_LT(length(rig.world.measurements().momentum), 1e-5);
}

TEST(Tangles, a_bulge_is_drawn_out) {
  Tangled rig(bulge());
  EXPECT_LT(rig.time_to_part(0.5), 0.5);
  rig.expect_no_crossing(0.5);
}

TEST(Tangles, without_push_a_corner_stays) {
  WorldDef def = weightless_sheets();
  def.push_speed = 0;
  Tangled rig(low_corner(), def);
  EXPECT_GT(rig.time_to_part(1.5), 1e8);
}

// Folded over, the rim of the upper half goes through the lower one.
TEST(Tangles, a_cloth_is_drawn_out_of_itself) {
  SheetRig rig(weightless_sheets());
  ClothDef cloth = folded_sheet(24);
  for (Vec3& p : cloth.initial_positions)
    if (p.y > 0.05) p.y -= 0.0687 * std::max(0., 1 - std::abs(p.x) / 0.2);
  rig.add(cloth);
  ASSERT_GT(rig.crossings(), 50u);
  for (int n = 0; n < 60; ++n) rig.world.step(1. / 60);
  rig.expect_no_crossing(0.5);
}

TEST(Tangles, nothing_is_reported_where_nothing_is_tangled) {
  SheetRig rig;
  add_stack(rig, 2, 8, 0.2);
  for (int n = 0; n < 60; ++n) EXPECT_EQ(rig.world.step(1. / 60).tangled, 0);
}

std::uint64_t hash_after(int threads, bool restored) {
  Tangled rig(low_corner(), weightless_sheets(), threads);
  for (int n = 0; n < 8; ++n) rig.world.step(1. / 60);
  if (restored) {
    const std::vector<std::byte> saved = rig.world.snapshot();
    for (int n = 0; n < 12; ++n) rig.world.step(1. / 60);
    EXPECT_TRUE(rig.world.restore(saved));
  }
  for (int n = 0; n < 12; ++n) rig.world.step(1. / 60);
  return rig.world.state_hash();
}

TEST(Tangles, same_bits_for_any_threads_and_after_a_snapshot) {
  const std::uint64_t expected = hash_after(1, false);
  EXPECT_EQ(hash_after(2, false), expected);
  EXPECT_EQ(hash_after(4, false), expected);
  EXPECT_EQ(hash_after(1, true), expected);
}

}  // namespace
}  // namespace pliant
