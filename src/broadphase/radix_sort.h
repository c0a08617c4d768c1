// A stable sort by whole numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <pliant/real.h>

#include "model/pairs.h"

namespace pliant {

// By the lower `bits` bits of key(item), in the fewest digits whose counts are no more work than
// the items and fit a first cache; digits that are all alike cost nothing.
template <class Item, class Key>
void radix_sort(std::vector<Item>& items, std::vector<Item>& spare, int bits, Key key) {
  constexpr int k_most_bits = 13, k_few_bits = 8;
  const std::size_t n = items.size();
  const int most = n < (std::size_t(1) << k_most_bits) / 4 ? k_few_bits : k_most_bits;
  const int digits = std::max(1, (bits + most - 1) / most);
  const int width = (bits + digits - 1) / digits;
  const std::uint64_t mask = (std::uint64_t(1) << width) - 1;
  spare.resize(n);
  std::array<std::uint32_t, std::size_t(1) << k_most_bits> start;
  for (int d = 0; d < digits && n > 0; ++d) {
    const int shift = d * width;
    std::fill_n(start.begin(), mask + 1, 0);
    for (const Item& it : items) ++start[key(it) >> shift & mask];
    if (start[key(items[0]) >> shift & mask] == n) continue;
    std::uint32_t sum = 0;
    for (std::size_t v = 0; v <= mask; ++v) sum += std::exchange(start[v], sum);
    for (const Item& it : items) spare[start[key(it) >> shift & mask]++] = it;
    items.swap(spare);
  }
}

// By key. Of its halves, which count what was ever made, the upper bits are 0: they are left out.
inline void sort_pairs(std::vector<BoxPair>& pairs, std::vector<BoxPair>& spare) {
  std::uint64_t used = 0;
  for (const BoxPair& p : pairs) used |= p.key;
  const int low = std::bit_width(std::uint32_t(used)), high = std::bit_width(used >> 32);
  radix_sort(pairs, spare, low + high,
             [&](const BoxPair& p) { return p.key >> 32 << low | std::uint32_t(p.key); });
}

}  // namespace pliant
