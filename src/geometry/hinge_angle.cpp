#include "geometry/hinge_angle.h"

#include "math/trig.h"

namespace pliant {

double hinge_angle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  const Vec3 e = x1 - x0;
  const Vec3 a = cross(e, x2 - x0), b = cross(x3 - x0, e);
  const double edge = length(e);
  return edge > 0 ? det_atan2(dot(cross(a, b), e) / edge, dot(a, b)) : 0;
}

}  // namespace pliant
