// Bodies made of points, triangles and parts, in a world: they rest, turn and fall as they must,
// and a snapshot goes on with the same bits.
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>
#include <pliant/world.h>

#include "geometry/shape_distance.h"

namespace pliant {
namespace {

constexpr double k_pi = std::numbers::pi;

Quat about(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)};
}

// A prism with a regular base of n corners, its base at y = 0 and off the origin.
Hull prism(int n, double radius, double height) {
  Hull hull;
  for (int i = 0; i < n; ++i)
    for (const double y : {0.0, height})
      hull.points.push_back(
          {0.5 + radius * std::cos(2 * k_pi * i / n), y, radius * std::sin(2 * k_pi * i / n)});
  return hull;
}
Compound table() {
  const Box leg{{0.03, 0.2, 0.03}};
  return {{{Box{{0.4, 0.03, 0.3}}, {0, 0.43, 0}},
           {leg, {-0.35, 0.2, -0.25}},
           {leg, {0.35, 0.2, -0.25}},
           {leg, {-0.35, 0.2, 0.25}},
           {leg, {0.35, 0.2, 0.25}}}};
}
// An L of three cubes, closed, as a mesh: concave, with its centre of mass off its origin.
Mesh letter() {
  Mesh out;
  const std::vector<Vec3> outline = {{0, 0, 0},     {0.4, 0, 0},   {0.4, 0.2, 0},
                                     {0.2, 0.2, 0}, {0.2, 0.4, 0}, {0, 0.4, 0}};
  for (const double z : {0.0, 0.2})
    for (const Vec3& p : outline) out.mesh.vertices.push_back({p.x, p.y, z});
  const std::vector<Triangle> front = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  for (const Triangle& t : front) {
    out.mesh.triangles.push_back({t[0], t[2], t[1]});
    out.mesh.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
  }
  for (std::int32_t i = 0; i < 6; ++i) {
    const std::int32_t j = (i + 1) % 6;
    out.mesh.triangles.push_back({i, j, j + 6});
    out.mesh.triangles.push_back({i, j + 6, i + 6});
  }
  return out;
}
class RoundedBlock : public DistanceFunction {
 public:
  double distance(const Vec3& p) const override {
    const Vec3 q{std::max(std::fabs(p.x) - 0.2, 0.0), std::max(std::fabs(p.y) - 0.1, 0.0),
                 std::max(std::fabs(p.z) - 0.15, 0.0)};
    const double inside = std::min(
        std::max({std::fabs(p.x) - 0.2, std::fabs(p.y) - 0.1, std::fabs(p.z) - 0.15}), 0.0);
    return length(q) + inside - 0.05;
  }
  Vec3 low() const override { return {-0.25, -0.15, -0.2}; }
  Vec3 high() const override { return {0.25, 0.15, 0.2}; }
};
class Cube : public SupportFunction {
 public:
  Vec3 support(const Vec3& d) const override {
    return {d.x < 0 ? -0.2 : 0.2, d.y < 0 ? -0.2 : 0.2, d.z < 0 ? -0.2 : 0.2};
  }
};

struct Rest {
  double drift = 0, sunk = 0, turned = 0;
  bool asleep = false;
};
Rest rest_on(const Shape& floor, double top, const Shape& shape, double height) {
  World world;
  world.add_body({.motion = Motion::fixed, .shape = floor}).value();
  const Vec3 start{0.1, height + top, -0.2};
  const BodyId body = world.add_body({.shape = shape, .position = start}).value();
  for (int i = 0; i < 300; ++i) world.step(1.0 / 60);
  const Transform end = world.pose(body);
  return {std::hypot(end.position.x - start.x, end.position.z - start.z),
          std::fabs(end.position.y - start.y),
          2 * std::sqrt(1 - std::min(1.0, end.rotation.w * end.rotation.w)), world.asleep(body)};
}
HeightField flat_field() { return {10, 10, 4, 4, std::vector<double>(121, 0.25)}; }

TEST(composites, everything_rests_on_every_floor_and_sleeps) {
  struct Thing {
    const char* what;
    Shape shape;
    double height;
  };
  const std::vector<Thing> things = {{"prism", prism(6, 0.3, 0.4), 0},
                                     {"table", table(), 0},
                                     {"letter", letter(), 0},
                                     {"support", UserShape{std::make_shared<Cube>(), nullptr}, 0.2},
                                     {"box", Box{{0.2, 0.1, 0.3}}, 0.1},
                                     {"cylinder", Cylinder{0.2, 0.3}, 0.3}};
  const std::vector<Thing> floors = {{"half-space", HalfSpace{}, 0},
                                     {"box", Box{{2, 0.5, 2}}, 0.5},
                                     {"rectangle", Rectangle{2, 2}, 0},
                                     {"mesh", Mesh{make_grid(9, 9, 4, 4)}, 0},
                                     {"solid mesh", Mesh{make_box({2, 0.5, 2}, 5)}, 0.5},
                                     {"height field", flat_field(), 0.25}};
  for (const Thing& floor : floors)
    for (const Thing& thing : things) {
      const Rest rest = rest_on(floor.shape, floor.height, thing.shape, thing.height);
      // A mesh is met triangle by triangle; which of them carry it changes until it has settled.
      const double shifts = thing.what == std::string("letter") ? 3e-4 : 1e-4;
      EXPECT_LT(rest.drift, shifts) << thing.what << " on " << floor.what;
      EXPECT_LT(rest.sunk, 1e-3) << thing.what << " on " << floor.what;
      EXPECT_LT(rest.turned, 3e-3) << thing.what << " on " << floor.what;
      EXPECT_TRUE(rest.asleep) << thing.what << " on " << floor.what;
    }
}

TEST(composites, a_rounded_block_by_its_distance_comes_to_rest) {
  World world;
  world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  const BodyId body = world
                          .add_body({.shape = UserShape{nullptr, std::make_shared<RoundedBlock>()},
                                     .position = {0, 0.3, 0}})
                          .value();
  for (int i = 0; i < 240; ++i) world.step(1.0 / 60);
  // Its triangles follow the distance within a thirtieth of half a metre.
  EXPECT_NEAR(world.pose(body).position.y, 0.15, 0.01);
  EXPECT_TRUE(world.asleep(body));
}

// What lands a little tilted has points all around its rim, and comes to rest.
TEST(composites, things_dropped_on_a_table_come_to_rest) {
  for (const auto& [thing, low] :
       {std::pair{Shape(Cone{0.06, 0.12}), 0.03}, std::pair{Shape(Cylinder{0.06, 0.05}), 0.05},
        std::pair{Shape(Box{{0.05, 0.05, 0.05}}), 0.05}}) {
    World world;
    world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
    world.add_body({.shape = table()}).value();
    const BodyId body =
        world.add_body({.shape = thing, .position = {0.1, 0.49 + low, 0.05}}).value();
    for (int i = 0; i < 300; ++i) world.step(1.0 / 60);
    EXPECT_NEAR(world.pose(body).position.y, 0.46 + low, 1e-3) << thing.index();
    EXPECT_TRUE(world.asleep(body)) << thing.index();
  }
}

// Thrown without gravity, a body turns about its centre of mass, which goes straight on.
TEST(composites, a_thrown_hammer_turns_about_its_centre_of_mass) {
  World world({.gravity = {}, .substeps = 4});
  const Compound hammer{
      {{Cylinder{0.02, 0.2}, {}, {}, 600}, {Box{{0.1, 0.03, 0.03}}, {0, 0.2, 0}, {}, 7800}}};
  const Vec3 centre = centre_of_mass(Compound{
      {{Cylinder{0.02, 0.2}, {}, {}, 600}, {Box{{0.1, 0.03, 0.03}}, {0, 0.2, 0}, {}, 7800}}});
  EXPECT_GT(centre.y, 0.15);
  const BodyId body = world
                          .add_body({.shape = hammer,
                                     .position = -centre,
                                     .velocity = {1, 2, 0},
                                     .angular_velocity = {0, 0, 7}})
                          .value();
  for (int i = 0; i < 120; ++i) {
    world.step(1.0 / 60);
    const Vec3 at = to_world(world.pose(body), centre);
    const double t = world.time();
    ASSERT_NEAR(length(at - Vec3{t, 2 * t, 0}), 0, 1e-4);
  }
  EXPECT_NEAR(world.angular_velocity(body).z, 7, 1e-3);
}

// A box that is given as a mesh with turned axes has the motion of the box: its principal axes are
// found. The unstable turn about the middle axis shows any error.
TEST(composites, a_turned_mesh_tumbles_as_the_box_it_is) {
  const Quat turn = normalized(Quat{0.3, -0.2, 0.5, 1});
  TriMesh mesh = make_box({0.1, 0.2, 0.3}, 1);
  for (Vec3& v : mesh.vertices) v = rotate(turn, v);
  World world({.gravity = {}, .substeps = 8});
  const Vec3 spin{0.01, 5, 0.02};
  const BodyId box =
      world.add_body({.shape = Box{{0.1, 0.2, 0.3}}, .angular_velocity = spin}).value();
  const BodyId turned = world
                            .add_body({.shape = Mesh{mesh},
                                       .position = {10, 0, 0},
                                       .rotation = conjugate(turn),
                                       .angular_velocity = spin})
                            .value();
  double furthest = 0;
  for (int i = 0; i < 240; ++i) {
    world.step(1.0 / 120);
    const Vec3 a = rotate(world.pose(box).rotation, Vec3{0, 0, 1});
    const Vec3 b = rotate(world.pose(turned).rotation, rotate(turn, Vec3{0, 0, 1}));
    furthest = std::max(furthest, length(a - b));
  }
  EXPECT_LT(furthest, 2e-2);
  EXPECT_NEAR(world.mass(box), world.mass(turned), 1e-9 * world.mass(box));
}

// A solid mesh thinner than the margin of contacts: what is small lies on it and is not drawn in by
// the face on the other side. The hull's points are far from its origin, as those of parts are.
TEST(composites, small_things_lie_on_a_thin_mesh) {
  const std::vector<Vec3> corners{
      {0.29, -0.005, -0.01}, {0.31, -0.005, -0.01}, {0.29, 0.005, -0.01}, {0.31, 0.005, -0.01},
      {0.29, -0.005, 0.01},  {0.31, -0.005, 0.01},  {0.29, 0.005, 0.01},  {0.31, 0.005, 0.01}};
  const Shape things[] = {Sphere{0.005}, Box{{0.1, 0.005, 0.1}},
                          Compound{{{Hull{corners}, {-0.3, 0, 0}, {}, 0}}}};
  for (const double thickness : {0.05, 0.01, 0.002})
    for (const Shape& thing : things) {
      World world;
      world
          .add_body(
              {.motion = Motion::fixed, .shape = Mesh{make_box({0.5, thickness / 2, 0.5}, 1)}})
          .value();
      const double height = thickness / 2 + 0.005;
      const BodyId id =
          world.add_body({.shape = thing, .position = {0.13, height + 0.05, 0.07}, .mass = 0.1})
              .value();
      for (int n = 0; n < 120; ++n) world.step(1.0 / 60);
      EXPECT_NEAR(world.pose(id).position.y, height, 5e-4) << thing.index() << " on " << thickness;
    }
}

TEST(composites, a_stick_falls_through_a_ring_and_a_plate_does_not) {
  const auto height_after = [](const Shape& shape) {
    World world;
    Compound ring;
    for (int i = 0; i < 12; ++i) {
      const double angle = 2 * k_pi * i / 12;
      ring.parts.push_back({Capsule{0.05, 0.15},
                            {0.5 * std::cos(angle), 1, 0.5 * std::sin(angle)},
                            about({0, 1, 0}, -angle) * about({1, 0, 0}, k_pi / 2)});
    }
    world.add_body({.motion = Motion::fixed, .shape = ring}).value();
    const BodyId body = world.add_body({.shape = shape, .position = {0, 1.6, 0}}).value();
    for (int i = 0; i < 120; ++i) world.step(1.0 / 60);
    return world.pose(body).position.y;
  };
  EXPECT_LT(height_after(Cylinder{0.1, 0.3}), 0);
  EXPECT_NEAR(height_after(Cylinder{0.6, 0.05}), 1.1, 2e-3);
}

// The lowest that any vertex is above the shape, after a cloth and a block of jelly have fallen on
// it.
struct Held {
  double cloth = 1e30, solid = 1e30, highest = -1e30;
};
Held hold_up(const Shape& shape, double thickness) {
  World world({.substeps = 10});
  world.add_body({.motion = Motion::fixed, .shape = shape}).value();
  const ClothId cloth =
      world
          .add_cloth(
              {.mesh = make_grid(16, 16, 1, 1), .position = {0, 0.5, 0}, .thickness = thickness})
          .value();
  World other({.substeps = 10});
  other.add_body({.motion = Motion::fixed, .shape = shape}).value();
  const SolidId solid =
      other
          .add_solid(
              {.tets = make_lattice(2, 2, 2, 0.1), .position = {0, 0.6, 0}, .thickness = thickness})
          .value();
  for (int i = 0; i < 50; ++i) {
    world.step(1.0 / 60);
    other.step(1.0 / 60);
  }
  const ConvexShape made = make_convex(shape);
  const ShapeNumbers<double> numbers = shape_numbers<double>(made);
  Held held;
  std::vector<Vec3> x;
  Vec3 g;
  world.copy_positions(cloth, x);
  for (const Vec3& p : x) {
    held.cloth = std::min(held.cloth, signed_distance(numbers, p, g));
    held.highest = std::max(held.highest, p.y);
  }
  other.copy_positions(solid, x);
  for (const Vec3& p : x) held.solid = std::min(held.solid, signed_distance(numbers, p, g));
  return held;
}

TEST(composites, cloth_and_solids_lie_on_every_shape) {
  struct Thing {
    const char* what;
    Shape shape;
    double top;  // m
  };
  const std::vector<Thing> things = {
      {"cylinder", Cylinder{0.3, 0.2}, 0.2},
      {"cone", Cone{0.4, 0.4}, 0.3},
      {"ellipsoid", Ellipsoid{{0.4, 0.2, 0.3}}, 0.2},
      {"rectangle", Rectangle{0.8, 0.8}, 0},
      {"hull", Hull{make_sphere(0.3, 1).vertices}, 0.25},
      {"mesh", Mesh{make_box({0.3, 0.2, 0.3}, 3)}, 0.2},
      {"open mesh", Mesh{make_grid(6, 6, 1.6, 1.6)}, 0},
      {"height field", HeightField{8, 8, 2, 2, std::vector<double>(81, 0.1)}, 0.1},
      {"compound", table(), 0.46},
      {"support", UserShape{std::make_shared<Cube>(), nullptr}, 0.2},
      {"distance", UserShape{nullptr, std::make_shared<RoundedBlock>()}, 0.15}};
  for (const Thing& thing : things) {
    const Held held = hold_up(thing.shape, 0.02);
    // Cloth keeps its thickness from the shape, solids half of theirs; vertices between two
    // contacts may be a little nearer.
    EXPECT_GT(held.cloth, 0) << thing.what;
    EXPECT_GT(held.solid, -0.005) << thing.what;
    EXPECT_GT(held.highest, thing.top) << thing.what;
  }
}

// Without the shape nothing is held.
TEST(composites, the_measure_sees_what_falls_through) {
  const Held held = hold_up(Compound{{{Sphere{0.1}, {5, 0, 0}}}}, 0.02);
  EXPECT_LT(held.highest, 0);
}

TEST(composites, bad_shapes_get_an_error_with_the_reason) {
  World world;
  const auto error = [&](const Shape& shape, Motion motion = Motion::dynamic) {
    const auto made = world.add_body({.motion = motion, .shape = shape});
    return made.ok() ? std::string() : made.error().place + ": " + made.error().message;
  };
  EXPECT_NE(error(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}).find("one plane"),
            std::string::npos);
  EXPECT_NE(error(Mesh{make_grid(2, 2, 1, 1)}).find("not closed"), std::string::npos);
  EXPECT_EQ(error(Mesh{make_grid(2, 2, 1, 1)}, Motion::fixed), "");
  EXPECT_NE(error(Mesh{}).find("shape.mesh: is empty"), std::string::npos);
  EXPECT_NE(error(Rectangle{}).find("rectangle"), std::string::npos);
  EXPECT_NE(
      error(HeightField{1, 1, 1, 1, {0, 0}}, Motion::fixed).find("shape.height_field.heights"),
      std::string::npos);
  EXPECT_NE(error(Compound{}).find("shape.compound.parts"), std::string::npos);
  EXPECT_NE(error(Compound{{{Sphere{-1}}}}).find("shape.compound.parts[0].shape.sphere.radius"),
            std::string::npos);
  EXPECT_NE(error(UserShape{}).find("no function"), std::string::npos);
}

TEST(composites, a_snapshot_goes_on_with_the_same_bits) {
  const auto make = [] {
    World world;
    world.add_body({.motion = Motion::fixed, .shape = flat_field()}).value();
    world.add_body({.shape = table(), .position = {0, 0.6, 0}, .rotation = about({1, 0, 0}, 0.2)})
        .value();
    world.add_body({.shape = letter(), .position = {0, 1.5, 0}}).value();
    world.add_body({.shape = prism(5, 0.2, 0.2), .position = {-0.4, 2, 0}}).value();
    return world;
  };
  World a = make(), b = make();
  for (int i = 0; i < 60; ++i) a.step(1.0 / 60);
  ASSERT_TRUE(b.restore(a.snapshot()).ok());
  for (int i = 0; i < 60; ++i) {
    a.step(1.0 / 60);
    b.step(1.0 / 60);
    ASSERT_EQ(a.state_hash(), b.state_hash()) << i;
  }
}

}  // namespace
}  // namespace pliant
