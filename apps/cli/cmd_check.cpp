// `pliant check`: every problem of scenes and meshes, with its place.
#include <fmt/core.h>
#include <pliant/mesh.h>
#include <pliant/record.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/derived.h"
#include "apps/cli/files.h"
#include "apps/cli/scene_input.h"
#include "apps/cli/tangles.h"

namespace pliant::cli {
namespace {

// What a file holds that is wrong, and what is only worth knowing.
struct Findings {
  std::vector<Error> problems, notes;
};

void check_mesh(const std::string& path, Findings& found) {
  const Result<std::vector<MeshDefect>> defects = check_mesh_file(path);
  if (!defects.ok()) return found.problems.push_back(defects.error());
  for (const MeshDefect& defect : defects.value()) {
    const std::string text = defect.what + ": " + defect.where;
    if (defect.harmless) {
      found.notes.push_back({path, text + " (as of a cloth; a solid needs a closed surface)"});
    } else {
      found.problems.push_back({path, text});
    }
  }
}

void note_missing_springs(const std::string& path, const SceneWorld& world, Findings& found) {
  for (const auto& [name, id] : world.solids) {
    const int asked = world.world.describe(id).springs.inner;
    if (const std::int32_t missing = world.world.missing_springs(id); missing > 0)
      found.notes.push_back(
          {path, fmt::format("solid '{}' has {} of {} inner springs: the others found no place",
                             name, asked - missing, asked)});
  }
}

void check_scene(const std::string& path, Findings& found) {
  SceneProblems problems;
  const std::optional<Scene> scene = load_scene(path, {}, problems);
  found.problems = problems.errors;
  found.notes = problems.warnings;
  if (!scene || !found.problems.empty()) {
    if (found.problems.empty()) found.problems.push_back({path, "cannot be read as a scene"});
    return;
  }
  // Some problems only show when the definitions become a world.
  if (const Result<SceneWorld> world = build_world(*scene); !world.ok()) {
    found.problems.push_back({path, world.error().text()});
  } else {
    for (const std::string& tangle : find_tangles(world.value()))
      found.notes.push_back({path, tangle});
    note_missing_springs(path, world.value(), found);
  }
  for (const SolidDef& solid : scene->solids)
    if (std::optional<std::string> note = stiff_note(*scene, solid))
      found.notes.push_back({path, std::move(*note)});
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

Findings check_file(const std::string& path) {
  Findings found;
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    return {{{path, "is a directory, not a file"}}, {}};
  }
  if (!std::filesystem::exists(path, code)) return {{{path, "there is no such file"}}, {}};
  switch (file_kind(path)) {
    case FileKind::scene:
      check_scene(path, found);
      break;
    case FileKind::recording:
      check_recording(path, found.problems);
      break;
    case FileKind::surface:
    case FileKind::tetrahedra:
    case FileKind::vtk:
      check_mesh(path, found);
      break;
    case FileKind::unknown:
      found.problems.push_back({path, "is of no known kind; accepted are " + accepted_files()});
  }
  return found;
}

nlohmann::json to_json(const std::string& path, const Error& finding, const char* severity) {
  return {{"file", path},
          {"severity", severity},
          {"place", finding.place},
          {"message", finding.message}};
}

}  // namespace

int cmd_check(const CheckOptions& options) {
  nlohmann::json list = nlohmann::json::array();
  bool clean = true;
  std::FILE* people = options.json ? stderr : stdout;
  for (const std::string& path : options.files) {
    const Findings found = check_file(path);
    clean &= found.problems.empty();
    if (found.problems.empty()) fmt::print(people, "{}: ok\n", path);
    for (const Error& problem : found.problems) {
      fmt::print(people, "{}\n", problem.text());
      list.push_back(to_json(path, problem, "problem"));
    }
    for (const Error& note : found.notes) {
      fmt::print(people, "{}: note: {}\n", note.place, note.message);
      list.push_back(to_json(path, note, "note"));
    }
  }
  if (options.json) {
    fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return clean ? 0 : 1;
}

}  // namespace pliant::cli
