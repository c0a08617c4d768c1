// A stable sort by whole numbers.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include <pliant/real.h>

#include "model/pairs.h"

namespace pliant {

inline constexpr int k_digit_bits = 11, k_digits = 1 << k_digit_bits;

// By `digits` digits of key(item); digits that are all alike cost nothing.
template <class Item, class Key>
void radix_sort(std::vector<Item>& items, std::vector<Item>& spare, int digits, Key key) {
  const std::size_t n = items.size();
  spare.resize(n);
  std::array<std::uint32_t, k_digits> start;
  for (int d = 0; d < digits; ++d) {
    const int shift = d * k_digit_bits;
    start.fill(0);
    for (const Item& it : items) ++start[key(it) >> shift & (k_digits - 1)];
    if (n == 0 || start[key(items[0]) >> shift & (k_digits - 1)] == n) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& s : start) {
      const std::uint32_t count = s;
      s = sum;
      sum += count;
    }
    for (const Item& it : items) spare[start[key(it) >> shift & (k_digits - 1)]++] = it;
    items.swap(spare);
  }
}

// By key. Of its halves, which count what was ever made, the upper bits are 0: they are left out.
inline void sort_pairs(std::vector<BoxPair>& pairs, std::vector<BoxPair>& spare) {
  std::uint64_t used = 0;
  for (const BoxPair& p : pairs) used |= p.key;
  const int low = std::bit_width(std::uint32_t(used)), high = std::bit_width(used >> 32);
  radix_sort(pairs, spare, (low + high + k_digit_bits - 1) / k_digit_bits,
             [&](const BoxPair& p) { return p.key >> 32 << low | std::uint32_t(p.key); });
}

}  // namespace pliant
