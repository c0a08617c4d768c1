// Nothing passes through: bullets of one kind against sheets of another, loads a thousand times
// heavier than what carries them, and a pile of all kinds that comes to rest.
//
// Default settings (8 substeps of 1/60 s) throughout. Seen to fail: before solver/keep_apart.cpp
// and the remembered sides most of the balls and cubes crossed the cloth at 20 m/s, and before
// pressed particles passed their load on the floor carried half as much again as the pile weighs.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double k_dt = 1. / 60;
constexpr int k_starts = 6;

// A square metre at height 0, held all round.
ClothDef held_sheet(int cells) {
  ClothDef cloth;
  cloth.mesh = make_grid(cells, cells, 1, 1);
  Pin rim;
  for (std::size_t v = 0; v < cloth.mesh.vertices.size(); ++v) {
    const Vec3& x = cloth.mesh.vertices[v];
    if (std::abs(x.x) > 0.499 || std::abs(x.z) > 0.499) rim.vertices.push_back(std::int32_t(v));
  }
  cloth.pins.push_back(rim);
  return cloth;
}

Vec3 start(int n) { return {0.03 + 0.037 * n, 0.3, 0.011 + 0.023 * n}; }
Vec3 shot(double speed, int n) { return {0.1 * speed * (n % 3), -speed, 0}; }

WorldDef weightless() {
  WorldDef def;
  def.gravity = {};
  def.sleep = false;
  return def;
}

BodyDef bullet(const Shape& shape, double mass, double speed, int n) {
  BodyDef body;
  body.shape = shape;
  body.mass = mass;
  body.position = start(n);
  body.velocity = shot(speed, n);
  return body;
}

SolidDef soft_bullet(double speed, int n) {
  SolidDef solid;
  solid.tets = make_lattice(3, 3, 3, 0.02);
  solid.position = start(n);
  solid.velocity = shot(speed, n);
  return solid;
}

double height_of(const World& world, SolidId id) {
  double sum = 0;
  const auto places = world.positions(id);
  for (const Vec4& p : places) sum += double(p.y);
  return sum / double(places.size());
}

void run(World& world, int frames) {
  for (int i = 0; i < frames; ++i) world.step(k_dt);
}

TEST(Through, cloth_A23_a_rigid_bullet_does_not_cross_a_cloth) {
  for (const Shape& shape : {Shape{Sphere{0.02}}, Shape{Box{{0.02, 0.02, 0.02}}}})
    for (int n = 0; n < k_starts; ++n) {
      World world(weightless());
      (void)world.add_cloth(held_sheet(32)).value();
      const BodyId id = world.add_body(bullet(shape, 0.01, 20, n)).value();
      run(world, 60);
      // Thrown back: above where the sheet was, and on its way up.
      EXPECT_GT(world.pose(id).position.y, 0) << "start " << n;
      EXPECT_GT(world.velocity(id).y, 0) << "start " << n;
    }
}

// The cloth closes behind this ball and pulls itself tight around it. The ball must not hang in the
// air while the cloth chases it: seen to fail while the guard stopped what flees with what chases.
TEST(Through, a_ball_caught_in_a_cloth_comes_free) {
  World world(weightless());
  (void)world.add_cloth(held_sheet(32)).value();
  BodyDef ball = bullet(Sphere{0.02}, 0.01, 20, 2);
  ball.position = {-0.1863, 0.3, 0.0743};
  ball.angular_velocity = {3, 1, 0};
  const BodyId id = world.add_body(ball).value();
  run(world, 60);
  EXPECT_GT(world.pose(id).position.y, 0);
}

TEST(Through, no_spinning_bullet_of_many_crosses_a_cloth) {
  for (int n = 0; n < 40; ++n) {
    World world(weightless());
    (void)world.add_cloth(held_sheet(32)).value();
    const Shape shape = n % 2 == 0 ? Shape{Sphere{0.02}} : Shape{Box{{0.02, 0.02, 0.02}}};
    BodyDef body = bullet(shape, 0.01, 20, n);
    body.position = {-0.2 + 0.0137 * (n % 29), 0.3, -0.2 + 0.0211 * (n % 19)};
    body.angular_velocity = {3, 1, 0};
    const BodyId id = world.add_body(body).value();
    run(world, 60);
    EXPECT_GT(world.pose(id).position.y, 0) << "start " << n;
  }
}

TEST(Through, a_rigid_bullet_does_not_cross_a_solid_sheet) {
  for (int n = 0; n < k_starts; ++n) {
    World world(weightless());
    SolidDef slab;
    slab.tets = make_lattice(16, 1, 16, 0.0625);
    const SolidId sheet = world.add_solid(slab).value();
    const BodyId id = world.add_body(bullet(Sphere{0.02}, 0.05, 20, n)).value();
    run(world, 30);
    EXPECT_GT(world.pose(id).position.y, height_of(world, sheet)) << "start " << n;
  }
}

TEST(Through, a_soft_bullet_does_not_cross_a_cloth) {
  for (const double speed : {5., 20.})
    for (int n = 0; n < k_starts; ++n) {
      World world(weightless());
      (void)world.add_cloth(held_sheet(32)).value();
      const SolidId id = world.add_solid(soft_bullet(speed, n)).value();
      run(world, 60);
      // Its half side is 3 cm: it is not beyond the sheet.
      EXPECT_GT(height_of(world, id), -0.03) << speed << " m/s, start " << n;
    }
}

TEST(Through, a_soft_bullet_does_not_cross_a_thin_plate) {
  for (int n = 0; n < k_starts; ++n) {
    World world(weightless());
    BodyDef plate;
    plate.motion = Motion::fixed;
    plate.shape = Box{{2, 0.005, 2}};
    (void)world.add_body(plate).value();
    const SolidId id = world.add_solid(soft_bullet(60, n)).value();
    run(world, 60);
    EXPECT_GT(height_of(world, id), 0) << "start " << n;
  }
}

TEST(Through, a_cloth_thrown_does_not_cross_a_thin_plate) {
  World world(weightless());
  BodyDef plate;
  plate.motion = Motion::fixed;
  plate.shape = Box{{2, 0.005, 2}};
  (void)world.add_body(plate).value();
  ClothDef patch;
  patch.mesh = make_grid(8, 8, 0.2, 0.2);
  patch.position = {0.1, 0.3, 0.05};
  patch.velocity = {3, -60, 0};
  const ClothId id = world.add_cloth(patch).value();
  run(world, 60);
  for (const Vec4& p : world.positions(id)) EXPECT_GT(double(p.y), 0);
}

// Held by a cloth that it has stretched beyond all bounds a small ball has nowhere to turn to.
// Friction of its weight gives mu g h / (0.4 r) = 0.64 rad/s in a substep, of which a quarter is
// lost in each: 2.6 rad/s, some times that where the cloth pulls with more than the weight. Seen to
// fail with 110 rad/s, and 620 rad/s in another start, while only its speed was lost and not its
// spin.
TEST(Through, what_is_held_gathers_no_spin) {
  World world;
  ClothDef cloth;
  cloth.mesh = make_grid(12, 12, 1, 1);
  cloth.pins = {{.vertices = {0, 12, 156, 168}, .path = {}, .pivot = {}}};
  (void)world.add_cloth(cloth).value();  // 0.2 kg
  BodyDef ball;
  ball.shape = Sphere{0.04};
  ball.mass = 1.23;
  ball.position = {-0.013, 0.45, -0.014};
  const BodyId id = world.add_body(ball).value();
  int held = 0;
  for (int i = 0; i < 240; ++i) {
    // Held for a while already: what it brought along is gone.
    held = world.step(k_dt).held_back > 0 ? held + 1 : 0;
    if (held < 20) continue;
    EXPECT_LT(length(world.angular_velocity(id)), 10) << "step " << i;
    return;
  }
  FAIL() << "was never held";
}

// It stretches far beyond what cloth can bear, which the report tells, but stays below the ball,
// and the ball comes to rest. Seen to fail: in one of five starts while what was as deep as it may
// be was no longer held.
TEST(Through, a_load_of_a_thousand_times_its_mass_stays_on_a_held_cloth) {
  for (int n = 0; n < k_starts; ++n) {
    World world;
    (void)world.add_cloth(held_sheet(20)).value();  // 0.2 kg
    BodyDef ball;
    ball.shape = Sphere{0.15};
    ball.mass = 200;
    ball.position = {0.02 + 0.03 * n, 0.2, 0.01 + 0.02 * n};
    const BodyId id = world.add_body(ball).value();
    int held = 0;
    for (int i = 0; i < 300; ++i) held += world.step(k_dt).held_back;
    EXPECT_GT(held, 0);
    EXPECT_GT(world.pose(id).position.y, -2) << "start " << n;  // twice the sheet's width
    EXPECT_LT(length(world.velocity(id)), 0.1) << "start " << n;
  }
}

// The floor carries 10 + 2 kg of boxes, 0.4^3 m3 of jelly at 300 kg/m3 and 0.49 m2 of cloth at 0.2
// kg/m2.
TEST(Through, a_pile_of_all_kinds_sleeps_and_weighs_what_it_weighs) {
  World world;
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  const BodyId ground = world.add_body(floor).value();
  BodyDef lower;
  lower.shape = Box{{0.4, 0.1, 0.4}};
  lower.mass = 10;
  lower.position = {0, 0.1, 0};
  const BodyId low = world.add_body(lower).value();
  ClothDef cloth;
  cloth.mesh = make_grid(24, 24, 0.7, 0.7);
  cloth.position = {0, 0.21, 0};
  cloth.linear_drag = 0.5;
  const ClothId sheet = world.add_cloth(cloth).value();
  SolidDef jelly;
  jelly.mesh = make_box({0.2, 0.2, 0.2}, 4);
  jelly.cells = 6;
  jelly.position = {0, 0.42, 0};
  jelly.density = 300;
  jelly.linear_drag = 0.5;
  const SolidId soft = world.add_solid(jelly).value();
  BodyDef upper;
  upper.shape = Box{{0.15, 0.05, 0.15}};
  upper.mass = 2;
  upper.position = {0, 0.68, 0};
  const BodyId high = world.add_body(upper).value();
  run(world, 3600);
  EXPECT_TRUE(world.asleep(low) && world.asleep(sheet) && world.asleep(soft) && world.asleep(high));
  const double weight = 9.81 * (10 + 2 + 300 * 0.064 + 0.2 * 0.49);
  EXPECT_NEAR(-world.contact_force(ground).y, weight, 0.01 * weight);
  EXPECT_NEAR(world.pose(high).position.y, 0.65, 0.01);
}

}  // namespace
}  // namespace pliant
