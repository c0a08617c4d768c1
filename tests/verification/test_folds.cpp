// Creases that fold to an angle, and pins (spec of cloth, check 24).
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <cmath>

#include "cloth_rig.h"
#include "geometry/hinge_angle.h"
#include "geometry/self_intersection.h"

namespace pliant {
namespace {

constexpr double k_pi = 3.14159265358979323846;

// Between cells j - 1 and j of a grid, measured at the first column's cells' far edges: the angle
// of two planes through the crease.
double fold_angle(const ClothRig& rig, int columns, int crease) {
  const auto at = [&](int i, int j) { return rig.place(grid_vertex(columns, i, j)); };
  const Vec3 a = at(0, crease), b = at(columns, crease);
  return hinge_angle(a, b, at(0, crease - 1), at(0, crease + 1));
}

ClothDef strip(int columns, int rows, double cell) {
  ClothDef def;
  def.mesh = make_grid(columns, rows, columns * cell, rows * cell);
  def.bend_rigidity = 1e-5;
  def.linear_drag = 2;
  return def;
}

double folded(double angle, double stiffness, Method method = Method::xpbd) {
  const int columns = 4, rows = 8;
  ClothDef def = strip(columns, rows, 0.02);
  def.folds = {{grid_row(columns, rows / 2), angle, stiffness, 0, 1}};
  def.method = method;
  ClothRig rig(def);
  rig.run(2, 8, 1, {});
  return fold_angle(rig, columns, rows / 2);
}

// 60 degrees within 1, and the mirrored angle to the other side; hard and with a stiffness.
TEST(Folds, cloth_A24_fold_reaches_its_angle_on_either_side) {
  const double sixty = k_pi / 3, degree = k_pi / 180;
  for (const double sign : {1.0, -1.0}) {
    EXPECT_NEAR(std::abs(folded(sign * sixty, 0)), sixty, degree);
    EXPECT_NEAR(std::abs(folded(sign * sixty, 0.1)), sixty, degree);
    EXPECT_NEAR(std::abs(folded(sign * sixty, 0, Method::pbd)), sixty, degree);
  }
  EXPECT_LT(folded(sixty, 0) * folded(-sixty, 0), 0);
}

// Negative angles lift the sides to where the normals point: up in a grid.
TEST(Folds, negative_angles_lift_the_sides_along_the_normal) {
  const int columns = 4, rows = 8;
  ClothDef def = strip(columns, rows, 0.02);
  def.folds = {{grid_row(columns, rows / 2), -1, 0, 0, 1}};
  ClothRig rig(def);
  rig.run(2, 8, 1, {});
  const double middle = rig.place(grid_vertex(columns, 2, rows / 2)).y;
  EXPECT_GT(rig.place(grid_vertex(columns, 2, 0)).y, middle + 0.02);
  EXPECT_GT(rig.place(grid_vertex(columns, 2, rows)).y, middle + 0.02);
}

// Control: without the crease the strip stays flat.
TEST(Folds, control_without_a_fold_it_stays_flat) {
  ClothRig rig(strip(4, 8, 0.02));
  rig.run(2, 8, 1, {});
  EXPECT_LT(std::abs(fold_angle(rig, 4, 4)), 1e-6);
}

// Twelve creases two cells apart, in turn up and down.
ClothDef accordion(int columns, int rows, double cell, double angle) {
  ClothDef def = strip(columns, rows, cell);
  for (int n = 1; n <= 12; ++n)
    def.folds.push_back({grid_row(columns, 2 * n), n % 2 == 1 ? angle : -angle, 0, 0, 2});
  return def;
}

// By 120 degrees: an accordion half as long as the strip, which cuts itself in no frame. Seen to
// fail with creases of 179.8 degrees, which lay the panels into each other.
TEST(Folds, cloth_A24_accordion_of_twelve) {
  const int columns = 4, rows = 26;
  const double cell = 0.02, angle = 2 * k_pi / 3;
  const ClothDef def = accordion(columns, rows, cell, angle);
  ClothRig rig(def);
  TriMesh now = def.mesh;
  for (int frame = 1; frame <= 240; ++frame) {
    rig.step(1. / 60, 20, 4, {});
    for (std::size_t v = 0; v < now.vertices.size(); ++v)
      now.vertices[v] = rig.place(std::int32_t(v));
    ASSERT_TRUE(self_intersections(now).empty()) << "frame " << frame;
    ASSERT_TRUE(self_intersections_brute(now).empty()) << "frame " << frame;
  }
  for (int n = 1; n <= 12; ++n) {
    EXPECT_NEAR(std::abs(fold_angle(rig, columns, 2 * n)), angle, 3 * k_pi / 180) << n;
    if (n > 1) {
      EXPECT_LT(fold_angle(rig, columns, 2 * n) * fold_angle(rig, columns, 2 * n - 2), 0) << n;
    }
  }
  // Thirteen panels of two cells, each leaning by 60 degrees: half of their length remains.
  const double length_now =
      length(rig.place(grid_vertex(columns, 2, rows)) - rig.place(grid_vertex(columns, 2, 0)));
  EXPECT_NEAR(length_now, 0.5 * rows * cell, 0.1 * rows * cell);
}

// Creases of 178 degrees press the panels onto each other, at default settings: a cloth that meets
// itself lies in thirteen layers and never passes through itself; the control, one that does not,
// does.
TEST(Folds, cloth_A24_closed_accordion_of_a_cloth_that_meets_itself) {
  for (const bool self_contact : {true, false}) {
    ClothDef def = accordion(4, 26, 0.02, 3.1);
    def.self_contact = self_contact;
    World world({.gravity = {}, .sleep = false});
    const ClothId cloth = world.add_cloth(def).value();
    TriMesh now = def.mesh;
    std::size_t crossings = 0;
    for (int frame = 1; frame <= 240; ++frame) {
      world.step(1. / 60);
      world.copy_positions(cloth, now.vertices);
      const auto found = self_intersections(now);
      ASSERT_EQ(found, self_intersections_brute(now)) << "frame " << frame;
      crossings += found.size();
    }
    if (self_contact)
      EXPECT_EQ(crossings, 0u);
    else
      EXPECT_GT(crossings, 100u);
  }
}

// A pinned vertex does not move by a bit; one on a path is where the path says.
TEST(Folds, cloth_A24_pins_hold_and_follow) {
  ClothDef def = strip(4, 8, 0.05);
  def.pins = {{grid_row(4, 0)}, {grid_row(4, 8), {{0, {}, {}}, {2, {0, 0.3, -0.2}, {}}}, {}}};
  ClothRig rig(def);
  const Vec3 held = rig.place(grid_vertex(4, 1, 0)), led = rig.place(grid_vertex(4, 1, 8));
  for (int frame = 1; frame <= 90; ++frame) {
    rig.step(1. / 60, 8, 1, {0, -9.81, 0});
    ASSERT_EQ(rig.place(grid_vertex(4, 1, 0)), held);
    const Vec3 expected = led + Vec3{0, 0.3, -0.2} * (frame / 60. / 2);
    ASSERT_LT(length(rig.place(grid_vertex(4, 1, 8)) - expected), 1e-7);
  }
}

}  // namespace
}  // namespace pliant
