// The strip of edge_strip.h solved plainly: doubles, one constraint after the other in the order of
// the mesh. It shares no code with the solver, and is what published values of the strip were made
// with.
#pragma once

#include <functional>
#include <vector>

#include "edge_strip.h"

namespace pliant {

struct PlainStrip {
  TriMesh mesh = make_grid(k_columns, k_rows, 0.25, 1);
  EdgeStrip edges = edge_strip(200);
  std::vector<Vec3> x = edges.x, p = edges.x, v = std::vector<Vec3>(x.size());
  std::vector<double> w;  // inverse masses

  PlainStrip() {
    for (const double m : edges.mass) w.push_back(m > 0 ? 1 / m : 0);
  }

  // Diagonals that take turns from cell to cell, like the squares of a chessboard. The edges stay
  // those of the other mesh.
  void alternate_diagonals() {
    std::vector<double> mass(x.size(), 0);
    for (std::size_t n = 0; n < mesh.triangles.size(); n += 2) {
      const int cell = int(n / 2), column = cell % k_columns, row = cell / k_columns;
      const std::int32_t a = row * (k_columns + 1) + column, b = a + 1;
      const std::int32_t c = a + k_columns + 1, d = c + 1;
      const bool turned = (column + row) % 2 == 0;
      mesh.triangles[n] = turned ? Triangle{a, b, c} : Triangle{a, b, d};
      mesh.triangles[n + 1] = turned ? Triangle{b, d, c} : Triangle{a, d, c};
    }
    for (const Triangle& t : mesh.triangles)
      for (const std::int32_t n : t)
        mass[std::size_t(n)] += 0.2 * 0.25 / double(mesh.triangles.size()) / 3;
    for (std::size_t i = 0; i < w.size(); ++i)
      if (w[i] > 0) w[i] = 1 / mass[i];
  }

  // A sweep moves p; 4 s with a damping of 3/s. Returns by how much the last row has sunk.
  double hang(int substeps, int sweeps, const std::function<void(double h, bool first)>& sweep) {
    const double h = 1. / 60 / substeps;
    for (int n = 0; n < 240 * substeps; ++n) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (w[i] > 0) v[i] = v[i] * (1 - 3 * h) + Vec3{0, 0, 9.81 * h};
        p[i] = x[i] + v[i] * h;
      }
      for (int s = 0; s < sweeps; ++s) sweep(h, s == 0);
      for (std::size_t i = 0; i < x.size(); ++i) {
        v[i] = (p[i] - x[i]) * (1 / h);
        x[i] = p[i];
      }
    }
    return mean_drop([&](std::int32_t i) { return x[std::size_t(i)]; });
  }
};

}  // namespace pliant
