// A strip of 1 m by 0.25 m in 16 by 4 cells, edges of one stiffness, pinned along its top row.
#pragma once

#include <functional>
#include <vector>

#include "cloth_rig.h"
#include "geometry/topology.h"
#include "particle_rig.h"

namespace pliant {

inline constexpr int k_columns = 4, k_rows = 16;

struct EdgeStrip {
  ConstraintRows rows;
  std::vector<Vec3> x;
  std::vector<double> mass;
};

inline EdgeStrip edge_strip(double stiffness) {
  EdgeStrip s;
  const TriMesh mesh = make_grid(k_columns, k_rows, 0.25, 1);
  s.x = mesh.vertices;
  s.mass.assign(s.x.size(), 0);
  for (const Triangle& t : mesh.triangles)
    for (const std::int32_t v : t)
      s.mass[std::size_t(v)] += 0.2 * 0.25 / double(mesh.triangles.size()) / 3;
  for (const std::int32_t v : grid_row(k_columns, 0)) s.mass[std::size_t(v)] = 0;
  for (const MeshEdge& e : unique_edges(mesh.triangles))
    s.rows.distance.push_back(
        {{e.a, e.b}, length(s.x[std::size_t(e.a)] - s.x[std::size_t(e.b)]), 1 / stiffness});
  return s;
}

inline double mean_drop(const std::function<Vec3(std::int32_t)>& place) {
  double sum = 0;
  for (const std::int32_t v : grid_row(k_columns, k_rows)) sum += place(v).z;
  return sum / (k_columns + 1) - 0.5;
}

}  // namespace pliant
