// The cotangent weights of a quadratic bending hinge, from its rest shape (see constraints/bend.h).
#pragma once

#include <array>

#include <pliant/math.h>

namespace pliant {

// x0, x1 the shared edge, x2, x3 the wings; cotangents of slivers are limited to +-1000.
std::array<double, 4> bend_weights(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3);

}  // namespace pliant
