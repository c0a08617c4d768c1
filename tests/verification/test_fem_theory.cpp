// Finite elements against the theory of thin beams, by direct solutions on meshes that are made
// finer, and the world against the same solutions. tests/long has the finest meshes.
#include <gtest/gtest.h>

#include <cstdio>

#include "fem_theory.h"

namespace pliant {
namespace {

Bar beam(Element element, int cells) {
  Bar bar;
  bar.length = 10;
  bar.cells = cells;
  bar.element = element;
  bar.youngs_modulus = 1e7;
  return bar;
}

// Held at the left end, loaded at the right one, at rest.
std::vector<Vec3> world_tip_loaded(const Bar& bar, double k) {
  WorldDef def;
  def.gravity = {};
  def.substeps = 160;
  def.sleep = false;
  World world(def);
  SolidDef solid = bar.solid();
  solid.linear_drag = 12;
  solid.pins = {{.vertices = bar.end(-1), .path = {}, .pivot = {}}};
  const SolidId id = world.add_solid(solid).value();
  const std::vector<double> share = end_shares(bar);
  for (int n = 0; n < 120; ++n) {
    for (const std::int32_t v : bar.end(1))
      world.apply_force(id, v, {0, -tip_load(bar, k) * share[std::size_t(v)], 0});
    world.step(1.0 / 60);
  }
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  return x;
}

// Every vertex, at a drop of a quarter of the length.
TEST(FemTheory, tip_load_bends_like_a_direct_solution) {
  for (const Element element : {Element::tetrahedra, Element::hexahedra})
    for (const Energy energy : {Energy::neo_hookean, Energy::corotated}) {
      Bar bar;
      bar.energy = energy;
      bar.element = element;
      const std::vector<Vec3> expected = direct_tip_loaded(bar, 1, 1);
      ASSERT_FALSE(expected.empty());
      const std::vector<Vec3> found = world_tip_loaded(bar, 1), rest = bar.mesh().vertices;
      double error = 0, size = 0;
      for (std::size_t v = 0; v < rest.size(); ++v) {
        error += length_sq(found[v] - expected[v]);
        size += length_sq(expected[v] - rest[v]);
      }
      EXPECT_LE(std::sqrt(error / size), 0.01);
      const double drop = -mean_height(expected, end_shares(bar)) / (2 * bar.half());
      EXPECT_GT(drop, 0.15);
      // Control: a load that is 3 % greater is noticed.
      const double more = -mean_height(direct_tip_loaded(bar, 1.03, 1), end_shares(bar));
      EXPECT_GT(std::abs(more / (2 * bar.half()) - drop), 0.02 * drop);
    }
}

// The energy of a twisted bar whose ends are held flat.
TEST(FemTheory, torsion_is_that_of_a_direct_solution) {
  const double angle = 0.3;
  for (const Element element : {Element::tetrahedra, Element::hexahedra}) {
    Bar bar;
    bar.element = element;
    WorldDef def;
    def.gravity = {};
    def.substeps = 40;
    def.sleep = false;
    World world(def);
    SolidDef solid = bar.solid();
    solid.linear_drag = 20;
    const Quat turned{std::sin(angle / 2), 0, 0, std::cos(angle / 2)};
    solid.pins = {{.vertices = bar.end(-1), .path = {}, .pivot = {}},
                  {.vertices = bar.end(1), .path = {{0, {}, {}}, {0.5, {}, turned}}, .pivot = {}}};
    world.add_solid(solid).value();
    for (int n = 0; n < 90; ++n) world.step(1.0 / 60);
    const double expected = direct_torsion(bar, angle, false);
    ASSERT_GT(expected, 0);
    EXPECT_NEAR(world.measurements().elastic_energy, expected, 0.01 * expected);
    EXPECT_GT(std::abs(direct_torsion(bar, 1.02 * angle, false) - expected), 0.03 * expected);
  }
}

// Four cells across: hexahedra are within a tenth of every theory, tetrahedra are not.
TEST(FemTheory, four_cells_across) {
  for (const Element element : {Element::tetrahedra, Element::hexahedra}) {
    const Bar bar = beam(element, 4);
    const double of_theory[] = {weight_drop(bar, 1) / 0.1447, tip_drop(bar, 1, 1) / 0.30172,
                                direct_frequency(bar) / 1.615,
                                direct_torsion(bar, 0.05, true) / theory_torsion(bar, 0.05)};
    std::printf("%s: weight %.4f, tip load %.4f, frequency %.4f, torsion %.4f of theory\n",
                element == Element::hexahedra ? "hexahedra" : "tetrahedra", of_theory[0],
                of_theory[1], of_theory[2], of_theory[3]);
    double worst = 0;
    for (const double share : of_theory) worst = std::max(worst, std::abs(share - 1));
    if (element == Element::hexahedra)
      EXPECT_LT(worst, 0.1);
    else
      EXPECT_GT(worst, 0.2);
  }
}

}  // namespace
}  // namespace pliant
