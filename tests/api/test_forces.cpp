// Forces through the public interface: drag, wind, the user's fields, commands.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 240;

WorldDef quiet(const Vec3& gravity, int substeps = 10) {
  WorldDef def;
  def.gravity = gravity;
  def.substeps = substeps;
  def.sleep = false;
  return def;
}

void run(World& world, double seconds, double dt = k_dt) {
  for (int n = 0; n < int(std::lround(seconds / dt)); ++n) world.step(dt);
}

// --- drag: with k = 1/2 C rho S, v(t) = v0 / (1 + k v0 t / m) and x = m / k log(1 + k v0 t / m);
// falling, v = V tanh(g t / V), V = sqrt(m g / k)
BodyDef drag_ball() { return {.shape = Sphere{0.1}, .mass = 0.1, .drag_coefficient = 0.5}; }

TEST(rigid_A02, drag_slows_a_thrown_ball) {
  WorldDef def = quiet({});
  def.medium_density = 1.276;
  World world(def);
  BodyDef ball = drag_ball();
  ball.velocity = {20, 0, 0};
  const BodyId id = world.add_body(ball).value();
  run(world, 2);
  EXPECT_NEAR(world.velocity(id).x / 3.9931, 1, 5e-3);
  EXPECT_NEAR(world.pose(id).position.x / 16.077, 1, 5e-3);
}

TEST(rigid_A02, a_falling_ball_nears_its_terminal_speed) {
  WorldDef def = quiet({0, -9.8, 0});
  def.medium_density = 1.276;
  World world(def);
  const BodyId id = world.add_body(drag_ball()).value();
  run(world, 3);
  EXPECT_NEAR(-world.velocity(id).y / 9.8372, 1, 5e-3);
  EXPECT_NEAR(-world.pose(id).position.y / 22.776, 1, 5e-3);
  run(world, 20);
  EXPECT_NEAR(-world.velocity(id).y / 9.8888, 1, 5e-3);
}

TEST(rigid_A02, drag_never_reverses_a_velocity_whatever_the_step) {
  WorldDef def = quiet({}, 1);
  def.medium_density = 1000;
  World world(def);
  BodyDef ball = drag_ball();
  ball.velocity = {200, 0, 0};
  const BodyId id = world.add_body(ball).value();
  double before = 200;
  for (int n = 0; n < 20; ++n) {
    world.step(1.0);
    EXPECT_GT(world.velocity(id).x, 0);
    EXPECT_LT(world.velocity(id).x, before);
    before = world.velocity(id).x;
  }
}

TEST(Forces, linear_drag_decays_with_its_rate) {
  // Of a rigid body v / (1 + c h) each substep, of a cloth exp(-c h): both exp(-c t) to O(c^2 h t).
  World world(quiet({}));
  const BodyId ball = world.add_body({.velocity = {1, 0, 0}, .linear_drag = 0.5}).value();
  ClothDef def;
  def.mesh = make_grid(2, 2, 1, 1);
  def.position = {0, 5, 0};
  def.velocity = {1, 0, 0};
  def.linear_drag = 0.5;
  const ClothId cloth = world.add_cloth(def).value();
  run(world, 2);
  EXPECT_NEAR(world.velocity(ball).x, std::exp(-1.0), 1e-3);
  std::vector<Vec3> v;
  world.copy_velocities(cloth, v);
  for (const Vec3& one : v) EXPECT_NEAR(one.x, std::exp(-1.0), 1e-3);
}

// --- fields
// Attracts towards a point, G m r / |r|^3, only the bodies that it knows as iron.
class Magnet : public ForceField {
 public:
  Magnet(const Vec3& place, double strength, AnyId iron)
      : place_(place), strength_(strength), iron_(iron) {}
  Vec3 force(const FieldSample& sample) const override {
    if (!(sample.body == iron_)) return {};
    const Vec3 r = place_ - sample.position;
    const double d = length(r);
    return r * (strength_ * sample.mass / (d * d * d));
  }

 private:
  Vec3 place_;
  double strength_;
  AnyId iron_;
};

TEST(rigid_A25, an_iron_only_magnet_holds_iron_and_lets_wood_fall) {
  World world(quiet({0, -9.8, 0}));
  const BodyId iron = world.add_body({.shape = Sphere{0.1}, .position = {0, -2, 0}}).value();
  const BodyId wood =
      world.add_body({.shape = Sphere{0.1}, .position = {1, -2, 0}, .density = 600}).value();
  world.add_field(std::make_shared<Magnet>(Vec3{0, 0, 0}, 39.2, AnyId(iron)));
  // 39.2 / 2^2 = 9.8: no net force. The place is an unstable rest (growing by exp(4.4 t)): float
  // rounds the speed of each substep by 1e-9 m/s, so half a second leaves far less than 1e-5.
  for (int n = 0; n < 120; ++n) {
    world.step(k_dt);
    ASSERT_LT(length(world.velocity(iron)), 1e-5) << "step " << n;
  }
  EXPECT_NEAR(world.pose(iron).position.y, -2, 1e-5);
  EXPECT_NEAR(world.velocity(wood).y, -9.8 * 0.5, 1e-4);
}

// Uniform pull given by a field acts as gravity does, on all kinds and in every substep.
class Uniform : public ForceField {
 public:
  explicit Uniform(const Vec3& a) : a_(a) {}
  Vec3 force(const FieldSample& sample) const override { return a_ * sample.mass; }

 private:
  Vec3 a_;
};

TEST(Fields, a_uniform_field_accelerates_every_kind_alike) {
  World world(quiet({}));
  const BodyId ball = world.add_body({}).value();
  ClothDef cloth_def;
  cloth_def.mesh = make_grid(3, 3, 1, 1);
  cloth_def.position = {0, 5, 0};
  cloth_def.linear_drag = 0;
  const ClothId cloth = world.add_cloth(cloth_def).value();
  SolidDef solid_def;
  solid_def.tets = make_lattice(2, 2, 2, 0.2);
  solid_def.position = {0, 10, 0};
  solid_def.linear_drag = 0;
  const SolidId solid = world.add_solid(solid_def).value();
  const FieldId field = world.add_field(std::make_shared<Uniform>(Vec3{2, 0, -1}));
  run(world, 1);
  const Vec3 expected{2, 0, -1};
  EXPECT_LT(length(world.velocity(ball) - expected), 1e-4);
  std::vector<Vec3> v;
  world.copy_velocities(cloth, v);
  for (const Vec3& one : v) EXPECT_LT(length(one - expected), 1e-3);
  world.copy_velocities(solid, v);
  for (const Vec3& one : v) EXPECT_LT(length(one - expected), 1e-3);
  world.remove(field);
  run(world, 0.5);
  EXPECT_LT(length(world.velocity(ball) - expected), 1e-4);  // no more force, no less speed
}

// --- commands
TEST(Commands, a_force_acts_for_one_step_and_an_impulse_at_once) {
  World world(quiet({}));
  const BodyId ball = world.add_body({.shape = Sphere{0.1}, .mass = 2}).value();
  world.apply_force(ball, {8, 0, 0}, world.pose(ball).position);
  EXPECT_EQ(world.velocity(ball), Vec3{}) << "commands wait for the step";
  world.step(0.25);
  EXPECT_NEAR(world.velocity(ball).x, 8 * 0.25 / 2, 1e-6);
  world.step(0.25);
  EXPECT_NEAR(world.velocity(ball).x, 1, 1e-6);
  // Off centre: J r / I with I = 2/5 m r^2.
  world.apply_impulse(ball, {0, 3, 0}, world.pose(ball).position + Vec3{0.05, 0, 0});
  world.step(0.01);
  EXPECT_NEAR(world.velocity(ball).y, 1.5, 1e-6);
  EXPECT_NEAR(world.angular_velocity(ball).z, 3 * 0.05 / (0.4 * 2 * 0.01), 1e-3);
}

TEST(Commands, they_are_applied_in_the_order_given) {
  World world(quiet({}));
  const BodyId ball = world.add_body({.mass = 1}).value();
  world.apply_impulse(ball, {5, 0, 0}, {});
  world.set_velocity(ball, {1, 0, 0}, {});
  world.apply_impulse(ball, {0, 2, 0}, {});
  world.step(k_dt);
  EXPECT_LT(length(world.velocity(ball) - Vec3{1, 2, 0}), 1e-6);
}

TEST(Commands, a_kinematic_body_is_where_it_was_sent_and_stays_there) {
  World world(quiet({0, -9.81, 0}));
  const BodyId plate = world.add_body({.motion = Motion::kinematic, .shape = Box{}}).value();
  world.move_to(plate, {{0.3, 0.1, -0.2}, {0, 0.6, 0, 0.8}});
  world.step(k_dt);
  for (int n = 0; n < 3; ++n) {
    // Velocities are floats: 1e-7 of 0.37 m.
    EXPECT_LT(length(world.pose(plate).position - Vec3{0.3, 0.1, -0.2}), 1e-6) << n;
    EXPECT_NEAR(world.pose(plate).rotation.y, 0.6, 1e-6) << n;
    world.step(k_dt);
  }
  EXPECT_EQ(world.velocity(plate), Vec3{});
}

TEST(Commands, gravity_and_pins_change_with_the_next_step) {
  World world(quiet({0, -9.81, 0}));
  const BodyId ball = world.add_body({}).value();
  ClothDef def;
  def.mesh = make_grid(4, 4, 1, 1);
  def.position = {0, 3, 0};
  const ClothId cloth = world.add_cloth(def).value();
  world.set_gravity({1, 0, 0});
  world.set_pin_target(cloth, 12, {0, 3.01, 0});
  run(world, 1);
  EXPECT_NEAR(world.velocity(ball).x, 1, 1e-4);
  EXPECT_NEAR(world.velocity(ball).y, 0, 1e-6);
  std::vector<Vec3> x;
  world.copy_positions(cloth, x);
  EXPECT_LT(length(x[12] - Vec3{0, 3.01, 0}), 1e-6);
  const std::size_t solver = std::size_t(world.order(cloth)[12]);
  EXPECT_EQ(world.positions(cloth)[solver].w, 0) << "held vertices have no inverse mass";
}

// Notes where it is asked: once for each particle at the beginning of each substep.
class Witness : public ForceField {
 public:
  Vec3 force(const FieldSample& sample) const override {
    seen.push_back(sample.position);
    return {};
  }
  mutable std::vector<Vec3> seen;
};

TEST(Commands, a_pin_goes_to_its_target_evenly_over_the_step) {
  WorldDef def = quiet({});
  def.substeps = 10;
  World world(def);
  ClothDef cloth_def;
  cloth_def.mesh = make_grid(1, 1, 1, 1);
  const ClothId cloth = world.add_cloth(cloth_def).value();
  const auto witness = std::make_shared<Witness>();
  world.add_field(witness);
  const std::size_t particle = std::size_t(world.order(cloth)[0]), count = 4;
  const Vec3 from{-0.5, 0, -0.5}, to{-0.5, 0.02, -0.4};
  world.set_pin_target(cloth, 0, to);
  world.step(k_dt);
  world.step(k_dt);
  ASSERT_EQ(witness->seen.size(), 20 * count);
  for (std::size_t k = 0; k < 20; ++k) {
    const Vec3 expected = from + (to - from) * (double(std::min<std::size_t>(k, 10)) / 10);
    EXPECT_LT(length(witness->seen[k * count + particle] - expected), 1e-7) << "substep " << k;
  }
}

// --- wind: on a flat sheet broadside 1/2 rho A (C_drag + C_lift) u^2
TEST(Wind, force_on_a_broadside_sheet) {
  WorldDef def = quiet({});
  def.medium_density = 1.2;
  def.wind = {0, 3, 0};
  World world(def);
  ClothDef cloth;
  cloth.mesh = make_grid(4, 4, 1, 2);
  cloth.linear_drag = 0;
  cloth.wind_drag = 0.8;
  cloth.wind_lift = 0.4;
  world.add_cloth(cloth).value();
  const double force = 0.5 * 1.2 * 2 * (0.8 + 0.4) * 9;
  world.step(1e-4);  // so short that the sheet hardly gives way
  EXPECT_NEAR(world.measurements().momentum.y, force * 1e-4, 2e-3 * force * 1e-4);
  EXPECT_NEAR(world.measurements().momentum.x, 0, 1e-9);
}

TEST(Wind, vanishes_edge_on_and_without_a_medium) {
  for (const double density : {1.2, 0.0}) {
    WorldDef def = quiet({});
    def.medium_density = density;
    def.wind = density > 0 ? Vec3{3, 0, 0} : Vec3{0, 3, 0};
    World world(def);
    ClothDef cloth;
    cloth.mesh = make_grid(4, 4, 1, 2);
    world.add_cloth(cloth).value();
    run(world, 0.1);
    EXPECT_LT(length(world.measurements().momentum), 1e-7) << "density " << density;
  }
}

// A flag pinned along its left side streams to the lee side; in the opposite wind to the other.
TEST(Wind, a_pinned_flag_streams_to_the_lee) {
  for (const double direction : {1.0, -1.0}) {
    WorldDef def = quiet({0, -9.81, 0}, 8);
    def.medium_density = 1.2;
    def.wind = {0, 0, 8 * direction};
    World world(def);
    ClothDef flag;
    flag.mesh = make_grid(12, 8, 0.9, 0.6);
    flag.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};  // stands upright
    for (std::int32_t row = 0; row <= 8; ++row) {
      if (flag.pins.empty()) flag.pins.emplace_back();
      flag.pins[0].vertices.push_back(row * 13);
    }
    const ClothId id = world.add_cloth(flag).value();
    run(world, 2, 1.0 / 60);
    std::vector<Vec3> x;
    world.copy_positions(id, x);
    double mean = 0;
    for (const Vec3& p : x) mean += p.z / double(x.size());
    EXPECT_GT(mean * direction, 0.15) << "wind " << 8 * direction << " m/s along z";
    EXPECT_LT(world.stretch_max(id), 1.2);
    EXPECT_FALSE(world.asleep(id));
  }
}

}  // namespace
}  // namespace pliant
