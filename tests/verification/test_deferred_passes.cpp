// Passes over a body that are left to a later one give the same bits as passes of their own.
#include <cstring>

#include <gtest/gtest.h>

#include <pliant/mesh.h>

#include "cloth_rig.h"

namespace pliant {
namespace {

ClothDef hanging() {
  ClothDef def;
  def.mesh = make_grid(45, 45, 1, 1);  // two clusters, so that some constraints are between them
  def.tethers = true;
  def.pins = {{.vertices = {0, 45}}};
  return def;
}

// How much of the work is left to later passes.
struct Left {
  bool bases = false, velocities = false;
};

void step(ClothRig& rig, const Left& left) {
  constexpr int k_substeps = 4;
  const double h = 1.0 / 60 / k_substeps;
  rebase(rig.particles, rig.body, nullptr, left.bases);
  for (int s = 0; s < k_substeps; ++s) {
    const SubstepContext context{h, rig.time += h, {0, -9.81, 0}, 1, nullptr};
    apply_forces(rig.particles, rig.body, context, false);
    predict(rig.particles, rig.body, context);
    project_internal(rig.particles, rig.body, context);
    if (left.velocities && s + 1 < k_substeps)
      rig.body.velocities_due = true;
    else
      update_velocities(rig.particles, rig.body, context);
  }
}

bool same(const std::vector<Vec4>& a, const std::vector<Vec4>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec4)) == 0;
}

void expect_the_same(const Left& left) {
  ClothRig at_once(hanging()), later(hanging());
  ASSERT_GT(at_once.body.constraints.cluster_count(), 1);
  for (int n = 0; n < 30; ++n) {
    step(at_once, {});
    step(later, left);
    ASSERT_TRUE(same(at_once.particles.d, later.particles.d)) << "step " << n;
    ASSERT_TRUE(same(at_once.particles.velocity, later.particles.velocity)) << "step " << n;
  }
  EXPECT_NE(later.particles.velocity[later.particle(22 * 46 + 22)].y, 0) << "it moves";
}

TEST(DeferredPasses, velocities_with_the_next_prediction) { expect_the_same({.velocities = true}); }
TEST(DeferredPasses, bases_with_the_first_sweep) { expect_the_same({.bases = true}); }
TEST(DeferredPasses, both) { expect_the_same({.bases = true, .velocities = true}); }

}  // namespace
}  // namespace pliant
