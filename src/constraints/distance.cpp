#include "constraints/distance.h"

#include <algorithm>

#include "constraints/guards.h"

namespace pliant {

void refresh_bases(std::span<DistanceBatch> batches, const Vec4* base) {
  for (DistanceBatch& b : batches)
    b.base = gather(base, b.j.data()).xyz() - gather(base, b.i.data()).xyz();
}

namespace {

template <bool keeps_multiplier>
void sweep(std::span<const DistanceBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const DistanceBatch& b = batches[n];
    Vec4W di = gather(d, b.i.data()), dj = gather(d, b.j.data());
    const Vec3W x = b.base + (dj.xyz() - di.xyz());
    const RealW length = sqrt(dot(x, x));
    const RealW a = b.compliance * inv_h_sq;
    RealW c = length - b.rest;
    if constexpr (keeps_multiplier) c += a * multipliers[n];
    // dlam / |x|, so that one division serves both.
    const RealW s = -c / max((di.w + dj.w + a) * length, splat(k_tiny));
    if constexpr (keeps_multiplier) multipliers[n] += s * length;
    const RealW si = s * di.w, sj = s * dj.w;
    di.x -= si * x.x;
    di.y -= si * x.y;
    di.z -= si * x.z;
    dj.x += sj * x.x;
    dj.y += sj * x.y;
    dj.z += sj * x.z;
    scatter(d, b.i.data(), di);
    scatter(d, b.j.data(), dj);
  }
}

}  // namespace

void project(std::span<const DistanceBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq) {
  if (multipliers == nullptr)
    sweep<false>(batches, nullptr, d, inv_h_sq);
  else
    sweep<true>(batches, multipliers, d, inv_h_sq);
}

double energy(std::span<const DistanceBatch> batches, const Vec4* d) {
  double sum = 0;
  for (const DistanceBatch& b : batches) {
    const Vec3W x = b.base + (gather(d, b.j.data()).xyz() - gather(d, b.i.data()).xyz());
    const RealW c = sqrt(dot(x, x)) - b.rest;
    for (int k = 0; k < k_lanes; ++k)
      if (b.compliance[k] > 0) sum += 0.5 * double(c[k]) * double(c[k]) / double(b.compliance[k]);
  }
  return sum;
}

Stretch measure_stretch_of(std::span<const DistanceBatch> batches, const Vec4* d) {
  Stretch stretch{0, 0};
  int count = 0;
  for (const DistanceBatch& b : batches) {
    const Vec3W x = b.base + (gather(d, b.j.data()).xyz() - gather(d, b.i.data()).xyz());
    const RealW ratio = sqrt(dot(x, x)) / max(b.rest, splat(k_tiny));
    for (int k = 0; k < k_lanes; ++k) {
      if (b.rest[k] <= 0) continue;
      stretch.max = std::max(stretch.max, double(ratio[k]));
      stretch.mean += double(ratio[k]);
      ++count;
    }
  }
  if (count == 0) return {};
  stretch.mean /= count;
  return stretch;
}

}  // namespace pliant
