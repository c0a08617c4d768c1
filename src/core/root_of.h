// Sets that are joined, as a forest: the root of a set is what all its members lead to.
#pragma once

#include <cstdint>
#include <vector>

namespace pliant {

// Shortens the way on the go.
inline std::int32_t root_of(std::vector<std::int32_t>& parent, std::int32_t n) {
  while (parent[std::size_t(n)] != n) {
    parent[std::size_t(n)] = parent[std::size_t(parent[std::size_t(n)])];
    n = parent[std::size_t(n)];
  }
  return n;
}

}  // namespace pliant
