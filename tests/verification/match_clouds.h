// Clouds of points and their best maps by plain sums.
#pragma once

#include "verification/match_rig.h"

namespace pliant {

inline double error_of(const Mat3& a, const Mat3& b) {
  double sum = 0;
  for (int r = 0; r < 3; ++r) sum += length_sq(a.row[r] - b.row[r]);
  return std::sqrt(sum);
}

inline Mat3 matrix_of(const Quat& q) {
  return transposed(
      Mat3{{rotate(q, Vec3{1, 0, 0}), rotate(q, Vec3{0, 1, 0}), rotate(q, Vec3{0, 0, 1})}});
}

// Points of a box with sides 4 x 1 x 0.5.
inline std::vector<Vec3> box_points() {
  std::vector<Vec3> points;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k) points.push_back({i - 2.0, j - 0.5, k * 0.5 - 0.25});
  return points;
}

inline std::vector<Vec3> cube_points(int count, double cell) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      for (int k = 0; k < count; ++k) {
        const double middle = (count - 1) / 2.0;
        points.push_back({(i - middle) * cell, (j - middle) * cell, (k - middle) * cell});
      }
  return points;
}

// A of the linear map, by plain sums.
inline Mat3 linear_map(const std::vector<Vec3>& rest, const std::vector<Vec3>& x,
                       const std::vector<double>& mass) {
  Vec3 t0, t;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    t0 += rest[i] * mass[i], t += x[i] * mass[i], sum += mass[i];
  Mat3 pq{{{}, {}, {}}}, qq{{{}, {}, {}}};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 q = rest[i] - t0 / sum, p = x[i] - t / sum;
    for (int r = 0; r < 3; ++r) {
      pq.row[r] += q * (mass[i] * p[r]);
      qq.row[r] += q * (mass[i] * q[r]);
    }
  }
  return pq * inverse(qq);
}

}  // namespace pliant
