#include "narrowphase/sheet_piercings.h"

#include <algorithm>
#include <optional>

namespace pliant {
namespace {

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }

// Six times the volume of a tetrahedron.
double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(b - a, c - a), d - a);
}

class Piercings {
 public:
  Piercings(const Deformable& b, const Deformable& a, std::int32_t pair,
            std::span<const Vec4> place, std::vector<SheetPiercing>& out)
      : b_(b), a_(a), pair_(pair), place_(place), out_(out) {}

  void visit(const LeafPair& leaves) {
    const SheetLeaf& mine = b_.tree.leaves[std::size_t(leaves.first)];
    const SheetLeaf& other = a_.tree.leaves[std::size_t(leaves.second)];
    for (int m = 0; m < mine.count; ++m)
      for (int n = &mine == &other ? m + 1 : 0; n < other.count; ++n) {
        const std::int32_t s = mine.triangle[std::size_t(m)], t = other.triangle[std::size_t(n)];
        if (!boxes_meet(corners(b_, s), corners(a_, t))) continue;
        visit_edges(b_, s, a_, t);
        visit_edges(a_, t, b_, s);
      }
  }

 private:
  using Three = std::array<std::int32_t, 3>;

  static std::int32_t particle(const Deformable& body, std::int32_t vertex) {
    return body.begin + body.surface.vertices[std::size_t(vertex)].particle[0];
  }
  static Three corners(const Deformable& body, std::int32_t triangle) {
    const Triangle& t = body.surface.triangles[std::size_t(triangle)];
    return {particle(body, t[0]), particle(body, t[1]), particle(body, t[2])};
  }
  Vec3 at(std::int32_t p) const { return in_double(place_[std::size_t(p)]); }

  bool boxes_meet(const Three& s, const Three& t) const {
    const auto apart = [&](auto along) {
      const auto [s_low, s_high] = std::minmax({along(s[0]), along(s[1]), along(s[2])});
      const auto [t_low, t_high] = std::minmax({along(t[0]), along(t[1]), along(t[2])});
      return s_high < t_low || t_high < s_low;
    };
    return !apart([&](std::int32_t p) { return place_[std::size_t(p)].x; }) &&
           !apart([&](std::int32_t p) { return place_[std::size_t(p)].y; }) &&
           !apart([&](std::int32_t p) { return place_[std::size_t(p)].z; });
  }

  void visit_edges(const Deformable& body, std::int32_t owner, const Deformable& other,
                   std::int32_t triangle) {
    const Three t = corners(other, triangle);
    for (const std::int32_t e : body.surface.owned_edges[std::size_t(owner)]) {
      if (e < 0) continue;
      const auto& edge = body.surface.edges[std::size_t(e)];
      const std::int32_t p = particle(body, edge[0]), q = particle(body, edge[1]);
      if (std::count(t.begin(), t.end(), p) + std::count(t.begin(), t.end(), q) > 0) continue;
      if (&b_ == &a_ && !b_.sewn.empty() &&
          !b_.sewn_features_meet(b_.sewn.edges[std::size_t(e)],
                                 b_.sewn.triangles[std::size_t(triangle)]))
        continue;
      if (at_one_seam(edge, other.surface.triangles[std::size_t(triangle)])) continue;
      if (const auto weight = pierces(p, q, t))
        out_.push_back({{p, q, t[0], t[1], t[2]}, *weight, wings(body, edge), pair_});
    }
  }

  // Where a seam is about to close, things come together.
  bool at_one_seam(const std::array<std::int32_t, 2>& edge, const Triangle& triangle) const {
    const std::vector<std::int32_t>& seam = b_.surface.open_seam;
    if (&b_ != &a_ || seam.empty()) return false;
    for (const std::int32_t v : edge)
      for (const std::int32_t w : triangle)
        if (seam[std::size_t(v)] != 0 && seam[std::size_t(v)] == seam[std::size_t(w)]) return true;
    return false;
  }

  // The weights of the point that both have in common, if there is one.
  std::optional<std::array<double, 5>> pierces(std::int32_t p, std::int32_t q,
                                               const Three& t) const {
    const Vec3 from = at(p), to = at(q), a = at(t[0]), b = at(t[1]), c = at(t[2]);
    const double begin = volume(a, b, c, from), end = volume(a, b, c, to);
    if (!((begin > 0 && end < 0) || (begin < 0 && end > 0))) return {};
    const double u = volume(from, to, b, c), v = volume(from, to, c, a), w = volume(from, to, a, b);
    const bool inside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
    const double sum = u + v + w, s = begin / (begin - end);
    if (!inside || sum == 0) return {};
    return std::array{1 - s, s, -u / sum, -v / sum, -w / sum};
  }

  static std::array<std::int32_t, 2> wings(const Deformable& body,
                                           const std::array<std::int32_t, 2>& edge) {
    const DeformableSurface& surface = body.surface;
    std::array<std::int32_t, 2> found{-1, -1};
    std::size_t count = 0;
    const std::size_t v = std::size_t(edge[0]);
    for (std::int32_t r = surface.ring_begin[v]; r < surface.ring_begin[v + 1]; ++r) {
      const Triangle& t = surface.triangles[std::size_t(surface.ring[std::size_t(r)])];
      if (std::find(t.begin(), t.end(), edge[1]) == t.end() || count == 2) continue;
      for (const std::int32_t w : t)
        if (w != edge[0] && w != edge[1]) found[count] = particle(body, w);
      ++count;
    }
    return found;
  }

  const Deformable &b_, &a_;
  std::int32_t pair_;
  std::span<const Vec4> place_;
  std::vector<SheetPiercing>& out_;
};

}  // namespace

void find_piercings(const SheetSide& b, const SheetSide& a, std::int32_t pair,
                    std::span<const Vec4> place, std::vector<LeafPair>& leaves,
                    std::vector<SheetPiercing>& out) {
  if (b.boxes.empty() || a.boxes.empty()) return;
  leaves.clear();
  list_leaf_pairs(b, a, 0, leaves);
  Piercings piercings(b.body, a.body, pair, place, out);
  for (const LeafPair& pair_of_leaves : leaves) piercings.visit(pair_of_leaves);
}

}  // namespace pliant
