// The signed angle between two triangles that share an edge (see constraints/hinge.h).
#pragma once

#include <pliant/math.h>

namespace pliant {

// x0, x1 the shared edge, x2 the wing on its left, x3 that on its right. rad in [-pi, pi]: 0 when
// flat, negative where the wings lift to the side of the normal.
double hinge_angle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3);

}  // namespace pliant
