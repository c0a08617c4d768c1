// How deep closed surfaces are in each other: what contacts that keep apart what was apart have to
// know before they begin.
//
//   of a in b: the greatest distance from the surface of b, of the vertices of a that are inside b
//   and of the middles of the pieces of its edges that are. So also of edges that pass through
//   without an end inside; and of some points within a, for two in the same place have nothing of
//   their surfaces in each other. 0 where nothing is.
//
// Inside is where a ray leaves the surface an odd number of times.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <pliant/mesh.h>

#include "geometry/box_tree.h"

namespace pliant {

// A closed surface where it is now; `boxes` and `tree` are made by `make_tree`.
struct PlacedSurface {
  std::vector<Vec3> x;  // m
  std::span<const Triangle> triangles;
  std::span<const std::array<std::int32_t, 2>> edges;
  std::vector<Vec3> inner;  // m, points that are likely within; those that are not do not count
  TreeBox box;              // of x
  std::vector<TreeBox> boxes;
  BoxTree tree;
};
void make_box(PlacedSurface& surface);
void make_tree(PlacedSurface& surface);

bool is_inside(const PlacedSurface& surface, const Vec3& p);
double distance_to(const PlacedSurface& surface, const Vec3& p);  // m

// Of `a` in `b`, which have their trees. More than `enough` (m) is not told apart from it. `memory`
// is for the inside.
double depth_in(const PlacedSurface& a, const PlacedSurface& b, double enough,
                std::vector<double>& memory);

}  // namespace pliant
