// Solids that meet themselves, under the default response `position`: arms that are pressed
// together and a ring that closes. What is only squeezed meets nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/world.h>

#include "geometry/topology.h"

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60, k_cell = 0.05;

// A U in the plane of x and y, two cells thick: arms at x < 0 and x > 0, two cells apart, base
// below.
TetMesh u_shape() {
  const TetMesh whole = make_lattice(6, 12, 2, k_cell);
  TetMesh mesh;
  std::vector<std::int32_t> number(whole.vertices.size(), -1);
  for (const Tetrahedron& t : whole.tetrahedra) {
    Vec3 centre;
    for (const std::int32_t v : t) centre += whole.vertices[std::size_t(v)] * 0.25;
    if (std::abs(centre.x) < k_cell && centre.y > -4 * k_cell) continue;
    Tetrahedron kept = t;
    for (std::int32_t& v : kept) {
      std::int32_t& known = number[std::size_t(v)];
      if (known < 0) {
        known = std::int32_t(mesh.vertices.size());
        mesh.vertices.push_back(whole.vertices[std::size_t(v)]);
      }
      v = known;
    }
    mesh.tetrahedra.push_back(kept);
  }
  return mesh;
}

SolidDef u_solid(SolidModel model, bool self_contact) {
  SolidDef def;
  def.tets = u_shape();
  def.model = model;
  def.density = 500;
  def.youngs_modulus = 1e5;
  def.poisson_ratio = 0.3;
  def.damping = model == SolidModel::explicit_fem ? 2e-4 : 0.005;
  def.linear_drag = 2;
  def.springs = {.distance = 3, .volume = 1, .damping = 0.01};
  def.matching = {.mode = MatchingMode::linear, .frequency = 30, .cluster_cells = 3};
  def.self_contact = self_contact;
  return def;
}

std::vector<Vec3> places(const World& world, SolidId id) {
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  return x;
}

// m: by how much the arms are through each other: the farthest that the inner side of the left one
// is to the right of that of the right one at the same height and depth.
double crossed(const TetMesh& rest, const std::vector<Vec3>& x) {
  double most = -1;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Vec3 &a = rest.vertices[i], &b = rest.vertices[j];
      if (std::abs(a.x + k_cell) > 1e-9 || std::abs(b.x - k_cell) > 1e-9) continue;
      if (a.y < 0 || std::abs(a.y - b.y) > 1e-9 || std::abs(a.z - b.z) > 1e-9) continue;
      most = std::max(most, x[i].x - x[j].x);
    }
  return most;
}

// The arms are drawn together for a second; what is found at the end of it.
struct Pressed {
  double crossed = 0;  // m
  int contacts = 0;
  double penetration = 0;  // m
  std::uint64_t hash = 0;
};
Pressed press(const SolidDef& def, int threads = 0) {
  // A wave may not pass more than an element in a substep of explicit ones.
  const int substeps = def.model == SolidModel::explicit_fem ? 48 : 16;
  World world({.gravity = {}, .substeps = substeps, .sleep = false},
              threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
  const SolidId id = world.add_solid(def).value();
  Pressed out;
  for (int n = 0; n < 60; ++n) {
    for (std::size_t v = 0; v < def.tets.vertices.size(); ++v)
      if (def.tets.vertices[v].y > 0)
        world.apply_force(id, std::int32_t(v), {def.tets.vertices[v].x < 0 ? 0.25 : -0.25, 0, 0});
    EXPECT_TRUE(world.step(k_dt).ok());
    out.penetration = std::max(out.penetration, world.measurements().penetration_max);
  }
  out.crossed = crossed(def.tets, places(world, id));
  out.contacts = world.measurements().contacts;
  out.hash = world.state_hash();
  return out;
}

class SelfContact : public testing::TestWithParam<SolidModel> {};
INSTANTIATE_TEST_SUITE_P(Models, SelfContact,
                         testing::Values(SolidModel::xpbd, SolidModel::fem, SolidModel::mass_spring,
                                         SolidModel::shape_matching, SolidModel::explicit_fem));

TEST_P(SelfContact, arms_that_are_pressed_together_do_not_cross) {
  const Pressed out = press(u_solid(GetParam(), true));
  EXPECT_LE(out.crossed, 0);
  EXPECT_GT(out.crossed, -0.01);  // they touch
  EXPECT_GT(out.contacts, 0);
  EXPECT_LT(out.penetration, 0.02 * k_cell);
  // Control: without self-contact they pass through each other.
  EXPECT_GT(press(u_solid(GetParam(), false)).crossed, 0.01);
}

TEST_P(SelfContact, is_the_same_on_any_number_of_threads) {
  const std::uint64_t expected = press(u_solid(GetParam(), true)).hash;
  for (const int threads : {1, 2, 3})
    EXPECT_EQ(press(u_solid(GetParam(), true), threads).hash, expected) << threads;
}

// The surface is one of its own, carried by the tetrahedra.
TEST(SelfContacts, a_carried_surface_meets_itself) {
  SolidDef def = u_solid(SolidModel::fem, true);
  const BoundaryFaces faces = boundary_faces(def.tets.tetrahedra);
  def.mesh = {def.tets.vertices, faces.triangles};
  std::vector<std::int32_t> number(def.tets.vertices.size(), -1);
  def.mesh.vertices.clear();
  for (Triangle& t : def.mesh.triangles)
    for (std::int32_t& v : t) {
      std::int32_t& known = number[std::size_t(v)];
      if (known < 0) {
        known = std::int32_t(def.mesh.vertices.size());
        def.mesh.vertices.push_back(def.tets.vertices[std::size_t(v)] * 0.99);
      }
      v = known;
    }
  const Pressed out = press(def);
  EXPECT_LE(out.crossed, 0.02 * k_cell);
  EXPECT_GT(out.contacts, 0);
  def.self_contact = false;
  EXPECT_GT(press(def).crossed, 0.01);
}

// A free body that strikes itself keeps both momenta: its arms run at each other.
TEST(SelfContacts, momentum_is_kept) {
  World world({.gravity = {}, .substeps = 16, .sleep = false});
  SolidDef def = u_solid(SolidModel::fem, true);
  def.linear_drag = 0;
  for (const Vec3& v : def.tets.vertices)
    def.initial_velocities.push_back(
        {v.y > 0 ? (v.x < 0 ? 4.0 : -3.0) * v.y / (6 * k_cell) : 0.0, 0.2, 0.1});
  def.initial_positions = def.tets.vertices;
  const SolidId id = world.add_solid(def).value();
  world.step(k_dt / 1000);
  const Vec3 p = world.measurements().momentum;
  int most = 0;
  for (int n = 0; n < 30; ++n) {
    world.step(k_dt);
    most = std::max(most, world.measurements().contacts);
  }
  EXPECT_GT(most, 0);
  EXPECT_LT(length(world.measurements().momentum - p),
            (sizeof(Real) == 4 ? 1e-4 : 1e-9) * world.mass(id));
}

// A cube that is squeezed to half its height, and a thin plate that is bent: nothing of them meets,
// and nothing changes by asking.
TEST(SelfContacts, what_is_squeezed_does_not_meet_itself) {
  for (const bool plate : {false, true}) {
    std::uint64_t hash[2];
    for (const bool meets : {false, true}) {
      World world({.gravity = {}, .substeps = 16, .sleep = false});
      SolidDef def;
      def.tets = plate ? make_lattice(12, 1, 4, k_cell) : make_lattice(5, 5, 5, k_cell);
      def.model = SolidModel::fem;
      def.youngs_modulus = 2e4;
      def.poisson_ratio = 0.3;
      def.linear_drag = 2;
      def.self_contact = meets;
      const SolidId id = world.add_solid(def).value();
      // Two plates close on the cube; the thin plate is pushed down in the middle.
      const double half = plate ? 0.5 * k_cell : 2.5 * k_cell, way = plate ? 0.15 : 1.25 * k_cell;
      for (const double side : {-1.0, 1.0}) {
        if (plate && side < 0) continue;
        BodyDef press{.motion = Motion::kinematic, .shape = Box{{0.3, 0.05, 0.3}}};
        if (plate) press.shape = Capsule{0.05, 0.3};
        if (plate) press.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
        press.position = {0, side * (half + 0.052), 0};
        press.path = {{0, press.position, press.rotation},
                      {0.5, press.position - Vec3{0, side * way, 0}, press.rotation}};
        (void)world.add_body(press).value();
      }
      for (const double x : {-5.0, 5.0})
        if (plate)
          (void)world
              .add_body({.motion = Motion::fixed,
                         .shape = Capsule{0.05, 0.3},
                         .position = {x * k_cell, -half - 0.052, 0},
                         .rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}})
              .value();
      for (int n = 0; n < 30; ++n) ASSERT_TRUE(world.step(k_dt).ok());
      hash[meets] = world.state_hash();
      const std::vector<Vec3> x = places(world, id);
      double low = 1e9, high = -1e9;
      for (const Vec3& p : x) low = std::min(low, p.y), high = std::max(high, p.y);
      if (plate)
        EXPECT_GT(high - low, 0.08);
      else
        EXPECT_LT(high - low, 0.6 * 5 * k_cell);
    }
    EXPECT_EQ(hash[0], hash[1]) << (plate ? "plate" : "cube");
  }
}

// A U at rest that begins to touch itself sleeps with its arms on each other.
TEST(SelfContacts, comes_to_rest_and_sleeps) {
  World world({.substeps = 16});
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
  SolidDef def = u_solid(SolidModel::fem, true);
  // On its side: the upper arm sinks on the lower one.
  def.rotation = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
  def.position.y = 0.16;
  def.youngs_modulus = 1.2e4;
  const SolidId id = world.add_solid(def).value();
  bool met = false;
  for (int n = 0; n < 600 && !world.asleep(id); ++n) {
    ASSERT_TRUE(world.step(k_dt).ok());
    for (const Event& e : world.events())
      met |= e.kind == EventKind::contact_begin && e.a == AnyId(id) && e.b == AnyId(id);
  }
  EXPECT_TRUE(met);
  EXPECT_TRUE(world.asleep(id));
  EXPECT_LT(world.measurements().penetration_max, 0.02 * k_cell);
}

}  // namespace
}  // namespace pliant
