#include "narrowphase/surface_points.h"

namespace pliant {

Stencil vertex_stencil(const Deformable& body, std::int32_t vertex) {
  const SurfaceVertex& v = body.surface.vertices[std::size_t(vertex)];
  Stencil stencil;
  stencil.count = body.surface.direct ? 1 : 4;
  for (std::size_t n = 0; n < std::size_t(stencil.count); ++n) {
    stencil.particle[n] = body.begin + v.particle[n];
    stencil.weight[n] = v.weight[n];
  }
  return stencil;
}

Stencil triangle_stencil(const Deformable& body, std::int32_t triangle,
                         const std::array<double, 3>& weights) {
  const DeformableSurface& surface = body.surface;
  const Triangle& t = surface.triangles[std::size_t(triangle)];
  Stencil stencil;
  if (surface.direct) {
    stencil.count = 3;
    for (std::size_t n = 0; n < 3; ++n) {
      stencil.particle[n] = body.begin + surface.vertices[std::size_t(t[n])].particle[0];
      stencil.weight[n] = Real(weights[n]);
    }
    return stencil;
  }
  std::size_t nearest = weights[1] > weights[0] ? 1 : 0;
  if (weights[2] > weights[nearest]) nearest = 2;
  const std::size_t carrier = std::size_t(t[nearest]);
  Vec3 rest;
  for (std::size_t n = 0; n < 3; ++n) rest += surface.rest[std::size_t(t[n])] * weights[n];
  const Vec3 b = surface.tet_inverse[carrier] * (rest - surface.tet_origin[carrier]);
  const std::array<double, 4> barycentric{1 - b.x - b.y - b.z, b.x, b.y, b.z};
  stencil.count = 4;
  for (std::size_t n = 0; n < 4; ++n) {
    stencil.particle[n] = body.begin + surface.vertices[carrier].particle[n];
    stencil.weight[n] = Real(barycentric[n]);
  }
  return stencil;
}

Stencil edge_stencil(const Deformable& body, const std::array<std::int32_t, 2>& ends,
                     std::int32_t triangle, double along) {
  if (body.surface.direct) {
    Stencil stencil;
    stencil.count = 2;
    for (std::size_t n = 0; n < 2; ++n) {
      stencil.particle[n] = body.begin + body.surface.vertices[std::size_t(ends[n])].particle[0];
      stencil.weight[n] = Real(n == 0 ? 1 - along : along);
    }
    return stencil;
  }
  std::array<double, 3> weights{};
  for (std::size_t n = 0; n < 3; ++n) {
    const std::int32_t v = body.surface.triangles[std::size_t(triangle)][n];
    weights[n] = v == ends[0] ? 1 - along : v == ends[1] ? along : 0;
  }
  return triangle_stencil(body, triangle, weights);
}

Vec3 stencil_place(const Particles& particles, const Stencil& stencil, Moment moment) {
  const std::vector<Vec4>& d = moment == Moment::now ? particles.d : particles.d_before;
  Vec3 sum;
  for (std::size_t n = 0; n < std::size_t(stencil.count); ++n) {
    const std::size_t p = std::size_t(stencil.particle[n]);
    sum += place(particles.base[p], d[p]) * double(stencil.weight[n]);
  }
  return sum;
}

Vec3 stencil_velocity(const Particles& particles, const Stencil& stencil) {
  Vec3 sum;
  for (std::size_t n = 0; n < std::size_t(stencil.count); ++n) {
    const Vec4& v = particles.velocity[std::size_t(stencil.particle[n])];
    sum += Vec3{double(v.x), double(v.y), double(v.z)} * double(stencil.weight[n]);
  }
  return sum;
}

}  // namespace pliant
