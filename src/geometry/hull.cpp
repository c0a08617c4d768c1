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

struct Flat {
  double u, v;
  std::int32_t index;
};
double turn(const Flat& a, const Flat& b, const Flat& c) {
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

// The corners of the points that lie in a face's plane, counter-clockwise (Andrew's chains). Points
// within the tolerance of a side are none.
std::vector<std::int32_t> corners_in(const std::vector<Vec3>& points, const Face& face,
                                     double tolerance) {
  const Vec3 u = any_perpendicular(face.normal), v = cross(face.normal, u);
  std::vector<Flat> flat;
  for (std::int32_t i = 0; i < std::int32_t(points.size()); ++i) {
    const Vec3& p = points[std::size_t(i)];
    if (std::fabs(dot(face.normal, p) - face.offset) <= tolerance)
      flat.push_back({dot(p, u), dot(p, v), i});
  }
  std::sort(flat.begin(), flat.end(), [](const Flat& a, const Flat& b) {
    return std::tie(a.u, a.v, a.index) < std::tie(b.u, b.v, b.index);
  });
  std::vector<Flat> chain;
  const auto extend = [&](const Flat& p, std::size_t least) {
    while (chain.size() >= least) {
      const Flat &a = chain[chain.size() - 2], &b = chain.back();
      const double length = std::sqrt((p.u - a.u) * (p.u - a.u) + (p.v - a.v) * (p.v - a.v));
      if (turn(a, b, p) > tolerance * length) break;
      chain.pop_back();
    }
    chain.push_back(p);
  };
  for (const Flat& p : flat) extend(p, 2);
  const std::size_t upper = chain.size() + 1;
  for (std::size_t i = flat.size() - 1; i-- > 0;) extend(flat[i], upper);
  chain.pop_back();  // the first once more
  std::vector<std::int32_t> corners;
  for (const Flat& p : chain) corners.push_back(p.index);
  return corners;
}

// Triangles of one plane become one face; what is a corner of none is left out.
HullData flat_faces(const std::vector<Vec3>& points, const std::vector<Face>& faces,
                    double tolerance) {
  std::vector<std::int32_t> used;
  for (const Face& f : faces) used.insert(used.end(), f.v.begin(), f.v.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<Vec3> candidates;
  for (const std::int32_t i : used) candidates.push_back(points[std::size_t(i)]);
  HullData hull;
  std::vector<std::int32_t> place(candidates.size(), -1);
  for (const Face& f : faces) {
    const bool known = std::any_of(hull.faces.begin(), hull.faces.end(), [&](const HullFace& h) {
      return dot(h.normal, f.normal) > 1 - 1e-9 && std::fabs(h.offset - f.offset) < tolerance;
    });
    if (known) continue;
    const std::vector<std::int32_t> corners = corners_in(candidates, f, tolerance);
    if (corners.size() < 3) continue;
    hull.faces.push_back(
        {std::int32_t(hull.corners.size()), std::int32_t(corners.size()), f.normal, f.offset});
    for (const std::int32_t c : corners) {
      std::int32_t& at = place[std::size_t(c)];
      if (at < 0) {
        at = std::int32_t(hull.vertices.size());
        hull.vertices.push_back(candidates[std::size_t(c)]);
      }
      hull.corners.push_back(at);
    }
  }
  return hull;
}

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
  return flat_faces(points, builder.faces(), 10 * tolerance);
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
