// Where triangles are nearest to a convex shape, eight at a time: the refresh of contacts with the
// insides of triangles is made of it.
#pragma once

#include "geometry/shape_distance.h"
#include "math/wide.h"

namespace pliant {

struct TrianglesW {
  Vec3W corner[3];  // m, in the shape's frame
};
struct WeightsW {
  RealW of[3];
};
struct NearestW {
  WeightsW weights{};
  RealW distance{};  // m, at that point
  Vec3W gradient{};  // unit, of the distance
  RealW least{};     // m, a lower bound of the distance over the triangle, by the tangent
};

inline Vec3W point_of(const TrianglesW& t, const WeightsW& w) {
  return t.corner[0] * w.of[0] + t.corner[1] * w.of[1] + t.corner[2] * w.of[2];
}

struct Descent {
  int tries = 0;
  bool leaps =
      false;  // along the edges of a box as well, straight to where the triangle is nearest
};

// A descent from `start` that ends in each lane where less than 10 micrometres are left to gain,
// where no point of the triangle is within `reach`, or after so many tries. Lanes do not influence
// each other.
NearestW nearest_on_triangles(const ShapeNumbers<Real>& shape, const TrianglesW& triangles,
                              const WeightsW& start, RealW reach, Descent descent);

}  // namespace pliant
