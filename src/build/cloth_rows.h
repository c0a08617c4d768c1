// What the definition of one cloth gives by itself, before anything is sewn.
#pragma once

#include <pliant/defs.h>
#include <vector>

#include "build/constraint_rows.h"
#include "model/coarse_level.h"

namespace pliant {

// `order` is user vertex -> particle.
ConstraintRows cloth_rows(const ClothDef& def, const std::vector<std::int32_t>& order);
std::vector<double> cloth_masses(const ClothDef& def,
                                 const std::vector<std::int32_t>& order);  // kg, of the particles
CoarseLevel cloth_coarse_level(const ClothDef& def, const std::vector<std::int32_t>& order,
                               const std::vector<double>& mass);

}  // namespace pliant
