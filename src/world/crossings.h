// How often cloths pass through themselves and each other, for scenes that state that they do not.
#pragma once

#include <pliant/world.h>

namespace pliant {
inline namespace PLIANT_ABI {

// Pairs of triangles of cloths that cross, by the exact test of geometry/self_intersection.h; of
// `cloth`, if it is valid, those of which it has one or both.
std::size_t count_crossings(const World& world, ClothId cloth);

}  // namespace PLIANT_ABI
}  // namespace pliant
