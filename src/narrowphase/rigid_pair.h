// Contact points of one pair of shapes. Everything is relative to the centre of a, in world axes.
#pragma once

#include <cstdint>

#include "model/manifold.h"

namespace pliant {

struct PairGeometry {
  ShapeNumbers<Real> a, b;
  Mat3R axes_a, axes_b;  // rows are the bodies' axes
  Vec3R offset;          // m, centre of b minus centre of a
  Real margin = 0;       // m; points further apart than this are not wanted
};

struct PairPoint {
  Vec3R position;  // m, half way between the two surfaces
  Real separation = 0;
  std::uint32_t feature = 0;
};
struct PairContact {
  Vec3R normal;  // from a to b
  int count = 0;
  PairPoint point[4];
  std::uint32_t axis = 0;  // remembered for the next step
};

// The cores are boxes with sides of any length, zero included; radii are subtracted at the end.
// Exact distance by GJK, penetration by EPA: one point. Any pair but half-spaces.
PairContact collide_general(const PairGeometry& g);

// Fast paths; kind of a <= kind of b in the order of ShapeKind.
PairContact collide_sphere_sphere(const PairGeometry& g);
PairContact collide_sphere_capsule(const PairGeometry& g);
PairContact collide_sphere_box(const PairGeometry& g);
PairContact collide_capsule_capsule(const PairGeometry& g);
PairContact collide_capsule_box(const PairGeometry& g);
// By separating axes and clipping; `axis` is what the last step's result remembered, or 0.
PairContact collide_box_box(const PairGeometry& g, std::uint32_t axis);
// a against the half-space b.
PairContact collide_half_space(const PairGeometry& g);

// Any two convex shapes but half-spaces, with several points where they lie along each other.
PairContact collide_convex(const PairGeometry& g);
// Any convex shape a against the half-space b, likewise.
PairContact collide_convex_half_space(const PairGeometry& g);

// The one to use for the pair, whose half-space is b; two half-spaces give nothing.
PairContact collide_pair(const PairGeometry& g, std::uint32_t axis);

// The order of a pair: by kind, with half-spaces last.
inline bool comes_first(ShapeKind a, ShapeKind b) {
  if (a == ShapeKind::half_space) return false;
  return b == ShapeKind::half_space || a < b;
}

// --- shared by the fast paths
inline Vec3R axes_to_world(const Mat3R& axes, const Vec3R& local) {
  return axes.row[0] * local.x + axes.row[1] * local.y + axes.row[2] * local.z;
}
inline Real absolute(Real x) { return x < 0 ? -x : x; }
inline Real clamped(Real x, Real lo, Real hi) { return x < lo ? lo : x > hi ? hi : x; }
void add_point(PairContact& c, const PairGeometry& g, const Vec3R& position, Real separation,
               std::uint32_t feature);
// Between two points on the cores, with the shapes' radii around them. `fallback` is the normal
// where the points coincide.
void add_core_points(PairContact& c, const PairGeometry& g, const Vec3R& on_a, const Vec3R& on_b,
                     const Vec3R& fallback);

}  // namespace pliant
