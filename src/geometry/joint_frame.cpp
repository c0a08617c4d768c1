// The axes of a joint from one direction.
#include <pliant/joint.h>

#include "math/trig.h"

namespace pliant {

Quat joint_frame(const Vec3& x_axis) {
  const Vec3 x = normalized(x_axis);
  const Vec3 across = cross(Vec3{1, 0, 0}, x);
  const double sine = length(across);
  // The shortest turn; half a turn goes about y.
  if (sine < 1e-12) return x.x < 0 ? Quat{0, 1, 0, 0} : Quat{};
  return exp_quat(across * (0.5 * det_atan2(sine, x.x) / sine));
}

}  // namespace pliant
