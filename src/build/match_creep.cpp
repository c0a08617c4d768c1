#include "build/match_creep.h"

#include <algorithm>
#include <cmath>

#include "math/principal_axes.h"

namespace pliant {
namespace {

constexpr double k_least_volume = 0.1;  // of a stretch that is one
constexpr int k_halvings = 6;
constexpr int k_root_steps = 24;

// By Newton from above: (a + 2) / 3 is never below the root.
double cube_root(double a) {
  double x = (a + 2) / 3;
  for (int n = 0; n < k_root_steps; ++n) x = (2 * x + a / (x * x)) / 3;
  return x;
}

Mat3 plus(const Mat3& a, const Mat3& b, double share) {
  Mat3 sum;
  for (int r = 0; r < 3; ++r) sum.row[r] = a.row[r] + b.row[r] * share;
  return sum;
}

}  // namespace

double strain_norm(const Mat3& m) {
  const Mat3 e = plus(m, Mat3{}, -1);
  const Mat3 square = transposed(e) * e;
  const Mat3 axes = principal_axes(square);
  double most = 0;
  for (int r = 0; r < 3; ++r) most = std::max(most, dot(axes.row[r], square * axes.row[r]));
  return std::sqrt(most);
}

bool creep_shape(const Creep& creep, const Mat3& stretch, Mat3& shape) {
  if (determinant(stretch) < k_least_volume || !(strain_norm(stretch) > creep.yield)) return false;
  double share = std::min(creep.share, 1.0);
  for (int n = 0; n < k_halvings; ++n, share /= 2) {
    Mat3 next = plus(Mat3{}, plus(stretch, Mat3{}, -1), share) * shape;
    const double volume = determinant(next);
    if (!(volume > k_least_volume)) continue;
    const double root = cube_root(volume);
    for (Vec3& row : next.row) row = row / root;
    if (strain_norm(next) > creep.most) continue;
    shape = next;
    return true;
  }
  return false;
}

}  // namespace pliant
