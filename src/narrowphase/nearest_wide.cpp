#include "narrowphase/nearest_wide.h"

#include "narrowphase/shape_distance_wide.h"

namespace pliant {
namespace {

constexpr Real k_enough = Real(1e-5);  // m
// How much the axes count along which the core is not left, at first, and how that grows with each
// try that did not help.
constexpr Real k_hold = Real(0.05), k_hold_growth = 3;

WeightsW select(MaskW m, const WeightsW& a, const WeightsW& b) {
  return {{pliant::select(m, a.of[0], b.of[0]), pliant::select(m, a.of[1], b.of[1]),
           pliant::select(m, a.of[2], b.of[2])}};
}

// The case distinction of closest_on_triangle; the later case wins, so they come in its reverse
// order. Lanes of a triangle without area may get weights that are no numbers.
WeightsW closest_on(const TrianglesW& t, const Vec3W& p) {
  const RealW zero = splat(0), one = splat(1);
  const Vec3W ab = t.corner[1] - t.corner[0], ac = t.corner[2] - t.corner[0];
  const Vec3W ap = p - t.corner[0], bp = p - t.corner[1], cp = p - t.corner[2];
  const RealW d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp);
  const RealW d5 = dot(ab, cp), d6 = dot(ac, cp);
  const RealW va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  const RealW inverse = one / (va + vb + vc);
  WeightsW w{{one - (vb + vc) * inverse, vb * inverse, vc * inverse}};
  const RealW along_bc = (d4 - d3) / ((d4 - d3) + (d5 - d6));
  w = select((va <= 0) & (d4 - d3 >= 0) & (d5 - d6 >= 0), {{zero, one - along_bc, along_bc}}, w);
  const RealW along_ac = d2 / (d2 - d6);
  w = select((vb <= 0) & (d2 >= 0) & (d6 <= 0), {{one - along_ac, zero, along_ac}}, w);
  w = select((d6 >= 0) & (d5 <= d6), {{zero, zero, one}}, w);
  const RealW along_ab = d1 / (d1 - d3);
  w = select((vc <= 0) & (d1 >= 0) & (d3 <= 0), {{one - along_ab, along_ab, zero}}, w);
  w = select((d3 >= 0) & (d4 <= d3), {{zero, one, zero}}, w);
  return select((d1 <= 0) & (d2 <= 0), {{one, zero, zero}}, w);
}

struct Place {
  NearestW at;
  Vec3W point;
};

[[gnu::always_inline]] inline Place evaluate(const ShapeNumbers<Real>& shape, const TrianglesW& t,
                                             const WeightsW& w) {
  Place place;
  place.at.weights = w;
  place.point = point_of(t, w);
  place.at.distance = signed_distance(shape, place.point, place.at.gradient);
  return place;
}

[[gnu::always_inline]] inline void take(MaskW m, const Place& from, Place& to) {
  to.at.weights = select(m, from.at.weights, to.at.weights);
  to.at.distance = pliant::select(m, from.at.distance, to.at.distance);
  to.at.gradient = pliant::select(m, from.at.gradient, to.at.gradient);
  to.point = pliant::select(m, from.point, to.point);
}

// How much lower than at the place the distance may be elsewhere on the triangle, by its tangent.
RealW most_to_gain(const TrianglesW& t, const Place& p) {
  const Vec3W& g = p.at.gradient;
  return -min(dot(g, t.corner[0] - p.point),
              min(dot(g, t.corner[1] - p.point), dot(g, t.corner[2] - p.point)));
}

// One axis of the shape's frame: the way from p to the core, and how much the axis counts.
struct AxisW {
  RealW target, scale;
};
AxisW aim_axis(RealW p, Real half, RealW below, MaskW leaps, RealW hold) {
  const RealW nearest = min(max(p, splat(-half)), splat(half));
  const MaskW beyond = nearest != p;
  return {pliant::select(leaps, nearest, below), pliant::select(leaps & ~beyond, hold, splat(1))};
}
Vec3W scaled(const Vec3W& v, const AxisW (&axis)[3]) {
  return {v.x * axis[0].scale, v.y * axis[1].scale, v.z * axis[2].scale};
}

// Where p is beyond an edge or a corner of the core (box, segment or point).
MaskW beyond_edge(const ShapeNumbers<Real>& shape, const Vec3W& p) {
  const MaskW x = abs(p.x) > shape.half.x, y = abs(p.y) > shape.half.y, z = abs(p.z) > shape.half.z;
  return (x & y) | (y & z) | (z & x);
}

// The triangle's nearest point to a target a step down the gradient; where it `leaps`, to the core.
// There the distance is that of the axes along which p is beyond the core. With these alone the
// nearest point of the triangle is found at once, however narrow the valley of the distance is; the
// others hold p where it is a little.
WeightsW next_try(const ShapeNumbers<Real>& shape, const TrianglesW& t, const Place& p, MaskW leaps,
                  RealW step, RealW hold) {
  const Vec3W below = p.point - p.at.gradient * step;
  if (!any(leaps)) return closest_on(t, below);
  const AxisW axis[3] = {aim_axis(p.point.x, shape.half.x, below.x, leaps, hold),
                         aim_axis(p.point.y, shape.half.y, below.y, leaps, hold),
                         aim_axis(p.point.z, shape.half.z, below.z, leaps, hold)};
  TrianglesW flat;
  for (int k = 0; k < 3; ++k) flat.corner[k] = scaled(t.corner[k], axis);
  return closest_on(flat, scaled({axis[0].target, axis[1].target, axis[2].target}, axis));
}

}  // namespace

NearestW nearest_on_triangles(const ShapeNumbers<Real>& shape, const TrianglesW& t,
                              const WeightsW& start, RealW reach, Descent descent) {
  Place best = evaluate(shape, t, start);
  const Vec3W ab = t.corner[1] - t.corner[0], ac = t.corner[2] - t.corner[0];
  RealW step = sqrt(max(dot(ab, ab), dot(ac, ac))) * Real(0.5);
  RealW hold = splat(k_hold);
  MaskW active = step == step;
  for (int i = 0; i < descent.tries; ++i) {
    const RealW gain = most_to_gain(t, best);
    active &= (gain > k_enough) & (best.at.distance - gain <= reach);
    if (!any(active)) break;
    const bool leaps_here = descent.leaps && is_simple(shape.kind);
    const MaskW leaps = leaps_here ? beyond_edge(shape, best.point) : MaskW{};
    Place trial = evaluate(shape, t, next_try(shape, t, best, leaps, step, hold));
    // Where that went too far, what lies between by the slopes at both ends.
    const Vec3W way = trial.point - best.point;
    const RealW before = dot(best.at.gradient, way), after = dot(trial.at.gradient, way);
    const MaskW over = (after > 0) & (before < 0);
    const RealW share = pliant::select(over, before / (before - after), splat(1));
    WeightsW between;
    for (int k = 0; k < 3; ++k)
      between.of[k] =
          best.at.weights.of[k] + share * (trial.at.weights.of[k] - best.at.weights.of[k]);
    const Place middle = evaluate(shape, t, between);
    take(over & (middle.at.distance < trial.at.distance), middle, trial);
    const MaskW better = active & (trial.at.distance < best.at.distance);
    take(better, trial, best);
    const RealW shorter = pliant::select(over, max(share, splat(Real(0.1))) * Real(1.5), splat(1));
    hold *= pliant::select(better, splat(1), splat(k_hold_growth));
    step *= pliant::select(leaps, splat(1), pliant::select(better, shorter, splat(Real(0.25))));
  }
  best.at.least = best.at.distance - most_to_gain(t, best);
  return best.at;
}

}  // namespace pliant
