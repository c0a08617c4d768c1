#include "constraints/cell_volume.h"

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

struct Sides {
  Vec3W a1, a2, a3, u1, u2, u3;
};

[[gnu::always_inline]] inline Sides sides(const CellVolumeBatch& b, const Vec4W (&x)[8]) {
  const Vec3W m0 = x[0].xyz(), e0 = x[4].xyz();
  return {b.base[0] + (x[1].xyz() - m0), b.base[1] + (x[2].xyz() - m0),
          b.base[2] + (x[3].xyz() - m0), b.base[3] + (e0 - x[5].xyz()),
          b.base[4] + (e0 - x[6].xyz()), b.base[5] + (e0 - x[7].xyz())};
}

// All loops over the corners are unrolled: rolled up, every corner would go through memory twice.
[[gnu::always_inline]] inline void gather_corners(const CellVolumeBatch& b, const Vec4* from,
                                                  Vec4W (&x)[8]) {
#pragma GCC unroll 8
  for (std::size_t n = 0; n < 8; ++n) x[n] = gather_bytes(from, b.at[n].data());
}

}  // namespace

void refresh_bases(std::span<CellVolumeBatch> batches, const Vec4* base) {
  for (CellVolumeBatch& b : batches) {
    Vec4W x[8];
    gather_corners(b, base, x);
    for (std::size_t k = 0; k < 3; ++k) {
      b.base[k] = x[k + 1].xyz() - x[0].xyz();
      b.base[k + 3] = x[4].xyz() - x[k + 5].xyz();
    }
  }
}

void project(std::span<const CellVolumeBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const CellVolumeBatch& b = batches[n];
    Vec4W x[8];
    gather_corners(b, d, x);
    const Sides s = sides(b, x);
    const Vec3W c1 = cross(s.a2, s.a3), c2 = cross(s.a3, s.a1), c3 = cross(s.a1, s.a2);
    const Vec3W g1 = cross(s.u2, s.a3) - cross(s.u3, s.a2);
    const Vec3W g2 = cross(s.u3, s.a1) - cross(s.u1, s.a3);
    const Vec3W g3 = cross(s.u1, s.a2) - cross(s.u2, s.a1);
    const Vec3W gradient[8] = {-(g1 + g2 + g3), g1, g2, g3, c1 + c2 + c3, -c1, -c2, -c3};
    const RealW a = b.compliance * inv_h_sq;
    RealW c = dot(s.u1, c1) + dot(s.u2, c2) + dot(s.u3, c3) - b.rest;
    if (multipliers != nullptr) c += a * multipliers[n];
    RealW denominator = a;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; ++k) denominator += x[k].w * dot(gradient[k], gradient[k]);
    const RealW dlam = -c / max(denominator, splat(k_tiny));
    if (multipliers != nullptr) multipliers[n] += dlam;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; ++k) {
      shift(x[k], dlam * x[k].w, gradient[k]);
      scatter_bytes(d, b.at[k].data(), x[k]);
    }
  }
}

double energy(std::span<const CellVolumeBatch> batches, const Vec4* d) {
  double sum = 0;
  for (const CellVolumeBatch& b : batches) {
    Vec4W x[8];
    gather_corners(b, d, x);
    const Sides s = sides(b, x);
    const RealW c = dot(s.u1, cross(s.a2, s.a3)) + dot(s.u2, cross(s.a3, s.a1)) +
                    dot(s.u3, cross(s.a1, s.a2)) - b.rest;
    for (int k = 0; k < k_lanes; ++k)
      if (b.compliance[k] > 0) sum += 0.5 * double(c[k]) * double(c[k]) / double(b.compliance[k]);
  }
  return sum;
}

}  // namespace pliant
