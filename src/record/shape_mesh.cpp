// Triangles of the rigid shapes, for pictures and exports; nothing here reaches the simulation.
#include <cmath>
#include <numbers>

#include <pliant/record.h>

namespace pliant {
namespace {

constexpr int k_around = 48;   // corners of a circle around the axis
constexpr int k_quarter = 12;  // rings from a pole to the equator

// A ball cut at its equator and pulled apart along y; a sphere where half_height is 0.
TriMesh round_mesh(double radius, double half_height) {
  TriMesh mesh;
  mesh.vertices.push_back({0, -half_height - radius, 0});
  const int halves = half_height > 0 ? 2 : 1;
  int rings = 0;
  for (int i = 1; i < 2 * k_quarter; ++i) {
    // The equator is there twice in a capsule: once at each end of the cylinder.
    const int copies = i == k_quarter ? halves : 1;
    for (int c = 0; c < copies; ++c) {
      const double angle = std::numbers::pi * (double(i) / (2 * k_quarter) - 0.5);
      const bool upper = i > k_quarter || c == 1;
      const double y = radius * std::sin(angle) + (upper ? half_height : -half_height);
      for (int j = 0; j < k_around; ++j) {
        const double turn = 2 * std::numbers::pi * j / k_around;
        const double r = radius * std::cos(angle);
        mesh.vertices.push_back({r * std::cos(turn), y, r * std::sin(turn)});
      }
      ++rings;
    }
  }
  mesh.vertices.push_back({0, half_height + radius, 0});
  const std::int32_t top = static_cast<std::int32_t>(mesh.vertices.size()) - 1;
  const auto at = [](int ring, int j) { return 1 + ring * k_around + j % k_around; };
  for (int j = 0; j < k_around; ++j) {
    mesh.triangles.push_back({0, at(0, j), at(0, j + 1)});
    for (int r = 0; r + 1 < rings; ++r) {
      mesh.triangles.push_back({at(r, j), at(r + 1, j), at(r + 1, j + 1)});
      mesh.triangles.push_back({at(r, j), at(r + 1, j + 1), at(r, j + 1)});
    }
    mesh.triangles.push_back({top, at(rings - 1, j + 1), at(rings - 1, j)});
  }
  return mesh;
}

// Rings around the y axis, from the lowest, closed by flat caps.
struct Ring {
  double radius, y;
};
TriMesh turned_mesh(const std::vector<Ring>& rings) {
  TriMesh mesh;
  for (const Ring& ring : rings)
    for (int j = 0; j < k_around; ++j) {
      const double turn = 2 * std::numbers::pi * j / k_around;
      mesh.vertices.push_back({ring.radius * std::cos(turn), ring.y, ring.radius * std::sin(turn)});
    }
  const auto at = [](std::size_t ring, int j) {
    return static_cast<std::int32_t>(ring) * k_around + j % k_around;
  };
  for (std::size_t r = 0; r + 1 < rings.size(); ++r)
    for (int j = 0; j < k_around; ++j) {
      mesh.triangles.push_back({at(r, j), at(r + 1, j), at(r + 1, j + 1)});
      mesh.triangles.push_back({at(r, j), at(r + 1, j + 1), at(r, j + 1)});
    }
  const auto cap = [&](std::size_t ring, bool up) {
    const auto middle = static_cast<std::int32_t>(mesh.vertices.size());
    mesh.vertices.push_back({0, rings[ring].y, 0});
    for (int j = 0; j < k_around; ++j) {
      const std::int32_t a = at(ring, j), b = at(ring, j + 1);
      mesh.triangles.push_back(up ? Triangle{middle, b, a} : Triangle{middle, a, b});
    }
  };
  cap(0, false);
  cap(rings.size() - 1, true);
  return mesh;
}

TriMesh cone_mesh(const Cone& cone) {
  TriMesh mesh = turned_mesh({{cone.radius, -0.25 * cone.height}});
  // The upper cap's middle is pulled up to the tip.
  mesh.vertices.back().y = 0.75 * cone.height;
  return mesh;
}

TriMesh ellipsoid_mesh(const Ellipsoid& ellipsoid) {
  TriMesh mesh = round_mesh(1, 0);
  for (Vec3& v : mesh.vertices) v = scaled(v, ellipsoid.half);
  return mesh;
}

TriMesh box_mesh(const Vec3& half) {
  TriMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                             (i & 4) != 0 ? half.z : -half.z});
  }
  mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

}  // namespace

TriMesh shape_mesh(const Shape& shape, double extent) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return round_mesh(sphere->radius, 0);
  if (const auto* box = std::get_if<Box>(&shape)) return box_mesh(box->half);
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return round_mesh(capsule->radius, capsule->half_height);
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    return turned_mesh(
        {{cylinder->radius, -cylinder->half_height}, {cylinder->radius, cylinder->half_height}});
  if (const auto* cone = std::get_if<Cone>(&shape)) return cone_mesh(*cone);
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) return ellipsoid_mesh(*ellipsoid);
  const double e = extent / 2;
  return {{{-e, 0, -e}, {-e, 0, e}, {e, 0, e}, {e, 0, -e}}, {{0, 1, 2}, {0, 2, 3}}};
}

}  // namespace pliant
