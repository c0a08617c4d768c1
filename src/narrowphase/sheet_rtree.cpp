#include "narrowphase/sheet_rtree.h"

#include <algorithm>

#include "model/rigid.h"

namespace pliant {
namespace {

RtreeEntry entry_of(const SheetRtree& tree, std::int32_t n) {
  const RtreeNode& node = tree.nodes[std::size_t(n)];
  RtreeEntry all = node.entry[0];
  for (std::size_t k = 1; k < std::size_t(node.count); ++k) {
    const RtreeEntry& e = node.entry[k];
    all.box = join(all.box, e.box);
    all.concerns |= e.concerns;
    if (all.patch != e.patch) all.patch = -1;
  }
  all.child = n;
  return all;
}

std::int32_t add_node(SheetRtree& tree, std::int32_t height) {
  tree.nodes.emplace_back();
  tree.nodes.back().height = height;
  return std::int32_t(tree.nodes.size()) - 1;
}

// --- what goes in
// A flat patch is the highest node of the cloth's tree that is flat and hangs together; nothing in
// it meets anything else in it.
void find_patches(const SheetSide& side, std::vector<std::int32_t>& patch) {
  const SheetTree& tree = side.tree();
  const Real moves = flat_motion(side.body);
  patch.assign(tree.nodes.size(), -1);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const SheetNode& node = tree.nodes[n];
    if (patch[n] < 0 && node.connected && is_flat(side.boxes[n], moves)) patch[n] = std::int32_t(n);
    if (node.leaf >= 0) continue;
    patch[std::size_t(node.left)] = patch[n];
    patch[std::size_t(node.right)] = patch[n];
  }
}

// Halving makes trees that are far less than 32 deep.
void find_ways(const SheetTree& tree, std::int32_t n, std::uint32_t way, int depth,
               std::vector<std::uint32_t>& ways) {
  ways[std::size_t(n)] = way;
  const SheetNode& node = tree.nodes[std::size_t(n)];
  if (node.leaf >= 0) return;
  find_ways(tree, node.left, way, depth + 1, ways);
  find_ways(tree, node.right, way | 0x80000000u >> depth, depth + 1, ways);
}

void list_entries(const SheetSide& side, SheetRtree& tree) {
  find_patches(side, tree.patch);
  tree.way.resize(side.tree().nodes.size());
  if (!tree.way.empty()) find_ways(side.tree(), 0, 0, 0, tree.way);
  tree.entries.clear();
  for (std::size_t n = 0; n < side.tree().nodes.size(); ++n)
    if (side.tree().nodes[n].leaf >= 0)
      tree.entries.push_back(
          {side.boxes[n], std::int32_t(n), tree.patch[n], side.concerns(std::int32_t(n))});
}

// --- all at once
// Sort-tile-recursive loading cuts along x, then y, then z; of a sheet, which has two dimensions
// but lies anyhow, the cuts along the third would part what lies together. So the longest side is
// cut each time.
class Loader {
 public:
  explicit Loader(SheetRtree& tree) : tree_(tree) {}

  void load() {
    for (std::int32_t height = 0;; ++height) {
      tree_.parents.clear();
      fill(tree_.entries.begin(), tree_.entries.end(), height);
      tree_.entries.swap(tree_.parents);
      if (tree_.entries.size() == 1) break;
    }
    tree_.root = tree_.entries.front().child;
  }

 private:
  using Iterator = std::vector<RtreeEntry>::iterator;

  static Vec3R twice_centre(const RtreeEntry& e) { return xyz(e.box.low) + xyz(e.box.high); }

  void fill(Iterator begin, Iterator end, std::int32_t height) {
    const std::ptrdiff_t full = (end - begin + k_rtree_most - 1) / k_rtree_most;
    if (full == 1) {
      const std::int32_t n = add_node(tree_, height);
      RtreeNode& node = tree_.nodes[std::size_t(n)];
      node.count = std::int32_t(end - begin);
      std::copy(begin, end, node.entry.begin());
      tree_.parents.push_back(entry_of(tree_, n));
      return;
    }
    const Iterator middle = begin + (full / 2) * k_rtree_most;
    halve(begin, middle, end);
    fill(begin, middle, height);
    fill(middle, end, height);
  }

  static void halve(Iterator begin, Iterator middle, Iterator end) {
    Vec3R low = twice_centre(*begin), high = low;
    for (Iterator e = begin; e != end; ++e) {
      const Vec3R c = twice_centre(*e);
      low = {std::min(low.x, c.x), std::min(low.y, c.y), std::min(low.z, c.z)};
      high = {std::max(high.x, c.x), std::max(high.y, c.y), std::max(high.z, c.z)};
    }
    const Vec3R size = high - low;
    const auto along = [&](const RtreeEntry& e) {
      const Vec3R c = twice_centre(e);
      return size.x >= size.y && size.x >= size.z ? c.x : size.y >= size.z ? c.y : c.z;
    };
    std::nth_element(begin, middle, end, [&](const RtreeEntry& a, const RtreeEntry& b) {
      const Real x = along(a), y = along(b);
      return x != y ? x < y : a.child < b.child;
    });
  }

  SheetRtree& tree_;
};

// --- one by one
class Inserter {
 public:
  Inserter(SheetRtree& tree, Real margin) : tree_(tree), margin_(margin) {}

  void load() {
    tree_.root = add_node(tree_, 0);
    for (const RtreeEntry& e : tree_.entries) {
      const std::int32_t split = insert(tree_.root, e);
      if (split < 0) continue;
      const std::int32_t above = add_node(tree_, node(tree_.root).height + 1);
      append(node(above), entry_of(tree_, tree_.root));
      append(node(above), entry_of(tree_, split));
      tree_.root = above;
    }
  }

 private:
  RtreeNode& node(std::int32_t n) { return tree_.nodes[std::size_t(n)]; }

  static void append(RtreeNode& to, const RtreeEntry& e) { to.entry[std::size_t(to.count++)] = e; }

  Real volume(const BoxInMotion& box) const {
    const Vec3R e = xyz(box.high) - xyz(box.low) + Vec3R{margin_, margin_, margin_};
    return e.x * e.y * e.z;
  }
  Real enlargement(const BoxInMotion& box, const BoxInMotion& by) const {
    return volume(join(box, by)) - volume(box);
  }

  // Returns the node that was split off, or -1.
  std::int32_t insert(std::int32_t n, const RtreeEntry& e) {
    if (node(n).height == 0) return add(n, e);
    const std::size_t k = choose(node(n), e.box);
    const std::int32_t child = node(n).entry[k].child;
    const std::int32_t split = insert(child, e);
    node(n).entry[k] = entry_of(tree_, child);
    return split < 0 ? -1 : add(n, entry_of(tree_, split));
  }

  // The entry that grows least; of equals the smaller one.
  std::size_t choose(const RtreeNode& in, const BoxInMotion& box) const {
    std::size_t best = 0;
    Real least = enlargement(in.entry[0].box, box), smallest = volume(in.entry[0].box);
    for (std::size_t k = 1; k < std::size_t(in.count); ++k) {
      const Real grows = enlargement(in.entry[k].box, box), size = volume(in.entry[k].box);
      if (grows > least || (grows == least && size >= smallest)) continue;
      best = k;
      least = grows;
      smallest = size;
    }
    return best;
  }

  std::int32_t add(std::int32_t n, const RtreeEntry& e) {
    if (node(n).count < k_rtree_most) {
      append(node(n), e);
      return -1;
    }
    std::copy(node(n).entry.begin(), node(n).entry.end(), waiting_.begin());
    waiting_.back() = e;
    const std::int32_t other = add_node(tree_, node(n).height);
    node(n).count = 0;
    split(node(n), node(other));
    return other;
  }

  // Guttman's quadratic split of what waits: the two that would waste most volume together are the
  // seeds; then always the one that prefers one side most.
  void split(RtreeNode& left, RtreeNode& right) {
    const auto [i, j] = seeds();
    append(left, waiting_[i]);
    append(right, waiting_[j]);
    BoxInMotion left_box = waiting_[i].box, right_box = waiting_[j].box;
    std::size_t count = waiting_.size();
    const auto drop = [&](std::size_t k) { waiting_[k] = waiting_[--count]; };
    drop(std::max(i, j));
    drop(std::min(i, j));
    while (count > 0) {
      const std::int32_t rest = std::int32_t(count);
      std::size_t best = 0;
      Real most = -1, prefers = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const Real p =
            enlargement(right_box, waiting_[k].box) - enlargement(left_box, waiting_[k].box);
        if (std::abs(p) <= most) continue;
        best = k;
        most = std::abs(p);
        prefers = p;
      }
      const bool to_left = left.count + rest <= k_rtree_least    ? true
                           : right.count + rest <= k_rtree_least ? false
                           : prefers != 0                        ? prefers > 0
                                                                 : left.count <= right.count;
      BoxInMotion& box = to_left ? left_box : right_box;
      box = join(box, waiting_[best].box);
      append(to_left ? left : right, waiting_[best]);
      drop(best);
    }
  }

  std::pair<std::size_t, std::size_t> seeds() const {
    std::pair<std::size_t, std::size_t> worst{0, 1};
    Real most = Real(-1e30);
    for (std::size_t i = 0; i < waiting_.size(); ++i)
      for (std::size_t j = i + 1; j < waiting_.size(); ++j) {
        const BoxInMotion &a = waiting_[i].box, &b = waiting_[j].box;
        const Real waste = volume(join(a, b)) - volume(a) - volume(b);
        if (waste <= most) continue;
        most = waste;
        worst = {i, j};
      }
    return worst;
  }

  SheetRtree& tree_;
  Real margin_;
  std::array<RtreeEntry, k_rtree_most + 1> waiting_;
};

// --- what comes out
// The bits of x at every second place.
std::uint64_t spread(std::uint32_t x) {
  std::uint64_t v = x;
  v = (v | v << 16) & 0x0000ffff0000ffffu;
  v = (v | v << 8) & 0x00ff00ff00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fu;
  v = (v | v << 2) & 0x3333333333333333u;
  v = (v | v << 1) & 0x5555555555555555u;
  return v;
}

// Goes down two R-trees, or one twice, side by side.
class Join {
 public:
  Join(const SheetSide& b, const SheetRtree& tree_b, const SheetSide& a, const SheetRtree& tree_a,
       Real reach, std::vector<KeyedLeafPair>& out)
      : b_(b), a_(a), tree_b_(tree_b), tree_a_(tree_a), reach_(reach), out_(out) {}

  void with_itself(std::int32_t n) {
    const RtreeNode& node = tree_b_.nodes[std::size_t(n)];
    for (std::size_t k = 0; k < std::size_t(node.count); ++k) {
      const RtreeEntry& e = node.entry[k];
      if (e.concerns && e.patch < 0) {
        if (node.height > 0)
          with_itself(e.child);
        else
          put_pair(e, e);
      }
      for (std::size_t m = k + 1; m < std::size_t(node.count); ++m)
        if (may_meet(e, node.entry[m])) go_down(e, node.height, node.entry[m], node.height);
    }
  }

  void with_other() {
    const RtreeEntry b = entry_of(tree_b_, tree_b_.root), a = entry_of(tree_a_, tree_a_.root);
    if (may_meet(b, a)) go_down(b, height(tree_b_, b) + 1, a, height(tree_a_, a) + 1);
  }

 private:
  static std::int32_t height(const SheetRtree& tree, const RtreeEntry& e) {
    return tree.nodes[std::size_t(e.child)].height;
  }
  static std::int32_t leaf(const SheetSide& side, const RtreeEntry& e) {
    return side.node(e.child).leaf;
  }
  bool is_one() const { return &b_.body == &a_.body; }

  bool may_meet(const RtreeEntry& b, const RtreeEntry& a) const {
    if (is_one() && b.patch >= 0 && b.patch == a.patch) return false;
    return (b.concerns || a.concerns) && meet(b.box, a.box, reach_);
  }

  // Heights are those of the nodes that the entries are in.
  void go_down(const RtreeEntry& b, std::int32_t height_b, const RtreeEntry& a,
               std::int32_t height_a) {
    if (height_b == 0 && height_a == 0) return put(b, a);
    if (height_b > height_a) {
      const RtreeNode& node = tree_b_.nodes[std::size_t(b.child)];
      for (std::size_t k = 0; k < std::size_t(node.count); ++k)
        if (may_meet(node.entry[k], a)) go_down(node.entry[k], node.height, a, height_a);
    } else if (height_a > height_b) {
      const RtreeNode& node = tree_a_.nodes[std::size_t(a.child)];
      for (std::size_t k = 0; k < std::size_t(node.count); ++k)
        if (may_meet(b, node.entry[k])) go_down(b, height_b, node.entry[k], node.height);
    } else {
      both_down(b, tree_b_.nodes[std::size_t(b.child)], a, tree_a_.nodes[std::size_t(a.child)]);
    }
  }

  // Only what meets the other as a whole is tried with its parts.
  void both_down(const RtreeEntry& b, const RtreeNode& node_b, const RtreeEntry& a,
                 const RtreeNode& node_a) {
    std::array<std::int32_t, k_rtree_most> near;
    std::size_t count = 0;
    for (std::int32_t k = 0; k < node_a.count; ++k)
      if (may_meet(b, node_a.entry[std::size_t(k)])) near[count++] = k;
    if (count == 0) return;
    for (std::size_t m = 0; m < std::size_t(node_b.count); ++m) {
      const RtreeEntry& mine = node_b.entry[m];
      if (!may_meet(mine, a)) continue;
      for (std::size_t k = 0; k < count; ++k) {
        const RtreeEntry& other = node_a.entry[std::size_t(near[k])];
        if (may_meet(mine, other)) go_down(mine, node_b.height, other, node_a.height);
      }
    }
  }

  void put(const RtreeEntry& b, const RtreeEntry& a) {
    if (is_one() && are_flat_neighbours(b_, b.child, a.child)) return;
    // Leaves are numbered as one goes down.
    if (is_one() && leaf(b_, b) > leaf(a_, a))
      put_pair(a, b);
    else
      put_pair(b, a);
  }

  void put_pair(const RtreeEntry& b, const RtreeEntry& a) {
    const std::uint32_t way_b = tree_b_.way[std::size_t(b.child)];
    const std::uint32_t way_a = tree_a_.way[std::size_t(a.child)];
    out_.push_back({spread(way_b) << 1 | spread(way_a), {leaf(b_, b), leaf(a_, a)}});
  }

  const SheetSide &b_, &a_;
  const SheetRtree &tree_b_, &tree_a_;
  Real reach_;
  std::vector<KeyedLeafPair>& out_;
};

}  // namespace

void make_rtree(const SheetSide& side, RtreeMaking making, Real margin, SheetRtree& tree) {
  tree.nodes.clear();
  tree.root = -1;
  tree.is_current = true;
  list_entries(side, tree);
  if (tree.entries.empty()) return;
  if (making == RtreeMaking::bulk)
    Loader(tree).load();
  else
    Inserter(tree, margin).load();
}

void list_leaf_pairs(const SheetSide& b, const SheetRtree& tree_b, const SheetSide& a,
                     const SheetRtree& tree_a, Real reach, std::vector<KeyedLeafPair>& scratch,
                     std::vector<LeafPair>& out) {
  if (tree_b.root < 0 || tree_a.root < 0) return;
  scratch.clear();
  Join join(b, tree_b, a, tree_a, reach, scratch);
  if (&b.body == &a.body)
    join.with_itself(tree_b.root);
  else
    join.with_other();
  std::sort(scratch.begin(), scratch.end(),
            [](const KeyedLeafPair& x, const KeyedLeafPair& y) { return x.key < y.key; });
  for (const KeyedLeafPair& keyed : scratch) out.push_back(keyed.pair);
}

}  // namespace pliant
