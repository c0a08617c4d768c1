#include "geometry/self_intersection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {

namespace {

// Volumes below this part of the product of lengths are rounding: the points lie in one plane.
constexpr double k_flat = 1e-12;
// Neighbours closer than this angle lie on each other.
constexpr double k_fold = 1e-9;

int side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const Vec3 u = b - a, v = c - a, w = p - a;
  const double volume = dot(cross(u, v), w);
  const double scale = k_flat * (length(u) * length(v) * length(w));
  return volume > scale ? 1 : volume < -scale ? -1 : 0;
}

// Whether segment pq passes through triangle abc, which includes its edges but not its corners:
// symmetric bodies that overlap may meet in nothing but edges.
bool pierces(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (side(a, b, c, p) * side(a, b, c, q) >= 0) return false;
  const int sides[3] = {side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)};
  int left = 0, right = 0;
  for (const int s : sides) {
    left += s > 0;
    right += s < 0;
  }
  return left >= 2 ? right == 0 : right >= 2 && left == 0;
}

struct Shared {
  int count = 0;
  int in_first = -1, in_second = -1;  // corner number of the last shared vertex
};

Shared shared_vertices(const Triangle& s, const Triangle& t) {
  Shared shared;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (s[i] == t[j]) shared = {shared.count + 1, i, j};
    }
  }
  return shared;
}

bool folded(const std::vector<Vec3>& p, const Triangle& s, const Triangle& t) {
  std::int32_t tip_s = -1, tip_t = -1;
  for (int i = 0; i < 3; ++i) {
    if (std::find(t.begin(), t.end(), s[i]) == t.end()) tip_s = i;
    if (std::find(s.begin(), s.end(), t[i]) == s.end()) tip_t = i;
  }
  if (tip_s < 0 || tip_t < 0) return false;
  const Vec3 &a = p[s[(tip_s + 1) % 3]], &b = p[s[(tip_s + 2) % 3]];
  const Vec3 ns = cross(b - a, p[s[tip_s]] - a), nt = cross(b - a, p[t[tip_t]] - a);
  // On the same side of the common edge in one plane: the normals about it agree.
  return dot(ns, nt) > 0 && length(cross(ns, nt)) <= k_fold * length(ns) * length(nt);
}

bool cross_each_other(const std::vector<Vec3>& p, const Triangle& s, const Triangle& t) {
  const Shared shared = shared_vertices(s, t);
  if (shared.count >= 3) return false;  // duplicates are found elsewhere
  if (shared.count == 2) return folded(p, s, t);
  for (int i = 0; i < 3; ++i) {
    // With a common corner only the edges opposite to it can pierce.
    if (shared.count == 0 || i == (shared.in_first + 1) % 3) {
      if (pierces(p[s[i]], p[s[(i + 1) % 3]], p[t[0]], p[t[1]], p[t[2]])) return true;
    }
    if (shared.count == 0 || i == (shared.in_second + 1) % 3) {
      if (pierces(p[t[i]], p[t[(i + 1) % 3]], p[s[0]], p[s[1]], p[s[2]])) return true;
    }
  }
  return false;
}

struct Bounds {
  Vec3 low, high;

  void add(const Bounds& other) {
    low = min(low, other.low);
    high = max(high, other.high);
  }
  bool meets(const Bounds& o) const {
    return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y &&
           low.z <= o.high.z && o.low.z <= high.z;
  }
};

// A tree of boxes over the triangles, halved at the median of the longest side.
class BoxTree {
 public:
  explicit BoxTree(const TriMesh& mesh) {
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vec3 &pa = mesh.vertices[a], &pb = mesh.vertices[b], &pc = mesh.vertices[c];
      boxes_.push_back({min(pa, min(pb, pc)), max(pa, max(pb, pc))});
    }
    order_.resize(boxes_.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!boxes_.empty()) build(0, std::int32_t(boxes_.size()));
  }

  // Calls visit(other) for each triangle after t whose box meets that of t.
  template <class Visit>
  void each_later_neighbour(std::int32_t t, const Visit& visit) const {
    std::vector<std::int32_t> stack{0};
    while (!stack.empty()) {
      const Node& node = nodes_[stack.back()];
      const std::int32_t number = stack.back();
      stack.pop_back();
      if (!node.bounds.meets(boxes_[t])) continue;
      if (node.right != 0) {
        stack.push_back(number + 1);
        stack.push_back(node.right);
        continue;
      }
      for (std::int32_t i = node.first; i < node.end; ++i) {
        if (order_[i] > t && boxes_[order_[i]].meets(boxes_[t])) visit(order_[i]);
      }
    }
  }

 private:
  struct Node {
    Bounds bounds;
    std::int32_t first = 0, end = 0;
    std::int32_t right = 0;  // second child; the first follows its parent; 0 in a leaf
  };

  std::int32_t build(std::int32_t first, std::int32_t end) {
    const std::int32_t number = std::int32_t(nodes_.size());
    Node node{boxes_[order_[first]], first, end, 0};
    for (std::int32_t i = first; i < end; ++i) node.bounds.add(boxes_[order_[i]]);
    nodes_.push_back(node);
    if (end - first <= 4) return number;
    const Vec3 size = node.bounds.high - node.bounds.low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::int32_t middle = (first + end) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + end,
                     [&](std::int32_t a, std::int32_t b) {
                       const double ca = boxes_[a].low[axis] + boxes_[a].high[axis];
                       const double cb = boxes_[b].low[axis] + boxes_[b].high[axis];
                       return ca != cb ? ca < cb : a < b;
                     });
    build(first, middle);
    nodes_[number].right = build(middle, end);
    return number;
  }

  std::vector<Bounds> boxes_;
  std::vector<std::int32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace

std::vector<TrianglePair> self_intersections(const TriMesh& mesh) {
  const BoxTree tree(mesh);
  std::vector<TrianglePair> pairs;
  for (std::int32_t t = 0; t < std::int32_t(mesh.triangles.size()); ++t) {
    tree.each_later_neighbour(t, [&](std::int32_t other) {
      if (cross_each_other(mesh.vertices, mesh.triangles[t], mesh.triangles[other])) {
        pairs.emplace_back(t, other);
      }
    });
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace pliant
