// Worlds in which cloth meets itself and other cloth, and the check that it never passes through.
#pragma once

#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <numbers>

#include "feature_distance.h"
#include "geometry/self_intersection.h"

namespace pliant {

inline constexpr double k_pi = std::numbers::pi;

// Pairs of triangles that pass through each other after frame `frame`; every 60th time (and the
// first) the twin that tries all pairs must say, too, whether there are any. (Which they are is
// compared on random meshes: where a grid is folded through itself, as in controls, edges run
// through edges, and rounding decides.)
inline std::vector<TrianglePair> crossings_in(const TriMesh& mesh, int frame) {
  std::vector<TrianglePair> found = self_intersections(mesh);
  if (frame % 60 != 0) return found;
  EXPECT_EQ(found.empty(), self_intersections_brute(mesh).empty()) << "frame " << frame;
  return found;
}

struct SheetRig {
  World world;
  std::vector<ClothId> cloths;
  TriMesh joined;  // triangles of all cloths
  int looked = 0;  // at crossings

  explicit SheetRig(const WorldDef& def = {}, int threads = 0)
      : world(def, threads > 0 ? make_task_pool(threads) : nullptr) {}

  ClothId add(const ClothDef& def) {
    const std::int32_t first = std::int32_t(joined.vertices.size());
    for (const Triangle& t : def.mesh.triangles)
      joined.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    joined.vertices.resize(joined.vertices.size() + def.mesh.vertices.size());
    cloths.push_back(world.add_cloth(def).value());
    return cloths.back();
  }
  void add_floor() {
    BodyDef floor;
    floor.motion = Motion::fixed;
    floor.shape = HalfSpace{};
    world.add_body(floor).value();
  }

  // How many pairs of triangles pass through each other.
  std::size_t crossings() {
    std::vector<Vec3> places;
    std::size_t n = 0;
    for (const ClothId id : cloths) {
      world.copy_positions(id, places);
      for (const Vec3& p : places) joined.vertices[n++] = p;
    }
    return crossings_in(joined, looked++).size();
  }

  // Steps of 1/60 s, looked at after each: no crossing, and no two features that share no vertex
  // are nearer than `least` (m).
  void expect_no_crossing(double seconds, double least = 0) {
    const int frames = int(std::lround(60 * seconds));
    for (int frame = 1; frame <= frames; ++frame) {
      const StepReport report = world.step(1. / 60);
      ASSERT_EQ(report.frozen, 0) << "frame " << frame;
      ASSERT_EQ(crossings(), 0u) << "frame " << frame;
      if (least > 0) {
        ASSERT_GE(nearest_features(joined, 2 * least).distance, least) << "frame " << frame;
      }
    }
  }
};

inline WorldDef weightless_sheets() {
  WorldDef def;
  def.gravity = {};
  def.sleep = false;
  return def;
}

// Laid double over the floor, the upper half 6 cm above the lower one.
inline ClothDef folded_sheet(int cells) {
  ClothDef cloth;
  cloth.self_contact = true;
  cloth.mesh = make_grid(cells, cells, 1, 1);
  for (const Vec3& v : cloth.mesh.vertices) {
    const double u = v.x + 0.5, radius = 0.1 / k_pi;
    Vec3 p{u, 0.02, v.z};
    if (u > 0.55) {
      p = {1 - u, 0.02 + 2 * radius, v.z};
    } else if (u > 0.45) {
      const double angle = (u - 0.45) / radius;
      p = {0.45 + radius * std::sin(angle), 0.02 + radius * (1 - std::cos(angle)), v.z};
    }
    cloth.initial_positions.push_back(p);
  }
  cloth.initial_velocities.assign(cloth.initial_positions.size(), Vec3{});
  return cloth;
}

// Lies on a smooth table that is too small for it, too far to one side: it slides off, down to the
// floor.
inline void add_sliding_tablecloth(SheetRig& rig, int cells) {
  rig.add_floor();
  BodyDef table;
  table.motion = Motion::fixed;
  table.shape = Box{{0.3, 0.02, 0.3}};
  table.position = {0, 0.5, 0};
  table.surface = {0.1, 0.1, 0};
  rig.world.add_body(table).value();
  ClothDef cloth;
  cloth.mesh = make_grid(cells, cells, 1, 1);
  cloth.self_contact = true;
  cloth.position = {0.25, 0.53, 0.02};
  cloth.surface = table.surface;
  rig.add(cloth);
}

// Two opposite edges turn against each other, one turn a second in all, and back; they come nearer
// by 24 cm meanwhile, as the twisted cloth is shorter.
inline ClothDef twisted_sheet(int cells, double turns) {
  ClothDef cloth;
  cloth.self_contact = true;
  cloth.mesh = make_grid(cells, cells, 1, 1);
  for (const double side : {-1., 1.}) {
    Pin pin;
    for (std::size_t v = 0; v < cloth.mesh.vertices.size(); ++v)
      if (side * cloth.mesh.vertices[v].x > 0.499) pin.vertices.push_back(std::int32_t(v));
    const int keys = int(16 * turns);
    for (int n = 0; n <= 2 * keys; ++n) {
      const double part = double(n <= keys ? n : 2 * keys - n) / keys;
      const double angle = side * part * turns * k_pi;  // half of it on each side
      pin.path.push_back(
          {n / 16., {-side * 0.12 * part, 0, 0}, {std::sin(angle / 2), 0, 0, std::cos(angle / 2)}});
    }
    cloth.pins.push_back(pin);
  }
  return cloth;
}

inline void add_stack(SheetRig& rig, int count, int cells, double size) {
  rig.add_floor();
  for (int n = 0; n < count; ++n) {
    ClothDef cloth;
    cloth.mesh = make_grid(cells, cells, size, size);
    cloth.self_contact = true;
    cloth.position = {0.01 * (n % 3), 0.02 + 0.02 * n, 0.013 * (n % 4)};
    cloth.rotation = {0, std::sin(0.1 * n), 0, std::cos(0.1 * n)};
    rig.add(cloth);
  }
}

// Of the vertices of `upper` above the triangle of `lower` that is below or above them; the
// least, of those with an x of at least `from_x`.
inline double least_height(const SheetRig& rig, std::size_t upper, std::size_t lower,
                           double from_x = -1e9) {
  std::vector<Vec3> over, under;
  rig.world.copy_positions(rig.cloths[upper], over);
  rig.world.copy_positions(rig.cloths[lower], under);
  double least = 1e9;
  for (const Vec3& p : over) {
    if (p.x < from_x) continue;
    for (const Triangle& t : rig.world.describe(rig.cloths[lower]).mesh.triangles) {
      const Vec3 a = under[std::size_t(t[0])], b = under[std::size_t(t[1])] - a,
                 c = under[std::size_t(t[2])] - a, r = p - a;
      const double det = b.x * c.z - b.z * c.x;
      const double u = (r.x * c.z - r.z * c.x) / det, v = (b.x * r.z - b.z * r.x) / det;
      if (u < 0 || v < 0 || u + v > 1) continue;
      least = std::min(least, r.y - u * b.y - v * c.y);
    }
  }
  return least;
}

}  // namespace pliant
