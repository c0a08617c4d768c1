// What sleeps and is touched stands on its floor from the first step on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/world.h>

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60;

double lowest(const World& world, SolidId id) {
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  double y = 1e9;
  for (const Vec3& p : x) y = std::min(y, p.y);
  return y;
}

// Without its floor a body would fall by g dt^2 / 2 = 1.4 mm in a step, and a soft one would
// stretch through it besides.
TEST(Waking, a_touch_does_not_take_the_floor_away) {
  World world;
  ASSERT_TRUE(world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).ok());
  const BodyId box = world.add_body({.shape = Box{}, .position = {3, 0.5, 0}}).value();
  const BodyId on_it = world.add_body({.shape = Box{}, .position = {3, 1.5, 0}}).value();
  SolidDef def;
  def.tets = make_lattice(3, 3, 3, 0.2);
  def.position = {0, 0.31, 0};
  const SolidId solid = world.add_solid(def).value();
  for (int n = 0; n < 400; ++n) world.step(k_dt);
  ASSERT_TRUE(world.asleep(box) && world.asleep(on_it) && world.asleep(solid));
  const double box_y = world.pose(box).position.y, top_y = world.pose(on_it).position.y;
  const double low = lowest(world, solid);
  BodyDef feather{.shape = Sphere{0.1}, .position = {3, 2.101, 0}, .velocity = {0, -0.1, 0}};
  feather.mass = 1e-4;
  ASSERT_TRUE(world.add_body(feather).ok());
  feather.position = {0, 0.73, 0};
  ASSERT_TRUE(world.add_body(feather).ok());
  bool box_woke = false, solid_woke = false;
  double box_falls = 0, top_falls = 0, solid_falls = 0;
  for (int n = 0; n < 40; ++n) {
    world.step(k_dt);
    box_woke |= !world.asleep(box), solid_woke |= !world.asleep(solid);
    box_falls = std::max(box_falls, box_y - world.pose(box).position.y);
    top_falls = std::max(top_falls, top_y - world.pose(on_it).position.y);
    solid_falls = std::max(solid_falls, low - lowest(world, solid));
  }
  EXPECT_TRUE(box_woke && solid_woke);
  EXPECT_LT(box_falls, 1e-4);
  EXPECT_LT(top_falls, 1e-4);
  EXPECT_LT(solid_falls, 1e-5);
}

}  // namespace
}  // namespace pliant
