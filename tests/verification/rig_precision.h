// What the rigs compute in: the tests are linked with the library in float and in double.
#pragma once

#include <pliant/real.h>

namespace pliant {

inline constexpr bool k_rig_double = sizeof(Real) == sizeof(double);
inline double tolerance(double in_double, double in_float) {
  return k_rig_double ? in_double : in_float;
}

}  // namespace pliant
