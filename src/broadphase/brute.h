// All against all: the reference that the other broad phases are tested against.
#pragma once

#include <vector>

#include "model/pairs.h"

namespace pliant {

// `pairs` is sorted by key. Returns the number of tests of two items.
std::int64_t find_pairs_brute(const BoxList& list, std::vector<BoxPair>& pairs);

}  // namespace pliant
