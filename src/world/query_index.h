// What queries look at: every body, cloth and solid as it stands now, in a tree of boxes. Made when
// a query asks for it and kept until something moves.
#pragma once

#include <pliant/query.h>
#include <cstdint>
#include <vector>

#include "geometry/box_tree.h"
#include "geometry/ray.h"
#include "geometry/shape_data.h"
#include "geometry/shape_gap.h"

namespace pliant {

// The triangles of a cloth or of a solid's surface.
struct QuerySurface {
  std::uint64_t moment = 0;    // for which the rest was made
  std::uint64_t topology = 0;  // for which the tree was made
  ShapeData data;              // the mesh alone
  std::vector<TreeBox> boxes;
  BoxTree tree;
  bool closed = false;  // has an inside
};

struct QueryThing {
  AnyId id;
  std::uint32_t key = 0;      // creation order
  std::int32_t node = 0;      // rigid bodies, then deformables
  std::int32_t surface = -1;  // of a cloth or solid
  bool sensor = false;
  Filter filter;
  ShapePlace place;  // of a rigid body
};

struct QueryIndex {
  std::uint64_t moment = 0;    // counts how often the world has moved
  std::uint64_t topology = 0;  // counts how often things have come, gone or changed
  std::uint64_t made = ~0ull;  // the moment for which the rest was made
  std::uint64_t listed = ~0ull;
  std::vector<QueryThing> things;
  std::vector<TreeBox> boxes;                  // beside them
  BoxTree tree;                                // without half-spaces
  std::vector<std::int32_t> in_tree, endless;  // places in `things`
  std::vector<TreeBox> tree_boxes;
  std::vector<QuerySurface> surfaces;
  std::vector<std::int32_t> found;             // of the last search
  std::vector<const QueryThing*> near_sensor;  // of the last sensor
};

// The first triangle that a ray meets.
std::optional<RayHit> cast_ray(const QuerySurface& surface, const Ray& ray);
bool is_inside(const QuerySurface& surface, const Vec3& p);
bool overlaps(const QuerySurface& surface, const ShapePlace& probe);
std::optional<ShapeTouch> first_touch(const ShapePlace& probe, const Vec3& motion,
                                      const QuerySurface& surface, double most);
// Within `reach`.
std::optional<ClosestPoint> closest(const QuerySurface& surface, const Vec3& p, double reach);

}  // namespace pliant
