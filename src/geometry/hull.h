// The convex hull of points. Own code and not qhull's: what it gives reaches the state, whose bits
// must not depend on a library.
#pragma once

#include <cstdint>
#include <vector>

#include <pliant/mesh.h>
#include <pliant/result.h>

namespace pliant {

// A flat side: corners [first, first + count) of HullData::corners, counter-clockwise from outside.
struct HullFace {
  std::int32_t first = 0, count = 0;
  Vec3 normal;        // unit, outward
  double offset = 0;  // m: normal . x = offset
};
struct HullData {
  std::vector<Vec3> vertices;  // corners alone
  std::vector<HullFace> faces;
  std::vector<std::int32_t> corners;
};

inline constexpr std::size_t k_most_hull_points = 20000;

// An Error where the points lie in a plane, on a line or at one place, nearly (1e-6 of their
// extent).
Result<HullData> make_hull(const std::vector<Vec3>& points);
TriMesh hull_mesh(const HullData& hull);

}  // namespace pliant
