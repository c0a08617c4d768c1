// Bad scenes by the hundred: every value, key and name of the rich scene is spoilt in turn, and
// each time an error must name the place. The unspoilt scene is the control.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include <nlohmann/json.hpp>

#include <pliant/scene.h>

#include "rich_scene.h"

namespace pliant {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

SceneProblems problems_of(const std::string& text) {
  SceneProblems problems;
  const auto scene = parse_scene(text, "", "scene.json", {}, problems);
  EXPECT_EQ(scene.has_value(), problems.errors.empty());
  return problems;
}

std::string all(const SceneProblems& problems) {
  std::string out;
  for (const Error& e : problems.errors) out += "  " + e.text() + "\n";
  return out;
}

// "bodies[1].position[0]" of "/bodies/1/position/0".
std::string path_of(const Pointer& pointer, const Json& document) {
  std::vector<std::string> parts;
  for (Pointer p = pointer; !p.empty(); p = p.parent_pointer())
    parts.insert(parts.begin(), p.back());
  std::string out;
  const Json* at = &document;
  for (const std::string& part : parts) {
    if (at->is_array()) {
      out.append("[").append(part).append("]");
      at = &at->at(std::stoul(part));
    } else {
      out.append(out.empty() ? "" : ".").append(part);
      at = &at->at(part);
    }
  }
  return out;
}

// At the place, or inside it where the wrong value is an object of its own.
bool names(const SceneProblems& problems, const std::string& path) {
  const std::string place = "scene.json: " + path;
  for (const Error& e : problems.errors)
    if (e.place == place || e.place.starts_with(place + ".")) return true;
  return false;
}

void walk(const Json& json, const Pointer& at,
          const std::function<void(const Pointer&, const Json&)>& visit) {
  visit(at, json);
  if (json.is_object())
    for (const auto& item : json.items()) walk(item.value(), at / item.key(), visit);
  if (json.is_array())
    for (std::size_t i = 0; i < json.size(); ++i) walk(json[i], at / i, visit);
}

std::vector<Pointer> places(const Json& document, const std::function<bool(const Json&)>& chosen) {
  std::vector<Pointer> out;
  walk(document, Pointer(""), [&](const Pointer& at, const Json& value) {
    if (!at.empty() && chosen(value)) out.push_back(at);
  });
  return out;
}

void expect_error_at(const Json& mutated, const std::string& path, const std::string& what) {
  const SceneProblems problems = problems_of(mutated.dump());
  EXPECT_TRUE(names(problems, path)) << what << " at " << path << " gave\n" << all(problems);
  for (const Error& e : problems.errors) EXPECT_FALSE(e.message.empty());
}

const Json& rich() {
  static const Json document = Json::parse(k_rich_scene);
  return document;
}

TEST(SceneMutations, control_gives_no_error) {
  EXPECT_EQ(all(problems_of(k_rich_scene)), "");
  EXPECT_EQ(all(problems_of(rich().dump())), "");
}

TEST(SceneMutations, every_value_of_a_wrong_type) {
  const auto leaves = places(rich(), [](const Json& v) { return !v.is_structured(); });
  EXPECT_GT(leaves.size(), 200u);
  for (const Pointer& leaf : leaves) {
    const std::string path = path_of(leaf, rich());
    Json mutated = rich();
    mutated[leaf] = rich()[leaf].is_string() ? Json(5) : Json("x");
    expect_error_at(mutated, path, "another type");
    mutated[leaf] = nullptr;
    expect_error_at(mutated, path, "null");
    mutated[leaf] = Json::object();
    expect_error_at(mutated, path, "an object");
  }
  for (const Pointer& place : places(rich(), [](const Json& v) { return v.is_structured(); })) {
    Json mutated = rich();
    mutated[place] = 1.5;
    expect_error_at(mutated, path_of(place, rich()), "a number");
  }
}

TEST(SceneMutations, every_number_too_great) {
  for (const Pointer& leaf : places(rich(), [](const Json& v) { return v.is_number(); })) {
    Json mutated = rich();
    mutated[leaf] = 1e300;
    const std::string path = path_of(leaf, rich());
    // Of a rotation or a direction the whole is named, because its length is the trouble.
    const auto has = [&](const char* part) { return path.find(part) != std::string::npos; };
    const bool whole = has("rotation[") || (has(".axis[") && !has("vortex"));
    expect_error_at(mutated, whole ? path.substr(0, path.rfind('[')) : path, "1e300");
  }
}

TEST(SceneMutations, every_number_not_a_number) {
  for (const Pointer& leaf : places(rich(), [](const Json& v) { return v.is_number(); })) {
    Json mutated = rich();
    mutated[leaf] = "@@";
    std::string text = mutated.dump(1);
    const std::size_t at = text.find("\"@@\"");
    text.replace(at, 4, "NaN");
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    const SceneProblems problems = problems_of(text);
    ASSERT_EQ(problems.errors.size(), 1u);
    EXPECT_TRUE(problems.errors[0].place.starts_with("scene.json: line " + std::to_string(line) +
                                                     ", column "))
        << problems.errors[0].text();
  }
}

TEST(SceneMutations, every_key_misspelt) {
  std::vector<Pointer> objects = places(rich(), [](const Json& v) { return v.is_object(); });
  objects.push_back(Pointer(""));
  for (const Pointer& place : objects) {
    for (const auto& item : rich()[place].items()) {
      Json mutated = rich();
      const std::string wrong = "q" + item.key();
      mutated[place][wrong] = mutated[place][item.key()];
      mutated[place].erase(item.key());
      const std::string before = path_of(place, rich());
      const std::string path = before.empty() ? wrong : before + "." + wrong;
      const SceneProblems problems = problems_of(mutated.dump());
      bool suggested = false;
      for (const Error& e : problems.errors)
        suggested = suggested ||
                    (e.place == "scene.json: " + path &&
                     e.message.find("did you mean \"" + item.key() + "\"?") != std::string::npos);
      EXPECT_TRUE(suggested) << path << " gave\n" << all(problems);
    }
  }
}

struct Mutation {
  const char* pointer;
  const char* value;  // empty = removed
  const char* place;
};

void expect_errors(const std::vector<Mutation>& mutations) {
  for (const Mutation& m : mutations) {
    Json mutated = rich();
    const Pointer pointer(m.pointer);
    if (*m.value)
      mutated[pointer] = Json::parse(m.value);
    else
      mutated[pointer.parent_pointer()].erase(pointer.back());
    expect_error_at(mutated, m.place, m.value);
  }
}

TEST(SceneMutations, bad_settings_and_bodies) {
  expect_errors({
      {"/dt", "0", "dt"},
      {"/dt", "-0.1", "dt"},
      {"/seconds", "0", "seconds"},
      {"/world/substeps", "0", "world.substeps"},
      {"/world/substeps", "10001", "world.substeps"},
      {"/world/substeps", "2.5", "world.substeps"},
      {"/world/sweeps", "1001", "world.sweeps"},
      {"/world/medium_density", "-1", "world.medium_density"},
      {"/world/gravity", "[0, 1]", "world.gravity"},
      {"/bodies/0/motion", "\"dynamic\"", "bodies[0].motion"},
      {"/bodies/0/motion", "\"dynmic\"", "bodies[0].motion"},
      {"/bodies/1/mass", "-1", "bodies[1].mass"},
      {"/bodies/1/shape/sphere/radius", "0", "bodies[1].shape.sphere.radius"},
      {"/bodies/1/shape/sphere/radius", "-1", "bodies[1].shape.sphere.radius"},
      {"/bodies/1/shape/box", "{}", "bodies[1].shape"},
      {"/bodies/1/shape", "{}", "bodies[1].shape"},
      {"/bodies/1/inertia", "[1, 1, 3]", "bodies[1].inertia"},
      {"/bodies/1/inertia", "[1, 1, 0]", "bodies[1].inertia"},
      {"/bodies/1/surface/friction_static", "0.1", "bodies[1].surface.friction_static"},
      {"/bodies/1/surface/friction_kinetic", "-0.1", "bodies[1].surface.friction_kinetic"},
      {"/bodies/1/surface/restitution", "1.1", "bodies[1].surface.restitution"},
      {"/bodies/1/rotation", "[0, 0, 0, 0]", "bodies[1].rotation"},
      {"/bodies/1/rotation/axis", "[0, 0, 0]", "bodies[1].rotation.axis"},
      {"/bodies/1/rotation/axis", "", "bodies[1].rotation.axis"},
      {"/bodies/1/path", "[{\"time\": 0}]", "bodies[1].path"},
      {"/bodies/2/path/1/time", "0", "bodies[2].path[1].time"},
      {"/bodies/2/path/1/time", "", "bodies[2].path[1].time"},
      {"/bodies/2/array", "{\"count\": [2, 1, 1]}", "bodies[2].array"},
      {"/bodies/3/density", "0", "bodies[3].density"},
      {"/bodies/4/array/count", "", "bodies[4].array.count"},
      {"/bodies/4/array/count", "[0, 1, 1]", "bodies[4].array.count[0]"},
      {"/bodies/4/array/count", "[100000, 1, 100000]", "bodies[4].array"},
      {"/camera/field_of_view", "4", "camera.field_of_view"},
  });
}

TEST(SceneMutations, bad_cloths_and_solids) {
  expect_errors({
      {"/cloths/0/mesh", "", "cloths[0].mesh"},
      {"/cloths/0/mesh", "{}", "cloths[0].mesh"},
      {"/cloths/0/mesh/box", "{}", "cloths[0].mesh"},
      {"/cloths/0/mesh/grid/columns", "0", "cloths[0].mesh.grid.columns"},
      {"/cloths/0/mesh/grid", "{\"columns\": 9999, \"rows\": 9999}", "cloths[0].mesh.grid"},
      {"/cloths/0/mesh", "{\"file\": \"none.obj\"}", "cloths[0].mesh.file"},
      {"/cloths/0/mesh/scale", "0", "cloths[0].mesh.scale"},
      {"/cloths/0/areal_density", "0", "cloths[0].areal_density"},
      {"/cloths/0/stretch_stiffness", "-5", "cloths[0].stretch_stiffness"},
      {"/cloths/0/pins/0/select", "\"cornrs\"", "cloths[0].pins[0].select"},
      {"/cloths/0/pins/0/select", "[\"max_z\", \"min_z\"]", "cloths[0].pins[0].select"},
      {"/cloths/0/pins/0/vertices", "[0]", "cloths[0].pins[0]"},
      {"/cloths/0/pins/0/select", "", "cloths[0].pins[0]"},
      {"/cloths/0/pins/1/vertices", "[20]", "cloths[0].pins[1].vertices[0]"},
      {"/cloths/0/pins/1/vertices", "[3, -1]", "cloths[0].pins[1].vertices[1]"},
      {"/cloths/0/pins/1/vertices", "[]", "cloths[0].pins[1].vertices"},
      {"/cloths/1/mesh/triangles", "", "cloths[1].mesh.triangles"},
      {"/cloths/1/mesh/triangles", "[]", "cloths[1].mesh"},
      {"/cloths/1/mesh/triangles", "[[0, 2, 3]]", "cloths[1].mesh.triangles[0][2]"},
      {"/cloths/1/mesh/triangles", "[[0, 2, 2]]", "cloths[1].mesh.triangles[0]"},
      {"/cloths/1/mesh/vertices/1", "[0, 0, 2]", "cloths[1].mesh.triangles[0]"},
      {"/cloths/1/initial_positions", "[[0, 0, 0]]", "cloths[1].initial_positions"},
      {"/cloths/1/initial_velocities", "[[0, 0, 0]]", "cloths[1].initial_velocities"},
      {"/solids/0/mesh", "", "solids[0].mesh"},
      {"/solids/0/mesh", "{\"grid\": {}}", "solids[0].mesh"},
      {"/solids/0/skin", "{\"lattice\": {}}", "solids[0].skin"},
      {"/solids/0/poisson_ratio", "0.5", "solids[0].poisson_ratio"},
      {"/solids/0/youngs_modulus", "0", "solids[0].youngs_modulus"},
      {"/solids/0/cells", "0", "solids[0].cells"},
      {"/solids/0/cell_size", "-1", "solids[0].cell_size"},
      {"/solids/2/tets/lattice/cells", "[1000, 1000, 1000]", "solids[2].tets.lattice"},
      {"/solids/3/tets/tetrahedra", "[[0, 2, 1, 3]]", "solids[3].tets.tetrahedra[0]"},
      {"/solids/3/tets/tetrahedra", "[[0, 1, 2, 4]]", "solids[3].tets.tetrahedra[0][3]"},
      {"/solids/3/tets/tetrahedra", "[[0, 1, 2]]", "solids[3].tets.tetrahedra[0]"},
  });
}

TEST(SceneMutations, bad_anchors_and_expectations) {
  expect_errors({
      {"/anchors/0/a", "", "anchors[0].a"},
      {"/anchors/0/b", "", "anchors[0].b"},
      {"/anchors/0/compliance", "-1", "anchors[0].compliance"},
      {"/anchors/0/a", "{}", "anchors[0].a"},
      {"/anchors/0/a/body", "\"ball\"", "anchors[0].a"},
      {"/anchors/1/a/vertex", "20", "anchors[1].a.vertex"},
      {"/anchors/1/a/vertex", "", "anchors[1].a"},
      {"/anchors/1/a/local", "[0, 0, 0]", "anchors[1].a.local"},
      {"/anchors/2/a/triangle", "24", "anchors[2].a.triangle"},
      {"/anchors/2/a/weights", "[0.5, 0.5, 0.5]", "anchors[2].a.weights"},
      {"/expect/0/at", "", "expect[0].at"},
      {"/expect/0/at", "5", "expect[0].at"},
      {"/expect/0/height", "", "expect[0]"},
      {"/expect/0/height", "{}", "expect[0].height"},
      {"/expect/0/height/within", "-1", "expect[0].height.within"},
      {"/expect/0/height/max", "1", "expect[0].height"},
      {"/expect/0/speed", "{\"max\": 1}", "expect[0].speed"},
      {"/expect/2/volume_ratio/min", "2", "expect[2].volume_ratio.min"},
  });
}

TEST(SceneMutations, bad_joints) {
  expect_errors({
      {"/joints/0/a", "", "joints[0].a"},
      {"/joints/0/kind", "\"hing\"", "joints[0].kind"},
      {"/joints/0/b/body", "\"paddle\"", "joints[0]"},
      {"/joints/0/b/body", "\"bal\"", "joints[0].b.body"},
      {"/joints/0/axis", "[0, 0, 0]", "joints[0].axis"},
      {"/joints/0/axis", "1", "joints[0].axis"},
      {"/joints/0/frame_a", "[0, 0, 0, 1]", "joints[0].axis"},
      {"/joints/0/frame_b", "[0, 0, 0]", "joints[0].frame_b"},
      {"/joints/0/freedom/min", "3", "joints[0].freedom.min"},
      {"/joints/0/freedom/max", "4", "joints[0].freedom.max"},
      {"/joints/0/freedom/motion", "\"free\"", "joints[0].freedom.motion"},
      {"/joints/0/freedom/damping", "-1", "joints[0].freedom.damping"},
      {"/joints/0/freedom/max_force", "0", "joints[0].freedom.max_force"},
      {"/joints/0/freedom/torque", "1", "joints[0].freedom.torque"},
      {"/joints/0/length", "1", "joints[0].length"},
      {"/joints/0/swing", "{\"damping\": 1}", "joints[0].swing"},
      {"/joints/1/swing/max", "-0.5", "joints[1].swing.min"},
      {"/joints/2/kind", "\"hinge\"", "joints[2].a"},
      {"/joints/2/a/vertex", "20", "joints[2].a.vertex"},
      {"/joints/3/linear", "[{}]", "joints[3].linear"},
      {"/joints/3/angular/1/motion", "\"locked\"", "joints[3].b"},
      {"/joints/3/name", "\"axle\"", "joints[3].name"},
      {"/joints/0/break_force", "-1", "joints[0].break_force"},
  });
}

TEST(SceneMutations, bad_seams) {
  expect_errors({
      {"/seams/0/a", "", "seams[0].a"},
      {"/seams/0/speed", "0", "seams[0].speed"},
      {"/seams/0/merge_distance", "-1", "seams[0].merge_distance"},
      {"/seams/0/a/cloth", "\"flagg\"", "seams[0].a.cloth"},
      {"/seams/0/a/cloth", "\"ball\"", "seams[0].a.cloth"},
      {"/seams/0/a/side", "\"west\"", "seams[0].a.side"},
      {"/seams/0/a/side", "", "seams[0].a"},
      {"/seams/0/a/vertices", "[1]", "seams[0].a"},
      {"/seams/0/a/to", "3", "seams[0].a.to"},
      {"/seams/1/a/to", "", "seams[1].a.to"},
      {"/seams/1/a/to", "20", "seams[1].a.to"},
      {"/seams/1/a/from", "6", "seams[1].a.from"},  // not on the border
      {"/seams/1/b/vertices", "[16, 20]", "seams[1].b.vertices[0]"},
      {"/seams/1/b/vertices", "[16, 17, 16]", "seams[1].b.vertices[2]"},
      {"/seams/1/b/vertices", "[16, 3]", "seams[1].a.vertices[2]"},  // to its own edge
      {"/seams/1/b/vertices", "[16]", "seams[1].b.vertices"},
      {"/seams/1/b/vertices", "[]", "seams[1].b.vertices"},
      {"/seams/1/b", R"({"cloth": "patch", "vertices": [0, 1, 2]})", "seams[1].b.cloth"},
      {"/seams/1/name", "\"hem\"", "seams[1].name"},
      {"/expect/4/seam", "\"ham\"", "expect[4].seam"},
      {"/expect/4/merged", R"({"near": 1, "max": 2})", "expect[4].merged"},
  });
}

TEST(SceneMutations, names_and_attachments) {
  expect_errors({
      {"/bodies/1/name", "\"floor\"", "bodies[1].name"},
      {"/bodies/4/name", "\"bricks\"", "anchors[3].b.body"},
      {"/cloths/0/name", "\"ball\"", "cloths[0].name"},
      {"/solids/1/name", "\"jelly\"", "solids[1].name"},
      {"/anchors/1/name", "\"rope\"", "anchors[1].name"},
      {"/anchors/0/b/body", "\"bal\"", "anchors[0].b.body"},
      {"/anchors/0/b/body", "\"flag\"", "anchors[0].b.body"},
      {"/anchors/1/a/cloth", "\"flagg\"", "anchors[1].a.cloth"},
      {"/anchors/2/b/solid", "\"ball\"", "anchors[2].b.solid"},
      {"/expect/0/body", "\"bal\"", "expect[0].body"},
      {"/expect/0/cloth", "\"flag\"", "expect[0].cloth"},
      {"/expect/3/anchor", "\"ball\"", "expect[3].anchor"},
      // to itself, nothing that moves, and cycles through the same points
      {"/anchors/0/a", R"({"body": "ball", "local": [1, 0, 0]})", "anchors[0]"},
      {"/anchors/0/b", R"({"world": [0, 0, 0]})", "anchors[0]"},
      {"/anchors/0/b", R"({"body": "floor"})", "anchors[0]"},
      {"/anchors/0/b", R"({"body": "paddle"})", "anchors[0]"},
      {"/anchors/1/b", R"({"cloth": "flag", "vertex": 7})", "anchors[1]"},
      {"/anchors/1/b", R"({"cloth": "flag", "triangle": 2})", "anchors[1]"},
      {"/anchors/-", R"({"a": {"body": "pill"}, "b": {"cloth": "flag", "vertex": 7}})",
       "anchors[4]"},
      {"/anchors/-",
       R"({"a": {"body": "ball", "local": [0, 0.25, 0]}, "b": {"world": [0.1, 3, -0.3]}})",
       "anchors[4]"},
  });
}

TEST(SceneMutations, longer_cycle_is_found_and_a_ring_of_bodies_is_none) {
  Json chain = rich();
  const Json ball = {{"body", "ball"}}, pill = {{"body", "pill"}}, brick = {{"body", "brick_0"}};
  chain["anchors"].push_back({{"a", ball}, {"b", pill}});
  chain["anchors"].push_back({{"a", pill}, {"b", brick}});
  EXPECT_EQ(all(problems_of(chain.dump())), "");
  Json ring = chain;
  const Json other_end = {{"body", "ball"}, {"local", {0.1, 0, 0}}};
  ring["anchors"].push_back({{"a", brick}, {"b", other_end}});
  EXPECT_EQ(all(problems_of(ring.dump())), "") << "a ring through different points";
  Json cycle = chain;
  cycle["anchors"].push_back({{"a", brick}, {"b", ball}});
  expect_error_at(cycle, "anchors[6]", "a cycle of three");
}

TEST(SceneMutations, a_key_given_twice) {
  const SceneProblems problems =
      problems_of(R"({"bodies": [{}, {"shape": {"sphere": {"radius": 1, "radius": 2}}}]})");
  ASSERT_EQ(problems.errors.size(), 1u);
  EXPECT_EQ(problems.errors[0].place, "scene.json: bodies[1].shape.sphere.radius");
}

TEST(SceneMutations, text_cut_anywhere_is_an_error_with_line_and_column) {
  const std::string text = k_rich_scene.substr(0, k_rich_scene.rfind('}'));
  for (std::size_t end = 0; end < text.size(); end += 7) {
    const SceneProblems problems = problems_of(text.substr(0, end));
    ASSERT_EQ(problems.errors.size(), 1u);
    EXPECT_TRUE(problems.errors[0].place.starts_with("scene.json: line "));
  }
}

TEST(SceneMutations, great_depth_is_an_error) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 200000; ++i) text += open;
    EXPECT_EQ(problems_of(text).errors.size(), 1u);
  }
}

}  // namespace
}  // namespace pliant
