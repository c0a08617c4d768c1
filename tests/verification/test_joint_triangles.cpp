// Joints with angles on points of triangles of cloths and solids.
#include "math/trig.h"
#include "verification/joint_rig.h"

namespace pliant {
namespace {

// A square of 2 x 2 cells, of which all vertices are held.
ClothId add_held(World& world, const Path& path = {}) {
  ClothDef cloth;
  cloth.mesh = make_grid(2, 2, 0.4, 0.4);
  Pin pin;
  for (std::int32_t n = 0; n < 9; ++n) pin.vertices.push_back(n);
  pin.path = path;
  cloth.pins = {pin};
  return world.add_cloth(cloth).value();
}

// A plate of 1 kg whose centre is 0.5 m from the hinge: I = 0.02 + 0.25 about it, so that it swings
// as a pendulum with 2 pi sqrt(I / (m g l)) = 1.4742 s, and a little slower from 0.1 rad.
TEST(JointTriangles, a_plate_hinged_on_cloth_that_is_held_is_a_pendulum) {
  World world(joint_world({0, -k_g, 0}));
  const ClothId cloth = add_held(world);
  const double start = 0.1;
  BodyDef plate = lump(1, {0, -0.5 * std::cos(start), 0.5 * std::sin(start)}, {0.02, 0.02, 0.02});
  plate.rotation = exp_quat({-start / 2, 0, 0});
  plate.filter = {2, 2};
  const BodyId body = world.add_body(plate).value();
  const ClothTrianglePoint at{cloth, 3, {0, 0, 1}};
  std::vector<Vec3> places;
  world.copy_positions(cloth, places);
  const Triangle t = make_grid(2, 2, 0.4, 0.4).triangles[3];
  const Vec3 corner = places[std::size_t(t[2])];
  world.set_pose(body, {corner + plate.position, plate.rotation});
  world.step(k_step);
  // The hinge's axis is the world's x axis, seen from the triangle.
  const Vec3 along = normalized(places[std::size_t(t[1])] - places[std::size_t(t[0])]);
  const Vec3 normal = normalized(cross(places[std::size_t(t[1])] - places[std::size_t(t[0])],
                                       places[std::size_t(t[2])] - places[std::size_t(t[0])]));
  const Vec3 across = cross(along, normal);
  world.set_pose(body, {corner + plate.position, plate.rotation});
  world.set_velocity(body, {}, {});
  const JointId joint = world
                            .add_joint({.kind = JointKind::hinge,
                                        .a = at,
                                        .b = BodyPoint{body, {0, 0.5, 0}},
                                        .frame_a = joint_frame({along.x, normal.x, across.x})})
                            .value();
  const double expected = 2 * k_pi * std::sqrt(0.27 / (1 * k_g * 0.5)) * (1 + start * start / 16);
  const double period = period_of(world, 6, [&] {
    return dot(rotate(world.pose(body).rotation, Vec3{0, -1, 0}), Vec3{0, 0, 1});
  });
  EXPECT_NEAR(period, expected, 3e-3 * expected);
  EXPECT_LT(length(world.joint_status(joint).offset), 1e-4);
  EXPECT_LT(std::abs(world.joint_status(joint).angle.y), 1e-4);
  EXPECT_LT(std::abs(world.joint_status(joint).angle.z), 1e-4);
}

// The frame turns with the triangle: what is fixed to cloth that is carried round goes round.
TEST(JointTriangles, what_is_fixed_to_cloth_turns_with_it) {
  World world(joint_world({}));
  const Quat turned = exp_quat(Vec3{0.3, 0.5, -0.2});
  const ClothId cloth = add_held(world, {{0, {}, {}}, {1, {}, turned}});
  const BodyId body = world.add_body(lump(0.5, {0.1, 0.3, 0}, {0.01, 0.02, 0.03})).value();
  const JointId joint = world
                            .add_joint({.kind = JointKind::fixed,
                                        .a = ClothTrianglePoint{cloth, 0},
                                        .b = BodyPoint{body, {-0.1, -0.3, 0}}})
                            .value();
  run(world, 1.5);
  const Quat q = world.pose(body).rotation;
  EXPECT_LT(length(rotation_vector(q * conjugate(turned))), 2e-3);
  EXPECT_LT(length(world.joint_status(joint).angle), 1e-3);
}

// Of a box of 0.3 m: one of the two triangles of the side that looks along x.
std::int32_t triangle_at_right(const TriMesh& box) {
  for (std::size_t n = 0; n < box.triangles.size(); ++n) {
    bool there = true;
    for (const std::int32_t v : box.triangles[n]) there &= box.vertices[std::size_t(v)].x > 0.14;
    if (there) return std::int32_t(n);
  }
  return -1;
}

// A block that is free in space, 0.3 m wide, with a rod that sticks out of it, both turning. The
// same with a rigid block of the same mass and moments.
struct Club {
  World world{joint_world({}, 20)};
  BodyId rod{};
  JointId joint{};
  SolidId soft{};
  BodyId hard{};
};

constexpr Vec3 k_spin{0.4, 0.3, 2.0};

BodyDef rod_of_club() {
  BodyDef rod = lump(0.5, {0.15 + 0.25, 0, 0}, {0.001, 0.5 * 0.25 / 12, 0.5 * 0.25 / 12});
  rod.angular_velocity = k_spin;
  rod.velocity = cross(k_spin, rod.position);
  return rod;
}

Club soft_club() {
  Club c;
  SolidDef block;
  block.mesh = make_box({0.15, 0.15, 0.15});
  block.cells = 3;
  block.youngs_modulus = 2e6;
  block.linear_drag = 0;
  block.density = 200;
  block.angular_velocity = k_spin;
  block.filter = {2, 2};
  c.soft = c.world.add_solid(block).value();
  c.rod = c.world.add_body(rod_of_club()).value();
  const TriMesh mesh = block.mesh;
  const std::int32_t side = triangle_at_right(mesh);
  const Triangle t = mesh.triangles[std::size_t(side)];
  // The middle of the square is on the longest side of the triangle.
  std::array<double, 3> weights{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 m =
        0.5 * (mesh.vertices[std::size_t(t[k])] + mesh.vertices[std::size_t(t[(k + 1) % 3])]);
    if (length(m - Vec3{0.15, 0, 0}) < 1e-9) weights[k] = weights[(k + 1) % 3] = 0.5;
  }
  c.joint = c.world
                .add_joint({.kind = JointKind::fixed,
                            .a = SolidTrianglePoint{c.soft, side, weights},
                            .b = BodyPoint{c.rod, {-0.25, 0, 0}}})
                .value();
  return c;
}

Club hard_club() {
  Club c;
  BodyDef block;
  block.shape = Box{{0.15, 0.15, 0.15}};
  block.density = 200;
  block.angular_velocity = k_spin;
  block.filter = {2, 2};
  c.hard = c.world.add_body(block).value();
  c.rod = c.world.add_body(rod_of_club()).value();
  c.joint = c.world
                .add_joint({.kind = JointKind::fixed,
                            .a = BodyPoint{c.hard, {0.15, 0, 0}},
                            .b = BodyPoint{c.rod, {-0.25, 0, 0}}})
                .value();
  return c;
}

TEST(JointTriangles, a_rod_fixed_to_a_stiff_block_moves_as_on_a_rigid_one) {
  Club soft = soft_club(), hard = hard_club();
  EXPECT_NEAR(soft.world.mass(soft.soft), hard.world.mass(hard.hard), 1e-3);
  for (int n = 0; n < 240; ++n) {
    soft.world.step(k_step);
    hard.world.step(k_step);
    const Vec3 apart = soft.world.pose(soft.rod).position - hard.world.pose(hard.rod).position;
    ASSERT_LT(length(apart), 0.03) << n;  // of a way of 0.8 m
  }
  EXPECT_LT(length(soft.world.joint_status(soft.joint).angle), 0.01);
  EXPECT_LT(length(soft.world.joint_status(soft.joint).offset), 1e-3);
}

TEST(JointTriangles, both_momenta_stay) {
  Club c = soft_club();
  c.world.step(k_step);
  const Vec3 p = c.world.measurements().momentum, l = c.world.measurements().angular_momentum;
  run(c.world, 0.5);
  EXPECT_LT(length(c.world.measurements().momentum - p), 2e-4 * length(p));
  // A soft body loses some of it by itself (docs/limitations.md): 4 rad2/s2 / 4800 a second.
  EXPECT_LT(length(c.world.measurements().angular_momentum - l), 5e-3 * length(l));
}

// A rod of 0.2 kg that sticks out of a clamped block: the joint carries its weight, and m g l = 0.2
// * 9.81 * 0.25 as a torque.
TEST(JointTriangles, a_fixed_joint_on_a_solid_carries_a_torque) {
  World world(joint_world({0, -k_g, 0}));
  SolidDef block;
  block.tets = make_lattice(3, 3, 3, 0.1);
  block.youngs_modulus = 2e6;
  block.density = 300;
  block.filter = {2, 2};
  Pin pin;
  for (std::size_t n = 0; n < block.tets.vertices.size(); ++n)
    if (block.tets.vertices[n].x < block.tets.vertices[0].x + 0.05)
      pin.vertices.push_back(std::int32_t(n));
  block.pins = {pin};
  const SolidId solid = world.add_solid(block).value();
  TriMesh surface;
  surface.triangles = world.frame_layout().surfaces[0].triangles;
  Frame frame;
  world.capture(frame);
  for (const Vec3f& v : frame.positions[0]) surface.vertices.push_back(cast<double>(v));
  const std::int32_t side = triangle_at_right(surface);
  Vec3 middle;
  for (const std::int32_t v : surface.triangles[std::size_t(side)])
    middle += surface.vertices[std::size_t(v)] * (1.0 / 3);
  BodyDef rod = lump(0.2, middle + Vec3{0.25, 0, 0}, {1e-4, 0.001, 0.001});
  rod.linear_drag = rod.angular_drag = 5;
  const BodyId body = world.add_body(rod).value();
  const JointId joint = world
                            .add_joint({.kind = JointKind::fixed,
                                        .a = SolidTrianglePoint{solid, side},
                                        .b = BodyPoint{body, {-0.25, 0, 0}}})
                            .value();
  run(world, 3);
  EXPECT_NEAR(world.joint_force(joint).y, -0.2 * k_g, 0.02 * 0.2 * k_g);
  EXPECT_NEAR(world.joint_torque(joint).z, -0.2 * k_g * 0.25, 0.03 * 0.2 * k_g * 0.25);
  EXPECT_LT(length(world.joint_status(joint).angle), 0.01);
}

// The two triangles of a square, fixed to each other at the side that they share: it does not fold,
// though one corner is thrown up.
TEST(JointTriangles, both_sides_on_one_cloth) {
  for (const bool joined : {true, false}) {
    World world(joint_world({}));
    ClothDef cloth;
    cloth.mesh = make_grid(1, 1, 0.4, 0.4);
    cloth.linear_drag = 0;
    cloth.bend_rigidity = 0;
    cloth.initial_positions = cloth.mesh.vertices;
    cloth.initial_velocities = {{}, {0, 0.5, 0}, {}, {}};
    const ClothId sheet = world.add_cloth(cloth).value();
    if (joined)
      world
          .add_joint({.kind = JointKind::fixed,
                      .a = ClothTrianglePoint{sheet, 0, {0.5, 0, 0.5}},
                      .b = ClothTrianglePoint{sheet, 1, {0.5, 0.5, 0}}})
          .value();
    double greatest = 0;
    for (int n = 0; n < 120; ++n) {
      ASSERT_TRUE(world.step(k_step).ok());
      std::vector<Vec3> p;
      world.copy_positions(sheet, p);
      const Vec3 one = normalized(cross(p[2] - p[0], p[3] - p[0]));
      const Vec3 two = normalized(cross(p[3] - p[0], p[1] - p[0]));
      greatest = std::max(greatest, length(one - two));
    }
    EXPECT_EQ(greatest < 0.05, joined) << greatest;
  }
}

// Points that cannot come together without tearing the cloth: it gives way, but stays finite.
TEST(JointTriangles, what_cannot_be_joined_stays_finite) {
  World world(joint_world({}));
  ClothDef cloth;
  cloth.mesh = make_grid(1, 1, 0.4, 0.4);
  const ClothId sheet = world.add_cloth(cloth).value();
  world
      .add_joint({.kind = JointKind::fixed,
                  .a = ClothTrianglePoint{sheet, 0, {0, 0.5, 0.5}},
                  .b = ClothTrianglePoint{sheet, 1, {0.5, 0.5, 0}}})
      .value();
  for (int n = 0; n < 240; ++n) ASSERT_TRUE(world.step(k_step).ok()) << n;
}

}  // namespace
}  // namespace pliant
