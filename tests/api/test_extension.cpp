// What a user adds without touching the library (ACCEPTANCE 25 of the rigid specification): a
// force, a shape, a law of motion and a detector of tiles, through the public headers only.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <atomic>
#include <climits>
#include <cmath>
#include <memory>

using namespace pliant;

namespace {

constexpr double k_step = 1.0 / 240;

// Acts on iron alone, from 2 m above: 39.2 / 2^2 = 9.8.
struct IronMagnet final : ForceField {
  Vec3 position{0, 2, 0};
  Vec3 force(const FieldSample& s) const override {
    if (s.material == nullptr || *s.material != "iron") return {};
    const Vec3 r = position - s.position;
    const double d = length(r);
    return r * (39.2 * s.mass / (d * d * d));
  }
};

// A ball of radius 0.2 drawn out along x: the points within 0.2 of a segment.
struct Bean final : SupportFunction {
  Vec3 support(const Vec3& d) const override {
    const double l = length(d);
    return (l > 0 ? d * (0.2 / l) : Vec3{}) + Vec3{d.x > 0 ? 0.15 : -0.15, 0, 0};
  }
};

// A ball of half a metre, known by its distance.
struct Ball final : DistanceFunction {
  double distance(const Vec3& p) const override { return length(p) - 0.5; }
  Vec3 low() const override { return {-0.5, -0.5, -0.5}; }
  Vec3 high() const override { return {0.5, 0.5, 0.5}; }
};

// Circles with a given speed, whatever the forces.
struct Circle final : MotionLaw {
  LawResult advance(const LawSample& s) const override {
    const double angle = 2 * (s.time + s.h / 2);
    return {{-2 * std::sin(angle), 0, 2 * std::cos(angle)}, {}};
  }
};

// The tiles that the box meets, and as many as `more` around them. `skipped` is in none.
struct CountingTiles final : TileRule {
  int more = 0;
  AnyId skipped{};
  mutable std::atomic<int> calls{0};
  void cover(const TileSample& s, std::array<int, 3>& first,
             std::array<int, 3>& last) const override {
    ++calls;
    for (int k = 0; k < 3; ++k) {
      const std::size_t n = std::size_t(k);
      first[n] = int(std::floor((s.low[k] - s.tile_low[k]) / s.tile_size[k])) - more;
      last[n] = int(std::floor((s.high[k] - s.tile_low[k]) / s.tile_size[k])) + more;
    }
    if (s.body == skipped) last[1] = first[1] - 1;
  }
};

// One that has it all wrong: places without end, a body too many.
struct WildTiles final : TileRule {
  void cover(const TileSample& s, std::array<int, 3>& first,
             std::array<int, 3>& last) const override {
    first = {INT_MIN, INT_MIN, INT_MIN};
    last = {INT_MAX, INT_MAX, INT_MAX};
    if (s.low.x > 0) first = last;
  }
};

// A pile of balls on a floor of tiles, some beyond the map.
struct Pile {
  World world;
  std::vector<BodyId> balls;
  explicit Pile(const WorldDef& def) : world(def) {
    for (int i = -3; i <= 3; ++i)
      for (int j = -3; j <= 3; ++j)
        world
            .add_body({.motion = Motion::fixed,
                       .shape = Box{{0.5, 0.1, 0.5}},
                       .position = {double(i), -0.1, double(j)}})
            .value();
    for (int n = 0; n < 30; ++n)
      balls.push_back(
          world
              .add_body({.shape = Sphere{0.2},
                         .position = {0.5 * (n % 6) - 1.2, 0.25 + 0.3 * (n / 6), 0.11 * (n % 5)},
                         .density = 500})
              .value());
  }
  std::uint64_t after(int steps) {
    for (int n = 0; n < steps; ++n) world.step(k_step);
    return world.state_hash();
  }
};

WorldDef tiled(std::shared_ptr<const TileRule> rule) {
  WorldDef def{.substeps = 4, .broad_phase = BroadPhase::tiles};
  def.tiles = {.low = {-2, -1, -2}, .high = {2, 2, 2}, .count = {8, 6, 8}};
  def.tiles.rule = std::move(rule);
  return def;
}

}  // namespace

TEST(Acceptance, rigid_A25_tile_detector_of_the_user) {
  const auto rule = std::make_shared<CountingTiles>(), wide = std::make_shared<CountingTiles>();
  wide->more = 2;
  const std::uint64_t expected = Pile({.substeps = 4}).after(60);
  EXPECT_EQ(Pile(tiled(rule)).after(60), expected);
  EXPECT_EQ(Pile(tiled(wide)).after(60), expected);
  EXPECT_GT(rule->calls, 60 * 30);
}

// What is in no tile meets nothing, and nothing else is lost.
TEST(Acceptance, rigid_A25_a_body_in_no_tile_is_not_found) {
  const auto rule = std::make_shared<CountingTiles>();
  Pile pile(tiled(rule));
  rule->skipped = pile.balls[29];  // the last one, on top of the others
  for (int n = 0; n < 240; ++n) pile.world.step(k_step);
  EXPECT_LT(pile.world.pose(pile.balls[29]).position.y, -3);  // falls freely: 4.9 m in a second
  for (int n = 0; n < 29; ++n)
    EXPECT_GT(pile.world.pose(pile.balls[std::size_t(n)]).position.y, 0.1);
}

TEST(Acceptance, rigid_A25_a_detector_gone_wild_does_no_harm) {
  Pile pile(tiled(std::make_shared<WildTiles>()));
  for (int n = 0; n < 60; ++n) ASSERT_TRUE(pile.world.step(k_step).ok());
}

// Things come and go while the events of a step are read.
TEST(Acceptance, rigid_A25_adding_and_removing_between_steps_by_events) {
  World world({.substeps = 10});
  world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  const BodyId first = world.add_body({.shape = Sphere{0.1}, .position = {0, 0.5, 0}}).value();
  BodyId second{};
  FieldId lift{};
  for (int n = 0; n < 240; ++n) {
    world.step(k_step);
    for (const Event& e : world.events()) {
      if (e.kind != EventKind::contact_begin || e.b != AnyId(first) || second) continue;
      second = world.add_body({.shape = Sphere{0.1}, .position = {1, 0.5, 0}}).value();
      lift = world.add_field({.kind = UniformGravity{{0, 9.81, 0}}}).value();
      break;
    }
    if (second && world.valid(first)) world.remove(first);
  }
  ASSERT_TRUE(second);
  EXPECT_FALSE(world.valid(first));
  EXPECT_NEAR(world.pose(second).position.y, 0.5, 1e-3);  // the field carries it
  world.remove(lift);
  world.step(k_step);
  EXPECT_LT(world.velocity(second).y, 0);
}

TEST(Acceptance, rigid_A25_force_of_the_user) {
  World world({.gravity = {0, -9.8, 0}, .substeps = 10});
  const auto ball = [&](double z, const char* material) {
    return world
        .add_body({.shape = Sphere{0.1}, .position = {0, 0, z}, .mass = 3, .material = material})
        .value();
  };
  const BodyId iron = ball(0, "iron"), wood = ball(1, "wood");
  const FieldId magnet = world.add_field(std::make_shared<IronMagnet>());
  for (int n = 0; n < 120; ++n) world.step(k_step);
  EXPECT_NEAR(length(world.velocity(iron)), 0, 1e-3);
  EXPECT_NEAR(world.velocity(wood).y, -9.8 * 0.5, 1e-3);
  world.remove(magnet);
  for (int n = 0; n < 24; ++n) world.step(k_step);
  EXPECT_NEAR(world.velocity(iron).y, -9.8 * 0.1, 2e-3);
}

TEST(Acceptance, rigid_A25_shape_of_the_user_meets_all_others) {
  TriMesh table = make_box({1, 0.5, 1});
  HeightField field{.columns = 2, .rows = 2, .width = 3, .depth = 3};
  field.heights.assign(9, 0.5);
  Compound pair;
  pair.parts.push_back({.shape = Box{{0.5, 0.5, 1}}, .position = {-0.5, 0, 0}});
  pair.parts.push_back({.shape = Box{{0.5, 0.5, 1}}, .position = {0.5, 0, 0}});
  Hull hull;
  for (int n = 0; n < 8; ++n)
    hull.points.push_back({n & 1 ? 1.0 : -1.0, n & 2 ? 0.5 : -0.5, n & 4 ? 1.0 : -1.0});
  // All have something at y = 0.5 under the origin.
  const std::pair<const char*, Shape> below[] = {
      {"sphere", Sphere{0.5}},
      {"box", Box{{1, 0.5, 1}}},
      {"capsule", Capsule{0.5, 1}},
      {"half space", HalfSpace{}},
      {"cylinder", Cylinder{1, 0.5}},
      {"cone", Cone{1, 2.0 / 3}},
      {"ellipsoid", Ellipsoid{{1, 0.5, 1}}},
      {"rectangle", Rectangle{1, 1}},
      {"hull", hull},
      {"mesh", Mesh{table}},
      {"height field", field},
      {"compound", pair},
      {"user's", UserShape{.support = std::make_shared<Bean>()}},
      {"user's by distance", UserShape{.distance = std::make_shared<Ball>()}}};
  for (const auto& [name, shape] : below) {
    World world({.substeps = 10});
    BodyDef base{.motion = Motion::fixed, .shape = shape};
    double top = 0.5;
    if (std::string(name) == "capsule") base.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
    if (std::string(name) == "half space" || std::string(name) == "rectangle") top = 0;
    if (std::string(name) == "user's") top = 0.2;
    ASSERT_TRUE(world.add_body(base).ok()) << name;
    const BodyId bean = world
                            .add_body({.shape = UserShape{.support = std::make_shared<Bean>()},
                                       .position = {0, top + 0.3, 0}})
                            .value();
    double lowest = 10;
    for (int n = 0; n < 100; ++n) {
      world.step(k_step);
      lowest = std::min(lowest, world.pose(bean).position.y);
    }
    // It came down onto it, and no further. Triangles follow a distance within a thirtieth.
    const double within = std::string(name) == "user's by distance" ? 1.0 / 30 : 5e-3;
    EXPECT_NEAR(lowest, top + 0.2, within) << name;
  }
}

TEST(Acceptance, rigid_A25_law_of_the_user) {
  World world({.substeps = 10});
  const BodyId body = world
                          .add_body({.shape = Box{{0.1, 0.2, 0.3}},
                                     .position = {1, 5, 0},
                                     .law = std::make_shared<Circle>()})
                          .value();
  double seconds = 0;
  for (int n = 0; n < 754; ++n) {  // a turn takes pi seconds
    world.step(k_step);
    seconds += k_step;
    const Vec3 at = world.pose(body).position;
    ASSERT_NEAR(at.x, std::cos(2 * seconds), 2e-3);
    ASSERT_NEAR(at.z, std::sin(2 * seconds), 2e-3);
    ASSERT_EQ(at.y, 5);
  }
}
