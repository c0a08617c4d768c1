// Numbers below which a constraint has no direction: the projection is then skipped by a zero
// weight instead of a branch.
#pragma once

#include <pliant/real.h>

namespace pliant {

// Smallest denominator: far below any real one (1/kg times m), far above what overflows a float.
inline constexpr Real k_tiny = Real(1e-20);

}  // namespace pliant
