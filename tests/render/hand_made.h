// Frames made by formulas, that look like a simulated scene: cloth over a ball, boxes, soft solids.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <pliant/record.h>

namespace pliant {

struct MadeFrame {
  FrameLayout layout;
  Frame frame;

  void add(const std::string& name, Motion motion, const Shape& shape, const Vec3& position,
           const Quat& rotation = {}) {
    layout.bodies.push_back({name, motion, shape});
    frame.poses.push_back({position, rotation});
  }
  void add(const std::string& name, FrameSurface::Kind kind, std::vector<Vec3f> positions,
           std::vector<Triangle> triangles) {
    layout.surfaces.push_back(
        {name, kind, static_cast<std::int32_t>(positions.size()), std::move(triangles)});
    frame.positions.push_back(std::move(positions));
  }
};

inline Quat turned(const Vec3& axis, double angle) {
  const Vec3 a = normalized(axis) * std::sin(angle / 2);
  return {a.x, a.y, a.z, std::cos(angle / 2)};
}

// A square sheet laid over a ball: it follows the ball to an angle, then hangs in folds to the
// floor, where its rim lies flat.
inline void add_draped_cloth(MadeFrame& made, const Vec3& centre, double radius, double width,
                             int cells) {
  std::vector<Vec3f> points;
  std::vector<Triangle> triangles;
  const double leave = 1.35;  // rad from the top
  for (int j = 0; j <= cells; ++j) {
    for (int i = 0; i <= cells; ++i) {
      const double x = width * (double(i) / cells - 0.5), z = width * (double(j) / cells - 0.5);
      const double r = std::hypot(x, z), phi = std::atan2(z, x);
      const double on = std::min(r / radius, leave), free = std::max(0.0, r - leave * radius);
      double out = radius * std::sin(on);
      const double top = centre.y + radius * std::cos(on);
      // Hangs until the floor is near, then turns outward along it.
      const double hang = 0.5 * (free + top - std::hypot(free - top, 0.12));
      const double lie = free - hang;
      const double fold =
          std::min(1.0, free / 0.3) * (std::cos(8 * phi + 0.6) + 0.35 * std::cos(5 * phi));
      out += 0.2 * free + 0.055 * fold * (1 + free) + 0.8 * lie;
      const double y = std::max(0.004, top - 0.98 * hang);
      points.push_back(
          cast<float>(Vec3{centre.x + out * std::cos(phi), y, centre.z + out * std::sin(phi)}));
    }
  }
  for (int j = 0; j < cells; ++j) {
    for (int i = 0; i < cells; ++i) {
      const std::int32_t a = j * (cells + 1) + i, b = a + cells + 1;
      triangles.push_back({a, b + 1, a + 1});
      triangles.push_back({a, b, b + 1});
    }
  }
  made.add("cloth", FrameSurface::Kind::cloth, std::move(points), std::move(triangles));
}

// A box mesh of cells x cells quads for each face, bulged and pressed flat below.
inline void add_soft_cube(MadeFrame& made, const Vec3& centre, double half, double bulge,
                          double turn) {
  constexpr int k_cells = 16;
  std::vector<Vec3f> points;
  std::vector<Triangle> triangles;
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double side = face % 2 == 0 ? 1 : -1;
    const auto first = static_cast<std::int32_t>(points.size());
    for (int j = 0; j <= k_cells; ++j) {
      for (int i = 0; i <= k_cells; ++i) {
        Vec3 p;
        p[axis] = side;
        p[u] = side * (2.0 * i / k_cells - 1);
        p[v] = 2.0 * j / k_cells - 1;
        const double waist = 1 + bulge * (1 - p.y * p.y);
        p = Vec3{p.x * waist, p.y * (1 - 0.5 * bulge), p.z * waist} * half;
        p = rotate(turned({0, 1, 0}, turn), p) + centre;
        points.push_back(cast<float>(p));
      }
    }
    for (int j = 0; j < k_cells; ++j) {
      for (int i = 0; i < k_cells; ++i) {
        const std::int32_t a = first + j * (k_cells + 1) + i, b = a + k_cells + 1;
        triangles.push_back({a, a + 1, b + 1});
        triangles.push_back({a, b + 1, b});
      }
    }
  }
  made.add("cube", FrameSurface::Kind::solid, std::move(points), std::move(triangles));
}

inline void add_soft_ball(MadeFrame& made, const Vec3& centre, double radius, double squash) {
  TriMesh mesh = shape_mesh(Sphere{radius});
  std::vector<Vec3f> points;
  for (const Vec3& v : mesh.vertices) {
    const double wide = 1 + 0.5 * squash;
    Vec3 p{v.x * wide, std::max(v.y * (1 - squash), -radius * (1 - 1.6 * squash)), v.z * wide};
    points.push_back(cast<float>(p + centre));
  }
  made.add("jelly", FrameSurface::Kind::solid, std::move(points), std::move(mesh.triangles));
}

inline MadeFrame showcase() {
  MadeFrame made;
  made.add("ground", Motion::fixed, HalfSpace{}, {0, 0, 0});
  made.add("ball", Motion::fixed, Sphere{0.335}, {0, 0.34, 0});
  made.add("crate", Motion::dynamic, Box{{0.16, 0.16, 0.16}}, {0.95, 0.16, 0.15},
           turned({0, 1, 0}, 0.4));
  made.add("crate2", Motion::dynamic, Box{{0.13, 0.13, 0.13}}, {0.93, 0.45, 0.13},
           turned({0, 1, 0}, 0.9));
  made.add("crate3", Motion::dynamic, Box{{0.2, 0.1, 0.14}}, {-0.9, 0.1, -0.65},
           turned({0, 1, 0}, -0.5));
  made.add("pill", Motion::dynamic, Capsule{0.09, 0.2}, {0.45, 0.09, 0.85},
           turned({0, 0.5, 1}, 1.5707963) * turned({0, 0, 1}, 0));
  made.add("marble", Motion::dynamic, Sphere{0.1}, {0.85, 0.1, 0.65});
  made.add("marble2", Motion::dynamic, Sphere{0.07}, {-0.45, 0.07, 0.95});
  made.add("marble3", Motion::dynamic, Sphere{0.12}, {-0.85, 0.32, -0.62});
  made.frame.poses[5].rotation = turned({0.45, 0, -1}, std::numbers::pi / 2);
  add_draped_cloth(made, {0, 0.35, 0}, 0.35, 1.6, 64);
  add_soft_cube(made, {-1.05, 0.19, 0.25}, 0.2, 0.12, 0.5);
  add_soft_ball(made, {-0.75, 0.125, 0.75}, 0.16, 0.15);
  add_soft_ball(made, {0.55, 0.17, -0.85}, 0.22, 0.15);
  return made;
}

}  // namespace pliant
