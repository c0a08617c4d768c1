// Materials of solids by name: published values. docs/materials.md has them as a table.
#pragma once

#include <span>
#include <string_view>

#include <pliant/defs.h>

namespace pliant {

struct Material {
  const char* name;
  const char* description;
  const char* source;     // of the values
  double density;         // kg/m3
  double youngs_modulus;  // Pa, at small strain
  double poisson_ratio;
};

std::span<const Material> materials();
const Material* find_material(std::string_view name);  // null where there is none

// Density, modulus and Poisson's ratio. The model stays as it is.
void use_material(const Material& material, SolidDef& solid);

}  // namespace pliant
