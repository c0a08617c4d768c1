// Fabrics by name: published values of real sheets. docs/fabrics.md has them as a table.
#pragma once

#include <span>
#include <string_view>

#include <pliant/defs.h>

namespace pliant {

struct Fabric {
  const char* name;
  const char* description;
  const char* source;    // of the values
  double areal_density;  // kg/m2
  Sheet sheet;           // modulus times thickness is the membrane stiffness
  double bend_rigidity;  // N m
};

std::span<const Fabric> fabrics();
const Fabric* find_fabric(std::string_view name);  // null where there is none

// Density, moduli and rigidity, and the membrane `strain`; `stretch_stiffness` becomes the mean of
// warp and weft, for those who go back to `edges`. The direction of the warp and the thickness that
// contact keeps stay as they are.
void use_fabric(const Fabric& fabric, ClothDef& cloth);

}  // namespace pliant
