// The parts of the general path: shapes where they are in double, points that may become those of a
// manifold, and the choice of four of them.
#pragma once

#include <vector>

#include "geometry/convex.h"
#include "geometry/gjk.h"
#include "narrowphase/rigid_pair.h"

namespace pliant {

// A shape where it is, relative to the centre of a.
struct Placed {
  ShapeNumbers<double> shape;
  Mat3 axes;
  Vec3 centre;
};
Placed placed(const ShapeNumbers<Real>& shape, const Mat3R& axes, const Vec3R& centre);
inline Vec3 turn_out(const Placed& s, const Vec3& local) {
  return s.axes.row[0] * local.x + s.axes.row[1] * local.y + s.axes.row[2] * local.z;
}
Outline outline_along(const Placed& s, const Vec3& direction);

// Everything that may become a point: more than a manifold holds.
struct Candidates {
  int count = 0;
  PairPoint point[2 * k_outline + 1];
};
// Between two points of the cores.
void add_candidate(Candidates& c, const PairGeometry& g, const Vec3& normal, const Vec3& on_a,
                   const Vec3& on_b, std::uint32_t feature);
// The exact point, where the outlines have missed it by more than the tolerance.
void add_exact(Candidates& c, const PairGeometry& g, const Vec3& normal, const Vec3& on_a,
               const Vec3& on_b, double tolerance);
// Where the incident outline lies before the polygon `face`, whose normal is along `n` or against
// it; each of its points meets the polygon along n. Cut along n as well, none of them is deeper
// than the two shapes are.
void meet_face(Candidates& out, const PairGeometry& g, const Vec3& n, const Outline& face,
               const Outline& incident, bool face_is_a);

// m: depths that differ by less count as the same.
double same_depth(const PairGeometry& g);
// Keeps the deepest point, the one furthest from it, and the two that span the largest area. Nearly
// equal ones are taken in their order, so that a body at rest keeps its points.
PairContact keep_best(const PairPoint* points, int count, const Vec3& normal, double tolerance);

std::uint32_t mix_feature(std::uint32_t a, std::uint32_t b);

}  // namespace pliant
