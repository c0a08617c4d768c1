// Nearest rotations of two sets of matrices at once.
#pragma once

#include "math/wide_mat3.h"

namespace pliant {

// As nearest_rotation of each, to the bit: while one waits for its divisions the other works.
void nearest_rotations(const Mat3W& first, const Mat3W& second, Mat3W& of_first, Mat3W& of_second);

}  // namespace pliant
