#include "narrowphase/leaf_pairs.h"

#include <algorithm>

#include "model/rigid.h"

namespace pliant {
namespace {

// How far, in edges, a patch may come apart in the time searched for and still count as flat.
constexpr Real k_flat_motion = Real(0.25);

// Collects the pairs of leaves that may hold candidates, in the order of the tree.
class Descent {
 public:
  Descent(const SheetSide& b, const SheetSide& a, Real reach, std::vector<LeafPair>& out)
      : b_(b), a_(a), reach_(reach), moves_(k_flat_motion * Real(b.body.cell)), out_(out) {}

  void with_itself(std::int32_t n) {
    const SheetNode& node = b_.node(n);
    if (!b_.concerns(n)) return;
    if (node.connected && is_flat(b_.boxes[std::size_t(n)], moves_)) return;
    if (node.leaf >= 0) {
      out_.push_back({node.leaf, node.leaf});
      return;
    }
    with_itself(node.left);
    with_itself(node.right);
    with_other(node.left, node.right);
  }

  void with_other(std::int32_t m, std::int32_t n) {
    const SheetBox &mine = b_.boxes[std::size_t(m)], &other = a_.boxes[std::size_t(n)];
    if ((!b_.concerns(m) && !a_.concerns(n)) || !meet(mine, other, reach_)) return;
    const SheetNode &b = b_.node(m), &a = a_.node(n);
    if (b.leaf >= 0 && a.leaf >= 0) {
      if (!flat_neighbours(b, a, mine, other)) out_.push_back({b.leaf, a.leaf});
      return;
    }
    if (a.leaf >= 0 || (b.leaf < 0 && size(mine) >= size(other))) {
      with_other(b.left, n);
      with_other(b.right, n);
    } else {
      with_other(m, a.left);
      with_other(m, a.right);
    }
  }

 private:
  static Real size(const SheetBox& box) {
    const Vec3R e = xyz(box.high) - xyz(box.low);
    return std::max({e.x, e.y, e.z});
  }

  bool flat_neighbours(const SheetNode& b, const SheetNode& a, const SheetBox& mine,
                       const SheetBox& other) const {
    if (&b_.body != &a_.body || !b.connected || !a.connected) return false;
    const SheetTree& tree = b_.tree();
    const SheetLeaf& leaf = tree.leaves[std::size_t(b.leaf)];
    return std::binary_search(tree.near.begin() + leaf.near_begin,
                              tree.near.begin() + leaf.near_end, a.leaf) &&
           is_flat(join(mine, other), moves_);
  }

  const SheetSide &b_, &a_;
  Real reach_, moves_;
  std::vector<LeafPair>& out_;
};

}  // namespace

void list_leaf_pairs(const SheetSide& b, const SheetSide& a, Real reach,
                     std::vector<LeafPair>& out) {
  if (b.boxes.empty() || a.boxes.empty()) return;
  Descent descent(b, a, reach, out);
  if (&b.body == &a.body)
    descent.with_itself(0);
  else
    descent.with_other(0, 0);
}

}  // namespace pliant
