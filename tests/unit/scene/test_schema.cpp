// The published schema is the one that the tables give, and it agrees with the reader: a small
// validator accepts what the reader accepts and refuses wrong types, ranges and keys.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include <pliant/scene.h>

#include "rich_scene.h"

namespace pliant {
namespace {

using Json = nlohmann::ordered_json;

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// As much of JSON Schema draft-07 as the schema uses.
class Validator {
 public:
  explicit Validator(const Json& schema) : root_(schema) {}
  bool valid(const Json& value) const { return valid(value, root_); }

 private:
  bool valid(const Json& value, const Json& schema) const {
    if (schema.contains("$ref"))
      return valid(value,
                   root_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))));
    if (schema.contains("type") && !has_type(value, schema["type"].get<std::string>()))
      return false;
    if (schema.contains("enum") && !one_of_values(value, schema["enum"])) return false;
    if (schema.contains("allOf"))
      for (const Json& part : schema["allOf"])
        if (!valid(value, part)) return false;
    if (schema.contains("anyOf") && count_valid(value, schema["anyOf"]) == 0) return false;
    if (schema.contains("oneOf") && count_valid(value, schema["oneOf"]) != 1) return false;
    if (value.is_number() && !in_range(value.get<double>(), schema)) return false;
    if (value.is_array() && !valid_array(value, schema)) return false;
    return !value.is_object() || valid_object(value, schema);
  }
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "number") return value.is_number();
    EXPECT_EQ(type, "integer");
    return value.is_number() && std::floor(value.get<double>()) == value.get<double>();
  }
  static bool one_of_values(const Json& value, const Json& accepted) {
    for (const Json& other : accepted)
      if (other == value) return true;
    return false;
  }
  static bool in_range(double value, const Json& schema) {
    return !(schema.contains("minimum") && value < schema["minimum"].get<double>()) &&
           !(schema.contains("maximum") && value > schema["maximum"].get<double>()) &&
           !(schema.contains("exclusiveMinimum") &&
             value <= schema["exclusiveMinimum"].get<double>());
  }
  int count_valid(const Json& value, const Json& choices) const {
    int count = 0;
    for (const Json& choice : choices) count += valid(value, choice) ? 1 : 0;
    return count;
  }
  bool valid_array(const Json& value, const Json& schema) const {
    if (schema.contains("minItems") && value.size() < schema["minItems"].get<std::size_t>())
      return false;
    if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>())
      return false;
    if (schema.contains("items"))
      for (const Json& item : value)
        if (!valid(item, schema["items"])) return false;
    return true;
  }
  bool valid_object(const Json& value, const Json& schema) const {
    if (schema.contains("required"))
      for (const Json& key : schema["required"])
        if (!value.contains(key.get<std::string>())) return false;
    if (schema.contains("minProperties") &&
        value.size() < schema["minProperties"].get<std::size_t>())
      return false;
    if (schema.contains("maxProperties") &&
        value.size() > schema["maxProperties"].get<std::size_t>())
      return false;
    for (const auto& item : value.items()) {
      const bool known = schema.contains("properties") && schema["properties"].contains(item.key());
      if (known && !valid(item.value(), schema["properties"][item.key()])) return false;
      if (!known && schema.contains("additionalProperties")) return false;
    }
    return true;
  }
  const Json& root_;
};

TEST(SceneSchema, published_file_is_what_the_tables_give) {
  EXPECT_EQ(file_text(PLIANT_SOURCE_DIR "/docs/scene.schema.json"), scene_schema())
      << "docs/scene.schema.json is made by scene_schema()";
}

TEST(SceneSchema, accepts_the_rich_scene_before_and_after_saving) {
  const Json schema = Json::parse(scene_schema());
  const Validator validator(schema);
  EXPECT_TRUE(validator.valid(Json::parse(k_rich_scene)));
  SceneProblems problems;
  const auto scene = parse_scene(k_rich_scene, "", "", {}, problems);
  ASSERT_TRUE(scene.has_value());
  EXPECT_TRUE(validator.valid(Json::parse(scene_to_json(*scene))));
}

TEST(SceneSchema, refuses_what_the_reader_refuses) {
  const Json schema = Json::parse(scene_schema());
  const Validator validator(schema);
  const std::pair<const char*, const char*> mutations[] = {
      {"/dt", "-1"},
      {"/bodies/1/mass", "-1"},
      {"/bodies/1/mass", "\"x\""},
      {"/bodies/1/shape/box", "{}"},
      {"/bodies/1/motion", "\"moving\""},
      {"/bodies/1/colour", "1"},
      {"/bodies/1/position", "[0, 0]"},
      {"/bodies/2/path/0", "{}"},
      {"/cloths/0/mesh/sphere", "{}"},
      {"/cloths/0/pins/0/select", "\"middle\""},
      {"/solids/0/poisson_ratio", "0.5"},
      {"/solids/0/skin", "{\"lattice\": {}}"},
      {"/anchors/0/a/body", "\"ball\""},
      {"/seams/0/a/vertices", "[1]"},
      {"/seams/0/speed", "0"},
      {"/seams/1/b", "{\"vertices\": [1]}"},
      {"/expect/0/heigth", "{\"min\": 1}"},
      {"/world/substeps", "1.5"},
      {"/bodies/1/lock_position", "[true, false]"},
      {"/bodies/1/lock_rotation", "[1, 0, 0]"},
      {"/fields/0/kind", "{}"},
      {"/fields/0/kind/drag", "{}"},
      {"/fields/1/kind/magnet/softening", "-1"},
      {"/fields/1/duration", "-1"},
  };
  for (const auto& [pointer, value] : mutations) {
    Json mutated = Json::parse(k_rich_scene);
    mutated[Json::json_pointer(pointer)] = Json::parse(value);
    EXPECT_FALSE(validator.valid(mutated)) << pointer << " " << value;
    SceneProblems problems;
    EXPECT_FALSE(parse_scene(mutated.dump(), "", "", {}, problems).has_value()) << pointer;
  }
}

TEST(SceneSchema, every_key_has_a_description) {
  const Json schema = Json::parse(scene_schema());
  for (const auto& definition : schema["definitions"].items()) {
    if (!definition.value().contains("properties") || definition.key() == "shape" ||
        definition.key() == "field_kind")
      continue;
    for (const auto& property : definition.value()["properties"].items())
      EXPECT_TRUE(property.value().contains("description"))
          << definition.key() << "." << property.key();
  }
}

TEST(SceneSchema, every_key_is_in_the_document) {
  const std::string document = file_text(PLIANT_SOURCE_DIR "/docs/scene-format.md");
  const Json schema = Json::parse(scene_schema());
  for (const auto& definition : schema["definitions"].items()) {
    if (!definition.value().contains("properties")) continue;
    for (const auto& property : definition.value()["properties"].items())
      EXPECT_NE(document.find("`" + property.key() + "`"), std::string::npos)
          << definition.key() << "." << property.key();
  }
}

// Every scene of the project loads, is valid and says what it expects and why.
TEST(SceneSchema, scenes_of_the_project_are_valid) {
  const std::filesystem::path folder = PLIANT_SOURCE_DIR "/scenes";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no scenes";
  const Json schema = Json::parse(scene_schema());
  const Validator validator(schema);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    SceneProblems problems;
    const auto scene = load_scene(entry.path().string(), {}, problems);
    std::string text;
    for (const Error& e : problems.errors) text += e.text() + "\n";
    ASSERT_TRUE(scene.has_value()) << text;
    EXPECT_TRUE(validator.valid(Json::parse(file_text(entry.path())))) << entry.path();
    EXPECT_FALSE(scene->expect.empty()) << entry.path();
    for (const Expectation& e : scene->expect) EXPECT_FALSE(e.reason.empty()) << entry.path();
  }
}

}  // namespace
}  // namespace pliant
