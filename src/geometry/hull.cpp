#include "geometry/hull.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace pliant {

namespace {

struct Face {
  Triangle v;
  Vec3 normal;
  double offset = 0;
  bool alive = true;
};

// Points are added one by one; the faces that see one are replaced by a fan from its horizon.
class Builder {
 public:
  Builder(const std::vector<Vec3>& points, double tolerance)
      : points_(points), tolerance_(tolerance) {}

  // The tetrahedron to begin with; false where there is none.
  bool begin() {
    const std::int32_t a = furthest([&](const Vec3& p) { return -p.x; });
    const std::int32_t b = furthest([&](const Vec3& p) { return length_sq(p - at(a)); });
    const Vec3 line = normalized(at(b) - at(a));
    const auto off_line = [&](const Vec3& p) { return length_sq(cross(p - at(a), line)); };
    const std::int32_t c = furthest(off_line);
    const Vec3 normal = normalized(cross(at(b) - at(a), at(c) - at(a)));
    const auto off_plane = [&](const Vec3& p) { return std::fabs(dot(p - at(a), normal)); };
    const std::int32_t d = furthest(off_plane);
    if (std::sqrt(off_line(at(c))) <= 1000 * tolerance_ || off_plane(at(d)) <= 1000 * tolerance_)
      return false;
    inside_ = (at(a) + at(b) + at(c) + at(d)) / 4.0;
    for (const Triangle& t :
         {Triangle{a, b, c}, Triangle{a, d, b}, Triangle{b, d, c}, Triangle{c, d, a}})
      add_face(t[0], t[1], t[2]);
    return true;
  }

  void add(std::int32_t point) {
    const Vec3& p = at(point);
    edges_.clear();
    for (Face& f : faces_) {
      if (!f.alive || dot(f.normal, p) - f.offset <= tolerance_) continue;
      f.alive = false;
      for (int k = 0; k < 3; ++k) toggle(f.v[std::size_t(k)], f.v[std::size_t((k + 1) % 3)]);
    }
    for (const auto& [from, to] : edges_) add_face(from, to, point);
    std::erase_if(faces_, [](const Face& f) { return !f.alive; });
  }

  const std::vector<Face>& faces() const { return faces_; }

 private:
  const Vec3& at(std::int32_t i) const { return points_[std::size_t(i)]; }

  template <class Measure>
  std::int32_t furthest(const Measure& measure) const {
    std::int32_t best = 0;
    for (std::int32_t i = 1; i < std::int32_t(points_.size()); ++i)
      if (measure(at(i)) > measure(at(best))) best = i;
    return best;
  }

  void add_face(std::int32_t a, std::int32_t b, std::int32_t c) {
    Vec3 n = normalized(cross(at(b) - at(a), at(c) - at(a)));
    if (dot(n, at(a) - inside_) < 0) {
      std::swap(b, c);
      n = -n;
    }
    faces_.push_back({{a, b, c}, n, dot(n, at(a)), true});
  }

  // An edge that two removed faces share is no part of the horizon.
  void toggle(std::int32_t from, std::int32_t to) {
    const auto twin = std::find(edges_.begin(), edges_.end(), std::pair{to, from});
    if (twin != edges_.end())
      edges_.erase(twin);
    else
      edges_.push_back({from, to});
  }

  const std::vector<Vec3>& points_;
  double tolerance_;
  Vec3 inside_;
  std::vector<Face> faces_;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges_;
};

// Neighbouring triangles of one plane become one side. What is a corner of fewer than three sides
// is none: it lies in one, or on the edge between two.
class Sides {
 public:
  Sides(const std::vector<Vec3>& points, const std::vector<Face>& faces, double tolerance)
      : points_(points), faces_(faces), tolerance_(tolerance) {
    link();
    group();
  }

  HullData collect() {
    count_sides();
    HullData hull;
    std::vector<std::int32_t> place(points_.size(), -1);
    for (std::size_t g = 0; g < seeds_.size(); ++g) {
      const std::vector<std::int32_t> corners = outline(std::int32_t(g));
      if (corners.size() < 3) continue;  // so narrow that its neighbours meet
      const Face& seed = faces_[std::size_t(seeds_[g])];
      hull.faces.push_back({std::int32_t(hull.corners.size()), std::int32_t(corners.size()),
                            seed.normal, seed.offset});
      for (const std::int32_t c : corners) {
        std::int32_t& at = place[std::size_t(c)];
        if (at < 0) {
          at = std::int32_t(hull.vertices.size());
          hull.vertices.push_back(points_[std::size_t(c)]);
        }
        hull.corners.push_back(at);
      }
    }
    return hull;
  }

 private:
  struct Edge {
    std::int32_t from, to, face;
    bool operator<(const Edge& o) const { return std::tie(from, to) < std::tie(o.from, o.to); }
  };

  // Across edge k of each face (from corner k to the next).
  void link() {
    std::vector<Edge> edges;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k)
        edges.push_back({faces_[f].v[k], faces_[f].v[(k + 1) % 3], std::int32_t(f)});
    std::sort(edges.begin(), edges.end());
    across_.resize(faces_.size());
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 0; k < 3; ++k) {
        const Edge twin{faces_[f].v[(k + 1) % 3], faces_[f].v[k], 0};
        const auto at = std::lower_bound(edges.begin(), edges.end(), twin);
        const bool found = at != edges.end() && at->from == twin.from && at->to == twin.to;
        across_[f][k] = found ? at->face : -1;
      }
  }

  double area(std::size_t f) const {
    const Triangle& v = faces_[f].v;
    const Vec3& a = points_[std::size_t(v[0])];
    return length(cross(points_[std::size_t(v[1])] - a, points_[std::size_t(v[2])] - a));
  }

  // From the largest triangles on: their planes are the best known.
  void group() {
    std::vector<std::pair<double, std::int32_t>> order;
    for (std::size_t f = 0; f < faces_.size(); ++f) order.push_back({-area(f), std::int32_t(f)});
    std::sort(order.begin(), order.end());
    side_.assign(faces_.size(), -1);
    std::vector<std::int32_t> open;
    for (const auto& [size, seed] : order) {
      if (side_[std::size_t(seed)] >= 0) continue;
      const std::int32_t g = std::int32_t(seeds_.size());
      seeds_.push_back(seed);
      first_.push_back(members_.size());
      side_[std::size_t(seed)] = g;
      members_.push_back(seed);
      open.assign(1, seed);
      while (!open.empty()) {
        const std::size_t f = std::size_t(open.back());
        open.pop_back();
        for (const std::int32_t n : across_[f]) {
          if (n < 0 || side_[std::size_t(n)] >= 0 || !in_plane(n, seed)) continue;
          side_[std::size_t(n)] = g;
          members_.push_back(n);
          open.push_back(n);
        }
      }
    }
    first_.push_back(members_.size());
  }

  bool in_plane(std::int32_t face, std::int32_t seed) const {
    const Face& plane = faces_[std::size_t(seed)];
    for (const std::int32_t v : faces_[std::size_t(face)].v)
      if (std::fabs(dot(plane.normal, points_[std::size_t(v)]) - plane.offset) > tolerance_)
        return false;
    return true;
  }

  void count_sides() {
    std::vector<std::pair<std::int32_t, std::int32_t>> of;  // corner and side
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (const std::int32_t v : faces_[f].v) of.push_back({v, side_[f]});
    std::sort(of.begin(), of.end());
    of.erase(std::unique(of.begin(), of.end()), of.end());
    sides_of_.assign(points_.size(), 0);
    for (const auto& [v, g] : of) ++sides_of_[std::size_t(v)];
  }

  // Round the border of a side, counter-clockwise.
  std::vector<std::int32_t> outline(std::int32_t g) const {
    std::vector<Edge> border;
    for (std::size_t n = first_[std::size_t(g)]; n < first_[std::size_t(g) + 1]; ++n) {
      const std::size_t f = std::size_t(members_[n]);
      for (std::size_t k = 0; k < 3; ++k)
        if (across_[f][k] < 0 || side_[std::size_t(across_[f][k])] != g)
          border.push_back({faces_[f].v[k], faces_[f].v[(k + 1) % 3], std::int32_t(f)});
    }
    std::sort(border.begin(), border.end());
    std::vector<std::int32_t> corners;
    std::int32_t at = border.empty() ? -1 : border[0].from;
    for (std::size_t n = 0; n < border.size(); ++n) {
      if (sides_of_[std::size_t(at)] >= 3) corners.push_back(at);
      const auto next = std::lower_bound(border.begin(), border.end(), Edge{at, -1, 0});
      if (next == border.end() || next->from != at) break;
      at = next->to;
    }
    return corners;
  }

  const std::vector<Vec3>& points_;
  const std::vector<Face>& faces_;
  double tolerance_;
  std::vector<Triangle> across_;
  std::vector<std::int32_t> side_;      // of each triangle
  std::vector<std::int32_t> seeds_;     // a triangle of each side
  std::vector<std::int32_t> members_;   // triangles, side by side
  std::vector<std::size_t> first_;      // of them, of each side
  std::vector<std::int32_t> sides_of_;  // how many, of each point
};

}  // namespace

Result<HullData> make_hull(const std::vector<Vec3>& points) {
  if (points.size() < 4)
    return Error{"points", "found " + std::to_string(points.size()) + "; accepted: at least 4"};
  Vec3 low = points[0], high = low;
  for (const Vec3& p : points) {
    low = min(low, p);
    high = max(high, p);
  }
  const double tolerance = 1e-9 * length(high - low);
  Builder builder(points, tolerance);
  if (!builder.begin())
    return Error{"points",
                 "lie in one plane or on one line: their hull has no volume; accepted: points that "
                 "span a solid"};
  for (std::int32_t i = 0; i < std::int32_t(points.size()); ++i) builder.add(i);
  return Sides(points, builder.faces(), 10 * tolerance).collect();
}

TriMesh hull_mesh(const HullData& hull) {
  TriMesh mesh;
  mesh.vertices = hull.vertices;
  for (const HullFace& f : hull.faces)
    for (std::int32_t k = 2; k < f.count; ++k) {
      const std::int32_t* c = &hull.corners[std::size_t(f.first)];
      mesh.triangles.push_back({c[0], c[k - 1], c[k]});
    }
  return mesh;
}

Result<TriMesh> make_convex_hull(const std::vector<Vec3>& points) {
  const Result<HullData> hull = make_hull(points);
  if (!hull.ok()) return hull.error();
  return hull_mesh(hull.value());
}

}  // namespace pliant
