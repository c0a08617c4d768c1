#include "narrowphase/eight_tree.h"

namespace pliant {
EightTree::BoxW EightTree::spread(const TreeBox& box) {
  const RoughBox r = rough_box(box.low, box.high);
  return {{splat(r[0]), splat(r[1]), splat(r[2])}, {splat(-r[4]), splat(-r[5]), splat(-r[6])}};
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

EightTree::BoxW EightTree::node_of(const RoughBox (&children)[k_wide]) {
  RealW a[4], b[4];
  for (std::size_t k = 0; k < 4; ++k) a[k] = children[k], b[k] = children[k + 4];
  transpose4(a[0], a[1], a[2], a[3]);
  transpose4(b[0], b[1], b[2], b[3]);
  const auto low = [&](std::size_t axis) { return join4(low4(a[axis]), low4(b[axis])); };
  const auto high = [&](std::size_t axis) { return -join4(high4(a[axis]), high4(b[axis])); };
  return {{low(0), low(1), low(2)}, {high(0), high(1), high(2)}};
}

// What a level's nodes hold becomes what the next one's children are.
void EightTree::refit_levels() {
  std::size_t children = items_.size();
  for (std::vector<BoxW>& level : levels_) {
    for (std::size_t n = 0; n < level.size(); ++n) {
      const std::size_t first = n * std::size_t(k_wide);
      RoughBox of[k_wide], all = k_no_box;
      for (std::size_t lane = 0; lane < std::size_t(k_wide); ++lane) {
        of[lane] = first + lane < children ? rough_[first + lane] : k_no_box;
        all = min(all, of[lane]);
      }
      level[n] = node_of(of);
      rough_[n] = all;
    }
    children = level.size();
  }
}

void EightTree::refit(std::span<const TreeBox> boxes) {
  refit_by([&](std::int32_t item) {
    const TreeBox& box = boxes[std::size_t(item)];
    return rough_box(box.low, box.high);
  });
}

}  // namespace pliant
