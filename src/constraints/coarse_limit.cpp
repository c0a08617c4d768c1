#include "constraints/coarse_limit.h"

#include <array>
#include <span>

#include "constraints/guards.h"
#include "constraints/shift.h"
#include "model/rigid.h"

namespace pliant {
namespace {

constexpr int k_node_grain = 32;
constexpr Real k_part = Real(1) / k_whole_share;

// Eight limits between fetching and putting back.
class LimitLanes {
 public:
  [[gnu::always_inline]] LimitLanes(const DistanceBatch& batch, const Vec4* d)
      : b_(batch), di_(gather(d, batch.i.data())), dj_(gather(d, batch.j.data())) {
    x_ = b_.base + (dj_.xyz() - di_.xyz());
    length_sq_ = dot(x_, x_);
    taut_ = length_sq_ > b_.rest * b_.rest;
  }
  [[gnu::always_inline]] MaskW taut() const { return taut_; }
  [[gnu::always_inline]] void project() {
    const RealW length = sqrt(length_sq_);
    const RealW s =
        select(taut_, (b_.rest - length) / max((di_.w + dj_.w) * length, splat(k_tiny)), splat(0));
    shift_apart(di_, dj_, s, x_);
  }
  [[gnu::always_inline]] void put_back(Vec4* d) const {
    scatter(d, b_.i.data(), di_);
    scatter(d, b_.j.data(), dj_);
  }

 private:
  const DistanceBatch& b_;
  Vec4W di_, dj_;
  Vec3W x_;
  RealW length_sq_;
  MaskW taut_;
};

// Two batches at once, which share no node. Returns whether any limit was exceeded.
bool sweep(std::span<const DistanceBatch> batches, Vec4* d) {
  bool moved = false;
  for (std::size_t n = 0; n + 1 < batches.size(); n += 2) {
    LimitLanes a(batches[n], d), b(batches[n + 1], d);
    if (!any(a.taut() | b.taut())) continue;
    moved = true;
    a.project();
    b.project();
    a.put_back(d);
    b.put_back(d);
  }
  return moved;
}

// Over the members of a node, side by side: one after the other, each sum would wait for the one
// before.
template <class Of>
Real4V mean_of(const CoarseLevel& level, std::size_t node, const Of& of) {
  std::array<Real4V, 4> sum{};
  const auto [from, to] = level.members_range[node];
  for (std::int32_t n = from; n < to; ++n) {
    const CoarseMembers& m = level.members[std::size_t(n)];
    for (std::size_t k = 0; k < sum.size(); ++k)
      sum[k] += of(m.first + std::int32_t(k)) * m.weight[k];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Of two particles, in whole parts; all at once: converting them one by one takes longer than all
// the rest.
RealW weights_of(const CoarseShare* two) {
  using Short8 = std::int16_t __attribute__((vector_size(16)));
  using Short16 = std::int16_t __attribute__((vector_size(32)));
  static_assert(2 * sizeof(CoarseShare) == sizeof(Short16));
  Short16 both;
  __builtin_memcpy(&both, two, sizeof both);
  const Short8 parts = __builtin_shufflevector(both, both, 4, 5, 6, 7, 12, 13, 14, 15);
  return __builtin_convertvector(parts, RealW);
}
// Component k of each half, over the whole half.
template <int k>
RealW each_half(RealW v) {
  return __builtin_shufflevector(v, v, k, k, k, k, 4 + k, 4 + k, 4 + k, 4 + k);
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
    level.correction[k] = {(now.x - before.x) * k_part, (now.y - before.y) * k_part,
                           (now.z - before.z) * k_part, 0};
  }
  return true;
}

// Two particles at once. Behind an odd last one comes a share without weight, and the scratch
// particle.
void spread(const CoarseLevel& level, int begin, int end, Vec4* d) {
  const CoarseShare* share = level.share.data();
  const Vec4* correction = level.correction.data();
  for (int p = begin; p < end; p += 2) {
    const CoarseShare &a = share[p], &b = share[p + 1];
    const RealW weight = weights_of(&a);
    const auto nodes = [&](std::size_t k) {
      return join4(load4(correction + a.node[k]), load4(correction + b.node[k]));
    };
    const RealW sum = nodes(0) * each_half<0>(weight) + nodes(1) * each_half<1>(weight) +
                      nodes(2) * each_half<2>(weight) + nodes(3) * each_half<3>(weight);
    const RealW moved = join4(load4(d + p), load4(d + p + 1));
    const RealW now = select(each_half<3>(moved) > 0, moved + sum, moved);
    store4(d + p, low4(now));
    store4(d + p + 1, high4(now));
  }
}

}  // namespace pliant
