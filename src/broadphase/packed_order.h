// Items in an order that keeps neighbours together, eight to a group: what trees are made of.
#pragma once

#include <vector>

#include "math/wide.h"
#include "model/pairs.h"

namespace pliant {

// Eight items follow each other in a group, and eight groups in a group of the next level. Groups
// of items may have empty places.
struct PackedOrder {
  std::vector<std::int32_t> item;         // of each place; -1 = empty
  std::vector<std::int32_t> count;        // of each group of items: those that are not
  std::vector<std::int32_t> level_begin;  // where the groups of each level begin; then their number
  std::int32_t moving = 0;                // items that move; they are the first

  std::int32_t groups() const { return std::int32_t(count.size()); }
  int levels() const { return int(level_begin.size()) - 1; }

  struct Coded {
    std::uint64_t code;
    std::int32_t item;
    std::int32_t level;
  };
  std::vector<Coded> coded, spare;
};

// By place, those that move first.
void order_live(const BoxList& list, PackedOrder& order);
// By size and by the cell of that size that an item is in, where no group is of two cells: which
// items share a group depends on nothing that is far away.
void order_fixed(const BoxList& list, PackedOrder& order);

// Fills the groups of a tree from below: put(group, lane, item) for those of items, where the item
// may be -1, and put_group(group, lane, child) for those of groups, likewise.
template <class Put, class PutGroup>
void fill_levels(const PackedOrder& order, const Put& put, const PutGroup& put_group) {
  for (std::int32_t g = 0; g < order.groups(); ++g)
    for (int lane = 0; lane < k_wide; ++lane)
      put(std::size_t(g), lane, order.item[std::size_t(g) * k_wide + std::size_t(lane)]);
  for (int level = 1; level < order.levels(); ++level) {
    const std::int32_t below = order.level_begin[std::size_t(level) - 1];
    const std::int32_t begin = order.level_begin[std::size_t(level)];
    const std::int32_t end = order.level_begin[std::size_t(level) + 1];
    for (std::int32_t g = begin; g < end; ++g)
      for (int lane = 0; lane < k_wide; ++lane) {
        const std::int32_t child = below + (g - begin) * k_wide + lane;
        put_group(std::size_t(g), lane, child < begin ? child : -1);
      }
  }
}

// Goes down to the groups of items that meets(group) leads to, which gives the lanes of a group of
// any level that may hold what is looked for; visit(group, lanes) for those of items. Places up to
// `after` are left out.
template <class Meets, class Visit>
void walk(const PackedOrder& order, std::int32_t after, const Meets& meets, const Visit& visit) {
  struct Entry {
    std::int32_t group;
    int level;
  };
  if (order.groups() == 0) return;
  Entry stack[8 * 12];  // eight to the power of 12 groups
  int top = 0;
  stack[top++] = {0, order.levels() - 1};
  while (top > 0) {
    const Entry e = stack[--top];
    unsigned lanes = meets(order.level_begin[std::size_t(e.level)] + e.group);
    const std::int32_t path = (after + 1) >> (3 * e.level);  // the first place of interest
    const std::int32_t begin = e.group * k_wide;
    if (path > begin) lanes &= path - begin >= k_wide ? 0u : ~0u << (path - begin);
    if (e.level == 0) {
      visit(e.group, lanes);
      continue;
    }
    for (; lanes != 0; lanes &= lanes - 1)
      stack[top++] = {begin + __builtin_ctz(lanes), e.level - 1};
  }
}

}  // namespace pliant
