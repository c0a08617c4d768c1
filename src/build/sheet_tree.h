// The tree over a cloth's triangles that the search for sheet contacts goes down.
#pragma once

#include <pliant/math.h>
#include <vector>

#include "model/deformable.h"
#include "model/sheet.h"

namespace pliant {

// By halving along the longest side of the rest shape, eight triangles a leaf. `rest` are places of
// the surface's vertices.
SheetTree make_sheet_tree(const DeformableSurface& surface, const std::vector<Vec3>& rest);

}  // namespace pliant
