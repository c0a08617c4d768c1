// Lattices of springs for the laws of springs.
#pragma once

#include "verification/spring_rig.h"

namespace pliant {

inline std::vector<double> equal_masses(const TetMesh& mesh, double mass) {
  return std::vector<double>(mesh.vertices.size(), mass);
}

// Of four corners, with its sign.
inline double volume_value(const std::vector<Vec3>& x) {
  return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) / 6;
}

// The thesis form of a volume spring is one without the factor 1 / (6 V0).
inline SpringRows thesis_cube(const TetMesh& mesh, double distance, double volume, double damping) {
  SpringRows rows =
      lattice_springs({.distance = distance, .volume = volume, .damping = damping}, mesh);
  for (SpringVolumeRow& row : rows.volumes) row.stiffness *= 6 * row.rest;
  return rows;
}

}  // namespace pliant
