// The tree over a cloth's triangles that the search for sheet contacts goes down.
#pragma once

#include <pliant/math.h>
#include <span>
#include <vector>

#include "model/deformable.h"
#include "model/sheet.h"

namespace pliant {

// By halving along the longest side of the rest shape, eight triangles a leaf. `rest` are places of
// the surface's vertices. `part` says of which of several cloths that are sewn together each
// triangle is, rising; empty for one. Each has a branch of its own, and none hangs together with
// another: they may be sewn such that one lies on the other and both face the same way.
SheetTree make_sheet_tree(const DeformableSurface& surface, const std::vector<Vec3>& rest,
                          std::span<const std::int32_t> part = {});

}  // namespace pliant
