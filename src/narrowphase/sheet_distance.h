// Nearest points of a vertex and a triangle, and of two edges, eight at a time. Particle 0 is the
// origin: r1, r2, r3 are the other three from there.
#pragma once

#include <array>

#include "math/wide.h"

namespace pliant {

struct SheetNearestW {
  std::array<RealW, 4> weight;  // of the four: > 0 on side b, < 0 on side a
  Vec3W between;                // m, from the nearest point of side a to that of side b
  MaskW proper;  // inside the triangle, or inside both edges: otherwise a neighbour is nearer or
                 // equal
};

inline RealW clamp01(RealW x) { return min(max(x, splat(0)), splat(1)); }

// The vertex 0 against the triangle r1 r2 r3. Inside where the foot of the perpendicular is,
// otherwise the best of the three edges.
inline SheetNearestW nearest_vertex_triangle(const Vec3W& r1, const Vec3W& r2, const Vec3W& r3) {
  const RealW tiny = splat(Real(1e-30)), one = splat(1), zero = splat(0);
  const Vec3W ab = r2 - r1, ac = r3 - r1, bc = r3 - r2;
  const RealW bb = dot(ab, ab), cc = dot(ac, ac), bc2 = dot(ab, ac);
  const RealW pb = -dot(ab, r1), pc = -dot(ac, r1);
  const RealW det = bb * cc - bc2 * bc2;
  const RealW inverse = one / max(det, tiny);
  const RealW v = (cc * pb - bc2 * pc) * inverse, w = (bb * pc - bc2 * pb) * inverse;
  const MaskW inside = (v >= zero) & (w >= zero) & (v + w <= one) & (det > tiny);

  const RealW t_ab = clamp01(pb / max(bb, tiny)), t_ac = clamp01(pc / max(cc, tiny));
  const RealW t_bc = clamp01(-dot(bc, r2) / max(dot(bc, bc), tiny));
  const Vec3W on_ab = r1 + ab * t_ab, on_ac = r1 + ac * t_ac, on_bc = r2 + bc * t_bc;
  const RealW d_ab = dot(on_ab, on_ab), d_ac = dot(on_ac, on_ac), d_bc = dot(on_bc, on_bc);
  const MaskW ac_first = (d_ac < d_ab) & (d_ac <= d_bc), bc_first = (d_bc < d_ab) & (d_bc < d_ac);
  RealW weight_b = select(bc_first, one - t_bc, select(ac_first, zero, t_ab));
  RealW weight_c = select(bc_first, t_bc, select(ac_first, t_ac, zero));
  weight_b = select(inside, v, weight_b);
  weight_c = select(inside, w, weight_c);
  const RealW weight_a = one - weight_b - weight_c;
  return {{one, -weight_a, -weight_b, -weight_c},
          -(r1 * weight_a + r2 * weight_b + r3 * weight_c),
          inside};
}

// The edge 0 r1 against the edge r2 r3 (Ericson, Real-Time Collision Detection, 5.1.9). One more
// projection to and fro makes up for what nearly parallel edges lose in single precision.
inline SheetNearestW nearest_edge_edge(const Vec3W& r1, const Vec3W& r2, const Vec3W& r3) {
  const RealW tiny = splat(Real(1e-30)), one = splat(1), zero = splat(0);
  const Vec3W other = r3 - r2;
  const RealW a = max(dot(r1, r1), tiny), e = max(dot(other, other), tiny), b = dot(r1, other);
  const RealW c = -dot(r1, r2), f = -dot(other, r2);
  const RealW det = a * e - b * b;
  const MaskW crossed = det > a * e * Real(1e-6);
  RealW s = select(crossed, clamp01((b * f - c * e) / select(crossed, det, one)), zero);
  RealW t = clamp01((b * s + f) / e);
  s = clamp01((b * t - c) / a);
  t = clamp01((b * s + f) / e);
  s = clamp01((b * t - c) / a);
  // Parallel edges have no normal of their own: beside each other in two planes that slide they
  // would brake. Their ends see to them.
  const MaskW proper = crossed & (s > zero) & (s < one) & (t > zero) & (t < one);
  return {{one - s, s, t - one, -t}, r1 * s - r2 * (one - t) - r3 * t, proper};
}

}  // namespace pliant
