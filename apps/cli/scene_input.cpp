#include "apps/cli/scene_input.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>

namespace pliant::cli {
namespace {

constexpr double k_max_steps =
    1e8;  // half a year of a simulated second's sixtieths: a slip of the pen

}  // namespace

void print_problems(const std::vector<Error>& problems) {
  for (const Error& problem : problems) fmt::print(stderr, "pliant: {}\n", problem.text());
}

std::optional<LoadedScene> load_for_run(const std::string& path,
                                        const std::vector<std::string>& set, int threads,
                                        std::vector<Error>& problems) {
  SceneProblems found;
  std::optional<Scene> scene = load_scene(path, set, found);
  problems = found.errors;
  for (const Error& warning : found.warnings)
    fmt::print(stderr, "pliant: warning: {}\n", warning.text());
  if (scene && !problems.empty()) scene.reset();
  if (scene && !(scene->seconds / scene->dt < k_max_steps)) {
    problems.push_back({path, "seconds / dt is more than 1e8 steps"});
    scene.reset();
  }
  if (!scene) {
    if (problems.empty()) problems.push_back({path, "cannot be read as a scene"});
    print_problems(problems);
    return std::nullopt;
  }
  Result<SceneWorld> world = build_world(*scene, make_task_pool(threads));
  if (!world.ok()) {
    problems.push_back({path, world.error().text()});
    print_problems(problems);
    return std::nullopt;
  }
  return LoadedScene{std::move(*scene), std::move(world).value()};
}

int step_count(const Scene& scene, double seconds) {
  const double steps = std::round(std::min(seconds / scene.dt, k_max_steps));
  return steps < 1 ? 1 : static_cast<int>(steps);
}

}  // namespace pliant::cli
