// A small soft cube, under any model.
#pragma once

#include <pliant/world.h>

namespace pliant {

inline constexpr double k_dt = 1.0 / 60;
inline constexpr SolidModel k_models[] = {SolidModel::xpbd, SolidModel::fem,
                                          SolidModel::mass_spring, SolidModel::shape_matching,
                                          SolidModel::explicit_fem};

inline SolidDef cube(SolidModel model = SolidModel::xpbd) {
  SolidDef def;
  def.tets = make_lattice(3, 3, 3, 0.1);
  def.model = model;
  def.linear_drag = 0;
  def.youngs_modulus = 2e4;
  def.springs = {.distance = 2, .volume = 1, .damping = 0.01};
  def.matching = {.frequency = 10, .cluster_cells = 2};
  return def;
}

}  // namespace pliant
