// Convex bodies as corners and planes, and how deep two bodies of any kind overlap.
#pragma once

#include <memory>
#include <vector>

#include <pliant/defs.h>

namespace pliant::bench {

struct Polytope {
  struct Plane {
    Vec3 normal;        // unit, outward
    double offset = 0;  // m: n . x <= offset inside
  };
  std::vector<Vec3> corners;  // m
  std::vector<Plane> planes;
};

// Of a hull, or of a closed mesh that is convex.
Polytope make_polytope(const Shape& shape);
double polytope_volume(const Polytope& p);  // m3
TriMesh polytope_mesh(const Polytope& p);   // its faces as fans of triangles, outward
// How deep the deepest corner of one is in the other (m).
double polytope_depth(const Polytope& a, const Transform& pose_a, const Polytope& b,
                      const Transform& pose_b);

// Depths of pairs of bodies; makes polytopes once for bodies that follow each other and are alike.
class DepthMeter {
 public:
  explicit DepthMeter(const std::vector<BodyDef>& bodies);
  double depth(std::size_t a, const Transform& pose_a, std::size_t b,
               const Transform& pose_b) const;

 private:
  const std::vector<BodyDef>& bodies_;
  std::vector<std::shared_ptr<const Polytope>> polytopes_;  // null of the other shapes
};

}  // namespace pliant::bench
