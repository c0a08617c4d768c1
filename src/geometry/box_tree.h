// A tree over boxes of anything: which of them meet a box, a ray or a ball. Visits give items in no
// particular order; answers that depend on one are the caller's to sort.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/math.h>

namespace pliant {

struct TreeBox {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};  // m; empty at first

  void add(const Vec3& p) {
    low = min(low, p);
    high = max(high, p);
  }
  void add(const TreeBox& b) {
    low = min(low, b.low);
    high = max(high, b.high);
  }
  bool meets(const TreeBox& b) const {
    return low.x <= b.high.x && b.low.x <= high.x && low.y <= b.high.y && b.low.y <= high.y &&
           low.z <= b.high.z && b.low.z <= high.z;
  }
};

// Where a ray enters the box grown by `grow`, at least 0; more than `length` where it does not.
double box_entry(const TreeBox& box, const Vec3& grow, const Vec3& from, const Vec3& direction,
                 double length);
// Squared, 0 inside.
double box_gap_sq(const TreeBox& box, const Vec3& p);

class BoxTree {
 public:
  // Puts the items into a tree by where they are.
  void build(std::span<const TreeBox> boxes);
  // The same tree over boxes that have moved.
  void refit(std::span<const TreeBox> boxes);
  bool empty() const { return nodes_.empty(); }

  // visit(item) for those that meet the box.
  template <class Visit>
  void overlapping(const TreeBox& box, const Visit& visit) const {
    walk([&](const TreeBox& b) { return b.meets(box); }, visit, box.low);
  }
  // visit(item) for those that, grown by `grow`, meet the ray; `length` may shrink meanwhile.
  template <class Visit>
  void along(const Vec3& from, const Vec3& direction, const double& length, const Vec3& grow,
             const Visit& visit) const {
    walk([&](const TreeBox& b) { return box_entry(b, grow, from, direction, length) <= length; },
         visit, from);
  }
  // visit(item) for those within the distance `reach`, which may shrink meanwhile.
  template <class Visit>
  void within(const Vec3& p, const double& reach, const Visit& visit) const {
    walk([&](const TreeBox& b) { return box_gap_sq(b, p) <= reach * reach; }, visit, p);
  }

 private:
  struct Node {
    TreeBox box;
    std::int32_t first = 0, count = 0;  // count > 0: a leaf with items [first, first + count)
    std::int32_t right = 0;             // the other child follows its parent
  };
  std::int32_t build(std::span<const TreeBox> boxes, std::int32_t first, std::int32_t count);

  // Of two children the one nearer to `near` first.
  template <class Wanted, class Visit>
  void walk(const Wanted& wanted, const Visit& visit, const Vec3& near) const {
    if (nodes_.empty()) return;
    std::int32_t stack[64];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const std::int32_t index = stack[--depth];
      const Node& node = nodes_[std::size_t(index)];
      if (!wanted(node.box)) continue;
      for (std::int32_t i = node.first; i < node.first + node.count; ++i)
        if (wanted(boxes_[std::size_t(items_[std::size_t(i)])])) visit(items_[std::size_t(i)]);
      if (node.count > 0) continue;
      const double left = box_gap_sq(nodes_[std::size_t(index + 1)].box, near);
      const double right = box_gap_sq(nodes_[std::size_t(node.right)].box, near);
      stack[depth++] = left <= right ? node.right : index + 1;
      stack[depth++] = left <= right ? index + 1 : node.right;
    }
  }

  std::vector<TreeBox> boxes_;
  std::vector<std::int32_t> items_;
  std::vector<Node> nodes_;
};

}  // namespace pliant
