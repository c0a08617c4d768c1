// Ten seconds of cloth against itself at default settings (8 substeps of 1/60 s, thickness 4 mm = a
// radius of 2 mm): no two triangles ever pass through each other, looked at after every step.
#include "verification/sheet_rig.h"

namespace pliant {
namespace {

TEST(SheetsLong, cloth_A21_fold) {
  SheetRig rig;
  rig.add_floor();
  rig.add(folded_sheet(60));
  rig.expect_no_crossing(10);
}

TEST(SheetsLong, cloth_A21_twist_by_three_turns_and_back) {
  SheetRig rig;
  rig.add(twisted_sheet(60, 3));
  rig.expect_no_crossing(10);
}

TEST(SheetsLong, stack_of_ten) {
  SheetRig rig;
  add_stack(rig, 10, 30, 0.5);
  rig.expect_no_crossing(10);
}

TEST(SheetsLong, crumpled_on_a_small_sphere) {
  SheetRig rig;
  rig.add_floor();
  BodyDef ball;
  ball.motion = Motion::fixed;
  ball.shape = Sphere{0.08};
  ball.position = {0, 0.3, 0};
  rig.world.add_body(ball).value();
  ClothDef cloth;
  cloth.mesh = make_grid(50, 50, 1, 1);
  cloth.self_contact = true;
  cloth.position = {0.03, 0.6, 0.02};
  rig.add(cloth);
  rig.expect_no_crossing(10);
}

// Sixteen capsules make a ring of inner radius 8 cm; the cloth is pulled down through it by its
// middle at 2 m/s. Tethers keep so light a cloth from being torn out like rubber.
TEST(SheetsLong, pulled_through_a_ring) {
  SheetRig rig;
  constexpr int k_parts = 16;
  const double tube = 0.02, radius = 0.08 + tube;
  for (int n = 0; n < k_parts; ++n) {
    const double angle = 2 * k_pi * (n + 0.5) / k_parts, turned = -angle / 2;
    BodyDef part;
    part.motion = Motion::fixed;
    part.shape = Capsule{tube, radius * std::tan(k_pi / k_parts)};
    part.position = {radius * std::cos(angle), 0, radius * std::sin(angle)};
    // The capsule's axis, y, is laid along z and then turned about y.
    const Quat lay{std::sin(k_pi / 4), 0, 0, std::cos(k_pi / 4)};
    part.rotation = Quat{0, std::sin(turned), 0, std::cos(turned)} * lay;
    rig.world.add_body(part).value();
  }
  ClothDef cloth;
  cloth.mesh = make_grid(50, 50, 1, 1);
  cloth.self_contact = true;
  cloth.position = {0, 0.06, 0};
  cloth.tethers = true;
  Pin middle;
  for (std::size_t v = 0; v < cloth.mesh.vertices.size(); ++v) {
    const Vec3& x = cloth.mesh.vertices[v];
    if (std::abs(x.x) < 0.021 && std::abs(x.z) < 0.021) middle.vertices.push_back(std::int32_t(v));
  }
  middle.path = {{0.2, {}, {}}, {0.8, {0, -1.2, 0}, {}}};
  cloth.pins = {middle};
  rig.add(cloth);
  rig.expect_no_crossing(10);
}

}  // namespace
}  // namespace pliant
