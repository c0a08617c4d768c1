// Events, sleep and waking, ids that end.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 60;

int count(const World& world, EventKind kind) {
  int n = 0;
  for (const Event& e : world.events()) n += e.kind == kind;
  return n;
}
bool has(const World& world, EventKind kind, AnyId a, AnyId b = {}) {
  for (const Event& e : world.events())
    if (e.kind == kind && ((e.a == a && e.b == b) || (e.a == b && e.b == a))) return true;
  return false;
}
// Steps until the condition holds; false where it does not within the time.
bool run_until(World& world, double seconds, const std::function<bool()>& condition) {
  for (int n = 0; n < int(seconds / k_dt); ++n) {
    world.step(k_dt);
    if (condition()) return true;
  }
  return false;
}

BodyId add_floor(World& world) {
  return world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
}

TEST(Events, a_dropped_ball_begins_rests_sleeps_wakes_and_ends) {
  World world;
  const BodyId floor = add_floor(world);
  const BodyId ball = world.add_body({.shape = Sphere{0.1}, .position = {0, 0.6, 0}}).value();
  ASSERT_TRUE(run_until(world, 1, [&] { return count(world, EventKind::contact_begin) > 0; }));
  EXPECT_TRUE(has(world, EventKind::contact_begin, floor, ball));
  // sqrt(2 g 0.5) = 3.132 m/s; a step is too long by at most g dt.
  EXPECT_NEAR(world.events()[0].speed, std::sqrt(2 * 9.81 * 0.5), 9.81 * k_dt);
  EXPECT_NEAR(world.time(), std::sqrt(2 * 0.5 / 9.81), 2 * k_dt);
  int begins = 0, ends = 0;
  ASSERT_TRUE(run_until(world, 5, [&] {
    begins += count(world, EventKind::contact_begin);
    ends += count(world, EventKind::contact_end);
    return count(world, EventKind::sleep) > 0;
  }));
  EXPECT_EQ(begins, ends) << "touching at the beginning and at the end";
  EXPECT_TRUE(has(world, EventKind::sleep, ball));
  EXPECT_TRUE(world.asleep(ball));
  for (int n = 0; n < 30; ++n) {
    world.step(k_dt);
    EXPECT_TRUE(world.events().empty()) << "nothing happens to a sleeper, step " << n;
  }
  world.apply_impulse(ball, {0, 3 * world.mass(ball), 0}, world.pose(ball).position);
  world.step(k_dt);
  EXPECT_TRUE(has(world, EventKind::wake, ball));
  EXPECT_TRUE(has(world, EventKind::contact_end, floor, ball) || run_until(world, 0.2, [&] {
                return has(world, EventKind::contact_end, floor, ball);
              }));
}

// A ball that leaves within the step in which it came: still a contact, still a force.
TEST(Events, a_bounce_within_a_step_is_reported) {
  World world;
  const BodyId floor = add_floor(world);
  const BodyId ball = world
                          .add_body({.shape = Sphere{0.1},
                                     .position = {0, 0.15, 0},
                                     .velocity = {0, -10, 0},
                                     .mass = 1,
                                     .surface = {0, 0, 1}})
                          .value();
  world.step(k_dt);
  ASSERT_GT(world.velocity(ball).y, 9);
  EXPECT_TRUE(has(world, EventKind::contact_begin, floor, ball));
  // The impulse 2 m v over the step, less gravity's part.
  EXPECT_NEAR(world.contact_force(ball).y * k_dt, 20, 0.5);
  EXPECT_NEAR(world.contact_force(floor).y * k_dt, -20, 0.5);
  world.step(k_dt);
  EXPECT_TRUE(has(world, EventKind::contact_end, floor, ball));
}

TEST(Events, soft_bodies_touch_and_part) {
  World world;
  const BodyId floor = add_floor(world);
  SolidDef def;
  def.tets = make_lattice(2, 2, 2, 0.1);
  def.position = {0, 0.3, 0};
  const SolidId jelly = world.add_solid(def).value();
  ClothDef cloth_def;
  cloth_def.mesh = make_grid(6, 6, 0.5, 0.5);
  cloth_def.position = {0, 0.6, 0};
  const ClothId cloth = world.add_cloth(cloth_def).value();
  EXPECT_TRUE(
      run_until(world, 1, [&] { return has(world, EventKind::contact_begin, floor, jelly); }));
  EXPECT_TRUE(
      run_until(world, 1, [&] { return has(world, EventKind::contact_begin, cloth, jelly); }));
  for (int n = 0; n < 60; ++n) world.step(k_dt);  // at rest
  world.remove(jelly);
  world.step(k_dt);
  EXPECT_TRUE(has(world, EventKind::contact_end, jelly, cloth));
  EXPECT_TRUE(has(world, EventKind::contact_end, jelly, floor));
}

// A fast ball that bounces off a sleeper within one step moves it: m v is shared as for bodies
// awake.
TEST(Sleep, a_bounce_off_a_sleeper_moves_it) {
  WorldDef def;
  World world(def);
  add_floor(world);
  const Surface slippery{0, 0, 1};
  const BodyId box = world
                         .add_body({.shape = Box{{0.5, 0.5, 0.5}},
                                    .position = {0, 0.5, 0},
                                    .mass = 1,
                                    .surface = {0, 0, 0}})
                         .value();
  ASSERT_TRUE(run_until(world, 5, [&] { return world.asleep(box); }));
  const BodyId ball = world
                          .add_body({.shape = Sphere{0.1},
                                     .position = {-0.75, 0.5, 0},
                                     .velocity = {20, 0, 0},
                                     .mass = 1,
                                     .surface = slippery})
                          .value();
  for (int n = 0; n < 3; ++n) world.step(k_dt);
  EXPECT_FALSE(world.asleep(box));
  EXPECT_NEAR(world.velocity(box).x, 20, 0.2);
  EXPECT_NEAR(world.velocity(ball).x, 0, 0.2);
}

TEST(Sleep, forces_of_sleepers_stay_readable) {
  World world;
  const BodyId floor = add_floor(world);
  const BodyId a = world.add_body({.shape = Box{}, .position = {0, 0.5, 0}}).value();
  const BodyId b = world.add_body({.shape = Box{}, .position = {0, 1.5, 0}}).value();
  ASSERT_TRUE(run_until(world, 5, [&] { return world.asleep(a) && world.asleep(b); }));
  world.step(k_dt);
  const double weight = 1000 * 9.81;
  EXPECT_NEAR(world.contact_force(floor).y / (-2 * weight), 1, 0.01);
  EXPECT_NEAR(world.contact_force(a).y / weight, 1, 0.01);
  EXPECT_NEAR(world.contact_force(b).y / weight, 1, 0.01);
}

// --- what rests on something wakes when that goes
TEST(Sleep, removing_a_support_of_any_kind_wakes_what_rests_on_it) {
  for (const int kind : {0, 1, 2}) {
    SCOPED_TRACE(kind == 0 ? "box" : kind == 1 ? "jelly" : "cloth");
    WorldDef world_def;
    world_def.substeps = 12;
    World world(world_def);
    add_floor(world);
    BodyId box;
    SolidId jelly;
    ClothId cloth;
    double height = 0.2;
    if (kind == 0)
      box = world.add_body({.shape = Box{{0.3, 0.1, 0.3}}, .position = {0, 0.1, 0}}).value();
    if (kind == 1) {
      SolidDef def;
      def.tets = make_lattice(4, 2, 4, 0.1);
      def.position = {0, 0.101, 0};
      def.youngs_modulus = 3e5;
      def.linear_drag = 1;
      jelly = world.add_solid(def).value();
    }
    if (kind == 2) {
      ClothDef def;
      def.mesh = make_grid(10, 10, 1, 1);
      def.position = {0, 0.5, 0};
      def.linear_drag = 2;
      def.pins = {{.vertices = {0, 10, 110, 120}, .path = {}, .pivot = {}}};
      cloth = world.add_cloth(def).value();
      height = 0.5;
    }
    const BodyId load = world
                            .add_body({.shape = Box{{0.08, 0.08, 0.08}},
                                       .position = {0, height + 0.09, 0},
                                       .density = 200,
                                       .linear_drag = 0.5,
                                       .angular_drag = 0.5})
                            .value();
    // On a hanging cloth a load may go on trembling (11 of 24 starts did for 90 s, see
    // docs/limitations.md); then it must fall all the same.
    const bool slept = run_until(world, kind == 2 ? 4 : 20, [&] { return world.asleep(load); });
    EXPECT_TRUE(slept || kind == 2);
    const double before = world.pose(load).position.y;
    if (kind == 0) world.remove(box);
    if (kind == 1) world.remove(jelly);
    if (kind == 2) world.remove(cloth);
    world.step(k_dt);
    EXPECT_FALSE(world.asleep(load));
    EXPECT_EQ(has(world, EventKind::wake, load), slept);
    for (int n = 0; n < 9; ++n) world.step(k_dt);
    EXPECT_LT(world.pose(load).position.y, before - 0.05);
  }
}

TEST(Sleep, a_support_that_is_moved_away_wakes_what_rests_on_it) {
  for (const bool teleport : {true, false}) {
    World world;
    const BodyId table =
        world
            .add_body(
                {.motion = Motion::kinematic, .shape = Box{{0.5, 0.1, 0.5}}, .position = {0, 1, 0}})
            .value();
    const BodyId box =
        world.add_body({.shape = Box{{0.1, 0.1, 0.1}}, .position = {0, 1.2, 0}}).value();
    ASSERT_TRUE(run_until(world, 5, [&] { return world.asleep(box); }));
    if (teleport)
      world.set_pose(table, {{5, 1, 0}, {}});
    else
      world.move_to(table, {{0, 0.7, 0}, {}});
    world.step(k_dt);
    EXPECT_FALSE(world.asleep(box)) << (teleport ? "set_pose" : "move_to");
    for (int n = 0; n < 6; ++n) world.step(k_dt);
    EXPECT_LT(world.velocity(box).y, -0.5);
  }
}

TEST(Sleep, an_anchored_sleeper_stays_where_it_is_and_keeps_its_force) {
  World world;
  const BodyId ball = world.add_body({.shape = Sphere{0.1}, .mass = 1, .linear_drag = 3}).value();
  const AnchorId rigid = world.add_anchor({.a = BodyPoint{ball, {}}, .b = WorldPoint{}}).value();
  ClothDef def;
  def.mesh = make_grid(6, 6, 0.5, 0.5);
  def.position = {2, 0, 0};
  def.linear_drag = 3;
  const ClothId cloth = world.add_cloth(def).value();
  std::vector<AnchorId> corners;
  for (const std::int32_t v : {0, 6, 42, 48})
    corners.push_back(
        world
            .add_anchor({.a = ClothVertex{cloth, v},
                         .b = WorldPoint{def.mesh.vertices[std::size_t(v)] + Vec3{2, 0, 0}}})
            .value());
  ASSERT_TRUE(run_until(world, 20, [&] { return world.asleep(ball) && world.asleep(cloth); }));
  const std::uint64_t steps = world.steps();
  const Vec3 place = world.pose(ball).position;
  std::vector<Vec3> before, after;
  world.copy_positions(cloth, before);
  for (int n = 0; n < 120; ++n) world.step(k_dt);
  EXPECT_EQ(world.steps(), steps + 120);
  EXPECT_EQ(world.pose(ball).position, place);
  EXPECT_EQ(world.velocity(ball), Vec3{});
  world.copy_positions(cloth, after);
  EXPECT_EQ(before, after);
  EXPECT_NEAR(world.anchor_force(rigid).y, 9.81, 0.05);
  Vec3 sum;
  for (const AnchorId id : corners) sum += world.anchor_force(id);
  EXPECT_NEAR(sum.y / (world.mass(cloth) * 9.81), 1, 0.01);
}

TEST(Sleep, switched_off_nothing_sleeps) {
  WorldDef def;
  def.sleep = false;
  World world(def);
  add_floor(world);
  const BodyId box = world.add_body({.shape = Box{}, .position = {0, 0.5, 0}}).value();
  EXPECT_FALSE(run_until(world, 3, [&] { return world.asleep(box); }));
}

// --- ids and views
TEST(Ids, generations_end_and_never_come_back) {
  World world;
  const BodyId a = world.add_body({}).value();
  const BodyId b = world.add_body({.position = {5, 0, 0}}).value();
  world.remove(a);
  EXPECT_FALSE(world.valid(a));
  EXPECT_TRUE(world.valid(b));
  EXPECT_FALSE(world.valid(BodyId{}));
  const BodyId c = world.add_body({.position = {9, 0, 0}}).value();
  EXPECT_TRUE(world.valid(c));
  EXPECT_FALSE(world.valid(a)) << "the place may be used again, the id is not";
  EXPECT_NE(a, c);
  EXPECT_EQ(world.pose(c).position.x, 9);
  EXPECT_EQ(world.pose(b).position.x, 5);
  world.apply_impulse(a, {1e6, 0, 0}, {});  // a command for what is gone is dropped
  world.step(k_dt);
  EXPECT_EQ(world.velocity(c).x, 0);
  EXPECT_EQ(world.bodies().size(), 2u);
}

TEST(Ids, deformables_keep_theirs_when_others_go) {
  World world;
  std::vector<ClothId> cloths;
  std::vector<SolidId> solids;
  for (int i = 0; i < 3; ++i) {
    ClothDef cloth;
    cloth.mesh = make_grid(2 + i, 2, 1, 1);
    cloth.position = {3.0 * i, 0, 0};
    cloths.push_back(world.add_cloth(cloth).value());
    SolidDef solid;
    solid.tets = make_lattice(1, 1 + i, 1, 0.2);
    solid.position = {3.0 * i, 5, 0};
    solids.push_back(world.add_solid(solid).value());
  }
  world.step(k_dt);
  world.remove(cloths[0]);
  world.remove(solids[1]);
  world.step(k_dt);
  EXPECT_FALSE(world.valid(cloths[0]));
  EXPECT_FALSE(world.valid(solids[1]));
  EXPECT_EQ(world.positions(cloths[2]).size(), 15u);
  EXPECT_EQ(world.positions(solids[2]).size(), 16u);
  std::vector<Vec3> x;
  world.copy_positions(cloths[2], x);
  EXPECT_NEAR(x[0].x, 5.5, 1e-3);
  world.copy_positions(solids[0], x);
  EXPECT_NEAR(x[0].x, -0.1, 1e-3);
  EXPECT_EQ(world.cloths(), (std::vector{cloths[1], cloths[2]}));
}

template <class Id>
void expect_views_agree(const World& world, Id id) {
  std::vector<Vec3> copied;
  world.copy_positions(id, copied);
  const auto span = world.positions(id);
  const auto order = world.order(id);
  ASSERT_EQ(order.size(), copied.size());
  ASSERT_EQ(span.size(), copied.size());
  std::vector<bool> seen(span.size());
  for (std::size_t v = 0; v < copied.size(); ++v) {
    const std::size_t p = std::size_t(order[v]);
    ASSERT_LT(p, span.size());
    EXPECT_FALSE(seen[p]) << "the order is a permutation";
    seen[p] = true;
    // A span holds floats of the place, a copy base and displacement: half a unit at 10 m.
    EXPECT_NEAR(double(span[p].x), copied[v].x, 1e-6);
    EXPECT_NEAR(double(span[p].y), copied[v].y, 1e-6);
    EXPECT_NEAR(double(span[p].z), copied[v].z, 1e-6);
  }
}

TEST(Views, spans_orders_and_copies_agree) {
  World world;
  ClothDef cloth;
  cloth.mesh = make_grid(7, 5, 1, 1);
  cloth.position = {3, 2, 1};
  const ClothId c = world.add_cloth(cloth).value();
  SolidDef solid;
  solid.tets = make_lattice(3, 2, 4, 0.1);
  const SolidId s = world.add_solid(solid).value();
  expect_views_agree(world, c);
  for (int n = 0; n < 5; ++n) world.step(k_dt);
  expect_views_agree(world, c);
  expect_views_agree(world, s);
  // In the user's order: the vertices of the definition, fallen.
  std::vector<Vec3> x;
  world.copy_positions(c, x);
  for (std::size_t v = 0; v < x.size(); ++v) {
    EXPECT_NEAR(x[v].x, cloth.mesh.vertices[v].x + 3, 1e-5);
    EXPECT_NEAR(x[v].z, cloth.mesh.vertices[v].z + 1, 1e-5);
  }
}

}  // namespace
}  // namespace pliant
