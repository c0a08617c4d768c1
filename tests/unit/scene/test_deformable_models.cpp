// The text format DeformableModels: all keys and defaults, comments, colours, order of the
// transformation, errors with lines, and what the scene behaves like.
#include <gtest/gtest.h>
#include <pliant/scene.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/deformable_models.h"

using namespace pliant;

namespace {

const std::string k_folder = PLIANT_SOURCE_DIR "/scenes";

DeformableModelsFile read(const std::string& text) {
  SceneProblems problems;
  DeformableModelsFile file = read_deformable_models(text, "test.txt", problems);
  for (const Error& e : problems.errors) ADD_FAILURE() << e.text();
  return file;
}

std::vector<std::string> errors_of(const std::string& text) {
  SceneProblems problems;
  EXPECT_FALSE(parse_deformable_models(text, k_folder, "test.txt", problems));
  std::vector<std::string> out;
  for (const Error& e : problems.errors) out.push_back(e.text());
  return out;
}

// Of section 12 of the specification.
const std::string k_sample =
    "# comment\nDeformableModels\nDeformableModel {\n  Name Pes\n  Path Dog.do\n  Immersed Dog.s\n"
    "  Color 255\n  Mass 0.050\n  Scale 1.0 1.0 1.0\n  Translate 0.0 8.0 0.0\n"
    "  Rotate -1.57 0.0 0.0\n  Damping 2\n  DistancePreservation 60\n  VolumePreservation 20\n}\n";

std::string block(const std::string& keys) {
  return "DeformableModels\nDeformableModel {\nPath cube5.node\n" + keys + "\n}\n";
}

TEST(DeformableModels, deformable_A25_the_sample_has_its_values) {
  const DeformableModelsFile file = read(k_sample);
  ASSERT_EQ(file.models.size(), 1u);
  const DeformableModel& m = file.models[0];
  EXPECT_EQ(m.name, "Pes");
  EXPECT_EQ(m.path, "Dog.do");
  EXPECT_EQ(m.immersed, "Dog.s");
  EXPECT_EQ(m.colour, 255);
  EXPECT_EQ(m.mass, 0.05);
  EXPECT_EQ(m.scale, (Vec3{1, 1, 1}));
  EXPECT_EQ(m.translate, (Vec3{0, 8, 0}));
  EXPECT_EQ(m.rotate, (Vec3{-1.57, 0, 0}));
  EXPECT_EQ(m.damping, 2);
  EXPECT_EQ(m.distance, 60);
  EXPECT_EQ(m.volume, 20);
}

TEST(DeformableModels, deformable_A25_a_block_with_a_path_alone_has_all_defaults) {
  const DeformableModelsFile file =
      read("DeformableModels\n# one\n  # two\nDeformableModel {\n Path a b.node\n}\n");
  ASSERT_EQ(file.models.size(), 1u);
  const DeformableModel& m = file.models[0];
  EXPECT_EQ(m.name, "N/A");
  EXPECT_EQ(m.path, "a b.node");
  EXPECT_EQ(m.immersed, "");
  EXPECT_EQ(m.colour, 0xc8c864);
  EXPECT_EQ(m.mass, 1);
  EXPECT_EQ(m.scale, (Vec3{1, 1, 1}));
  EXPECT_EQ(m.translate, Vec3{});
  EXPECT_EQ(m.rotate, Vec3{});
  EXPECT_EQ(m.damping, 1);
  EXPECT_EQ(m.distance, 20);
  EXPECT_EQ(m.volume, 10);
  EXPECT_FALSE(m.friction);
  EXPECT_EQ(file.friction, 0.3);
  EXPECT_EQ(file.gravity, (Vec3{0, -9.81, 0}));
  EXPECT_FALSE(file.time_step);
  EXPECT_EQ(file.iterations, 3);
}

TEST(DeformableModels, deformable_A25_colours_spellings_and_keys_of_the_file) {
  const DeformableModelsFile file = read(
      "# header after comments\r\n\r\nDeformableModels\r\nGravity 1.62\nFriction 0.7\nTimeStep "
      "0.01\nIterations 4\nDeformable Model {\nPath a.node\nColor 0xFF8000\n}\n"
      "Deformable Model\n{\nPath a.node\nColor 16744448\nFriction 0.1\n}\n"
      "DeformableModel{\nPath a.node\n}\n");
  ASSERT_EQ(file.models.size(), 3u);
  EXPECT_EQ(file.models[0].colour, 0xff8000);
  EXPECT_EQ(file.models[1].colour, 0xff8000);
  EXPECT_EQ(file.models[1].friction, 0.1);
  EXPECT_EQ(file.gravity, (Vec3{0, -1.62, 0}));
  EXPECT_EQ(file.friction, 0.7);
  EXPECT_EQ(file.time_step, 0.01);
  EXPECT_EQ(file.iterations, 4);
  EXPECT_EQ(read("DeformableModels\nGravity 1 2 3\n").gravity, (Vec3{1, 2, 3}));
}

// A quarter turn about x takes (1, 2, 3) to (1, -3, 2), one about z that to (3, 1, 2); scaled by
// (2, 3, 4) it is (6, 3, 8), moved by (10, 20, 30) (16, 23, 38). Any other order gives another.
TEST(DeformableModels, deformable_A25_turned_then_scaled_then_moved) {
  const double quarter = std::numbers::pi / 2;
  const DeformableModel m{
      .scale = {2, 3, 4}, .translate = {10, 20, 30}, .rotate = {quarter, 0, quarter}};
  EXPECT_LT(length(placed(m, {1, 2, 3}) - Vec3{16, 23, 38}), 1e-12);
  const DeformableModel about_y{.rotate = {0, quarter, 0}};
  EXPECT_LT(length(placed(about_y, {1, 2, 3}) - Vec3{3, 2, -1}), 1e-12);
  SceneProblems problems;
  const auto scene = parse_deformable_models(
      block("Scale 2 3 -4\nTranslate 10 20 30\nRotate 1.5707963267948966 0 1.5707963267948966"),
      k_folder, "test.txt", problems);
  ASSERT_TRUE(scene) << problems.errors[0].text();
  const SolidDef& def = scene->solids[0];
  // The corner (-2.5, -2.5, -2.5) is the first node.
  EXPECT_LT(length(def.tets.vertices[0] + def.position - Vec3{10 - 2 * 2.5, 20 - 3 * 2.5, 30 + 10}),
            1e-9);
  EXPECT_GT(volume(def.tets), 24 * 125 - 1e-6);  // also mirrored
}

TEST(DeformableModels, deformable_A25_errors_name_file_and_line) {
  const auto first = [](const std::string& text) { return errors_of(text).at(0); };
  EXPECT_NE(first(block("Stiffness 3")).find("test.txt:4"), std::string::npos);
  EXPECT_NE(first(block("Stiffness 3")).find("\"Stiffness\" is not known"), std::string::npos);
  EXPECT_NE(first("DeformableModels\nWind 3\n").find("test.txt:2"), std::string::npos);
  EXPECT_NE(first(block("Mass heavy")).find("test.txt:4"), std::string::npos);
  EXPECT_NE(first(block("Mass -1")).find("accepted: a number from"), std::string::npos);
  EXPECT_NE(first(block("Scale 1 2")).find("three numbers"), std::string::npos);
  EXPECT_NE(first(block("Scale 1 0 2")).find("not 0"), std::string::npos);
  EXPECT_NE(first(block("Color 0x1000000")).find("0xffffff"), std::string::npos);
  EXPECT_NE(first(block("Mass 1\nMass 2")).find("test.txt:5"), std::string::npos);
  EXPECT_NE(first("DeformableModels\nDeformableModel {\nName x\n}\n").find("no Path"),
            std::string::npos);
  EXPECT_NE(first("DeformableModels\nDeformableModel {\nPath cube5.node\n").find("ends within"),
            std::string::npos);
  EXPECT_NE(first(k_sample).find("test.txt:5"), std::string::npos);  // Dog.do
  EXPECT_NE(first(block("Immersed gone.obj")).find("gone.obj"), std::string::npos);
  EXPECT_NE(first("DeformableModels\nDeformableModel {\nPath gone.node\n}\n").find("gone.node"),
            std::string::npos);
  EXPECT_EQ(errors_of(block("Mass heavy\nStiffness 3\nColor red")).size(), 3u);
  EXPECT_FALSE(is_deformable_models("{\"name\": \"DeformableModels\"}"));
}

TEST(DeformableModels, the_scene_of_the_project_is_read_by_its_first_word) {
  SceneProblems problems;
  const std::string path = k_folder + "/deformable_models.txt";
  const auto scene = load_scene(path, {}, problems);
  ASSERT_TRUE(scene) << problems.errors[0].text();
  EXPECT_TRUE(problems.warnings.empty());
  ASSERT_EQ(scene->solids.size(), 3u);
  EXPECT_EQ(scene->solids[0].model, SolidModel::mass_spring);
  EXPECT_EQ(scene->world.solid_contact, SolidContact::pressure);
  EXPECT_EQ(scene->world.pressure_iterations, 3);
  EXPECT_EQ(scene->solids[0].springs.bulk, 120);
  EXPECT_EQ(scene->solids[0].colour, 0x8fa7b8);
  EXPECT_EQ(scene->solids[1].skin.vertices.size(), 386u);
  const auto changed = load_scene(path, {"solids.Upper.node_mass=0.1"}, problems);
  ASSERT_TRUE(changed) << problems.errors[0].text();
  EXPECT_EQ(changed->solids[2].node_mass, 0.1);
  EXPECT_EQ(changed->solids[2].skin.vertices.size(), 386u);
}

SceneWorld project_world(const std::vector<std::string>& changes) {
  SceneProblems problems;
  return build_world(*load_scene(k_folder + "/deformable_models.txt", changes, problems)).value();
}

// The cubes are too soft to stand on each other, 14 m high of some 100 Pa: they lean, fall and come
// to lie on the floor, each on a face, where they sleep. Vertices are never half a cell (1 m) deep
// in another on the way, and nothing is in anything at the end. (How deep is a matter of how they
// fall: 0.06 to 0.43 of a cell for eight starts that differ by a centimetre each.)
TEST(DeformableModels, the_scene_of_the_project_runs_to_rest) {
  SceneWorld built = project_world({});
  World& world = built.world;
  double deepest = 0;
  for (int n = 0; n < 40 * 60; ++n) {
    ASSERT_TRUE(world.step(1.0 / 60).ok());
    for (const SolidId id : world.solids())
      for (const Penetration& p : world.penetrations(id)) deepest = std::max(deepest, p.depth);
  }
  EXPECT_GT(deepest, 1e-3) << "they met";
  EXPECT_LT(deepest, 0.5);
  for (const auto& [name, half] : {std::pair{"Lower", 2.5}, {"Middle", 2.5}, {"Upper", 2.0}}) {
    const SolidId id = built.solids.at(name);
    std::vector<Vec3> x;
    world.copy_positions(id, x);
    double height = 0;
    for (const Vec3& p : x) height += p.y / double(x.size());
    EXPECT_NEAR(height, half, 0.03 * half) << name;  // as spec-deformable 11.4 has it for these
    EXPECT_TRUE(world.asleep(id)) << name;
    EXPECT_EQ(world.inverted(id), 0) << name;
    EXPECT_NEAR(world.volume(id) / world.rest_volume(id), 1, 0.01) << name;
  }
  EXPECT_TRUE(world.overlapping_solids().empty());
}

// `Iterations` is of the contact that the file asks for. Control: under another it does nothing.
TEST(DeformableModels, iterations_have_an_effect) {
  const auto hash = [](const std::string& contact, int iterations) {
    SceneWorld built = project_world({"world.solid_contact=\"" + contact + "\"",
                                      "world.pressure_iterations=" + std::to_string(iterations)});
    for (int n = 0; n < 60; ++n) built.world.step(1.0 / 60);
    return built.world.state_hash();
  };
  EXPECT_NE(hash("pressure", 1), hash("pressure", 3));
  EXPECT_EQ(hash("position", 1), hash("position", 3));
}

}  // namespace
