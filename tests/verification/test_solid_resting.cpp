// Solids that lie on each other and on the floor: they rest, their skins touch, friction is
// Coulomb's, and irregular meshes keep still. Acceptance A20, A22, A23 and A24 of the works on
// deformable bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include <pliant/world.h>

#include "verification/resting.h"

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60;
constexpr double k_g = 9.81;

std::string name_of(SolidModel model) {
  switch (model) {
    case SolidModel::xpbd:
      return "xpbd";
    case SolidModel::fem:
      return "fem";
    case SolidModel::explicit_fem:
      return "explicit_fem";
    case SolidModel::mass_spring:
      return "mass_spring";
    default:
      return "shape_matching";
  }
}

class Solids : public testing::TestWithParam<SolidModel> {};
INSTANTIATE_TEST_SUITE_P(Models, Solids,
                         testing::Values(SolidModel::xpbd, SolidModel::fem, SolidModel::mass_spring,
                                         SolidModel::shape_matching, SolidModel::explicit_fem),
                         [](const auto& tested) { return name_of(tested.param); });

// --- A20
// ----------------------------------------------------------------------------------------------
// In short here; 60 s in tests/long.
TEST_P(Solids, deformable_A20_a_cube_on_a_cube_rests_without_sleep) {
  World world({.substeps = 16, .sleep = false});
  const std::vector<SolidId> cubes = add_stack(world, GetParam(), 2);
  const Watch watch = watch_rest(world, cubes, 6, 4);
  EXPECT_LE(watch.drift, 0.02 * k_cell);
  EXPECT_LE(watch.bobbing, 0.005 * k_cell);
  EXPECT_LE(watch.fastest, 0.05 * k_cell);
  EXPECT_LE(watch.deepest, 0.02 * k_cell);
  RecordProperty("rms_speed_um_per_s", int(watch.rms_speed * 1e6));
}

TEST_P(Solids, deformable_A20_three_cubes_fall_asleep) {
  World world({.substeps = 16});
  const std::vector<SolidId> cubes = add_stack(world, GetParam(), 3);
  // What sleeps has no contacts to be measured: of the last half second before.
  std::vector<double> depth;
  int contacts = 0;
  for (int n = 0; n < 600; ++n) {
    ASSERT_TRUE(world.step(k_dt).ok());
    if (world.measurements().asleep == 3) break;
    contacts = world.measurements().contacts;
    depth.push_back(world.measurements().penetration_max);
  }
  EXPECT_GE(contacts, 36);  // a sole of 6 x 6 vertices
  for (const SolidId id : cubes) EXPECT_TRUE(world.asleep(id));
  ASSERT_GT(depth.size(), 60u);
  EXPECT_LE(*std::max_element(depth.end() - 30, depth.end()), 0.02 * k_cell);
}

// --- A22
// ----------------------------------------------------------------------------------------------
// The skin is finer than the lattice that carries it, and it is the skin that lies on the skin.
// By how much linear elements kink it more than it is bent at rest, in degrees: the greatest change
// of the angle between two triangles.
double greatest_kink(const std::vector<Triangle>& triangles, const std::vector<Vec3>& rest,
                     const std::vector<Vec3f>& now) {
  const auto angle = [](const Vec3& a, const Vec3& b) {
    return std::atan2(length(cross(a, b)), dot(a, b)) * 180 / 3.14159265358979323846;
  };
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> first;
  double most = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t n = 0; n < 3; ++n) {
      const auto edge = std::minmax(triangles[t][n], triangles[t][(n + 1) % 3]);
      const auto found = first.try_emplace(edge, t);
      if (found.second) continue;
      const std::size_t other = found.first->second;
      const auto bend = [&](const auto& x) {
        const auto normal = [&](const Triangle& f) {
          const auto at = [&](std::size_t k) { return cast<double>(x[std::size_t(f[k])]); };
          return cross(at(1) - at(0), at(2) - at(0));
        };
        return angle(normal(triangles[other]), normal(triangles[t]));
      };
      most = std::max(most, std::abs(bend(now) - bend(rest)));
    }
  return most;
}

TEST(SolidSurfaces, deformable_A22_settled_skins_touch) {
  World world({.substeps = 16});
  ASSERT_TRUE(world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).ok());
  std::vector<SolidId> balls;
  std::vector<Vec3> rest;
  const double size = 0.4;
  for (int n = 0; n < 2; ++n) {
    SolidDef def;
    def.mesh = make_box({size / 2, size / 2, size / 2}, 10);
    // A lattice that is looser than the box on all sides.
    for (Vec3& v : def.mesh.vertices) v = v * (1 - 0.05 * dot(v, v) / (size * size));
    def.cells = 5;
    def.model = SolidModel::fem;
    def.youngs_modulus = 5e4;
    def.damping = 0.01;
    def.position = {0, size / 2 + n * (size + 0.01) + 0.01, 0};
    balls.push_back(world.add_solid(def).value());
    rest = def.mesh.vertices;
  }
  for (int n = 0; n < 480; ++n) world.step(k_dt);
  Frame frame;
  world.capture(frame);
  const auto low = [&](std::size_t s) {
    float y = 1e9f;
    for (const Vec3f& p : frame.positions[s]) y = std::min(y, p.y);
    return double(y);
  };
  EXPECT_GE(low(0), 0);
  EXPECT_LE(low(0), 0.02 * size);
  // Down from each vertex of the upper one to the lower one.
  double least = 1e9;
  const QueryFilter lower{.bodies = false};
  for (const Vec3f& p : frame.positions[1]) {
    const Vec3 from = cast<double>(p);
    if (from.y > low(1) + 0.1 * size) continue;
    std::vector<RayHit> hits = world.cast_ray_all({from.x, 2, from.z}, {0, -1, 0}, 3, lower);
    for (const RayHit& hit : hits)
      if (hit.thing == AnyId(balls[0])) {
        least = std::min(least, from.y - hit.point.y);
        break;
      }
  }
  EXPECT_GE(least, 0);
  EXPECT_LE(least, 0.02 * size);
  RecordProperty("gap_um", int(least * 1e6));
  const double kink =
      greatest_kink(world.frame_layout().surfaces[0].triangles, rest, frame.positions[0]);
  std::printf("gap %.5f m, greatest kink %.2f degrees\n", least, kink);
  RecordProperty("kink_millidegrees", int(kink * 1e3));
}

// --- A23
// ----------------------------------------------------------------------------------------------
struct Slide {
  double distance = 0, last_speed = 0;
  double least_speed = 1e9;  // of the side that slides: the rest sways back when it stops
};
Slide slide(SolidModel model, double mu, double v, double seconds) {
  World world({.substeps = stiff_substeps(model), .sleep = false});
  BodyDef floor{.motion = Motion::fixed, .shape = HalfSpace{}};
  floor.surface.friction_static = floor.surface.friction_kinetic = mu;
  EXPECT_TRUE(world.add_body(floor).ok());
  SolidDef def = stiff_cube(model);
  def.surface = floor.surface;
  def.position.y = k_side / 2 + def.thickness / 2;
  def.velocity = {v, 0, 0};
  const SolidId id = world.add_solid(def).value();
  const double start = centre_of(world, id).x;
  std::vector<Vec3> v_all;
  std::vector<std::int32_t> bottom;
  for (std::size_t k = 0; k < def.tets.vertices.size(); ++k)
    if (def.tets.vertices[k].y < -0.49 * k_side) bottom.push_back(std::int32_t(k));
  Slide out;
  for (int n = 0; n < int(seconds / k_dt + 0.5); ++n) {
    world.step(k_dt);
    out.last_speed = velocity_of(world, id).x;
    world.copy_velocities(id, v_all);
    double sole = 0;
    for (const std::int32_t b : bottom) sole += v_all[std::size_t(b)].x / double(bottom.size());
    out.least_speed = std::min(out.least_speed, sole);
  }
  out.distance = centre_of(world, id).x - start;
  return out;
}

TEST_P(Solids, deformable_A23_friction_stops_after_v2_over_2_mu_g) {
  for (const double mu : {0.2, 0.4}) {
    const double v = 2;
    const Slide out = slide(GetParam(), mu, v, 2 * v / (mu * k_g));
    EXPECT_NEAR(out.distance, v * v / (2 * mu * k_g), 0.1 * v * v / (2 * mu * k_g));
    EXPECT_GT(out.least_speed, -0.01 * v);
    EXPECT_LT(std::abs(out.last_speed), 0.01 * v);
  }
}

TEST_P(Solids, deformable_A23_without_friction_it_slides_on) {
  EXPECT_GT(slide(GetParam(), 0, 2, 2).last_speed, 0.99 * 2);
}

// On a plane tilted by a little less than the angle of friction it stands; by more it slides with
// g (sin - mu cos).
TEST_P(Solids, deformable_A23_stands_below_the_angle_of_friction) {
  const double mu = 0.4;
  for (const double angle : {0.9 * std::atan(mu), 1.3 * std::atan(mu)}) {
    World world({.substeps = stiff_substeps(GetParam()), .sleep = false});
    const Quat tilt{0, 0, std::sin(angle / 2), std::cos(angle / 2)};
    BodyDef floor{.motion = Motion::fixed, .shape = HalfSpace{}, .rotation = tilt};
    floor.surface.friction_static = floor.surface.friction_kinetic = mu;
    ASSERT_TRUE(world.add_body(floor).ok());
    SolidDef def = stiff_cube(GetParam());
    def.surface = floor.surface;
    def.rotation = tilt;
    def.position = rotate(tilt, {0, k_side / 2 + def.thickness / 2, 0});
    const SolidId id = world.add_solid(def).value();
    const Vec3 down = rotate(tilt, {-1, 0, 0});
    for (int n = 0; n < 30; ++n) world.step(k_dt);  // it settles into the slope
    const Vec3 from = centre_of(world, id);
    const double v = dot(velocity_of(world, id), down);
    for (int n = 0; n < 60; ++n) world.step(k_dt);
    const double moved = dot(centre_of(world, id) - from, down);
    const double a = k_g * (std::sin(angle) - mu * std::cos(angle));
    if (a < 0) {
      EXPECT_LT(std::abs(moved), 0.01 * k_side);
    } else {
      EXPECT_NEAR(moved, v + a / 2, 0.1 * a / 2);
    }
  }
}

// A belt takes it along with mu g until it goes as fast: friction is against what moves below it.
TEST_P(Solids, deformable_A23_follows_what_moves_below_it) {
  const double mu = 0.3, v = 1;
  World world({.substeps = stiff_substeps(GetParam()), .sleep = false});
  BodyDef belt{.motion = Motion::kinematic, .shape = Box{{20, 0.1, 1}}, .position = {0, -0.1, 0}};
  belt.surface.friction_static = belt.surface.friction_kinetic = mu;
  belt.path = {{0, {0, -0.1, 0}, {}}, {10, {10 * v, -0.1, 0}, {}}};
  ASSERT_TRUE(world.add_body(belt).ok());
  SolidDef def = stiff_cube(GetParam());
  def.surface = belt.surface;
  def.position.y = k_side / 2 + def.thickness / 2;
  const SolidId id = world.add_solid(def).value();
  for (int n = 0; n < 12; ++n) world.step(k_dt);
  EXPECT_NEAR(velocity_of(world, id).x, mu * k_g * 0.2, 0.1 * mu * k_g * 0.2);
  for (int n = 0; n < 90; ++n) world.step(k_dt);
  EXPECT_NEAR(velocity_of(world, id).x, v, 0.01 * v);
}

// --- A24
// ----------------------------------------------------------------------------------------------
// A lattice whose cells go from 1 mm to 90 mm: the edges differ by more than 100 times.
TetMesh graded() {
  TetMesh mesh = make_lattice(8, 3, 3, 1);
  const double growth = std::pow(90.0, 1.0 / 7);
  std::vector<double> x{0};
  for (int n = 0; n < 8; ++n) x.push_back(x.back() + 1e-3 * std::pow(growth, n));
  for (Vec3& v : mesh.vertices) {
    v.x = x[std::size_t(std::lround(v.x + 4))];
    v.y *= 0.05;
    v.z *= 0.05;
  }
  return mesh;
}

TEST_P(Solids, deformable_A24_an_irregular_mesh_without_forces_keeps_still) {
  SolidDef def;
  def.tets = graded();
  double shortest = 1e9, longest = 0;
  for (const Tetrahedron& t : def.tets.tetrahedra)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) {
        const double l =
            length(def.tets.vertices[std::size_t(t[i])] - def.tets.vertices[std::size_t(t[j])]);
        shortest = std::min(shortest, l), longest = std::max(longest, l);
      }
  ASSERT_GE(longest / shortest, 100);
  double size = 0;  // along x, where it begins at 0
  for (const Vec3& v : def.tets.vertices) size = std::max(size, v.x);
  def.model = GetParam();
  def.linear_drag = 0;
  def.springs = {.distance = 1, .volume = 0.2, .damping = 0.01};
  // A wave may not pass more than an element of 1 mm in a substep of 1/480 s.
  if (GetParam() == SolidModel::explicit_fem) def.youngs_modulus = 10;
  World world({.gravity = {}, .substeps = 8, .sleep = false});
  const SolidId id = world.add_solid(def).value();
  std::vector<Vec3> before, after;
  world.copy_positions(id, before);
  double farthest = 0;
  for (int n = 0; n < 3600; ++n) {
    world.step(k_dt);
    if (n % 60 != 59) continue;
    world.copy_positions(id, after);
    for (std::size_t v = 0; v < before.size(); ++v)
      farthest = std::max(farthest, length(after[v] - before[v]));
  }
  EXPECT_LE(farthest, 1e-4 * size);
  // Control: a push of a thousandth of its size a second is seen at once.
  world.add_velocity(id, {1e-3 * size, 0, 0});
  for (int n = 0; n < 60; ++n) world.step(k_dt);
  world.copy_positions(id, after);
  EXPECT_GT(length(after[0] - before[0]), 5e-4 * size);
}

}  // namespace
}  // namespace pliant
