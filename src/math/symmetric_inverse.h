// The inverse of a symmetric matrix of any size, also where it has none.
#pragma once

#include <span>
#include <vector>

namespace pliant {

// The pseudo-inverse of the n x n matrix m that has no negative eigenvalues, by rows; those below
// `floor` times the greatest count as zero. By Jacobi's rotations: additions, products and square
// roots alone, the same bits everywhere.
std::vector<double> pseudo_inverse(std::span<const double> m, int n, double floor);

}  // namespace pliant
