// Solids and cloth that meet edge on edge, where no vertex of one is over a face of the other.
// Default settings: 8 substeps of 1/60 s, sweeps 1. Seen to fail without `search_edges`: the plank
// falls through the other to the floor, the cloth through the bar, and the thrown planks through
// each other.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr double k_dt = 1. / 60;

// One cell of five tetrahedra, drawn out to a plank: vertices at its corners only.
TetMesh plank(const Vec3& size) {
  TetMesh mesh = make_lattice(1, 1, 1, 1);
  for (Vec3& x : mesh.vertices) x = {x.x * size.x, x.y * size.y, x.z * size.z};
  return mesh;
}

SolidDef plank_def(const Vec3& size, const Vec3& position) {
  SolidDef def;
  def.tets = plank(size);
  def.position = position;
  def.youngs_modulus = 1e6;
  return def;
}

// The least and greatest height of a body's vertices.
template <class Id>
std::pair<double, double> heights(const World& world, Id id) {
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  std::pair<double, double> y{x[0].y, x[0].y};
  for (const Vec3& p : x) y = {std::min(y.first, p.y), std::max(y.second, p.y)};
  return y;
}

Vec3 velocity_of(const World& world, SolidId id) {
  std::vector<Vec3> v;
  world.copy_velocities(id, v);
  return std::accumulate(v.begin(), v.end(), Vec3{}) / double(v.size());
}

// What presses is less than 1 kPa on a modulus of 1 MPa: a thousandth of the height. The sides are
// half their thicknesses apart.
TEST(Edges, a_plank_lies_across_another) {
  World world;
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  const SolidDef lower_def = plank_def({1, 0.1, 0.2}, {0, 0.06, 0});
  const SolidDef upper_def = plank_def({0.2, 0.1, 1}, {0.02, 0.2, 0.03});
  const SolidId lower = world.add_solid(lower_def).value(),
                upper = world.add_solid(upper_def).value();
  for (int n = 0; n < 240; ++n) world.step(k_dt);
  const double between = heights(world, upper).first - heights(world, lower).second;
  const double thickness = 0.5 * (lower_def.thickness + upper_def.thickness);
  EXPECT_NEAR(between, thickness, 0.001);
  EXPECT_NEAR(heights(world, upper).second - heights(world, upper).first, 0.1, 0.002);
  EXPECT_LT(world.measurements().kinetic_energy, 1e-6);
}

// A plank that hangs by its corners has another on it: they touch by their faces at the crossings,
// and by no vertex. Awake: what sleeps has no contacts.
TEST(Edges, planks_that_meet_crosswise_touch_by_no_vertex) {
  World world({.sleep = false});
  SolidDef held = plank_def({1, 0.1, 0.2}, {});
  held.pins = {{{0, 1, 2, 3, 4, 5, 6, 7}}};
  (void)world.add_solid(held).value();
  (void)world.add_solid(plank_def({0.2, 0.1, 1}, {0.02, 0.11, 0.03})).value();
  for (int n = 0; n < 60; ++n) world.step(k_dt);
  EXPECT_EQ(world.measurements().touching_vertices, 0);
  EXPECT_GE(world.measurements().touching_triangles, 4);
}

// Thrown at each other in free fall: what the two have together stays.
TEST(Edges, planks_that_meet_crosswise_keep_momentum) {
  World world({.gravity = {}});
  SolidDef right = plank_def({1, 0.1, 0.2}, {0, 0, 0}),
           left = plank_def({0.2, 0.1, 1}, {0.1, 0.15, 0.2});
  left.velocity = {0, -2, 0};
  right.linear_drag = left.linear_drag = 0;
  const SolidId hit = world.add_solid(right).value();
  (void)world.add_solid(left).value();
  world.step(k_dt);
  const Measurements before = world.measurements();
  for (int n = 0; n < 30; ++n) world.step(k_dt);
  const Measurements after = world.measurements();
  const double momentum = length(before.momentum), moment = length(before.angular_momentum);
  EXPECT_LT(length(after.momentum - before.momentum), 1e-4 * momentum);
  EXPECT_LT(length(after.angular_momentum - before.angular_momentum), 1e-3 * moment);
  // They did meet: the one that lay still has most of half of what there is.
  EXPECT_LT(velocity_of(world, hit).y, -0.5);
}

// A strip of three cells over the ridge of a bar that is held; the ridge has vertices at its far
// ends only, and runs under the middle of the strip's long edges.
TEST(Edges, cloth_hangs_over_a_ridge) {
  World world;
  SolidDef bar = plank_def({0.1, 0.1, 1}, {});
  const double angle = std::atan(1.) / 2;
  bar.rotation = {0, 0, std::sin(angle), std::cos(angle)};
  bar.pins = {{{0, 1, 2, 3, 4, 5, 6, 7}}};
  (void)world.add_solid(bar).value();
  ClothDef strip;
  strip.mesh = make_grid(3, 1, 0.3, 0.1);
  strip.position = {0, 0.08, 0.02};
  strip.surface.friction_static = strip.surface.friction_kinetic = 1;
  const ClothId cloth = world.add_cloth(strip).value();
  const double ridge = 0.1 * std::sqrt(0.5), thickness = 0.5 * (bar.thickness + strip.thickness);
  double least = 1;
  for (int n = 0; n < 120; ++n) {
    world.step(k_dt);
    std::vector<Vec3> x;
    world.copy_positions(cloth, x);
    for (const std::size_t row : {0u, 4u}) {
      // Where the edge between columns 1 and 2 passes over the ridge at x = 0.
      const Vec3 &a = x[row + 1], &b = x[row + 2];
      const double t = a.x / (a.x - b.x);
      const Vec3 direction = normalized(b - a);
      // The distance from the ridge, a line along z, is the height times the cosine of the slope.
      const double slope = std::hypot(direction.x, direction.y);
      least = std::min(least, (a.y + (b.y - a.y) * t - ridge) * std::abs(direction.x) / slope);
    }
  }
  EXPECT_GT(least, 0.9 * thickness);
  EXPECT_LT(heights(world, cloth).second, ridge + 0.03) << "lies on it";
}

// Deeper than twice the thickness, which was as deep as vertices were seen: it fell to the floor.
TEST(Edges, cloth_that_begins_in_a_solid_is_led_out) {
  for (const double depth : {0.003, 0.01, 0.02}) {
    World world;
    (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
    SolidDef block;
    block.tets = make_lattice(5, 5, 5, 0.1);
    block.position = {0, 0.25, 0};
    block.youngs_modulus = 1e6;
    const SolidId solid = world.add_solid(block).value();
    ClothDef sheet;
    sheet.mesh = make_grid(12, 12, 0.4, 0.4);
    sheet.position = {0, 0.5 - depth, 0};
    const ClothId cloth = world.add_cloth(sheet).value();
    for (int n = 0; n < 120; ++n) world.step(k_dt);
    EXPECT_GT(heights(world, cloth).first, heights(world, solid).second) << depth;
  }
}

}  // namespace
}  // namespace pliant
