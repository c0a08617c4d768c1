// What the parts of sewing have in common.
#pragma once

#include <span>
#include <vector>

#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {

// Which particles have become one by the merged stitches of all seams of a body. The one that stays
// is the first that is held, else the first.
std::vector<std::int32_t> merged_particles(const Deformable& body, std::span<const Seam> seams,
                                           std::int32_t deformable);

}  // namespace PLIANT_ABI
}  // namespace pliant
