// Copies of vertices keep the material if their masses are split (spec of cloth, sections 5.2, 13).
#include <gtest/gtest.h>

#include "cloth_rig.h"
#include "edge_strip.h"

namespace pliant {
namespace {

enum class Mass { split, unchanged };

// Millimetres by which the strip of cloth_A06 stretches. With the mass unchanged a copy has the
// inverse mass of its particle: the particles are made heavier by as many times as they have
// copies, which only constraints see.
double strip_drop(int split_colours, Mass mass, int sweeps) {
  const EdgeStrip s = edge_strip(200);
  const ScheduleChoice choice{
      split_colours > 0 ? Schedule::split : Schedule::colours, split_colours, {}};
  ParticleRig rig(s.rows, s.x, s.mass, choice);
  const ParticleCopies& copies = rig.body.constraints.copies;
  for (std::size_t n = 0; n < copies.particle.size() && mass == Mass::unchanged; ++n)
    rig.particles.d[std::size_t(copies.particle[n])].w /=
        Real(copies.begin[n + 1] - copies.begin[n]);
  rig.body.linear_drag = 3;
  for (int n = 0; n < 240; ++n) rig.step(1. / 60, 20, sweeps, {0, 0, 9.81});
  return 1e3 * mean_drop([&](std::int32_t v) { return rig.place(std::size_t(v)); });
}

// Six edges meet in a vertex: three a copy makes two copies, one a copy as many as edges.
TEST(Split, cloth_A16_copies_keep_the_material) {
  EXPECT_NEAR(strip_drop(3, Mass::split, 4), 4.00, 0.05 * 3.89);
  EXPECT_NEAR(strip_drop(3, Mass::unchanged, 4), 7.8, 0.05 * 7.8) << "the control: half as stiff";
}

TEST(Split, cloth_A16_convergence_table) {
  struct Row {
    int split_colours;
    Mass mass;
    double one, four;  // mm, after 1 and 4 sweeps
  };
  for (const Row& row : {Row{0, Mass::split, 4.72, 3.90}, Row{3, Mass::unchanged, 10.2, 7.78},
                         Row{3, Mass::split, 6.39, 4.00}, Row{1, Mass::unchanged, 29.6, 20.8},
                         Row{1, Mass::split, 12.5, 5.06}}) {
    const double one = strip_drop(row.split_colours, row.mass, 1);
    const double four = strip_drop(row.split_colours, row.mass, 4);
    EXPECT_NEAR(one, row.one, 0.025 * row.one) << row.split_colours;
    EXPECT_NEAR(four, row.four, 0.025 * row.four) << row.split_colours;
  }
}

// Parts of a mass add up: a free cloth that is torn about keeps its momentum.
TEST(Split, copies_keep_momentum) {
  ClothDef def;
  def.mesh = make_grid(8, 8, 1, 1);
  def.linear_drag = 0;
  def.schedule = Schedule::split;
  def.split_colours = 4;
  ClothRig rig(def);
  const auto momentum = [&] {
    Vec3 sum;
    for (std::size_t p = 0; p < rig.mass.size(); ++p) {
      const Vec4& v = rig.particles.velocity[p];
      sum += rig.mass[p] * Vec3{double(v.x), double(v.y), double(v.z)};
    }
    return sum;
  };
  double size = 0;  // of what adds up
  for (std::size_t p = 0; p < rig.mass.size(); ++p) {
    const double a = double(p * 37 % 101) / 50 - 1, b = double(p * 53 % 97) / 48 - 1;
    rig.particles.velocity[p] = {Real(a), Real(b), Real(a * b + 0.5), 0};
    size += rig.mass[p] * 1.5;
  }
  const Vec3 before = momentum();
  rig.run(5, 8, 2, {});
  EXPECT_LT(length(momentum() - before), (sizeof(Real) == 8 ? 1e-12 : 1e-5) * size);
  EXPECT_GT(rig.body.constraints.copies.count(), 200) << "the test is of copies";
}

}  // namespace
}  // namespace pliant
