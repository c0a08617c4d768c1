#include "broadphase/sweep.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "broadphase/emit.h"
#include "broadphase/radix_sort.h"

namespace pliant {

namespace {

using Sorted = SweepScratch::Sorted;

constexpr std::size_t k_block = 256;  // sorted items

// Numbers as unsigned ones of the same order.
#ifdef PLIANT_DOUBLE
using Bits = std::uint64_t;
#else
using Bits = std::uint32_t;
#endif
Bits ordered(Real x) {
  constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  const Bits bits = std::bit_cast<Bits>(x);
  return bits & sign ? ~bits : bits | sign;
}

// The axis along which the boxes spread most compared with their size. It decides speed only.
int sweep_axis(const BoxList& list, const std::vector<Sorted>& items) {
  double best = -1;
  int axis = 0;
  for (int k = 0; k < 3; ++k) {
    double sum = 0, squares = 0;
    for (const Sorted& s : items) {
      const double c = 0.5 * (double(list.boxes[s.item].lo[k]) + list.boxes[s.item].hi[k]);
      sum += c;
      squares += c * c;
    }
    const double spread = squares - sum * sum / double(items.size());
    if (spread > best) {
      best = spread;
      axis = k;
    }
  }
  return axis;
}

// Boxes many times larger than the usual one would be met by everything along the axis: they are
// tested against all others instead.
void split(const BoxList& list, SweepScratch& s) {
  s.sorted.clear();
  s.large.clear();
  double sum = 0;
  const auto extent = [&](std::int32_t i) {
    const BoxAabb& b = list.boxes[i];
    double e = 0;
    for (int k = 0; k < 3; ++k) e = e > double(b.hi[k]) - b.lo[k] ? e : double(b.hi[k]) - b.lo[k];
    return e;
  };
  int finite = 0;
  for (const std::int32_t i : list.live) {
    const double e = extent(i);
    if (!(e < 1e6)) continue;
    sum += e;
    ++finite;
  }
  const double limit = finite > 0 ? 8 * sum / finite : 0;
  for (const std::int32_t i : list.live) {
    if (extent(i) > limit)
      s.large.push_back(i);
    else
      s.sorted.push_back({0, i});
  }
}

void fill_sides(const BoxList& list, SweepScratch& s, int axis) {
  const std::size_t n = s.sorted.size();
  const Real far = std::numeric_limits<Real>::infinity();
  s.item.resize(n);
  for (int k = 0; k < 6; ++k) s.side[k].resize(n + k_wide);
  for (std::size_t i = 0; i < n; ++i) {
    s.item[i] = s.sorted[i].item;
    const BoxAabb& b = list.boxes[s.item[i]];
    for (int k = 0; k < 3; ++k) {
      const int from = (axis + k) % 3;  // the sorted axis comes first
      s.side[2 * k][i] = b.lo[from];
      s.side[2 * k + 1][i] = b.hi[from];
    }
  }
  for (std::size_t i = n; i < n + k_wide; ++i)
    for (int k = 0; k < 6; ++k) s.side[k][i] = k % 2 ? -far : far;  // meets nothing
}

// The lanes from `at` on that meet the box with these sides.
inline unsigned meeting(const SweepScratch& s, std::size_t at, const Real box[6]) {
  MaskW m = load_wide(&s.side[0][at]) <= splat(box[1]);
  m &= load_wide(&s.side[1][at]) >= splat(box[0]);
  m &= load_wide(&s.side[2][at]) <= splat(box[3]);
  m &= load_wide(&s.side[3][at]) >= splat(box[2]);
  m &= load_wide(&s.side[4][at]) <= splat(box[5]);
  m &= load_wide(&s.side[5][at]) >= splat(box[4]);
  return lane_bits(m);
}

void emit_lanes(const BoxList& list, const SweepScratch& s, std::int32_t i, std::size_t at,
                unsigned lanes, std::vector<BoxPair>& pairs) {
  for (; lanes != 0; lanes &= lanes - 1)
    emit(list, i, s.item[at + unsigned(__builtin_ctz(lanes))], pairs);
}

// Items from `begin` on with all that follow them, and with what is fixed.
void sweep_block(const BoxList& list, const SweepScratch& s, const FixedTree& fixed,
                 std::size_t begin, std::size_t end, SweepScratch::Found& found) {
  const std::size_t n = s.sorted.size();
  found.pairs.clear();
  found.tests = test_fixed(list, fixed, std::span(s.item).subspan(begin, end - begin), found.pairs);
  for (std::size_t i = begin; i < end; ++i) {
    Real box[6];
    for (int k = 0; k < 6; ++k) box[k] = s.side[k][i];
    for (std::size_t j = i + 1; j < n && s.side[0][j] <= box[1]; j += k_wide) {
      emit_lanes(list, s, s.item[i], j, meeting(s, j, box), found.pairs);
      found.tests += n - j < k_wide ? std::int64_t(n - j) : k_wide;
    }
  }
}

std::int64_t sweep(const BoxList& list, SweepScratch& s, const FixedTree& fixed, TaskPool* pool) {
  const std::size_t n = s.sorted.size(), blocks = (n + k_block - 1) / k_block;
  if (s.found.size() < blocks) s.found.resize(blocks);
  parallel_for(pool, int(blocks), 1, [&](int begin, int end) {
    for (std::size_t b = std::size_t(begin); b < std::size_t(end); ++b)
      sweep_block(list, s, fixed, b * k_block, std::min(n, (b + 1) * k_block), s.found[b]);
  });
  std::int64_t tests = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    s.pairs.insert(s.pairs.end(), s.found[b].pairs.begin(), s.found[b].pairs.end());
    tests += s.found[b].tests;
  }
  return tests;
}

std::int64_t test_large(const BoxList& list, SweepScratch& s, int axis) {
  for (std::size_t i = 0; i < s.large.size(); ++i) {
    const BoxAabb& b = list.boxes[s.large[i]];
    Real box[6];
    for (int k = 0; k < 3; ++k) {
      box[2 * k] = b.lo[(axis + k) % 3];
      box[2 * k + 1] = b.hi[(axis + k) % 3];
    }
    for (std::size_t j = 0; j < s.sorted.size(); j += k_wide)
      emit_lanes(list, s, s.large[i], j, meeting(s, j, box), s.pairs);
    for (std::size_t j = i + 1; j < s.large.size(); ++j) {
      if (boxes_meet(b, list.boxes[s.large[j]])) emit(list, s.large[i], s.large[j], s.pairs);
    }
  }
  const std::int64_t large = std::int64_t(s.large.size());
  return large * std::int64_t(s.sorted.size()) + large * (large - 1) / 2;
}

}  // namespace

std::int64_t find_pairs_sweep(const BoxList& list, SweepScratch& s, FixedTree& fixed,
                              TaskPool* pool, std::vector<BoxPair>& pairs) {
  s.pairs.clear();
  split(list, s);
  const int axis = sweep_axis(list, s.sorted);
  for (Sorted& it : s.sorted) it.order = ordered(list.boxes[it.item].lo[axis]);
  radix_sort(s.sorted, s.spare, 8 * int(sizeof(Bits)), [](const Sorted& it) { return it.order; });
  fill_sides(list, s, axis);
  keep_fixed(list, fixed);
  std::int64_t tests = sweep(list, s, fixed, pool);
  tests += test_large(list, s, axis);
  tests += test_fixed(list, fixed, s.large, s.pairs);
  tests += test_planes(list, s.pairs);
  sort_pairs(s.pairs, pairs);
  pairs.swap(s.pairs);
  return tests;
}

}  // namespace pliant
