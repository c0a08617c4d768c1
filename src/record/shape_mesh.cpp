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

TriMesh rectangle_mesh(double half_x, double half_z) {
  return {{{-half_x, 0, -half_z}, {-half_x, 0, half_z}, {half_x, 0, half_z}, {half_x, 0, -half_z}},
          {{0, 1, 2}, {0, 2, 3}}};
}

TriMesh height_mesh(const HeightField& field) {
  TriMesh mesh = make_grid(field.columns, field.rows, field.width, field.depth);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) mesh.vertices[i].y = field.heights[i];
  return mesh;
}

TriMesh compound_mesh(const Compound& compound, double extent) {
  TriMesh all;
  for (const CompoundPart& part : compound.parts) {
    const TriMesh mesh = shape_mesh(part.shape, extent);
    const auto first = static_cast<std::int32_t>(all.vertices.size());
    const Transform place{part.position, normalized(part.rotation)};
    for (const Vec3& v : mesh.vertices) all.vertices.push_back(to_world(place, v));
    for (const Triangle& t : mesh.triangles)
      all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return all;
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
  if (const auto* r = std::get_if<Rectangle>(&shape)) return rectangle_mesh(r->half_x, r->half_z);
  if (const auto* hull = std::get_if<Hull>(&shape)) {
    Result<TriMesh> mesh = make_convex_hull(hull->points);
    return mesh.ok() ? std::move(mesh).value() : TriMesh{};
  }
  if (const auto* mesh = std::get_if<Mesh>(&shape)) return mesh->mesh;
  if (const auto* field = std::get_if<HeightField>(&shape)) return height_mesh(*field);
  if (const auto* compound = std::get_if<Compound>(&shape)) return compound_mesh(*compound, extent);
  if (const auto* user = std::get_if<UserShape>(&shape)) return user_mesh(*user);
  return rectangle_mesh(extent / 2, extent / 2);
}

}  // namespace pliant
