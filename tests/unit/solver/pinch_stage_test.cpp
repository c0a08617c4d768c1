// A particle between two rigid bodies, by hand: what is found, how the bodies share the way apart,
// and that what is between led bodies goes with them.
#include <gtest/gtest.h>

#include "solver/pinch_stage.h"

namespace pliant {
namespace {

constexpr Real k_deep = Real(0.001);  // m, each body has come into the other by this in the substep

// Particle 0, of one gram, is under body 0 and on body 1, each by one batch of one lane.
struct Rig {
  ContactSlots slots;
  Particles particles;
  std::vector<Vec4> begin;
  std::vector<BodyMotion> rigid;
  std::vector<RigidPush> pushes;
  PinchScratch scratch;

  Rig(Real upper_mass, Real lower_mass, int points = 1) : rigid(2), pushes(2) {
    particles.resize(points + 1);
    for (std::size_t p = 0; p < std::size_t(points); ++p) particles.d[p] = {0, 0, 0, 1000};
    particles.d_before = particles.d;
    begin = particles.d;
    slots.clear();
    for (std::int32_t n = 0; n < 2; ++n) {
      const Real mass = n == 0 ? upper_mass : lower_mass;
      rigid[std::size_t(n)].velocity.w = mass > 0 ? 1 / mass : 0;
      ContactPair pair;
      pair.rigid = n;
      pair.dynamic = mass > 0;
      pair.batch_begin = n;
      pair.batch_end = n + 1;
      pair.loaded = points;
      pair.friction_static = pair.friction_kinetic = 1;
      slots.pairs.push_back(pair);
      VertexBatch b;
      b.pair = n;
      b.lanes = points;
      b.live = true;
      for (int k = 0; k < points; ++k) {
        b.particle[std::size_t(k)] = k;
        b.normal.y[k] = n == 0 ? Real(-1) : Real(1);
        b.offset[k] = -k_deep;
        b.multiplier[k] = Real(1e-6);
      }
      slots.batches.push_back(b);
    }
  }
  void run() { hold_pinched(slots, 1, Real(1e-4), particles, begin, rigid, pushes, scratch); }
};

// C = gap_a + gap_b = -2 mm is restored by 1/m of each: 1 kg goes 1.5 mm up, 3 kg 0.5 mm down.
TEST(PinchStage, bodies_go_apart_by_their_inverse_masses) {
  Rig rig(1, 3);
  rig.run();
  ASSERT_EQ(rig.scratch.pinches.size(), 1u);
  EXPECT_NEAR(double(rig.pushes[0].moved.y), 0.0015, 1e-7);
  EXPECT_NEAR(double(rig.pushes[1].moved.y), -0.0005, 1e-7);
  EXPECT_NEAR(double(rig.scratch.pinches[0].multiplier), 0.0015, 1e-6);
  EXPECT_EQ(rig.particles.d[0].y, 0);  // the load goes from body to body
}

TEST(PinchStage, a_fixed_body_leaves_the_whole_way_to_the_other) {
  Rig rig(2, 0);
  rig.run();
  EXPECT_NEAR(double(rig.pushes[0].moved.y), 0.002, 1e-7);
  EXPECT_EQ(rig.pushes[1].moved.y, 0);
}

// An overlap that was there when the substep began is removed by 0.1 mm at most, and that part is
// no velocity.
TEST(PinchStage, an_old_overlap_is_removed_slowly_and_without_velocity) {
  Rig rig(1, 1);
  for (VertexBatch& b : rig.slots.batches) b.gap[0] = -k_deep;
  rig.run();
  EXPECT_NEAR(double(rig.pushes[0].moved.y), 0.5e-4, 1e-7);
  EXPECT_NEAR(double(rig.pushes[0].gained.y), 0, 1e-8);
}

// Six points see a sixth of each body: the sum is the same, reached in a few sweeps from below.
TEST(PinchStage, many_points_share_the_bodies) {
  Rig rig(1, 3, 6);
  rig.run();
  EXPECT_EQ(rig.scratch.pinches.size(), 6u);
  EXPECT_EQ(rig.pushes[0].contacts, 6);
  EXPECT_LE(rig.pushes[0].moved.y, Real(0.0015001));
  EXPECT_NEAR(double(rig.pushes[0].moved.y), 0.0015, 0.0015 * 0.02);
  EXPECT_NEAR(double(rig.pushes[0].moved.y + 3 * rig.pushes[1].moved.y), 0, 1e-7);
}

// Not pinched: normals that do not face each other, a pair without load, a lane without load.
TEST(PinchStage, other_contacts_are_left_alone) {
  const auto expect_nothing = [](Rig& rig) {
    rig.run();
    EXPECT_TRUE(rig.scratch.pinches.empty());
    EXPECT_EQ(rig.pushes[0].moved.y, 0);
  };
  Rig same_side(1, 3);
  same_side.slots.batches[0].normal.y[0] = 1;
  expect_nothing(same_side);
  Rig unloaded(1, 3);
  unloaded.slots.pairs[1].loaded = 0;
  expect_nothing(unloaded);
  Rig lane(1, 3);
  lane.slots.batches[1].multiplier[0] = 0;
  expect_nothing(lane);
}

// Between led bodies the point goes where they go, from where it was, with their velocity.
TEST(PinchStage, led_bodies_take_the_point_along) {
  Rig rig(0, 0);
  for (VertexBatch& b : rig.slots.batches) b.rigid_motion.x[0] = Real(0.01);
  rig.particles.d[0].x = Real(0.002);  // as far as everything else has brought it
  rig.run();
  EXPECT_NEAR(double(rig.particles.d[0].x), 0.01, 1e-7);
  EXPECT_NEAR(double(rig.particles.d[0].x - rig.particles.d_before[0].x), 0.01, 1e-7);
  // Control: without friction it stays behind.
  Rig smooth(0, 0);
  for (ContactPair& pair : smooth.slots.pairs) pair.friction_static = pair.friction_kinetic = 0;
  for (VertexBatch& b : smooth.slots.batches) b.rigid_motion.x[0] = Real(0.01);
  smooth.particles.d[0].x = Real(0.002);
  smooth.run();
  EXPECT_NEAR(double(smooth.particles.d[0].x), 0.002, 1e-7);
}

}  // namespace
}  // namespace pliant
