#include "constraints/matching.h"

#include <algorithm>
#include <limits>

#include "math/trig.h"

namespace pliant {
namespace {

constexpr double k_pi = 3.14159265358979323846;
constexpr int k_cube_root_steps = 24;
constexpr Real k_least_volume = Real(1e-9);  // less has no root; the map is worth nothing there
constexpr Real k_large_map_sq = 6;           // |A|^2, which is 3 at rest
constexpr Real k_rounding = 4 * std::numeric_limits<Real>::epsilon();  // of the cluster's size
constexpr int k_block_grain = 4, k_group_grain = 4, k_particle_grain = 1024;

Vec3R packed(const Vec4& v) { return {v.x, v.y, v.z}; }
Vec3W splat3(const Vec3R& v) { return {splat(v.x), splat(v.y), splat(v.z)}; }
double sum_of(RealW v) {
  double sum = 0;
  for (int k = 0; k < k_lanes; ++k) sum += double(v[k]);
  return sum;
}
Vec3 sum_of(const Vec3W& v) { return {sum_of(v.x), sum_of(v.y), sum_of(v.z)}; }

// The terms that a map acts on.
template <std::size_t terms>
void terms_of(const Vec3W& q, const MatchCluster& cluster, RealW* t) {
  t[0] = q.x, t[1] = q.y, t[2] = q.z;
  if constexpr (terms > 3) {
    t[3] = q.x * q.x - cluster.mean[0], t[4] = q.y * q.y - cluster.mean[1];
    t[5] = q.z * q.z - cluster.mean[2], t[6] = q.x * q.y - cluster.mean[3];
    t[7] = q.y * q.z - cluster.mean[4], t[8] = q.z * q.x - cluster.mean[5];
  }
}

template <std::size_t terms>
void sum_block(const ShapeMatching& m, const Vec4* base, const Vec4* d, std::size_t n,
               MatchScratch& scratch) {
  const MatchBlock& block = m.blocks[n];
  const MatchCluster& cluster = m.clusters[std::size_t(block.cluster)];
  const Vec3W origin = splat3(packed(base[cluster.reference]));
  const RealW zero = splat(0);
  Vec3W centre{zero, zero, zero}, moment[terms];
  for (Vec3W& x : moment) x = {zero, zero, zero};
  for (std::size_t b = std::size_t(block.begin); b < std::size_t(block.end); ++b) {
    const MatchBatch& batch = m.batches[b];
    const Vec3W r = (gather(base, batch.i.data()).xyz() - origin) + gather(d, batch.i.data()).xyz();
    scratch.offset[b] = r;
    RealW t[terms];
    terms_of<terms>(batch.q, cluster, t);
    const Vec3W weighted = r * batch.weight;
    centre = centre + weighted;
    for (std::size_t k = 0; k < terms; ++k) moment[k] = moment[k] + weighted * t[k];
  }
  MatchSums& sums = scratch.sums[n];
  sums.centre = sum_of(centre);
  for (std::size_t k = 0; k < terms; ++k) sums.moment[k] = sum_of(moment[k]);
}

// Of a cluster, about its centre.
template <std::size_t terms>
MatchSums moments_of(const ShapeMatching& m, const MatchScratch& scratch, std::size_t c) {
  MatchSums sums{};
  for (int n = m.clusters[c].block_begin; n < m.clusters[c + 1].block_begin; ++n) {
    const MatchSums& part = scratch.sums[std::size_t(n)];
    sums.centre += part.centre;
    for (std::size_t k = 0; k < terms; ++k) sums.moment[k] += part.moment[k];
  }
  for (std::size_t k = 0; k < terms; ++k) sums.moment[k] -= sums.centre * m.clusters[c].residue[k];
  return sums;
}

void put(Vec3W& wide, int lane, const Vec3& v) {
  wide.x[lane] = Real(v.x), wide.y[lane] = Real(v.y), wide.z[lane] = Real(v.z);
}
Vec3R take(const Vec3W& wide, int lane) { return {wide.x[lane], wide.y[lane], wide.z[lane]}; }

// From above, by Newton: (a + 2) / 3 is never below the root.
RealW cube_root(RealW a) {
  RealW x = (a + 2) / 3;
  for (int n = 0; n < k_cube_root_steps; ++n) x = (2 * x + a / (x * x)) / 3;
  return x;
}

// What the free map is worth: all of it, less where it is flat, nothing where it is inside out.
RealW worth_of(RealW det) { return min(max(det * 2, splat(0)), splat(1)); }
// With the volume kept, what is pressed flat would have to become ever wider: it is worth less the
// larger it is.
RealW worth_of_size(RealW size_sq) { return min(k_large_map_sq / size_sq, splat(1)); }

template <std::size_t terms>
void map_group(const ShapeMatching& m, std::size_t g, MatchScratch& scratch) {
  const std::size_t first = g * k_lanes;
  const int used = std::min(k_lanes, m.cluster_count() - int(first));
  const RealW zero = splat(0);
  Vec3W centre{zero, zero, zero}, moment[terms], column[terms], linear[3] = {};
  for (Vec3W& x : moment) x = {zero, zero, zero};
  for (int lane = 0; lane < used; ++lane) {
    const MatchSums sums = moments_of<terms>(m, scratch, first + std::size_t(lane));
    put(centre, lane, sums.centre);
    for (std::size_t k = 0; k < terms; ++k) put(moment[k], lane, sums.moment[k]);
  }
  // Of a matrix of zeros the nearest rotation takes many times as long, and all would wait for it.
  for (int lane = used; lane < k_lanes; ++lane)
    moment[0].x[lane] = moment[1].y[lane] = moment[2].z[lane] = 1;
  const MatchGroup& group = m.groups[g];
  const Mat3W turn = nearest_rotation({{moment[0], moment[1], moment[2]}}) * group.size;
  for (Vec3W& c : column) c = {zero, zero, zero};
  RealW firm = splat(1);
  if (m.freedom > 0 || m.creep > 0) {
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t l = 0; l < terms; ++l)
        column[k] = column[k] + moment[l] * group.inverse[l][k];
    for (std::size_t k = 0; k < 3; ++k) linear[k] = column[k];
    const RealW cube = group.size * group.size * group.size;
    const RealW det = dot(column[0], cross(column[1], column[2])) / cube;
    RealW share = worth_of(det) * splat(m.freedom), root = splat(1);
    if (m.keep_volume) {
      root = cube_root(max(det, splat(k_least_volume)));
      const RealW length = group.size * root;
      const RealW sq =
          dot(column[0], column[0]) + dot(column[1], column[1]) + dot(column[2], column[2]);
      share *= worth_of_size(max(sq / (length * length), splat(1)));
    }
    for (Vec3W& c : column) c = c * (share / root);
    firm = firm - share;
  }
  for (std::size_t k = 0; k < 3; ++k) column[k] = column[k] + turn.c[k] * firm;
  for (int lane = 0; lane < used; ++lane) {
    MatchMap& map = scratch.maps[first + std::size_t(lane)];
    map.centre = take(centre, lane);
    for (std::size_t k = 0; k < terms; ++k) map.column[k] = take(column[k], lane);
    for (std::size_t k = 0; k < 3; ++k) {
      map.rotation[k] = take(turn.c[k], lane);
      map.linear[k] = take(linear[k], lane);
    }
  }
}

// Places become ways to the goals; their weighted sum replaces that of the places.
template <std::size_t terms>
void aim_block(const ShapeMatching& m, std::size_t n, MatchScratch& scratch) {
  const MatchBlock& block = m.blocks[n];
  const MatchMap& map = scratch.maps[std::size_t(block.cluster)];
  const MatchCluster& cluster = m.clusters[std::size_t(block.cluster)];
  const Vec3W centre = splat3(map.centre);
  const RealW zero = splat(0);
  Vec3W total{zero, zero, zero};
  for (std::size_t b = std::size_t(block.begin); b < std::size_t(block.end); ++b) {
    RealW t[terms];
    terms_of<terms>(m.batches[b].q, cluster, t);
    Vec3W way = centre - scratch.offset[b];
    for (std::size_t k = 0; k < terms; ++k) way = way + splat3(map.column[k]) * t[k];
    scratch.offset[b] = way;
    total = total + way * m.batches[b].weight;
  }
  scratch.sums[n].centre = sum_of(total);
}

// The ways of a cluster add up to nothing but for what centre and places were rounded by. That is
// the same in every substep in which nothing moves, and would set the body in motion. Ways that are
// no longer than what places and rotation are rounded by are none: they would turn the body.
struct Balance {
  Vec3W excess;
  bool goes = false;
};
Balance balance_of(const ShapeMatching& m, const MatchBlock& block, const MatchScratch& scratch) {
  const std::size_t c = std::size_t(block.cluster);
  Vec3 sum;
  for (int k = m.clusters[c].block_begin; k < m.clusters[c + 1].block_begin; ++k)
    sum += scratch.sums[std::size_t(k)].centre;
  Balance balance{splat3(cast<Real>(sum))};
  const Real least = k_rounding * m.groups[c / k_lanes].size[int(c % k_lanes)];
  for (std::size_t b = std::size_t(block.begin); !balance.goes && b < std::size_t(block.end); ++b) {
    const Vec3W way = scratch.offset[b] - balance.excess;
    balance.goes = any(dot(way, way) > splat(least * least));
  }
  return balance;
}

void balance_block(const ShapeMatching& m, std::size_t n, MatchScratch& scratch) {
  const MatchBlock& block = m.blocks[n];
  const Balance balance = balance_of(m, block, scratch);
  const RealW zero = splat(0);
  for (std::size_t b = std::size_t(block.begin); b < std::size_t(block.end); ++b)
    scratch.offset[b] = balance.goes ? scratch.offset[b] - balance.excess : Vec3W{zero, zero, zero};
}

// Balances the ways of a block and goes them, of particles that are in no other cluster.
void go_block(const ShapeMatching& m, std::size_t n, const MatchScratch& scratch, Vec4* d,
              Real alpha) {
  const MatchBlock& block = m.blocks[n];
  const Balance balance = balance_of(m, block, scratch);
  if (!balance.goes) return;
  for (std::size_t b = std::size_t(block.begin); b < std::size_t(block.end); ++b) {
    const MatchBatch& batch = m.batches[b];
    const Vec3W shift = (scratch.offset[b] - balance.excess) * splat(alpha);
    Vec4W x = gather(d, batch.i.data());
    x.x += shift.x, x.y += shift.y, x.z += shift.z;
    // Not lanes that are unused, whose particle is in another, nor what is held.
    const unsigned free = lane_bits((x.w > 0) & (batch.weight > 0));
    if (free == (1u << k_lanes) - 1)
      scatter(d, batch.i.data(), x);
    else
      scatter_lanes(d, batch.i.data(), x, free);
  }
}

template <std::size_t terms>
void find_ways_with(const ShapeMatching& m, const Vec4* base, const Vec4* d, MatchScratch& scratch,
                    TaskPool* pool) {
  const int blocks = int(m.blocks.size());
  parallel_for(pool, blocks, k_block_grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) sum_block<terms>(m, base, d, std::size_t(n), scratch);
  });
  parallel_for(pool, int(m.groups.size()), k_group_grain, [&](int begin, int end) {
    for (int g = begin; g < end; ++g) map_group<terms>(m, std::size_t(g), scratch);
  });
  parallel_for(pool, blocks, k_block_grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) aim_block<terms>(m, std::size_t(n), scratch);
  });
}

// Not balanced yet.
void find_ways(const ShapeMatching& m, const Vec4* base, const Vec4* d, MatchScratch& scratch,
               TaskPool* pool) {
  scratch.sums.resize(m.blocks.size());
  scratch.maps.resize(m.clusters.size());
  scratch.offset.resize(m.batches.size());
  const bool nine = m.mode == MatchingMode::quadratic && (m.freedom > 0 || m.creep > 0);
  return nine ? find_ways_with<k_match_terms>(m, base, d, scratch, pool)
              : find_ways_with<3>(m, base, d, scratch, pool);
}

Vec3R way_of(const MatchScratch& scratch, std::int32_t member) {
  return take(scratch.offset[std::size_t(member / k_lanes)], member % k_lanes);
}

}  // namespace

void find_goals(const ShapeMatching& m, const Vec4* base, const Vec4* d, MatchScratch& scratch,
                TaskPool* pool) {
  find_ways(m, base, d, scratch, pool);
  parallel_for(pool, int(m.blocks.size()), k_block_grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) balance_block(m, std::size_t(n), scratch);
  });
}

void go_to_goals(const ShapeMatching& m, const MatchScratch& scratch, Vec4* d, Real alpha,
                 TaskPool* pool) {
  if (!(alpha > 0)) return;
  const int count = int(m.member_begin.size()) - 1;
  parallel_for(pool, count, k_particle_grain, [&](int begin, int end) {
    for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i) {
      if (!(d[i].w > 0)) continue;
      const std::int32_t first = m.member_begin[i], last = m.member_begin[i + 1];
      Vec3R sum{};
      for (std::int32_t n = first; n < last; ++n) sum += way_of(scratch, m.member[std::size_t(n)]);
      const Vec3R shift = sum * (alpha / Real(last - first));
      d[i] = {d[i].x + shift.x, d[i].y + shift.y, d[i].z + shift.z, d[i].w};
    }
  });
}

void match_shapes(const ShapeMatching& m, const Vec4* base, Vec4* d, MatchScratch& scratch,
                  Real alpha, TaskPool* pool) {
  if (m.member.size() + 1 != m.member_begin.size()) {  // some are in several clusters
    find_goals(m, base, d, scratch, pool);
    return go_to_goals(m, scratch, d, alpha, pool);
  }
  find_ways(m, base, d, scratch, pool);
  if (!(alpha > 0)) return;
  parallel_for(pool, int(m.blocks.size()), k_block_grain, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) go_block(m, std::size_t(n), scratch, d, alpha);
  });
}

double match_share(double frequency, double h) {
  const double turn = std::min(2 * k_pi * frequency * h, k_pi / 2);
  const double sine = det_sin(turn);
  return turn < k_pi / 2 ? sine * sine : 1;
}

double match_energy(const ShapeMatching& m, const Vec4* base, const Vec4* d, const Vec4* force) {
  MatchScratch scratch;
  find_goals(m, base, d, scratch, nullptr);
  double sum = 0;
  for (const MatchBlock& block : m.blocks) {
    const MatchCluster& cluster = m.clusters[std::size_t(block.cluster)];
    const MatchMap& map = scratch.maps[std::size_t(block.cluster)];
    for (std::int32_t b = block.begin; b < block.end; ++b)
      for (int lane = 0; lane < k_lanes; ++lane) {
        const MatchBatch& batch = m.batches[std::size_t(b)];
        if (!(batch.weight[lane] > 0)) continue;
        const std::int32_t i = batch.i[std::size_t(lane)];
        const Vec3R q = take(batch.q, lane);
        const Vec3R r = (packed(base[i]) - packed(base[cluster.reference])) + packed(d[i]);
        const Vec3R stiff =
            map.centre + map.rotation[0] * q.x + map.rotation[1] * q.y + map.rotation[2] * q.z - r;
        const double k = m.member_begin[std::size_t(i) + 1] - m.member_begin[std::size_t(i)];
        sum +=
            double(force[i].w) / k * double(dot(take(scratch.offset[std::size_t(b)], lane), stiff));
      }
  }
  const double omega = 2 * k_pi * m.frequency;
  return 0.5 * omega * omega * sum;
}

}  // namespace pliant
