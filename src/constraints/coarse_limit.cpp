#include "constraints/coarse_limit.h"

#include <span>

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

// Returns whether any limit was exceeded.
bool sweep(std::span<const DistanceBatch> batches, Vec4* d) {
  bool moved = false;
  for (const DistanceBatch& b : batches) {
    Vec4W di = gather(d, b.i.data()), dj = gather(d, b.j.data());
    const Vec3W x = b.base + (dj.xyz() - di.xyz());
    const RealW length_sq = dot(x, x);
    const MaskW taut = length_sq > b.rest * b.rest;
    if (!any(taut)) continue;
    moved = true;
    const RealW length = sqrt(length_sq);
    const RealW s =
        select(taut, (b.rest - length) / max((di.w + dj.w) * length, splat(k_tiny)), splat(0));
    shift_apart(di, dj, s, x);
    scatter(d, b.i.data(), di);
    scatter(d, b.j.data(), dj);
  }
  return moved;
}

}  // namespace

void refresh_bases(CoarseLevel& level, const Vec4* base) {
  const auto node_base = [&](std::int32_t node) {
    return std::size_t(node) < level.particle.size() ? base[level.particle[std::size_t(node)]]
                                                     : Vec4{};
  };
  for (DistanceBatch& b : level.limit)
    for (int lane = 0; lane < k_lanes; ++lane) {
      const Vec4 i = node_base(b.i[std::size_t(lane)]), j = node_base(b.j[std::size_t(lane)]);
      b.base.x[lane] = j.x - i.x;
      b.base.y[lane] = j.y - i.y;
      b.base.z[lane] = j.z - i.z;
    }
}

bool project(CoarseLevel& level, int sweeps, const Vec4* d) {
  const std::size_t nodes = level.particle.size();
  for (std::size_t k = 0; k < nodes; ++k) {
    level.d[k] = d[level.particle[k]];
    level.d[k].w = level.inverse_mass[k];
  }
  bool moved = false;
  for (int n = 0; n < sweeps; ++n) moved |= sweep(level.limit, level.d.data());
  if (!moved) return false;
  for (std::size_t k = 0; k < nodes; ++k) {
    const Vec4 &now = level.d[k], &before = d[level.particle[k]];
    level.correction[k] = {now.x - before.x, now.y - before.y, now.z - before.z, 0};
  }
  return true;
}

void spread(const CoarseLevel& level, int begin, int end, Vec4* d) {
  const CoarseShare* share = level.share.data();
  const Vec4* correction = level.correction.data();
  for (int p = begin; p < end; ++p) {
    if (!(d[p].w > 0)) continue;
    const CoarseShare& s = share[p];
    Real4V sum = load4(correction + s.node[0]) * s.weight[0];
    for (std::size_t k = 1; k < 4; ++k) sum += load4(correction + s.node[k]) * s.weight[k];
    store4(d + p, load4(d + p) + sum);
  }
}

}  // namespace pliant
