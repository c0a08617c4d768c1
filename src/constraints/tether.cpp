#include "constraints/tether.h"

#include "constraints/guards.h"

namespace pliant {

void refresh_bases(std::span<TetherBatch> batches, const Vec4* base) {
  for (TetherBatch& b : batches)
    b.base = gather(base, b.i.data()).xyz() - gather(base, b.pin.data()).xyz();
}

void project(std::span<const TetherBatch> batches, Vec4* d) {
  for (const TetherBatch& b : batches) {
    Vec4W di = gather(d, b.i.data());
    const Vec3W x = b.base + (di.xyz() - gather(d, b.pin.data()).xyz());
    const RealW length_sq = dot(x, x);
    const MaskW taut = length_sq > b.limit * b.limit;
    if (!any(taut)) continue;
    const RealW s = select(taut, b.limit / max(sqrt(length_sq), splat(k_tiny)) - 1, splat(0));
    di.x += s * x.x;
    di.y += s * x.y;
    di.z += s * x.z;
    scatter(d, b.i.data(), di);
  }
}

}  // namespace pliant
