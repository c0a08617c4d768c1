#include "narrowphase/self_particle_search.h"

#include <algorithm>
#include <bit>

namespace pliant {
namespace {

constexpr int k_leaf_grain = 64;
constexpr Real k_far = Real(1e30);
constexpr Real k_slack = Real(1.001);  // of the reach, for what is rounded off in boxes

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

// The particles of one leaf; lanes without one repeat the first.
Vec3W place_leaf(std::int32_t leaf, std::int32_t begin, std::int32_t count,
                 const Particles& particles) {
  const Vec4& origin = particles.base[std::size_t(begin)];
  const std::int32_t first = leaf * k_lanes, last = count - 1 - first;
  const Vec4* base = particles.base.data() + begin + first;
  const Vec4* d = particles.d.data() + begin + first;
  const Real4V from{origin.x, origin.y, origin.z, 0};
  const auto row = [&](int k) {
    const int n = k <= last ? k : 0;
    return (load4(base + n) - from) + load4(d + n);
  };
  return gather_rows(row).xyz();
}

void place_leaves(std::int32_t leaves, std::int32_t begin, std::int32_t count,
                  const Particles& particles, TaskPool* pool, SelfParticleScratch& scratch) {
  const std::int32_t groups = (leaves + k_lanes - 1) / k_lanes;
  scratch.place.resize(std::size_t(leaves));
  scratch.levels[0].resize(std::size_t(groups));
  parallel_for(pool, groups, 8, [&](int first, int last) {
    for (int g = first; g < last; ++g)
      for (int k = 0; k < k_lanes; ++k) {
        const std::int32_t leaf = g * k_lanes + k;
        SelfBoxes& boxes = scratch.levels[0][std::size_t(g)];
        if (leaf >= leaves) {
          put_no_box(boxes, k);
          continue;
        }
        const Vec3W at = place_leaf(leaf, begin, count, particles);
        scratch.place[std::size_t(leaf)] = at;
        put_box(boxes, k, {at, at});
      }
  });
}

void box_levels(SelfParticleScratch& scratch) {
  std::size_t level = 0;
  for (; scratch.levels[level].size() > 1; ++level) {
    if (scratch.levels.size() == level + 1) scratch.levels.emplace_back();
    const std::vector<SelfBoxes>& below = scratch.levels[level];
    std::vector<SelfBoxes>& boxes = scratch.levels[level + 1];
    boxes.resize((below.size() + k_lanes - 1) / k_lanes);
    for (std::size_t n = 0; n < boxes.size() * k_lanes; ++n) {
      const int k = int(n % k_lanes);
      if (n < below.size())
        put_box(boxes[n / k_lanes], k, below[n]);
      else
        put_no_box(boxes[n / k_lanes], k);
    }
  }
  scratch.levels.resize(level + 1);
}

// Looks for the pairs of one leaf with itself and those behind it.
class LeafSearch {
 public:
  LeafSearch(const SelfParticles& body, const SelfParticleScratch& scratch,
             std::vector<SelfPair>& out)
      : body_(body), scratch_(scratch), reach_(k_slack * body.reach), out_(out) {}

  void visit(std::int32_t leaf) {
    leaf_ = leaf;
    const SelfBoxes& boxes = scratch_.levels[0][std::size_t(leaf / k_lanes)];
    const int k = leaf % k_lanes;
    low_ = {splat(boxes.low.x[k] - reach_), splat(boxes.low.y[k] - reach_),
            splat(boxes.low.z[k] - reach_)};
    high_ = {splat(boxes.high.x[k] + reach_), splat(boxes.high.y[k] + reach_),
             splat(boxes.high.z[k] + reach_)};
    next_near_ = body_.near_begin[std::size_t(leaf)];
    go_down(scratch_.levels.size() - 1, 0);
  }

 private:
  // Eight nodes of a level, those that have leaves from this one on.
  void go_down(std::size_t level, std::int32_t group) {
    const SelfBoxes& b = scratch_.levels[level][std::size_t(group)];
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

  const SelfLeafNear* near(std::int32_t other) {
    const std::int32_t end = body_.near_begin[std::size_t(leaf_) + 1];
    while (next_near_ < end && body_.near[std::size_t(next_near_)].other < other) ++next_near_;
    if (next_near_ == end || body_.near[std::size_t(next_near_)].other != other) return nullptr;
    return &body_.near[std::size_t(next_near_)];
  }

  void visit_pair(std::int32_t other) {
    const Vec3W& y = scratch_.place[std::size_t(other)];
    const MaskW inside = (y.x <= high_.x) & (y.x >= low_.x) & (y.y <= high_.y) & (y.y >= low_.y) &
                         (y.z <= high_.z) & (y.z >= low_.z);
    unsigned candidates = lane_bits(inside);
    if (candidates == 0) return;
    const SelfLeafNear* neighbours = near(other);
    const Vec3W& x = scratch_.place[std::size_t(leaf_)];
    const RealW& q = body_.q[std::size_t(leaf_)];
    const RealW& others = body_.q[std::size_t(other)];
    for (; candidates != 0; candidates &= candidates - 1) {
      const int c = std::countr_zero(candidates);
      const Vec3W r{x.x - y.x[c], x.y - y.y[c], x.z - y.z[c]};
      unsigned hits = lane_bits(dot(r, r) < q + others[c]);
      if (neighbours != nullptr) hits &= ~unsigned(neighbours->lanes[std::size_t(c)]);
      if (other == leaf_) hits &= (1u << c) - 1;
      for (; hits != 0; hits &= hits - 1)
        out_.push_back({leaf_ * k_lanes + std::countr_zero(hits), other * k_lanes + c});
    }
  }

  const SelfParticles& body_;
  const SelfParticleScratch& scratch_;
  Real reach_;
  std::vector<SelfPair>& out_;
  std::int32_t leaf_ = 0, next_near_ = 0;
  Vec3W low_{}, high_{};
};

}  // namespace

void find_self_pairs(const SelfParticles& body, std::int32_t begin, std::int32_t count,
                     const Particles& particles, TaskPool* pool, SelfParticleScratch& scratch,
                     std::vector<SelfPair>& pairs) {
  pairs.clear();
  const std::int32_t leaves = std::int32_t(body.q.size());
  if (leaves == 0) return;
  if (scratch.levels.empty()) scratch.levels.emplace_back();
  place_leaves(leaves, begin, count, particles, pool, scratch);
  box_levels(scratch);
  const int blocks = (leaves + k_leaf_grain - 1) / k_leaf_grain;
  if (int(scratch.found.size()) < blocks) scratch.found.resize(std::size_t(blocks));
  parallel_for(pool, blocks, 1, [&](int first, int last) {
    for (int block = first; block < last; ++block) {
      std::vector<SelfPair>& found = scratch.found[std::size_t(block)];
      found.clear();
      LeafSearch search(body, scratch, found);
      const std::int32_t end = std::min(leaves, (block + 1) * k_leaf_grain);
      for (std::int32_t leaf = block * k_leaf_grain; leaf < end; ++leaf) search.visit(leaf);
    }
  });
  for (int block = 0; block < blocks; ++block)
    pairs.insert(pairs.end(), scratch.found[std::size_t(block)].begin(),
                 scratch.found[std::size_t(block)].end());
}

}  // namespace pliant
