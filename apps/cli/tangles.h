// Cloths that pass through themselves or each other when a scene begins: contact keeps every part
// on the side where it is, so that a tangle stays.
#pragma once

#include <pliant/scene.h>

#include <string>
#include <vector>

namespace pliant::cli {

// One sentence for each cloth that crosses itself and each pair that crosses.
std::vector<std::string> find_tangles(const SceneWorld& scene_world);

}  // namespace pliant::cli
