// Definitions made in code: the defaults are good, and each spoilt field is named.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scene/check_definitions.h"

namespace pliant {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_inf = std::numeric_limits<double>::infinity();

template <class Def>
std::string places(const Def& def) {
  std::string out;
  for (const Error& e : check(def)) out += (out.empty() ? "" : " ") + e.place;
  return out;
}

ClothDef good_cloth() {
  ClothDef def;
  def.mesh = make_grid(2, 2, 1, 1);
  return def;
}
SolidDef good_solid() {
  SolidDef def;
  def.mesh = make_box({0.5, 0.5, 0.5});
  return def;
}

TEST(CheckDefinitions, defaults_are_good) {
  EXPECT_EQ(places(WorldDef{}), "");
  EXPECT_EQ(places(BodyDef{}), "");
  EXPECT_EQ(places(good_cloth()), "");
  EXPECT_EQ(places(good_solid()), "");
  EXPECT_EQ(places(Path{}), "");
  SolidDef tets;
  tets.tets = make_lattice(1, 2, 3, 0.1);
  EXPECT_EQ(places(tets), "");
}

TEST(CheckDefinitions, bodies) {
  EXPECT_EQ(places(BodyDef{.shape = Sphere{0}}), "shape.sphere.radius");
  EXPECT_EQ(places(BodyDef{.shape = Box{{1, k_nan, 1}}}), "shape.box.half[1]");
  EXPECT_EQ(places(BodyDef{.shape = Capsule{.half_height = -1}}), "shape.capsule.half_height");
  EXPECT_EQ(places(BodyDef{.shape = HalfSpace{}}), "motion");
  EXPECT_EQ(places(BodyDef{.motion = Motion::fixed, .shape = HalfSpace{}}), "");
  EXPECT_EQ(places(BodyDef{.position = {0, k_inf, 0}}), "position[1]");
  EXPECT_EQ(places(BodyDef{.position = {2e7, 0, 0}}), "position[0]");
  EXPECT_EQ(places(BodyDef{.rotation = {0, 0, 0, 0}}), "rotation");
  EXPECT_EQ(places(BodyDef{.velocity = {0, 0, k_nan}}), "velocity[2]");
  EXPECT_EQ(places(BodyDef{.mass = -1}), "mass");
  EXPECT_EQ(places(BodyDef{.density = 0, .mass = k_nan}), "density mass");
  EXPECT_EQ(places(BodyDef{.inertia = {1, 1, 2.1}}), "inertia") << "no such body";
  EXPECT_EQ(places(BodyDef{.inertia = {1, 1, 2}}), "") << "a flat disc";
  EXPECT_EQ(places(BodyDef{.surface = {.friction_static = 0.1}}), "surface.friction_static");
  EXPECT_EQ(places(BodyDef{.surface = {.restitution = 1.5}}), "surface.restitution");
  EXPECT_EQ(places(BodyDef{.path = {{}}}), "path");
}

TEST(CheckDefinitions, paths) {
  BodyDef def{.motion = Motion::kinematic, .path = {{.time = 0}, {.time = 1}, {.time = 1}}};
  EXPECT_EQ(places(def), "path[2].time");
  def.path[2].time = 2;
  EXPECT_EQ(places(def), "");
  def.path[1].position.y = k_nan;
  def.path[2].rotation = {0, 0, 0, k_nan};
  EXPECT_EQ(places(def), "path[1].position[1] path[2].rotation");
}

TEST(CheckDefinitions, cloths) {
  EXPECT_EQ(places(ClothDef{}), "mesh");
  ClothDef def = good_cloth();
  def.areal_density = 0;
  def.pins = {{.vertices = {0, 9}}, {.vertices = {}}};
  EXPECT_EQ(places(def), "areal_density pins[0].vertices[1] pins[1].vertices");
  def = good_cloth();
  def.mesh.triangles[3] = {1, 1, 2};
  EXPECT_EQ(places(def), "mesh.triangles[3]");
  def.mesh.triangles[3] = {0, 1, 2};  // three of a row
  EXPECT_EQ(places(def), "mesh.triangles[3]");
  def.mesh.triangles[3] = {0, 1, 99};
  EXPECT_EQ(places(def), "mesh.triangles[3][2]");
  def = good_cloth();
  def.mesh.vertices.push_back({});
  EXPECT_EQ(places(def), "mesh.vertices[9]") << "a vertex without triangle has no mass";
  def = good_cloth();
  def.mesh.vertices[4].x = k_nan;
  EXPECT_EQ(places(def), "mesh.vertices[4][0]");
  def = good_cloth();
  def.initial_positions.resize(8);
  def.initial_velocities.resize(9);
  EXPECT_EQ(places(def), "initial_positions");
}

TEST(CheckDefinitions, solids) {
  EXPECT_EQ(places(SolidDef{}), "mesh");
  SolidDef def = good_solid();
  def.poisson_ratio = 0.5;
  def.cells = 0;
  EXPECT_EQ(places(def), "cells poisson_ratio");
  def = good_solid();
  def.model = SolidModel::fem;
  def.energy = Energy::green;
  EXPECT_EQ(places(def), "energy");
  def.model = SolidModel::explicit_fem;
  EXPECT_EQ(places(def), "");
  def = good_solid();
  def.cell_size = 0.1;
  EXPECT_EQ(places(def), "");
  def.cells = 5;
  EXPECT_EQ(places(def), "cell_size") << "one of the two";
  def.cells = 8;
  def.cell_size = 1e-4;
  EXPECT_EQ(places(def), "cell_size") << "more than 256 cubes";
  def = good_solid();
  def.mesh.triangles.pop_back();
  EXPECT_EQ(places(def), "mesh") << "a hole";
  def = good_solid();
  def.tets = make_lattice(1, 1, 1, 1);
  EXPECT_EQ(places(def), "") << "the tetrahedra carry the mesh";
  def.skin = make_sphere(0.4, 1);
  EXPECT_EQ(places(def), "");
  def.skin.triangles[1][2] = 99;
  EXPECT_EQ(places(def), "skin.triangles[1][2]");
  def.skin = {};
  def.mesh = {};
  std::swap(def.tets.tetrahedra[2][0], def.tets.tetrahedra[2][1]);
  EXPECT_EQ(places(def), "tets.tetrahedra[2]") << "inside out";
}

TEST(CheckDefinitions, worlds_and_anchors) {
  EXPECT_EQ(places(WorldDef{.substeps = 0, .sweeps = 1001}), "substeps sweeps");
  EXPECT_EQ(places(WorldDef{.gravity = {0, k_nan, 0}}), "gravity[1]");
  AnchorDef anchor{.a = WorldPoint{}, .b = BodyPoint{.body = {1, 1}}};
  EXPECT_EQ(places(anchor), "");
  anchor.compliance = -1;
  anchor.max_force = -1;
  EXPECT_EQ(places(anchor), "compliance max_force");
  EXPECT_EQ(places(AnchorDef{.a = WorldPoint{}, .b = WorldPoint{}}), "b");
  EXPECT_EQ(places(AnchorDef{.a = BodyPoint{.body = {1, 1}}, .b = BodyPoint{.body = {1, 1}}}), "b");
  EXPECT_EQ(places(AnchorDef{.a = WorldPoint{},
                             .b = ClothTrianglePoint{.cloth = {1, 1}, .weights = {1, 1, 0}}}),
            "b.weights");
}

}  // namespace
}  // namespace pliant
