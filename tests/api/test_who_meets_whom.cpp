// Filters, sensors, what events of contacts say, and the user's rule for contacts.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60;

BodyId add_floor(World& world, const Filter& filter = {}) {
  return world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}, .filter = filter}).value();
}
void run(World& world, double seconds) {
  for (int n = 0; n < int(std::lround(seconds / k_dt)); ++n) world.step(k_dt);
}

// --- filters ------------------------------------------------------------------------------------

TEST(Filter, groups_that_do_not_fit_pass_through_each_other) {
  constexpr std::uint32_t k_red = 2, k_blue = 4;
  World world;
  add_floor(world, {.groups = k_red});
  const auto drop = [&](double x, const Filter& filter) {
    return world.add_body({.shape = Sphere{0.1}, .position = {x, 0.3, 0}, .filter = filter})
        .value();
  };
  const BodyId stays = drop(0, {k_blue, k_red});
  const BodyId falls = drop(1, {k_blue, k_blue});
  const BodyId other = drop(2, {.groups = 1});
  run(world, 0.6);
  EXPECT_NEAR(world.pose(stays).position.y, 0.1, 1e-3);
  EXPECT_NEAR(world.pose(other).position.y, 0.1, 1e-3) << "in a group that all masks hold";
  // Free fall: g t^2 / 2, with half a substep's fall in the scheme.
  EXPECT_NEAR(world.pose(falls).position.y, 0.3 - 0.5 * 9.81 * 0.36, 0.01);
}

TEST(Filter, both_sides_must_agree) {
  World world;
  add_floor(world, {1, 0xffffffffu & ~2u});  // the floor does not meet group 2
  const BodyId ball =
      world.add_body({.shape = Sphere{0.1}, .position = {0, 0.2, 0}, .filter = {2, 0xffffffffu}})
          .value();
  run(world, 0.5);
  EXPECT_LT(world.pose(ball).position.y, -0.5);
}

TEST(Filter, cloths_and_solids_have_one_too) {
  for (const bool meets : {true, false}) {
    World world;
    const Filter filter = meets ? Filter{} : Filter{2, 2};
    world.add_body({.motion = Motion::fixed, .shape = Box{{1, 0.1, 1}}, .position = {0, -0.1, 0}})
        .value();
    ClothDef under, over;
    under.mesh = over.mesh = make_grid(6, 6, 0.5, 0.5);
    under.position = {0, 0.01, 0};
    over.position = {0, 0.03, 0};
    over.filter = filter;
    const ClothId lower = world.add_cloth(under).value(), upper = world.add_cloth(over).value();
    SolidDef solid;
    solid.mesh = make_box({0.1, 0.1, 0.1}, 1);
    solid.cells = 2;
    solid.position = {0.7, 0.12, 0};
    solid.filter = filter;
    const SolidId block = world.add_solid(solid).value();
    run(world, 0.5);
    std::vector<Vec3> x;
    world.copy_positions(lower, x);
    EXPECT_GT(x[0].y, -0.01);
    world.copy_positions(upper, x);
    EXPECT_EQ(x[0].y > -0.01, meets);
    world.copy_positions(block, x);
    EXPECT_EQ(x[0].y > -0.05, meets);
  }
}

// Two cloths of other groups, alone with each other.
TEST(Filter, sheets_of_other_groups_pass_through_each_other) {
  for (const bool meets : {true, false}) {
    World world;
    ClothDef held, falling;
    held.mesh = make_grid(8, 8, 1, 1);
    held.pins = {{.vertices = {0, 8, 72, 80}}};
    falling.mesh = make_grid(8, 8, 0.4, 0.4);
    falling.position = {0, 0.05, 0};
    if (!meets) falling.filter = {2, 2};
    (void)world.add_cloth(held).value();
    const ClothId upper = world.add_cloth(falling).value();
    run(world, 0.8);
    std::vector<Vec3> x;
    world.copy_positions(upper, x);
    EXPECT_EQ(x[40].y > -1, meets);
  }
}

TEST(Filter, comes_back_from_a_description_and_a_scene) {
  World world;
  BodyDef def;
  def.filter = {6, 9};
  def.sensor = true;
  def.surface.rolling_resistance = 0.25;
  def.surface.friction_combine = Combine::least;
  const BodyId id = world.add_body(def).value();
  EXPECT_EQ(world.describe(id).filter, (Filter{6, 9}));
  EXPECT_TRUE(world.describe(id).sensor);
  EXPECT_EQ(world.describe(id).surface, def.surface);
}

// --- sensors ------------------------------------------------------------------------------------

struct Gate {
  World world;
  BodyId gate;
  explicit Gate(const Shape& shape = Box{{0.5, 0.25, 0.5}}) : world{{.gravity = {}}} {
    gate = world.add_body({.motion = Motion::fixed, .shape = shape, .sensor = true}).value();
  }
  int events(EventKind kind, AnyId b) const {
    int n = 0;
    for (const Event& e : world.events()) n += e.kind == kind && e.a == AnyId(gate) && e.b == b;
    return n;
  }
};

TEST(Sensor, reports_when_a_ball_comes_and_goes_and_does_not_touch_it) {
  Gate g;
  const double speed = 3, radius = 0.1;
  const BodyId ball =
      g.world.add_body({.shape = Sphere{radius}, .position = {-2, 0, 0}, .velocity = {speed, 0, 0}})
          .value();
  double begin = -1, end = -1;
  int begins = 0, ends = 0;
  for (int n = 0; n < 120; ++n) {
    g.world.step(k_dt);
    if (g.events(EventKind::sensor_begin, ball)) begin = g.world.time(), ++begins;
    if (g.events(EventKind::sensor_end, ball)) end = g.world.time(), ++ends;
    for (const Event& e : g.world.events()) {
      EXPECT_NE(e.kind, EventKind::contact_begin);
      EXPECT_EQ(e.time, g.world.time());
    }
  }
  EXPECT_EQ(begins, 1);
  EXPECT_EQ(ends, 1);
  // From x = -2 until the ball's front is at -0.5, and until its back is at 0.5.
  EXPECT_NEAR(begin, (2 - 0.5 - radius) / speed, k_dt);
  EXPECT_NEAR(end, (2 + 0.5 + radius) / speed, 1.01 * k_dt);
  EXPECT_NEAR(g.world.velocity(ball).x, speed, 1e-6) << "as if nothing were there";
}

// The boxes overlap for long, the ball and the ball never do.
TEST(Sensor, looks_at_the_shapes_and_not_at_their_boxes) {
  Gate g(Sphere{1});
  const BodyId passes =
      g.world.add_body({.shape = Sphere{0.1}, .position = {0.8, 0.8, -3}, .velocity = {0, 0, 3}})
          .value();
  const BodyId enters =
      g.world.add_body({.shape = Sphere{0.1}, .position = {0.7, 0.7, -3}, .velocity = {0, 0, 3}})
          .value();
  int passed = 0, entered = 0;
  for (int n = 0; n < 120; ++n) {
    g.world.step(k_dt);
    passed += g.events(EventKind::sensor_begin, passes);
    entered += g.events(EventKind::sensor_begin, enters);
  }
  EXPECT_EQ(passed, 0) << "0.8 sqrt 2 - 0.1 > 1";
  EXPECT_EQ(entered, 1) << "0.7 sqrt 2 - 0.1 < 1";
}

TEST(Sensor, sees_cloths_and_solids_and_what_its_filter_fits) {
  World world{{.gravity = {}}};
  const BodyId gate =
      world
          .add_body(
              {.motion = Motion::fixed, .shape = Sphere{0.3}, .filter = {1, ~4u}, .sensor = true})
          .value();
  ClothDef cloth;
  cloth.mesh = make_grid(4, 4, 2, 2);
  const ClothId sheet = world.add_cloth(cloth).value();
  cloth.position = {0, 0.1, 0};
  cloth.filter = {4, 0xffffffffu};
  (void)world.add_cloth(cloth).value();
  SolidDef solid;
  solid.mesh = make_box({1, 1, 1}, 1);
  solid.cells = 2;
  const SolidId around = world.add_solid(solid).value();
  (void)world.add_body({.motion = Motion::fixed, .shape = Sphere{0.3}, .sensor = true}).value();
  world.step(k_dt);
  std::vector<AnyId> seen;
  for (const Event& e : world.events())
    if (e.kind == EventKind::sensor_begin && e.a == AnyId(gate)) seen.push_back(e.b);
  EXPECT_EQ(seen, (std::vector<AnyId>{sheet, around}));
}

TEST(Sensor, keeps_nothing_awake_and_wakes_nothing) {
  World world;
  add_floor(world);
  const BodyId ball = world.add_body({.shape = Sphere{0.1}, .position = {0, 0.1, 0}}).value();
  const BodyId probe = world
                           .add_body({.motion = Motion::kinematic,
                                      .shape = Sphere{0.2},
                                      .position = {-3, 0.1, 0},
                                      .velocity = {1, 0, 0},
                                      .sensor = true})
                           .value();
  bool begun = false, ended = false;
  for (int n = 0; n < 6 * 60; ++n) {
    world.step(k_dt);
    for (const Event& e : world.events()) {
      begun |= e.kind == EventKind::sensor_begin && e.a == AnyId(probe) && e.b == AnyId(ball);
      ended |= e.kind == EventKind::sensor_end && e.a == AnyId(probe) && e.b == AnyId(ball);
    }
    if (world.time() > 1.5) {
      EXPECT_TRUE(world.asleep(ball)) << world.time();
    }
  }
  EXPECT_TRUE(begun);
  EXPECT_TRUE(ended);
}

TEST(Sensor, what_overlaps_is_in_the_snapshot_and_the_hash) {
  Gate g;
  const BodyId ball = g.world.add_body({.shape = Sphere{0.1}}).value();
  const std::uint64_t before = g.world.state_hash();
  const auto outside = g.world.snapshot();
  g.world.step(k_dt);
  EXPECT_EQ(g.events(EventKind::sensor_begin, ball), 1);
  const auto inside = g.world.snapshot();
  const std::uint64_t hash = g.world.state_hash();
  g.world.step(k_dt);
  EXPECT_EQ(g.events(EventKind::sensor_begin, ball), 0);
  ASSERT_TRUE(g.world.restore(inside));
  EXPECT_EQ(g.world.state_hash(), hash);
  g.world.step(k_dt);
  EXPECT_EQ(g.events(EventKind::sensor_begin, ball), 0) << "it knows that the ball was there";
  ASSERT_TRUE(g.world.restore(outside));
  EXPECT_EQ(g.world.state_hash(), before);
  g.world.step(k_dt);
  EXPECT_EQ(g.events(EventKind::sensor_begin, ball), 1);
  g.world.remove(ball);
  g.world.step(k_dt);
  EXPECT_EQ(g.events(EventKind::sensor_end, ball), 1);
}

// --- what a contact says ------------------------------------------------------------------------

TEST(ContactEvent, has_point_normal_impulse_and_time) {
  World world;
  const BodyId floor = add_floor(world);
  const BodyId ball = world
                          .add_body({.shape = Sphere{0.1},
                                     .position = {0.3, 0.5, -0.2},
                                     .mass = 2,
                                     .surface = {.restitution = 0.5}})
                          .value();
  for (int n = 0; n < 60; ++n) {
    const Vec3 before = world.velocity(ball);
    world.step(k_dt);
    for (const Event& e : world.events()) {
      if (e.kind != EventKind::contact_begin) continue;
      EXPECT_EQ(e.a, AnyId(floor));
      EXPECT_EQ(e.b, AnyId(ball));
      EXPECT_NEAR(length(e.point - Vec3{0.3, 0, -0.2}), 0, 2e-3);
      EXPECT_NEAR(length(e.normal - Vec3{0, 1, 0}), 0, 1e-6);
      // It falls 0.4 m and bounces with half the speed; gravity acts for the rest of the step.
      const double v = std::sqrt(2 * 9.81 * 0.4);
      EXPECT_NEAR(e.speed, v, 9.81 * k_dt);
      EXPECT_NEAR(e.impulse, 2 * 1.5 * v, 2 * 1.5 * 9.81 * k_dt);
      EXPECT_EQ(e.time, world.time());
      // Of the step: what it had one step of gravity earlier, and what it has now.
      EXPECT_EQ(e.before_b, before);
      EXPECT_EQ(e.after_b, world.velocity(ball));
      EXPECT_NEAR(e.before_b.y, -v, 9.81 * k_dt);
      EXPECT_NEAR(e.after_b.y, 0.5 * v, 9.81 * k_dt);
      EXPECT_EQ(e.before_a, Vec3{});
      EXPECT_EQ(e.after_a, Vec3{});
      return;
    }
  }
  FAIL() << "no contact";
}

TEST(ContactEvent, of_a_cloth_and_of_two_bodies_in_flight) {
  World world{{.gravity = {}}};
  const BodyId left =
      world.add_body({.shape = Sphere{0.1}, .position = {-0.3, 0, 0}, .velocity = {2, 0, 0}})
          .value();
  const BodyId right = world.add_body({.shape = Sphere{0.1}, .position = {0.3, 0, 0}}).value();
  ClothDef cloth;
  cloth.mesh = make_grid(8, 8, 0.4, 0.4);
  cloth.position = {5, 0.1, 0};
  cloth.velocity = {0, -1, 0};
  const ClothId sheet = world.add_cloth(cloth).value();
  const BodyId table =
      world.add_body({.motion = Motion::fixed, .shape = Box{{1, 0.1, 1}}, .position = {5, -0.1, 0}})
          .value();
  int bodies = 0, cloths = 0;
  for (int n = 0; n < 30; ++n) {
    world.step(k_dt);
    for (const Event& e : world.events()) {
      if (e.kind != EventKind::contact_begin) continue;
      if (e.a == AnyId(left)) {
        ++bodies;
        EXPECT_EQ(e.b, AnyId(right));
        EXPECT_NEAR(length(e.normal - Vec3{1, 0, 0}), 0, 1e-6);
        // Inelastic: half of the momentum is passed on.
        EXPECT_NEAR(e.impulse, 0.5 * world.mass(left) * 2, 0.02 * world.mass(left));
        EXPECT_NEAR(length(e.point - Vec3{0.2, 0, 0}), 0, 2 * k_dt);
        EXPECT_NEAR(length(e.before_a - Vec3{2, 0, 0}), 0, 1e-6);
        EXPECT_EQ(e.before_b, Vec3{});
        EXPECT_NEAR(length(e.after_a - Vec3{1, 0, 0}), 0, 0.02);
        EXPECT_NEAR(length(e.after_b - Vec3{1, 0, 0}), 0, 0.02);
      } else {
        EXPECT_EQ(e.before_a, Vec3{});  // of rigid bodies alone
        ++cloths;
        EXPECT_EQ(e.a, AnyId(sheet));
        EXPECT_EQ(e.b, AnyId(table));
        EXPECT_NEAR(length(e.normal - Vec3{0, -1, 0}), 0, 0.05);
        // What is left of the speed is taken in the next step.
        EXPECT_GT(e.impulse, 0.5 * world.mass(sheet));
        EXPECT_LT(e.impulse, 1.01 * world.mass(sheet));
        EXPECT_NEAR(length(e.point - Vec3{5, 0, 0}), 0, 0.05);
      }
    }
  }
  EXPECT_EQ(bodies, 1);
  EXPECT_EQ(cloths, 1);
}

// Friction is no part of the direction: things that strike a floor while they slide along it.
TEST(ContactEvent, direction_of_what_slides) {
  World world{{.gravity = {}}};
  const BodyId floor = world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  SolidDef solid;
  solid.tets = make_lattice(2, 2, 2, 0.2);
  solid.position = {0, 0.25, 0};
  solid.velocity = {3, -1, 0};
  solid.surface.friction_static = solid.surface.friction_kinetic = 0.8;
  ClothDef cloth;
  cloth.mesh = make_grid(8, 8, 0.4, 0.4);
  cloth.position = {5, 0.05, 0};
  cloth.velocity = {3, -1, 0};
  cloth.surface = solid.surface;
  (void)world.add_solid(solid).value();
  (void)world.add_cloth(cloth).value();
  int begun = 0;
  for (int n = 0; n < 12; ++n) {
    world.step(k_dt);
    for (const Event& e : world.events()) {
      if (e.kind != EventKind::contact_begin || e.a != AnyId(floor)) continue;
      ++begun;
      EXPECT_NEAR(length(e.normal - Vec3{0, 1, 0}), 0, 1e-6);
      EXPECT_GT(e.impulse, 0);
    }
  }
  EXPECT_GE(begun, 2);
}

// --- how two surfaces combine -------------------------------------------------------------------

TEST(Combine, the_rule_that_stands_later_holds) {
  const double e = 0.9, floor = 0.4;
  const std::tuple<Combine, Combine, double> cases[] = {
      {Combine::automatic, Combine::automatic, 0.9}, {Combine::mean, Combine::automatic, 0.65},
      {Combine::geometric, Combine::mean, 0.6},      {Combine::automatic, Combine::least, 0.4},
      {Combine::product, Combine::least, 0.36},      {Combine::product, Combine::greatest, 0.9}};
  for (const auto& [a, b, expected] : cases) {
    World world{{.gravity = {}}};
    world
        .add_body({.motion = Motion::fixed,
                   .shape = HalfSpace{},
                   .surface = {.restitution = floor, .restitution_combine = a}})
        .value();
    const BodyId ball = world
                            .add_body({.shape = Sphere{0.1},
                                       .position = {0, 0.3, 0},
                                       .velocity = {0, -2, 0},
                                       .surface = {.restitution = e, .restitution_combine = b}})
                            .value();
    run(world, 0.5);
    EXPECT_NEAR(world.velocity(ball).y, 2 * expected, 1e-4) << int(a) << " " << int(b);
  }
}

// --- the user's rule ----------------------------------------------------------------------------

class Rule : public ContactRule {
 public:
  explicit Rule(std::function<bool(ContactSetting&)> what) : what_(std::move(what)) {}
  bool apply(ContactSetting& contact) const override { return what_(contact); }

 private:
  std::function<bool(ContactSetting&)> what_;
};

TEST(ContactRule, a_refused_contact_does_not_act_and_wakes_nothing) {
  World world;
  const BodyId floor = add_floor(world);
  const BodyId ghost = world.add_body({.shape = Sphere{0.1}, .position = {0, 0.4, 0}}).value();
  const BodyId other = world.add_body({.shape = Sphere{0.1}, .position = {1, 0.4, 0}}).value();
  world.set_contact_rule(std::make_shared<Rule>([&](ContactSetting& c) {
    EXPECT_EQ(c.a, AnyId(floor));
    EXPECT_NEAR(length(c.normal - Vec3{0, 1, 0}), 0, 1e-6);
    return c.b != AnyId(ghost);
  }));
  run(world, 0.5);
  EXPECT_LT(world.pose(ghost).position.y, -0.5);
  EXPECT_NEAR(world.pose(other).position.y, 0.1, 1e-3);
}

TEST(ContactRule, changes_friction_and_restitution) {
  World world;
  add_floor(world);
  const BodyId box =
      world
          .add_body({.shape = Box{{0.1, 0.1, 0.1}}, .position = {0, 0.1, 0}, .velocity = {2, 0, 0}})
          .value();
  const BodyId ball = world.add_body({.shape = Sphere{0.1}, .position = {5, 0.5, 0}}).value();
  world.set_contact_rule(std::make_shared<Rule>([&](ContactSetting& c) {
    if (c.b == AnyId(box)) c.friction_static = c.friction_kinetic = 0;
    if (c.b == AnyId(ball)) c.restitution = 1;
    return true;
  }));
  double highest = 0, up = 0;
  for (int n = 0; n < 60; ++n) {
    world.step(k_dt);
    up = std::max(up, world.velocity(ball).y);
    if (world.time() > 0.4) highest = std::max(highest, world.pose(ball).position.y);
  }
  EXPECT_NEAR(world.velocity(box).x, 2, 1e-4) << "ice";
  EXPECT_NEAR(up, std::sqrt(2 * 9.81 * 0.4), 9.81 * k_dt);
  EXPECT_GT(highest, 0.45) << "rubber; without the rule it stays down";
}

// From below a ball passes the platform, from above it stays on it.
TEST(ContactRule, a_platform_that_is_met_from_above_only) {
  World world;
  const BodyId platform =
      world.add_body({.motion = Motion::fixed, .shape = Box{{2, 0.05, 2}}, .position = {0, 1, 0}})
          .value();
  const BodyId ball =
      world.add_body({.shape = Sphere{0.1}, .position = {0, 0.3, 0}, .velocity = {0, 6, 0}})
          .value();
  world.set_contact_rule(std::make_shared<Rule>([&](ContactSetting& c) {
    const bool up = c.a == AnyId(platform) ? c.normal.y > 0.5 : c.normal.y < -0.5;
    return up && c.separation > -0.02;
  }));
  double highest = 0;
  for (int n = 0; n < 180; ++n) {
    world.step(k_dt);
    highest = std::max(highest, world.pose(ball).position.y);
  }
  // As high as 0.3 + v^2 / 2 g, nothing in its way.
  EXPECT_NEAR(highest, 0.3 + 36 / (2 * 9.81), 0.06);
  EXPECT_NEAR(world.pose(ball).position.y, 1.15, 2e-3);
}

// A box on a belt: mu g until it goes along, then with the belt.
TEST(ContactRule, a_conveyor_belt_carries_a_box) {
  const double speed = 1.5, mu = 0.5;
  World world({.substeps = 16});
  const BodyId belt = add_floor(world);
  const BodyId box =
      world.add_body({.shape = Box{{0.1, 0.1, 0.1}}, .position = {0, 0.1, 0}}).value();
  world.set_contact_rule(std::make_shared<Rule>([&](ContactSetting& c) {
    c.surface_velocity = Vec3{c.a == AnyId(belt) ? speed : -speed, 0, 0};
    return true;
  }));
  run(world, 0.2);
  EXPECT_NEAR(world.velocity(box).x, mu * 9.81 * 0.2, 0.03 * mu * 9.81 * 0.2);
  run(world, 0.8);
  EXPECT_NEAR(world.velocity(box).x, speed, 1e-3);
  EXPECT_FALSE(world.asleep(box));
  world.set_contact_rule(nullptr);
  run(world, 0.5);
  EXPECT_NEAR(world.velocity(box).x, 0, 1e-3) << "the belt stands";
}

// The rule holds also where impacts are ordered.
TEST(ContactRule, is_asked_about_ordered_impacts) {
  World world({.gravity = {}, .impacts = Impacts::ordered});
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  const auto throw_down = [&](double x) {
    return world.add_body({.shape = Sphere{0.1}, .position = {x, 0.5, 0}, .velocity = {0, -3, 0}})
        .value();
  };
  const BodyId ghost = throw_down(0), rubber = throw_down(1), clay = throw_down(2);
  world.set_contact_rule(std::make_shared<Rule>([&](ContactSetting& c) {
    if (c.b == AnyId(rubber)) c.restitution = 1;
    return c.b != AnyId(ghost);
  }));
  run(world, 0.5);
  EXPECT_NEAR(world.velocity(ghost).y, -3, 1e-6);
  EXPECT_NEAR(world.velocity(rubber).y, 3, 1e-4);
  EXPECT_NEAR(world.velocity(clay).y, 0, 1e-3);
}

TEST(ContactRule, gives_the_same_bits_for_any_number_of_threads) {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 4}) {
    World world({}, make_task_pool(threads));
    add_floor(world);
    for (int i = 0; i < 100; ++i)
      (void)world
          .add_body({.shape = Box{{0.1, 0.1, 0.1}},
                     .position = {0.11 * (i % 10), 0.15 + 0.25 * (i / 10), 0.02 * (i % 3)},
                     .surface = {.rolling_resistance = 0.01, .spinning_resistance = 0.01}})
          .value();
    world.set_contact_rule(std::make_shared<Rule>([](ContactSetting& c) {
      c.surface_velocity = Vec3{c.point.y, 0, 0.1};
      c.friction_kinetic = c.friction_static = 0.3 + 0.1 * c.normal.x;
      return c.point.x < 0.9;
    }));
    run(world, 0.5);
    if (threads == 1) first = world.state_hash();
    EXPECT_EQ(world.state_hash(), first) << threads;
  }
}

}  // namespace
}  // namespace pliant
