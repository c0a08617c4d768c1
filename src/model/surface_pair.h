// What two surfaces make of each other.
#pragma once

#include <pliant/defs.h>

namespace pliant {

struct SurfacePair {
  double friction_static = 0, friction_kinetic = 0;
  double restitution = 0;
  double rolling_resistance = 0, spinning_resistance = 0;  // m
};

// Of each property by the rule that stands later in Combine, where the two name different ones.
SurfacePair combined(const Surface& a, const Surface& b);

}  // namespace pliant
