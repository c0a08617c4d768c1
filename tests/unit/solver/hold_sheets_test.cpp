// The guard of the sheets on four particles: a vertex that a substep carries through a triangle.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/rigid.h"
#include "solver/hold_sheets.h"
#include "solver/sheet_stages.h"

namespace pliant {
namespace {

constexpr Real k_thick = Real(0.004);

// Particle 0 is above the middle of the triangle 1, 2, 3; 4 is the scratch particle.
struct Four {
  Real from;  // m, height of 0

  std::vector<Deformable> bodies{1};
  Particles particles;
  std::vector<Vec4> begin;
  SheetContacts contacts;
  HoldScratch hold;
  PackScratch pack;
  std::vector<std::uint8_t> bound{0};

  explicit Four(Real height_of_first = Real(0.0036)) : from(height_of_first) {
    bodies[0].count = 4;
    particles.resize(5);
    const Vec3R places[] = {{0, from, 0}, {-1, 0, 1}, {2, 0, 1}, {-1, 0, -2}};
    for (std::size_t k = 0; k < 4; ++k) {
      particles.base[k] = {places[k].x, places[k].y, places[k].z, 0};
      particles.d[k] = {0, 0, 0, 1};
      bodies[0].tree.rest.push_back({Real(k), Real(k * k), Real(1) / Real(k + 1), 0});
    }
    begin = particles.d;
    contacts.pairs = {{0, 0, 0, k_thick, 0, 0}};
    contacts.candidates = {{{0, 1, 2, 3}, 0, k_thick, SheetFeature::vertex_triangle, 1}};
    choose_levels(bodies, particles, 0, pack, contacts);
    refresh_sheets(contacts, particles, begin, {}, 0.002, 1, nullptr);
  }
  int run() { return hold_sheets(contacts, begin, particles, nullptr, hold, bound); }
  Real height() const { return from + particles.d[0].y - particles.d[1].y; }
};

// Ends no nearer than 0.8 of the thickness, and where it was nearer already, no nearer than that.
TEST(HoldSheets, a_vertex_does_not_pass_a_triangle) {
  for (const Real height : {Real(0.0036), Real(0.002)}) {
    Four four(height);
    four.particles.d[0].y = Real(-0.01);
    ASSERT_LT(four.height(), 0);  // would have passed
    EXPECT_EQ(four.run(), 1);
    EXPECT_GE(four.height(), Real(0.9999) * std::min(Real(0.8) * k_thick, height));
    EXPECT_EQ(four.bound[0], 1);
  }
}

// Nothing crosses, but the vertex would come too near.
TEST(HoldSheets, what_comes_too_near_is_held) {
  Four four;
  four.particles.d[0].y = Real(-0.0012);  // to 0.6 of the thickness
  EXPECT_EQ(four.run(), 1);
  EXPECT_GE(four.height(), Real(0.8) * k_thick);
  Four control;
  control.particles.d[0].y = Real(-0.0002);  // to 0.85
  EXPECT_EQ(control.run(), 0);
}

// A vertex that is led for this substep, as what is pinched, takes the triangle along.
TEST(HoldSheets, what_is_led_goes_on) {
  Four four;
  four.particles.d[0] = {0, Real(-0.01), 0, 0};
  EXPECT_GT(four.run(), 0);
  EXPECT_EQ(four.particles.d[0].y, Real(-0.01));
  EXPECT_GE(four.height(), Real(0.8) * k_thick);
}

// From beside the triangle, where the plane between the two is nearly upright, over its edge and
// past it: it keeps its height all the way. Seen to fail with the plane of the beginning alone.
TEST(HoldSheets, what_slides_over_an_edge_is_not_held) {
  Four four;
  four.begin[0].x = four.particles.d[0].x = Real(-1.01);
  refresh_sheets(four.contacts, four.particles, four.begin, {}, 0.002, 1, nullptr);
  four.particles.d[0].x = Real(-0.5);
  EXPECT_EQ(four.run(), 0);
  EXPECT_EQ(four.particles.d[0].x, Real(-0.5));
}

// What moves together, however far, is left alone to the last bit.
TEST(HoldSheets, a_common_motion_is_not_held) {
  Four four;
  for (std::size_t k = 0; k < 4; ++k) four.particles.d[k].y = -1;
  const auto before = four.particles.d;
  EXPECT_EQ(four.run(), 0);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(four.particles.d[k].y, before[k].y);
  EXPECT_EQ(four.bound[0], 0);
}

// A held triangle stays where its user put it; the vertex gives way before it.
TEST(HoldSheets, a_triangle_that_the_user_moves_takes_the_vertex_along) {
  Four four;
  for (std::size_t k = 1; k < 4; ++k) four.particles.d[k] = {0, Real(0.01), 0, 0};
  EXPECT_GT(four.run(), 0);
  EXPECT_EQ(four.particles.d[1].y, Real(0.01));
  EXPECT_GE(four.height(), Real(0.8) * k_thick);
}

}  // namespace
}  // namespace pliant
