// A tree over boxes with eight children a node, compared all at once: for many small questions to
// boxes that move. Which of them meet a box; those that only nearly do may come too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/box_tree.h"
#include "math/wide.h"
#include "narrowphase/rough_box.h"

namespace pliant {

class EightTree {
 public:
  // Puts the items into a tree by where they are.
  void build(std::span<const TreeBox> boxes);
  // The same tree over boxes that have moved.
  void refit(std::span<const TreeBox> boxes);
  // The same, of boxes that rough_of(item) gives.
  template <class RoughOf>
  void refit_by(const RoughOf& rough_of) {
    rough_.resize(items_.size());
    for (std::size_t n = 0; n < items_.size(); ++n) rough_[n] = rough_of(items_[n]);
    refit_levels();
  }
  bool empty() const { return items_.empty(); }

  // visit(item) for all that meet the box, and for some that miss it by rounding.
  template <class Visit>
  void overlapping(const TreeBox& box, const Visit& visit) const {
    if (levels_.empty()) return;
    const BoxW asked = spread(box);
    look(levels_.size() - 1, 0, asked, visit);
  }

 private:
  struct alignas(64) BoxW {
    Vec3W low, high;
  };
  static BoxW spread(const TreeBox& box);
  static BoxW node_of(const RoughBox (&children)[k_wide]);
  void refit_levels();
  void order(std::span<const TreeBox> boxes, std::size_t first, std::size_t count);

  template <class Visit>
  void look(std::size_t level, std::size_t node, const BoxW& asked, const Visit& visit) const {
    const BoxW& b = levels_[level][node];
    const MaskW meets = (b.low.x <= asked.high.x) & (asked.low.x <= b.high.x) &
                        (b.low.y <= asked.high.y) & (asked.low.y <= b.high.y) &
                        (b.low.z <= asked.high.z) & (asked.low.z <= b.high.z);
    for (unsigned bits = lane_bits(meets); bits != 0; bits &= bits - 1) {
      const std::size_t child = node * k_wide + std::size_t(__builtin_ctz(bits));
      if (level == 0)
        visit(items_[child]);
      else
        look(level - 1, child, asked, visit);
    }
  }

  std::vector<std::int32_t> items_;
  std::vector<std::vector<BoxW>> levels_;  // from the items' boxes up to one node
  std::vector<RoughBox> rough_;            // of a level while it is refitted
};

}  // namespace pliant
