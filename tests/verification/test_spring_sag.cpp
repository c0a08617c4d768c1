// A cube of springs under its weight, and a tetrahedron turned inside out (items A06 and A07 of the
// deformable bodies).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/world.h>

#include "verification/rig_precision.h"
#include "verification/spring_cube.h"

namespace pliant {
namespace {

struct Sag {
  double height = 0, volume = 0;
  bool inverted = false;
};

// A cube of 5^3 unit cells on a floor without friction, after it has settled.
Sag sag_of(double distance, double volume) {
  const TetMesh mesh = make_lattice(5, 5, 5, 1);
  SpringRig rig(thesis_cube(mesh, distance, volume, 0.5), mesh.vertices, equal_masses(mesh, 0.05));
  for (int n = 0; n < 1800; ++n) {
    rig.plain_step(0.005, {0, -9.81, 0});
    for (std::size_t i = 0; i < rig.count(); ++i) {
      Vec4 &d = rig.particles.d[i], &v = rig.particles.velocity[i];
      v = {v.x * Real(0.995), v.y * Real(0.995), v.z * Real(0.995), 0};
      const Real below = Real(-2.5) - (rig.particles.base[i].y + d.y);
      if (below > 0) d.y += below, v.y = std::max(v.y, Real(0));
    }
  }
  Sag sag;
  int tops = 0;
  for (std::size_t i = 0; i < rig.count(); ++i)
    if (mesh.vertices[i].y > 2.4) sag.height += rig.place(i).y + 2.5, ++tops;
  sag.height /= tops;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const auto x = [&](std::size_t n) { return rig.place(std::size_t(t[n])); };
    const double v = dot(x(1) - x(0), cross(x(2) - x(0), x(3) - x(0))) / 6;
    sag.volume += v;
    sag.inverted |= v <= 0;
  }
  return sag;
}

TEST(Springs, deformable_A06_sag_of_a_cube_under_its_weight) {
  struct Row {
    double distance, volume, height, left;
  };
  std::vector<Sag> all;
  for (const Row& row :
       {Row{100, 20, 4.953, 124.6}, Row{60, 20, 4.925, 124.5}, Row{20, 10, 4.78, 123.8},
        Row{2, 20, 3.56, 124.1}, Row{2, 10, 3.53, 123.2}, Row{2, 5, 3.48, 121.3}}) {
    const Sag sag = sag_of(row.distance, row.volume);
    all.push_back(sag);
    EXPECT_NEAR(sag.height, row.height, 0.03 * row.height) << row.distance << " " << row.volume;
    EXPECT_NEAR(sag.volume, row.left, 0.01 * row.left) << row.distance << " " << row.volume;
    EXPECT_FALSE(sag.inverted);
  }
  for (const std::size_t n : {1u, 2u, 3u}) EXPECT_LT(all[n].height, all[n - 1].height);
  for (const std::size_t n : {4u, 5u}) EXPECT_LT(all[n].volume, all[n - 1].volume);
}

TEST(Springs, deformable_A07_volume_undoes_an_inversion_where_it_is_strong_enough) {
  const double height = std::sqrt(2.0 / 3);
  const std::vector<Vec3> rest = {
      {0, 0, 0}, {1, 0, 0}, {0.5, 0, -std::sqrt(3.0) / 2}, {0.5, height, -std::sqrt(3.0) / 6}};
  const double whole = volume_value(rest);
  ASSERT_NEAR(whole, std::sqrt(2.0) / 12, 1e-12);
  struct Case {
    double volume;
    bool thesis;  // its form of the volume's force
  };
  for (const auto& [volume, thesis] :
       {Case{10, true}, Case{10, false}, Case{5, true}, Case{5, false}, Case{0, true}}) {
    SpringRows rows;
    for (std::int32_t i = 0; i < 4; ++i)
      for (std::int32_t j = i + 1; j < 4; ++j) rows.springs.push_back({{i, j}, 1, 20, 0.5});
    rows.volumes.push_back(
        {{0, 1, 2, 3}, whole, volume / (whole * whole) * (thesis ? 6 * whole : 1)});
    SpringRig rig(rows, rest, {0.05, 0.05, 0.05, 0.05});
    rig.move(3, {0, -0.5 - height, 0});
    double now = 0, least = 1, most = -1, off = 0;
    for (int n = 0; n < 2000; ++n) {
      rig.plain_step(0.0005);
      now = volume_value({rig.place(0), rig.place(1), rig.place(2), rig.place(3)}) / whole;
      if (n + 1 >= 500) least = std::min(least, now), most = std::max(most, now);
      if (n + 1 >= 800) off = std::max(off, std::abs(now - 1));
    }
    if (volume == 10) {
      EXPECT_GT(least, 0);             // for good, from 0.25 s on
      EXPECT_LT(off, 0.05) << thesis;  // and from 0.4 s on
    } else {
      EXPECT_LT(most, 0);
    }
    if (volume == 5) {
      EXPECT_NEAR(now, thesis ? -0.69 : -0.62, 0.05);
    }
    if (volume == 0) {
      EXPECT_NEAR(now, -1, 0.02);
    }
  }
}

}  // namespace
}  // namespace pliant
