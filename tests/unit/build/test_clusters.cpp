// What bodies are built into can run on threads: clusters, and the batches inside and between them.
#include <gtest/gtest.h>

#include "batch_check.h"
#include "build/pack.h"

namespace pliant {
namespace {

DeformableBuild large_cloth(Schedule schedule = Schedule::clusters) {
  ClothDef def;
  def.schedule = schedule;
  def.mesh = make_grid(70, 63, 1, 1);
  def.bend_rigidity = 1e-4;
  def.pins = {{{0}, {}, {}}, {{70}, {}, {}}};
  def.tethers = true;
  return build_cloth(def);
}
DeformableBuild large_solid() {
  SolidDef def;
  def.tets = make_lattice(15, 12, 11, 0.1);
  return build_solid(def).value();
}

TEST(Clusters, ranges_cover_all_particles_in_equal_parts) {
  for (const std::int32_t count : {0, 1, 7, 900, 1024, 2047, 2048, 5000, 16384, 100000, 262144}) {
    const std::vector<std::int32_t> ranges = cluster_ranges(count);
    ASSERT_GE(ranges.size(), 2u);
    EXPECT_EQ(ranges.front(), 0);
    EXPECT_EQ(ranges.back(), count);
    for (std::size_t k = 0; k + 1 < ranges.size(); ++k) {
      const std::int32_t size = ranges[k + 1] - ranges[k];
      if (ranges.size() == 2) continue;
      EXPECT_NEAR(size, double(count) / double(ranges.size() - 1), 8) << "of " << count;
      EXPECT_EQ(ranges[k] % 8, 0) << "two particles at a time never cross a cut";
    }
  }
  EXPECT_EQ(cluster_ranges(1500).size(), 2u) << "a small body is one cluster";
  EXPECT_GT(cluster_ranges(16384).size(), 9u) << "128 x 128 keeps eight threads busy";
}

TEST(Clusters, orders_of_a_cloth_and_a_solid_can_run_on_threads) {
  for (const DeformableBuild& build : {large_cloth(), large_cloth(Schedule::colours),
                                       large_cloth(Schedule::split), large_solid()}) {
    const ConstraintSet& set = build.body.constraints;
    EXPECT_GT(set.cluster_count(), 1);
    EXPECT_EQ(trouble(set, set.triangle, set.triangle_order), "");
    EXPECT_EQ(trouble_by_twos(set, set.triangle, set.triangle_order), "");
    EXPECT_EQ(trouble(set, set.distance, set.distance_order), "");
    EXPECT_EQ(trouble(set, set.bend, set.bend_order), "");
    EXPECT_EQ(trouble(set, set.volume, set.volume_order), "");
    EXPECT_EQ(trouble(set, set.cell, set.cell_order), "");
    EXPECT_EQ(trouble(set, set.tether, set.tether_order), "");
    for (int k = 0; k < set.cluster_count(); ++k) {
      EXPECT_GE(set.scratch_of(k), build.body.count);
      EXPECT_LT(set.scratch_of(k), set.places());
    }
  }
}

// Fused triangles in 3 colours and the edges left over at the border in 4; a copy of a vertex has 2
// of its edges and 4 of its hinges.
TEST(Clusters, schedules_by_colour_have_few) {
  const ConstraintSet grid = large_cloth(Schedule::colours).body.constraints;
  EXPECT_EQ(grid.triangle_order.colours_between(), 3);
  EXPECT_LE(grid.distance_order.colours_between(), 6);
  EXPECT_EQ(grid.bend_order.colours_between(), 12);
  EXPECT_EQ(grid.copies.count(), 0);
  const ConstraintSet split = large_cloth(Schedule::split).body.constraints;
  EXPECT_TRUE(split.triangle.empty());
  EXPECT_LE(split.distance_order.colours_between() + split.bend_order.colours_between(), 10)
      << "kinds run one after the other: one more than as one list";
  EXPECT_GT(split.copies.count(), 3 * 69 * 62 - 1) << "18 constraints in threes of 6";
  EXPECT_EQ(split.places(), split.first_copy() + split.copies.count());
}

// The negative control: batches that must not run beside each other are found.
TEST(Clusters, a_wrong_order_is_found) {
  const DeformableBuild build = large_cloth();
  ConstraintSet set = build.body.constraints;
  ASSERT_GT(set.triangle_order.colours_between(), 1);
  BatchOrder order = set.triangle_order;
  order.between.erase(order.between.begin() + 1);  // two colours as one
  EXPECT_NE(trouble(set, set.triangle, order), "");
  order = set.triangle_order;
  ++order.inside[1];  // the first batch of cluster 1 given to cluster 0
  EXPECT_NE(trouble(set, set.triangle, order), "");
  order = set.triangle_order;
  --order.between.back();
  EXPECT_NE(trouble(set, set.triangle, order), "");
  order = set.triangle_order;
  ASSERT_GT(order.node_count(), 2);
  ++order.node[1];  // the first colour of the left half given to the root: still allowed
  EXPECT_EQ(trouble(set, set.triangle, order), "");
  order = set.triangle_order;
  --order.node[1];  // a colour that joins the halves given to one of them
  EXPECT_NE(trouble(set, set.triangle, order), "");
  set.triangle[1] = set.triangle[0];
  EXPECT_NE(trouble_by_twos(set, set.triangle, set.triangle_order), "");
}

// Every row exactly once, whatever was done to it: edges as single ones or as part of a triangle.
TEST(Clusters, every_row_is_in_one_batch) {
  const DeformableBuild build = large_cloth();
  const ConstraintSet& set = build.body.constraints;
  const std::int32_t count = build.body.count;
  std::map<std::vector<std::int32_t>, int> edges = all_elements(set.distance, set);
  for (const auto& [t, times] : all_elements(set.triangle, set))
    for (const auto& edge : {std::vector{t[0], t[1]}, {t[1], t[2]}, {t[0], t[2]}})
      edges[edge] += times;
  const int columns = 70, rows = 63;
  EXPECT_EQ(int(edges.size()), columns * (rows + 1) + rows * (columns + 1) + columns * rows);
  for (const auto& [edge, times] : edges) ASSERT_EQ(times, 1) << edge[0] << ' ' << edge[1];
  const auto hinges = all_elements(set.bend, set);
  EXPECT_EQ(int(hinges.size()), columns * (rows - 1) + rows * (columns - 1) + columns * rows);
  for (const auto& [hinge, times] : hinges) ASSERT_EQ(times, 1) << hinge[0];
  const auto tethered = all_elements(set.tether, set);
  EXPECT_EQ(int(tethered.size()), count - 2) << "all but the pins";
  for (const auto& [particle, times] : tethered) ASSERT_EQ(times, 2) << "one to each pin";
}

}  // namespace
}  // namespace pliant
