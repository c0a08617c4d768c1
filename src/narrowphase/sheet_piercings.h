// Where cloths are tangled: the edges that pass through triangles. Nothing that is kept apart gets
// into that state; what begins in it is looked at until it has left it.
#pragma once

#include <span>
#include <vector>

#include "model/deformable.h"
#include "model/sheet.h"
#include "narrowphase/leaf_pairs.h"

namespace pliant {

// Appends those of a pair, in the order of the trees. `place` (m) is of all particles, world-wide;
// `leaves` is scratch.
void find_piercings(const SheetSide& b, const SheetSide& a, std::int32_t pair,
                    std::span<const Vec4> place, std::vector<LeafPair>& leaves,
                    std::vector<SheetPiercing>& out);

}  // namespace pliant
