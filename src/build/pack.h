// Coloured elements into batches of eight.
#pragma once

#include <cstdint>
#include <vector>

#include "build/colouring.h"
#include "model/batches.h"

namespace pliant {

// Calls fill(batch, lane, element) for each element in its place and fill(batch, lane, -1) for the
// unused lanes of a colour's last batch.
template <class Batch, class Fill>
void pack_batches(const std::vector<std::vector<std::int32_t>>& groups, std::vector<Batch>& batches,
                  ColourRanges& colours, const Fill& fill) {
  colours.begin.assign(1, 0);
  batches.clear();
  for (const std::vector<std::int32_t>& group : groups) {
    for (std::size_t first = 0; first < group.size(); first += k_lanes) {
      Batch& batch = batches.emplace_back();
      for (std::size_t lane = 0; lane < k_lanes; ++lane)
        fill(batch, int(lane), first + lane < group.size() ? group[first + lane] : -1);
    }
    colours.begin.push_back(std::int32_t(batches.size()));
  }
}

}  // namespace pliant
