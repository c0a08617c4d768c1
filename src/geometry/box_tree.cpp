#include "geometry/box_tree.h"

namespace pliant {

namespace {

constexpr std::int32_t k_leaf = 4;

}  // namespace

double box_entry(const TreeBox& box, const Vec3& grow, const Vec3& from, const Vec3& direction,
                 double length) {
  const double miss = 2 * length + 1;
  double enter = 0, leave = length;
  for (int i = 0; i < 3; ++i) {
    const double low = box.low[i] - grow[i] - from[i], high = box.high[i] + grow[i] - from[i];
    if (direction[i] == 0) {
      if (low > 0 || high < 0) return miss;
      continue;
    }
    const double a = low / direction[i], b = high / direction[i];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter <= leave ? enter : miss;
}

double box_gap_sq(const TreeBox& box, const Vec3& p) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = std::max({box.low[i] - p[i], 0.0, p[i] - box.high[i]});
    sum += d * d;
  }
  return sum;
}

void BoxTree::build(std::span<const TreeBox> boxes) {
  nodes_.clear();
  boxes_.assign(boxes.begin(), boxes.end());
  items_.resize(boxes.size());
  for (std::size_t i = 0; i < items_.size(); ++i) items_[i] = std::int32_t(i);
  if (!items_.empty()) build(boxes, 0, std::int32_t(items_.size()));
}

std::int32_t BoxTree::build(std::span<const TreeBox> boxes, std::int32_t first,
                            std::int32_t count) {
  const std::int32_t index = std::int32_t(nodes_.size());
  nodes_.emplace_back();
  TreeBox all, middles;
  const auto middle = [&](std::int32_t item) {
    return boxes[std::size_t(item)].low + boxes[std::size_t(item)].high;
  };
  const auto begin = items_.begin() + first;
  for (auto it = begin; it != begin + count; ++it) {
    all.add(boxes[std::size_t(*it)]);
    middles.add(middle(*it));
  }
  nodes_[std::size_t(index)].box = all;
  if (count <= k_leaf) {
    nodes_[std::size_t(index)].first = first;
    nodes_[std::size_t(index)].count = count;
    return index;
  }
  const Vec3 size = middles.high - middles.low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  std::nth_element(begin, begin + count / 2, begin + count, [&](std::int32_t a, std::int32_t b) {
    const double x = middle(a)[axis], y = middle(b)[axis];
    return x < y || (x == y && a < b);
  });
  build(boxes, first, count / 2);
  const std::int32_t right = build(boxes, first + count / 2, count - count / 2);
  nodes_[std::size_t(index)].right = right;
  return index;
}

// Children have higher places than their parents.
void BoxTree::refit(std::span<const TreeBox> boxes) {
  boxes_.assign(boxes.begin(), boxes.end());
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    node.box = {};
    for (std::int32_t i = node.first; i < node.first + node.count; ++i)
      node.box.add(boxes[std::size_t(items_[std::size_t(i)])]);
    if (node.count > 0) continue;
    node.box.add(nodes_[n + 1].box);
    node.box.add(nodes_[std::size_t(node.right)].box);
  }
}

}  // namespace pliant
