// Picking, dragging and holding through the public face, as a viewer does it, and surfaces that
// differ from what is simulated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <pliant/world.h>

#include "api/soft_cube.h"

namespace pliant {
namespace {

Vec3 centre(const World& world, SolidId id) {
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  return std::accumulate(x.begin(), x.end(), Vec3{}) / double(x.size());
}

// --- limits of anchors
// --------------------------------------------------------------------------------
// A weight on an anchor that pulls with less than its weight falls with g - F / m.
TEST(Drag, an_anchor_with_a_greatest_force_lets_a_heavier_weight_fall) {
  for (const double compliance : {0.0, 1e-6}) {
    World world;
    const BodyId ball = world.add_body({.shape = Sphere{0.1}, .mass = 2}).value();
    const AnchorDef def{
        .a = BodyPoint{ball, {}}, .b = WorldPoint{}, .compliance = compliance, .max_force = 12};
    const AnchorId anchor = world.add_anchor(def).value();
    for (int n = 0; n < 30; ++n) world.step(k_dt);
    EXPECT_NEAR(world.velocity(ball).y, -(9.81 - 12 / 2.0) * 0.5, 2e-3);
    EXPECT_NEAR(length(world.anchor_force(anchor)), 12, 1e-3);
  }
  // One that may pull harder holds it.
  World world;
  const BodyId ball = world.add_body({.shape = Sphere{0.1}, .mass = 2}).value();
  const AnchorDef def{.a = BodyPoint{ball, {}}, .b = WorldPoint{}, .max_force = 30};
  const AnchorId anchor = world.add_anchor(def).value();
  for (int n = 0; n < 30; ++n) world.step(k_dt);
  EXPECT_LT(std::abs(world.pose(ball).position.y), 1e-3);
  EXPECT_NEAR(world.anchor_force(anchor).y, 2 * 9.81, 0.05);
}

TEST(Drag, a_solid_and_a_cloth_fall_with_what_is_left_of_their_weight) {
  World world;
  const SolidId solid = world.add_solid(cube()).value();
  ClothDef sheet{.mesh = make_grid(2, 2, 0.4, 0.4), .position = {3, 0, 0}};
  sheet.linear_drag = 0;
  const ClothId cloth = world.add_cloth(sheet).value();
  const double share = 0.4;
  const double weight = 9.81 * world.mass(solid), cloth_weight = 9.81 * world.mass(cloth);
  ASSERT_TRUE(world
                  .add_anchor({.a = SolidVertex{solid, 0},
                               .b = WorldPoint{{-0.15, 100, -0.15}},
                               .max_force = share * weight})
                  .ok());
  ASSERT_TRUE(world
                  .add_anchor({.a = ClothVertex{cloth, 4},
                               .b = WorldPoint{{3, 100, 0}},
                               .max_force = share * cloth_weight})
                  .ok());
  for (int n = 0; n < 30; ++n) world.step(k_dt);
  // Momentum of both, whatever they do inside: the pull is straight up.
  const double expected = -(1 - share) * 0.5 * 9.81 * (world.mass(solid) + world.mass(cloth));
  EXPECT_NEAR(world.measurements().momentum.y, expected, 0.02 * std::abs(expected));
}

// --- picking and dragging
// -----------------------------------------------------------------------------
TEST(Drag, deformable_A25_a_ray_takes_the_nearest_vertex_and_a_spring_pulls_it) {
  for (const SolidModel model : k_models) {
    World world({.gravity = {}});
    const SolidId id = world.add_solid(cube(model)).value();
    // Near the corner (0.15, 0.15, 0.15) of the front.
    const auto hit = world.cast_ray({0.13, 0.12, 5}, {0, 0, -1}, 100);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->thing, AnyId(id));
    const AnchorId anchor = world.drag(*hit, {.stiffness = 50}).value();
    const AnchorDef held = world.describe(anchor);
    EXPECT_EQ(held.compliance, 0.02);
    const Vec3 at = std::get<WorldPoint>(held.b).position;
    EXPECT_LT(length(at - Vec3{0.15, 0.15, 0.15}), 1e-6);
    world.step(k_dt);
    EXPECT_LT(length(world.measurements().momentum), 1e-4) << "it pulls though nothing has moved";
    world.set_anchor_target(anchor, at + Vec3{1, 0, 0});
    for (int n = 0; n < 120; ++n) world.step(k_dt);
    EXPECT_GT(centre(world, id).x, 0.1);
    const double before = world.measurements().momentum.x;
    world.remove(anchor);
    for (int n = 0; n < 30; ++n) world.step(k_dt);
    EXPECT_NEAR(world.measurements().momentum.x, before, 0.01 * std::abs(before) + 1e-4);
  }
}

TEST(Drag, takes_a_body_where_it_was_hit_and_a_cloth_by_a_vertex) {
  World world({.gravity = {}});
  const BodyId box = world.add_body({.shape = Box{}, .position = {0, 0, -3}}).value();
  const ClothId cloth =
      world.add_cloth({.mesh = make_grid(4, 4, 1, 1), .position = {5, 0, 0}}).value();
  const auto on_box = world.cast_ray({0.2, 0.3, 5}, {0, 0, -1}, 100);
  ASSERT_TRUE(on_box);
  const AnchorDef held = world.describe(world.drag(*on_box).value());
  EXPECT_LT(length(std::get<BodyPoint>(held.a).local - Vec3{0.2, 0.3, 0.5}), 1e-6);
  EXPECT_LT(length(std::get<WorldPoint>(held.b).position - Vec3{0.2, 0.3, -2.5}), 1e-6);
  EXPECT_EQ(held.compliance, 0);
  const auto on_cloth = world.cast_ray({5.28, 2, 0.03}, {0, -1, 0}, 100);
  ASSERT_TRUE(on_cloth);
  const AnchorId anchor = world.drag(*on_cloth, {.max_force = 3}).value();
  EXPECT_EQ(world.describe(anchor).max_force, 3);
  EXPECT_LT(length(std::get<WorldPoint>(world.describe(anchor).b).position - Vec3{5.25, 0, 0}),
            1e-6);
  world.set_anchor_target(anchor, {5.25, 0.1, 0});
  for (int n = 0; n < 60; ++n) world.step(k_dt);
  std::vector<Vec3> x;
  world.copy_positions(cloth, x);
  EXPECT_NEAR(x[13].y, 0.1, 0.01);

  EXPECT_FALSE(world.drag({}).ok());
  RayHit stale = *on_cloth;
  world.remove(cloth);
  const auto refused = world.drag(stale);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("no such thing"), std::string::npos);
  EXPECT_FALSE(world.drag(*on_box, {.stiffness = -1}).ok());
  EXPECT_FALSE(world.drag(*on_box, {.max_force = -1}).ok());
  stale = *on_box;
  stale.thing = AnyId(box);
  EXPECT_TRUE(world.drag(stale).ok());
}

// 1000 rays at random points of a deformed solid hit what a search through all triangles hits.
TEST(Drag, elastic_A18_picked_triangles_are_those_of_a_search_through_all) {
  World world({.gravity = {}});
  SolidDef def = cube();
  def.rotation = {0.2, 0.4, 0.1, 0.88};
  def.rotation = normalized(def.rotation);
  def.velocity = {0, 0, 1};
  const SolidId id = world.add_solid(def).value();
  world.apply_force(id, 3, {40, 30, -20});
  for (int n = 0; n < 10; ++n) world.step(k_dt);
  FrameLayout layout = world.frame_layout();
  Frame frame;
  world.capture(frame);
  const std::vector<Vec3f>& x = frame.positions[0];
  int hits = 0;
  for (int k = 0; k < 1000; ++k) {
    const Vec3 from{0.5 * std::sin(12.9898 * k), 0.5 * std::sin(78.233 * k), 3};
    const auto hit = world.cast_ray(from, {0, 0, -1}, 100);
    double nearest = 1e300;
    for (const Triangle& t : layout.surfaces[0].triangles) {
      const auto p = [&](std::size_t n) { return cast<double>(x[std::size_t(t[n])]); };
      const Vec3 a = p(0), b = p(1), c = p(2);
      const Vec3 normal = cross(b - a, c - a);
      if (std::abs(normal.z) < 1e-12) continue;
      const double z = a.z - ((from.x - a.x) * normal.x + (from.y - a.y) * normal.y) / normal.z;
      const Vec3 q{from.x, from.y, z};
      const auto side = [&](const Vec3& u, const Vec3& v) {
        return dot(cross(v - u, q - u), normal);
      };
      if (side(a, b) >= 0 && side(b, c) >= 0 && side(c, a) >= 0) nearest = std::min(nearest, 3 - z);
    }
    hits += hit.has_value();
    ASSERT_EQ(hit.has_value(), nearest < 1e300) << k;
    if (hit) {
      EXPECT_NEAR(hit->distance, nearest, 1e-5);
    }
  }
  EXPECT_GT(hits, 50);
  EXPECT_LT(hits, 950);
}

// A line force: the spring to the cursor pulls with stiffness times distance, at most its limit.
TEST(Drag, deformable_A25_a_line_force_is_that_of_its_spring_up_to_the_limit) {
  World world({.gravity = {}});
  SolidDef def = cube();
  for (std::int32_t v = 0; v < 16; ++v)  // the far side is held
    def.pins.resize(1), def.pins[0].vertices.push_back(v);
  def.linear_drag = 5;
  ASSERT_TRUE(world.add_solid(def).ok());
  const auto hit = world.cast_ray({0.05, 0.05, 5}, {0, 0, -1}, 100);
  ASSERT_TRUE(hit);
  const AnchorId soft = world.drag(*hit, {.stiffness = 30}).value();
  const Vec3 at = std::get<WorldPoint>(world.describe(soft).b).position;
  const Vec3 cursor = at + Vec3{0, 0, 0.1};
  world.set_anchor_target(soft, cursor);
  for (int n = 0; n < 240; ++n) world.step(k_dt);
  const auto moved = world.cast_ray({at.x, at.y, 5}, {0, 0, -1}, 100);
  ASSERT_TRUE(moved);
  const double stretch = cursor.z - moved->point.z;
  EXPECT_GT(stretch, 0.05);
  EXPECT_NEAR(world.anchor_force(soft).z, 30 * stretch, 0.02 * 30 * stretch);
  world.remove(soft);
  for (int n = 0; n < 120; ++n) world.step(k_dt);
  const AnchorId limited = world.drag(*hit, {.stiffness = 30, .max_force = 0.5}).value();
  world.set_anchor_target(limited, cursor);
  for (int n = 0; n < 240; ++n) world.step(k_dt);
  EXPECT_NEAR(world.anchor_force(limited).z, 0.5, 0.01);
}

// --- what is held is described
// --------------------------------------------------------------------------
TEST(Drag, a_described_solid_holds_what_is_locked) {
  World world;
  SolidDef def = cube();
  def.pins.push_back({.vertices = {0, 1}});
  const SolidId id = world.add_solid(def).value();
  world.set_locked(id, 63, true);
  world.set_locked(id, 1, false);
  for (int n = 0; n < 10; ++n) world.step(k_dt);
  const SolidDef now = world.describe(id);
  ASSERT_EQ(now.pins.size(), 2u);
  EXPECT_EQ(now.pins[0].vertices, std::vector<std::int32_t>{0});
  EXPECT_EQ(now.pins[1].vertices, std::vector<std::int32_t>{63});

  World copy;
  const SolidId other = copy.add_solid(now).value();
  std::vector<Vec3> x, y;
  world.copy_positions(id, x);
  for (int n = 0; n < 20; ++n) copy.step(k_dt);
  copy.copy_positions(other, y);
  EXPECT_LT(length(y[63] - x[63]), 1e-9);
  EXPECT_LT(length(y[0] - x[0]), 1e-9);
  EXPECT_GT(length(y[1] - x[1]), 1e-4);

  // A change of something else keeps them held, and what was let go stays so.
  SolidDef softer = now;
  softer.youngs_modulus = 1e4;
  EXPECT_FALSE(world.change(id, softer).value());
  for (int n = 0; n < 20; ++n) world.step(k_dt);
  world.copy_positions(id, y);
  EXPECT_LT(length(y[63] - x[63]), 1e-9);
  EXPECT_LT(length(y[0] - x[0]), 1e-9);
  EXPECT_GT(length(y[1] - x[1]), 1e-4);
  EXPECT_EQ(world.describe(id).pins.size(), 2u);
}

// --- several surfaces
// ---------------------------------------------------------------------------------
SolidDef dressed() {
  SolidDef def = cube();
  def.mesh = make_box({0.1, 0.1, 0.1}, 3);  // meets others
  def.skin = make_sphere(0.14, 2);          // is drawn
  return def;
}

TEST(Surfaces, deformable_A11_the_skin_is_drawn_and_the_mesh_meets_others) {
  World world;
  ASSERT_TRUE(world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).ok());
  SolidDef def = dressed();
  def.position = {0, 0.3, 0};
  def.youngs_modulus = 1e6;
  const SolidId id = world.add_solid(def).value();
  const FrameLayout layout = world.frame_layout();
  EXPECT_EQ(layout.surfaces[0].vertex_count, std::int32_t(def.skin.vertices.size()));
  EXPECT_EQ(layout.surfaces[0].triangles, def.skin.triangles);
  Frame frame;
  world.capture(frame);
  for (std::size_t v = 0; v < def.skin.vertices.size(); ++v)
    EXPECT_LT(length(cast<double>(frame.positions[0][v]) - def.skin.vertices[v] - def.position),
              1e-6);
  // The ray meets the mesh, whose top is at 0.4, not the skin at 0.44.
  const auto hit = world.cast_ray({0, 2, 0}, {0, -1, 0}, 10);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->point.y, 0.4, 1e-5);
  for (int n = 0; n < 180; ++n) world.step(k_dt);
  // It stands on the mesh, half a thickness above the floor: skin and tetrahedra reach below it.
  EXPECT_NEAR(centre(world, id).y, 0.1 + def.thickness / 2, 2e-3);
  world.capture(frame);
  float low = 1;
  for (const Vec3f& p : frame.positions[0]) low = std::min(low, p.y);
  EXPECT_NEAR(low, 0.1 - 0.14, 3e-3);
}

TEST(Surfaces, a_lattice_carries_a_skin_as_well) {
  World world({.gravity = {}});
  SolidDef def;
  def.mesh = make_box({0.1, 0.1, 0.1}, 2);
  def.cells = 3;
  def.skin = make_sphere(0.09, 1);
  const SolidId id = world.add_solid(def).value();
  Frame frame;
  world.capture(frame);
  ASSERT_EQ(frame.positions[0].size(), def.skin.vertices.size());
  for (std::size_t v = 0; v < def.skin.vertices.size(); ++v)
    EXPECT_LT(length(cast<double>(frame.positions[0][v]) - def.skin.vertices[v]), 1e-6);
  // Another skin is no reason to make it anew.
  def.skin = make_sphere(0.05, 1);
  EXPECT_FALSE(world.change(id, def).value());
}

// The same lattice by count and by size, and another one when the size changes.
TEST(Surfaces, a_lattice_may_be_given_by_the_size_of_its_cells) {
  World world({.gravity = {}});
  SolidDef def;
  def.mesh = make_box({0.1, 0.2, 0.1}, 2);
  def.cells = 4;
  const SolidId by_count = world.add_solid(def).value();
  def.cells = SolidDef{}.cells;
  def.cell_size = 0.1;
  const SolidId by_size = world.add_solid(def).value();
  std::vector<Vec3> a, b;
  world.copy_positions(by_count, a), world.copy_positions(by_size, b);
  ASSERT_EQ(b.size(), 3u * 5 * 3);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t v = 0; v < a.size(); ++v) EXPECT_LT(length(a[v] - b[v]), 1e-7);
  def.cell_size = 0.2;
  EXPECT_TRUE(world.change(by_size, def).value()) << "has to be made anew";
  EXPECT_EQ(world.positions(by_size).size(), 2u * 3 * 2);
  def.cells = 4;
  EXPECT_EQ(world.change(by_size, def).error().place, "cell_size");
  EXPECT_EQ(world.add_solid(def).error().place, "cell_size");
}

TEST(Surfaces, bad_surfaces_are_refused_with_the_place) {
  World world;
  SolidDef far = dressed();
  for (Vec3& v : far.skin.vertices) v = v * 1000.0;
  EXPECT_EQ(world.add_solid(far).error().place, "skin");
  far = dressed();
  for (Vec3& v : far.mesh.vertices) v = v * 1000.0;
  EXPECT_EQ(world.add_solid(far).error().place, "mesh");
  SolidDef open = dressed();
  open.mesh = make_grid(2, 2, 0.1, 0.1);
  EXPECT_EQ(world.add_solid(open).error().place, "mesh");
  open = dressed();
  open.skin.triangles[0] = {0, 1, 99999};
  EXPECT_NE(world.add_solid(open).error().place.find("skin"), std::string::npos);
  SolidDef alone;
  alone.mesh = make_box({0.1, 0.1, 0.1}, 2);
  alone.model = SolidModel::mass_spring;
  alone.springs.lattice = false;
  alone.skin = make_sphere(0.1, 1);
  EXPECT_EQ(world.add_solid(alone).error().place, "skin");
}

// --- masses and volumes as of DeformableModels
// -------------------------------------------------------------
TEST(Surfaces, every_node_has_the_mass_that_was_given) {
  World world;
  SolidDef def = cube(SolidModel::mass_spring);
  def.node_mass = 0.05;
  const SolidId id = world.add_solid(def).value();
  EXPECT_NEAR(world.mass(id), 64 * 0.05, 1e-9);
  for (const Vec4& p : world.positions(id)) EXPECT_NEAR(p.w, 20, 1e-4);
}

}  // namespace
}  // namespace pliant
