// Definitions of anchors, which hold two points together, and of seams, which sew cloths.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <pliant/ids.h>
#include <pliant/math.h>

namespace pliant {

struct WorldPoint {
  Vec3 position{};
};
struct BodyPoint {
  BodyId body{};
  Vec3 local{};  // m, in the body's frame
};
// A vertex of a cloth or of a solid, in the user's numbering.
struct ClothVertex {
  ClothId cloth{};
  std::int32_t vertex = 0;
};
struct SolidVertex {
  SolidId solid{};
  std::int32_t vertex = 0;
};
// A point of a triangle of a cloth, by its barycentric coordinates, which add up to 1.
struct ClothTrianglePoint {
  ClothId cloth{};
  std::int32_t triangle = 0;
  std::array<double, 3> weights{1.0 / 3, 1.0 / 3, 1.0 / 3};
};
// A point of a triangle of a solid's surface.
struct SolidTrianglePoint {
  SolidId solid{};
  std::int32_t triangle = 0;
  std::array<double, 3> weights{1.0 / 3, 1.0 / 3, 1.0 / 3};
};
using AnchorPoint = std::variant<WorldPoint, BodyPoint, ClothVertex, SolidVertex,
                                 ClothTrianglePoint, SolidTrianglePoint>;

struct AnchorDef {
  std::string name{};
  AnchorPoint a{};
  AnchorPoint b{};
  double compliance = 0;  // m/N
  double max_force = 0;   // N, with which it pulls at most; 0 = no limit
};

// --- seams
// ----------------------------------------------------------------------------------------
// Vertices of a cloth in the order in which they are sewn: one, the two of an edge, or a run along
// a border (boundary_run and boundary_side in mesh.h list them).
struct SeamSide {
  ClothId cloth{};
  std::vector<std::int32_t> vertices{};
};
// Draws two sides together, of one cloth or of two; vertices that have met become one. Sides of the
// same number of vertices are sewn vertex to vertex in their order. Otherwise those of the longer
// list are sewn to points of the other side's edges, by their share of the length at rest; only
// those that meet a vertex there become one with it. Cloths that are sewn together are one body
// from then on: they must agree in method, schedule (not split), membrane, limits, thickness,
// surface, filter, drag, greatest speed and wind. They go on to meet each other, and each itself if
// it was asked to; by particles all do or none, in one layer.
struct SeamDef {
  std::string name{};
  SeamSide a{};
  SeamSide b{};
  double speed = 0.5;            // m/s, at which the threads are drawn in: the sides come no faster
  double merge_distance = 1e-3;  // m; vertices nearer than this become one; 0 = never
  double compliance = 0;         // m/N, of each stitch until then
  bool bend = true;              // what has become one resists bending out of the plane
};

}  // namespace pliant
