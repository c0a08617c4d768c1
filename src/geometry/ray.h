// Where a ray first meets the surface of a shape: closed forms, planes of hulls, the tree of a
// mesh, advancement for shapes that are known by their support points. A ray that begins inside a
// solid meets its surface from within, where it leaves; each part of a compound has its own
// surface.
#pragma once

#include <array>
#include <optional>

#include "geometry/shape_distance.h"

namespace pliant {

struct Ray {
  Vec3 from;          // m
  Vec3 direction;     // unit
  double length = 0;  // m
};
struct RayMeeting {
  double distance = 0;         // m, along the ray
  Vec3 normal;                 // unit, out of the solid; of an open surface against the ray
  std::int32_t triangle = -1;  // of a mesh
};

// The ray is in the frame of the shape.
std::optional<RayMeeting> cast_ray(const ShapeNumbers<double>& shape, const Ray& ray);

// Both sides of a triangle. Weights of the corners at the meeting point.
struct TriangleRay {
  double distance = 0;
  std::array<double, 3> weights{};
};
std::optional<TriangleRay> cast_ray(const Vec3& a, const Vec3& b, const Vec3& c, const Ray& ray);

}  // namespace pliant
