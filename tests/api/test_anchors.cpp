// Anchors: between any two kinds of point, both ways, with the force that they carry.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <string>

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60;

WorldDef plain(const Vec3& gravity) {
  WorldDef def;
  def.gravity = gravity;
  def.substeps = 10;
  def.sleep = false;
  return def;
}

void run(World& world, double seconds) {
  for (int n = 0; n < int(std::lround(seconds / k_dt)); ++n) world.step(k_dt);
}

enum class Kind { body, cloth_vertex, solid_vertex, cloth_triangle, embedded_triangle };
constexpr Kind k_kinds[] = {Kind::body, Kind::cloth_vertex, Kind::solid_vertex,
                            Kind::cloth_triangle, Kind::embedded_triangle};
const char* name_of(Kind kind) {
  const char* names[] = {"body", "cloth vertex", "solid vertex", "cloth triangle",
                         "triangle of an embedded solid"};
  return names[int(kind)];
}

// Something of the kind around a place, and the point of it that is anchored. Its mass is about a
// tenth of a kilogram to a kilogram.
AnchorPoint add_thing(World& world, Kind kind, const Vec3& at, const Vec3& velocity, double& mass) {
  if (kind == Kind::body) {
    const BodyId id = world
                          .add_body({.shape = Box{{0.1, 0.05, 0.1}},
                                     .position = at,
                                     .velocity = velocity,
                                     .mass = 1,
                                     .linear_drag = 0.1})
                          .value();
    mass = world.mass(id);
    return BodyPoint{id, {0.05, 0.05, 0}};
  }
  if (kind == Kind::cloth_vertex || kind == Kind::cloth_triangle) {
    ClothDef def;
    def.mesh = make_grid(4, 4, 0.4, 0.4);
    def.areal_density = 2;
    def.position = at;
    def.velocity = velocity;
    const ClothId id = world.add_cloth(def).value();
    mass = world.mass(id);
    if (kind == Kind::cloth_vertex) return ClothVertex{id, 6};
    return ClothTrianglePoint{id, 11, {0.2, 0.3, 0.5}};
  }
  SolidDef def;
  if (kind == Kind::solid_vertex)
    def.tets = make_lattice(2, 2, 2, 0.05);
  else {
    def.mesh = make_sphere(0.08, 1);
    def.cells = 3;
  }
  def.youngs_modulus = 2e5;
  def.position = at;
  def.velocity = velocity;
  const SolidId id = world.add_solid(def).value();
  mass = world.mass(id);
  if (kind == Kind::solid_vertex) return SolidVertex{id, 3};
  return SolidTrianglePoint{id, 7, {0.5, 0.25, 0.25}};
}

// Every pair of kinds, pulled together by a soft anchor from half a metre: whatever one side gets,
// the other loses. The sums of products of float velocities and masses keep 1e-5.
TEST(Anchors, every_pair_of_kinds_pulls_both_ways_and_keeps_momentum) {
  for (const Kind a : k_kinds)
    for (const Kind b : k_kinds) {
      SCOPED_TRACE(std::string(name_of(a)) + " to " + name_of(b));
      World world(plain({}));
      double mass_a = 0, mass_b = 0;
      const AnchorPoint pa = add_thing(world, a, {}, {0, 0.2, 0}, mass_a);
      const AnchorPoint pb = add_thing(world, b, {0, 0.6, 0}, {0, 0, 0.1}, mass_b);
      for (const BodyId id : world.bodies()) ASSERT_TRUE(world.valid(id));
      const AnchorId anchor = world.add_anchor({.a = pa, .b = pb, .compliance = 0.1}).value();
      const Vec3 before = mass_a * Vec3{0, 0.2, 0} + mass_b * Vec3{0, 0, 0.1};
      world.step(1e-4);  // no drag to speak of
      EXPECT_LT(length(world.measurements().momentum - before), 2e-5 * (mass_a + mass_b));
      const Vec3 force = world.anchor_force(anchor);
      EXPECT_GT(force.y, 2) << "pulls side a up towards side b with about 0.6 m / 0.1 m/N";
      EXPECT_LT(force.y, 8);
      EXPECT_GT(world.measurements().kinetic_energy,
                0.5 * mass_a * 0.04 + 0.5 * mass_b * 0.01 - 1e-6);
    }
}

// Hung from a point of the world, every kind weighs what it weighs. It still swings: what the
// anchor gives is the weight, the change of momentum and what drag has taken (0.1 1/s here). To
// 1e-4, where 1e-5 is seen: drag is summed from the momenta at the ends of the steps only.
TEST(Anchors, each_kind_hangs_with_its_weight) {
  for (const Kind kind : k_kinds)
    for (const double compliance : {0.0, 1e-3}) {
      SCOPED_TRACE(std::string(name_of(kind)) + ", compliance " + std::to_string(compliance));
      World world(plain({0, -9.81, 0}));
      double mass = 0;
      const AnchorPoint point = add_thing(world, kind, {}, {}, mass);
      const AnchorId anchor =
          world.add_anchor({.a = point, .b = WorldPoint{{0.05, 0.1, 0}}, .compliance = compliance})
              .value();
      run(world, 1);
      Vec3 weight = world.measurements().momentum * -1.0;  // times the seconds
      const int steps = 240;
      for (int n = 0; n < steps; ++n) {
        world.step(k_dt);
        weight += (world.anchor_force(anchor) - world.measurements().momentum * 0.1) * -k_dt;
      }
      weight += world.measurements().momentum;
      weight = weight / (mass * 9.81 * steps * k_dt);
      EXPECT_NEAR(weight.x, 0, 1e-4);
      EXPECT_NEAR(weight.y, -1, 1e-4);
      EXPECT_NEAR(weight.z, 0, 1e-4);
    }
}

TEST(Anchors, a_hanging_kilogram_pulls_with_9_81_newtons) {
  for (const double compliance : {0.0, 1e-3}) {
    World world(plain({0, -9.81, 0}));
    const BodyId ball = world.add_body({.shape = Sphere{0.1}, .mass = 1, .linear_drag = 3}).value();
    const AnchorId anchor = world
                                .add_anchor({.a = BodyPoint{ball, {0, 0.1, 0}},
                                             .b = WorldPoint{{0, 0.1, 0}},
                                             .compliance = compliance})
                                .value();
    run(world, 5);
    const Vec3 force = world.anchor_force(anchor);
    EXPECT_NEAR(force.y / 9.81, 1, 5e-3) << "compliance " << compliance;
    EXPECT_NEAR(std::hypot(force.x, force.z), 0, 1e-3);
    // A soft anchor sinks by compliance times force; a hard one keeps a tenth of a millimetre.
    EXPECT_NEAR(-world.pose(ball).position.y, compliance * 9.81, 1e-4);
  }
}

TEST(Anchors, a_cloth_hung_by_its_corners_weighs_what_it_weighs) {
  World world(plain({0, -9.81, 0}));
  ClothDef def;
  def.mesh = make_grid(12, 12, 1, 1);
  def.linear_drag = 2;
  const ClothId cloth = world.add_cloth(def).value();
  std::vector<AnchorId> anchors;
  for (const std::int32_t vertex : {0, 12, 156, 168}) {
    const Vec3 place = def.mesh.vertices[std::size_t(vertex)];
    anchors.push_back(
        world.add_anchor({.a = ClothVertex{cloth, vertex}, .b = WorldPoint{place}}).value());
  }
  run(world, 6);
  Vec3 sum;
  for (const AnchorId id : anchors) sum += world.anchor_force(id);
  EXPECT_NEAR(sum.y / (world.mass(cloth) * 9.81), 1, 5e-3);
  EXPECT_NEAR(sum.x, 0, 5e-3 * sum.y);
  std::vector<Vec3> x;
  world.copy_positions(cloth, x);
  EXPECT_LT(length(x[0] - def.mesh.vertices[0]), 2e-3);
}

// Two frames joined at the middle of their gap stay joined while they tumble.
TEST(Anchors, hard_anchors_between_rigid_bodies_hold) {
  World world(plain({0, -9.81, 0}));
  std::vector<BodyId> links;
  for (int i = 0; i < 5; ++i)
    links.push_back(
        world.add_body({.shape = Capsule{0.05, 0.1}, .position = {0.4 * i, 0, 0}}).value());
  world.add_anchor({.a = BodyPoint{links[0], {-0.2, 0, 0}}, .b = WorldPoint{{-0.2, 0, 0}}}).value();
  for (int i = 0; i + 1 < 5; ++i)
    world
        .add_anchor({.a = BodyPoint{links[std::size_t(i)], {0.2, 0, 0}},
                     .b = BodyPoint{links[std::size_t(i) + 1], {-0.2, 0, 0}}})
        .value();
  double worst = 0;
  for (int n = 0; n < 240; ++n) {
    world.step(k_dt);
    for (std::size_t i = 0; i + 1 < 5; ++i)
      worst = std::max(worst, length(to_world(world.pose(links[i]), {0.2, 0, 0}) -
                                     to_world(world.pose(links[i + 1]), {-0.2, 0, 0})));
  }
  // Of two metres that whip at up to 9 m/s: a substep's motion across the turn, (w h)^2 r / 2.
  EXPECT_LT(worst, 0.01);
}

TEST(Anchors, bad_ends_are_refused_with_the_place) {
  World world;
  const BodyId body = world.add_body({}).value();
  ClothDef def;
  def.mesh = make_grid(1, 1, 1, 1);
  const ClothId cloth = world.add_cloth(def).value();
  EXPECT_FALSE(world.add_anchor({.a = WorldPoint{}, .b = WorldPoint{}}).ok());
  EXPECT_EQ(world.add_anchor({.a = BodyPoint{body}, .b = ClothVertex{cloth, 4}}).error().place,
            "b.vertex");
  EXPECT_EQ(world.add_anchor({.a = ClothTrianglePoint{cloth, 2}, .b = WorldPoint{}}).error().place,
            "a.triangle");
  world.remove(body);
  EXPECT_EQ(world.add_anchor({.a = BodyPoint{body}, .b = WorldPoint{}}).error().place, "a.body");
  EXPECT_TRUE(world.anchors().empty());
}

TEST(Anchors, go_with_their_bodies) {
  World world(plain({0, -9.81, 0}));
  const BodyId a = world.add_body({}).value(), b = world.add_body({.position = {3, 0, 0}}).value();
  const AnchorId first = world.add_anchor({.a = BodyPoint{a}, .b = WorldPoint{}}).value();
  const AnchorId second = world.add_anchor({.a = BodyPoint{b}, .b = WorldPoint{{3, 0, 0}}}).value();
  world.remove(a);
  EXPECT_FALSE(world.valid(first));
  ASSERT_TRUE(world.valid(second));
  run(world, 0.5);
  EXPECT_NEAR(world.pose(b).position.y, 0, 1e-3);
  world.remove(second);
  run(world, 0.5);
  EXPECT_NEAR(world.velocity(b).y, -9.81 * 0.5, 1e-3);
}

}  // namespace
}  // namespace pliant
