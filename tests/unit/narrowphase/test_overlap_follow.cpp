// Contacts that follow the solids between two searches: depths as a search would find them, points
// that wait, and how long that is good for.
//
// Seen to fail: with the sign of the way turned, with the sides' ways added instead of subtracted,
// with nothing that waits, and with waiting that does not ask which way a point's own surface
// looks.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "../../random_points.h"
#include "narrowphase/overlap_follow.h"
#include "overlap_rig.h"

namespace pliant {
namespace {

using test::OverlapRig;
using test::Random;

constexpr double k_cell = 0.1;

// A cube of 3 x 3 x 3 cells over the middle of one of 6 x 6 x 6, whose top is at 0.3, `gap` apart.
OverlapRig press(double gap, const Vec3& shift = {}) {
  OverlapRig rig;
  rig.add(make_lattice(6, 6, 6, k_cell), k_cell, [](const Vec3& v) { return v; });
  rig.add(make_lattice(3, 3, 3, k_cell), k_cell, [&](const Vec3& v) {
    return v + shift + Vec3{0.013, 0.45 + gap, 0.017};
  });
  rig.find(OverlapSearch::hash);
  for (OverlapSolid& s : rig.solids) refresh_faces(s, rig.x);
  return rig;
}

std::map<std::int32_t, double> depth_of_point(const std::vector<OverlapContact>& contacts) {
  std::map<std::int32_t, double> depths;
  for (const OverlapContact& c : contacts) depths[c.a.particle[0]] = c.depth;
  return depths;
}

void move(OverlapRig& rig, std::size_t solid, const Vec3& by) {
  const OverlapSolid& s = rig.solids[solid];
  for (const std::int32_t q : s.topology.points) rig.x[std::size_t(s.begin + q)] += by;
}

// What has followed and what a new search says of the same points.
void expect_what_a_search_finds(OverlapRig& rig, const std::vector<OverlapContact>& found,
                                std::size_t count) {
  std::vector<OverlapContact> followed;
  follow_contacts(found, rig.x, followed);
  const auto expected = depth_of_point(rig.contacts(1, 0)), now = depth_of_point(followed);
  EXPECT_EQ(expected.size(), count);
  ASSERT_EQ(now.size(), expected.size());
  for (const auto& [point, depth] : expected) {
    ASSERT_EQ(now.count(point), 1u);
    EXPECT_NEAR(now.at(point), depth, 1e-12);
  }
}

// Both move, sideways too; the faces are flat, so the depth is exact.
TEST(OverlapFollow, depths_are_those_of_a_search) {
  Random random(7);
  for (int attempt = 0; attempt < 20; ++attempt) {
    OverlapRig rig = press(-0.004);
    std::vector<OverlapContact> found = rig.contacts(1, 0);
    note_sides(found, rig.x);
    move(rig, 0, 0.001 * random.point(1));
    move(rig, 1, 0.001 * random.point(1));
    expect_what_a_search_finds(rig, found, 16);
  }
}

// What comes free has no depth, and has it again when it comes back.
TEST(OverlapFollow, contacts_let_go_and_act_again) {
  OverlapRig rig = press(-0.001);
  std::vector<OverlapContact> found = rig.contacts(1, 0);
  note_sides(found, rig.x);
  std::vector<OverlapContact> followed;
  move(rig, 1, {0, 0.002, 0});
  follow_contacts(found, rig.x, followed);
  EXPECT_TRUE(followed.empty());
  move(rig, 1, {0, -0.002, 0});
  follow_contacts(found, rig.x, followed);
  EXPECT_EQ(followed.size(), 16u);
}

std::vector<OverlapContact> waiting(const OverlapRig& rig, std::span<const std::uint8_t> has) {
  std::vector<OverlapContact> contacts;
  find_waiting(rig.solids[0], rig.solids[1], rig.x, has, contacts);
  return contacts;
}

TEST(OverlapFollow, points_wait_outside_and_have_their_depth_when_they_get_in) {
  OverlapRig rig = press(0.003);
  const std::vector<std::uint8_t> none(rig.x.size(), 0);
  std::vector<OverlapContact> found = waiting(rig, none);
  note_sides(found, rig.x);
  ASSERT_EQ(found.size(), 16u);
  for (const OverlapContact& c : found) {
    EXPECT_NEAR(c.depth, -0.003, 1e-12);
    EXPECT_NEAR(c.normal.y, 1, 1e-12);
  }
  move(rig, 1, {0.001, -0.005, 0});
  expect_what_a_search_finds(rig, found, 16);
}

TEST(OverlapFollow, what_has_a_contact_or_is_too_far_does_not_wait) {
  OverlapRig rig = press(0.003);
  std::vector<std::uint8_t> has(rig.x.size(), 0);
  const std::int32_t point = waiting(rig, has).front().a.particle[0];
  has[std::size_t(point)] = 1;
  EXPECT_EQ(waiting(rig, has).size(), 15u);
  const OverlapRig far = press(1.01 * k_waits * k_cell);
  EXPECT_TRUE(waiting(far, std::vector<std::uint8_t>(far.x.size(), 0)).empty());
}

// A cube that stands out over the rim by less than a point waits from: its corner below is nearer
// to the side of the lower one than to its top, but nothing of it looks that way.
TEST(OverlapFollow, nothing_waits_round_a_corner) {
  const double out = 0.1 * k_cell;
  OverlapRig rig = press(-0.3 * out, {0.15 + out - 0.013, 0, 0});
  for (const OverlapContact& c : waiting(rig, std::vector<std::uint8_t>(rig.x.size(), 0)))
    EXPECT_GT(c.normal.y, 0.99) << "point " << c.a.particle[0];
  // What leads out of the side is no contact to go by either.
  OverlapContact sideways;
  sideways.a.body = 1, sideways.b.body = 0;
  const OverlapSolid& upper = rig.solids[1];
  for (const std::int32_t q : upper.topology.points) {
    const Vec3& x = rig.x[std::size_t(upper.begin + q)];
    if (upper.topology.faces_at(q).empty() || x.x < 0.3 || x.y > 0.31) continue;
    sideways.a.particle.fill(upper.begin + q);
    sideways.a.weight = {1, 0, 0, 0};
    sideways.normal = {1, 0, 0};
    EXPECT_FALSE(is_facing(upper, sideways));
    sideways.normal = {0, 1, 0};
    EXPECT_TRUE(is_facing(upper, sideways));
  }
  ASSERT_GT(sideways.a.weight[0], 0) << "no such point";
}

TEST(OverlapFollow, lasts_until_a_point_has_moved_too_far) {
  OverlapRig rig = press(-0.004);
  const std::vector<Vec3> before = rig.x;
  const auto then = [&](const OverlapSolid& s) {
    return std::span(before).subspan(std::size_t(s.begin));
  };
  const OverlapSolid& upper = rig.solids[1];
  const std::size_t p = std::size_t(upper.begin + upper.topology.points[5]);
  rig.x[p].z -= 0.99 * k_followed * k_cell;
  EXPECT_TRUE(is_followed(upper, then(upper), rig.x));
  rig.x[p].z -= 0.02 * k_followed * k_cell;
  EXPECT_FALSE(is_followed(upper, then(upper), rig.x));
  EXPECT_TRUE(is_followed(rig.solids[0], then(rig.solids[0]), rig.x));
}

}  // namespace
}  // namespace pliant
