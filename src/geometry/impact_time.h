// When two shapes in motion first touch.
//
// Each moves as x(t) = x + v t + a t^2 / 2 and turns at a constant rate w. Let g be the gap at time
// t and n the unit normal from a to b there. Whatever happens, in the time d after t the gap along
// n shrinks by no more than
//   (n . (v_a - v_b)) d + (n . (a_a - a_b)) d^2 / 2 + (|w_a| r_a + |w_b| r_b) d
// where v are the velocities at t and r the distances of the farthest points from the centres. The
// first d for which that is g is safe; for balls and planes it is the answer itself, for other
// shapes that do not turn it is Newton's step from the safe side (conservative advancement; Mirtich
// 1996). Bisection halves an interval that such steps have found, with the precision rules of
// PolyPhysics: it stops where the interval is shorter than `min_time` or the gap smaller than
// `gap`, and its answer is on the side where the two are apart.
#pragma once

#include <cstdint>

#include "geometry/shape_distance.h"

namespace pliant {

struct MovingShape {
  ShapeNumbers<double> shape;
  Vec3 position;  // m, at time 0
  Quat rotation;
  Vec3 velocity;          // m/s, at time 0
  Vec3 acceleration;      // m/s2
  Vec3 angular_velocity;  // rad/s
};

struct ImpactSearch {
  ImpactTime method = ImpactTime::advancement;
  double gap = 1e-6;       // m; nearer than this is a touch
  double min_time = 1e-6;  // s, of bisection
  int iterations = 100;    // of each pair of convex parts; halvings at most 24
};

struct Impact {
  enum class Kind {
    none,     // they do not touch
    touch,    // at `time`
    overlap,  // they do so when the motion begins
    near,     // not until `time`; what is then was not found in the iterations allowed
  };
  Kind kind = Kind::none;
  double time = 0;  // s
  double gap = 0;   // m, at that time
  Vec3 normal{};    // unit, from a to b
  std::int32_t iterations = 0;
};

// In [0, duration].
Impact find_impact(const MovingShape& a, const MovingShape& b, double duration,
                   const ImpactSearch& search);

// The gap (m, negative: depth) of two shapes where they are at time t, and the normal.
double gap_at(const MovingShape& a, const MovingShape& b, double t, Vec3& normal);

}  // namespace pliant
