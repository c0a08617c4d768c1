// Which distances the particles of a cloth keep from each other; model/self_particles.h has why.
#pragma once

#include <pliant/mesh.h>
#include <span>

#include "model/deformable.h"

namespace pliant {

// A triangle by its particles, and what it is at rest: corners that are one particle may be at
// different places in two of them.
struct SelfTriangle {
  Triangle particle{};
  double q = 0;  // m2, squared radius of the smallest circle around it
};
double circle_around_sq(const Vec3& a, const Vec3& b, const Vec3& c);

// `rest`: of each particle, m; there may be fewer, and none of the others is in a triangle.
SelfParticles make_self_particles(std::int32_t count, std::span<const SelfTriangle> triangles,
                                  std::span<const Vec4> rest, double thickness);
// Marks the particles at and next to open seams; `at` has the numbers of those at them, 0 = at
// none.
void mark_open_seams(const DeformableSurface& surface, std::span<const std::int32_t> at,
                     SelfParticles& body);

}  // namespace pliant
