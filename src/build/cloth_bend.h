// Bending rows of a cloth, and its creases.
#pragma once

#include <pliant/defs.h>
#include <vector>

#include "build/constraint_rows.h"
#include "geometry/topology.h"

namespace pliant {

double triangle_area(const TriMesh& mesh, std::int32_t triangle);  // m2

void add_bending(const ClothDef& def, const EdgeList& edges, const std::vector<std::int32_t>& order,
                 ConstraintRows& rows);

}  // namespace pliant
