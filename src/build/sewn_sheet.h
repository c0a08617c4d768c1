// What contact knows of cloths that are sewn together (model/sewn_sheet.h).
#pragma once

#include <pliant/defs.h>
#include <span>

#include "model/deformable.h"

namespace pliant {

// Of a body whose surface is made; `part_of_triangle` is of its triangles. Empty for one part.
SewnSheet make_sewn_sheet(std::span<const ClothDef> parts,
                          std::span<const std::int32_t> part_of_triangle, const Deformable& body);

}  // namespace pliant
