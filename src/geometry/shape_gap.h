// Any two shapes that stand in the world, taken apart into convex parts, triangles and half-spaces:
// whether they overlap, and where one that moves without turning first touches the other.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "geometry/box_tree.h"
#include "geometry/shape_distance.h"

namespace pliant {

struct ShapePlace {
  ShapeNumbers<double> shape;
  Mat3 axes;    // rows are the shape's axes in the world
  Vec3 centre;  // m, of its origin
};
ShapePlace place_shape(const ShapeNumbers<double>& shape, const Transform& pose);

// Holds the shape; endless for a half-space.
TreeBox box_around(const ShapePlace& place);

// Solids as solids, open meshes as surfaces. Shapes that touch need not count.
bool shapes_overlap(const ShapePlace& a, const ShapePlace& b);

struct ShapeTouch {
  double share = 0;  // of the motion
  Vec3 point;        // m, on b
  Vec3 normal;       // unit, from b to a
};
// Where a first touches b when it moves by `motion`, before `most` of it; by conservative
// advancement of each convex pair. Overlap where it begins gives 0.
std::optional<ShapeTouch> first_touch(const ShapePlace& a, const Vec3& motion, const ShapePlace& b,
                                      double most);

// A convex shape, of which a mesh or a compound has many.
using Pieces = std::vector<ShapePlace>;
// Appends the convex shapes and half-spaces that it is made of, of a mesh the triangles in the box.
void collect_pieces(const ShapePlace& place, const TreeBox& within, Pieces& out);
bool pieces_overlap(const ShapePlace& a, const ShapePlace& b);
std::optional<ShapeTouch> piece_touch(const ShapePlace& a, const Vec3& motion, const ShapePlace& b,
                                      double most);
// A point of the shape's inside, or of an open surface.
Vec3 inner_point(const ShapePlace& place);

}  // namespace pliant
