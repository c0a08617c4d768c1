// Cloths that pass through themselves or each other when a scene begins, and solids that are in
// each other: they are drawn apart while the scene runs, as far as that is possible.
#pragma once

#include <pliant/scene.h>

#include <string>
#include <vector>

namespace pliant::cli {

// One sentence for each cloth that crosses itself and each pair that crosses or overlaps.
std::vector<std::string> find_tangles(const SceneWorld& scene_world);

}  // namespace pliant::cli
