// Contact between kinds of body: momentum, friction, pushing out, what leaves its box, threads.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "verification/bodies.h"

namespace pliant {
namespace {

constexpr double k_dt = 1. / 60;

WorldDef weightless() {
  WorldDef def;
  def.gravity = {};
  def.sleep = false;
  return def;
}

ClothDef square_cloth(int cells, double side) {
  ClothDef cloth;
  cloth.mesh = make_grid(cells, cells, side, side);
  cloth.linear_drag = 0;
  return cloth;
}

SolidDef jelly(int cells, double cell) {
  SolidDef solid;
  solid.tets = make_lattice(cells, cells, cells, cell);
  solid.linear_drag = 0;
  return solid;
}

// --- momentum

TEST(ContactKinds, a_ball_that_hits_a_cloth_and_a_solid_keeps_the_momentum) {
  World world(weightless());
  (void)world.add_cloth(square_cloth(16, 1)).value();
  SolidDef solid = jelly(4, 0.1);
  solid.position = {0.1, -0.8, 0};
  (void)world.add_solid(solid).value();
  const BodyId hit = world.add_body(ball(0.15, 2, {0.05, 0.4, 0.02}, {0, -4, 0})).value();
  const Vec3 before{0, -8, 0};
  for (int i = 0; i < 60; ++i) world.step(k_dt);
  const Vec3 after = world.measurements().momentum;
  EXPECT_LT(length(after - before), 1e-3 * length(before));
  // It did hit: the ball alone has lost a good part of its own.
  EXPECT_GT(world.velocity(hit).y, -3.0);
}

// --- energy

// A ball that falls into a held cloth, as in tests/api/hello_world.cpp: what it has, as a height,
// is never more than what it fell with, but for g h v of the substep of the impact, and every top
// is lower than the one before.
TEST(ContactKinds, a_cloth_gives_a_ball_no_more_than_it_came_with) {
  for (const int substeps : {8, 12, 24}) {
    SCOPED_TRACE(std::to_string(substeps) + " substeps");
    WorldDef def;
    def.substeps = substeps;
    World world(def);
    ClothDef cloth;
    cloth.mesh = make_grid(20, 20, 1.5, 1.5);
    cloth.pins = {{.vertices = {0, 20, 420, 440}, .path = {}, .pivot = {}}};
    (void)world.add_cloth(cloth).value();
    const BodyId id = world.add_body(ball(0.2, 1.676, {0, 0.5, 0}, {})).value();
    const double slack = std::sqrt(2 * 9.81 * 0.3) / (60 * substeps);  // m; g h v / g
    double highest = 0, before = 0, last_top = 0.5 + slack;
    int tops = 0;
    for (int i = 0; i < 600; ++i) {
      world.step(k_dt);
      const Vec3 v = world.velocity(id);
      const double y = world.pose(id).position.y;
      highest = std::max(highest, y + dot(v, v) / (2 * 9.81));
      if (before > 0 && v.y <= 0) {
        EXPECT_LT(y, last_top);
        last_top = y;
        ++tops;
      }
      before = v.y;
    }
    EXPECT_LT(highest, 0.5 + slack);
    EXPECT_GT(tops, 5);
  }
}

// --- friction: a = g (sin - mu cos)

struct Slope {
  World world;
  Vec3 down;
};

Slope make_slope(double degrees) {
  const double angle = degrees * 3.14159265358979323846 / 180;
  WorldDef def;
  def.sleep = false;
  Slope slope{World(def), {std::cos(angle), -std::sin(angle), 0}};
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  floor.rotation = {0, 0, -std::sin(angle / 2), std::cos(angle / 2)};
  (void)slope.world.add_body(floor).value();
  return slope;
}

template <class Id>
double along(const World& world, Id id, const Vec3& down) {
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  double sum = 0;
  for (const Vec3& p : x) sum += dot(p, down);
  return sum / double(x.size());
}

template <class Id>
void holds_and_slides(const std::function<Id(World&, const Quat&, const Vec3&)>& add) {
  for (const double degrees : {25., 30.}) {
    Slope slope = make_slope(degrees);
    const double half = degrees * 3.14159265358979323846 / 360;
    const Quat tilt{0, 0, -std::sin(half), std::cos(half)};
    const Id id = add(slope.world, tilt, {slope.down.y * -1, slope.down.x, 0});
    for (int i = 0; i < 60; ++i) slope.world.step(k_dt);  // settles
    const double s0 = along(slope.world, id, slope.down);
    for (int i = 0; i < 30; ++i) slope.world.step(k_dt);
    const double s1 = along(slope.world, id, slope.down);
    for (int i = 0; i < 30; ++i) slope.world.step(k_dt);
    const double s2 = along(slope.world, id, slope.down);
    if (degrees < 26.5) {
      EXPECT_LT(std::abs(s2 - s0), 1e-4) << "creeps";  // 0.1 mm in a second
    } else {
      EXPECT_NEAR((s2 - 2 * s1 + s0) / 0.25, 0.657, 0.05 * 0.657);
    }
  }
}

TEST(ContactKinds, a_cloth_on_a_slope_holds_at_25_and_slides_at_30_degrees) {
  holds_and_slides<ClothId>([](World& world, const Quat& tilt, const Vec3& up) {
    ClothDef cloth = square_cloth(8, 0.4);
    cloth.rotation = tilt;
    cloth.position = up * 0.002;
    return world.add_cloth(cloth).value();
  });
}

TEST(ContactKinds, a_jelly_on_a_slope_holds_at_25_and_slides_at_30_degrees) {
  holds_and_slides<SolidId>([](World& world, const Quat& tilt, const Vec3& up) {
    SolidDef solid;
    solid.tets = make_lattice(6, 2, 6, 0.1);
    solid.youngs_modulus = 3e5;
    solid.linear_drag = 0;
    solid.rotation = tilt;
    solid.position = up * 0.101;
    return world.add_solid(solid).value();
  });
}

// --- pushing out

TEST(ContactKinds, an_old_overlap_is_removed_at_the_push_speed_and_gives_no_velocity) {
  WorldDef def = weightless();
  def.push_speed = 0.5;
  World world(def);
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  (void)world.add_body(floor).value();
  ClothDef cloth = square_cloth(6, 0.3);
  cloth.position = {0, -0.05, 0};
  const ClothId id = world.add_cloth(cloth).value();
  std::vector<Vec3> x, v;
  for (int i = 1; i <= 5; ++i) {
    world.step(k_dt);
    world.copy_positions(id, x);
    world.copy_velocities(id, v);
    for (std::size_t n = 0; n < x.size(); ++n) {
      EXPECT_NEAR(x[n].y, -0.05 + 0.5 * i * k_dt, 1e-5);
      EXPECT_LT(length(v[n]), 1e-4);
    }
  }
  for (int i = 0; i < 30; ++i) world.step(k_dt);
  world.copy_positions(id, x);
  for (const Vec3& p : x) EXPECT_NEAR(p.y, 0.002, 1e-5);  // half the thickness, and no further
}

// --- mass ratios

TEST(ContactKinds, a_box_of_a_thousand_times_its_mass_lies_on_a_cloth) {
  World world;
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  const BodyId ground = world.add_body(floor).value();
  ClothDef cloth = square_cloth(10, 1);  // 0.2 kg
  cloth.position = {0, 0.002, 0};
  const ClothId id = world.add_cloth(cloth).value();
  BodyDef heavy;
  heavy.shape = Box{{0.3, 0.1, 0.3}};
  heavy.mass = 200;
  heavy.position = {0.02, 0.15, 0.01};
  const BodyId box = world.add_body(heavy).value();
  for (int i = 0; i < 180; ++i) world.step(k_dt);
  // The cloth is squeezed by its own thickness at most.
  EXPECT_NEAR(world.pose(box).position.y, 0.1 + 0.002, 3e-3);
  EXPECT_LT(length(world.velocity(box)), 0.02);
  EXPECT_NEAR(world.contact_force(ground).y, -9.81 * 200.2, 0.05 * 9.81 * 200);
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  for (const Vec3& p : x) {
    EXPECT_GT(p.y, -4e-3);
    EXPECT_LT(length(p), 1);
  }
}

// Dropped by 5 cm: what it has, as a height, is never more than what it fell with and some
// centimetres from the jelly's own settling, at any number of substeps. It comes to lie on a jelly
// that its own weight presses by at most rho g H^2 / 2E = 12 mm, and goes on hopping for some
// seconds (docs/limitations.md). Seen to fail: thrown with up to 48 m/s while corners of triangles
// were measured to the plane of a side of the box that they were not beside but below.
TEST(ContactKinds, a_box_of_a_thousandth_of_its_mass_rests_on_a_jelly) {
  for (const double drag : {0., 2.})
    for (const int substeps : {4, 8, 20, 40}) {
      SCOPED_TRACE(std::to_string(substeps) + " substeps, drag " + std::to_string(drag));
      WorldDef def;
      def.substeps = substeps;
      World world(def);
      BodyDef floor;
      floor.motion = Motion::fixed;
      floor.shape = HalfSpace{};
      (void)world.add_body(floor).value();
      SolidDef solid = jelly(5, 0.1);  // 125 kg
      solid.position = {0, 0.251, 0};
      solid.linear_drag = drag;
      (void)world.add_solid(solid).value();
      BodyDef light;
      light.shape = Box{{0.05, 0.05, 0.05}};
      light.mass = 0.125;
      light.position = {0.02, 0.6, 0.03};
      const BodyId box = world.add_body(light).value();
      double highest = 0;
      for (int i = 0; i < 120; ++i) {
        world.step(k_dt);
        const Vec3 v = world.velocity(box);
        highest = std::max(highest, world.pose(box).position.y + dot(v, v) / (2 * 9.81));
      }
      EXPECT_LT(highest, 0.6 + 0.03);
      EXPECT_GT(world.pose(box).position.y, 0.55 - 0.0123);
      EXPECT_LT(world.pose(box).position.y, 0.6);
    }
}

// --- leaving the searched box

// A light sheet that a fast ball kicks out of the box that it was searched with, above a plate.
void add_kicked(World& world, const Vec3& at) {
  ClothDef cloth = square_cloth(8, 0.4);
  cloth.position = at;
  (void)world.add_cloth(cloth).value();
  (void)world.add_body(ball(0.1, 5, at + Vec3{0, 0.3, 0}, {0, -40, 0})).value();
}

TEST(ContactKinds, what_leaves_its_box_is_searched_again_and_nobody_else_changes) {
  std::vector<Vec3> places[2];
  int searched[2] = {};
  for (int kicked = 0; kicked < 2; ++kicked) {
    World world;
    BodyDef post;
    post.motion = Motion::fixed;
    post.shape = Sphere{0.2};
    (void)world.add_body(post).value();
    ClothDef cloth = square_cloth(12, 0.8);
    cloth.position = {0, 0.25, 0};
    const ClothId id = world.add_cloth(cloth).value();
    if (kicked) add_kicked(world, {30, 0, 0});
    for (int i = 0; i < 30; ++i) searched[kicked] += world.step(k_dt).searched_again;
    world.copy_positions(id, places[kicked]);
  }
  EXPECT_GT(searched[1], searched[0]);
  for (std::size_t n = 0; n < places[0].size(); ++n) EXPECT_EQ(places[0][n], places[1][n]);
}

// --- threads

TEST(ContactKinds, the_same_bits_on_any_number_of_threads) {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3, 8}) {
    World world(WorldDef{}, make_task_pool(threads));
    BodyDef floor;
    floor.motion = Motion::fixed;
    floor.shape = HalfSpace{};
    (void)world.add_body(floor).value();
    SolidDef solid = jelly(4, 0.1);
    solid.position = {0, 0.25, 0};
    (void)world.add_solid(solid).value();
    SolidDef embedded;
    embedded.mesh = make_sphere(0.2, 2);
    embedded.cells = 4;
    embedded.position = {0.05, 0.7, 0.03};
    (void)world.add_solid(embedded).value();
    ClothDef cloth = square_cloth(24, 1.2);
    cloth.position = {0, 1.0, 0};
    (void)world.add_cloth(cloth).value();
    (void)world.add_body(ball(0.1, 3, {0.02, 1.3, 0}, {})).value();
    for (int i = 0; i < 50; ++i) world.step(k_dt);
    if (threads == 1) first = world.state_hash();
    EXPECT_EQ(world.state_hash(), first) << threads;
    EXPECT_GT(world.measurements().contacts, 20);
  }
}

// What carries a cloth feels its weight, also where it meets the insides of triangles: on a curved
// shape and on edges. At rest the forces of a step add up to the weight; what still breathes takes
// and gives a per cent. Seen to fail: the ball felt nothing and the box a quarter, while
// triangles did not tell fixed bodies what they gave them.
TEST(ContactKinds, fixed_shapes_feel_the_weight_of_a_cloth) {
  const Quat lying{0, 0, std::sqrt(0.5), std::sqrt(0.5)};
  const std::pair<Shape, Quat> shapes[] = {
      {Sphere{0.2}, {}}, {Capsule{0.07, 0.4}, lying}, {Box{{0.2, 0.05, 0.2}}, {}}};
  for (const auto& [shape, rotation] : shapes) {
    World world;
    BodyDef body;
    body.motion = Motion::fixed;
    body.shape = shape;
    body.rotation = rotation;
    const BodyId id = world.add_body(body).value();
    ClothDef cloth;
    cloth.mesh = make_grid(20, 20, 0.6, 0.6);
    cloth.position = {0, 0.25, 0};
    cloth.linear_drag = 2;
    const ClothId cloth_id = world.add_cloth(cloth).value();
    double sum = 0;
    for (int n = 0; n < 360; ++n) {
      world.step(1. / 60);
      if (n >= 300) sum += world.contact_force(id).y / 60;
    }
    const double weight = 9.81 * world.mass(cloth_id);
    EXPECT_NEAR(sum, -weight, 0.02 * weight) << shape.index();
  }
}

}  // namespace
}  // namespace pliant
