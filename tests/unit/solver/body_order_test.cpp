// Bodies by place: every body that may move once, neighbours together, one far away changes little.
#include "model/body_order.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace pliant {
namespace {

// In any order, 0.1 m apart; the second one is at `far`.
RigidBodies in_a_row(int count, double far) {
  RigidBodies bodies;
  std::mt19937 rng(3);
  std::vector<double> place;
  for (int i = 0; i < count; ++i) place.push_back(0.1 * i);
  std::shuffle(place.begin(), place.end(), rng);
  for (int i = 0; i < count; ++i)
    append_body(bodies,
                {.motion = i % 5 == 0 ? Motion::fixed : Motion::dynamic,
                 .position = {0.01 * (i % 3), i == 1 ? far : place[std::size_t(i)], 0}},
                std::uint32_t(i));
  list_movable(bodies);
  return bodies;
}

TEST(body_order, every_body_once_and_by_place) {
  const RigidBodies bodies = in_a_row(1000, 1);
  BodyOrder order;
  order_bodies(bodies, order);
  std::vector<std::int32_t> sorted = order.bodies;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, bodies.movable);
  for (std::size_t n = 1; n < order.bodies.size(); ++n) {
    const std::size_t a = std::size_t(order.bodies[n - 1]), b = std::size_t(order.bodies[n]);
    ASSERT_LE(order.zone[a], order.zone[b]);
    // A zone is a 64th of four standard deviations of what is spread evenly over 100 m: 1.8 m.
    ASSERT_LT(bodies.position[a].y, bodies.position[b].y + 1.9);
  }
}

TEST(body_order, one_that_is_far_away_leaves_the_others_apart) {
  const RigidBodies bodies = in_a_row(1000, 3000);
  BodyOrder order;
  order_bodies(bodies, order);
  // One of 800 bodies 3000 m away makes the deviation 110 m: the others take 100 m of 440, which
  // are 14 zones of 55 bodies.
  std::vector<int> count(k_zones, 0);
  for (const std::int32_t i : bodies.movable) ++count[order.zone[std::size_t(i)]];
  EXPECT_LT(*std::max_element(count.begin(), count.end()), 70);
}

TEST(body_order, nothing_and_all_in_one_place) {
  RigidBodies bodies;
  list_movable(bodies);
  BodyOrder order;
  order_bodies(bodies, order);
  EXPECT_TRUE(order.bodies.empty());
  for (int i = 0; i < 10; ++i) append_body(bodies, {}, std::uint32_t(i));
  list_movable(bodies);
  order_bodies(bodies, order);
  EXPECT_EQ(order.bodies, bodies.movable);
}

}  // namespace
}  // namespace pliant
