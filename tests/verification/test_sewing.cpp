// Seams that close and merge (spec of cloth, check 24). Seen to fail: masses of what is merged away
// not added, velocities not averaged, copies not brought along.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/pliant.h>

namespace pliant {
namespace {

constexpr double k_pi = 3.14159265358979323846;
constexpr bool k_double = sizeof(Real) == 8;

// Panels that hang in the plane of x and y, rows downwards from the height of `top`.
ClothDef panel(int columns, int rows, double cell, double x, double top) {
  ClothDef def;
  def.mesh = make_grid(columns, rows, columns * cell, rows * cell);
  def.rotation = {std::sin(k_pi / 4), 0, 0, std::cos(k_pi / 4)};
  def.position = {x, top - 0.5 * rows * cell, 0};
  def.linear_drag = 0;
  return def;
}

SeamSide side_of(const World& world, ClothId cloth, MeshSide side) {
  return {cloth, boundary_side(world.describe(cloth).mesh, side)};
}

SeamDef seam_of(const World& world, ClothId a, MeshSide side_a, ClothId b, MeshSide side_b) {
  SeamDef def;
  def.a = side_of(world, a, side_a);
  def.b = side_of(world, b, side_b);
  return def;
}

// Two panels 5 cm apart, one beside the other, without gravity.
struct Pair {
  World world;
  ClothId a, b;
  SeamId seam;
};

Pair two_panels(const ClothDef& like, double density_b = 0.2, bool sewn = true) {
  WorldDef def;
  def.gravity = {};
  def.substeps = 10;
  Pair out{World(def), {}, {}, {}};
  ClothDef left = like, right = like;
  left.mesh = right.mesh = make_grid(8, 8, 0.4, 0.4);
  left.linear_drag = right.linear_drag = 0;
  right.position.x += 0.45;
  right.areal_density = density_b;
  left.velocity = right.velocity = {0.1, 0.2, -0.05};
  out.a = out.world.add_cloth(left).value();
  out.b = out.world.add_cloth(right).value();
  if (sewn)
    out.seam = out.world.add_seam(seam_of(out.world, out.a, MeshSide::right, out.b, MeshSide::left))
                   .value();
  return out;
}

// Sum of masses by the inverse masses of the particles; what was merged away has none.
double mass_of_particles(const World& world) {
  double sum = 0;
  for (const ClothId id : world.cloths())
    for (const Vec4& p : world.positions(id))
      if (p.w > 0) sum += 1 / double(p.w);
  return sum;
}

Vec3 momentum_of(const World& world) {
  Vec3 sum;
  for (const ClothId id : world.cloths()) {
    std::vector<Vec3> v;
    world.copy_velocities(id, v);
    for (std::size_t n = 0; n < v.size(); ++n) {
      const double w = double(world.positions(id)[std::size_t(world.order(id)[n])].w);
      if (w > 0) sum += v[n] / w;
    }
  }
  return sum;
}

void expect_one(const World& world, SeamId id) {
  const SeamDef def = world.describe(id);
  std::vector<Vec3> xa, xb, va, vb;
  world.copy_positions(def.a.cloth, xa);
  world.copy_positions(def.b.cloth, xb);
  world.copy_velocities(def.a.cloth, va);
  world.copy_velocities(def.b.cloth, vb);
  for (std::size_t n = 0; n < def.a.vertices.size(); ++n) {
    const std::size_t a = std::size_t(def.a.vertices[n]), b = std::size_t(def.b.vertices[n]);
    EXPECT_EQ(length(xa[a] - xb[b]), 0) << n;
    EXPECT_EQ(length(va[a] - vb[b]), 0) << n;
  }
}

TEST(Sewing, cloth_A24_seam_closes_and_keeps_mass_and_momentum) {
  for (const Membrane membrane : {Membrane::edges, Membrane::strain}) {
    ClothDef like;
    like.membrane = membrane;
    Pair in = two_panels(like, 0.7);
    const double mass = mass_of_particles(in.world);
    const Vec3 momentum = momentum_of(in.world);
    EXPECT_NEAR(mass, 0.16 * (0.2 + 0.7), 1e-6);
    double greatest_gap_change = 0, gap = in.world.seam_status(in.seam).gap;
    EXPECT_NEAR(gap, 0.05, 1e-6);
    int events = 0, steps = 0;
    for (; steps < 120 && events == 0; ++steps) {
      in.world.step(1.0 / 60);
      const SeamStatus status = in.world.seam_status(in.seam);
      greatest_gap_change = std::max(greatest_gap_change, gap - status.gap);
      gap = status.gap;
      for (const Event& e : in.world.events())
        if (e.kind == EventKind::seam_closed) {
          ++events;
          EXPECT_EQ(e.seam, in.seam);
          EXPECT_EQ(e.a, AnyId(in.a));
          EXPECT_EQ(e.b, AnyId(in.b));
          EXPECT_EQ(status.open, 0);
          EXPECT_EQ(status.merged, 9);
        } else {
          EXPECT_GE(status.open + status.merged, 9);
        }
    }
    EXPECT_EQ(events, 1) << "within two seconds";
    EXPECT_GE(steps, 5) << "0.05 m at 0.5 m/s are a tenth of a second";
    EXPECT_LT(greatest_gap_change, 0.5 / 60 * 1.2) << "the speed of the thread";
    expect_one(in.world, in.seam);
    const double tolerance = k_double ? 1e-9 : 2e-6;
    EXPECT_NEAR(mass_of_particles(in.world) / mass, 1, tolerance);
    EXPECT_NEAR(in.world.mass(in.a) + in.world.mass(in.b), mass, 1e-6 * mass);
    EXPECT_LT(length(momentum_of(in.world) - momentum), tolerance * length(momentum));
    EXPECT_LT(length(in.world.measurements().momentum - momentum), tolerance * length(momentum));
    for (int n = 0; n < 60; ++n) in.world.step(1.0 / 60);
    expect_one(in.world, in.seam);
    EXPECT_LT(length(momentum_of(in.world) - momentum), 30 * tolerance * length(momentum));
    EXPECT_LT(in.world.stretch_max(in.a), 1.02);
  }
}

// The control of the measurement itself: without the seam nothing comes together, and leaving out
// the masses of what is merged away would be seen.
TEST(Sewing, control_without_a_seam_nothing_closes) {
  Pair in = two_panels({}, 0.7, false);
  for (int n = 0; n < 120; ++n) in.world.step(1.0 / 60);
  std::vector<Vec3> xa, xb;
  in.world.copy_positions(in.a, xa);
  in.world.copy_positions(in.b, xb);
  EXPECT_NEAR(length(xa[8] - xb[0]), 0.05, 1e-5);
  Pair sewn = two_panels({}, 0.7);
  const double border = 0.7 * 0.05 * 0.4 / 2;  // kg: half a cell along the side of b
  for (int n = 0; n < 60; ++n) sewn.world.step(1.0 / 60);
  EXPECT_GT(border / mass_of_particles(sewn.world), 1e-2);
}

// The lower panel hangs by the seam. Anchors along the top carry the weight of both, and at the end
// the seam is where the stretch of the upper panel leaves it.
double force_at_top(bool sewn, double merge_distance, double& lowest) {
  WorldDef settings;
  settings.substeps = 20;
  settings.sleep = false;  // it would while the last millimetre sags
  World world(settings);
  ClothDef upper = panel(6, 6, 0.05, 0, 1), lower = panel(6, 6, 0.05, 0, 0.65);
  upper.linear_drag = lower.linear_drag = 3;
  upper.stretch_stiffness = lower.stretch_stiffness = 300;
  const ClothId a = world.add_cloth(upper).value(), b = world.add_cloth(lower).value();
  std::vector<AnchorId> anchors;
  std::vector<Vec3> places;
  world.copy_positions(a, places);
  for (const std::int32_t v : boundary_side(upper.mesh, MeshSide::top))
    anchors.push_back(
        world.add_anchor({.a = ClothVertex{a, v}, .b = WorldPoint{places[std::size_t(v)]}})
            .value());
  SeamDef seam = seam_of(world, a, MeshSide::bottom, b, MeshSide::top);
  seam.merge_distance = merge_distance;
  const SeamId id = sewn ? world.add_seam(seam).value() : SeamId{};
  for (int n = 0; n < 600; ++n) world.step(1.0 / 60);
  if (sewn) {
    EXPECT_EQ(world.seam_status(id).merged, merge_distance > 0 ? 7 : 0);
  }
  if (sewn && merge_distance == 0) {
    EXPECT_NEAR(world.seam_status(id).force, 0.2 * 0.09 * 9.81, 0.02 * 0.2 * 0.09 * 9.81)
        << "threads that stay carry the lower panel";
  }
  world.copy_positions(b, places);
  lowest = 1e9;
  for (const Vec3& x : places) lowest = std::min(lowest, x.y);
  double force = 0;
  for (const AnchorId anchor : anchors) force += std::abs(world.anchor_force(anchor).y);
  return force;
}

TEST(Sewing, cloth_A24_the_seam_carries_the_weight_of_what_hangs_by_it) {
  const double panel_weight = 0.2 * 0.09 * 9.81;
  double lowest = 0;
  EXPECT_NEAR(force_at_top(true, 1e-3, lowest), 2 * panel_weight, 0.01 * panel_weight);
  EXPECT_NEAR(lowest, 1 - 0.6, 0.01);
  EXPECT_NEAR(force_at_top(true, 0, lowest), 2 * panel_weight, 0.01 * panel_weight);
  EXPECT_NEAR(lowest, 1 - 0.6, 0.01);
  // The control: not sewn, the upper panel alone hangs there and the lower one is gone.
  EXPECT_NEAR(force_at_top(false, 0, lowest), panel_weight, 0.01 * panel_weight);
  EXPECT_LT(lowest, -10);
}

// A panel rolled up by a seam between its own sides: a tube.
TEST(Sewing, sides_of_one_cloth_make_a_tube) {
  WorldDef settings;
  settings.gravity = {};
  World world(settings);
  ClothDef def;
  const int columns = 24, rows = 4;
  def.mesh = make_grid(columns, rows, 0.6, 0.1);
  def.linear_drag = 1;
  // Begins bent to half a circle, or two flat sides would have to pass each other.
  for (const Vec3& v : def.mesh.vertices) {
    const double angle = v.x / 0.6 * k_pi * 1.6, r = 0.6 / (1.6 * k_pi);
    def.initial_positions.push_back({r * std::sin(angle), r * std::cos(angle), v.z});
  }
  const ClothId id = world.add_cloth(def).value();
  const SeamId seam =
      world.add_seam(seam_of(world, id, MeshSide::left, id, MeshSide::right)).value();
  for (int n = 0; n < 120; ++n) world.step(1.0 / 60);
  EXPECT_EQ(world.seam_status(seam).merged, rows + 1);
  expect_one(world, seam);
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  Vec3 centre;
  for (int i = 0; i < columns; ++i)
    centre += x[std::size_t(2 * (columns + 1) + i)] / double(columns);
  for (int i = 0; i < columns; ++i)
    EXPECT_NEAR(length(x[std::size_t(2 * (columns + 1) + i)] - centre), 0.6 / (2 * k_pi), 0.01);
}

// Of sides of 9 and of 13 vertices those at each quarter of the length meet, the others of the
// finer side stay on edges of the coarser.
TEST(Sewing, sides_of_different_numbers_of_vertices_meet_along_their_length) {
  WorldDef settings;
  settings.gravity = {};
  World world(settings);
  ClothDef coarse, fine;
  coarse.mesh = make_grid(4, 8, 0.2, 0.4);
  fine.mesh = make_grid(6, 12, 0.2, 0.4);
  fine.position = {0.25, 0, 0};
  coarse.linear_drag = fine.linear_drag = 1;
  const ClothId a = world.add_cloth(coarse).value(), b = world.add_cloth(fine).value();
  const SeamId seam = world.add_seam(seam_of(world, a, MeshSide::right, b, MeshSide::left)).value();
  for (int n = 0; n < 60; ++n) world.step(1.0 / 60);
  const SeamStatus status = world.seam_status(seam);
  EXPECT_EQ(status.stitches, 13);
  EXPECT_EQ(status.merged, 5) << "multiples of 1/4 of the length are vertices of both";
  EXPECT_EQ(status.joined, 8);
  EXPECT_EQ(status.open, 0);
  EXPECT_LT(status.gap, 5e-4) << "threads that pull at each other's vertices, one after the other";
}

// A vertex and an edge; chains of three; a pinned vertex stays where it is and pins the other.
TEST(Sewing, vertices_edges_chains_and_pins) {
  WorldDef settings;
  settings.gravity = {0, -9.81, 0};
  World world(settings);
  ClothDef def;
  def.mesh = make_grid(2, 2, 0.2, 0.2);
  def.linear_drag = 1;
  const ClothId a = world.add_cloth(def).value();
  def.position = {0.25, 0, 0};
  def.pins = {{.vertices = {3}, .path = {}, .pivot = {}}};
  const ClothId b = world.add_cloth(def).value();
  def.position = {0.1, 0.03, 0.05};
  def.pins.clear();
  const ClothId c = world.add_cloth(def).value();
  world.add_seam({.name = "vertex", .a = {a, {5}}, .b = {b, {3}}}).value();
  world.add_seam({.name = "chain", .a = {a, {5}}, .b = {c, {0}}}).value();
  world.add_seam({.name = "edge", .a = {a, {2, 1}}, .b = {c, {1, 2}}}).value();
  std::vector<Vec3> xa, xb, xc;
  world.copy_positions(b, xb);
  const Vec3 pinned = xb[3];
  for (int n = 0; n < 120; ++n) world.step(1.0 / 60);
  world.copy_positions(a, xa);
  world.copy_positions(b, xb);
  world.copy_positions(c, xc);
  for (const SeamId id : world.seams()) EXPECT_EQ(world.seam_status(id).open, 0);
  EXPECT_EQ(xb[3], pinned);
  EXPECT_EQ(xa[5], pinned);
  EXPECT_EQ(xc[0], pinned);
  EXPECT_EQ(xa[2], xc[1]);
  EXPECT_EQ(xa[1], xc[2]);
  // A command to the vertex that was merged away leads all three.
  world.set_pin_target(c, 0, pinned + Vec3{0, 0.01, 0});
  world.step(1.0 / 60);
  world.copy_positions(a, xa);
  world.copy_positions(b, xb);
  EXPECT_NEAR(xb[3].y, pinned.y + 0.01, 1e-6);
  EXPECT_EQ(xa[5], xb[3]);
}

// An anchor at a vertex that is merged away goes on holding.
TEST(Sewing, anchors_at_merged_vertices_hold) {
  WorldDef settings;
  settings.substeps = 20;
  World world(settings);
  ClothDef upper = panel(4, 4, 0.05, 0, 1), lower = panel(4, 4, 0.05, 0, 0.77);
  upper.linear_drag = lower.linear_drag = 3;
  const ClothId a = world.add_cloth(upper).value(), b = world.add_cloth(lower).value();
  std::vector<Vec3> x;
  world.copy_positions(b, x);
  std::vector<AnchorId> anchors;
  for (const std::int32_t v : boundary_side(lower.mesh, MeshSide::top))
    anchors.push_back(
        world.add_anchor({.a = ClothVertex{b, v}, .b = WorldPoint{x[std::size_t(v)]}}).value());
  world.add_seam(seam_of(world, a, MeshSide::bottom, b, MeshSide::top)).value();
  for (int n = 0; n < 400; ++n) world.step(1.0 / 60);
  EXPECT_EQ(world.seam_status(world.seams()[0]).open, 0);
  double force = 0;
  for (const AnchorId anchor : anchors) force += world.anchor_force(anchor).y;
  const double weight = 9.81 * 0.2 * 2 * 0.04;
  EXPECT_NEAR(std::abs(force), weight, 0.02 * weight);
}

// What is cut is two again, with the masses of before.
TEST(Sewing, cutting_a_seam_parts_what_it_had_merged) {
  Pair in = two_panels({}, 0.7);
  for (int n = 0; n < 60; ++n) in.world.step(1.0 / 60);
  const double mass = mass_of_particles(in.world);
  const Vec3 momentum = momentum_of(in.world);
  in.world.remove(in.seam);
  EXPECT_NEAR(mass_of_particles(in.world) / mass, 1, 1e-6);
  EXPECT_LT(length(momentum_of(in.world) - momentum), 1e-5 * length(momentum));
  std::size_t free = 0;
  for (const ClothId id : {in.a, in.b})
    for (const Vec4& p : in.world.positions(id)) free += p.w > 0;
  EXPECT_EQ(free, 162u);
  EXPECT_TRUE(in.world.step(1.0 / 60).ok());
}

TEST(Sewing, removing_one_cloth_leaves_the_other) {
  Pair in = two_panels({}, 0.7);
  ClothDef third;
  third.mesh = make_grid(3, 3, 0.2, 0.2);
  third.position = {5, 0, 0};
  const ClothId c = in.world.add_cloth(third).value();
  for (int n = 0; n < 60; ++n) in.world.step(1.0 / 60);
  std::vector<Vec3> before, after, other_before, other_after;
  in.world.copy_positions(in.b, before);
  in.world.copy_positions(c, other_before);
  in.world.remove(in.a);
  EXPECT_FALSE(in.world.valid(in.seam));
  EXPECT_FALSE(in.world.valid(in.a));
  in.world.copy_positions(in.b, after);
  in.world.copy_positions(c, other_after);
  EXPECT_EQ(after, before);
  EXPECT_EQ(other_after, other_before);
  EXPECT_NEAR(mass_of_particles(in.world), 0.16 * 0.7 + 0.04 * 0.2, 1e-6);
  EXPECT_NEAR(in.world.mass(in.b), 0.16 * 0.7, 1e-9);
  for (int n = 0; n < 30; ++n) EXPECT_TRUE(in.world.step(1.0 / 60).ok());
  in.world.remove(in.b);
  EXPECT_EQ(in.world.cloths().size(), 1u);
  EXPECT_TRUE(in.world.step(1.0 / 60).ok());
}

TEST(Sewing, what_cannot_be_is_refused_with_its_place) {
  World world;
  ClothDef def;
  def.mesh = make_grid(2, 2, 0.2, 0.2);
  const ClothId a = world.add_cloth(def).value(), b = world.add_cloth(def).value();
  def.thickness = 0.01;
  const ClothId thick = world.add_cloth(def).value();
  const auto place = [&](const SeamDef& seam) {
    const auto result = world.add_seam(seam);
    EXPECT_FALSE(result.ok());
    return result.ok() ? std::string() : result.error().place;
  };
  EXPECT_EQ(place({.a = {a, {0}}, .b = {ClothId{}, {0}}}), "b.cloth");
  EXPECT_EQ(place({.a = {a, {9}}, .b = {b, {0}}}), "a.vertices[0]");
  EXPECT_EQ(place({.a = {a, {0, 1}}, .b = {b, {0, -1}}}), "b.vertices[1]");
  EXPECT_EQ(place({.a = {a, {0, 1, 0}}, .b = {b, {0, 1, 2}}}), "a.vertices[2]");
  EXPECT_EQ(place({.a = {a, {4, 5}}, .b = {a, {3, 5}}}), "a.vertices[1]");
  EXPECT_EQ(place({.a = {a, {}}, .b = {b, {0}}}), "a.vertices");
  EXPECT_EQ(place({.a = {a, {0, 1, 2}}, .b = {b, {0}}}), "b.vertices");
  EXPECT_EQ(place({.a = {a, {0}}, .b = {thick, {0}}}), "b.cloth");
  EXPECT_EQ(place({.a = {a, {0}}, .b = {b, {0}}, .speed = 0}), "speed");
  EXPECT_EQ(world.seams().size(), 0u);
  EXPECT_TRUE(world.add_seam({.a = {a, {4, 5}}, .b = {a, {5, 3}}}).ok()) << "a chain is no loop";
}

}  // namespace
}  // namespace pliant
