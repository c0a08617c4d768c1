// What shapes hold besides their numbers: made once, never changed, shared.
#pragma once

#include <memory>
#include <vector>

#include "geometry/hull.h"
#include "geometry/mesh_field.h"
#include "geometry/shape_distance.h"
#include "geometry/triangle_tree.h"

namespace pliant {

struct ShapePart {
  ShapeNumbers<double> shape;
  Vec3 position;     // m, in the frame of the whole
  Mat3 axes;         // rows are the part's axes there
  double reach = 0;  // m, from `position`; infinite for a half-space
};

struct ShapeData {
  HullData hull;

  // Of a compound, those inside it resolved into their parts.
  std::vector<ShapePart> parts;
  std::vector<std::shared_ptr<const ShapeData>> kept;  // what the parts point to

  // Of a mesh.
  TriMesh mesh;
  TriangleTree tree;
  bool closed = false;
  bool solid_below = false;   // open, but met from the side of its normals alone
  std::vector<Vec3> samples;  // points of its surface: where it looks for other meshes
  PointGroups groups;         // of them
  MeshField field;            // empty but of bodies: see with_field
  std::shared_ptr<const DistanceFunction> distance;  // of a user's shape

  std::shared_ptr<const SupportFunction> support;
  Vec3 origin;  // of the user's functions, as seen from the frame of the shape
};

// The same with the grid of distances of a mesh, which is worth its time where it is asked often.
std::shared_ptr<const ShapeData> with_field(const std::shared_ptr<const ShapeData>& data);
// Whether both are the same mesh in the same frame, so that one does for both.
bool same_mesh(const ShapeData& a, const ShapeData& b);

// By make_convex; see there for `origin`.
ConvexShape make_data_shape(const Hull& hull, const Vec3& origin);
ConvexShape make_data_shape(const Mesh& mesh, const Vec3& origin);
ConvexShape make_data_shape(const HeightField& field, const Vec3& origin);
ConvexShape make_data_shape(const Compound& compound, const Vec3& origin);
ConvexShape make_data_shape(const UserShape& user, const Vec3& origin);

}  // namespace pliant
