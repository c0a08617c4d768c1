// Questions to a world about where things are. They change nothing and may be asked between steps.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <pliant/defs.h>
#include <pliant/ids.h>

namespace pliant {

// What a query looks at.
struct QueryFilter {
  std::uint32_t groups = 0xffffffffu;  // bits: things in one of these groups
  bool bodies = true, cloths = true, solids = true;
  bool sensors = false;
  std::span<const AnyId> ignore{};
};

struct RayHit {
  AnyId thing{};
  double distance = 0;              // m, along the ray
  Vec3 point{}, normal{};           // m; unit, out of the surface
  std::int32_t triangle = -1;       // of a cloth or of a solid's surface
  std::array<double, 3> weights{};  // where on it
};
// Of a shape that moves.
struct CastHit {
  AnyId thing{};
  double share = 0;        // of the motion until it touches; 0 = it overlaps where it begins
  Vec3 point{}, normal{};  // m; unit, from the thing to the shape
};
struct ClosestPoint {
  AnyId thing{};
  double distance = 0;  // m; negative inside a rigid body
  Vec3 point{};         // m, of its surface
};

// Two solids in each other.
struct SolidOverlap {
  SolidId a, b;      // in order of their making
  double depth = 0;  // m, how deep the surface of one is in the other
};

// A vertex of a solid in a solid.
struct Penetration {
  std::int32_t vertex = -1;  // in the user's order
  SolidId into{};
  Vec3 point{};      // m, where it was
  Vec3 direction{};  // unit, the way out; none where the depth is 0
  double depth = 0;  // m
};

// How a thing is dragged by the point where a ray met it.
struct DragDef {
  double stiffness = 0;  // N/m; 0 = it follows as well as it can
  double max_force = 0;  // N; 0 = no limit
};

}  // namespace pliant
