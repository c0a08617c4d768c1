// Finite elements of a solid, ready to be packed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "build/constraint_rows.h"

namespace pliant {

FemMaterial fem_material(const SolidDef& def);
// `order` gives each vertex its particle, `inverse_mass` (1/kg) is by particle.
void add_fem(const TetMesh& mesh, const std::vector<std::int32_t>& order,
             std::span<const double> inverse_mass, ConstraintRows& rows);

}  // namespace pliant
