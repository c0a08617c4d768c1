#include "narrowphase/swept_surface.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace pliant {
namespace {

Real4V place_of(const Particles& particles, std::size_t p) {
  const Real4V xyz{1, 1, 1, 0};
  return load4(&particles.base[p]) + load4(&particles.d[p]) * xyz;
}

SweptBox grown(Real4V low, Real4V high, double by) {
  const Real4V pad{Real(by), Real(by), Real(by), 0};
  const Real4V size = max4(max4(-low, low), max4(-high, high)) * Real(4e-7);
  SweptBox box;
  store4(&box.low, low - pad - size);
  store4(&box.high, high + pad + size);
  return box;
}

double growth(const SweptSurface& swept, const Deformable& body) {
  return swept.slack + 0.5 * body.thickness;
}

}  // namespace

void sweep_surface(const Particles& particles, const Deformable& body, const SearchContext& context,
                   TaskPool* pool, SweptSurface& swept) {
  swept.slack = context.margin + length(context.gravity) * context.dt * context.dt;
  swept.detailed = false;
  swept.longest = 0;
  // Every point of the surface is between particles, so their box holds it.
  const Real far = Real(1e30), dt = Real(context.dt);
  const Real slack = Real(swept.slack);
  const Real4V pad{slack, slack, slack, far}, none{far, far, far, far};
  const std::vector<std::int32_t>& clusters = body.constraints.clusters;
  swept.bounds.resize(std::size_t(body.count));
  swept.clusters.resize(clusters.size() - 1);
  const auto sweep_cluster = [&](std::size_t k) {
    Real4V low = none, high = -none;
    for (std::size_t n = std::size_t(clusters[k]); n < std::size_t(clusters[k + 1]); ++n) {
      const std::size_t p = std::size_t(body.begin) + n;
      const Real4V motion = load4(&particles.velocity[p]) * dt, d = load4(&particles.d[p]);
      const Real4V back = min4(motion, Real4V{}), ahead = max4(motion, Real4V{});
      const Real4V x = place_of(particles, p);
      low = min4(low, x + back);
      high = max4(high, x + ahead);
      store4(&swept.bounds[n].low, d + back - pad);
      store4(&swept.bounds[n].high, d + ahead + pad);
    }
    store4(&swept.clusters[k].low, low);
    store4(&swept.clusters[k].high, high);
  };
  parallel_for(pool, int(swept.clusters.size()), 1, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) sweep_cluster(std::size_t(k));
  });
  Real4V low = none, high = -none;
  for (const SweptBox& box : swept.clusters) {
    low = min4(low, low_of(box));
    high = max4(high, high_of(box));
  }
  swept.all = grown(low, high, growth(swept, body));
}

bool left_sweep(const Particles& particles, const Deformable& body, const SweptSurface& swept,
                TaskPool* pool) {
  const Vec4* d = particles.d.data() + body.begin;
  const std::vector<std::int32_t>& clusters = body.constraints.clusters;
  std::atomic<bool> left = false;
  parallel_for(pool, body.constraints.cluster_count(), 1, [&](int begin, int end) {
    auto outside = Real4V{} > Real4V{};
    for (std::size_t n = std::size_t(clusters[std::size_t(begin)]);
         n < std::size_t(clusters[std::size_t(end)]); ++n) {
      const Real4V x = load4(d + n);
      outside |= (x < low_of(swept.bounds[n])) | (x > high_of(swept.bounds[n]));
    }
    if ((outside[0] | outside[1] | outside[2]) != 0) left.store(true, std::memory_order_relaxed);
  });
  return left;
}

void detail_surface(const Particles& particles, const Deformable& body,
                    const SearchContext& context, SweptSurface& swept) {
  if (swept.detailed) return;
  swept.detailed = true;
  const DeformableSurface& surface = body.surface;
  const Real dt = Real(context.dt);
  swept.vertex.resize(surface.vertices.size());
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    Real4V p{}, q{};
    for (std::size_t n = 0; n < (surface.direct ? 1u : 4u); ++n) {
      const std::size_t particle =
          std::size_t(body.begin) + std::size_t(surface.vertices[v].particle[n]);
      const Real4V x = place_of(particles, particle), u = load4(&particles.velocity[particle]);
      p += x * surface.vertices[v].weight[n];
      q += (x + u * dt) * surface.vertices[v].weight[n];
    }
    swept.vertex[v] = grown(min4(p, q), max4(p, q), growth(swept, body));
  }
  swept.triangle.resize(surface.triangles.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const Triangle& tri = surface.triangles[t];
    const SweptBox &a = swept.vertex[std::size_t(tri[0])], &b = swept.vertex[std::size_t(tri[1])],
                   &c = swept.vertex[std::size_t(tri[2])];
    swept.triangle[t] = around(a, around(b, c));
  }
  swept.sharp.resize(surface.sharp.size());
  for (std::size_t e = 0; e < surface.sharp.size(); ++e)
    swept.sharp[e] = edge_box(swept, surface.sharp[e].vertex);
}

}  // namespace pliant
