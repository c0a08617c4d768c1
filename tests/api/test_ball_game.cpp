// A game through the public headers (ACCEPTANCE 25 of the rigid specification): balls between
// walls, a plate that turns, a magnet that calls the white ball back. What the white ball hits acts
// some seconds later: blue vanishes, green becomes a fixed body, yellow pulls all others for a
// moment, red throws them.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace pliant;

namespace {

constexpr double k_step = 1.0 / 240;
constexpr double k_pulse = 0.2;  // s

struct Game {
  World world{{.gravity = {}, .substeps = 10, .impacts = Impacts::ordered}};
  std::map<std::string, BodyId> ball;
  BodyId plate;
  FieldId drag, magnet;
  bool magnet_on = false;
  std::map<std::string, double> armed;  // when the white ball hit it
  std::map<std::string, double> acted;

  Game();
  void step();
  void act(const std::string& name);
  void arm(const AnyId& a, const AnyId& b);
  void hold_magnet(bool on);
  bool field_active() const;
  double kinetic_energy() const { return world.measurements().kinetic_energy; }
};

Surface lively() {
  Surface s{.friction_static = 0, .friction_kinetic = 0, .restitution = 1};
  s.restitution_combine = Combine::product;
  return s;
}

Game::Game() {
  const auto wall = [&](const Vec3& position, const Quat& turn, double half_x, double half_z) {
    EXPECT_TRUE(world
                    .add_body({.motion = Motion::fixed,
                               .shape = Rectangle{half_x, half_z},
                               .position = position,
                               .rotation = turn,
                               .surface = lively()})
                    .ok());
  };
  const double s = std::sqrt(0.5);
  for (const double side : {-1.0, 1.0}) {
    wall({0, 2 * side, 0}, {}, 4, 2);
    wall({0, 0, 2 * side}, {s, 0, 0, s}, 4, 2);
    wall({4 * side, 0, 0}, {0, 0, s, s}, 2, 2);
  }
  plate = world
              .add_body({.motion = Motion::kinematic,
                         .shape = Rectangle{0.4, 0.4},
                         .position = {0, -1.5, 0},
                         .surface = lively()})
              .value();
  const auto add = [&](const char* name, const Vec3& position) {
    ball[name] = world
                     .add_body({.name = name,
                                .shape = Sphere{0.15},
                                .position = position,
                                .mass = 1,
                                .surface = lively(),
                                .allow_sleep = false,
                                .material = std::string(name) == "white" ? "iron" : "wood"})
                     .value();
  };
  add("white", {0, 0, 0});
  add("blue", {1, 0, 0});
  add("green", {0, 1, 0});
  add("yellow", {0, 0, 1});
  add("red", {-1, 0, 0});
  drag = world.add_field(FieldDef{.name = "air", .kind = Drag{.density = 20}}).value();
}

void Game::hold_magnet(bool on) {
  if (on && !magnet_on)
    magnet = world
                 .add_field(FieldDef{.kind = Magnet{.position = {0, -1.5, 0}, .strength = 6},
                                     .begin = world.time()})
                 .value();
  if (!on && magnet_on) world.remove(magnet);
  magnet_on = on;
}

bool Game::field_active() const {
  for (const FieldId id : world.fields()) {
    const FieldDef def = world.describe(id);
    if (def.name == "air") continue;
    if (def.duration <= 0 || world.time() < def.begin + def.duration + k_step) return true;
  }
  return false;
}

void Game::arm(const AnyId& a, const AnyId& b) {
  const AnyId white = ball.at("white");
  if (a != white && b != white) return;
  for (const auto& [name, id] : ball)
    if (name != "white" && (a == AnyId(id) || b == AnyId(id)) && !armed.contains(name))
      armed[name] = world.time();
}

void Game::act(const std::string& name) {
  const BodyId id = ball.at(name);
  const Vec3 at = world.pose(id).position;
  acted[name] = world.time();
  if (name == "green") {
    BodyDef def = world.describe(id);
    def.motion = Motion::fixed;
    EXPECT_TRUE(world.change(id, def).ok());
    return;
  }
  world.remove(id);
  ball.erase(name);
  FieldDef pulse{.begin = world.time(), .duration = k_pulse};
  if (name == "yellow") pulse.kind = PointGravity{.position = at, .strength = 8, .softening = 0.1};
  if (name == "red") pulse.kind = Explosion{.position = at, .strength = 8, .softening = 0.1};
  if (name != "blue") {
    EXPECT_TRUE(world.add_field(pulse).ok());
  }
}

void Game::step() {
  const bool quiet = !field_active();
  const double before = kinetic_energy();
  world.step(k_step);
  if (quiet) {
    EXPECT_LE(kinetic_energy(), before * (1 + 1e-6)) << world.time();
  }
  for (const Event& event : world.events())
    if (event.kind == EventKind::impact || event.kind == EventKind::contact_begin)
      arm(event.a, event.b);
  for (const auto& [name, when] : std::map(armed)) {
    const double delay = name == "blue" || name == "green" ? 4 : 3;
    if (!acted.contains(name) && world.time() >= when + delay - 1e-9) act(name);
  }
}

// The white ball flies at another, from where it does not hit a third.
void launch(Game& game, const std::string& name) {
  const Vec3 target = game.world.pose(game.ball.at(name)).position;
  const Vec3 away = normalized(target) * -0.4;
  game.world.set_pose(game.ball.at("white"), {target + away, {}});
  game.world.set_velocity(game.ball.at("white"), normalized(away) * -2.0, {});
  game.world.set_velocity(game.ball.at(name), {}, {});
  game.world.step(k_step);
}

void play(Game& game, double seconds) {
  for (int n = 0; n < int(std::lround(seconds / k_step)); ++n) game.step();
}

}  // namespace

TEST(Acceptance, rigid_A25_ball_game_delays_and_effects) {
  for (const std::string name : {"blue", "green", "yellow", "red"}) {
    Game game;
    game.step();
    launch(game, name);
    play(game, 0.5);
    ASSERT_TRUE(game.armed.contains(name)) << name;
    EXPECT_EQ(game.armed.size(), 1u) << name;
    const double delay = name == "blue" || name == "green" ? 4 : 3;
    // Keep the white ball away from others, so that only the one is armed.
    game.world.set_pose(game.ball.at("white"), {{3, -1.5, -1.5}, {}});
    game.world.set_velocity(game.ball.at("white"), {}, {});
    game.world.step(k_step);
    while (!game.acted.contains(name) && game.world.time() < 6) game.step();
    ASSERT_TRUE(game.acted.contains(name)) << name;
    EXPECT_NEAR(game.acted[name] - game.armed[name], delay, k_step + 1e-9) << name;
    EXPECT_EQ(game.ball.contains(name), name == "green") << name;
    if (name == "green") {
      const BodyId green = game.ball.at("green");
      const Vec3 place = game.world.pose(green).position;
      launch(game, "green");
      play(game, 0.5);
      EXPECT_EQ(game.world.pose(green).position, place);
    }
    if (name == "yellow" || name == "red") {
      // The others are drawn in or thrown for the length of the pulse, and slow down after it.
      const Vec3 place = game.world.pose(game.ball.at("blue")).position;
      const double before = game.kinetic_energy();
      play(game, k_pulse);
      EXPECT_GT(game.kinetic_energy(), before + 0.01) << name;
      const Vec3 way = game.world.pose(game.ball.at("blue")).position - place;
      EXPECT_GT(length(way), 1e-3) << name;
      play(game, 0.5);
    }
  }
}

TEST(Acceptance, rigid_A25_ball_game_hits_of_other_balls_arm_nothing) {
  Game game;
  game.step();
  game.world.set_velocity(game.ball.at("blue"), {-1, 1, 0}, {});  // at the green ball
  game.world.step(k_step);
  play(game, 1.5);
  EXPECT_GT(length(game.world.velocity(game.ball.at("green"))), 0.05);
  EXPECT_TRUE(game.armed.empty());
}

TEST(Acceptance, rigid_A25_ball_game_magnet_and_plate) {
  Game game;
  game.step();
  game.hold_magnet(true);
  play(game, 0.3);
  for (const auto& [name, id] : game.ball) {
    const double speed = length(game.world.velocity(id));
    if (name == "white") {
      EXPECT_LT(game.world.velocity(id).y, -0.3);
    } else {
      EXPECT_EQ(speed, 0) << name;
    }
  }
  // The plate is turned: the ball leaves it in another direction.
  const double a = 0.2;
  game.world.set_pose(game.plate, {{0, -1.5, 0}, {0, 0, std::sin(a / 2), std::cos(a / 2)}});
  for (int n = 0; n < 480 && game.world.velocity(game.ball.at("white")).y < 0; ++n) game.step();
  game.hold_magnet(false);
  const Vec3 v = game.world.velocity(game.ball.at("white"));
  EXPECT_GT(v.y, 0.3);
  EXPECT_NEAR(v.x / v.y, -std::tan(2 * a), 0.05);  // twice the angle of the plate
  play(game, 0.3);                                 // drag slows it: checked in each step
}
