// The scene file as a whole: bodies, cloths and solids here, what refers to them in
// read_links.cpp, values in reader.cpp, meshes, pins and arrays in sources.cpp.
#include "scene/read_scene.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <pliant/fabric.h>
#include <pliant/material.h>

#include "geometry/lattice.h"
#include "scene/check_definitions.h"
#include "scene/deformable_models.h"
#include "scene/overrides.h"
#include "scene/sources.h"

namespace pliant {

void claim_name(SceneReader& in, const std::string& name, SubjectKind kind, std::size_t index,
                const Place& place) {
  const std::string here = Place(place, "name").text();
  const auto [slot, is_new] = in.names.try_emplace(name, NamedThing{kind, index, here});
  if (!is_new)
    in.reader.errors.push_back(
        {here, fmt::format("\"{}\" is already the name at {}; accepted: a name of its own", name,
                           slot->second.place)});
}

const NamedThing* find_named(SceneReader& in, const std::string& name, SubjectKind kind,
                             const Place& place) {
  const auto it = in.names.find(name);
  if (it != in.names.end() && it->second.kind == kind) return &it->second;
  const char* kind_name = k_subject_names[static_cast<std::size_t>(kind)];
  if (it != in.names.end()) {
    in.reader.error(place, fmt::format("\"{}\" is no {} but a {}", name, kind_name,
                                       k_subject_names[static_cast<std::size_t>(it->second.kind)]));
    return nullptr;
  }
  std::vector<std::string> candidates;
  for (const auto& [other, thing] : in.names)
    if (thing.kind == kind) candidates.push_back(other);
  in.reader.error(
      place, fmt::format("there is no {} \"{}\"{}", kind_name, name, suggestion(name, candidates)));
  return nullptr;
}

namespace {

constexpr std::uintmax_t k_max_file = 1u << 30;  // bytes

// The offsets of the copies: one, zero, without an array.
std::vector<Vec3> read_array(Reader& reader, const Json& json, const Place& place,
                             bool follows_path) {
  std::vector<Vec3> single(1);
  const auto it = json.find("array");
  if (it == json.end()) return single;
  const Place here(place, "array");
  ArraySource array;
  if (!read_checked(reader, *it, here, array)) return single;
  if (follows_path || json.contains("initial_positions") || json.contains("initial_velocities")) {
    reader.error(here,
                 "given with a path, initial_positions or initial_velocities, which say "
                 "where one thing is; accepted: only one of them");
    return single;
  }
  if (!reader.take_things(here, array_count(array) - 1)) return single;
  return array_offsets(array);
}

void default_name(std::string& name, SubjectKind kind, std::size_t index) {
  if (name.empty())
    name = fmt::format("{}_{}", k_subject_names[static_cast<std::size_t>(kind)], index);
}

void read_body(SceneReader& in, const Json& json, const Place& place, std::size_t index) {
  Reader& reader = in.reader;
  const std::size_t before = reader.errors.size();
  BodyDef def;
  if (!is_object(reader, json, place)) return;
  read_fields(reader, json, place, def);
  if (const auto it = json.find("shape"); it != json.end())
    read_shape(reader, *it, Place(place, "shape"), def.shape);
  reader.add_checked(place, check(def), before);
  const std::vector<Vec3> offsets = read_array(reader, json, place, !def.path.empty());
  default_name(def.name, SubjectKind::body, index);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    BodyDef copy = def;
    if (json.contains("array")) {
      copy.position += offsets[i];
      copy.name += fmt::format("_{}", i);
    }
    claim_name(in, copy.name, SubjectKind::body, in.scene.bodies.size(), place);
    in.scene.bodies.push_back(std::move(copy));
  }
}

// Inline vertices are written out again by themselves; all else by what made it.
MeshSource source_of(const Json& json) {
  if (!json.is_object() || json.contains("vertices")) return {};
  return {json.dump()};
}

// Before all other keys, which may change what the fabric sets.
void read_fabric(Reader& reader, const Json& json, const Place& place, ClothDef& out) {
  const auto it = json.find("fabric");
  if (it == json.end()) return;
  std::vector<std::string> names;
  for (const Fabric& fabric : fabrics()) names.push_back(fabric.name);
  if (const auto index = read_word(reader, *it, Place(place, "fabric"), names))
    use_fabric(fabrics()[*index], out);
}

void read_cloth(SceneReader& in, const Json& json, const Place& place, std::size_t index) {
  Reader& reader = in.reader;
  const std::size_t before = reader.errors.size();
  ClothDef def;
  MeshSource source;
  if (!is_object(reader, json, place)) return;
  read_fabric(reader, json, place, def);
  read_fields(reader, json, place, def);
  bool has_mesh = false;
  if (const auto it = json.find("mesh"); it != json.end()) {
    has_mesh = read_mesh(reader, *it, Place(place, "mesh"), def.mesh);
    source = source_of(*it);
  }
  // Without a mesh there is nothing to select from, and the mesh has its own error already.
  if (const auto it = json.find("pins"); it != json.end() && has_mesh)
    read_pins(reader, *it, Place(place, "pins"), def.mesh.vertices, def.pins);
  if (const auto it = json.find("folds"); it != json.end() && has_mesh)
    read_folds(reader, *it, Place(place, "folds"), def.mesh.vertices, def.folds);
  reader.add_checked(place, check(def), before);
  default_name(def.name, SubjectKind::cloth, index);
  claim_name(in, def.name, SubjectKind::cloth, in.scene.cloths.size(), place);
  in.scene.cloths.push_back(std::move(def));
  in.scene.cloth_meshes.push_back(std::move(source));
}

// The nodes of the lattice that will wrap the mesh, at most.
double lattice_nodes(const TriMesh& mesh, int cells, double cell_size) {
  Vec3 low = mesh.vertices.empty() ? Vec3{} : mesh.vertices[0], high = low;
  for (const Vec3& v : mesh.vertices) low = min(low, v), high = max(high, v);
  const Vec3 extent = high - low;
  const double by_count = std::max({extent.x, extent.y, extent.z}) / std::max(cells, 1);
  const double cell = cell_size > 0 ? cell_size : by_count;
  if (!(cell > 0)) return 0;
  double nodes = 1;
  for (int i = 0; i < 3; ++i) nodes *= std::ceil(extent[i] / cell) + 1;
  return nodes;
}

bool any_path(const std::vector<Pin>& pins) {
  return std::any_of(pins.begin(), pins.end(), [](const Pin& pin) { return !pin.path.empty(); });
}

struct SolidSources {
  MeshSource mesh, tets, skin;
};

void add_solids(SceneReader& in, const Json& json, const Place& place, const SolidDef& def,
                const SolidSources& sources) {
  Reader& reader = in.reader;
  const std::vector<Vec3> offsets = read_array(reader, json, place, any_path(def.pins));
  const double nodes =
      def.tets.vertices.empty() ? lattice_nodes(def.mesh, def.cells, def.cell_size) : 0;
  const double vertices = static_cast<double>(def.mesh.vertices.size() + def.tets.vertices.size()) +
                          static_cast<double>(def.skin.vertices.size()) + nodes;
  if (!reader.take_vertices(place, vertices * static_cast<double>(offsets.size() - 1) + nodes))
    return;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    SolidDef copy = def;
    if (json.contains("array")) {
      copy.position += offsets[i];
      copy.name += fmt::format("_{}", i);
    }
    claim_name(in, copy.name, SubjectKind::solid, in.scene.solids.size(), place);
    in.scene.solids.push_back(std::move(copy));
    in.scene.solid_meshes.push_back(sources.mesh);
    in.scene.solid_tets.push_back(sources.tets);
    in.scene.solid_skins.push_back(sources.skin);
  }
}

// Before all other keys, as the fabric of a cloth.
void read_material(Reader& reader, const Json& json, const Place& place, SolidDef& out) {
  const auto it = json.find("material");
  if (it == json.end()) return;
  std::vector<std::string> names;
  for (const Material& material : materials()) names.push_back(material.name);
  if (const auto index = read_word(reader, *it, Place(place, "material"), names))
    use_material(materials()[*index], out);
}

SolidSources read_solid_meshes(Reader& reader, const Json& json, const Place& place,
                               SolidDef& def) {
  SolidSources sources;
  const auto read = [&](const char* key, auto& mesh, MeshSource& source) {
    const auto it = json.find(key);
    if (it == json.end()) return;
    if (read_mesh(reader, *it, Place(place, key), mesh)) source = source_of(*it);
  };
  read("mesh", def.mesh, sources.mesh);
  read("tets", def.tets, sources.tets);
  read("skin", def.skin, sources.skin);
  return sources;
}

void read_solid(SceneReader& in, const Json& json, const Place& place, std::size_t index) {
  Reader& reader = in.reader;
  const std::size_t before = reader.errors.size();
  SolidDef def;
  if (!is_object(reader, json, place)) return;
  read_material(reader, json, place, def);
  read_fields(reader, json, place, def);
  const SolidSources sources = read_solid_meshes(reader, json, place, def);
  const std::vector<Vec3>* rest = def.tets.vertices.empty() ? nullptr : &def.tets.vertices;
  WrappedMesh wrapped;
  if (def.model == SolidModel::mass_spring && !def.springs.lattice && !json.contains("tets"))
    rest = &def.mesh.vertices;
  else if (json.contains("pins") && !json.contains("tets") && is_closed(def.mesh))
    if (auto lattice = wrap_in_lattice(def.mesh, {def.cells, def.cell_size}); lattice.ok()) {
      wrapped = std::move(lattice).value();
      rest = &wrapped.lattice.vertices;
    }
  // Without nodes there is nothing to select from, and the mesh has its own error already.
  if (const auto it = json.find("pins"); it != json.end() && rest)
    read_pins(reader, *it, Place(place, "pins"), *rest, def.pins);
  if (json.contains("cells") && json.contains("cell_size"))
    reader.error(Place(place, "cell_size"), "stands beside cells; accepted: one of the two");
  Errors checked = check(def);
  // What could not be read is not missing as well.
  if (json.contains("tets") && !json.contains("mesh"))
    std::erase_if(checked, [](const Error& e) { return e.place == "mesh"; });
  reader.add_checked(place, checked, before);
  default_name(def.name, SubjectKind::solid, index);
  add_solids(in, json, place, def, sources);
}

using ReadThing = void (*)(SceneReader&, const Json&, const Place&, std::size_t);

void read_things(SceneReader& in, const Json& document, const char* key, ReadThing read_thing) {
  const auto it = document.find(key);
  if (it == document.end()) return;
  const Place root;
  const Place place(root, std::string_view(key));
  if (!is_array(in.reader, *it, place, "an array of objects")) return;
  if (!in.reader.take_things(place, static_cast<double>(it->size()))) return;
  for (std::size_t i = 0; i < it->size(); ++i) read_thing(in, (*it)[i], Place(place, i), i);
}

void read_document(SceneReader& in, const Json& document) {
  const Place root;
  if (!read_checked(in.reader, document, root, in.scene) && !document.is_object()) return;
  const std::size_t before = in.reader.errors.size();
  if (const auto it = document.find("world"); it != document.end()) {
    const Place place(root, "world");
    if (is_object(in.reader, *it, place)) {
      read_fields(in.reader, *it, place, in.scene.world);
      in.reader.add_checked(place, check(in.scene.world), before);
    }
  }
  read_things(in, document, "bodies", read_body);
  read_things(in, document, "cloths", read_cloth);
  read_things(in, document, "solids", read_solid);
  read_things(in, document, "fields", read_field);
  if (const auto it = document.find("anchors"); it != document.end())
    read_anchors(in, *it, Place(root, "anchors"));
  if (const auto it = document.find("joints"); it != document.end())
    read_joints(in, *it, Place(root, "joints"));
  if (const auto it = document.find("seams"); it != document.end())
    read_seams(in, *it, Place(root, "seams"));
  if (const auto it = document.find("expect"); it != document.end())
    read_expectations(in, *it, Place(root, "expect"));
  if (const auto it = document.find("camera"); it != document.end()) {
    read_checked(in.reader, *it, Place(root, "camera"), in.scene.camera);
    in.scene.camera.given = true;
  }
}

bool overrides_times(const std::vector<std::string>& overrides) {
  return std::any_of(overrides.begin(), overrides.end(), [](const std::string& text) {
    return text.rfind("seconds=", 0) == 0 || text.rfind("dt=", 0) == 0;
  });
}

}  // namespace

std::optional<Scene> parse_scene(const std::string& text, const std::string& directory,
                                 const std::string& label,
                                 const std::vector<std::string>& overrides,
                                 SceneProblems& problems) {
  std::optional<Json> document = parse_document(text, label, problems.errors);
  if (!document) return std::nullopt;
  const OverrideMarks marks = apply_overrides(*document, overrides, problems.errors);
  SceneReader in;
  in.reader.label = label;
  in.reader.directory = directory;
  in.times_overridden = overrides_times(overrides);
  read_document(in, *document);
  for (Error& error : in.reader.errors) {
    const std::string from = marked_override(marks, error.place);
    std::string place = label;
    if (!error.place.empty()) place += (place.empty() ? "" : ": ") + error.place;
    if (!from.empty()) place = "override \"" + from + "\": " + error.place;
    problems.errors.push_back({std::move(place), std::move(error.message)});
  }
  for (Error& warning : in.reader.warnings)
    problems.warnings.push_back(
        {(label.empty() ? "" : label + ": ") + warning.place, std::move(warning.message)});
  if (!problems.errors.empty()) return std::nullopt;
  in.scene.directory = directory;
  return std::move(in.scene);
}

std::optional<Scene> load_scene(const std::string& path, const std::vector<std::string>& overrides,
                                SceneProblems& problems) {
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  if (failure) {
    problems.errors.push_back({path, "cannot be read: " + failure.message()});
    return std::nullopt;
  }
  if (size > k_max_file) {
    problems.errors.push_back(
        {path, fmt::format("has {} bytes; accepted: at most {}", size, k_max_file)});
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || (text.fail() && size > 0)) {
    problems.errors.push_back({path, "cannot be read"});
    return std::nullopt;
  }
  const std::filesystem::path where(path);
  const std::string directory = where.parent_path().string();
  const bool models = is_deformable_models(text.str());
  if (where.extension() != ".xml" && !models)
    return parse_scene(text.str(), directory, path, overrides, problems);
  std::optional<Scene> scene = models
                                   ? parse_deformable_models(text.str(), directory, path, problems)
                                   : parse_polyphysics(text.str(), path, problems);
  if (!scene || overrides.empty()) return scene;
  // Overrides are paths into JSON.
  const std::vector<KeptXml> kept = scene->kept_xml;
  scene = parse_scene(scene_to_json(*scene), directory, path, overrides, problems);
  if (scene) scene->kept_xml = kept;
  return scene;
}

}  // namespace pliant
