// What the errors say: place, what was found, what is accepted, and the nearest word.
#include <gtest/gtest.h>

#include <pliant/scene.h>

#include <fstream>

#include "rich_scene.h"

namespace pliant {
namespace {

std::vector<std::string> errors_of(const std::string& text,
                                   const std::vector<std::string>& overrides = {}) {
  SceneProblems problems;
  EXPECT_FALSE(parse_scene(text, "", "scene.json", overrides, problems).has_value());
  std::vector<std::string> out;
  for (const Error& e : problems.errors) out.push_back(e.text());
  return out;
}

using Texts = std::vector<std::string>;

TEST(SceneErrors, say_place_found_and_accepted) {
  EXPECT_EQ(
      errors_of(R"({"bodies": [{}, {}, {"name": "c", "shape": {"sphere": {"radius": -1}}}]})"),
      Texts{"scene.json: bodies[2].shape.sphere.radius: found -1; accepted: from 1e-05 to 1000000 "
            "m"});
  EXPECT_EQ(errors_of(R"({"bodies": [{"mass": "heavy"}]})"),
            Texts{"scene.json: bodies[0].mass: found \"heavy\"; accepted: a number"});
  EXPECT_EQ(errors_of(R"({"world": {"substeps": 0}})"),
            Texts{"scene.json: world.substeps: found 0; accepted: from 1 to 10000"});
  EXPECT_EQ(errors_of("[]"), Texts{"scene.json: found an array of 0; accepted: an object"});
}

TEST(SceneErrors, suggest_the_nearest_word) {
  EXPECT_EQ(errors_of(R"({"bodies": [{"shape": {"sphere": {"radus": 1}}}]})"),
            Texts{"scene.json: bodies[0].shape.sphere.radus: unknown key; did you mean "
                  "\"radius\"? Accepted: radius"});
  EXPECT_EQ(errors_of(R"({"bodies": [{"name": "ball"}], "expect": [
                          {"at": 1, "body": "bal", "height": {"min": 0}}]})"),
            Texts{"scene.json: expect[0].body: there is no body \"bal\"; did you mean \"ball\"? "
                  "Accepted: ball"});
}

TEST(SceneErrors, self_contact_is_by_features_or_particles) {
  EXPECT_EQ(errors_of(R"({"cloths": [{"mesh": {"grid": {}}, "self_contact_by": "particle"}]})"),
            Texts{"scene.json: cloths[0].self_contact_by: found \"particle\"; did you mean "
                  "\"particles\"? Accepted: features, particles"});
}

TEST(SceneErrors, are_all_collected) {
  const Texts errors = errors_of(R"({"dt": "x", "world": {"sweeps": -1}, "bodies": [
      {"mass": -1, "densty": 4, "position": [0, null, 0]}], "camra": {}})");
  EXPECT_EQ(errors.size(), 6u);
}

TEST(SceneErrors, of_syntax_give_line_and_column) {
  const Texts errors = errors_of("{\n  \"dt\": 0.1,\n  \"seconds\": 1,,\n}");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(errors[0].starts_with("scene.json: line 3, column 16: not valid JSON")) << errors[0];
  const Texts huge = errors_of("{\n \"dt\": 1e999}");
  ASSERT_EQ(huge.size(), 1u);
  EXPECT_TRUE(huge[0].starts_with("scene.json: line 2, column ")) << huge[0];
}

TEST(SceneErrors, of_overrides_name_the_override) {
  const auto one = [](const std::string& override) {
    const Texts errors = errors_of(k_rich_scene, {override});
    return errors.size() == 1 ? errors[0] : std::to_string(errors.size()) + " errors";
  };
  EXPECT_TRUE(one("world.substps=3")
                  .starts_with("override \"world.substps=3\": world.substps: "
                               "unknown key; did you mean \"substeps\"?"));
  EXPECT_TRUE(one("wrld.substeps=3")
                  .starts_with("override \"wrld.substeps=3\": wrld: unknown "
                               "key; did you mean \"world\"?"));
  EXPECT_EQ(one("world.substeps=2x"),
            "override \"world.substeps=2x\": world.substeps: found \"2x\"; accepted: a whole "
            "number of at most 2147483647");
  EXPECT_NE(one("bodies.bal.mass=1").find("did you mean \"ball\"?"), std::string::npos);
  EXPECT_NE(one("bodies.99.mass=1").find("a number from 0 to 12"), std::string::npos);
  EXPECT_NE(one("dt.x=1").find("has no \"x\" inside"), std::string::npos);
  EXPECT_NE(one("nonsense").find("path=value"), std::string::npos);
  EXPECT_NE(one("=3").find("path=value"), std::string::npos);
}

// A file of tetrahedra with faults that can be mended makes a scene that runs, with a warning for
// each fault; given in the scene itself the same is an error.
TEST(SceneWarnings, tetrahedra_of_a_file_are_mended) {
  TetMesh mesh = make_lattice(2, 2, 2, 0.1);
  std::swap(mesh.tetrahedra[3][0], mesh.tetrahedra[3][1]);
  mesh.tetrahedra.push_back({0, 1, 3, 4});  // flat
  const std::string folder = testing::TempDir(), file = "pliant_faulty.node";
  ASSERT_TRUE(save_mesh(folder + file, mesh).ok());
  SceneProblems problems;
  const std::string text = R"({"solids": [{"name": "s", "tets": {"file": ")" + file + R"("}}]})";
  const auto scene = parse_scene(text, folder, "scene.json", {}, problems);
  ASSERT_TRUE(scene.has_value());
  ASSERT_EQ(problems.warnings.size(), 2u);
  EXPECT_EQ(problems.warnings[0].text(),
            "scene.json: solids[0].tets.file: inverted_tetrahedron: tetrahedron 3, repaired");
  EXPECT_EQ(problems.warnings[1].text(),
            "scene.json: solids[0].tets.file: flat_tetrahedron: tetrahedron 40, repaired");
  EXPECT_EQ(scene->solids[0].tets.tetrahedra.size(), 40u);
  EXPECT_TRUE(build_world(*scene).ok());

  SceneProblems of_model;
  std::ofstream(folder + "pliant_faulty.txt")
      << "DeformableModels\nDeformableModel {\nPath " << file << "\n}\n";
  EXPECT_TRUE(load_scene(folder + "pliant_faulty.txt", {}, of_model).has_value());
  EXPECT_EQ(of_model.warnings.size(), 3u);  // it also begins below the floor

  SceneProblems inline_problems;
  const std::string inline_text = R"({"solids": [{"tets": {
      "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tetrahedra": [[1,0,2,3]]}}]})";
  EXPECT_FALSE(parse_scene(inline_text, "", "scene.json", {}, inline_problems).has_value());
  EXPECT_EQ(inline_problems.errors.size(), 1u);
}

}  // namespace
}  // namespace pliant
