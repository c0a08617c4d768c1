// Definitions to JSON: only what differs from the defaults, in the order of the tables.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "scene/document.h"
#include "scene/fields.h"
#include "scene/quantities.h"

namespace pliant {
namespace {

template <class T>
Json write_fields(const T& object);

Json to_json(double v) { return v; }
Json to_json(const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); }
Json to_json(int v) { return v; }
Json to_json(std::uint32_t v) { return v; }
Json to_json(bool v) { return v; }
Json to_json(const std::string& v) { return v; }
Json to_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }
Json to_json(const Quat& q) { return Json::array({q.x, q.y, q.z, q.w}); }
template <class T>
requires std::is_enum_v<T> Json to_json(T v) { return words_of(v)[static_cast<std::size_t>(v)]; }
Json to_json(const Surface& v) { return write_fields(v); }
Json to_json(const Filter& v) { return write_fields(v); }
Json to_json(const Sheet& v) { return write_fields(v); }
Json to_json(const Springs& v) { return write_fields(v); }
Json to_json(const Matching& v) { return write_fields(v); }
Json to_json(const TileMap& v) { return write_fields(v); }
Json to_json(const JointFreedom& v) { return write_fields(v); }
Json to_json(const Keyframe& v);
template <class T, std::size_t N>
Json to_json(const std::array<T, N>& v) {
  Json out = Json::array();
  for (const T& item : v) out.push_back(to_json(item));
  return out;
}
template <class T>
Json to_json(const std::vector<T>& v) {
  Json out = Json::array();
  for (const T& item : v) out.push_back(to_json(item));
  return out;
}
Json to_json(const Keyframe& v) {
  Json out = {{"time", v.time}};
  out.update(write_fields(v));
  return out;
}

Json member_json(const Value& value) {
  return std::visit(
      [](auto at) -> Json {
        if constexpr (std::is_same_v<decltype(at), std::monostate>)
          return nullptr;
        else
          return to_json(*at);
      },
      value);
}

// What has a member in the table and differs from a fresh T.
template <class T>
Json write_fields(const T& object) {
  static const T fresh{};
  Json out = Json::object();
  for (const Field<T>& field : fields_of<T>()) {
    Json value = member_json(value_at(field.member, &object));
    const Json preset = member_json(value_at(field.member, &fresh));
    // By text where they compare equal: -0.0 is not 0.0 to a saved state.
    if (value != preset || value.dump() != preset.dump()) out[field.key] = std::move(value);
  }
  return out;
}

Json source_json(const MeshSource* source) {
  if (!source || source->json.empty()) return nullptr;
  Json json = Json::parse(source->json, nullptr, false);
  return json.is_discarded() ? Json(nullptr) : json;
}

const MeshSource* at_or_null(const std::vector<MeshSource>& sources, std::size_t i) {
  return i < sources.size() ? &sources[i] : nullptr;
}

Json mesh_json(const TriMesh& mesh, const MeshSource* source) {
  if (Json json = source_json(source); !json.is_null()) return json;
  return {{"vertices", to_json(mesh.vertices)}, {"triangles", to_json(mesh.triangles)}};
}
Json mesh_json(const TetMesh& mesh, const MeshSource* source) {
  if (Json json = source_json(source); !json.is_null()) return json;
  return {{"vertices", to_json(mesh.vertices)}, {"tetrahedra", to_json(mesh.tetrahedra)}};
}

// A user's shape is written as the triangles that stand for it.
Json shape_json(const Shape& shape) {
  Json inner = Json::object();
  if (const auto* s = std::get_if<Sphere>(&shape)) inner["radius"] = s->radius;
  if (const auto* s = std::get_if<Box>(&shape)) inner["half"] = to_json(s->half);
  if (const auto* s = std::get_if<Capsule>(&shape))
    inner = {{"radius", s->radius}, {"half_height", s->half_height}};
  if (const auto* s = std::get_if<Cylinder>(&shape))
    inner = {{"radius", s->radius}, {"half_height", s->half_height}};
  if (const auto* s = std::get_if<Cone>(&shape))
    inner = {{"radius", s->radius}, {"height", s->height}};
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) inner["half"] = to_json(s->half);
  if (const auto* s = std::get_if<Rectangle>(&shape))
    inner = {{"half_x", s->half_x}, {"half_z", s->half_z}};
  if (const auto* s = std::get_if<Hull>(&shape)) inner["points"] = to_json(s->points);
  if (const auto* s = std::get_if<Mesh>(&shape)) inner = mesh_json(s->mesh, nullptr);
  if (const auto* s = std::get_if<HeightField>(&shape)) {
    inner = write_fields(*s);
    inner["heights"] = to_json(s->heights);
  }
  if (const auto* s = std::get_if<Compound>(&shape)) {
    inner["parts"] = Json::array();
    for (const CompoundPart& part : s->parts) {
      Json item = write_fields(part);
      item["shape"] = shape_json(part.shape);
      inner["parts"].push_back(std::move(item));
    }
  }
  if (const auto* s = std::get_if<UserShape>(&shape))
    return {{"mesh", mesh_json(user_mesh(*s), nullptr)}};
  return {{k_shape_names[shape.index()], inner}};
}

// Of pins and folds.
template <class T>
Json list_json(const std::vector<T>& things) {
  Json out = Json::array();
  for (const T& thing : things) out.push_back(write_fields(thing));
  return out;
}

Json body_json(const BodyDef& def) {
  Json out = Json::object();
  if (!def.name.empty()) out["name"] = def.name;
  out["shape"] = shape_json(def.shape);
  out.update(write_fields(def));
  return out;
}

Json cloth_json(const ClothDef& def, const MeshSource* source) {
  Json out = Json::object();
  if (!def.name.empty()) out["name"] = def.name;
  out["mesh"] = mesh_json(def.mesh, source);
  if (!def.pins.empty()) out["pins"] = list_json(def.pins);
  if (!def.folds.empty()) out["folds"] = list_json(def.folds);
  out.update(write_fields(def));
  return out;
}

Json solid_json(const Scene& scene, std::size_t i) {
  const SolidDef& def = scene.solids[i];
  Json out = Json::object();
  if (!def.name.empty()) out["name"] = def.name;
  if (!def.tets.tetrahedra.empty())
    out["tets"] = mesh_json(def.tets, at_or_null(scene.solid_tets, i));
  if (!def.mesh.triangles.empty())
    out["mesh"] = mesh_json(def.mesh, at_or_null(scene.solid_meshes, i));
  if (!def.skin.triangles.empty())
    out["skin"] = mesh_json(def.skin, at_or_null(scene.solid_skins, i));
  if (!def.pins.empty()) out["pins"] = list_json(def.pins);
  out.update(write_fields(def));
  return out;
}

Json end_json(const SceneAnchorEnd& end) {
  using Kind = SceneAnchorEnd::Kind;
  if (end.kind == Kind::world) return {{"world", to_json(end.position)}};
  if (end.kind == Kind::body) return {{"body", end.name}, {"local", to_json(end.position)}};
  const bool cloth = end.kind == Kind::cloth_vertex || end.kind == Kind::cloth_triangle;
  const bool vertex = end.kind == Kind::cloth_vertex || end.kind == Kind::solid_vertex;
  Json out = {{cloth ? "cloth" : "solid", end.name}, {vertex ? "vertex" : "triangle", end.index}};
  if (!vertex) out["weights"] = to_json(end.weights);
  return out;
}

Json anchor_json(const SceneAnchor& anchor) {
  Json out = Json::object();
  if (!anchor.name.empty()) out["name"] = anchor.name;
  out["a"] = end_json(anchor.a);
  out["b"] = end_json(anchor.b);
  if (anchor.compliance != 0) out["compliance"] = anchor.compliance;
  if (anchor.max_force != 0) out["max_force"] = anchor.max_force;
  return out;
}

Json joint_json(const SceneJoint& joint) {
  Json out = Json::object();
  if (!joint.name.empty()) out["name"] = joint.name;
  out["kind"] = to_json(joint.settings.kind);
  out["a"] = end_json(joint.a);
  out["b"] = end_json(joint.b);
  out.update(write_fields(joint.settings));
  if (joint.settings.frame_b) out["frame_b"] = to_json(*joint.settings.frame_b);
  return out;
}

Json seam_json(const SceneSeam& seam) {
  Json out = Json::object();
  if (!seam.name.empty()) out["name"] = seam.name;
  for (const auto& [key, side] : {std::pair{"a", &seam.a}, {"b", &seam.b}})
    out[key] = {{"cloth", side->cloth}, {"vertices", to_json(side->vertices)}};
  out.update(write_fields(seam));
  return out;
}

Json field_json(const FieldDef& def) {
  Json out = Json::object();
  if (!def.name.empty()) out["name"] = def.name;
  Json inner = std::visit([](const auto& kind) { return write_fields(kind); }, def.kind);
  out["kind"] = {{k_field_names[def.kind.index()], std::move(inner)}};
  out.update(write_fields(def));
  return out;
}

// The key of an expectation's subject; names are unique across the kinds.
template <class T>
void add_names(const std::vector<T>& things, SubjectKind kind,
               std::map<std::string, const char*>& out) {
  for (const T& thing : things) out[thing.name] = k_subject_names[static_cast<std::size_t>(kind)];
}

Json expect_json(const Expectation& e, const std::map<std::string, const char*>& kinds) {
  Json bound = Json::object();
  if (e.near) bound = {{"near", *e.near}, {"within", e.within}};
  if (e.min) bound["min"] = *e.min;
  if (e.max) bound["max"] = *e.max;
  Json out = {{"at", e.at}};
  if (!e.subject.empty()) {
    const auto kind = kinds.find(e.subject);
    out[kind == kinds.end() ? "body" : kind->second] = e.subject;
  }
  out[e.quantity] = bound;
  if (!e.reason.empty()) out["reason"] = e.reason;
  return out;
}

void write_things(const Scene& scene, Json& out) {
  for (const BodyDef& def : scene.bodies) out["bodies"].push_back(body_json(def));
  for (std::size_t i = 0; i < scene.cloths.size(); ++i)
    out["cloths"].push_back(cloth_json(scene.cloths[i], at_or_null(scene.cloth_meshes, i)));
  for (std::size_t i = 0; i < scene.solids.size(); ++i)
    out["solids"].push_back(solid_json(scene, i));
  for (const SceneAnchor& anchor : scene.anchors) out["anchors"].push_back(anchor_json(anchor));
  for (const SceneJoint& joint : scene.joints) out["joints"].push_back(joint_json(joint));
  for (const SceneSeam& seam : scene.seams) out["seams"].push_back(seam_json(seam));
  for (const FieldDef& def : scene.fields) out["fields"].push_back(field_json(def));
  std::map<std::string, const char*> kinds;
  add_names(scene.bodies, SubjectKind::body, kinds);
  add_names(scene.cloths, SubjectKind::cloth, kinds);
  add_names(scene.solids, SubjectKind::solid, kinds);
  add_names(scene.anchors, SubjectKind::anchor, kinds);
  add_names(scene.joints, SubjectKind::joint, kinds);
  add_names(scene.seams, SubjectKind::seam, kinds);
  for (const Expectation& e : scene.expect) out["expect"].push_back(expect_json(e, kinds));
}

Json scene_document(const Scene& scene) {
  Json out = write_fields(scene);
  if (Json world = write_fields(scene.world); !world.empty()) out["world"] = std::move(world);
  write_things(scene, out);
  if (scene.camera.given) {
    const Camera& c = scene.camera;
    out["camera"] = {
        {"eye", to_json(c.eye)}, {"target", to_json(c.target)}, {"field_of_view", c.field_of_view}};
  }
  return out;
}

// Mesh files are named relative to the scene file, so they change when it is saved elsewhere.
void move_files(Json& things, const std::string& from, const std::filesystem::path& to) {
  for (Json& thing : things)
    for (const char* key : {"mesh", "tets", "skin"}) {
      if (!thing.contains(key) || !thing[key].contains("file")) continue;
      const std::filesystem::path file(thing[key]["file"].get<std::string>());
      if (file.is_absolute()) continue;
      std::error_code failure;
      const auto moved = std::filesystem::relative(std::filesystem::path(from) / file, to, failure);
      if (!failure && !moved.empty()) thing[key]["file"] = moved.generic_string();
    }
}

}  // namespace

std::string scene_to_json(const Scene& scene) { return format_document(scene_document(scene)); }

namespace {

// Mesh files are named from the folder that the scene is written to.
std::string json_for(const std::string& path, const Scene& scene) {
  Json document = scene_document(scene);
  std::filesystem::path directory = std::filesystem::path(path).parent_path();
  if (directory.empty()) directory = ".";
  const std::string from = scene.directory.empty() ? "." : scene.directory;
  std::error_code failure;
  if (!std::filesystem::equivalent(from, directory, failure))
    for (const char* list : {"cloths", "solids"})
      if (document.contains(list)) move_files(document[list], from, directory);
  return format_document(document);
}

}  // namespace

Status save_scene(const std::string& path, const Scene& scene) {
  std::string text;
  if (std::filesystem::path(path).extension() == ".xml") {
    Result<std::string> xml = scene_to_polyphysics(scene);
    if (!xml.ok()) return Error{path + ": " + xml.error().place, xml.error().message};
    text = std::move(xml).value();
  } else {
    text = json_for(path, scene);
  }
  std::error_code failure;
  // Written beside and renamed, so that a full disk leaves no half of a scene.
  const std::string partial = path + ".partial";
  std::ofstream file(partial, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    const std::string why = std::strerror(errno);
    std::filesystem::remove(partial, failure);
    return Error{path, "cannot be written: " + why};
  }
  std::filesystem::rename(partial, path, failure);
  if (failure) return Error{path, "cannot be written: " + failure.message()};
  return Done{};
}

}  // namespace pliant
