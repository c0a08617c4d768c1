// Which parts of a solid's surface may meet each other: not those that are next to each other
// anyway.
#pragma once

#include <cstdint>

#include "model/deformable.h"

namespace pliant {

// Whether a vertex and a triangle of one solid are a contact when they come together. They are not
// where both hang on one particle; where the vertex was nearer than four cells at rest and not in
// front of the triangle: beside it on the surface, or behind it, with the solid between them; or
// where they were as near as the surface is thick.
bool may_meet_itself(const Deformable& solid, std::int32_t vertex, std::int32_t triangle);

}  // namespace pliant
