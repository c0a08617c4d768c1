#include "geometry/mesh_field.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr double k_fewest = 4096, k_most = 32768;  // cells
constexpr double k_for_each = 16;                  // cells, of each triangle
constexpr double k_rim = 0.25;                     // of the longest side, around the mesh
constexpr double k_listed = 5;                     // cells: as far from the surface
constexpr std::size_t k_most_listed = 32;          // triangles of a cell
constexpr std::int32_t k_group = 16;               // points

std::int32_t cells_along(double length, double cell) {
  return std::max<std::int32_t>(1, std::int32_t(std::ceil(length / cell - 1e-9)));
}

// m: the least of 4/5 of each other with which a box has no more cells than it may.
double cell_size(const Vec3& size, std::size_t triangles) {
  const double most = std::min(k_most, std::max(k_fewest, k_for_each * double(triangles)));
  const auto cells = [&](double cell) {
    return double(cells_along(size.x, cell)) * double(cells_along(size.y, cell)) *
           double(cells_along(size.z, cell));
  };
  double cell = std::max({size.x, size.y, size.z});
  while (cells(0.8 * cell) <= most) cell *= 0.8;
  return cell;
}

void split(const std::vector<Vec3>& points, std::int32_t first, std::int32_t count,
           PointGroups& out) {
  const auto begin = out.members.begin() + first;
  const auto at = [&](std::int32_t member) { return points[std::size_t(member)]; };
  Vec3 low = at(*begin), high = low;
  for (std::int32_t i = 0; i < count; ++i) {
    low = min(low, at(begin[i]));
    high = max(high, at(begin[i]));
  }
  if (count <= k_group) {
    PointGroup group{(low + high) * 0.5, 0, first, count};
    for (std::int32_t i = 0; i < count; ++i)
      group.radius = std::max(group.radius, length(at(begin[i]) - group.centre));
    out.groups.push_back(group);
    return;
  }
  const Vec3 size = high - low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  std::sort(begin, begin + count, [&](std::int32_t a, std::int32_t b) {
    const double x = at(a)[axis], y = at(b)[axis];
    return x < y || (x == y && a < b);
  });
  split(points, first, count / 2, out);
  split(points, first + count / 2, count - count / 2, out);
}

}  // namespace

MeshField::MeshField(const TriMesh& mesh, const TriangleTree& tree, bool closed) : closed_(closed) {
  if (mesh.triangles.empty()) return;
  Vec3 low = mesh.vertices[0], high = low;
  for (const Vec3& p : mesh.vertices) {
    low = min(low, p);
    high = max(high, p);
  }
  const double longest = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  if (!(longest > 0)) return;
  const Vec3 rim = Vec3{1, 1, 1} * (k_rim * longest);
  low -= rim;
  const Vec3 size = high + rim - low;
  low_ = low;
  cell_ = cell_size(size, mesh.triangles.size());
  per_cell_ = 1 / cell_;
  slack_ = 1e-6 * longest;
  for (int k = 0; k < 3; ++k) count_[k] = cells_along(size[k], cell_);
  double bound = 0;  // of the next one, from the last: never far away
  for (std::int32_t z = 0; z < count_[2]; ++z)
    for (std::int32_t y = 0; y < count_[1]; ++y)
      for (std::int32_t x = 0; x < count_[0]; ++x) {
        const Vec3 p = low_ + Vec3{x + 0.5, y + 0.5, z + 0.5} * cell_;
        const NearestOnMesh near = x > 0 ? tree.nearest(p, bound) : tree.nearest(p);
        bound = near.distance + 1.001 * cell_;
        distance_.push_back(float(closed && near.behind ? -near.distance : near.distance));
      }
  list_triangles(tree);
}

// Of cells near the surface, where searches are wanted. For each point p of a cell with middle c
// and half its diagonal r, |p - c| <= r: the nearest triangle is no further from c than d(c) + 2 r.
void MeshField::list_triangles(const TriangleTree& tree) {
  const double r = cell_ * 0.8660254037844387;
  std::vector<DistantTriangle> found;
  std::size_t index = 0;
  for (std::int32_t z = 0; z < count_[2]; ++z)
    for (std::int32_t y = 0; y < count_[1]; ++y)
      for (std::int32_t x = 0; x < count_[0]; ++x, ++index) {
        first_.push_back(std::int32_t(near_.size()));
        const double d = std::fabs(double(distance_[index]));
        if (d > k_listed * cell_) continue;
        const Vec3 p = low_ + Vec3{x + 0.5, y + 0.5, z + 0.5} * cell_;
        found.clear();
        tree.within(p, d + 2 * r + 8 * slack_, found);
        if (found.size() <= k_most_listed) near_.insert(near_.end(), found.begin(), found.end());
      }
  first_.push_back(std::int32_t(near_.size()));
}

std::size_t MeshField::cell_of(const Vec3& p, Vec3& middle) const {
  std::size_t index = 0;
  for (int k = 2; k >= 0; --k) {
    const double at = (p[k] - low_[k]) * per_cell_;
    const std::int32_t n = at > 0 ? std::int32_t(std::min(at, double(count_[k] - 1))) : 0;
    middle[k] = low_[k] + (n + 0.5) * cell_;
    index = index * std::size_t(count_[k]) + std::size_t(n);
  }
  return index;
}

MeshField::Bounds MeshField::around(const Vec3& p, double radius) const {
  if (distance_.empty()) return {};
  Vec3 middle;
  const std::size_t cell = cell_of(p, middle);
  const double d = double(distance_[cell]);
  const double away = length(p - middle) + radius + slack_;
  Bounds out{std::max(0.0, std::fabs(d) - away), std::fabs(d) + away, 0, std::int32_t(cell), away};
  // No way from the middle to these points passes the surface.
  if (closed_ && out.least > 0) out.side = d > 0 ? 1 : -1;
  const Vec3 off = p - middle;
  const double half = 0.5 * cell_ + slack_;
  if (std::fabs(off.x) > half || std::fabs(off.y) > half || std::fabs(off.z) > half) out.cell = -1;
  return out;
}

NearestOnMesh MeshField::nearest(const TriangleTree& tree, const Vec3& p, const Bounds& b) const {
  if (b.cell < 0) return tree.nearest(p, b.most);
  const std::size_t begin = std::size_t(first_[std::size_t(b.cell)]);
  const std::size_t count = std::size_t(first_[std::size_t(b.cell) + 1]) - begin;
  if (count == 0) return tree.nearest(p, b.most);
  return tree.nearest(p, std::span(near_).subspan(begin, count), b.away);
}

PointGroups group_points(const std::vector<Vec3>& points) {
  PointGroups out;
  for (std::size_t i = 0; i < points.size(); ++i) out.members.push_back(std::int32_t(i));
  if (!points.empty()) split(points, 0, std::int32_t(points.size()), out);
  return out;
}

}  // namespace pliant
