// `pliant check`: every problem of scenes and meshes, with its place.
#include <fmt/core.h>
#include <pliant/mesh.h>
#include <pliant/record.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/scene_input.h"

namespace pliant::cli {
namespace {

template <class Mesh>
void add_defects(const std::string& path, const Mesh& mesh, std::vector<Error>& problems) {
  for (const MeshDefect& defect : find_defects(mesh)) {
    problems.push_back({path, defect.what + ": " + defect.where});
  }
}

void check_surface(const std::string& path, std::vector<Error>& problems) {
  const Result<TriMesh> mesh = load_tri_mesh(path);
  if (mesh.ok()) return add_defects(path, mesh.value(), problems);
  problems.push_back(mesh.error());
}

void check_tetrahedra(const std::string& path, std::vector<Error>& problems) {
  const Result<TetMesh> mesh = load_tet_mesh(path);
  if (mesh.ok()) return add_defects(path, mesh.value(), problems);
  problems.push_back(mesh.error());
}

void check_scene(const std::string& path, std::vector<Error>& problems) {
  SceneProblems found;
  const std::optional<Scene> scene = load_scene(path, {}, found);
  problems = found.errors;
  if (!scene || !problems.empty()) {
    if (problems.empty()) problems.push_back({path, "cannot be read as a scene"});
    return;
  }
  // Some problems only show when the definitions become a world.
  if (const Result<SceneWorld> world = build_world(*scene); !world.ok()) {
    problems.push_back({path, world.error().text()});
  }
}

void check_recording(const std::string& path, std::vector<Error>& problems) {
  Result<FrameReader> reader = FrameReader::open(path);
  if (!reader.ok()) return problems.push_back(reader.error());
  Frame frame;
  for (std::size_t i = 0; i < reader.value().size(); ++i) {
    if (const Status read = reader.value().read(i, frame); !read.ok()) {
      problems.push_back(read.error());
    }
  }
}

std::vector<Error> check_file(const std::string& path) {
  std::vector<Error> problems;
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) return {{path, "is a directory, not a file"}};
  if (!std::filesystem::exists(path, code)) return {{path, "there is no such file"}};
  switch (file_kind(path)) {
    case FileKind::scene:
      check_scene(path, problems);
      break;
    case FileKind::surface:
      check_surface(path, problems);
      break;
    case FileKind::tetrahedra:
      check_tetrahedra(path, problems);
      break;
    case FileKind::recording:
      check_recording(path, problems);
      break;
    case FileKind::vtk:
      if (load_tet_mesh(path).ok()) {
        check_tetrahedra(path, problems);
      } else {
        check_surface(path, problems);
      }
      break;
    case FileKind::unknown:
      problems.push_back({path, "is of no known kind; accepted are " + accepted_files()});
  }
  return problems;
}

}  // namespace

int cmd_check(const CheckOptions& options) {
  nlohmann::json list = nlohmann::json::array();
  bool clean = true;
  for (const std::string& path : options.files) {
    const std::vector<Error> problems = check_file(path);
    clean &= problems.empty();
    std::FILE* people = options.json ? stderr : stdout;
    if (problems.empty()) fmt::print(people, "{}: ok\n", path);
    for (const Error& problem : problems) {
      fmt::print(people, "{}\n", problem.text());
      list.push_back({{"file", path}, {"place", problem.place}, {"message", problem.message}});
    }
  }
  if (options.json) {
    fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return clean ? 0 : 1;
}

}  // namespace pliant::cli
