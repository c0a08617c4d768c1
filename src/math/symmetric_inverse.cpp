#include "math/symmetric_inverse.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pliant {
namespace {

constexpr int k_sweeps = 15;  // four to seven are enough for doubles

struct Square {
  std::span<double> entries;
  std::size_t n;
  double& at(std::size_t r, std::size_t c) const { return entries[r * n + c]; }
};

// Turns the axes p and q so that m[p][q] vanishes; the rows of `axes` turn along.
void turn(const Square& m, const Square& axes, std::size_t p, std::size_t q) {
  const double off = m.at(p, q);
  if (off == 0) return;
  const double theta = (m.at(q, q) - m.at(p, p)) / (2 * off);
  const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  m.at(p, p) -= t * off;
  m.at(q, q) += t * off;
  m.at(p, q) = m.at(q, p) = 0;
  for (std::size_t r = 0; r < m.n; ++r) {
    const double a = axes.at(p, r), b = axes.at(q, r);
    axes.at(p, r) = c * a - s * b;
    axes.at(q, r) = s * a + c * b;
    if (r == p || r == q) continue;
    const double rp = m.at(r, p), rq = m.at(r, q);
    m.at(r, p) = m.at(p, r) = c * rp - s * rq;
    m.at(r, q) = m.at(q, r) = s * rp + c * rq;
  }
}

}  // namespace

std::vector<double> pseudo_inverse(std::span<const double> matrix, int size, double floor) {
  const std::size_t n = std::size_t(size);
  std::vector<double> entries(matrix.begin(), matrix.end()), turned(n * n, 0.0);
  const Square m{entries, n}, axes{turned, n};
  for (std::size_t k = 0; k < n; ++k) axes.at(k, k) = 1;
  for (int sweep = 0; sweep < k_sweeps; ++sweep)
    for (std::size_t p = 0; p + 1 < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) turn(m, axes, p, q);
  double greatest = 0;
  for (std::size_t k = 0; k < n; ++k) greatest = std::max(greatest, m.at(k, k));
  std::vector<double> result(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    if (!(m.at(k, k) > floor * greatest)) continue;
    const double inverse = 1 / m.at(k, k);
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c)
        result[r * n + c] += axes.at(k, r) * axes.at(k, c) * inverse;
  }
  return result;
}

}  // namespace pliant
