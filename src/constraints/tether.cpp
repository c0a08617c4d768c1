#include "constraints/tether.h"

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {

namespace {

[[gnu::always_inline]] inline Vec4W gather_beyond(
    const Vec4* first, const std::array<std::uint16_t, k_lanes>& beyond) {
  return gather_rows([&](int k) { return load4(first + beyond[std::size_t(k)]); });
}
Vec3W broadcast(const Vec4& v) { return {splat(v.x), splat(v.y), splat(v.z)}; }

}  // namespace

void project(std::span<const TetherBatch> batches, const Vec4* base, Vec4* d) {
  for (const TetherBatch& b : batches) {
    Vec4W di = gather_beyond(d + b.first, b.beyond);
    const Vec3W apart = gather_beyond(base + b.first, b.beyond).xyz() - broadcast(base[b.pin]);
    const Vec3W x = apart + (di.xyz() - broadcast(d[b.pin]));
    const RealW length_sq = dot(x, x), limit = load_wide(b.limit.data());
    const MaskW taut = length_sq > limit * limit;
    if (!any(taut)) continue;
    const RealW s = select(taut, limit / max(sqrt(length_sq), splat(k_tiny)) - 1, splat(0));
    shift(di, s, x);
    const Lanes lanes = lanes_of(b);
    if (b.used == 0xff)
      scatter(d, lanes.data(), di);
    else
      scatter_lanes(d, lanes.data(), di, b.used);
  }
}

}  // namespace pliant
