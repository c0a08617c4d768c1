// Tether: a particle stays within a distance of a pinned one.
//
//   C(x) = L - |x_i - x_pin| >= 0, acts only while C < 0;  dx_i = C n,  n = (x_i - x_pin) / |x_i -
//   x_pin|
//
//   L the greatest distance (m): the rest distance along the cloth times 1 + slack. The pinned side
//   does not move, so tethers of different particles never conflict. It takes the rubber out of a
//   hanging cloth at the cost of one projection a particle. Frame: world. Source: Kim, Chentanez,
//   Mueller 2012.
#pragma once

#include <span>

#include "model/batches.h"

namespace pliant {

void project(std::span<const TetherBatch> batches, const Vec4* base, Vec4* d);

}  // namespace pliant
