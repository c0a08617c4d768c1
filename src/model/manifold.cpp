#include "model/manifold.h"

namespace pliant {

void match_pairs(const std::vector<BoxPair>& before, const std::vector<BoxPair>& now,
                 std::vector<std::int32_t>& match) {
  match.resize(now.size());
  std::size_t j = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    while (j < before.size() && before[j].key < now[i].key) ++j;
    match[i] = j < before.size() && before[j].key == now[i].key ? std::int32_t(j) : -1;
  }
}

}  // namespace pliant
