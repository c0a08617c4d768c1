// What a viewer draws of the contacts of a step (ACCEPTANCE 25 of the rigid specification): a
// yellow point, a violet normal and blue velocities before and after for each record.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <vector>

using namespace pliant;

namespace {

constexpr double k_step = 1.0 / 240;

int count(const std::vector<Mark>& marks, MarkKind kind) {
  int n = 0;
  for (const Mark& m : marks) n += m.kind == kind ? 1 : 0;
  return n;
}

// m = 2 at (3, 1, 0) meets m = 3 at (-1, 0, 0) along (1, 1, 0): they leave with (0, -2, 0) and
// (1, 2, 0).
World two_balls(Impacts impacts) {
  World world({.gravity = {}, .substeps = 10, .impacts = impacts});
  const Surface surface{.friction_static = 0, .friction_kinetic = 0, .restitution = 1};
  const Vec3 n = normalized(Vec3{1, 1, 0}), va{3, 1, 0}, vb{-1, 0, 0};
  world
      .add_body({.shape = Sphere{0.1},
                 .position = va * -0.002,
                 .velocity = va,
                 .mass = 2,
                 .surface = surface})
      .value();
  world
      .add_body({.shape = Sphere{0.1},
                 .position = n * 0.2 - vb * 0.002,
                 .velocity = vb,
                 .mass = 3,
                 .surface = surface})
      .value();
  return world;
}

}  // namespace

TEST(Acceptance, rigid_A25_marks_of_an_impact) {
  World world = two_balls(Impacts::ordered);
  world.step(k_step);
  std::vector<Event> impacts;
  for (const Event& e : world.events())
    if (e.kind == EventKind::impact) impacts.push_back(e);
  ASSERT_EQ(impacts.size(), 1u);
  const std::vector<Mark> marks = contact_marks(impacts, {.normal_length = 0.5, .seconds = 2});
  ASSERT_EQ(marks.size(), 6u);
  const Vec3 p = impacts[0].point, n = normalized(Vec3{1, 1, 0});
  const std::vector<BodyId> balls = world.bodies();
  EXPECT_NEAR(length(p - n * 0.1), 0, 1e-4);
  struct Wanted {
    MarkKind kind;
    Vec3 way;  // from `from` to `to`
    AnyId of;
  };
  const Wanted wanted[] = {{MarkKind::point, {}, {}},
                           {MarkKind::normal, n * 0.5, {}},
                           {MarkKind::velocity_before, {6, 2, 0}, balls[0]},
                           {MarkKind::velocity_after, {0, -4, 0}, balls[0]},
                           {MarkKind::velocity_before, {-2, 0, 0}, balls[1]},
                           {MarkKind::velocity_after, {2, 4, 0}, balls[1]}};
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(marks[k].kind, wanted[k].kind) << k;
    EXPECT_EQ(marks[k].of, wanted[k].of) << k;
    EXPECT_NEAR(length(marks[k].to - marks[k].from - wanted[k].way), 0, 1e-4) << k;
    EXPECT_EQ(wanted[k].kind == MarkKind::velocity_before ? marks[k].to : marks[k].from, p) << k;
  }
  EXPECT_GT(marks[0].colour.x, marks[0].colour.z);  // yellow
  EXPECT_GT(marks[0].colour.y, marks[0].colour.z);
  EXPECT_GT(marks[1].colour.x, marks[1].colour.y);  // violet
  EXPECT_GT(marks[1].colour.z, marks[1].colour.y);
  for (std::size_t k = 2; k < 6; ++k) EXPECT_GT(marks[k].colour.z, 2 * marks[k].colour.x);  // blue
}

// A contact that begins in the normal way has the same of its step.
TEST(Acceptance, rigid_A25_marks_of_a_contact) {
  World world = two_balls(Impacts::together);
  world.step(k_step);
  const std::vector<Mark> marks = contact_marks(world.events());
  ASSERT_EQ(marks.size(), 6u);
  EXPECT_NEAR(length(marks[2].to - marks[2].from - Vec3{0.3, 0.1, 0}), 0, 1e-5);
  // Elastic, along the normal of the search, which was when the step began: 2 m_b / (m_a + m_b).
  const Vec3 n = normalized(marks[1].to - marks[1].from), va{3, 1, 0}, vb{-1, 0, 0};
  const Vec3 after = va - n * (1.2 * dot(va - vb, n));
  EXPECT_NEAR(length(marks[3].to - marks[3].from - after * 0.1), 0, 1e-4);
  EXPECT_NEAR(dot(n, normalized(Vec3{1, 1, 0})), 1, 1e-3);  // it turns by 0.02 rad until they touch
}

// Nothing is drawn of what did not meet, nor of a floor that stands still.
TEST(Acceptance, rigid_A25_marks_of_what_stands_still) {
  World world({.substeps = 10});
  world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  world.add_body({.shape = Sphere{0.1}, .position = {0, 0.101, 0}}).value();
  world.step(k_step);
  EXPECT_TRUE(contact_marks(world.events()).empty());
  std::vector<Mark> marks;
  for (int n = 0; n < 20 && marks.empty(); ++n) {
    world.step(k_step);
    marks = contact_marks(world.events());
  }
  EXPECT_EQ(count(marks, MarkKind::point), 1);
  EXPECT_EQ(count(marks, MarkKind::normal), 1);
  EXPECT_EQ(count(marks, MarkKind::velocity_before), 1);
  EXPECT_EQ(count(marks, MarkKind::velocity_after), 1);
}
