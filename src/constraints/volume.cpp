#include "constraints/volume.h"

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

struct Edges {
  Vec3W e1, e2, e3;
};

Edges edges(const VolumeBatch& b, const Vec4W (&x)[4]) {
  const Vec3W x0 = x[0].xyz();
  return {b.base[0] + (x[1].xyz() - x0), b.base[1] + (x[2].xyz() - x0),
          b.base[2] + (x[3].xyz() - x0)};
}

}  // namespace

void refresh_bases(std::span<VolumeBatch> batches, const Vec4* base) {
  for (VolumeBatch& b : batches) {
    const Vec3W x0 = gather(base, b.i[0].data()).xyz();
    for (std::size_t n = 0; n < 3; ++n) b.base[n] = gather(base, b.i[n + 1].data()).xyz() - x0;
  }
}

void project(std::span<const VolumeBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const VolumeBatch& b = batches[n];
    Vec4W x[4];
    for (std::size_t m = 0; m < 4; ++m) x[m] = gather(d, b.i[m].data());
    const Edges e = edges(b, x);
    const Vec3W g1 = cross(e.e2, e.e3), g2 = cross(e.e3, e.e1), g3 = cross(e.e1, e.e2);
    const Vec3W g0 = -(g1 + g2 + g3);
    const RealW a = b.compliance * inv_h_sq;
    RealW c = dot(e.e1, g1) - b.rest;
    if (multipliers != nullptr) c += a * multipliers[n];
    const RealW denominator = x[0].w * dot(g0, g0) + x[1].w * dot(g1, g1) + x[2].w * dot(g2, g2) +
                              x[3].w * dot(g3, g3) + a;
    const RealW dlam = -c / max(denominator, splat(k_tiny));
    if (multipliers != nullptr) multipliers[n] += dlam;
    shift(x[0], dlam * x[0].w, g0);
    shift(x[1], dlam * x[1].w, g1);
    shift(x[2], dlam * x[2].w, g2);
    shift(x[3], dlam * x[3].w, g3);
    for (std::size_t m = 0; m < 4; ++m) scatter(d, b.i[m].data(), x[m]);
  }
}

double energy(std::span<const VolumeBatch> batches, const Vec4* d) {
  double sum = 0;
  for (const VolumeBatch& b : batches) {
    Vec4W x[4];
    for (std::size_t m = 0; m < 4; ++m) x[m] = gather(d, b.i[m].data());
    const Edges e = edges(b, x);
    const RealW c = dot(e.e1, cross(e.e2, e.e3)) - b.rest;
    for (int k = 0; k < k_lanes; ++k)
      if (b.compliance[k] > 0) sum += 0.5 * double(c[k]) * double(c[k]) / double(b.compliance[k]);
  }
  return sum;
}

}  // namespace pliant
