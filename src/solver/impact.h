// The impact of two rigid bodies at one instant: impulses at the points of a manifold that touch.
//
// With n the normal from a to b and u the velocity of b's point against a's, the normal speed
// u_n < 0 before the impact becomes at least -e u_n after it. For one point
//   J = -(1 + e) u_n / K,   K = 1/m_a + 1/m_b + n . ((I_a^-1 (r_a x n)) x r_a + ...)
// Several points are swept until nothing changes, J >= 0 each, so that a box that lands flat does
// not begin to turn. Friction: the impulse along the surface that stops the slip, at most mu J.
// All in double.
#pragma once

#include "model/manifold.h"

namespace pliant {

struct ImpactRule {
  double restitution = 0;
  double friction_static = 0, friction_kinetic = 0;
  double touch = 0;  // m; points further apart than this take no part
};

// m/s, at the point that closes fastest of those that touch; negative: they part.
double impact_speed(const RigidBodies& bodies, const BoxPair& pair, const Manifold& m,
                    double touch);
// Changes the velocities and returns the impulse on b (N s).
Vec3 resolve_impact(RigidBodies& bodies, const BoxPair& pair, const Manifold& m,
                    const ImpactRule& rule);

}  // namespace pliant
