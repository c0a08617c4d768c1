// How deep shapes and solids are inside each other, from positions alone and exact. This is the
// benchmarks' own geometry: it shares nothing with any engine it judges.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <pliant/defs.h>
#include <pliant/mesh.h>

namespace pliant::bench {

// The shortest translation that separates the two (m); 0 where they do not overlap. Spheres, boxes,
// half-spaces, capsules and spheres on rectangles; a capsule and a box at eleven points of the
// capsule's axis. Others are 0 here: see polytope.h.
double shape_depth(const Shape& a, const Transform& pose_a, const Shape& b,
                   const Transform& pose_b);
// Whether it is measured, here or by DepthMeter.
bool has_depth(const Shape& shape);

double distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);
bool inside_tetrahedron(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Finds how deep points are below the surface of a deformed tetrahedral mesh: a uniform grid of the
// tetrahedra's boxes answers whether a point is inside any of them.
class SolidDepth {
 public:
  explicit SolidDepth(const TetMesh& mesh);
  void update(const std::vector<Vec3>& positions);
  bool near(const Vec3& p) const;     // inside the box around the solid
  double depth(const Vec3& p) const;  // m to the nearest surface triangle; 0 outside

 private:
  std::array<int, 3> cell_of(const Vec3& p) const;
  bool inside(const Vec3& p) const;

  std::vector<Tetrahedron> tetrahedra_;
  std::vector<Triangle> surface_;
  std::vector<Vec3> positions_;
  Vec3 low_, high_;
  int cells_ = 1;                     // along each axis
  std::vector<std::int32_t> starts_;  // of each cell's tetrahedra in items_
  std::vector<std::int32_t> items_;
};

}  // namespace pliant::bench
