// The blocks of a DeformableModels file to a scene.
#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <pliant/mesh_repair.h>

#include "math/trig.h"
#include "scene/check_definitions.h"
#include "scene/deformable_models.h"

namespace pliant {
namespace {

// The format's force of a tetrahedron's volume lacks the factor 1 / (6 V0) of the gradient
// (spec-deformable, 11.2 and E8): what it calls k is then a sixth of a bulk modulus.
constexpr double k_bulk_of_volume = 6;

Vec3 turned(const Vec3& angles, Vec3 p) {
  const double cx = det_cos(angles.x), sx = det_sin(angles.x);
  p = {p.x, cx * p.y - sx * p.z, sx * p.y + cx * p.z};
  const double cy = det_cos(angles.y), sy = det_sin(angles.y);
  p = {cy * p.x + sy * p.z, p.y, -sy * p.x + cy * p.z};
  const double cz = det_cos(angles.z), sz = det_sin(angles.z);
  return {cz * p.x - sz * p.y, sz * p.x + cz * p.y, p.z};
}

// All but the translation, so that the solid's own origin stays that of its mesh.
template <class Mesh>
void turn_and_scale(const DeformableModel& model, Mesh& mesh) {
  for (Vec3& v : mesh.vertices) v = scaled(model.scale, turned(model.rotate, v));
}

bool mirrors(const DeformableModel& model) {
  return model.scale.x * model.scale.y * model.scale.z < 0;
}

void place_mesh(const DeformableModel& model, TriMesh& mesh) {
  turn_and_scale(model, mesh);
  if (mirrors(model))
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}
void place_mesh(const DeformableModel& model, TetMesh& mesh) {
  turn_and_scale(model, mesh);
  if (mirrors(model))
    for (Tetrahedron& t : mesh.tetrahedra) std::swap(t[2], t[3]);
}

bool is_one_of(const std::string& extension, std::initializer_list<const char*> list) {
  return std::find(list.begin(), list.end(), extension) != list.end();
}

struct SceneMaker {
  const std::string& directory;
  const std::string& label;
  SceneProblems& problems;
  Scene& scene;
  std::set<std::string> names;

  void error(int line, std::string message) {
    problems.errors.push_back({fmt::format("{}:{}", label, line), std::move(message)});
  }
  std::string file(const std::string& path) const {
    const std::filesystem::path given(path);
    if (given.is_absolute() || directory.empty()) return path;
    return (std::filesystem::path(directory) / given).string();
  }
  void warn(int line, std::string message) {
    problems.warnings.push_back({fmt::format("{}:{}", label, line), std::move(message)});
  }
  template <class Mesh>
  bool take(int line, const char* key, Result<Mesh> loaded, Mesh& out) {
    if (!loaded.ok()) {
      error(line, fmt::format("{}: cannot be used: {}", key, loaded.error().text()));
      return false;
    }
    out = std::move(loaded).value();
    return true;
  }
};

// Tetrahedra as they are; a closed surface is wrapped in a lattice.
bool read_body(SceneMaker& in, const DeformableModel& model, SolidDef& def) {
  const std::string path = in.file(model.path);
  const std::string extension = std::filesystem::path(path).extension().string();
  if (is_one_of(extension, {".obj", ".ply", ".stl", ".vtp"})) {
    if (!in.take(model.path_line, "Path", load_tri_mesh(path), def.mesh)) return false;
    place_mesh(model, def.mesh);
    return true;
  }
  if (!is_one_of(extension, {".node", ".ele", ".vtk", ".msh"})) {
    in.error(
        model.path_line,
        fmt::format("Path: \"{}\" is of no kind that is known (that of .do is published "
                    "nowhere); accepted: tetrahedra (.node .ele .vtk .msh) or a closed surface "
                    "(.obj .ply .stl .vtp)",
                    model.path));
    return false;
  }
  if (!in.take(model.path_line, "Path", load_tet_mesh(path), def.tets)) return false;
  for (const std::string& line : repair(def.tets).lines())
    in.warn(model.path_line, "Path: " + line);
  place_mesh(model, def.tets);
  return true;
}

bool read_skin(SceneMaker& in, const DeformableModel& model, SolidDef& def) {
  if (model.immersed.empty()) return true;
  const std::string path = in.file(model.immersed);
  if (!is_one_of(std::filesystem::path(path).extension().string(),
                 {".obj", ".ply", ".stl", ".vtp", ".vtk"})) {
    in.error(model.immersed_line,
             fmt::format("Immersed: \"{}\" is of no kind that is known (that of .s is published "
                         "nowhere); accepted: a surface (.obj .ply .stl .vtk .vtp)",
                         model.immersed));
    return false;
  }
  if (!in.take(model.immersed_line, "Immersed", load_tri_mesh(path), def.skin)) return false;
  place_mesh(model, def.skin);
  return true;
}

// Names are labels that may repeat.
std::string name_of(SceneMaker& in, const DeformableModel& model) {
  std::string name = model.name;
  for (int n = 2; !in.names.insert(name).second; ++n) name = fmt::format("{}_{}", model.name, n);
  return name;
}

double lowest(const SolidDef& def) {
  double y = 1e300;
  for (const Vec3& v : def.tets.vertices) y = std::min(y, v.y);
  if (def.tets.vertices.empty())
    for (const Vec3& v : def.mesh.vertices) y = std::min(y, v.y);
  return y + def.position.y;
}

void add_model(SceneMaker& in, const DeformableModelsFile& file, const DeformableModel& model) {
  SolidDef def;
  def.name = name_of(in, model);
  const bool body = read_body(in, model, def), skin = read_skin(in, model, def);
  if (!body || !skin) return;
  def.model = SolidModel::mass_spring;
  def.position = model.translate;
  def.node_mass = model.mass;
  def.springs.distance = model.distance;
  def.springs.volume = 0;
  def.springs.bulk = k_bulk_of_volume * model.volume;
  def.springs.damping = model.damping;
  def.linear_drag = 0;
  def.colour = model.colour;
  def.surface.friction_static = def.surface.friction_kinetic =
      model.friction.value_or(file.friction);
  const std::vector<Error> errors = check(def);
  for (const Error& e : errors) in.error(model.line, e.place + " " + e.message);
  if (!errors.empty()) return;
  if (lowest(def) < 0)
    in.warn(model.line,
            fmt::format("\"{}\" begins below the floor, y = {:.3g} m", def.name, lowest(def)));
  in.scene.solids.push_back(std::move(def));
}

}  // namespace

Vec3 placed(const DeformableModel& model, const Vec3& p) {
  return scaled(model.scale, turned(model.rotate, p)) + model.translate;
}

std::optional<Scene> parse_deformable_models(const std::string& text, const std::string& directory,
                                             const std::string& label, SceneProblems& problems) {
  const std::size_t before = problems.errors.size();
  const DeformableModelsFile file = read_deformable_models(text, label, problems);
  Scene scene;
  SceneMaker in{directory, label, problems, scene, {"floor"}};
  in.scene.directory = directory;
  in.scene.world.gravity = file.gravity;
  // What its program parts bodies by (spec-deformable, 9.3), and what the iterations are of.
  in.scene.world.solid_contact = SolidContact::pressure;
  in.scene.world.pressure_iterations = file.iterations;
  if (file.time_step) in.scene.dt = *file.time_step;
  BodyDef floor{.name = "floor", .motion = Motion::fixed, .shape = HalfSpace{}};
  floor.surface.friction_static = floor.surface.friction_kinetic = file.friction;
  in.scene.bodies.push_back(floor);
  for (const DeformableModel& model : file.models)
    if (!model.path.empty()) add_model(in, file, model);
  for (const Error& e : check(in.scene.world))
    problems.errors.push_back({label, e.place + " " + e.message});
  if (problems.errors.size() > before) return std::nullopt;
  return scene;
}

}  // namespace pliant
