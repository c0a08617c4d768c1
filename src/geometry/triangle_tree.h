// A tree of boxes over the triangles of a mesh: which of them meet a box, and which is nearest to a
// point, with the side on which the point is. Answers do not depend on the shape of the tree.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

struct NearestOnMesh {
  std::int32_t triangle = -1;
  Vec3 point;           // of the mesh
  double distance = 0;  // m, never negative
  bool behind = false;  // on the side that the normals point away from
};

// A triangle, and how far it is from a place at least.
struct DistantTriangle {
  float distance = 0;  // m
  std::int32_t triangle = -1;
};

struct MeshRay {
  std::int32_t triangle = -1;
  double distance = 0;  // m
};

class TriangleTree {
 public:
  TriangleTree() = default;
  explicit TriangleTree(const TriMesh& mesh);

  // Appends the triangles whose boxes meet the box, rising.
  void overlapping(const Vec3& low, const Vec3& high, std::vector<std::int32_t>& out) const;
  // Of equally near ones the first. `behind` is right where the mesh is closed; elsewhere it says
  // on which side of the nearest part of it the point is.
  NearestOnMesh nearest(const Vec3& p) const;
  // The same, sooner, where the distance is known to be less than `bound` (m).
  NearestOnMesh nearest(const Vec3& p, double bound) const;
  // The same of triangles that a search around a place has found, the point being no further away
  // from that than `away` (m).
  NearestOnMesh nearest(const Vec3& p, std::span<const DistantTriangle> triangles,
                        double away) const;
  // Appends the triangles that are no further from a point (m), by their distance.
  void within(const Vec3& p, double distance, std::vector<DistantTriangle>& out) const;
  // The first triangle that a ray meets, from either side; of equally near ones the first.
  MeshRay along(const Vec3& from, const Vec3& direction, double length) const;
  const Vec3& normal(std::int32_t triangle) const { return normals_[std::size_t(triangle)]; }
  // Whether the mesh ends at edge k (from corner k to the next) or bends away from the viewer, who
  // is in front of the triangle or behind it.
  bool sharp(std::int32_t triangle, int k, bool front) const {
    const std::int8_t bend = bend_[std::size_t(3 * triangle + k)];
    return bend == 2 || bend == (front ? -1 : 1);
  }

 private:
  struct Node {
    Vec3 low, high;
    std::int32_t first = 0, count = 0;  // count > 0: a leaf with items [first, first + count)
    std::int32_t right = 0;             // the other child follows its parent
  };
  std::int32_t build(std::int32_t first, std::int32_t count);
  // The best so far.
  struct Search {
    NearestOnMesh best;
    double square;    // m2
    double distance;  // m, its root
    std::array<double, 3> weights{};
  };
  // Every point of the triangle is within the radius of the middle.
  struct Ball {
    Vec3 middle;
    double radius = 0;  // m
  };
  void measure_corners();
  void try_one(std::int32_t triangle, const Vec3& p, Search& search) const;
  void look(std::int32_t node, const Vec3& p, Search& search) const;
  NearestOnMesh finish(const Vec3& p, Search& search) const;

  std::vector<Vec3> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<std::int32_t> items_;
  std::vector<Node> nodes_;
  std::vector<Ball> balls_;           // of triangles
  std::vector<Vec3> normals_;         // of triangles
  std::vector<Vec3> edge_normals_;    // sum of the two triangles', for each triangle and edge
  std::vector<Vec3> vertex_normals_;  // weighted by angle (Baerentzen and Aanaes 2005)
  std::vector<std::int8_t> bend_;     // -1 away from the normals, 0 flat, 1 towards them, 2 border
};

}  // namespace pliant
