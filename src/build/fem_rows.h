// Finite elements of a solid, ready to be packed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "build/constraint_rows.h"
#include "build/lattice_cubes.h"

namespace pliant {

FemMaterial fem_material(const SolidDef& def);
// The elements that the definition asks for: cubes only where it names hexahedra.
LatticeParts fem_parts(const SolidDef& def, const TetMesh& mesh);
// `order` gives each vertex its particle, `inverse_mass` (1/kg) is by particle.
void add_fem(const SolidDef& def, const TetMesh& mesh, const std::vector<std::int32_t>& order,
             std::span<const double> inverse_mass, ConstraintRows& rows);

}  // namespace pliant
