// Triangles against rigid shapes in a substep: closed forms, and the twin of
// unit/narrowphase/deepest.h.
#include <gtest/gtest.h>

#include <algorithm>

#include "narrowphase/deformable_refresh.h"
#include "random_points.h"
#include "unit/narrowphase/deepest.h"

namespace pliant {
namespace {

using test::Random;

Vec4 packed(const Vec3& v, Real w) { return {Real(v.x), Real(v.y), Real(v.z), w}; }

TEST(TriangleRefresh, ways_of_a_body_are_bounds_and_exact_along_an_axis) {
  Random random(1);
  Particles particles;
  particles.resize(40);
  Deformable body;
  body.begin = 5;
  body.count = 30;
  double displaced = 0, moved = 0;
  for (std::size_t p = 0; p < 40; ++p) {
    const Vec3 before = random.point(0.1), now = before + random.point(0.03);
    particles.d_before[p] = packed(before, 7);  // w is no length
    particles.d[p] = packed(now, 9);
    if (p < 5 || p >= 35) continue;
    displaced = std::max(displaced, length(before));
    moved = std::max(moved, length(now - before));
  }
  const BodyWay way = measure_way(particles, body);
  EXPECT_GE(double(way.displaced), displaced - 1e-6);
  EXPECT_LE(double(way.displaced), std::sqrt(3.0) * displaced);
  EXPECT_GE(double(way.moved), moved - 1e-6);
  EXPECT_LE(double(way.moved), std::sqrt(3.0) * moved);
  for (std::size_t p = 0; p < 40; ++p) {
    particles.d_before[p] = {0, Real(0.25), 0, 7};
    particles.d[p] = {0, Real(0.75), 0, 9};
  }
  EXPECT_EQ(measure_way(particles, body).displaced, Real(0.25));
  EXPECT_EQ(measure_way(particles, body).moved, Real(0.5));
}

TEST(TriangleRefresh, one_triangle_is_nearest_where_the_twin_says) {
  Random random(2);
  for (int trial = 0; trial < 60; ++trial) {
    const Shape shape = trial % 2 == 0 ? Shape{Sphere{0.1}} : Shape{Capsule{0.06, 0.1}};
    const Transform pose{random.point(1), random.rotation()};
    const Vec3 middle = pose.position + 0.25 * normalized(random.point(1));
    const std::array<Vec3, 3> corner{middle + random.point(0.1), middle + random.point(0.1),
                                     middle + random.point(0.1)};
    const TriangleMeeting found = meet_triangle(shape_numbers<Real>(make_convex(shape)), pose,
                                                corner, {Real(1. / 3), Real(1. / 3), Real(1. / 3)});
    const auto numbers = shape_numbers<double>(make_convex(shape));
    const std::array<Vec3, 3> local{to_local(pose, corner[0]), to_local(pose, corner[1]),
                                    to_local(pose, corner[2])};
    const auto w = test::deepest_on_triangle(numbers, local, {1. / 3, 1. / 3, 1. / 3});
    Vec3 gradient;
    const double expected = signed_distance(numbers, test::point_of(local, w), gradient);
    EXPECT_NEAR(found.distance, expected, 5e-5) << trial;
    EXPECT_NEAR(signed_distance(numbers, found.touching, gradient), 0, 1e-5);
    EXPECT_NEAR(double(length(found.normal)), 1, 1e-5);
  }
}

// The corner that is lowest over the plane of the beginning, which has moved with the body.
TEST(TriangleRefresh, the_plane_of_the_beginning_moves_with_the_body) {
  ParticleContact contact;
  contact.first_normal = {0, 1, 0};
  contact.first_point = {0, 0.5, 0};
  const Transform before{{0, 0, 0}, {}}, now{{0, 0.1, 0}, {}};
  const std::array<Vec3, 3> corners{Vec3{0, 0.9, 0}, Vec3{1, 0.7, 0}, Vec3{0, 0.8, 1}};
  const TriangleMeeting open = meet_plane(before, now, false, corners, corners, contact, 0.3);
  EXPECT_NEAR(open.distance, 0.1, 1e-12);  // 0.7 - (0.5 + 0.1)
  EXPECT_EQ(open.weights, (std::array<double, 3>{0, 1, 0}));
  EXPECT_NEAR(open.touching.y, 0.5, 1e-12);
  // Of a closed surface the second corner began 0.1 m below the distance of 0.3 m and counts from
  // there: 0.2 m, as the third, which did not.
  const TriangleMeeting closed = meet_plane(before, now, true, corners, corners, contact, 0.3);
  EXPECT_NEAR(closed.distance, 0.2, 1e-12);
}

// One triangle of 2 m above a ball of 0.1 m at the origin.
struct Rig {
  std::vector<Deformable> bodies{1};
  Particles particles;
  RigidBodies rigid;
  std::vector<BodyBase> before;
  ContactSlots slots;
  RefreshContext context;

  explicit Rig(double height) {
    bodies[0].count = 3;
    bodies[0].surface.triangles = {{0, 1, 2}};
    const Vec3 place[] = {{-0.8, height, 0.9}, {1.2, height, 0.9}, {-0.8, height, -1.1}};
    particles.resize(4);
    for (std::int32_t v = 0; v < 3; ++v) {
      bodies[0].surface.vertices.push_back({{v, 0, 0, 0}, {1, 0, 0, 0}});
      particles.base[std::size_t(v)] = packed(place[v], 0);
      particles.d[std::size_t(v)] = {0, 0, 0, 1};
    }
    particles.d_before = particles.d;
    BodyDef ball;
    ball.motion = Motion::fixed;
    ball.shape = Sphere{0.1};
    append_body(rigid, ball, 0);
    before = rigid.base;
    slots.clear();
    ContactPair pair;
    pair.rigid = 0;
    pair.thickness = Real(0.002);
    pair.slot_end = 1;
    slots.pairs.push_back(pair);
    ContactSlot slot;
    slot.kind = ContactKind::triangle_rigid;
    slot.weights = {Real(1. / 3), Real(1. / 3), Real(1. / 3)};
    slots.slots.push_back(slot);
    slots.contacts.resize(1);
    slots.live.assign(1, 7);
    context = {1.0 / 480, 1, 0.01, bodies, &particles, &rigid, before};
  }
  bool refresh() {
    refresh_triangles(context, slots, measure_way(particles, bodies[0]), 0, 1);
    return slots.live[0] != 0;
  }
};

// The foot of the ball's centre: weights by areas, the gap is the height less radius and thickness.
TEST(TriangleRefresh, a_large_triangle_on_a_ball) {
  Rig rig(0.103);
  ASSERT_TRUE(rig.refresh());
  const ParticleContact& c = rig.slots.contacts[0];
  EXPECT_NEAR(double(c.gap), 0.001, 1e-6);
  EXPECT_NEAR(double(c.normal.y), 1, 1e-5);
  ASSERT_EQ(c.particles, 3);
  // x: -0.8 + 2 b = 0, z: 0.9 - 2 c = 0.
  EXPECT_NEAR(double(c.weight[1]), 0.4, 1e-3);
  EXPECT_NEAR(double(c.weight[2]), 0.45, 1e-3);
  EXPECT_NEAR(double(c.weight[0]), 0.15, 1e-3);
}

TEST(TriangleRefresh, what_is_out_of_reach_is_not_live) {
  Rig far(0.2);
  EXPECT_FALSE(far.refresh());
  // What comes down by its own motion may reach it.
  Rig falling(0.2);
  for (std::size_t p = 0; p < 3; ++p) falling.particles.d[p].y = Real(-0.1);
  EXPECT_TRUE(falling.refresh());
  // What the search has found to be clear is not looked at.
  Rig clear(0.103);
  clear.slots.slots[0].clear = 1;
  EXPECT_FALSE(clear.refresh());
}

// A triangle that has tilted since the substep began is nearest elsewhere: the contact goes there.
TEST(TriangleRefresh, aiming_follows_a_triangle_that_turns) {
  Rig rig(0.103);
  ASSERT_TRUE(rig.refresh());
  const std::vector<RigidPush> pushes(1);
  // About the z axis through the foot: x' = x, y' = y - 0.2 x; the nearest point of the plane to
  // the centre is 0.103 / sqrt(1 + 0.04) away.
  const double x[] = {-0.8, 1.2, -0.8};
  for (std::size_t p = 0; p < 3; ++p) rig.particles.d[p].y = Real(-0.2 * x[p]);
  aim_triangles(rig.context, rig.slots, pushes, 0, 1);
  const ParticleContact& c = rig.slots.contacts[0];
  EXPECT_TRUE(c.turns);
  const Vec3 normal = normalized(Vec3{0.2, 1, 0});
  EXPECT_NEAR(double(c.normal.x), normal.x, 1e-3);
  EXPECT_NEAR(double(c.normal.y), normal.y, 1e-3);
  // gap = offset + n . d must be that of the new place.
  double gap = double(c.offset);
  for (std::size_t n = 0; n < std::size_t(c.particles); ++n)
    gap += double(c.weight[n]) * double(c.normal.y) *
           double(rig.particles.d[std::size_t(c.particle[n])].y);
  EXPECT_NEAR(gap, 0.103 / std::sqrt(1.04) - 0.102, 2e-5);
}

// Control: what hardly moves keeps its place and its normal to the bit.
TEST(TriangleRefresh, aiming_leaves_alone_what_hardly_moves) {
  Rig rig(0.103);
  ASSERT_TRUE(rig.refresh());
  const ParticleContact before = rig.slots.contacts[0];
  const std::vector<RigidPush> pushes(1);
  for (std::size_t p = 0; p < 3; ++p) rig.particles.d[p].y = Real(-0.0004);
  aim_triangles(rig.context, rig.slots, pushes, 0, 1);
  EXPECT_FALSE(rig.slots.contacts[0].turns);
  EXPECT_EQ(rig.slots.contacts[0].offset, before.offset);
  EXPECT_EQ(rig.slots.contacts[0].normal.x, before.normal.x);
}

}  // namespace
}  // namespace pliant
