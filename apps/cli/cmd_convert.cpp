// `pliant convert`: a mesh or a scene into another format, by the extensions.
#include <fmt/core.h>
#include <pliant/mesh.h>
#include <pliant/mesh_repair.h>
#include <pliant/scene.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/scene_input.h"

namespace pliant::cli {
namespace {

// The faces that belong to one tetrahedron only, seen from outside, with the vertices they use.
TriMesh surface_of(const TetMesh& tets) {
  // Face k is opposite to corner k of a tetrahedron with positive volume, and looks outward.
  constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::map<Triangle, std::pair<int, Triangle>> count;  // by sorted corners
  for (const Tetrahedron& tet : tets.tetrahedra) {
    for (const auto& face : faces) {
      const Triangle triangle = {tet[static_cast<std::size_t>(face[0])],
                                 tet[static_cast<std::size_t>(face[1])],
                                 tet[static_cast<std::size_t>(face[2])]};
      Triangle key = triangle;
      std::sort(key.begin(), key.end());
      auto& entry = count[key];
      ++entry.first;
      entry.second = triangle;
    }
  }
  TriMesh surface;
  std::vector<std::int32_t> place(tets.vertices.size(), -1);
  for (const auto& [key, entry] : count) {
    if (entry.first != 1) continue;
    Triangle triangle = entry.second;
    for (std::int32_t& corner : triangle) {
      std::int32_t& index = place[static_cast<std::size_t>(corner)];
      if (index < 0) {
        index = static_cast<std::int32_t>(surface.vertices.size());
        surface.vertices.push_back(tets.vertices[static_cast<std::size_t>(corner)]);
      }
      corner = index;
    }
    surface.triangles.push_back(triangle);
  }
  return surface;
}

template <class Mesh>
Status save_whole(const std::string& path, const Mesh& mesh) {
  return write_whole(path,
                     [&](const std::string& temporary) { return save_mesh(temporary, mesh); });
}

Status convert_surface(const ConvertOptions& options, const TriMesh& mesh) {
  const FileKind to = file_kind(options.output);
  if (to == FileKind::surface || to == FileKind::vtk) return save_whole(options.output, mesh);
  return Error{options.output, "a surface can be written as .obj, .ply, .stl or .vtk"};
}

Status convert_tetrahedra(const ConvertOptions& options, const TetMesh& mesh) {
  const FileKind to = file_kind(options.output);
  if (to == FileKind::surface) return save_whole(options.output, surface_of(mesh));
  if (to == FileKind::tetrahedra || to == FileKind::vtk) return save_whole(options.output, mesh);
  return Error{options.output,
               "tetrahedra can be written as .node or .vtk, their surface as .obj, .ply or .stl"};
}

Status convert_mesh(const ConvertOptions& options) {
  const FileKind from = file_kind(options.input);
  if (from != FileKind::surface) {
    Result<TetMesh> tets = load_tet_mesh(options.input);
    if (tets.ok()) {
      for (const std::string& line : repair(tets.value()).lines())
        fmt::print(stderr, "pliant: warning: {}: {}\n", options.input, line);
      return convert_tetrahedra(options, tets.value());
    }
    if (from == FileKind::tetrahedra) return tets.error();
  }
  const Result<TriMesh> mesh = load_tri_mesh(options.input);
  if (!mesh.ok()) return mesh.error();
  return convert_surface(options, mesh.value());
}

int convert_scene(const ConvertOptions& options) {
  if (file_kind(options.output) != FileKind::scene || options.output.ends_with(".txt")) {
    return fail({options.output, "a scene can be written as .json or .xml"});
  }
  SceneProblems problems;
  const std::optional<Scene> scene = load_scene(options.input, {}, problems);
  for (const Error& warning : problems.warnings)
    fmt::print(stderr, "pliant: warning: {}\n", warning.text());
  print_problems(problems.errors);
  if (!scene || !problems.errors.empty()) return 1;
  const Status saved = write_whole(
      options.output, [&](const std::string& temporary) { return save_scene(temporary, *scene); });
  return saved.ok() ? 0 : fail(saved.error());
}

}  // namespace

int cmd_convert(const ConvertOptions& options) {
  const FileKind from = file_kind(options.input);
  if (from == FileKind::scene) return convert_scene(options);
  if (from == FileKind::unknown || from == FileKind::recording) {
    return fail({options.input,
                 "cannot be converted; accepted are scenes (.json .xml .txt) and meshes (.obj "
                 ".ply .stl .vtk .node .ele .msh)"});
  }
  const Status status = convert_mesh(options);
  return status.ok() ? 0 : fail(status.error());
}

}  // namespace pliant::cli
