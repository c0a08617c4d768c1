#include "model/manifold.h"

#include <algorithm>

namespace pliant {

void match_pairs(std::span<const BoxPair> before, std::span<const BoxPair> now, std::size_t begin,
                 std::size_t end, std::span<std::int32_t> match) {
  if (begin == end) return;
  const auto by_key = [](const BoxPair& pair, std::uint64_t key) { return pair.key < key; };
  auto at = std::lower_bound(before.begin(), before.end(), now[begin].key, by_key);
  for (std::size_t i = begin; i < end; ++i) {
    while (at != before.end() && at->key < now[i].key) ++at;
    match[i] = at != before.end() && at->key == now[i].key ? std::int32_t(at - before.begin()) : -1;
  }
}

}  // namespace pliant
