// Angles of eight lanes from additions, multiplications and divisions alone, like math/trig.h.
#pragma once

#include "math/wide.h"

namespace pliant {

// In [-pi, pi]; 0 for (0, 0). Ratios are reduced to |t| <= tan(pi / 8), of which the series leaves
// less than 1e-14.
inline RealW atan2(RealW y, RealW x) {
  constexpr Real k_pi = Real(3.14159265358979323846);
  constexpr Real k_tan_eighth = Real(0.41421356237309504880);  // tan(pi / 8)
  const RealW ax = abs(x), ay = abs(y);
  const RealW high = max(ax, ay), low = min(ax, ay);
  const RealW t = low / select(high > 0, high, splat(1));  // in [0, 1]
  const MaskW beyond = t > splat(k_tan_eighth);
  const RealW u = select(beyond, (t - 1) / (t + 1), t);
  const RealW u2 = u * u;
  RealW s = splat(Real(1.0 / 33));
  for (int n = 31; n >= 1; n -= 2) s = splat(Real(1.0 / n)) - u2 * s;
  RealW angle = u * s + select(beyond, splat(k_pi / 4), splat(0));
  angle = select(ay > ax, splat(k_pi / 2) - angle, angle);
  angle = select(x < 0, splat(k_pi) - angle, angle);
  return select(y < 0, -angle, angle);
}

}  // namespace pliant
