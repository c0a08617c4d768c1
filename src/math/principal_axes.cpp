#include "math/principal_axes.h"

namespace pliant {
namespace {

constexpr int k_sweeps = 12;  // four or five are enough for doubles

// Turns the axes p and q so that m[p][q] vanishes.
void turn(Mat3& m, Mat3& axes, int p, int q) {
  const double off = m.row[p][q];
  if (off == 0) return;
  const double theta = (m.row[q][q] - m.row[p][p]) / (2 * off);
  const double size = std::abs(theta) + std::sqrt(theta * theta + 1);
  const double t = (theta < 0 ? -1 : 1) / size;
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const int r = 3 - p - q;
  m.row[p][p] -= t * off;
  m.row[q][q] += t * off;
  m.row[p][q] = m.row[q][p] = 0;
  const double rp = m.row[r][p], rq = m.row[r][q];
  m.row[r][p] = m.row[p][r] = c * rp - s * rq;
  m.row[r][q] = m.row[q][r] = s * rp + c * rq;
  const Vec3 a = axes.row[p], b = axes.row[q];
  axes.row[p] = a * c - b * s;
  axes.row[q] = a * s + b * c;
}

}  // namespace

Mat3 principal_axes(const Mat3& matrix) {
  Mat3 m = matrix, axes;
  for (int sweep = 0; sweep < k_sweeps; ++sweep) {
    turn(m, axes, 0, 1);
    turn(m, axes, 0, 2);
    turn(m, axes, 1, 2);
  }
  return axes;
}

}  // namespace pliant
