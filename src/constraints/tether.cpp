#include "constraints/tether.h"

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {

namespace {

Vec3W broadcast(const Vec4& v) { return {splat(v.x), splat(v.y), splat(v.z)}; }

}  // namespace

void project(std::span<const TetherBatch> batches, const Vec4* base, Vec4* d) {
  for (const TetherBatch& b : batches) {
    Vec4W di = gather(d, b.i.data());
    const Vec3W apart = gather(base, b.i.data()).xyz() - broadcast(base[b.pin]);
    const Vec3W x = apart + (di.xyz() - broadcast(d[b.pin]));
    const RealW length_sq = dot(x, x);
    const MaskW taut = length_sq > b.limit * b.limit;
    if (!any(taut)) continue;
    const RealW s = select(taut, b.limit / max(sqrt(length_sq), splat(k_tiny)) - 1, splat(0));
    shift(di, s, x);
    if (b.used == 0xff)
      scatter(d, b.i.data(), di);
    else
      scatter_lanes(d, b.i.data(), di, b.used);
  }
}

}  // namespace pliant
