// The particles of all deformable bodies, world-wide arrays of which each body owns a range.
//
// Displacement form: a particle's place is base + d. base is fixed during a step and d moves, so
// that the small motion of a substep is not lost in the spacing of floats far from the origin; v =
// (d - d_before) / h is exact to the last bits of the motion itself. Each step begins with an exact
// rebase. Source: the float32 remarks of the XPBD literature (Macklin et al. 2019), measured in
// tests.
#pragma once

#include <pliant/real.h>
#include <cstdint>
#include <vector>

namespace pliant {

struct Particles {
  std::vector<Vec4> base;  // xyz m; w = 0
  std::vector<Vec4> d;     // xyz m since the step began; w = inverse mass, 1/kg
  std::vector<Vec4>
      d_before;  // d at the beginning of the substep; contacts shift it when they push
  std::vector<Vec4> velocity;  // xyz m/s; w = 0
  std::vector<Vec4> force;     // xyz N, of fields and wind in this substep; w = mass, kg
  std::vector<Vec4> settled;   // xyz m, place where the body's rest began; see solver/sleep.h

  std::int32_t size() const { return std::int32_t(base.size()); }
  void resize(std::int32_t count) {
    for (std::vector<Vec4>* array : {&base, &d, &d_before, &velocity, &force, &settled})
      array->resize(std::size_t(count));
  }
};

}  // namespace pliant
