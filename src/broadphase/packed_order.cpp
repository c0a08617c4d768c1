#include "broadphase/packed_order.h"

#include <algorithm>
#include <cmath>

#include "broadphase/radix_sort.h"

namespace pliant {
namespace {

using Coded = PackedOrder::Coded;
constexpr int k_bits = 21;  // of each axis

// The bits of x with two zeros between each.
std::uint64_t spread_bits(std::uint64_t x) {
  x &= (std::uint64_t(1) << k_bits) - 1;
  x = (x | x << 32) & 0x1f00000000ffffull;
  x = (x | x << 16) & 0x1f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}
std::uint64_t interleave(const std::uint64_t at[3]) {
  return spread_bits(at[0]) << 2 | spread_bits(at[1]) << 1 | spread_bits(at[2]);
}

double middle(const BoxAabb& b, int k) { return 0.5 * (double(b.lo[k]) + double(b.hi[k])); }

void count_levels(PackedOrder& order) {
  order.level_begin.assign(1, 0);
  std::int32_t groups = order.groups();
  if (groups == 0) return;
  for (;;) {
    order.level_begin.push_back(order.level_begin.back() + groups);
    if (groups == 1) return;
    groups = (groups + k_wide - 1) / k_wide;
  }
}

// Opens a new group where the last is full or `cut` is said.
void append(PackedOrder& order, std::int32_t item, bool cut) {
  if (order.count.empty() || cut || order.count.back() == k_wide) {
    order.count.push_back(0);
    order.item.resize(order.item.size() + k_wide, -1);
  }
  order.item[order.item.size() - k_wide + std::size_t(order.count.back()++)] = item;
}

}  // namespace

void order_live(const BoxList& list, PackedOrder& order) {
  double low[3] = {0, 0, 0}, range = 0;
  for (int k = 0; k < 3 && !list.live.empty(); ++k) {
    double high = low[k] = middle(list.boxes[list.live[0]], k);
    for (const std::int32_t i : list.live) {
      low[k] = std::min(low[k], middle(list.boxes[i], k));
      high = std::max(high, middle(list.boxes[i], k));
    }
    range = std::max(range, high - low[k]);
  }
  const double scale = range > 0 ? double((1 << k_bits) - 1) / range : 0;
  order.coded.clear();
  order.moving = 0;
  for (const std::int32_t i : list.live) {
    std::uint64_t at[3];
    for (int k = 0; k < 3; ++k) at[k] = std::uint64_t((middle(list.boxes[i], k) - low[k]) * scale);
    const std::uint64_t stands = list.moves[i] ? 0 : 1;
    order.coded.push_back({interleave(at) | stands << 63, i, 0});
    order.moving += list.moves[i] ? 1 : 0;
  }
  radix_sort(order.coded, order.spare, 64, [](const Coded& c) { return c.code; });
  order.item.clear();
  order.count.clear();
  for (const Coded& c : order.coded) append(order, c.item, false);
  count_levels(order);
}

void order_fixed(const BoxList& list, PackedOrder& order) {
  order.coded.clear();
  order.moving = 0;
  for (const std::int32_t i : list.fixed) {
    const BoxAabb& b = list.boxes[i];
    double extent = 1e-6;
    for (int k = 0; k < 3; ++k) extent = std::max(extent, double(b.hi[k]) - double(b.lo[k]));
    const int level = std::ilogb(extent);
    const double cell = std::ldexp(2.0, level), half = double(1 << (k_bits - 1));
    std::uint64_t at[3];
    for (int k = 0; k < 3; ++k)
      at[k] = std::uint64_t(std::clamp(std::floor(middle(b, k) / cell) + half, 0.0, 2 * half - 1));
    order.coded.push_back({interleave(at), i, level});
  }
  std::sort(order.coded.begin(), order.coded.end(), [](const Coded& a, const Coded& b) {
    if (a.level != b.level) return a.level < b.level;
    return a.code != b.code ? a.code < b.code : a.item < b.item;
  });
  order.item.clear();
  order.count.clear();
  const Coded* last = nullptr;
  for (const Coded& c : order.coded) {
    append(order, c.item, last && (last->level != c.level || last->code != c.code));
    last = &c;
  }
  count_levels(order);
}

}  // namespace pliant
