// Angles of eight lanes from additions, multiplications and divisions alone, like math/trig.h.
#pragma once

#include "math/wide.h"

namespace pliant {

// In [-pi, pi]; 0 for (0, 0). Ratios are reduced to |t| <= tan(pi / 8), of which the series leaves
// less than 1e-14.
RealW atan2(RealW y, RealW x);

}  // namespace pliant
