#include "broadphase/sweep.h"

#include <array>
#include <bit>
#include <limits>

namespace pliant {

namespace {

using Sorted = SweepScratch::Sorted;
constexpr int k_digit_bits = 11, k_digits = 1 << k_digit_bits;

// A stable radix sort by `digits` digits of key(item); digits that are all alike cost nothing.
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
constexpr int k_order_digits = (8 * int(sizeof(Bits)) + k_digit_bits - 1) / k_digit_bits;

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

void emit(const BoxList& list, std::int32_t i, std::int32_t j, std::vector<BoxPair>& pairs) {
  if (!(list.moves[i] || list.moves[j])) return;
  const bool in_order = list.keys[i] < list.keys[j];
  const std::int32_t a = in_order ? i : j, b = in_order ? j : i;
  pairs.push_back({std::uint64_t(list.keys[a]) << 32 | list.keys[b], a, b});
}

// Boxes many times larger than the usual one would be met by everything along the axis: they are
// tested against all others instead.
void split(const BoxList& list, SweepScratch& s) {
  s.sorted.clear();
  s.large.clear();
  double sum = 0;
  const auto extent = [&](std::size_t i) {
    const BoxAabb& b = list.boxes[i];
    double e = 0;
    for (int k = 0; k < 3; ++k) e = e > double(b.hi[k]) - b.lo[k] ? e : double(b.hi[k]) - b.lo[k];
    return e;
  };
  std::vector<std::int32_t>& plane = s.item;  // 1 where the item is a plane
  plane.assign(list.boxes.size(), 0);
  for (const BoxPlane& p : list.planes) plane[p.item] = 1;
  int finite = 0;
  for (std::size_t i = 0; i < list.boxes.size(); ++i) {
    if (plane[i] || !(extent(i) < 1e6)) continue;
    sum += extent(i);
    ++finite;
  }
  const double limit = finite > 0 ? 8 * sum / finite : 0;
  for (std::size_t i = 0; i < list.boxes.size(); ++i) {
    if (plane[i]) continue;
    if (extent(i) > limit)
      s.large.push_back(std::int32_t(i));
    else
      s.sorted.push_back({0, std::int32_t(i)});
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

void sweep(const BoxList& list, SweepScratch& s) {
  const std::size_t n = s.sorted.size();
  for (std::size_t i = 0; i < n; ++i) {
    Real box[6];
    for (int k = 0; k < 6; ++k) box[k] = s.side[k][i];
    for (std::size_t j = i + 1; j < n && s.side[0][j] <= box[1]; j += k_wide)
      emit_lanes(list, s, s.item[i], j, meeting(s, j, box), s.pairs);
  }
}

void test_large(const BoxList& list, SweepScratch& s, int axis) {
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
      const BoxAabb& c = list.boxes[s.large[j]];
      bool apart = false;
      for (int k = 0; k < 3; ++k) apart = apart || b.hi[k] < c.lo[k] || c.hi[k] < b.lo[k];
      if (!apart) emit(list, s.large[i], s.large[j], s.pairs);
    }
  }
}

void test_planes(const BoxList& list, SweepScratch& s) {
  const auto below = [&](const BoxPlane& p, const BoxAabb& b) {
    Real lowest = 0;
    for (int k = 0; k < 3; ++k) lowest += p.normal[k] * (p.normal[k] > 0 ? b.lo[k] : b.hi[k]);
    return lowest <= p.offset;
  };
  for (const BoxPlane& p : list.planes) {
    for (std::int32_t i : s.item)
      if (below(p, list.boxes[i])) emit(list, p.item, i, s.pairs);
    for (std::int32_t i : s.large)
      if (below(p, list.boxes[i])) emit(list, p.item, i, s.pairs);
  }
}

}  // namespace

void find_pairs_sweep(const BoxList& list, SweepScratch& s, std::vector<BoxPair>& pairs) {
  s.pairs.clear();
  split(list, s);
  const int axis = sweep_axis(list, s.sorted);
  for (Sorted& it : s.sorted) it.order = ordered(list.boxes[it.item].lo[axis]);
  radix_sort(s.sorted, s.spare, k_order_digits, [](const Sorted& it) { return it.order; });
  fill_sides(list, s, axis);
  sweep(list, s);
  test_large(list, s, axis);
  test_planes(list, s);
  radix_sort(s.pairs, pairs, 6, [](const BoxPair& p) { return p.key; });
  pairs.swap(s.pairs);
}

}  // namespace pliant
