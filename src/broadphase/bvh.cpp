#include "broadphase/bvh.h"

#include <limits>

#include "broadphase/emit.h"
#include "broadphase/radix_sort.h"

namespace pliant {
namespace {

constexpr int k_order_age = 16;  // searches; neighbours change slowly
constexpr Real k_far = std::numeric_limits<Real>::infinity();

void put(WideTree::Group& g, int lane, const BoxAabb& box) {
  for (int k = 0; k < 3; ++k) {
    g.lo[k][lane] = box.lo[k];
    g.hi[k][lane] = box.hi[k];
  }
}

// Around the lanes of a group.
BoxAabb bound(const WideTree::Group& g) {
  BoxAabb box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = g.lo[k][0];
    box.hi[k] = g.hi[k][0];
    for (int lane = 1; lane < k_wide; ++lane) {
      box.lo[k] = g.lo[k][lane] < box.lo[k] ? g.lo[k][lane] : box.lo[k];
      box.hi[k] = g.hi[k][lane] > box.hi[k] ? g.hi[k][lane] : box.hi[k];
    }
  }
  return box;
}

const BoxAabb k_nothing{{k_far, k_far, k_far}, {-k_far, -k_far, -k_far}};

}  // namespace

void refit(const BoxList& list, WideTree& tree) {
  const PackedOrder& order = tree.order;
  tree.groups.resize(std::size_t(order.level_begin.back()));
  fill_levels(
      order,
      [&](std::size_t g, int lane, std::int32_t item) {
        put(tree.groups[g], lane, item >= 0 ? list.boxes[item] : k_nothing);
      },
      [&](std::size_t g, int lane, std::int32_t child) {
        put(tree.groups[g], lane, child >= 0 ? bound(tree.groups[std::size_t(child)]) : k_nothing);
      });
}

void keep_fixed(const BoxList& list, FixedTree& fixed) {
  if (fixed.version == list.fixed_version) return;
  fixed.version = list.fixed_version;
  order_fixed(list, fixed.tree.order);
  refit(list, fixed.tree);
}

std::int64_t test_fixed(const BoxList& list, const FixedTree& fixed,
                        std::span<const std::int32_t> items, std::vector<BoxPair>& pairs) {
  const WideTree& tree = fixed.tree;
  std::int64_t tests = 0;
  for (const std::int32_t i : items) {
    if (!list.moves[i]) continue;
    const BoxAabb& box = list.boxes[i];
    walk(
        tree.order, -1,
        [&](std::int32_t g) { return lanes_meeting(tree.groups[std::size_t(g)], box); },
        [&](std::int32_t g, unsigned lanes) {
          tests += tree.order.count[std::size_t(g)];
          for (; lanes != 0; lanes &= lanes - 1)
            emit(list, i, tree.order.item[std::size_t(g * k_wide + __builtin_ctz(lanes))], pairs);
        });
  }
  return tests;
}

bool order_is_stale(const BoxList& list, std::vector<std::int32_t>& known, int& age) {
  bool same = known.size() == list.live.size() && ++age < k_order_age;
  known.resize(list.live.size());
  for (std::size_t n = 0; n < known.size(); ++n) {
    const std::int32_t i = list.live[n], now = i * 2 + (list.moves[i] ? 1 : 0);
    same = same && known[n] == now;
    known[n] = now;
  }
  if (!same) age = 0;
  return !same;
}

std::int64_t find_pairs_bvh(const BoxList& list, BvhScratch& s, FixedTree& fixed,
                            std::vector<BoxPair>& pairs) {
  pairs.clear();
  WideTree& tree = s.live;
  if (order_is_stale(list, s.known, s.age)) order_live(list, tree.order);
  refit(list, tree);
  std::int64_t tests = 0;
  for (std::int32_t n = 0; n < tree.order.moving; ++n) {
    const std::int32_t i = tree.order.item[std::size_t(n)];
    const BoxAabb& box = list.boxes[i];
    walk(
        tree.order, n,
        [&](std::int32_t g) { return lanes_meeting(tree.groups[std::size_t(g)], box); },
        [&](std::int32_t g, unsigned lanes) {
          const std::int32_t end = g * k_wide + tree.order.count[std::size_t(g)];
          const std::int32_t begin = n + 1 > g * k_wide ? n + 1 : g * k_wide;
          tests += end > begin ? end - begin : 0;
          for (; lanes != 0; lanes &= lanes - 1)
            emit(list, i, tree.order.item[std::size_t(g * k_wide + __builtin_ctz(lanes))], pairs);
        });
  }
  keep_fixed(list, fixed);
  tests += test_fixed(list, fixed, list.live, pairs);
  tests += test_planes(list, pairs);
  sort_pairs(pairs, s.spare);
  return tests;
}

}  // namespace pliant
