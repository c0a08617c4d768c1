// The volume of a solid as a whole: a box of four by four by four cells whose lower face was
// pressed.
#include <gtest/gtest.h>
#include <pliant/mesh.h>
#include <algorithm>
#include <vector>

#include "build/deformable_build.h"
#include "constraints/body_volume.h"

namespace pliant {
namespace {

constexpr double k_h = 0.004;

struct PressedBox {
  DeformableBuild build;
  std::vector<Vec4> base, d, from, from_first, gradient;

  explicit PressedBox(double poisson_ratio = 0.499) {
    SolidDef def;
    def.tets = make_lattice(4, 4, 4, 0.2);
    def.youngs_modulus = 3e5;
    def.poisson_ratio = poisson_ratio;
    def.density = 1000;
    build = build_solid(def).value();
    const std::size_t count = std::size_t(build.body.count);
    base.resize(count);
    d.resize(count);
    for (std::vector<Vec4>* memory : {&from, &from_first, &gradient}) memory->resize(count);
    for (std::size_t p = 0; p < count; ++p) {
      base[p] = {Real(build.position[p].x), Real(build.position[p].y), Real(build.position[p].z)};
      d[p].w = Real(1 / build.mass[p]);
    }
  }
  PressedBody body() {
    return {base.data(), d.data(), from.data(), from_first.data(), gradient.data()};
  }
  double lowest() const {
    double y = 1e30;
    for (const Vec4& b : base) y = std::min(y, double(b.y));
    return y;
  }
  bool is_low(std::size_t p) const { return double(base[p].y) < lowest() + 1e-3; }
  // As a contact with a floor that has come up.
  void press(double by) {
    note_shell(build.body.shell, body());
    for (std::size_t p = 0; p < d.size(); ++p)
      if (is_low(p)) d[p].y = Real(by);
  }
  Vec3 place(std::int32_t p) const {
    const Vec4 &b = base[std::size_t(p)], &x = d[std::size_t(p)];
    return {double(b.x) + double(x.x), double(b.y) + double(x.y), double(b.z) + double(x.z)};
  }
  double volume() const {
    double sum = 0;
    for (const Tetrahedron& t : build.body.tets) {
      const Vec3 o = place(t[0]);
      sum += dot(place(t[1]) - o, cross(place(t[2]) - o, place(t[3]) - o)) / 6;
    }
    return sum;
  }
};

TEST(BodyVolume, what_contacts_took_comes_back_under_their_last_word) {
  PressedBox box;
  const double whole = box.volume();
  box.press(0.01);
  ASSERT_LT(box.volume(), 0.99 * whole);
  ASSERT_TRUE(keep_volume(box.build.body, box.body(), k_h));
  for (std::size_t p = 0; p < box.d.size(); ++p)  // the contacts again
    if (box.is_low(p)) box.d[p].y = Real(0.01);
  // To first order in the shift, which is an eightieth of the height: a few squares of it are left.
  EXPECT_NEAR(box.volume() / whole, 1, 4. / (80 * 80));
}

TEST(BodyVolume, momenta_stay) {
  PressedBox box;
  box.press(0.02);
  const std::vector<Vec4> before = box.d;
  ASSERT_TRUE(keep_volume(box.build.body, box.body(), k_h));
  Vec3 linear, angular;
  double moved = 0;
  for (std::size_t p = 0; p < before.size(); ++p) {
    const Vec3 gain =
        Vec3{double(box.d[p].x) - double(before[p].x), double(box.d[p].y) - double(before[p].y),
             double(box.d[p].z) - double(before[p].z)} *
        box.build.mass[p];
    const Vec4 &b = box.base[p], &x = before[p];
    const Vec3 at{double(b.x + x.x), double(b.y + x.y), double(b.z + x.z)};
    linear += gain;
    angular += cross(at, gain);
    moved += length(gain);
  }
  ASSERT_GT(moved, 0.1);
  EXPECT_LT(length(linear), 1e-5 * moved);
  EXPECT_LT(length(angular), 1e-5 * moved);
}

TEST(BodyVolume, little_is_left_to_the_cells) {
  PressedBox box;
  box.press(0.001);  // an eight-hundredth of the height
  const std::vector<Vec4> before = box.d;
  EXPECT_FALSE(keep_volume(box.build.body, box.body(), k_h));
  for (std::size_t p = 0; p < before.size(); ++p) EXPECT_EQ(box.d[p].y, before[p].y);
}

// Of a soft bulk modulus the row is as soft as that of a cell: the material gives way by itself.
TEST(BodyVolume, a_soft_bulk_gets_little_back) {
  const auto given_back = [](double poisson_ratio) {
    PressedBox box(poisson_ratio);
    box.press(0.02);
    const double pressed = box.volume();
    keep_volume(box.build.body, box.body(), k_h);
    return box.volume() - pressed;
  };
  EXPECT_LT(given_back(0.3), 0.2 * given_back(0.499));
}

TEST(BodyVolume, only_solids_with_volume_rows_have_a_shell) {
  EXPECT_FALSE(PressedBox(0.499).build.body.shell.particle.empty());
  EXPECT_TRUE(PressedBox(0.25).build.body.shell.particle.empty());
}

}  // namespace
}  // namespace pliant
