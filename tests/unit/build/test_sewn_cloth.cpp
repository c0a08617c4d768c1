// Constraints, masses and surface of cloths of which vertices have become one.
#include <gtest/gtest.h>

#include "batch_check.h"
#include "geometry/topology.h"

namespace pliant {
namespace {

// Two panels side by side as one body; the right side of the first is merged with the left side of
// the second. `merge` false leaves them apart.
struct Panels {
  std::vector<ClothDef> defs;
  Deformable body;
  std::vector<double> mass;
};

Panels two_panels(int columns, int rows, const ClothDef& like, bool merge, bool bend = true) {
  Panels out;
  ClothDef def = like;
  def.mesh = make_grid(columns, rows, 0.1 * columns, 0.1 * rows);
  out.defs = {def, def};
  const Deformable one = build_cloth(def).body;
  out.body = one;
  Deformable& body = out.body;
  body.parts.push_back(one.parts[0]);
  body.parts[1].begin = one.count;
  for (const std::int32_t p : one.order) body.order.push_back(one.count + p);
  body.count = 2 * one.count;
  std::vector<std::uint8_t> bends(std::size_t(body.count), bend);
  if (merge) {
    for (std::int32_t p = 0; p < body.count; ++p) body.merged.push_back(p);
    const auto right = boundary_side(def.mesh, MeshSide::right);
    const auto left = boundary_side(def.mesh, MeshSide::left);
    for (std::size_t n = 0; n < right.size(); ++n)
      body.merged[std::size_t(one.count + one.order[std::size_t(left[n])])] =
          one.order[std::size_t(right[n])];
  }
  out.mass = assemble_cloth(out.defs, bends, body);
  return out;
}

ClothDef plain() {
  ClothDef def;
  def.bend_rigidity = 1e-4;
  def.areal_density = 0.2;
  return def;
}

template <class Batch>
void expect_no_repeats(const std::vector<Batch>& batches, const Deformable& body) {
  for (const auto& [element, times] : all_elements(batches, body.constraints)) {
    ASSERT_EQ(times, 1);
    for (std::size_t n = 0; n < element.size(); ++n) {
      ASSERT_EQ(body.root(element[n]), element[n]) << "a particle that was merged into another";
      if (n > 0) {
        ASSERT_NE(element[n], element[n - 1]) << "a repeated index";
      }
    }
  }
}

TEST(SewnCloth, cloth_A24_no_row_repeats_a_particle_and_colours_hold) {
  for (const Membrane membrane : {Membrane::edges, Membrane::strain})
    for (const Bending bending : {Bending::quadratic, Bending::hinge}) {
      ClothDef def = plain();
      def.membrane = membrane;
      def.bending = bending;
      const Panels sewn = two_panels(40, 40, def, true);  // of several clusters
      const ConstraintSet& set = sewn.body.constraints;
      ASSERT_GT(set.cluster_count(), 1);
      EXPECT_EQ(trouble(set), "");
      expect_no_repeats(set.distance, sewn.body);
      expect_no_repeats(set.triangle, sewn.body);
      expect_no_repeats(set.strain, sewn.body);
      expect_no_repeats(set.bend, sewn.body);
      expect_no_repeats(set.hinge, sewn.body);
    }
}

// The control: batches of before, with particles under their new numbers, meet.
TEST(SewnCloth, renaming_alone_would_not_hold) {
  Panels apart = two_panels(40, 40, plain(), false);
  const Panels sewn = two_panels(40, 40, plain(), true);
  ConstraintSet set = apart.body.constraints;
  EXPECT_EQ(trouble(set), "");
  constexpr std::int32_t k_bytes = sizeof(Vec4);
  for (BendBatch& b : set.bend)
    for (Lanes& lanes : b.at)
      for (std::int32_t& at : lanes)
        if (at < sewn.body.count * k_bytes) at = sewn.body.root(at / k_bytes) * k_bytes;
  for (DistanceTriangleBatch& b : set.triangle)
    for (Lanes& lanes : b.at)
      for (std::int32_t& at : lanes)
        if (at < sewn.body.count * k_bytes) at = sewn.body.root(at / k_bytes) * k_bytes;
  EXPECT_NE(trouble(set), "");
}

// Two panels sewn along a side are the panel of twice the width: the same edges with the same
// stiffness and rest length, the same hinges, the same masses and the same surface.
TEST(SewnCloth, two_panels_are_one_of_twice_the_width) {
  const int columns = 6, rows = 5;
  const Panels sewn = two_panels(columns, rows, plain(), true);
  ClothDef def = plain();
  def.mesh = make_grid(2 * columns, rows, 0.2 * columns, 0.1 * rows);
  const DeformableBuild whole = build_cloth(def);
  // Particles of the sewn body by the whole one's.
  std::vector<std::int32_t> same(std::size_t(whole.body.count));
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= 2 * columns; ++i) {
      const bool second = i > columns;
      const std::int32_t v = j * (columns + 1) + (second ? i - columns : i);
      const ClothPart& part = sewn.body.parts[second ? 1 : 0];
      same[std::size_t(whole.body.order[std::size_t(j * (2 * columns + 1) + i)])] =
          part.begin + part.order[std::size_t(v)];
    }
  double total = 0;
  for (std::size_t p = 0; p < same.size(); ++p) {
    EXPECT_NEAR(sewn.mass[std::size_t(same[p])], whole.mass[p], 1e-15);
    total += sewn.mass[std::size_t(same[p])];
  }
  for (const std::int32_t copy : sewn.body.merged_away) EXPECT_EQ(sewn.mass[std::size_t(copy)], 0);
  EXPECT_NEAR(total, whole.body.mass, 1e-12);

  const auto stiffness = [](const ConstraintSet& set, auto&& name) {
    constexpr std::int32_t k_bytes = sizeof(Vec4);
    std::map<std::vector<std::int32_t>, std::pair<double, double>> out;  // compliance, rest
    const auto add = [&](std::int32_t a, std::int32_t b, Real compliance, Real rest) {
      if (a >= set.clusters.back()) return;
      const std::int32_t i = name(a), j = name(b);
      out[{std::min(i, j), std::max(i, j)}] = {double(compliance), double(rest)};
    };
    for (const DistanceBatch& b : set.distance)
      for (std::size_t n = 0; n < k_lanes; ++n)
        add(b.i[n], b.j[n], b.compliance[int(n)], b.rest[int(n)]);
    for (const DistanceTriangleBatch& b : set.triangle)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t n = 0; n < k_lanes; ++n)
          add(b.at[k][n] / k_bytes, b.at[(k + 1) % 3][n] / k_bytes, b.compliance[k][int(n)],
              b.rest[k][int(n)]);
    return out;
  };
  const auto expected =
      stiffness(whole.body.constraints, [&](std::int32_t p) { return same[std::size_t(p)]; });
  const auto found = stiffness(sewn.body.constraints, [](std::int32_t p) { return p; });
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [edge, numbers] : expected) {
    ASSERT_TRUE(found.contains(edge));
    EXPECT_NEAR(found.at(edge).first / numbers.first, 1, 1e-6);
    EXPECT_NEAR(found.at(edge).second, numbers.second, 1e-7);
  }
  const auto renamed = [&](const std::map<std::vector<std::int32_t>, int>& elements) {
    std::set<std::vector<std::int32_t>> out;
    for (const auto& element : elements) {
      std::vector<std::int32_t> e = element.first;
      for (std::int32_t& p : e) p = same[std::size_t(p)];
      std::sort(e.begin(), e.end());
      out.insert(e);
    }
    return out;
  };
  const auto hinges = all_elements(sewn.body.constraints.bend, sewn.body.constraints);
  std::set<std::vector<std::int32_t>> found_hinges;
  for (const auto& hinge : hinges) found_hinges.insert(hinge.first);
  EXPECT_EQ(renamed(all_elements(whole.body.constraints.bend, whole.body.constraints)),
            found_hinges);
}

TEST(SewnCloth, surface_is_one_and_has_no_vertex_that_was_merged_away) {
  const int columns = 6, rows = 5;
  const Panels sewn = two_panels(columns, rows, plain(), true);
  const DeformableSurface& s = sewn.body.surface;
  EXPECT_EQ(int(s.vertices.size()), (2 * columns + 1) * (rows + 1));
  EXPECT_EQ(int(s.triangles.size()), 4 * columns * rows);
  for (const SurfaceVertex& v : s.vertices) EXPECT_EQ(sewn.body.root(v.particle[0]), v.particle[0]);
  int border = 0;
  for (const MeshEdge& e : unique_edges(s.triangles)) border += e.triangle_count == 1;
  EXPECT_EQ(border, 4 * columns + 2 * rows) << "the border of the whole: none along the seam";
  std::set<std::int32_t> owned;
  for (const auto& t : s.owned_vertices)
    for (const std::int32_t v : t)
      if (v >= 0) {
        EXPECT_TRUE(owned.insert(v).second);
      }
  EXPECT_EQ(owned.size(), s.vertices.size());
}

TEST(SewnCloth, bending_across_the_seam_can_be_left_out) {
  const int rows = 5;
  const auto count = [](const Panels& p) {
    return all_elements(p.body.constraints.bend, p.body.constraints).size();
  };
  const auto with = count(two_panels(4, rows, plain(), true, true));
  const auto without = count(two_panels(4, rows, plain(), true, false));
  EXPECT_EQ(with, without + std::size_t(rows)) << "a hinge for each edge of the seam";
  EXPECT_EQ(without, count(two_panels(4, rows, plain(), false)));
}

// Two corners of one triangle become one: what had them both is gone.
TEST(SewnCloth, degenerate_elements_are_left_out) {
  for (const Membrane membrane : {Membrane::edges, Membrane::strain}) {
    ClothDef def = plain();
    def.membrane = membrane;
    def.mesh = make_grid(4, 4, 0.4, 0.4);
    Deformable body = build_cloth(def).body;
    const std::size_t before = body.surface.triangles.size();
    for (std::int32_t p = 0; p < body.count; ++p) body.merged.push_back(p);
    body.merged[std::size_t(body.order[7])] = body.order[6];  // an inner edge of two triangles
    const std::vector<std::uint8_t> bends(std::size_t(body.count), 1);
    const std::vector<double> mass = assemble_cloth({&def, 1}, bends, body);
    EXPECT_EQ(body.surface.triangles.size(), before - 2);
    EXPECT_EQ(trouble(body.constraints), "");
    expect_no_repeats(body.constraints.distance, body);
    expect_no_repeats(body.constraints.strain, body);
    expect_no_repeats(body.constraints.bend, body);
    double total = 0;
    for (const double m : mass) total += m;
    EXPECT_NEAR(total, body.mass, 1e-12);
  }
}

}  // namespace
}  // namespace pliant
