// What a user does to cloths and solids while they run: forces, pushes, locks, drags, changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/world.h>

#include "api/soft_cube.h"

namespace pliant {
namespace {

Vec3 place(const World& world, SolidId id, std::int32_t vertex) {
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  return x[std::size_t(vertex)];
}
std::int32_t top_corner(const TetMesh& mesh) {
  std::int32_t best = 0;
  const auto reach = [&](std::int32_t v) {
    const Vec3& p = mesh.vertices[std::size_t(v)];
    return p.x + p.y + p.z;
  };
  for (std::int32_t v = 0; v < std::int32_t(mesh.vertices.size()); ++v)
    if (reach(v) > reach(best)) best = v;
  return best;
}

TEST(SoftCommands, a_force_acts_for_one_step) {
  for (const SolidModel model : k_models) {
    World world({.gravity = {}});
    const SolidId id = world.add_solid(cube(model)).value();
    world.apply_force(id, 5, {3, 0, 0});
    for (int n = 0; n < 3; ++n) {
      ASSERT_TRUE(world.step(k_dt).ok());
      EXPECT_NEAR(world.measurements().momentum.x, 3 * k_dt, 1e-4);
    }
    world.apply_force(id, 64, {1, 0, 0});  // there is no such vertex
    world.apply_force(id, -1, {1, 0, 0});
    world.step(k_dt);
    EXPECT_NEAR(world.measurements().momentum.x, 3 * k_dt, 1e-4);
  }
  World world({.gravity = {}});
  ClothDef cloth;
  cloth.mesh = make_grid(4, 4, 1, 1);
  cloth.linear_drag = 0;
  const ClothId id = world.add_cloth(cloth).value();
  world.apply_force(id, 12, {0, 0, 2});
  world.step(k_dt);
  EXPECT_NEAR(world.measurements().momentum.z, 2 * k_dt, 1e-5);
}

// A stroke of 300 pixels in a second at any rate of frames: the same change of velocity; turned
// with the camera where the caller turns it.
TEST(SoftCommands, elastic_A19_a_push_does_not_depend_on_the_rate_of_frames) {
  for (const SolidModel model : k_models)
    for (const int frames : {30, 60, 240}) {
      World world({.gravity = {}, .sleep = false});
      const SolidId id = world.add_solid(cube(model)).value();
      for (int n = 0; n < frames; ++n) {
        world.add_velocity(id, Vec3{0, 0, 0.01} * (300.0 / frames));
        ASSERT_TRUE(world.step(1.0 / frames).ok());
      }
      const Vec3 velocity = world.measurements().momentum / world.mass(id);
      EXPECT_NEAR(velocity.z, 3, 0.03) << frames;
      EXPECT_NEAR(length(velocity), 3, 0.03);
    }
  World world({.gravity = {}});
  ClothDef cloth;
  cloth.mesh = make_grid(2, 2, 1, 1);
  cloth.linear_drag = 0;
  const ClothId id = world.add_cloth(cloth).value();
  world.add_velocity(id, {0, 2, 0});
  world.step(k_dt);
  EXPECT_NEAR(world.measurements().momentum.y, 2 * world.mass(id), 1e-5);
}

// The caller turns the stroke by the rotation of its camera, right and up and towards the eye to
// those of the world; where the camera stands is no part of it. From above a stroke stays in the
// plane of x and z.
TEST(SoftCommands, elastic_A19_a_push_turns_with_the_camera) {
  const double s = std::sqrt(0.5);
  struct View {
    Quat rotation;
    Vec3 expected;  // of a stroke by (3, 1) m/s, right and up
  };
  const View views[] = {{{0, 0, 0, 1}, {3, 1, 0}},
                        {{0, s, 0, s}, {0, 1, -3}},    // a quarter turn about y
                        {{-s, 0, 0, s}, {3, 0, -1}}};  // a bird's
  for (const SolidModel model : k_models)
    for (const View& view : views) {
      World world({.gravity = {}});
      const SolidId id = world.add_solid(cube(model)).value();
      world.add_velocity(id, rotate(view.rotation, Vec3{3, 1, 0}));
      world.step(k_dt);
      const Vec3 v = world.measurements().momentum / world.mass(id);
      EXPECT_LT(length(v - view.expected), 0.01 * length(view.expected));
    }
}

TEST(SoftCommands, elastic_A20_a_locked_vertex_stays_and_the_body_hangs_from_it) {
  for (const SolidModel model : k_models) {
    World world({.substeps = 16});
    SolidDef def = cube(model);
    def.matching = {.frequency = 60};
    def.linear_drag = 2;
    const SolidId id = world.add_solid(def).value();
    const std::int32_t corner = top_corner(def.tets);
    const Vec3 before = place(world, id, corner);
    world.set_locked(id, corner, true);
    for (int n = 0; n < 240; ++n) ASSERT_TRUE(world.step(k_dt).ok());
    EXPECT_LT(length(place(world, id, corner) - before), 1e-9);
    Vec3 centre;
    std::vector<Vec3> x;
    world.copy_positions(id, x);
    for (const Vec3& p : x) centre += p / double(x.size());
    // From its corner the centre hangs half a diagonal, 0.26 m, and what the body stretches.
    const double hangs = length(centre - before), half = 0.15 * std::sqrt(3.0);
    EXPECT_GT(hangs, 0.95 * half);
    if (model == SolidModel::shape_matching) {
      EXPECT_LT(hangs, half + 0.01 * 0.3);
    }
    world.set_locked(id, corner, false);
    for (int n = 0; n < 30; ++n) ASSERT_TRUE(world.step(k_dt).ok());
    EXPECT_LT(place(world, id, corner).y, before.y - 0.5);
  }
}

TEST(SoftCommands, a_lock_is_in_the_snapshot) {
  World world;
  const SolidDef def = cube(SolidModel::shape_matching);
  const SolidId id = world.add_solid(def).value();
  world.set_locked(id, 0, true);
  world.step(k_dt);
  const auto snapshot = world.snapshot();
  for (int n = 0; n < 20; ++n) world.step(k_dt);
  const std::uint64_t hash = world.state_hash();
  World other;
  (void)other.add_solid(def);
  ASSERT_TRUE(other.restore(snapshot).ok());
  for (int n = 0; n < 20; ++n) other.step(k_dt);
  EXPECT_EQ(other.state_hash(), hash);
}

TEST(SoftCommands, an_anchor_follows_its_target) {
  for (const SolidModel model : k_models) {
    World world({.gravity = {}, .substeps = 16});
    const SolidDef def = cube(model);
    const SolidId id = world.add_solid(def).value();
    const std::int32_t corner = top_corner(def.tets);
    const Vec3 from = place(world, id, corner);
    const AnchorId anchor =
        world.add_anchor({.a = SolidVertex{id, corner}, .b = WorldPoint{from}}).value();
    for (int n = 1; n <= 60; ++n) {
      world.set_anchor_target(anchor, from + Vec3{0.01 * n, 0, 0});
      ASSERT_TRUE(world.step(k_dt).ok());
      EXPECT_LT(length(place(world, id, corner) - from - Vec3{0.01 * n, 0, 0}), 1e-3);
    }
    EXPECT_EQ(std::get<WorldPoint>(world.describe(anchor).b).position, (from + Vec3{0.6, 0, 0}));
    EXPECT_GT(world.measurements().momentum.x, 0);
  }
}

// How far below its corners, of which four are held, the middle of a cube hangs.
TEST(SoftCommands, elastic_A20_parameters_change_while_it_runs) {
  World world;
  SolidDef def = cube(SolidModel::shape_matching);
  def.matching = {.frequency = 2};
  def.linear_drag = 3;
  for (std::int32_t v = 0; v < std::int32_t(def.tets.vertices.size()); ++v)
    if (def.tets.vertices[std::size_t(v)].y > 0.14) {
      if (def.pins.empty()) def.pins.resize(1);
      def.pins[0].vertices.push_back(v);
    }
  const SolidId id = world.add_solid(def).value();
  const auto lowest = [&] {
    for (int n = 0; n < 300; ++n) world.step(k_dt);
    std::vector<Vec3> x;
    world.copy_positions(id, x);
    double low = 0;
    for (const Vec3& p : x) low = std::min(low, p.y);
    return -0.15 - low;
  };
  const double soft = lowest();
  EXPECT_NEAR(soft, 9.81 / std::pow(2 * 3.14159265 * 2, 2), 0.2 * soft);  // g / w^2
  const Vec3 before = place(world, id, 0);
  def.matching.frequency = 8;
  const Result<bool> changed = world.change(id, def);
  ASSERT_TRUE(changed.ok());
  EXPECT_FALSE(changed.value());
  EXPECT_EQ(place(world, id, 0), before);  // goes on where it is
  EXPECT_NEAR(lowest(), soft / 16, 0.3 * soft / 16);
  def.model = SolidModel::fem;  // another model keeps the body
  EXPECT_FALSE(world.change(id, def).value());
  EXPECT_LT(lowest(), 0.05);
  def.tets = make_lattice(4, 4, 4, 0.075);
  def.pins.clear();
  EXPECT_TRUE(world.change(id, def).value());
  EXPECT_EQ(world.positions(id).size(), 125u);
  EXPECT_NEAR(world.volume(id), 0.027, 1e-4);
  def.density = -1;
  EXPECT_FALSE(world.change(id, def).ok());
}

TEST(SoftCommands, elastic_A20_changes_act_on_the_next_step) {
  const auto stretched = [](double frequency, double freedom) {
    SolidDef def = cube(SolidModel::shape_matching);
    def.matching = {.frequency = frequency, .freedom = freedom, .keep_volume = false};
    for (const Vec3& v : def.tets.vertices) def.initial_positions.push_back({1.1 * v.x, v.y, v.z});
    return def;
  };
  const auto moves = [](const World& world) { return world.measurements().kinetic_energy; };
  // Gravity.
  World falls;
  const SolidId cube_id = falls.add_solid(cube(SolidModel::shape_matching)).value();
  const auto velocity = [&] { return falls.measurements().momentum.y / falls.mass(cube_id); };
  falls.step(k_dt);
  EXPECT_NEAR(velocity(), -9.81 * k_dt, 1e-5);
  falls.set_gravity({0, 5, 0});
  falls.step(k_dt);
  EXPECT_NEAR(velocity(), (5 - 9.81) * k_dt, 1e-5);
  // Alpha, by its frequency, and beta: what is free keeps its shape, in the next step it does not.
  for (const SolidDef& free : {stretched(0, 0), stretched(20, 1)}) {
    World world({.gravity = {}});
    const SolidId id = world.add_solid(free).value();
    for (int n = 0; n < 5; ++n) world.step(k_dt);
    EXPECT_LT(moves(world), 1e-6);
    EXPECT_FALSE(world.change(id, stretched(20, 0)).value());
    world.step(k_dt);
    EXPECT_GT(moves(world), 1e-3);
  }
  // Springs are placed anew, under the body as it is: nothing has to be restarted.
  World world({.gravity = {}});
  SolidDef net;
  net.mesh = make_sphere(0.2, 2);
  net.model = SolidModel::mass_spring;
  net.springs = {.distance = 1, .damping = 0.01, .lattice = false, .inner = 200};
  const SolidId id = world.add_solid(net).value();
  world.step(k_dt);
  net.springs.distance = 2;
  EXPECT_FALSE(world.change(id, net).value());
  net.springs.inner = 400;
  net.springs.candidates = 3;
  EXPECT_FALSE(world.change(id, net).value());
  EXPECT_EQ(world.describe(id).springs.inner, 400);
  world.step(k_dt);
  EXPECT_LT(moves(world), 1e-6);  // at rest it stays at rest
}

TEST(SoftCommands, a_solid_made_anew_is_where_it_was) {
  World world({.gravity = {}});
  SolidDef def = cube(SolidModel::shape_matching);
  def.velocity = {1, 0, 0};
  def.angular_velocity = {0, 0, 2};
  def.position = {1, 2, 3};
  def.matching = {.frequency = 1e9};
  const SolidId id = world.add_solid(def).value();
  for (int n = 0; n < 60; ++n) world.step(k_dt);
  const std::int32_t corner = top_corner(def.tets);
  const Vec3 at = place(world, id, corner);
  def.tets = make_lattice(6, 6, 6, 0.05);
  ASSERT_TRUE(world.change(id, def).value());
  EXPECT_LT(length(place(world, id, top_corner(def.tets)) - at), 1e-3);
  world.step(k_dt);
  EXPECT_LT(world.measurements().kinetic_energy, 1e-6);  // it was 14 J
  EXPECT_EQ(world.solids().size(), 1u);
}

}  // namespace
}  // namespace pliant
