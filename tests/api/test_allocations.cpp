// A warm step allocates nothing: every allocation of this program is counted.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "determinism/mixed_scene.h"

namespace {

std::atomic<long> g_allocations{0};

void* counted(std::size_t size, std::size_t align) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  const std::size_t rounded = (size + align - 1) / align * align;
  if (void* p = std::aligned_alloc(align, rounded > 0 ? rounded : align)) return p;
  throw std::bad_alloc();
}

// Not seen through: the compiler would take it for the wrong partner of operator new.
[[gnu::noinline]] void release(void* p) noexcept { std::free(p); }

}  // namespace

void* operator new(std::size_t size) { return counted(size, 16); }
void* operator new[](std::size_t size) { return counted(size, 16); }
void* operator new(std::size_t size, std::align_val_t align) {
  return counted(size, std::size_t(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
  return counted(size, std::size_t(align));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size, 16); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size, 16); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }

namespace pliant {
namespace {

TEST(Allocations, the_counter_sees_one) {
  const long before = g_allocations;
  std::vector<int> v(100);
  v[0] = 1;
  EXPECT_GE(g_allocations - before, 1);
}

// What a run needs grows with its contacts; a second run over the same states finds all the memory
// that the first one took.
TEST(Allocations, none_in_a_warm_step) {
  for (const int threads : {0, 2}) {
    MixedScene s = make_mixed({.threads = threads});
    const std::vector<std::byte> start = s.world.snapshot();
    for (int n = 0; n < 120; ++n) s.world.step(k_scene_dt);
    ASSERT_TRUE(s.world.restore(start).ok());
    s.world.step(k_scene_dt);  // what restoring has shrunk
    long worst = 0;
    int at = -1;
    for (int n = 1; n < 120; ++n) {
      const long before = g_allocations;
      s.world.step(k_scene_dt);
      if (g_allocations - before > worst) worst = g_allocations - before, at = n;
    }
    EXPECT_EQ(worst, 0) << "at step " << at << " with " << threads << " threads";
  }
}

// Steps over the same states twice; returns the most that a step of the second run took.
long worst_again(World& world, int steps) {
  const std::vector<std::byte> start = world.snapshot();
  for (int n = 0; n < steps; ++n) world.step(k_scene_dt);
  EXPECT_TRUE(world.restore(start).ok());
  world.step(k_scene_dt);  // what restoring has shrunk
  long worst = 0;
  for (int n = 1; n < steps; ++n) {
    const long before = g_allocations;
    world.step(k_scene_dt);
    worst = std::max(worst, g_allocations - before);
  }
  return worst;
}

Compound hammer() {
  Compound c;
  c.parts.push_back({.shape = Capsule{0.05, 0.3}});
  c.parts.push_back({.shape = Box{{0.2, 0.1, 0.1}}, .position = {0, 0.35, 0}});
  return c;
}

// Meshes, hulls, compounds and height fields fall onto each other and through sensors of several
// shapes.
World shapes_world(bool sensors) {
  World world;
  HeightField field{.columns = 8, .rows = 8, .width = 6, .depth = 6};
  for (int n = 0; n < 81; ++n) field.heights.push_back(0.05 * ((n * 7) % 5));
  world.add_body({.motion = Motion::fixed, .shape = field}).value();
  Hull hull;
  for (int n = 0; n < 8; ++n)
    hull.points.push_back({n & 1 ? 0.2 : -0.2, n & 2 ? 0.15 : -0.15, n & 4 ? 0.25 : -0.2});
  const Shape shapes[] = {
      Mesh{make_sphere(0.2, 1)}, hammer(),      hull, Mesh{make_box({0.2, 0.1, 0.2}, 2)},
      Cylinder{0.15, 0.2},       Cone{0.2, 0.3}};
  for (int n = 0; n < 12; ++n)
    world
        .add_body({.shape = shapes[n % 6],
                   .position = {0.3 * (n % 3) - 0.3, 0.6 + 0.45 * (n / 3), 0.25 * (n % 2)},
                   .density = 400})
        .value();
  const Shape probes[] = {Box{{0.5, 0.3, 0.5}}, hammer(), Mesh{make_sphere(0.5, 1)}};
  for (int n = 0; n < 3 && sensors; ++n)
    world
        .add_body({.motion = Motion::fixed,
                   .shape = probes[n],
                   .position = {0.4 * n - 0.4, 0.6, 0},
                   .sensor = true})
        .value();
  return world;
}

TEST(Allocations, none_with_meshes_compounds_and_height_fields) {
  World world = shapes_world(false);
  EXPECT_EQ(worst_again(world, 90), 0);
}

TEST(Allocations, none_with_sensors) {
  World world = shapes_world(true);
  bool sensed = false;
  for (int n = 0; n < 60; ++n) {
    world.step(k_scene_dt);
    for (const Event& e : world.events()) sensed |= e.kind == EventKind::sensor_begin;
  }
  EXPECT_TRUE(sensed);
  World again = shapes_world(true);
  EXPECT_EQ(worst_again(again, 90), 0);
}

TEST(Allocations, none_with_joints_on_bodies_and_triangles) {
  World world;
  ClothDef cloth;
  cloth.mesh = make_grid(6, 6, 1, 1);
  cloth.position = {0, 2, 0};
  cloth.pins = {{{0, 6, 42, 48}, {}, {}}};
  AnchorPoint hold = ClothTrianglePoint{world.add_cloth(cloth).value(), 30};
  for (int n = 0; n < 4; ++n) {
    const BodyId id =
        world.add_body({.shape = Capsule{0.03, 0.1}, .position = {0.3 * n, 1.7, 0}, .mass = 0.02})
            .value();
    world
        .add_joint({.kind = n == 0 ? JointKind::fixed : JointKind::hinge,
                    .a = hold,
                    .b = BodyPoint{id, {0, 0.15, 0}},
                    .freedom = n == 0 ? JointFreedom{} : JointFreedom{.friction = 0.01}})
        .value();
    hold = BodyPoint{id, {0, -0.15, 0}};
  }
  EXPECT_EQ(worst_again(world, 60), 0);
}

TEST(Allocations, none_where_cloth_meets_itself_by_particles) {
  for (const int threads : {0, 2}) {
    WorldDef def;
    def.substeps = 4;
    World world(def, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
    world.add_body({.motion = Motion::fixed, .shape = Sphere{0.1}}).value();
    ClothDef cloth;
    cloth.mesh = make_grid(40, 40, 0.8, 0.8);
    cloth.self_contact = true;
    cloth.self_contact_by = SelfContact::particles;
    cloth.position = {0.01, 0.11, 0.02};
    world.add_cloth(cloth).value();
    EXPECT_EQ(worst_again(world, 60), 0) << threads;
    EXPECT_GT(world.measurements().contacts, 100);
  }
}

TEST(Allocations, none_where_solids_are_parted) {
  for (const int threads : {0, 2}) {
    WorldDef def;
    def.substeps = 4;
    World world(def, threads > 0 ? std::shared_ptr<TaskPool>(make_task_pool(threads)) : nullptr);
    world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
    SolidDef solid;
    solid.tets = make_lattice(4, 4, 4, 0.1);
    solid.position = {0, 0.21, 0};
    world.add_solid(solid).value();
    solid.position = {0.1, 0.3, 0.05};
    world.add_solid(solid).value();
    EXPECT_EQ(world.step(1.0 / 60).parting, 1);
    EXPECT_EQ(worst_again(world, 60), 0) << threads;
    EXPECT_EQ(world.step(1.0 / 60).parting, 0);
  }
}

class Push : public ForceField {
 public:
  Vec3 force(const FieldSample& sample) const override { return {sample.mass, 0, 0}; }
};

TEST(Allocations, none_with_fields_commands_and_reading) {
  MixedScene s = make_mixed();
  s.world.add_field(std::make_shared<Push>());
  const auto step = [&] {
    s.world.apply_force(s.ball, {1, 0, 0}, {});
    s.world.set_velocity(s.rod, {0, 0, 0}, {});
    s.world.step(k_scene_dt);
    double sum = double(s.world.positions(s.flag)[0].x) + s.world.measurements().kinetic_energy;
    for (const Event& e : s.world.events()) sum += e.speed;
    return sum + double(s.world.state_hash() & 1);
  };
  for (int n = 0; n < 240; ++n) step();
  const long before = g_allocations;
  double sum = 0;
  for (int n = 0; n < 10; ++n) sum += step();
  // New contacts may still ask for more room now and then: at most one growth in ten steps.
  EXPECT_LE(g_allocations - before, 3) << sum;
}

}  // namespace
}  // namespace pliant
