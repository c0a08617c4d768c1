// A scene read, written and read again is the same scene, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <pliant/scene.h>

#include "rich_scene.h"

namespace pliant {
namespace {

std::string all(const SceneProblems& problems) {
  std::string out;
  for (const Error& e : problems.errors) out += e.text() + "\n";
  return out;
}

Scene parsed(const std::string& text, const std::vector<std::string>& overrides = {}) {
  SceneProblems problems;
  auto scene = parse_scene(text, "", "test", overrides, problems);
  EXPECT_TRUE(scene.has_value()) << all(problems);
  return scene.value_or(Scene{});
}

TEST(Scene, reads_bodies_and_world) {
  const Scene s = parsed(k_rich_scene);
  EXPECT_EQ(s.world.substeps, 10);
  EXPECT_EQ(s.world.wind, (Vec3{1, 0, 0.5}));
  EXPECT_FALSE(s.world.sleep);
  ASSERT_EQ(s.bodies.size(), 12u + 6u);  // 3 + 2 + 1 bricks
  const BodyDef& ball = s.bodies[1];
  EXPECT_EQ(ball.name, "ball");
  EXPECT_EQ(std::get<Sphere>(ball.shape).radius, 0.25);
  EXPECT_EQ(ball.surface.friction_kinetic, 0.6);
  EXPECT_NEAR(ball.rotation.z, std::sin(0.25), 1e-15);
  EXPECT_NEAR(ball.rotation.w, std::cos(0.25), 1e-15);
  EXPECT_EQ(s.bodies[0].motion, Motion::fixed);
  EXPECT_EQ(s.bodies[2].path.size(), 2u);
  EXPECT_NEAR(s.bodies[2].path[1].rotation.y, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(s.bodies[3].rotation, (Quat{0, 0, 0, 1})) << "brought to length 1";
  EXPECT_TRUE(s.camera.given);
}

TEST(Scene, reads_cloths_solids_and_what_refers_to_them) {
  const Scene s = parsed(k_rich_scene);
  // The grid of 4 x 3 cells, scaled: its two corners at least z, then the greatest vertex.
  const ClothDef& flag = s.cloths[0];
  ASSERT_EQ(flag.mesh.vertices.size(), 20u);
  EXPECT_EQ(flag.mesh.vertices[0], (Vec3{-0.75, 0, -0.5625}));
  EXPECT_EQ(flag.pins[0].vertices, (std::vector<std::int32_t>{0, 4}));
  EXPECT_EQ(flag.pins[1].vertices, (std::vector<std::int32_t>{19}));
  // The lattice of 4 cells: a layer has 5 x 5 nodes.
  EXPECT_EQ(s.solids[0].pins[0].vertices.size(), 25u);
  EXPECT_EQ(s.solids[2].name, "bar_0");
  EXPECT_EQ(s.solids[2].pins[0].vertices.size(), 4u);
  EXPECT_EQ(s.solids[3].position, (Vec3{-4, 1, 1}));
  EXPECT_EQ(s.solids[4].tets.vertices[3], (Vec3{0, 0, 0.5}));
  EXPECT_EQ(s.anchors[2].a.kind, SceneAnchorEnd::Kind::cloth_triangle);
  EXPECT_EQ(s.anchors[2].a.weights[0], 0.5);
  EXPECT_EQ(s.anchors[0].max_force, 50);
  EXPECT_EQ(s.solids[3].skin.vertices.size(), 42u);
  EXPECT_EQ(s.seams[0].a.vertices, (std::vector<std::int32_t>{0, 5, 10, 15}));
  EXPECT_EQ(s.seams[0].b.vertices, (std::vector<std::int32_t>{4, 9, 14, 19}));
  EXPECT_EQ(s.seams[0].speed, 0.3);
  EXPECT_FALSE(s.seams[0].bend);
  EXPECT_EQ(s.seams[1].a.vertices, (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(s.seams[1].b.vertices, (std::vector<std::int32_t>{18, 16}));
  EXPECT_EQ(s.expect[1].subject, "flag");
  EXPECT_EQ(s.expect[1].quantity, "stretch_max");
  EXPECT_EQ(s.expect[1].max, 1.1);
  EXPECT_FALSE(s.expect[1].near.has_value());
}

TEST(Scene, comes_back_from_its_own_json) {
  const Scene first = parsed(k_rich_scene);
  const std::string text = scene_to_json(first);
  const Scene second = parsed(text);
  EXPECT_EQ(scene_to_json(second), text);
  ASSERT_EQ(second.bodies.size(), first.bodies.size());
  for (std::size_t i = 0; i < first.bodies.size(); ++i) {
    EXPECT_EQ(second.bodies[i].position, first.bodies[i].position);
    EXPECT_EQ(second.bodies[i].rotation, first.bodies[i].rotation);
    EXPECT_EQ(second.bodies[i].inertia, first.bodies[i].inertia);
    EXPECT_EQ(second.bodies[i].shape.index(), first.bodies[i].shape.index());
  }
  for (std::size_t i = 0; i < first.cloths.size(); ++i) {
    EXPECT_EQ(second.cloths[i].mesh.vertices, first.cloths[i].mesh.vertices);
    EXPECT_EQ(second.cloths[i].initial_positions, first.cloths[i].initial_positions);
    EXPECT_EQ(second.cloths[i].initial_velocities, first.cloths[i].initial_velocities);
    EXPECT_EQ(second.cloth_meshes[i].json, first.cloth_meshes[i].json);
  }
  for (std::size_t i = 0; i < first.solids.size(); ++i) {
    EXPECT_EQ(second.solids[i].tets.vertices, first.solids[i].tets.vertices);
    EXPECT_EQ(second.solids[i].cells, first.solids[i].cells);
    EXPECT_EQ(second.solids[i].cell_size, first.solids[i].cell_size);
    EXPECT_EQ(second.solids[i].mesh.vertices, first.solids[i].mesh.vertices);
    EXPECT_EQ(second.solids[i].skin.vertices, first.solids[i].skin.vertices);
    EXPECT_EQ(second.solids[i].colour, first.solids[i].colour);
    EXPECT_EQ(second.solid_meshes[i].json, first.solid_meshes[i].json);
    EXPECT_EQ(second.solid_tets[i].json, first.solid_tets[i].json);
    EXPECT_EQ(second.solid_skins[i].json, first.solid_skins[i].json);
    ASSERT_EQ(second.solids[i].pins.size(), first.solids[i].pins.size());
  }
  ASSERT_EQ(second.seams.size(), first.seams.size());
  for (std::size_t i = 0; i < first.seams.size(); ++i) {
    EXPECT_EQ(second.seams[i].a.vertices, first.seams[i].a.vertices);
    EXPECT_EQ(second.seams[i].b.cloth, first.seams[i].b.cloth);
    EXPECT_EQ(second.seams[i].merge_distance, first.seams[i].merge_distance);
    EXPECT_EQ(second.seams[i].bend, first.seams[i].bend);
  }
  EXPECT_EQ(second.expect.size(), first.expect.size());
  EXPECT_EQ(second.expect[3].at, -1);
  EXPECT_EQ(second.camera.eye, first.camera.eye);
}

TEST(Scene, keeps_every_bit_of_a_double) {
  Scene scene;
  BodyDef body{.name = "a"};
  for (const double x :
       {0.1, 1.0 / 3, 1e-300, 6.02214076e6, -0.0, 9007199254740993e-9, std::nextafter(1.0, 2.0)}) {
    body.position = {x, -x, 0};
    scene.bodies = {body};
    const Scene back = parsed(scene_to_json(scene));
    EXPECT_EQ(back.bodies[0].position.x, x);
    EXPECT_EQ(std::signbit(back.bodies[0].position.x), std::signbit(x));
  }
}

TEST(Scene, writes_only_what_differs_from_the_defaults) {
  Scene scene;
  scene.bodies = {{.name = "ball"}};
  EXPECT_EQ(scene_to_json(scene),
            "{\n  \"bodies\": [{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": "
            "0.5}}}]\n}\n");
}

TEST(Scene, array_makes_a_pyramid) {
  const Scene s = parsed(R"({"bodies": [{"name": "b", "shape": {"box": {}}, "position": [1, 2, 3],
      "array": {"count": [30, 30, 1], "spacing": [1, 2, 1], "taper": [1, 0]}}]})");
  ASSERT_EQ(s.bodies.size(), 465u);  // 30 * 31 / 2
  EXPECT_EQ(s.bodies[0].position, (Vec3{1, 2, 3}));
  EXPECT_EQ(s.bodies[30].position, (Vec3{1.5, 4, 3})) << "first of the second layer";
  EXPECT_EQ(s.bodies[464].position, (Vec3{15.5, 60, 3})) << "the top is above the middle";
  EXPECT_EQ(s.bodies[464].name, "b_464");
}

TEST(Scene, jitter_is_bounded_and_the_same_every_time) {
  const std::string text = R"({"bodies": [{"name": "b", "array": {"count": [20, 1, 20],
      "spacing": [0, 0, 0], "jitter": 0.5}}]})";
  const Scene a = parsed(text), b = parsed(text);
  double low = 1, high = -1;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].position, b.bodies[i].position);
    EXPECT_EQ(a.bodies[i].position.y, 0);
    low = std::min(low, a.bodies[i].position.x), high = std::max(high, a.bodies[i].position.x);
  }
  EXPECT_GE(low, -0.5);
  EXPECT_LE(high, 0.5);
  EXPECT_GT(high - low, 0.9) << "400 draws fill the interval";
}

TEST(Scene, rotations_agree_in_all_three_forms) {
  const auto rotation = [](const std::string& json) {
    return parsed(R"({"bodies": [{"rotation": )" + json + "}]}").bodies[0].rotation;
  };
  const Quat axis = rotation(R"({"axis": [0, 3, 0], "angle": 1.5707963267948966})");
  const Quat euler = rotation(R"({"euler_degrees": [0, 90, 0]})");
  const Quat quat = rotation("[0, 1, 0, 1]");
  for (const Quat& q : {axis, euler}) {
    EXPECT_NEAR(q.y, quat.y, 1e-15);
    EXPECT_NEAR(q.w, quat.w, 1e-15);
  }
  // About x first, then about the world's z: z goes to -y, and -y to x.
  const Quat both = rotation(R"({"euler_degrees": [90, 0, 90]})");
  EXPECT_NEAR(rotate(both, Vec3{0, 0, 1}).x, 1, 1e-14);
}

TEST(Scene, overrides_reach_elements_by_name_and_by_number) {
  const Scene s =
      parsed(k_rich_scene, {"world.substeps=20", "bodies.ball.surface.friction_static=0.9",
                            "bodies.3.density=100", "cloths[0].mesh.grid.rows=6",
                            "bodies.pill.motion=kinematic", "anchors.knot.b.body=ball",
                            "solids.egg.surface.restitution=0.5", "seconds=1", "name=other"});
  EXPECT_EQ(s.world.substeps, 20);
  EXPECT_EQ(s.bodies[1].surface.friction_static, 0.9);
  EXPECT_EQ(s.bodies[3].density, 100);
  EXPECT_EQ(s.bodies[3].motion, Motion::kinematic);
  EXPECT_EQ(s.cloths[0].mesh.vertices.size(), 35u);
  EXPECT_EQ(s.solids[1].surface.restitution, 0.5);
  EXPECT_EQ(s.seconds, 1) << "expectations after the new end are no mistake of the file";
  EXPECT_EQ(s.name, "other");
}

TEST(Scene, unnamed_things_get_names) {
  const Scene s = parsed(R"({"bodies": [{}, {"name": "x"}, {}], "anchors": [
      {"a": {"world": [0, 0, 0]}, "b": {"body": "body_2"}}]})");
  EXPECT_EQ(s.bodies[0].name, "body_0");
  EXPECT_EQ(s.bodies[2].name, "body_2");
  EXPECT_EQ(s.anchors[0].name, "anchor_0");
}

class SceneFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("pliant_scene_") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "meshes");
    std::ofstream(folder_ / "meshes" / "one.obj") << "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n";
    std::ofstream(folder_ / "a.json")
        << R"({"cloths": [{"name": "c", "mesh": {"file": "meshes/one.obj", "scale": 2}}]})";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(SceneFiles, mesh_files_are_found_beside_the_scene_also_when_it_moves) {
  SceneProblems problems;
  const auto scene = load_scene((folder_ / "a.json").string(), {}, problems);
  ASSERT_TRUE(scene.has_value()) << all(problems);
  EXPECT_EQ(scene->cloths[0].mesh.vertices[1], (Vec3{2, 0, 0}));
  std::filesystem::create_directories(folder_ / "deep" / "er");
  const std::string moved = (folder_ / "deep" / "er" / "b.json").string();
  ASSERT_TRUE(save_scene(moved, *scene).ok());
  const auto again = load_scene(moved, {}, problems);
  ASSERT_TRUE(again.has_value()) << all(problems);
  EXPECT_EQ(again->cloths[0].mesh.vertices, scene->cloths[0].mesh.vertices);
}

TEST_F(SceneFiles, missing_and_unwritable_files_are_errors) {
  SceneProblems problems;
  EXPECT_FALSE(load_scene((folder_ / "none.json").string(), {}, problems).has_value());
  ASSERT_EQ(problems.errors.size(), 1u);
  EXPECT_EQ(problems.errors[0].place, (folder_ / "none.json").string());
  EXPECT_FALSE(load_scene(folder_.string(), {}, problems).has_value()) << "a directory";
  problems = {};
  EXPECT_FALSE(
      load_scene((folder_ / "a.json").string(), {"cloths.c.mesh.file=meshes/two.obj"}, problems)
          .has_value());
  ASSERT_EQ(problems.errors.size(), 1u);
  EXPECT_NE(problems.errors[0].text().find("cloths[0].mesh.file"), std::string::npos);
  EXPECT_NE(problems.errors[0].text().find("two.obj"), std::string::npos);
  EXPECT_FALSE(save_scene((folder_ / "no" / "such" / "x.json").string(), Scene{}).ok());
}

}  // namespace
}  // namespace pliant
