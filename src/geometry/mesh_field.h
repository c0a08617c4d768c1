// Distances from a mesh at the middles of the cells of a grid. A distance changes by no more than
// one goes, so that each bounds those of all points near it: most points that are asked about need
// no search for the nearest triangle, and the others know where to stop. Answers do not depend on
// it, only the time.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/triangle_tree.h"

namespace pliant {

// Points that lie together: members [first, first + count) of a list of them.
struct PointGroup {
  Vec3 centre;
  double radius = 0;  // m
  std::int32_t first = 0, count = 0;
};
struct PointGroups {
  std::vector<PointGroup> groups;
  std::vector<std::int32_t> members;  // points, each once
};

class MeshField {
 public:
  // How far a point is from the mesh, at least and at most (m), and on which side: 1 outside of a
  // closed mesh, -1 inside, 0 where that is not known.
  struct Bounds {
    double least = 0, most = 1e150;
    int side = 0;
    std::int32_t cell = -1;  // that the point is in; -1: none
    double away = 0;         // m, from its middle, and a little more
  };

  MeshField() = default;
  MeshField(const TriMesh& mesh, const TriangleTree& tree, bool closed);

  bool empty() const { return distance_.empty(); }
  // Of all points within `radius` of p.
  Bounds around(const Vec3& p, double radius) const;
  // What `tree.nearest` gives, from the bounds of p.
  NearestOnMesh nearest(const TriangleTree& tree, const Vec3& p, const Bounds& bounds) const;

 private:
  std::size_t cell_of(const Vec3& p, Vec3& middle) const;
  void list_triangles(const TriangleTree& tree);

  Vec3 low_;
  double cell_ = 1;  // m
  double per_cell_ = 1;
  double slack_ = 0;  // m, of what is kept as float
  std::int32_t count_[3]{};
  bool closed_ = false;
  std::vector<float> distance_;        // m, negative inside
  std::vector<std::int32_t> first_;    // of each cell, in the list below
  std::vector<DistantTriangle> near_;  // all that may be the nearest of a point of the cell
};

// Groups of at most sixteen.
PointGroups group_points(const std::vector<Vec3>& points);

}  // namespace pliant
