#include "narrowphase/leaf_pairs.h"

#include <algorithm>

#include "model/rigid.h"

namespace pliant {
namespace {

constexpr Real k_flat_motion = Real(0.25);  // in edges

// Collects the pairs of leaves that may hold candidates.
class Descent {
 public:
  Descent(const SheetSide& b, const SheetSide& a, Real reach, std::vector<LeafPair>& out)
      : b_(b), a_(a), reach_(reach), moves_(flat_motion(b.body)), out_(out) {}

  void with_itself(std::int32_t n) {
    const SheetNode& node = b_.node(n);
    if (!b_.concerns(n)) return;
    if (node.connected && is_flat(b_.boxes[std::size_t(n)], moves_)) return;
    if (node.leaf >= 0) {
      out_.push_back({node.leaf, node.leaf});
      return;
    }
    with_itself(node.left);
    with_other(node.left, node.right, true);
    with_itself(node.right);
  }

  void with_other(std::int32_t m, std::int32_t n, bool is_turn_of_b) {
    const SheetBox &mine = b_.boxes[std::size_t(m)], &other = a_.boxes[std::size_t(n)];
    if ((!b_.concerns(m) && !a_.concerns(n)) || !meet(mine, other, reach_)) return;
    const SheetNode &b = b_.node(m), &a = a_.node(n);
    if (b.leaf >= 0 && a.leaf >= 0) {
      if (!flat_neighbours(m, n)) out_.push_back({b.leaf, a.leaf});
      return;
    }
    if (a.leaf >= 0 || (b.leaf < 0 && is_turn_of_b)) {
      with_other(b.left, n, false);
      with_other(b.right, n, false);
    } else {
      with_other(m, a.left, true);
      with_other(m, a.right, true);
    }
  }

 private:
  bool flat_neighbours(std::int32_t m, std::int32_t n) const {
    return &b_.body == &a_.body && are_flat_neighbours(b_, m, n);
  }

  const SheetSide &b_, &a_;
  Real reach_, moves_;
  std::vector<LeafPair>& out_;
};

}  // namespace

Real flat_motion(const Deformable& body) { return k_flat_motion * Real(body.cell); }

bool are_flat_neighbours(const SheetSide& side, std::int32_t m, std::int32_t n) {
  const SheetNode &b = side.node(m), &a = side.node(n);
  if (!b.connected || !a.connected) return false;
  const SheetTree& tree = side.tree();
  const SheetLeaf& leaf = tree.leaves[std::size_t(b.leaf)];
  return std::binary_search(tree.near.begin() + leaf.near_begin, tree.near.begin() + leaf.near_end,
                            a.leaf) &&
         is_flat(join(side.boxes[std::size_t(m)], side.boxes[std::size_t(n)]),
                 flat_motion(side.body));
}

void list_leaf_pairs(const SheetSide& b, const SheetSide& a, Real reach,
                     std::vector<LeafPair>& out) {
  if (b.boxes.empty() || a.boxes.empty()) return;
  Descent descent(b, a, reach, out);
  if (&b.body == &a.body)
    descent.with_itself(0);
  else
    descent.with_other(0, 0, true);
}

}  // namespace pliant
