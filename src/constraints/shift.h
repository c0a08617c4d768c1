// Moving eight particles, whose inverse mass rides in w. Always inlined: through memory it would
// cost twice the time.
#pragma once

#include "math/wide.h"

namespace pliant {

// By `amount` along a direction; w stays.
[[gnu::always_inline]] inline void shift(Vec4W& x, RealW amount, const Vec3W& direction) {
  x.x += amount * direction.x;
  x.y += amount * direction.y;
  x.z += amount * direction.z;
}

// The ends of an edge along it, each by its share: momentum stays.
[[gnu::always_inline]] inline void shift_apart(Vec4W& di, Vec4W& dj, RealW s, const Vec3W& edge) {
  const RealW si = s * di.w;
  di.x -= si * edge.x;
  di.y -= si * edge.y;
  di.z -= si * edge.z;
  shift(dj, s * dj.w, edge);
}

}  // namespace pliant
