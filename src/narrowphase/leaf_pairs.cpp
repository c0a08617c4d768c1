#include "narrowphase/leaf_pairs.h"

#include <algorithm>

#include "model/rigid.h"

namespace pliant {
namespace {

constexpr Real k_flat_motion = Real(0.25);  // in edges
// Into how many parts a descent is cut for threads, at least, if so many rounds of cutting do.
constexpr std::size_t k_parts = 64;
constexpr int k_most_rounds = 16;

// Collects the pairs of leaves that may hold candidates.
class Descent {
 public:
  Descent(const SheetSide& b, const SheetSide& a, Real reach, std::vector<LeafPair>& out)
      : b_(b), a_(a), reach_(reach), moves_(flat_motion(b.body)), out_(out) {}

  void run(const DescentPart& part) {
    if (part.n < 0)
      with_itself(part.m);
    else
      with_other(part.m, part.n, part.is_turn_of_b);
  }

  // What there is below a part, in the order in which run goes through it. Leaves stay as they are.
  void cut(const DescentPart& part, std::vector<DescentPart>& parts) const {
    const SheetNode& b = b_.node(part.m);
    if (part.n < 0) {
      if (b.leaf >= 0) return parts.push_back(part);
      if (!may_meet_itself(part.m)) return;
      for (const DescentPart& below :
           {DescentPart{b.left, -1, true}, {b.left, b.right, true}, {b.right, -1, true}})
        parts.push_back(below);
      return;
    }
    const SheetNode& a = a_.node(part.n);
    if (b.leaf >= 0 && a.leaf >= 0) return parts.push_back(part);
    if (!may_meet(part.m, part.n)) return;
    if (goes_down_b(b, a, part.is_turn_of_b)) {
      parts.push_back({b.left, part.n, false});
      parts.push_back({b.right, part.n, false});
    } else {
      parts.push_back({part.m, a.left, true});
      parts.push_back({part.m, a.right, true});
    }
  }

 private:
  bool may_meet_itself(std::int32_t n) const {
    return b_.concerns(n) && !(b_.node(n).connected && is_flat(b_.boxes[std::size_t(n)], moves_));
  }
  bool may_meet(std::int32_t m, std::int32_t n) const {
    return (b_.concerns(m) || a_.concerns(n)) &&
           meet(b_.boxes[std::size_t(m)], a_.boxes[std::size_t(n)], reach_);
  }
  static bool goes_down_b(const SheetNode& b, const SheetNode& a, bool is_turn_of_b) {
    return a.leaf >= 0 || (b.leaf < 0 && is_turn_of_b);
  }

  void with_itself(std::int32_t n) {
    const SheetNode& node = b_.node(n);
    if (!may_meet_itself(n)) return;
    if (node.leaf >= 0) {
      out_.push_back({node.leaf, node.leaf});
      return;
    }
    with_itself(node.left);
    with_other(node.left, node.right, true);
    with_itself(node.right);
  }

  void with_other(std::int32_t m, std::int32_t n, bool is_turn_of_b) {
    if (!may_meet(m, n)) return;
    const SheetNode &b = b_.node(m), &a = a_.node(n);
    if (b.leaf >= 0 && a.leaf >= 0) {
      if (!flat_neighbours(m, n)) out_.push_back({b.leaf, a.leaf});
      return;
    }
    if (goes_down_b(b, a, is_turn_of_b)) {
      with_other(b.left, n, false);
      with_other(b.right, n, false);
    } else {
      with_other(m, a.left, true);
      with_other(m, a.right, true);
    }
  }

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

namespace {

DescentPart whole(const SheetSide& b, const SheetSide& a) {
  return {0, &b.body == &a.body ? -1 : 0, true};
}

}  // namespace

void list_leaf_pairs(const SheetSide& b, const SheetSide& a, Real reach,
                     std::vector<LeafPair>& out) {
  if (b.boxes.empty() || a.boxes.empty()) return;
  Descent(b, a, reach, out).run(whole(b, a));
}

void list_leaf_pairs(const SheetSide& b, const SheetSide& a, Real reach, TaskPool* pool,
                     DescentScratch& scratch, std::vector<LeafPair>& out) {
  if (b.boxes.empty() || a.boxes.empty()) return;
  std::vector<DescentPart>&parts = scratch.parts, &next = scratch.next;
  parts.assign(1, whole(b, a));
  for (int round = 0; round < k_most_rounds && !parts.empty() && parts.size() < k_parts; ++round) {
    next.clear();
    const Descent descent(b, a, reach, out);
    for (const DescentPart& part : parts) descent.cut(part, next);
    parts.swap(next);
  }
  if (scratch.found.size() < parts.size()) scratch.found.resize(parts.size());
  parallel_for(pool, int(parts.size()), 1, [&](int begin, int end) {
    for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n) {
      scratch.found[n].clear();
      Descent(b, a, reach, scratch.found[n]).run(parts[n]);
    }
  });
  for (std::size_t n = 0; n < parts.size(); ++n)
    out.insert(out.end(), scratch.found[n].begin(), scratch.found[n].end());
}

}  // namespace pliant
