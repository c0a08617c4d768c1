#include "narrowphase/self_near.h"

#include "geometry/closest_point.h"

namespace pliant {
namespace {

constexpr double k_beside = 4;   // cells
constexpr double k_front = 0.3;  // sine of the angle above the triangle's plane

bool share_particle(const DeformableSurface& surface, const SurfaceVertex& v, const Triangle& t) {
  const std::size_t count = surface.direct ? 1 : 4;
  for (const std::int32_t corner : t)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j)
        if (surface.vertices[std::size_t(corner)].particle[i] == v.particle[j]) return true;
  return false;
}

}  // namespace

bool may_meet_itself(const Deformable& solid, std::int32_t vertex, std::int32_t triangle) {
  const DeformableSurface& surface = solid.surface;
  const Triangle& t = surface.triangles[std::size_t(triangle)];
  if (share_particle(surface, surface.vertices[std::size_t(vertex)], t)) return false;
  const Vec3 p = surface.rest[std::size_t(vertex)];
  const Vec3 a = surface.rest[std::size_t(t[0])], b = surface.rest[std::size_t(t[1])],
             c = surface.rest[std::size_t(t[2])];
  const auto w = closest_on_triangle(p, a, b, c);
  const Vec3 away = p - (a * w[0] + b * w[1] + c * w[2]);
  const double distance = length(away);
  if (distance > k_beside * solid.cell) return true;
  return distance > solid.thickness &&
         dot(away, normalized(cross(b - a, c - a))) > k_front * distance;
}

}  // namespace pliant
