// Worlds from scenes and scenes from worlds.
#include <gtest/gtest.h>

#include <pliant/scene.h>

#include "scene/quantities.h"

namespace pliant {
namespace {

Scene parsed(const std::string& text) {
  SceneProblems problems;
  auto scene = parse_scene(text, "", "test", {}, problems);
  for (const Error& e : problems.errors) ADD_FAILURE() << e.text();
  return scene.value_or(Scene{});
}

const char* const k_falling = R"({
  "seconds": 2,
  "bodies": [{"name": "ball", "position": [1, 5, 2], "velocity": [1, 2, 0], "mass": 3},
             {"name": "rider", "motion": "kinematic",
              "path": [{"time": 0, "position": [9, 0, 0]}, {"time": 1, "position": [10, 0, 0]}]}],
  "cloths": [{"name": "flag", "mesh": {"grid": {"columns": 4, "rows": 4}}, "position": [-3, 5, 0],
              "pins": [{"select": "min_x", "pivot": [-3, 5, 0],
                        "path": [{"time": 0, "position": [0, 0, 0]},
                                 {"time": 1, "position": [0, 1, 0],
                                  "rotation": {"euler_degrees": [0, 90, 0]}}]}]}],
  "solids": [{"name": "jelly", "mesh": {"box": {}}, "cells": 2, "position": [5, 5, 5]}],
  "anchors": [{"name": "rope", "a": {"world": [1, 5, 2]}, "b": {"body": "ball"}}],
  "expect": [{"at": 0.1, "body": "ball", "x": {"min": 0}}, {"at": 1, "body": "ball", "x": {"min": 0}},
             {"at": -1, "body": "ball", "x": {"min": 0}}]
})";

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(world.step(1.0 / 60).ok());
}

TEST(WorldScene, holds_everything_of_the_scene) {
  const Scene scene = parsed(k_falling);
  auto built = build_world(scene);
  ASSERT_TRUE(built.ok()) << built.error().text();
  const SceneWorld& in = built.value();
  EXPECT_EQ(in.world.bodies().size(), 2u);
  EXPECT_EQ(in.world.pose(in.bodies.at("ball")).position, (Vec3{1, 5, 2}));
  EXPECT_DOUBLE_EQ(in.world.mass(in.bodies.at("ball")), 3);
  EXPECT_EQ(in.cloths.size(), 1u);
  EXPECT_EQ(in.solids.size(), 1u);
  EXPECT_EQ(in.anchors.size(), 1u);
}

TEST(WorldScene, body_with_a_path_begins_on_it) {
  auto built = build_world(parsed(k_falling));
  ASSERT_TRUE(built.ok());
  SceneWorld in = std::move(built).value();
  EXPECT_EQ(in.world.pose(in.bodies.at("rider")).position, (Vec3{9, 0, 0}));
  run(in.world, 1);
  EXPECT_NEAR(length(in.world.velocity(in.bodies.at("rider"))), 1, 1e-4) << "1 m in 1 s";
}

TEST(WorldScene, errors_name_the_place_in_the_scene) {
  Scene scene = parsed(k_falling);
  scene.bodies[1].mass = -1;
  const auto bad_mass = build_world(scene);
  ASSERT_FALSE(bad_mass.ok());
  EXPECT_EQ(bad_mass.error().place, "bodies[1].mass");
  scene = parsed(k_falling);
  scene.anchors[0].b.name = "bal";
  const auto bad_anchor = build_world(scene);
  ASSERT_FALSE(bad_anchor.ok());
  EXPECT_EQ(bad_anchor.error().place, "anchors[0].b");
  scene = parsed(k_falling);
  scene.bodies[1].name = "ball";
  const auto twice = build_world(scene);
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().place, "bodies[1].name");
  scene = parsed(k_falling);
  scene.world.substeps = 0;
  const auto no_substeps = build_world(scene);
  ASSERT_FALSE(no_substeps.ok());
  EXPECT_EQ(no_substeps.error().place, "world.substeps");
}

TEST(WorldScene, every_quantity_can_be_measured_and_others_cannot) {
  auto built = build_world(parsed(k_falling));
  ASSERT_TRUE(built.ok());
  SceneWorld in = std::move(built).value();
  run(in.world, 3);
  const std::pair<const char*, SubjectKind> subjects[] = {{"", SubjectKind::world},
                                                          {"ball", SubjectKind::body},
                                                          {"flag", SubjectKind::cloth},
                                                          {"jelly", SubjectKind::solid},
                                                          {"rope", SubjectKind::anchor}};
  for (const auto& [name, kind] : subjects) {
    for (const Quantity& q : quantities_of(kind)) {
      const auto value = measure(in, name, q.name);
      ASSERT_TRUE(value.ok()) << name << " " << q.name;
      EXPECT_TRUE(std::isfinite(value.value())) << name << " " << q.name;
    }
    EXPECT_FALSE(measure(in, name, "colour").ok());
  }
  EXPECT_FALSE(measure(in, "nobody", "height").ok());
}

// Two squares of two triangles each that cross at right angles in a line: the diagonal of one cuts
// it at +-0.1, that of the other at 0, so of the four pairs three have a part of it in common.
TEST(WorldScene, crossings_of_cloths_are_counted) {
  auto built = build_world(parsed(R"({"cloths": [
      {"name": "flat", "mesh": {"grid": {"columns": 1, "rows": 1, "width": 1, "depth": 1}}},
      {"name": "upright", "mesh": {"grid": {"columns": 1, "rows": 1, "width": 1, "depth": 1}},
       "rotation": {"euler_degrees": [90, 0, 0]}, "position": [0, 0, 0.1]},
      {"name": "left", "mesh": {"grid": {"columns": 2, "rows": 2, "width": 1, "depth": 1}},
       "position": [5, 0, 0]},
      {"name": "right", "mesh": {"grid": {"columns": 2, "rows": 2, "width": 1, "depth": 1}},
       "position": [6, 0, 0]}],
      "seams": [{"a": {"cloth": "left", "side": "right"}, "b": {"cloth": "right", "side": "left"}}]
      })"));
  ASSERT_TRUE(built.ok());
  const SceneWorld in = std::move(built).value();
  const auto crossings = [&](const char* subject) {
    return measure(in, subject, "crossings").value();
  };
  EXPECT_EQ(crossings(""), 3);
  EXPECT_EQ(crossings("flat"), 3);
  EXPECT_EQ(crossings("upright"), 3);
  EXPECT_EQ(crossings("left"), 0);
}

TEST(WorldScene, measures_what_the_words_say) {
  auto built = build_world(parsed(R"({"world": {"gravity": [0, 0, 0]},
      "bodies": [{"name": "b", "shape": {"sphere": {"radius": 0.5}}, "position": [1, 2, 3],
                  "velocity": [3, 0, 4], "angular_velocity": [0, 2, 0], "mass": 10}],
      "cloths": [{"name": "c", "mesh": {"grid": {"columns": 2, "rows": 2, "width": 1, "depth": 2}},
                  "rotation": {"euler_degrees": [90, 0, 0]}, "position": [9, 4, 0],
                  "velocity": [0, 0, 2], "linear_drag": 0}]})"));
  ASSERT_TRUE(built.ok());
  SceneWorld in = std::move(built).value();
  run(in.world, 1);
  const auto value = [&](const char* subject, const char* quantity) {
    return measure(in, subject, quantity).value();
  };
  EXPECT_NEAR(value("b", "x"), 1 + 3.0 / 60, 1e-5);
  EXPECT_NEAR(value("b", "height"), 2, 1e-5);
  EXPECT_NEAR(value("b", "z"), 3 + 4.0 / 60, 1e-5);
  EXPECT_NEAR(value("b", "speed"), 5, 1e-5);
  EXPECT_NEAR(value("b", "angular_speed"), 2, 1e-5);
  // 1/2 m v^2 and 1/2 (2/5 m r^2) w^2
  EXPECT_NEAR(value("b", "kinetic_energy"), 125 + 0.5 * 0.4 * 10 * 0.25 * 4, 1e-3);
  EXPECT_NEAR(value("c", "height"), 4, 1e-5);
  EXPECT_NEAR(value("c", "lowest"), 3, 1e-5);
  EXPECT_NEAR(value("c", "highest"), 5, 1e-5);
  EXPECT_NEAR(value("c", "speed"), 2, 1e-4);
  EXPECT_NEAR(value("c", "stretch_max"), 1, 1e-4);
  EXPECT_NEAR(value("", "momentum_x"), 30, 1e-3);
}

TEST(WorldScene, described_world_goes_on_like_the_original) {
  const Scene scene = parsed(k_falling);
  auto built = build_world(scene);
  ASSERT_TRUE(built.ok());
  SceneWorld first = std::move(built).value();
  run(first.world, 30);
  const Scene half_way = parsed(scene_to_json(describe_world(first, scene)));
  EXPECT_NEAR(half_way.seconds, 1.5, 1e-9);
  EXPECT_EQ(half_way.expect.size(), 2u) << "the first lies in the past";
  EXPECT_NEAR(half_way.expect[0].at, 0.5, 1e-9);
  auto rebuilt = build_world(half_way);
  ASSERT_TRUE(rebuilt.ok()) << rebuilt.error().text();
  SceneWorld second = std::move(rebuilt).value();
  run(first.world, 20);
  run(second.world, 20);
  // Caches and multipliers start afresh, so the two agree closely, not to the bit.
  for (const char* name : {"ball", "rider"}) {
    const Vec3 a = first.world.pose(first.bodies.at(name)).position;
    const Vec3 b = second.world.pose(second.bodies.at(name)).position;
    EXPECT_NEAR(length(a - b), 0, 2e-3) << name;
  }
  std::vector<Vec3> a, b;
  first.world.copy_positions(first.cloths.at("flag"), a);
  second.world.copy_positions(second.cloths.at("flag"), b);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); i += 5)
    EXPECT_NEAR(length(a[i] - b[i]), 0, 1e-4) << "pinned vertex " << i << " follows its path";
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(length(a[i] - b[i]), 0, 2e-2) << i;
  first.world.copy_positions(first.solids.at("jelly"), a);
  second.world.copy_positions(second.solids.at("jelly"), b);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(length(a[i] - b[i]), 0, 5e-3) << i;
}

const char* const k_sewn = R"({
  "seconds": 2, "world": {"gravity": [0, 0, 0]},
  "cloths": [{"name": "a", "mesh": {"grid": {"columns": 4, "rows": 4, "width": 0.4, "depth": 0.4}}},
             {"name": "b", "mesh": {"grid": {"columns": 4, "rows": 4, "width": 0.4, "depth": 0.4}},
              "position": [0.45, 0, 0], "velocity": [0, 0, 0.1]}],
  "seams": [{"name": "seam", "a": {"cloth": "a", "side": "right"}, "b": {"cloth": "b", "side": "left"}}]
})";

// What has become one lies together in the described scene and is one at once when it is built.
TEST(WorldScene, described_seams_go_on_merged) {
  const Scene scene = parsed(k_sewn);
  SceneWorld first = build_world(scene).value();
  for (const Quantity& q : quantities_of(SubjectKind::seam))
    EXPECT_TRUE(measure(first, "seam", q.name).ok()) << q.name;
  EXPECT_EQ(measure(first, "seam", "open").value(), 5);
  EXPECT_NEAR(measure(first, "seam", "gap").value(), 0.05, 1e-6);
  run(first.world, 30);
  EXPECT_EQ(measure(first, "seam", "merged").value(), 5);
  EXPECT_EQ(measure(first, "seam", "gap").value(), 0);
  SceneWorld second = build_world(parsed(scene_to_json(describe_world(first, scene)))).value();
  EXPECT_EQ(measure(second, "seam", "merged").value(), 5) << "before any step";
  run(first.world, 20);
  run(second.world, 20);
  std::vector<Vec3> a, b;
  for (const char* name : {"a", "b"}) {
    first.world.copy_positions(first.cloths.at(name), a);
    second.world.copy_positions(second.cloths.at(name), b);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(length(a[i] - b[i]), 0, 1e-3) << i;
  }
  first.world.remove(first.seams.at("seam"));
  EXPECT_TRUE(describe_world(first, scene).seams.empty());
}

TEST(WorldScene, removed_things_are_left_out) {
  const Scene scene = parsed(k_falling);
  auto built = build_world(scene);
  ASSERT_TRUE(built.ok());
  SceneWorld in = std::move(built).value();
  in.world.remove(in.solids.at("jelly"));
  in.world.remove(in.anchors.at("rope"));
  const Scene now = describe_world(in, scene);
  EXPECT_TRUE(now.solids.empty());
  EXPECT_TRUE(now.solid_meshes.empty());
  EXPECT_TRUE(now.anchors.empty());
  EXPECT_EQ(now.bodies.size(), 2u);
  EXPECT_FALSE(measure(in, "jelly", "height").ok());
}

}  // namespace
}  // namespace pliant
