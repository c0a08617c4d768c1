// Coulomb friction of cloth, at the level of positions (spec of cloth, sections 7 and 13).
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double k_pi = 3.14159265358979323846;
constexpr double k_g = 9.81;
constexpr double k_dt = 1. / 60;

// --- a square of cloth on a slope
struct Slope {
  World world;
  ClothId cloth;
  Vec3 down;

  enum class Ground { plane, cloth };

  Slope(double degrees, const Surface& surface, Ground ground = Ground::plane)
      : world(world_def()) {
    const double angle = degrees * k_pi / 180;
    down = {std::cos(angle), -std::sin(angle), 0};
    const Vec3 up{std::sin(angle), std::cos(angle), 0};
    const Quat tilt{0, 0, -std::sin(angle / 2), std::cos(angle / 2)};
    ClothDef def;
    def.mesh = make_grid(12, 12, 0.4, 0.4);
    def.rotation = tilt;
    def.linear_drag = 0;
    def.surface = surface;
    if (ground == Ground::plane) {
      add_plane(tilt, surface);
      def.position = up * (def.thickness / 2);
    } else {
      add_held_cloth(tilt, surface);
      def.position = up * def.thickness - down * 1.2;  // its way is up to 2.2 m
    }
    cloth = world.add_cloth(def).value();
  }
  void add_plane(const Quat& tilt, const Surface& surface) {
    BodyDef plane;
    plane.motion = Motion::fixed;
    plane.shape = HalfSpace{};
    plane.rotation = tilt;
    plane.surface = surface;
    (void)world.add_body(plane).value();
  }
  // Every vertex is held. Its cells are of another size, so that no vertex lies on a vertex.
  void add_held_cloth(const Quat& tilt, const Surface& surface) {
    ClothDef def;
    def.mesh = make_grid(80, 23, 3, 0.87);
    def.rotation = tilt;
    def.surface = surface;
    Pin pin;
    for (std::size_t v = 0; v < def.mesh.vertices.size(); ++v)
      pin.vertices.push_back(std::int32_t(v));
    def.pins.push_back(pin);
    (void)world.add_cloth(def).value();
  }
  static WorldDef world_def() {
    WorldDef def;
    def.sleep = false;
    return def;
  }
  double mean_down(const std::vector<Vec3>& of) const {
    double sum = 0;
    for (const Vec3& v : of) sum += dot(v, down);
    return sum / double(of.size());
  }
  double place() const {
    std::vector<Vec3> x;
    world.copy_positions(cloth, x);
    return mean_down(x);
  }
  double speed() const {
    std::vector<Vec3> v;
    world.copy_velocities(cloth, v);
    return mean_down(v);
  }
  void run(double seconds) {
    for (int n = 0; n < int(seconds / k_dt + 0.5); ++n) world.step(k_dt);
  }
};

double slide(double degrees, double friction) {
  const double angle = degrees * k_pi / 180;
  return k_g * (std::sin(angle) - friction * std::cos(angle));
}

// m/s at which a point creeps down a slope that holds it, with friction that acts on velocities
// after the places have moved.
double creep_of_velocities(double degrees, double friction, double h) {
  const double angle = degrees * k_pi / 180, seconds = 1;
  double place = 0, speed = 0;
  for (int n = 0; n < int(seconds / h + 0.5); ++n) {
    speed += h * k_g * std::sin(angle);
    place += h * speed;
    speed -= std::min(speed, friction * h * k_g * std::cos(angle));
  }
  return place / seconds;
}

// The angle of friction of 0.5 is 26.57 degrees.
TEST(ClothFriction, cloth_A22_holds_below_the_angle_of_friction_without_creep) {
  Slope slope(26, {0.5, 0.5, 0});
  slope.run(1);
  const double before = slope.place();
  slope.run(2);
  EXPECT_LT(std::abs(slope.place() - before) / 2, 0.1e-3) << "m/s";
  // The control: friction of velocities creeps at h g sin, a hundred times what is allowed.
  const double h = k_dt / 8, creep = h * k_g * std::sin(26 * k_pi / 180);
  EXPECT_NEAR(creep_of_velocities(26, 0.5, h), creep, 0.1 * creep);
  EXPECT_GT(creep, 80 * 0.1e-3);
}

TEST(ClothFriction, cloth_A22_slides_above_it) {
  for (const double degrees : {27., 35.}) {
    Slope slope(degrees, {0.5, 0.5, 0});
    slope.run(1);
    EXPECT_NEAR(slope.speed(), slide(degrees, 0.5), 0.02 * slide(degrees, 0.5)) << degrees;
  }
  EXPECT_NEAR(slide(35, 0.5), 1.609, 0.001);
  Slope smooth(26, {0, 0, 0});  // control: it was friction that held
  smooth.run(1);
  EXPECT_NEAR(smooth.speed(), slide(26, 0), 0.01 * slide(26, 0));
}

// Seen to fail: 12 % slower while parallel edges, beside each other, pushed along the slope, and
// while what slides over an edge was held back.
TEST(ClothFriction, cloth_A22_cloth_on_cloth_has_the_same_limits) {
  Slope holds(26, {0.5, 0.5, 0}, Slope::Ground::cloth);
  holds.run(1);
  const double before = holds.place();
  holds.run(2);
  EXPECT_LT(std::abs(holds.place() - before) / 2, 0.1e-3) << "m/s";
  for (const double degrees : {27., 35.}) {
    Slope slides(degrees, {0.5, 0.5, 0}, Slope::Ground::cloth);
    slides.run(1);
    EXPECT_NEAR(slides.speed(), slide(degrees, 0.5), 0.02 * slide(degrees, 0.5)) << degrees;
  }
  Slope smooth(26, {0, 0, 0}, Slope::Ground::cloth);  // control
  smooth.run(1);
  EXPECT_NEAR(smooth.speed(), slide(26, 0), 0.01 * slide(26, 0));
}

// At 29 degrees, tan = 0.554: between the two coefficients what rests stays, what slides goes on.
TEST(ClothFriction, static_friction_holds_and_kinetic_friction_slows) {
  const Surface surface{0.6, 0.4, 0};
  Slope resting(29, surface);
  resting.run(1);
  EXPECT_LT(std::abs(resting.speed()), 1e-4);
  Slope pushed(29, surface);
  ClothDef def = pushed.world.describe(pushed.cloth);
  pushed.world.remove(pushed.cloth);
  for (Vec3& v : def.initial_velocities) v += pushed.down * 0.5;
  pushed.cloth = pushed.world.add_cloth(def).value();
  pushed.run(1);
  EXPECT_NEAR(pushed.speed(), 0.5 + slide(29, 0.4), 0.02 * (0.5 + slide(29, 0.4)));
}

// --- capstan: a strip over half a turn of a round bar, both ends led along it
constexpr double k_bar = 0.1, k_leg = 0.2, k_stretched = 1.2;  // m, m, times its length
constexpr int k_rows = 40, k_columns = 2;

// Where a point is that lies `along` the strip from the top of the bar, and `across` it.
Vec3 on_the_bar(double along, double across, double radius) {
  const double turn = along / radius, side = along > 0 ? 1 : -1;
  if (std::abs(turn) <= k_pi / 2) return {radius * std::sin(turn), radius * std::cos(turn), across};
  return {side * radius, k_pi / 2 * radius - std::abs(along), across};
}

// Tension of the pulled end over that of the other, once it slides.
double tension_ratio(double friction) {
  WorldDef world_def;
  world_def.gravity = {};
  world_def.sleep = false;
  world_def.substeps = 40;
  World world(world_def);
  BodyDef bar;
  bar.motion = Motion::fixed;
  bar.shape = Capsule{k_bar, 0.3};
  bar.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};  // its axis along z
  bar.surface = {friction, friction, 0};
  (void)world.add_body(bar).value();
  ClothDef strip;
  const double radius = k_bar + strip.thickness / 2, length_taut = k_pi * radius + 2 * k_leg;
  strip.mesh = make_grid(k_columns, k_rows, 0.05, length_taut / k_stretched);
  for (const Vec3& v : strip.mesh.vertices)
    strip.initial_positions.push_back(on_the_bar(v.z * k_stretched, v.x, radius));
  strip.stretch_stiffness = 50;  // what 40 substeps resolve: the pull is 50 N/m * 0.2 * 0.05 m
  strip.areal_density = 1;
  strip.linear_drag = 0;
  strip.surface = bar.surface;
  const ClothId cloth = world.add_cloth(strip).value();
  std::vector<AnchorId> anchors[2];
  for (int end = 0; end < 2; ++end) {
    BodyDef hand;  // far away, so that it touches nothing
    hand.motion = Motion::kinematic;
    const Vec3 from{0, -2, end == 0 ? -1. : 1.}, way{0, end == 0 ? 0.06 : -0.06, 0};
    hand.path = {{0, from, {}}, {0.25, from, {}}, {1.75, from + way, {}}};
    const BodyId body = world.add_body(hand).value();
    for (int i = 0; i <= k_columns; ++i) {
      const int v = (end == 0 ? 0 : k_rows) * (k_columns + 1) + i;
      const Vec3 place = strip.initial_positions[std::size_t(v)];
      anchors[end].push_back(
          world.add_anchor({"", ClothVertex{cloth, v}, BodyPoint{body, place - from}, 0}).value());
    }
  }
  double pull[2] = {0, 0};
  for (int n = 0; n < 105; ++n) {
    world.step(k_dt);
    for (int end = 0; end < 2 && n >= 75; ++end)  // it slides from 0.9 s on
      for (const AnchorId a : anchors[end]) pull[end] -= world.anchor_force(a).y;
  }
  return pull[1] / pull[0];
}

TEST(ClothFriction, capstan) {
  EXPECT_NEAR(tension_ratio(0.3), std::exp(0.3 * k_pi), 0.05 * 2.566);
  // Controls: other coefficients have other ratios, and none has none.
  EXPECT_NEAR(tension_ratio(0.15), std::exp(0.15 * k_pi), 0.05 * 1.602);
  EXPECT_NEAR(tension_ratio(0), 1, 0.01);
}

}  // namespace
}  // namespace pliant
