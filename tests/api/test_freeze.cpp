// A body that goes non-finite is frozen and reported; its neighbours are unharmed.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60;

// No number for one body, from a time on.
class Broken : public ForceField {
 public:
  Broken(AnyId victim, double value, double from) : victim_(victim), value_(value), from_(from) {}
  Vec3 force(const FieldSample& sample) const override {
    if (!(sample.body == victim_) || sample.time < from_) return {};
    return {value_, 0, 0};
  }

 private:
  AnyId victim_;
  double value_, from_;
};

struct Trio {
  World world;
  SolidId victim;
  BodyId below, above;
  SolidId aside;
};

// A jelly on a box with a ball on top, and a second jelly that leans on nothing.
Trio make_trio() {
  WorldDef def;
  def.substeps = 10;
  Trio t{World(def), {}, {}, {}, {}};
  t.world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  t.below = t.world.add_body({.shape = Box{{0.3, 0.1, 0.3}}, .position = {0, 0.1, 0}}).value();
  SolidDef jelly;
  jelly.tets = make_lattice(3, 3, 3, 0.1);
  jelly.position = {0, 0.36, 0};
  t.victim = t.world.add_solid(jelly).value();
  t.above =
      t.world.add_body({.shape = Sphere{0.08}, .position = {0, 0.6, 0}, .density = 300}).value();
  jelly.position = {2, 0.36, 0};
  t.aside = t.world.add_solid(jelly).value();
  return t;
}

int frozen_events(const World& world, AnyId who) {
  int n = 0;
  for (const Event& e : world.events()) n += e.kind == EventKind::frozen && e.a == who;
  return n;
}

void expect_sane(const World& world, BodyId id) {
  EXPECT_TRUE(finite(world.pose(id).position));
  EXPECT_LT(length(world.velocity(id)), 3);
  EXPECT_LT(length(world.pose(id).position), 3);
}

class Freeze : public testing::TestWithParam<double> {};

TEST_P(Freeze, a_solid_without_a_number_is_held_and_reported) {
  Trio t = make_trio(), twin = make_trio();
  t.world.add_field(std::make_shared<Broken>(AnyId(t.victim), GetParam(), 0.5));
  // The twin has a field as well, that does nothing: the paths of the two are alike.
  twin.world.add_field(std::make_shared<Broken>(AnyId(twin.victim), GetParam(), 1e9));
  int events = 0, reported = 0;
  for (int n = 0; n < 120; ++n) {
    const StepReport report = t.world.step(k_dt);
    twin.world.step(k_dt);
    events += frozen_events(t.world, t.victim);
    reported += report.frozen;
    expect_sane(t.world, t.below);
    expect_sane(t.world, t.above);
    std::vector<Vec3> x, y;
    t.world.copy_positions(t.aside, x);
    twin.world.copy_positions(twin.aside, y);
    ASSERT_EQ(x, y) << "the distant jelly, step " << n;
  }
  EXPECT_EQ(events, 1);
  EXPECT_EQ(reported, 1);
  std::vector<Vec3> x, before;
  t.world.copy_positions(t.victim, before);
  t.world.step(k_dt);
  t.world.copy_positions(t.victim, x);
  EXPECT_EQ(x, before) << "held";
  for (const Vec3& p : x) {
    EXPECT_TRUE(finite(p));
    EXPECT_LT(length(p), 1.5);
  }
  // The ball still lies on what is held.
  EXPECT_GT(t.world.pose(t.above).position.y, 0.4);
  EXPECT_TRUE(std::isfinite(t.world.measurements().kinetic_energy));
}
INSTANTIATE_TEST_SUITE_P(Values, Freeze,
                         testing::Values(std::numeric_limits<double>::quiet_NaN(),
                                         std::numeric_limits<double>::infinity(), 1e25, 1e13));

TEST(FreezeRigid, impulses_beyond_all_measure) {
  for (const double size : {1e300, 1e30, std::numeric_limits<double>::quiet_NaN()}) {
    Trio t = make_trio(), twin = make_trio();
    for (int n = 0; n < 60; ++n) t.world.step(k_dt), twin.world.step(k_dt);
    t.world.apply_impulse(t.above, {0, size, 0}, {});
    StepReport report = t.world.step(k_dt);
    twin.world.step(k_dt);
    EXPECT_EQ(report.frozen, 1) << size;
    EXPECT_FALSE(report.ok());
    EXPECT_EQ(frozen_events(t.world, t.above), 1) << size;
    for (int n = 0; n < 30; ++n) report = t.world.step(k_dt), twin.world.step(k_dt);
    EXPECT_TRUE(report.ok());
    expect_sane(t.world, t.below);
    expect_sane(t.world, t.above);
    std::vector<Vec3> x, y;
    t.world.copy_positions(t.victim, x);
    for (const Vec3& p : x) ASSERT_LT(length(p), 2) << size;
    t.world.copy_positions(t.aside, x);
    twin.world.copy_positions(twin.aside, y);
    EXPECT_EQ(x, y);
  }
}

TEST(FreezeRigid, a_field_without_a_number) {
  Trio t = make_trio();
  t.world.add_field(
      std::make_shared<Broken>(AnyId(t.above), std::numeric_limits<double>::quiet_NaN(), 0.3));
  int reported = 0;
  for (int n = 0; n < 60; ++n) {
    reported += t.world.step(k_dt).frozen;
    expect_sane(t.world, t.below);
    expect_sane(t.world, t.above);
  }
  EXPECT_EQ(reported, 1);
}

}  // namespace
}  // namespace pliant
