#include "narrowphase/self_particle_search.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pliant {
namespace {

constexpr int k_leaf_grain = 64;
constexpr Real k_far = Real(1e30);
constexpr Real k_slack = Real(1.001);  // of the reach, for what is rounded off in boxes
// Of the reach: what a particle may move unexpectedly; with more, neighbours but one come into
// reach of each other in flat cloth.
constexpr double k_least_margin = 0.1;
// Of the reach: the widest margin of fast cloth, and of slow cloth in the mean.
constexpr double k_widest = 0.5, k_widest_mean = 0.15;
// Of r^2: nearer are those that are likely to act in this step.
constexpr Real k_near_sq = Real(1.1);
constexpr double k_more = 1.25;  // times as fast as now a particle may become

// The least and the greatest of eight.
Real least(RealW v) {
  Real r = v[0];
  for (int k = 1; k < k_wide; ++k) r = v[k] < r ? v[k] : r;
  return r;
}
Real greatest(RealW v) {
  Real r = v[0];
  for (int k = 1; k < k_wide; ++k) r = v[k] > r ? v[k] : r;
  return r;
}

void put_box(SelfBoxes& boxes, int k, const SelfBoxes& around) {
  boxes.low.x[k] = least(around.low.x);
  boxes.low.y[k] = least(around.low.y);
  boxes.low.z[k] = least(around.low.z);
  boxes.high.x[k] = greatest(around.high.x);
  boxes.high.y[k] = greatest(around.high.y);
  boxes.high.z[k] = greatest(around.high.z);
}

void put_no_box(SelfBoxes& boxes, int k) {
  boxes.low.x[k] = boxes.low.y[k] = boxes.low.z[k] = k_far;
  boxes.high.x[k] = boxes.high.y[k] = boxes.high.z[k] = -k_far;
}

// Of one leaf; lanes without a particle repeat the first.
template <class Row>
Vec3W gather_leaf(const SelfRange& range, std::int32_t leaf, const Row& row) {
  const std::int32_t first = leaf * k_lanes, last = range.count - 1 - first;
  const std::size_t at = std::size_t(range.begin + first);
  return gather_rows([&](int k) { return row(at + std::size_t(k <= last ? k : 0)); }).xyz();
}

// From the body's first particle: small numbers far from the origin too.
Vec3W place_leaf(const SelfRange& range, std::int32_t leaf, const Particles& particles) {
  const Real4V origin = load4(&particles.base[std::size_t(range.begin)]);
  return gather_leaf(range, leaf, [&](std::size_t p) {
    return (load4(&particles.base[p]) - origin) + load4(&particles.d[p]);
  });
}

Vec3W velocity_of_leaf(const SelfRange& range, std::int32_t leaf, const Particles& particles) {
  return gather_leaf(range, leaf, [&](std::size_t p) { return load4(&particles.velocity[p]); });
}

Vec3R sum_of(const Vec3W& v) {
  Vec3R sum;
  for (int k = 0; k < k_wide; ++k) sum += Vec3R{v.x[k], v.y[k], v.z[k]};
  return sum;
}

Vec3W minus(const Vec3W& v, const Vec3R& a) { return {v.x - a.x, v.y - a.y, v.z - a.z}; }

// The mean of what `of` gives for the leaves; the order of the sum does not depend on threads.
template <class Of>
Vec3R mean_of_leaves(std::int32_t leaves, TaskPool* pool, std::vector<Vec3R>& sums, const Of& of) {
  const int blocks = (leaves + k_leaf_grain - 1) / k_leaf_grain;
  sums.resize(std::size_t(blocks));
  parallel_for(pool, blocks, 1, [&](int first, int last) {
    for (int block = first; block < last; ++block) {
      Vec3W sum{};
      const std::int32_t end = std::min(leaves, (block + 1) * k_leaf_grain);
      for (std::int32_t leaf = block * k_leaf_grain; leaf < end; ++leaf) sum = sum + of(leaf);
      sums[std::size_t(block)] = sum_of(sum);
    }
  });
  Vec3R total;
  for (const Vec3R& sum : sums) total += sum;
  return total / Real(leaves * k_lanes);
}

// Since they were placed; their bases stay within a step.
Vec3W moved_of_leaf(const SelfRange& range, std::int32_t leaf, const Particles& particles,
                    const SelfSearch& search) {
  return gather_leaf(range, leaf, [&](std::size_t p) {
    return load4(&particles.d[p]) - load4(&search.d[p - std::size_t(range.begin)]);
  });
}

// Whether no particle has moved, against `mean`, by more than its margin.
bool all_in_margins(const SelfRange& range, const Particles& particles, const Vec3R& mean,
                    TaskPool* pool, SelfSearch& search) {
  const std::int32_t leaves = std::int32_t(range.body.q.size());
  const int blocks = (leaves + k_leaf_grain - 1) / k_leaf_grain;
  search.left.assign(std::size_t(blocks), 0);
  parallel_for(pool, blocks, 1, [&](int first, int last) {
    for (int block = first; block < last; ++block) {
      const std::int32_t end = std::min(leaves, (block + 1) * k_leaf_grain);
      MaskW left{};
      for (std::int32_t leaf = block * k_leaf_grain; leaf < end; ++leaf) {
        const Vec3W own = minus(moved_of_leaf(range, leaf, particles, search), mean);
        const Real margin = search.margin[std::size_t(leaf)];
        left |= dot(own, own) > splat(margin * margin);
      }
      search.left[std::size_t(block)] = any(left) ? 1 : 0;
    }
  });
  return std::none_of(search.left.begin(), search.left.end(), [](std::uint8_t b) { return b; });
}

// From the greatest speeds of the leaves.
void choose_margins(const SelfRange& range, double h, double left, SelfSearch& search) {
  double sum = 0;
  for (const Real speed : search.margin) sum += double(speed);
  const double mean = sum / double(search.margin.size()), ahead = k_more * (left - h);
  const Real reach = range.body.reach, widest = Real(k_widest) * reach;
  search.lasting = left > 1.5 * h && ahead * mean < k_widest_mean * double(reach);
  for (Real& m : search.margin)
    m = search.lasting ? Real(k_least_margin) * reach + Real(ahead) * m
                       : std::min(Real(h) * m, widest);
}

void box_leaves(std::int32_t leaves, TaskPool* pool, SelfSearch& search) {
  const std::int32_t groups = (leaves + k_lanes - 1) / k_lanes;
  if (search.levels.empty()) search.levels.emplace_back();
  search.levels[0].resize(std::size_t(groups));
  parallel_for(pool, groups, 8, [&](int first, int last) {
    for (int g = first; g < last; ++g) {
      SelfBoxes& boxes = search.levels[0][std::size_t(g)];
      for (int k = 0; k < k_lanes; ++k) {
        const std::int32_t leaf = g * k_lanes + k;
        if (leaf >= leaves) {
          put_no_box(boxes, k);
          continue;
        }
        const Vec3W& at = search.place[std::size_t(leaf)];
        put_box(boxes, k, {at, at});
      }
      RealW margin{};
      for (int k = 0; k < k_lanes && g * k_lanes + k < leaves; ++k)
        margin[k] = search.margin[std::size_t(g * k_lanes + k)];
      boxes.low = boxes.low - Vec3W{margin, margin, margin};
      boxes.high = boxes.high + Vec3W{margin, margin, margin};
    }
  });
}

void box_levels(SelfSearch& search) {
  std::size_t level = 0;
  for (; search.levels[level].size() > 1; ++level) {
    if (search.levels.size() == level + 1) search.levels.emplace_back();
    const std::vector<SelfBoxes>& below = search.levels[level];
    std::vector<SelfBoxes>& boxes = search.levels[level + 1];
    boxes.resize((below.size() + k_lanes - 1) / k_lanes);
    for (std::size_t n = 0; n < boxes.size() * k_lanes; ++n) {
      const int k = int(n % k_lanes);
      if (n < below.size())
        put_box(boxes[n / k_lanes], k, below[n]);
      else
        put_no_box(boxes[n / k_lanes], k);
    }
  }
  search.levels.resize(level + 1);
}

// Looks for the pairs of one leaf with itself and those behind it.
class LeafSearch {
 public:
  LeafSearch(const SelfParticles& body, const SelfSearch& search, SelfPairs& out)
      : body_(body), search_(search), reach_(k_slack * body.reach), out_(out) {}

  void visit(std::int32_t leaf) {
    leaf_ = leaf;
    const SelfBoxes& boxes = search_.levels[0][std::size_t(leaf / k_lanes)];  // with the margin
    const int k = leaf % k_lanes;
    low_ = {splat(boxes.low.x[k] - reach_), splat(boxes.low.y[k] - reach_),
            splat(boxes.low.z[k] - reach_)};
    high_ = {splat(boxes.high.x[k] + reach_), splat(boxes.high.y[k] + reach_),
             splat(boxes.high.z[k] + reach_)};
    next_near_ = body_.near_begin[std::size_t(leaf)];
    go_down(search_.levels.size() - 1, 0);
  }

 private:
  // Eight nodes of a level, those that have leaves from this one on.
  void go_down(std::size_t level, std::int32_t group) {
    const SelfBoxes& b = search_.levels[level][std::size_t(group)];
    const MaskW meets = (b.low.x <= high_.x) & (b.high.x >= low_.x) & (b.low.y <= high_.y) &
                        (b.high.y >= low_.y) & (b.low.z <= high_.z) & (b.high.z >= low_.z);
    unsigned nodes = lane_bits(meets);
    const std::int32_t own = (leaf_ >> (3 * level)) - group * k_lanes;
    if (own > 0) nodes &= ~0u << own;
    for (; nodes != 0; nodes &= nodes - 1) {
      const std::int32_t node = group * k_lanes + std::countr_zero(nodes);
      if (level > 0)
        go_down(level - 1, node);
      else
        visit_pair(node);
    }
  }

  const SelfLeafNear* neighbours_in(std::int32_t other) {
    const std::int32_t end = body_.near_begin[std::size_t(leaf_) + 1];
    while (next_near_ < end && body_.near[std::size_t(next_near_)].other < other) ++next_near_;
    if (next_near_ == end || body_.near[std::size_t(next_near_)].other != other) return nullptr;
    return &body_.near[std::size_t(next_near_)];
  }

  void visit_pair(std::int32_t other) {
    const Vec3W& y = search_.place[std::size_t(other)];
    const Real m = search_.margin[std::size_t(other)];
    const MaskW inside = (y.x <= high_.x + m) & (y.x >= low_.x - m) & (y.y <= high_.y + m) &
                         (y.y >= low_.y - m) & (y.z <= high_.z + m) & (y.z >= low_.z - m);
    unsigned candidates = lane_bits(inside);
    if (candidates == 0) return;
    const SelfLeafNear* neighbours = neighbours_in(other);
    const Vec3W& x = search_.place[std::size_t(leaf_)];
    const RealW& q = body_.q[std::size_t(leaf_)];
    const RealW& others = body_.q[std::size_t(other)];
    const Real wider = widened_sq(body_, search_.margin[std::size_t(leaf_)] + m);
    for (; candidates != 0; candidates &= candidates - 1) {
      const int c = std::countr_zero(candidates);
      const Vec3W r{x.x - y.x[c], x.y - y.y[c], x.z - y.z[c]};
      const RealW distance_sq = dot(r, r), both = q + others[c];
      unsigned hits = lane_bits(distance_sq < both + wider);
      if (neighbours != nullptr) hits &= ~unsigned(neighbours->lanes[std::size_t(c)]);
      if (other == leaf_) hits &= (1u << c) - 1;
      if (hits != 0) put(hits, lane_bits(distance_sq < k_near_sq * both), other * k_lanes + c);
    }
  }

  // Lanes of this leaf with particle j; those that are near by themselves.
  void put(unsigned hits, unsigned near, std::int32_t j) {
    for (; hits != 0; hits &= hits - 1) {
      const int k = std::countr_zero(hits);
      std::vector<SelfPair>& list = (near >> k & 1) != 0 ? out_.near : out_.far;
      list.push_back({leaf_ * k_lanes + k, j});
    }
  }

  const SelfParticles& body_;
  const SelfSearch& search_;
  Real reach_;
  SelfPairs& out_;
  std::int32_t leaf_ = 0, next_near_ = 0;
  Vec3W low_{}, high_{};
};

}  // namespace

void place_self_particles(const SelfRange& range, const Particles& particles, double h, double left,
                          TaskPool* pool, SelfSearch& search) {
  const std::int32_t leaves = std::int32_t(range.body.q.size());
  search.place.resize(std::size_t(leaves));
  search.margin.resize(std::size_t(leaves));
  const auto velocity = [&](std::int32_t leaf) { return velocity_of_leaf(range, leaf, particles); };
  const Vec3R mean = mean_of_leaves(leaves, pool, search.sums, velocity);
  parallel_for(pool, leaves, k_leaf_grain, [&](int first, int last) {
    for (std::int32_t leaf = first; leaf < last; ++leaf) {
      search.place[std::size_t(leaf)] = place_leaf(range, leaf, particles);
      const Vec3W own = minus(velocity(leaf), mean);
      search.margin[std::size_t(leaf)] = std::sqrt(greatest(dot(own, own)));
    }
  });
  choose_margins(range, h, left, search);
  const auto d = particles.d.begin() + range.begin;
  if (search.lasting) search.d.assign(d, d + range.count);
}

bool self_pairs_last(const SelfRange& range, const Particles& particles, TaskPool* pool,
                     SelfSearch& search) {
  if (!search.lasting) return false;
  if (all_in_margins(range, particles, {}, pool, search)) return true;
  const Vec3R mean = mean_of_leaves(
      std::int32_t(range.body.q.size()), pool, search.sums,
      [&](std::int32_t leaf) { return moved_of_leaf(range, leaf, particles, search); });
  return all_in_margins(range, particles, mean, pool, search);
}

void find_self_pairs(const SelfRange& range, TaskPool* pool, SelfSearch& search, SelfPairs& pairs) {
  pairs.clear();
  const std::int32_t leaves = std::int32_t(range.body.q.size());
  if (leaves == 0) return;
  box_leaves(leaves, pool, search);
  box_levels(search);
  const int blocks = (leaves + k_leaf_grain - 1) / k_leaf_grain;
  if (int(search.found.size()) < blocks) search.found.resize(std::size_t(blocks));
  parallel_for(pool, blocks, 1, [&](int first, int last) {
    for (int block = first; block < last; ++block) {
      SelfPairs& found = search.found[std::size_t(block)];
      found.clear();
      LeafSearch one(range.body, search, found);
      const std::int32_t end = std::min(leaves, (block + 1) * k_leaf_grain);
      for (std::int32_t leaf = block * k_leaf_grain; leaf < end; ++leaf) one.visit(leaf);
    }
  });
  const auto append = [](const std::vector<SelfPair>& from, std::vector<SelfPair>& to) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (int block = 0; block < blocks; ++block) {
    append(search.found[std::size_t(block)].near, pairs.near);
    append(search.found[std::size_t(block)].far, pairs.far);
  }
}

}  // namespace pliant
