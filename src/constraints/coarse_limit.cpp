#include "constraints/coarse_limit.h"

#include <span>

#include "constraints/guards.h"
#include "constraints/shift.h"
#include "model/rigid.h"

namespace pliant {
namespace {

constexpr int k_node_grain = 32;

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

// Over the members of a node, in their order.
template <class Of>
Real4V mean_of(const CoarseLevel& level, std::size_t node, const Of& of) {
  Real4V sum{};
  const auto [from, to] = level.member_range[node];
  for (std::int32_t m = from; m < to; ++m) {
    const CoarseMember& member = level.member[std::size_t(m)];
    sum += of(member.particle) * member.weight;
  }
  return sum;
}

// All four at once: converting them one by one takes longer than all the rest.
Real4V weights_of(const CoarseShare& share) {
  using Int4 = std::int32_t __attribute__((vector_size(16)));
  using Short4 = std::int16_t __attribute__((vector_size(8)));
  Short4 parts;
  __builtin_memcpy(&parts, share.weight.data(), sizeof parts);
  return __builtin_convertvector(__builtin_convertvector(parts, Int4), Real4V);
}

template <class Do>
void each_node(const CoarseLevel& level, TaskPool* pool, const Do& of_node) {
  parallel_for(pool, int(level.by_place.size()), k_node_grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) of_node(std::size_t(level.by_place[std::size_t(n)]));
  });
}

}  // namespace

void refresh_bases(CoarseLevel& level, const Vec4* base, TaskPool* pool) {
  // Differences first: the mean of places themselves would be rounded anew in every step.
  each_node(level, pool, [&](std::size_t k) {
    const Real4V middle = load4(base + level.particle[k]);
    store4(&level.off[k],
           mean_of(level, k, [&](std::int32_t p) { return load4(base + p) - middle; }));
  });
  const auto place = [&](std::int32_t node, std::int32_t from) {
    const std::size_t k = std::size_t(node);
    if (k >= level.particle.size()) return Vec3R{};
    return xyz(base[level.particle[k]]) - xyz(base[from]) + xyz(level.off[k]);
  };
  for (DistanceBatch& b : level.limit)
    for (int lane = 0; lane < k_lanes; ++lane) {
      const std::int32_t i = b.i[std::size_t(lane)], j = b.j[std::size_t(lane)];
      const bool used = std::size_t(i) < level.particle.size();
      const std::int32_t from = used ? level.particle[std::size_t(i)] : 0;
      const Vec3R way = place(j, from) - place(i, from);
      b.base.x[lane] = way.x;
      b.base.y[lane] = way.y;
      b.base.z[lane] = way.z;
    }
}

bool project(CoarseLevel& level, int sweeps, const Vec4* d, TaskPool* pool) {
  each_node(level, pool, [&](std::size_t k) {
    store4(&level.d[k], mean_of(level, k, [&](std::int32_t p) { return load4(d + p); }));
    level.correction[k] = level.d[k];
    level.d[k].w = level.inverse_mass[k];
  });
  bool moved = false;
  for (int n = 0; n < sweeps; ++n) moved |= sweep(level.limit, level.d.data());
  if (!moved) return false;
  for (std::size_t k = 0; k < level.particle.size(); ++k) {
    const Vec4 &now = level.d[k], &before = level.correction[k];
    level.correction[k] = {now.x - before.x, now.y - before.y, now.z - before.z, 0};
  }
  return true;
}

void spread(const CoarseLevel& level, int begin, int end, Vec4* d) {
  constexpr Real k_part = Real(1) / k_whole_share;
  const CoarseShare* share = level.share.data();
  const Vec4* correction = level.correction.data();
  for (int p = begin; p < end; ++p) {
    if (!(d[p].w > 0)) continue;
    const CoarseShare& s = share[p];
    const Real4V weight = weights_of(s);
    Real4V sum = load4(correction + s.node[0]) * weight[0];
    for (std::size_t k = 1; k < 4; ++k) sum += load4(correction + s.node[k]) * weight[int(k)];
    store4(d + p, load4(d + p) + sum * k_part);
  }
}

}  // namespace pliant
