// Triangles of the user's shapes: the hull of many support points, or where a distance changes
// sign.
#include <algorithm>
#include <map>

#include <pliant/defs.h>

#include "geometry/hull.h"

namespace pliant {

namespace {

constexpr int k_cells = 32;  // along the longest side
constexpr int k_sphere = 3;  // subdivisions of the icosahedron of directions: 642

TriMesh support_mesh(const SupportFunction& function) {
  std::vector<Vec3> points;
  for (const Vec3& d : make_sphere(1, k_sphere).vertices) points.push_back(function.support(d));
  const Result<HullData> hull = make_hull(points);
  return hull.ok() ? hull_mesh(hull.value()) : TriMesh{};
}

// Marching tetrahedra: each cell is six tetrahedra around its diagonal, so that neighbours agree.
class Marcher {
 public:
  explicit Marcher(const DistanceFunction& function) {
    const Vec3 size = function.high() - function.low();
    cell_ = std::max({size.x, size.y, size.z}) / k_cells;
    low_ = function.low() - Vec3{cell_, cell_, cell_};
    for (int i = 0; i < 3; ++i) count_[i] = int(size[i] / cell_) + 4;
    value_.resize(std::size_t(count_[0]) * std::size_t(count_[1]) * std::size_t(count_[2]));
    for (std::size_t n = 0; n < value_.size(); ++n) {
      const double d = function.distance(place(std::int64_t(n)));
      value_[n] = d == 0 ? 1e-12 : d;  // the surface passes no corner
    }
  }

  TriMesh march() {
    for (int z = 0; z + 1 < count_[2]; ++z)
      for (int y = 0; y + 1 < count_[1]; ++y)
        for (int x = 0; x + 1 < count_[0]; ++x) cut_cell(x, y, z);
    return std::move(mesh_);
  }

 private:
  std::int64_t corner(int x, int y, int z) const {
    return (std::int64_t(z) * count_[1] + y) * count_[0] + x;
  }
  Vec3 place(std::int64_t n) const {
    const std::int64_t x = n % count_[0], y = n / count_[0] % count_[1],
                       z = n / count_[0] / count_[1];
    return low_ + Vec3{double(x), double(y), double(z)} * cell_;
  }
  double value(std::int64_t n) const { return value_[std::size_t(n)]; }

  void cut_cell(int x, int y, int z) {
    static constexpr int way[6][2] = {{1, 2}, {2, 1}, {1, 4}, {4, 1}, {2, 4}, {4, 2}};
    const auto at = [&](int bits) {
      return corner(x + (bits & 1), y + (bits >> 1 & 1), z + (bits >> 2 & 1));
    };
    for (const auto& [first, second] : way)
      cut_tetrahedron({at(0), at(first), at(first | second), at(7)});
  }

  void cut_tetrahedron(const std::array<std::int64_t, 4>& t) {
    std::vector<std::int64_t> in, out;
    for (const std::int64_t n : t) (value(n) < 0 ? in : out).push_back(n);
    if (in.empty() || out.empty()) return;
    const Vec3 outward = mean(out) - mean(in);
    if (in.size() == 2) {
      const std::int32_t a = cut(in[0], out[0]), b = cut(in[0], out[1]), c = cut(in[1], out[1]),
                         d = cut(in[1], out[0]);
      add(a, b, c, outward);
      add(a, c, d, outward);
      return;
    }
    const bool one_in = in.size() == 1;
    const std::int64_t tip = one_in ? in[0] : out[0];
    const std::vector<std::int64_t>& base = one_in ? out : in;
    add(cut(tip, base[0]), cut(tip, base[1]), cut(tip, base[2]), outward);
  }

  Vec3 mean(const std::vector<std::int64_t>& corners) const {
    Vec3 sum;
    for (const std::int64_t n : corners) sum += place(n);
    return sum / double(corners.size());
  }
  // Where the distance is zero between two corners; not so near to one that triangles vanish.
  std::int32_t cut(std::int64_t a, std::int64_t b) {
    if (a > b) std::swap(a, b);
    const auto [it, fresh] = cuts_.try_emplace({a, b}, std::int32_t(mesh_.vertices.size()));
    if (fresh) {
      const double t = std::clamp(value(a) / (value(a) - value(b)), 0.02, 0.98);
      mesh_.vertices.push_back(place(a) + (place(b) - place(a)) * t);
    }
    return it->second;
  }
  void add(std::int32_t a, std::int32_t b, std::int32_t c, const Vec3& outward) {
    const auto at = [&](std::int32_t v) { return mesh_.vertices[std::size_t(v)]; };
    if (dot(cross(at(b) - at(a), at(c) - at(a)), outward) < 0) std::swap(b, c);
    mesh_.triangles.push_back({a, b, c});
  }

  double cell_ = 0;
  Vec3 low_;
  int count_[3] = {};
  std::vector<double> value_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> cuts_;
  TriMesh mesh_;
};

}  // namespace

TriMesh user_mesh(const UserShape& shape) {
  if (shape.support) return support_mesh(*shape.support);
  if (shape.distance) return Marcher(*shape.distance).march();
  return {};
}

}  // namespace pliant
