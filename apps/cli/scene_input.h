// Loading a scene for a command: every problem is printed.
#pragma once

#include <pliant/scene.h>

#include <optional>
#include <string>
#include <vector>

namespace pliant::cli {

struct LoadedScene {
  Scene scene;
  SceneWorld world;
};
// Problems go to standard error and, where given, to `problems`.
std::optional<LoadedScene> load_for_run(const std::string& path,
                                        const std::vector<std::string>& set, int threads,
                                        std::vector<Error>& problems);
void print_problems(const std::vector<Error>& problems);

// How many steps a scene's time or the user's takes; at least one.
int step_count(const Scene& scene, double seconds);

}  // namespace pliant::cli
