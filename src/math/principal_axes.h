// Axes in which a symmetric matrix is diagonal.
#pragma once

#include <pliant/math.h>

namespace pliant {

// The rows of the result are orthonormal eigenvectors of m, right-handed, in no order. By Jacobi's
// rotations: additions, products and square roots alone, the same bits everywhere.
Mat3 principal_axes(const Mat3& m);

}  // namespace pliant
