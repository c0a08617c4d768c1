#include "constraints/bend.h"

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

// The four are always inlined: through memory a projection would take half as many instructions
// more.

// sum K_i x_i = sum K_i (x_i - x_0): differences keep the digits.
[[gnu::always_inline]] inline Vec3W weighted(const BendBatch& b, const Vec4W (&x)[4]) {
  const Vec3W x0 = x[0].xyz();
  return b.k[1] * (x[1].xyz() - x0) + b.k[2] * (x[2].xyz() - x0) + b.k[3] * (x[3].xyz() - x0);
}

[[gnu::always_inline]] inline void gather_all(const BendBatch& b, const Vec4* array,
                                              Vec4W (&x)[4]) {
#pragma GCC unroll 4
  for (std::size_t n = 0; n < 4; ++n) x[n] = gather_bytes(array, b.at[n].data());
}

[[gnu::always_inline]] inline RealW weight_of(const BendBatch& b, const Vec4W (&x)[4]) {
  RealW weight = splat(0);
  for (std::size_t m = 0; m < 4; ++m) weight += x[m].w * b.k[m] * b.k[m];
  return weight;
}

[[gnu::always_inline]] inline void move_all(const BendBatch& b, const Vec3W& dlam, Vec4W (&x)[4],
                                            Vec4* d) {
#pragma GCC unroll 4
  for (std::size_t m = 0; m < 4; ++m) {
    shift(x[m], x[m].w * b.k[m], dlam);
    scatter_bytes(d, b.at[m].data(), x[m]);
  }
}

}  // namespace

void refresh_bases(std::span<BendBatch> batches, const Vec4* base) {
  for (BendBatch& b : batches) {
    Vec4W x[4];
    gather_all(b, base, x);
    b.base = weighted(b, x);
  }
}

void project(std::span<const BendBatch> batches, Vec3W* multipliers, Vec4* d, Real inv_h_sq) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const BendBatch& b = batches[n];
    Vec4W x[4];
    gather_all(b, d, x);
    const RealW a = b.compliance * inv_h_sq;
    Vec3W c = b.base + weighted(b, x);
    if (multipliers != nullptr) c = c + a * multipliers[n];
    const Vec3W dlam = c * (splat(-1) / max(weight_of(b, x) + a, splat(k_tiny)));
    if (multipliers != nullptr) multipliers[n] = multipliers[n] + dlam;
    move_all(b, dlam, x, d);
  }
}

void project_pbd(std::span<const BendBatch> batches, Vec4* d, Real stiffness) {
  for (const BendBatch& b : batches) {
    Vec4W x[4];
    gather_all(b, d, x);
    const Vec3W c = b.base + weighted(b, x);
    move_all(b, c * (splat(-stiffness) / max(weight_of(b, x), splat(k_tiny))), x, d);
  }
}

double energy(std::span<const BendBatch> batches, const Vec4* d) {
  double sum = 0;
  for (const BendBatch& b : batches) {
    Vec4W x[4];
    gather_all(b, d, x);
    const Vec3W c = b.base + weighted(b, x);
    const RealW c_sq = dot(c, c);
    for (int k = 0; k < k_lanes; ++k)
      if (b.compliance[k] > 0) sum += 0.5 * double(c_sq[k]) / double(b.compliance[k]);
  }
  return sum;
}

}  // namespace pliant
