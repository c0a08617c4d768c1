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
