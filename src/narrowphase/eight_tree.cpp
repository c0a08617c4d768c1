#include "narrowphase/eight_tree.h"

namespace pliant {
namespace {

constexpr double k_nothing = 1e30;  // m, beyond it nothing is told apart
constexpr double k_rounding = sizeof(Real) == 4 ? 2.4e-7 : 0;

Real below(double x) {
  x = std::min(std::max(x, -k_nothing), k_nothing);
  return Real(x - k_rounding * std::max(x, -x));
}
Real above(double x) { return -below(-x); }

}  // namespace

EightTree::BoxW EightTree::spread(const TreeBox& box) {
  return {{splat(below(box.low.x)), splat(below(box.low.y)), splat(below(box.low.z))},
          {splat(above(box.high.x)), splat(above(box.high.y)), splat(above(box.high.z))}};
}

// Halves at multiples of eight, so that those of a node lie together.
void EightTree::order(std::span<const TreeBox> boxes, std::size_t first, std::size_t count) {
  if (count <= std::size_t(k_wide)) return;
  const auto middle = [&](std::int32_t item) {
    return boxes[std::size_t(item)].low + boxes[std::size_t(item)].high;
  };
  const auto begin = items_.begin() + std::ptrdiff_t(first);
  TreeBox middles;
  for (auto it = begin; it != begin + std::ptrdiff_t(count); ++it) middles.add(middle(*it));
  const Vec3 size = middles.high - middles.low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  std::size_t part = k_wide;  // the largest power of eight times eight that leaves a rest
  while (part * k_wide < count) part *= k_wide;
  const std::size_t half = (count / part + 1) / 2 * part;
  std::nth_element(begin, begin + std::ptrdiff_t(half), begin + std::ptrdiff_t(count),
                   [&](std::int32_t a, std::int32_t b) {
                     const double x = middle(a)[axis], y = middle(b)[axis];
                     return x < y || (x == y && a < b);
                   });
  order(boxes, first, half);
  order(boxes, first + half, count - half);
}

void EightTree::build(std::span<const TreeBox> boxes) {
  items_.resize(boxes.size());
  for (std::size_t i = 0; i < items_.size(); ++i) items_[i] = std::int32_t(i);
  levels_.clear();
  if (items_.empty()) return;
  order(boxes, 0, items_.size());
  std::size_t count = items_.size();
  do {
    count = (count + std::size_t(k_wide) - 1) / std::size_t(k_wide);
    levels_.emplace_back(count);
  } while (count > 1);
  refit(boxes);
}

void EightTree::put(const TreeBox& box, std::size_t lane, Real (&side)[6][k_wide]) {
  for (int axis = 0; axis < 3; ++axis) {
    side[axis][lane] = below(box.low[axis]);
    side[axis + 3][lane] = below(-box.high[axis]);
  }
}

void EightTree::put(const BoxW& box, std::size_t lane, Real (&side)[6][k_wide]) {
  const auto least = [](RealW v) {
    Real r = v[0];
    for (int k = 1; k < k_wide; ++k) r = v[k] < r ? v[k] : r;
    return r;
  };
  const RealW of[6] = {box.low.x, box.low.y, box.low.z, -box.high.x, -box.high.y, -box.high.z};
  for (std::size_t n = 0; n < 6; ++n) side[n][lane] = least(of[n]);
}

void EightTree::refit(std::span<const TreeBox> boxes) {
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::size_t children = level == 0 ? items_.size() : levels_[level - 1].size();
    for (std::size_t n = 0; n < levels_[level].size(); ++n) {
      Real side[6][k_wide];  // low x, y, z, then what is highest, with the sign turned
      const std::size_t first = n * std::size_t(k_wide);
      for (std::size_t lane = 0; lane < std::size_t(k_wide); ++lane) {
        for (auto& s : side) s[lane] = Real(2 * k_nothing);
        if (first + lane >= children) continue;
        if (level == 0)
          put(boxes[std::size_t(items_[first + lane])], lane, side);
        else
          put(levels_[level - 1][first + lane], lane, side);
      }
      levels_[level][n] = {load_wide3(side[0]), -load_wide3(side[3])};
    }
  }
}

}  // namespace pliant
