// Boxes in working precision, never smaller than what is in them, in one vector each: two are
// joined by one minimum and compared by one comparison.
#pragma once

#include "geometry/box_tree.h"
#include "math/wide.h"

namespace pliant {

// Low ends of x, y, z and 0; then high ends with their sign turned and 0.
using RoughBox = RealW;

inline constexpr double k_rough_end = 1e30;  // m, beyond it nothing is told apart
inline constexpr RoughBox k_no_box{2e30f, 2e30f, 2e30f, 0, 2e30f, 2e30f, 2e30f, 0};

inline RoughBox rough_box(const Vec3& low, const Vec3& high) {
  using Four = double __attribute__((vector_size(4 * sizeof(double))));
  constexpr double k_rounding = sizeof(Real) == 4 ? 2.4e-7 : 0;
  const auto below = [](Four v) {
    const Four end = Four{} + k_rough_end;
    v = v > end ? end : v < -end ? -end : v;
    return __builtin_convertvector(v - k_rounding * (v < 0 ? -v : v), Real4V);
  };
  return join4(below(Four{low.x, low.y, low.z, 0}), below(-Four{high.x, high.y, high.z, 0}));
}
inline RoughBox rough_box(const Vec3& p) { return rough_box(p, p); }

// What others are compared with, to know whether they meet the box.
inline RoughBox turned(RoughBox box) {
  return -__builtin_shufflevector(box, box, 4, 5, 6, 7, 0, 1, 2, 3);
}
inline bool meets(RoughBox box, RoughBox turned_other) { return !any(box > turned_other); }

}  // namespace pliant
