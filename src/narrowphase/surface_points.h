// Places on the surfaces of deformable bodies, in double: the particles' base and d summed exactly
// enough.
#pragma once

#include <array>
#include <cstdint>

#include "model/deformable.h"
#include "model/particles.h"

namespace pliant {

// A point of a surface as a weighted sum of world-wide particles.
struct Stencil {
  std::array<std::int32_t, 4> particle{};
  std::array<Real, 4> weight{};
  int count = 0;
};

inline Vec3 place(const Vec4& base, const Vec4& d) {
  return {double(base.x) + double(d.x), double(base.y) + double(d.y), double(base.z) + double(d.z)};
}

// Which of the particles' displacements a place is taken with.
enum class Moment { begin, now };  // of the substep

Stencil vertex_stencil(const Deformable& body, std::int32_t vertex);
// A point of a triangle. On an embedded mesh it is rewritten into the tetrahedron that carries the
// triangle's nearest vertex, so that four particles are enough.
Stencil triangle_stencil(const Deformable& body, std::int32_t triangle,
                         const std::array<double, 3>& weights);
// A point of an edge of that triangle, between its ends from 0 to 1.
Stencil edge_stencil(const Deformable& body, const std::array<std::int32_t, 2>& ends,
                     std::int32_t triangle, double along);
Vec3 stencil_place(const Particles& particles, const Stencil& stencil, Moment moment);
Vec3 stencil_velocity(const Particles& particles, const Stencil& stencil);

}  // namespace pliant
