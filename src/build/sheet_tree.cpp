#include "build/sheet_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr std::int32_t k_branch = 128;  // nodes, at most: some microseconds of work

class TreeMaker {
 public:
  TreeMaker(const DeformableSurface& surface, const std::vector<Vec3>& rest,
            std::span<const std::int32_t> part)
      : surface_(surface), rest_(rest), part_(part), order_(surface.triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    for (const Triangle& t : surface.triangles) {
      centre_.push_back((at(t[0]) + at(t[1]) + at(t[2])) / 3.0);
      const Vec3 normal = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
      across_ += Vec3{std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
    }
  }

  SheetTree make() {
    std::int32_t particles = 0;
    for (const SurfaceVertex& v : surface_.vertices)
      particles = std::max(particles, v.particle[0] + 1);
    tree_.rest.resize(std::size_t(particles));
    for (std::size_t v = 0; v < surface_.vertices.size(); ++v) {
      const Vec3& p = rest_[v];
      tree_.rest[std::size_t(surface_.vertices[v].particle[0])] = {Real(p.x), Real(p.y), Real(p.z),
                                                                   0};
    }
    if (!order_.empty()) {
      add_node(0, order_.size());
      cut_branches(0, std::int32_t(tree_.nodes.size()));
    }
    find_near();
    find_around();
    return std::move(tree_);
  }

 private:
  const Vec3& at(std::int32_t vertex) const { return rest_[std::size_t(vertex)]; }

  std::int32_t add_node(std::size_t begin, std::size_t end) {
    const std::int32_t index = std::int32_t(tree_.nodes.size());
    tree_.nodes.push_back({});
    const bool one = part_of(begin) == part_of(end - 1);
    tree_.nodes[std::size_t(index)].connected = one && connected(begin, end);
    if (one && end - begin <= std::size_t(k_lanes)) {
      tree_.nodes[std::size_t(index)].leaf = add_leaf(begin, end);
      return index;
    }
    const std::size_t middle = one ? halve(begin, end) : between_parts(begin, end);
    const std::int32_t left = add_node(begin, middle), right = add_node(middle, end);
    tree_.nodes[std::size_t(index)].left = left;
    tree_.nodes[std::size_t(index)].right = right;
    return index;
  }

  // Node n and all below it, which are before `end`.
  void cut_branches(std::int32_t n, std::int32_t end) {
    if (end - n <= k_branch) {
      tree_.branch_begin.push_back(n);
      tree_.branch_end.push_back(end);
      return;
    }
    const SheetNode node = tree_.nodes[std::size_t(n)];
    tree_.crown.push_back(n);
    cut_branches(node.left, node.right);
    cut_branches(node.right, end);
  }

  std::int32_t part_of(std::size_t n) const {
    return part_.empty() ? 0 : part_[std::size_t(order_[n])];
  }

  // Where a part begins, nearest to the middle. In the order of the parts as long as there are
  // several.
  std::size_t between_parts(std::size_t begin, std::size_t end) const {
    std::size_t best = begin;
    const auto off = [&](std::size_t n) {
      return 2 * n > begin + end ? 2 * n - (begin + end) : begin + end - 2 * n;
    };
    for (std::size_t n = begin + 1; n < end; ++n)
      if (part_of(n) != part_of(n - 1) && off(n) < off(best)) best = n;
    return best;
  }

  // Halves of whole leaves: the last leaf alone may be short.
  std::size_t halve(std::size_t begin, std::size_t end) {
    Vec3 low = centre_[std::size_t(order_[begin])], high = low;
    for (std::size_t n = begin; n < end; ++n) {
      low = min(low, centre_[std::size_t(order_[n])]);
      high = max(high, centre_[std::size_t(order_[n])]);
    }
    const Vec3 size = high - low;
    const auto along = [&](std::int32_t t) {
      const Vec3& c = centre_[std::size_t(t)];
      return size.x >= size.y && size.x >= size.z ? c.x : size.y >= size.z ? c.y : c.z;
    };
    const std::size_t leaves = (end - begin + k_lanes - 1) / k_lanes;
    const std::size_t middle = begin + (leaves / 2) * k_lanes;
    const auto first = order_.begin();
    std::nth_element(first + std::ptrdiff_t(begin), first + std::ptrdiff_t(middle),
                     first + std::ptrdiff_t(end), [&](std::int32_t a, std::int32_t b) {
                       return along(a) != along(b) ? along(a) < along(b) : a < b;
                     });
    return middle;
  }

  std::int32_t add_leaf(std::size_t begin, std::size_t end) {
    std::sort(order_.begin() + std::ptrdiff_t(begin), order_.begin() + std::ptrdiff_t(end));
    SheetLeaf leaf;
    leaf.count = std::int32_t(end - begin);
    for (int k = 0; k < k_lanes; ++k) {
      const std::size_t n = begin + (k < leaf.count ? std::size_t(k) : 0);
      const std::int32_t triangle = order_[n];
      leaf.triangle[std::size_t(k)] = triangle;
      const Triangle& t = surface_.triangles[std::size_t(triangle)];
      for (std::size_t c = 0; c < 3; ++c)
        leaf.corner[c][std::size_t(k)] = surface_.vertices[std::size_t(t[c])].particle[0];
      set_axis(leaf, k, t);
    }
    tree_.leaves.push_back(leaf);
    return std::int32_t(tree_.leaves.size()) - 1;
  }

  // The projection of one direction onto the triangle, in terms of its edges: the direction is the
  // coordinate axis that the cloth as a whole is least across to.
  void set_axis(SheetLeaf& leaf, int k, const Triangle& t) const {
    const Vec3 axis = across_.x <= across_.y && across_.x <= across_.z ? Vec3{1, 0, 0}
                      : across_.y <= across_.z                         ? Vec3{0, 1, 0}
                                                                       : Vec3{0, 0, 1};
    const Vec3 b = at(t[1]) - at(t[0]), c = at(t[2]) - at(t[0]);
    const double bb = dot(b, b), cc = dot(c, c), bc = dot(b, c), det = bb * cc - bc * bc;
    if (!(det > 0)) return;
    const double x = dot(axis, b), y = dot(axis, c);
    leaf.axis_b[k] = Real((cc * x - bc * y) / det);
    leaf.axis_c[k] = Real((bb * y - bc * x) / det);
  }

  // Whether the triangles hang together through shared vertices.
  bool connected(std::size_t begin, std::size_t end) {
    std::vector<std::int32_t> vertices;
    for (std::size_t n = begin; n < end; ++n)
      for (const std::int32_t v : surface_.triangles[std::size_t(order_[n])]) vertices.push_back(v);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    const auto place = [&](std::int32_t v) {
      return std::size_t(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
    };
    std::vector<std::size_t> parent(vertices.size());
    std::iota(parent.begin(), parent.end(), std::size_t(0));
    const auto root = [&](std::size_t v) {
      while (parent[v] != v) v = parent[v] = parent[parent[v]];
      return v;
    };
    std::size_t pieces = vertices.size();
    for (std::size_t n = begin; n < end; ++n) {
      const Triangle& t = surface_.triangles[std::size_t(order_[n])];
      for (const std::int32_t v : {t[1], t[2]}) {
        const std::size_t a = root(place(t[0])), b = root(place(v));
        if (a == b) continue;
        parent[b] = a;
        --pieces;
      }
    }
    return pieces == 1;
  }

  void find_near() {
    std::vector<std::vector<std::int32_t>> leaves_of(tree_.rest.size());
    for (std::size_t l = 0; l < tree_.leaves.size(); ++l)
      for (const Lanes& corner : tree_.leaves[l].corner)
        for (const std::int32_t p : corner) {
          std::vector<std::int32_t>& list = leaves_of[std::size_t(p)];
          if (list.empty() || list.back() != std::int32_t(l)) list.push_back(std::int32_t(l));
        }
    std::vector<std::int32_t> near;
    for (std::size_t l = 0; l < tree_.leaves.size(); ++l) {
      near.clear();
      for (const Lanes& corner : tree_.leaves[l].corner)
        for (const std::int32_t p : corner)
          for (const std::int32_t other : leaves_of[std::size_t(p)])
            if (of_one_part(l, std::size_t(other))) near.push_back(other);
      std::sort(near.begin(), near.end());
      near.erase(std::unique(near.begin(), near.end()), near.end());
      tree_.leaves[l].near_begin = std::int32_t(tree_.near.size());
      tree_.near.insert(tree_.near.end(), near.begin(), near.end());
      tree_.leaves[l].near_end = std::int32_t(tree_.near.size());
    }
  }

  bool of_one_part(std::size_t leaf, std::size_t other) const {
    const auto part = [&](std::size_t l) {
      return part_[std::size_t(tree_.leaves[l].triangle[0])];
    };
    return part_.empty() || part(leaf) == part(other);
  }

  void find_around() {
    std::vector<std::vector<std::int32_t>> around(tree_.rest.size());
    for (std::size_t l = 0; l < tree_.leaves.size(); ++l)
      for (std::size_t k = 0; k < std::size_t(tree_.leaves[l].count); ++k)
        for (const Lanes& corner : tree_.leaves[l].corner)
          around[std::size_t(corner[k])].push_back(std::int32_t((l * k_lanes + k) * sizeof(Vec4)));
    for (const std::vector<std::int32_t>& slots : around) {
      tree_.around_begin.push_back(std::int32_t(tree_.around.size()));
      tree_.around.insert(tree_.around.end(), slots.begin(), slots.end());
    }
    tree_.around_begin.push_back(std::int32_t(tree_.around.size()));
  }

  const DeformableSurface& surface_;
  const std::vector<Vec3>& rest_;
  std::span<const std::int32_t> part_;  // of each triangle
  std::vector<std::int32_t> order_;
  std::vector<Vec3> centre_;
  Vec3 across_;  // m2, sum of the triangles' normals, signs left out
  SheetTree tree_;
};

}  // namespace

SheetTree make_sheet_tree(const DeformableSurface& surface, const std::vector<Vec3>& rest,
                          std::span<const std::int32_t> part) {
  return TreeMaker(surface, rest, part).make();
}

}  // namespace pliant
