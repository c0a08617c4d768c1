// Springs on lattices and through plain surfaces: the items of the elastic bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <pliant/world.h>

#include "../random_points.h"
#include "geometry/triangle_tree.h"
#include "verification/rig_precision.h"
#include "verification/spring_rig.h"

namespace pliant {
namespace {

using test::Random;

// A closed surface of rings x around + 2 vertices: a ball with two poles.
TriMesh ball_of(int rings, int around) {
  TriMesh mesh;
  const double pi = 3.14159265358979323846;
  mesh.vertices = {{0, 1, 0}, {0, -1, 0}};
  for (int r = 0; r < rings; ++r)
    for (int k = 0; k < around; ++k) {
      const double theta = pi * (r + 1) / (rings + 1), phi = 2 * pi * k / around;
      mesh.vertices.push_back(
          {std::sin(theta) * std::cos(phi), std::cos(theta), -std::sin(theta) * std::sin(phi)});
    }
  const auto at = [&](int r, int k) { return 2 + r * around + k % around; };
  for (int k = 0; k < around; ++k) {
    mesh.triangles.push_back({0, at(0, k), at(0, k + 1)});
    mesh.triangles.push_back({1, at(rings - 1, k + 1), at(rings - 1, k)});
    for (int r = 0; r + 1 < rings; ++r) {
      mesh.triangles.push_back({at(r, k), at(r + 1, k), at(r + 1, k + 1)});
      mesh.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r, k + 1)});
    }
  }
  return mesh;
}

TEST(Springs, elastic_A11_springs_of_the_surfaces_of_the_work) {
  struct Case {
    int rings, around;
    std::size_t vertices, edges;
  };
  for (const Case& c : {Case{38, 42, 1598, 4788}, Case{6, 1051, 6308, 18918}}) {
    const TriMesh mesh = ball_of(c.rings, c.around);
    ASSERT_TRUE(is_closed(mesh));
    ASSERT_EQ(mesh.vertices.size(), c.vertices);
    Springs def{.lattice = false, .inner = 0, .seed = 7};
    EXPECT_EQ(surface_springs(def, mesh).springs.size(), c.edges);
    def.inner = 5000;
    const SpringRows rows = surface_springs(def, mesh), again = surface_springs(def, mesh);
    ASSERT_EQ(rows.springs.size(), c.edges + 5000);
    std::set<std::array<std::int32_t, 2>> seen;
    for (std::size_t n = 0; n < rows.springs.size(); ++n) {
      EXPECT_TRUE(seen.insert(rows.springs[n].particle).second);
      EXPECT_GT(rows.springs[n].rest, 0);
      EXPECT_EQ(rows.springs[n].particle, again.springs[n].particle);
    }
  }
}

TEST(Springs, elastic_A11_every_edge_once_and_inner_springs_as_asked) {
  const TriMesh mesh = make_sphere(1, 3);
  const std::size_t vertices = mesh.vertices.size();
  Springs def{.lattice = false, .inner = 1500, .seed = 7};
  const SpringRows rows = surface_springs(def, mesh);
  // A closed surface without handles has 3 V - 6 edges.
  EXPECT_EQ(rows.springs.size(), 3 * vertices - 6 + 1500);
  std::set<std::array<std::int32_t, 2>> seen;
  for (const SpringRow& row : rows.springs) {
    EXPECT_TRUE(seen.insert(row.particle).second);
    EXPECT_LT(row.particle[0], row.particle[1]);
    EXPECT_GT(row.rest, 0);
  }
  const InnerSprings first = place_inner(def, mesh), again = place_inner(def, mesh);
  EXPECT_EQ(first.springs, again.springs);
  EXPECT_EQ(first.missing, 0);
  def.seed = 8;
  EXPECT_NE(place_inner(def, mesh).springs, first.springs);
  def.inner = 1000;  // more than there are pairs
  const InnerSprings few = place_inner(def, make_box({1, 1, 1}, 1));
  EXPECT_GT(few.missing, 0);
  EXPECT_EQ(few.missing + int(few.springs.size()), 1000);
}

struct Placed {
  double inside = 0;  // share of springs of which five samples are inside
  double length = 0;  // mean, of the diagonal of the box
  int tests = 0;
};
Placed place(const TriMesh& mesh, const TriangleTree& tree, SpringPlacement placement, int p,
             int limit) {
  const InnerSprings inner =
      place_inner({.inner = 3000, .placement = placement, .candidates = p, .limit = limit}, mesh);
  Vec3 low = mesh.vertices[0], high = low;
  for (const Vec3& v : mesh.vertices) low = min(low, v), high = max(high, v);
  Placed placed;
  placed.tests = inner.tests;
  for (const VertexPair& s : inner.springs) {
    const Vec3 a = mesh.vertices[std::size_t(s[0])], b = mesh.vertices[std::size_t(s[1])];
    bool inside = true;
    for (int k = 1; k <= 5; ++k) inside = inside && tree.nearest(a + (b - a) * (k / 6.0)).behind;
    placed.inside += inside ? 1.0 / double(inner.springs.size()) : 0;
    placed.length += length(b - a) / length(high - low) / double(inner.springs.size());
  }
  return placed;
}

// The item gives shares of a cow that is not at hand; their order, and how lengths fall, are those
// of this animal, whose legs are thinner: more of its springs are inside.
TEST(Springs, elastic_A12_chosen_springs_are_inside_and_shorter) {
  const TriMesh mesh = load_tri_mesh(PLIANT_SOURCE_DIR "/scenes/animal.obj").value();
  const TriangleTree tree(mesh);
  const Placed random = place(mesh, tree, SpringPlacement::random, 1, 10);
  const Placed opposite = place(mesh, tree, SpringPlacement::opposite, 1, 10);
  const Placed five = place(mesh, tree, SpringPlacement::nearest, 5, 10);
  const Placed twenty = place(mesh, tree, SpringPlacement::nearest, 20, 100);
  const Placed hundred = place(mesh, tree, SpringPlacement::nearest, 100, 500);
  EXPECT_GT(opposite.inside, random.inside + 0.01);
  EXPECT_GT(five.inside, opposite.inside + 0.01);
  EXPECT_GT(twenty.inside, five.inside + 0.01);
  EXPECT_GT(hundred.inside, twenty.inside + 0.01);
  EXPECT_LT(five.length, opposite.length - 0.02);
  EXPECT_LT(twenty.length, five.length - 0.02);
  EXPECT_LT(hundred.length, twenty.length - 0.02);
  EXPECT_LE(five.tests, 10);
}

// The item's own cow, which is not ours to pass on: Debian's libcgal-demo has it
// (data/meshes/cow.off in its data.tar.gz, with a vertex of two sheets as two, 2904 of them) to be
// made an OBJ file that PLIANT_COW names. Shares and lengths are those of the item's table.
TEST(Springs, elastic_A12_of_the_cow_of_the_item) {
  const char* path = std::getenv("PLIANT_COW");
  if (path == nullptr) GTEST_SKIP() << "PLIANT_COW names no mesh";
  const TriMesh mesh = load_tri_mesh(path).value();
  ASSERT_EQ(mesh.triangles.size(), 5804u);
  ASSERT_EQ(unique_edges(mesh.triangles).size(), 8706u);
  const TriangleTree tree(mesh);
  struct Case {
    SpringPlacement placement;
    int p, limit;
    double inside, length;
  };
  double before = 0;
  for (const Case& c : {Case{SpringPlacement::random, 1, 10, 0.34, 0.38},
                        Case{SpringPlacement::opposite, 1, 10, 0.46, 0.39},
                        Case{SpringPlacement::nearest, 5, 10, 0.53, 0.20},
                        Case{SpringPlacement::nearest, 20, 100, 0.58, 0.11},
                        Case{SpringPlacement::nearest, 100, 500, 0.69, 0.07}}) {
    const Placed placed = place(mesh, tree, c.placement, c.p, c.limit);
    EXPECT_NEAR(placed.inside, c.inside, 0.05) << c.p;
    EXPECT_NEAR(placed.length, c.length, 0.02) << c.p;
    EXPECT_GT(placed.inside, before + 0.01) << c.p;
    EXPECT_LE(placed.tests, c.limit);
    before = placed.inside;
  }
}

// Of a cow that is rounder than the item's, more springs are inside under every rule; beyond five
// candidates their share falls a little, from 0.79 to 0.71, because the nearest vertex with an
// opposite normal is across the gap between two legs.
TEST(Springs, elastic_A12_of_a_round_cow) {
  const std::string path = PLIANT_SOURCE_DIR "/../shared/data/surfaces/spot.obj";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no mesh of a cow";
  const TriMesh mesh = load_tri_mesh(path).value();
  const TriangleTree tree(mesh);
  const Placed random = place(mesh, tree, SpringPlacement::random, 1, 10);
  const Placed opposite = place(mesh, tree, SpringPlacement::opposite, 1, 10);
  const Placed five = place(mesh, tree, SpringPlacement::nearest, 5, 10);
  const Placed twenty = place(mesh, tree, SpringPlacement::nearest, 20, 100);
  const Placed hundred = place(mesh, tree, SpringPlacement::nearest, 100, 500);
  EXPECT_GT(opposite.inside, random.inside + 0.01);
  EXPECT_GT(five.inside, opposite.inside + 0.01);
  EXPECT_GT(twenty.inside, opposite.inside + 0.01);
  EXPECT_GT(hundred.inside, random.inside + 0.1);
  EXPECT_LT(five.length, 0.7 * opposite.length);
  EXPECT_LT(twenty.length, 0.8 * five.length);
  EXPECT_LT(hundred.length, 0.8 * twenty.length);
}

// An animal of springs that stands on the ground for five seconds: its height, of 0.352 m.
double height_of_animal(int inner, int p) {
  World world({.substeps = 16});
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
  SolidDef def;
  def.mesh = load_tri_mesh(PLIANT_SOURCE_DIR "/scenes/animal.obj").value();
  def.position = {0, 0.01, 0};
  def.model = SolidModel::mass_spring;
  def.springs = {.distance = 0.01,
                 .damping = 2e-4,
                 .law = SpringLaw::equal,
                 .lattice = false,
                 .inner = inner,
                 .candidates = p,
                 .limit = 10 * p};
  def.density = 10;
  def.linear_drag = 1;
  const SolidId id = world.add_solid(def).value();
  for (int n = 0; n < 300; ++n) EXPECT_TRUE(world.step(1.0 / 60).ok());
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  double high = 0;
  for (const Vec3& v : x) high = std::max(high, v.y);
  return high;
}

// The same number of springs of the same stiffness: short ones alone do not carry it, and without
// any it falls like cloth.
TEST(Springs, elastic_A13_short_springs_collapse_and_none_is_cloth) {
  const double tall = height_of_animal(2000, 5);  // 0.331 m; 0.334 m with one candidate
  EXPECT_GT(tall, 0.3);
  EXPECT_LT(height_of_animal(2000, 100), 0.8 * tall);
  EXPECT_LT(height_of_animal(0, 1), 0.4 * tall);
}

// The farthest that the second of two masses, of which the first may be held, comes from rest.
double farthest(double held, double stiffness, double damping, int steps) {
  SpringRig rig({.springs = {{{0, 1}, 1, stiffness, damping}}, .areas = {}, .volumes = {}},
                {{0, 0, 0}, {1, 0, 0}}, {held, 1}, SpringIntegrator::semi_implicit);
  rig.move(1, {1e-3, 0, 0});
  double far = 0;
  for (int n = 0; n < steps && far < 10; ++n) {
    rig.plain_step(1);
    far = std::max(far, std::abs(rig.place(1).x - 1));
  }
  return far;
}

TEST(Springs, elastic_A14_limits_of_a_single_spring) {
  EXPECT_LT(farthest(0, 3.9, 0, 10000), 0.05);
  EXPECT_GT(farthest(0, 4.1, 0, 100), 1);
  EXPECT_LT(farthest(1, 1.9, 0, 10000), 0.05);
  EXPECT_GT(farthest(1, 2.1, 0, 100), 1);
  EXPECT_LT(farthest(0, 2.0, 0.9, 10000), 0.05);  // h^2 k/m + 2 h b/m = 3.8
  EXPECT_GT(farthest(0, 2.0, 1.1, 100), 1);       // 4.2
}

TEST(Springs, elastic_A14_a_body_is_stable_at_nine_tenths_of_its_bound) {
  Random random(14);
  const TetMesh mesh = make_lattice(2, 2, 2, 0.1);
  SpringRig rig(lattice_springs({.damping = 0}, mesh), mesh.vertices,
                std::vector<double>(mesh.vertices.size(), 0.01));
  const double h = 0.9 * stable_step(rig.body.springs);
  for (std::size_t i = 0; i < rig.count(); ++i) rig.move(i, random.point(1e-4));
  const double first = rig.elastic();
  for (int n = 0; n < 100000; ++n) {
    rig.plain_step(h);
    // What explicit integration keeps of an undamped body is another energy, near to this one.
    if (n % 100 == 0) {
      ASSERT_LT(rig.kinetic() + rig.elastic(), 10 * first);
    }
  }
  EXPECT_EQ(spring_steps(rig.body.springs, h).count, 1);
  EXPECT_EQ(spring_steps(rig.body.springs, 5 * h).count, 5);
  EXPECT_EQ(spring_steps(rig.body.springs, 5 * h).scale, 1);
  EXPECT_LT(spring_steps(rig.body.springs, 40 * h).scale, 1);
}

// The bound by the sum of stiffnesses at a vertex, h < sqrt(2 m / sum k), of springs alone: the
// engine's own is not below it, and at 0.9 of it the body is stable.
TEST(Springs, elastic_A14_a_body_is_stable_below_the_bound_of_its_vertices) {
  Random random(14);
  const TetMesh mesh = make_lattice(2, 2, 2, 0.1);
  SpringRows rows = lattice_springs({.volume = 0, .damping = 0}, mesh);
  rows.volumes.clear();
  const double mass = 0.01;
  std::vector<double> sum(mesh.vertices.size(), 0);
  for (const SpringRow& row : rows.springs)
    for (const std::int32_t p : row.particle) sum[std::size_t(p)] += row.stiffness;
  const double bound = std::sqrt(2 * mass / *std::max_element(sum.begin(), sum.end()));
  SpringRig rig(rows, mesh.vertices, std::vector<double>(mesh.vertices.size(), mass),
                SpringIntegrator::semi_implicit);
  EXPECT_GE(stable_step(rig.body.springs), bound * (1 - 1e-6));
  for (std::size_t i = 0; i < rig.count(); ++i) rig.move(i, random.point(1e-4));
  SpringRig beyond = rig;
  const double first = rig.elastic();
  for (int n = 0; n < 100000; ++n) {
    rig.plain_step(0.9 * bound);
    if (n % 100 == 0) {
      ASSERT_LT(rig.kinetic() + rig.elastic(), 20 * first);
    }
  }
  // Control: at three times the bound it is not.
  for (int n = 0; n < 100; ++n) beyond.plain_step(3 * bound);
  EXPECT_FALSE(beyond.kinetic() + beyond.elastic() < 1e6 * first);
}

TEST(Springs, elastic_A14_the_step_is_cut_and_too_stiff_springs_are_reported) {
  for (const double distance : {60.0, 1e6}) {
    World world({.substeps = 4});
    (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
    SolidDef def;
    def.tets = make_lattice(3, 3, 3, 0.1);
    def.position = {0, 0.3, 0};
    def.model = SolidModel::mass_spring;
    def.springs = {.distance = distance, .volume = distance / 3, .damping = 0.001 * distance};
    const SolidId id = world.add_solid(def).value();
    int warnings = 0;
    for (int n = 0; n < 120; ++n) {
      const StepReport report = world.step(1.0 / 60);
      ASSERT_TRUE(report.ok());
      warnings += report.stiff_warning;
    }
    EXPECT_EQ(warnings, distance > 1e3 ? 120 : 0);
    EXPECT_NEAR(world.volume(id), world.rest_volume(id), 0.05 * world.rest_volume(id));
  }
}

TEST(Springs, elastic_A15_threads_do_not_matter) {
  std::uint64_t hashes[3];
  for (const int threads : {1, 2, 3}) {
    World world({}, make_task_pool(threads));
    (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
    SolidDef def;
    def.tets = make_lattice(8, 8, 8, 0.05);
    def.position = {0, 0.21, 0};
    def.velocity = {1, -2, 0};
    def.model = SolidModel::mass_spring;
    def.springs = {.distance = 2, .volume = 1, .damping = 0.01};
    (void)world.add_solid(def).value();
    for (int n = 0; n < 30; ++n) ASSERT_TRUE(world.step(1.0 / 60).ok());
    hashes[threads - 1] = world.state_hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Springs, elastic_A15_momentum_is_kept_and_damping_leaves_spin_alone) {
  Random random(16);
  const TetMesh mesh = make_lattice(2, 2, 2, 0.5);
  const SpringRows rows = lattice_springs({.distance = 200, .volume = 50, .damping = 2}, mesh);
  SpringRig rig(rows, mesh.vertices, std::vector<double>(mesh.vertices.size(), 0.1));
  SpringRig turns = rig;
  for (std::size_t i = 0; i < rig.count(); ++i) {
    rig.set_velocity(i, random.point(1));
    turns.set_velocity(i, cross(Vec3{0, 1, 0}, mesh.vertices[i]));
  }
  const Vec3 momentum = rig.momentum(), spin = rig.angular_momentum();
  const double turning = turns.angular_momentum().y;
  for (int n = 0; n < 5000; ++n) {
    rig.substep(0.002), turns.substep(0.002);
    ASSERT_LT(length(rig.momentum() - momentum), tolerance(1e-10, 1e-3));
    ASSERT_LT(length(rig.angular_momentum() - spin), tolerance(1e-10, 1e-3));
  }
  EXPECT_NEAR(turns.angular_momentum().y, turning, 0.01 * turning);
  double inertia = 0;
  for (std::size_t i = 0; i < turns.count(); ++i) {
    const Vec3 p = turns.place(i);
    inertia += turns.mass(i) * (p.x * p.x + p.z * p.z);
  }
  EXPECT_NEAR(turns.angular_momentum().y / inertia, 1, 0.01);  // rad/s
}

// Three tetrahedra: a side of 1 m of the first, from vertex 0 down to 1; two of 0.5 m below each
// other of the other two, from 4 over 5 to 6. So a whole and its halves come from one mesh.
TetMesh whole_and_halves() {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0},      {0, -1, 0},       {0.7, 0, 0},   {0, 0, 0.7},
                   {5, 0, 0},      {5, -0.5, 0},     {5, -1, 0},    {5.4, -0.2, 0},
                   {5, -0.2, 0.4}, {5.4, -0.8, 0.1}, {5, -0.8, 0.5}};
  mesh.tetrahedra = {{0, 1, 2, 3}, {4, 5, 7, 8}, {5, 6, 9, 10}};
  return mesh;
}

// m, of the lower ends of the whole and of the halves when they have come to rest. Springs are bars
// of 1 kg, half of it at each end of each, and carry 1 kg: at rest the whole sags by 1.5 kg g / k,
// the halves by (1.25 kg + 1.75 kg) g / (2 k). 4 is nearly critical damping.
std::array<double, 2> sags(SpringLaw law) {
  const Springs def{.distance = 60, .volume = 0, .damping = 4, .law = law};
  const TetMesh mesh = whole_and_halves();
  SpringRows rows = lattice_springs(def, mesh);
  const std::set<std::array<std::int32_t, 2>> kept{{0, 1}, {4, 5}, {5, 6}};
  std::erase_if(rows.springs, [&](const SpringRow& r) { return !kept.contains(r.particle); });
  EXPECT_EQ(rows.springs.size(), 3u);
  std::vector<double> mass(mesh.vertices.size(), 0);
  mass[1] = 1.5, mass[5] = 0.5, mass[6] = 1.25;
  SpringRig rig(rows, mesh.vertices, mass);
  for (int n = 0; n < 20000; ++n) rig.substep(1e-3, {0, -9.81, 0});
  EXPECT_LT(length(rig.velocity(1)) + length(rig.velocity(6)), tolerance(1e-9, 1e-4));  // m/s
  return {-1 - rig.place(1).y, -1 - rig.place(6).y};
}

TEST(Springs, elastic_A16_two_half_springs_are_one) {
  const auto [whole, halves] = sags(SpringLaw::length);
  EXPECT_GT(whole, 0.05);
  EXPECT_NEAR(halves / whole, 1, tolerance(1e-6, 1e-5));
  // Control: halves as stiff as the whole sag twice as far, four times as stiff half as far.
  const auto [whole_equal, halves_equal] = sags(SpringLaw::equal);
  EXPECT_NEAR(halves_equal / whole_equal, 2, tolerance(1e-6, 1e-5));
  const auto [whole_energy, halves_energy] = sags(SpringLaw::energy);
  EXPECT_NEAR(halves_energy / whole_energy, 0.5, tolerance(1e-6, 1e-5));
}

// The rule of the builder on a lattice with sides of which some are twice as long as others.
TEST(Springs, elastic_A16_stiffness_falls_with_length) {
  TetMesh mesh = make_lattice(1, 1, 1, 1);
  for (Vec3& v : mesh.vertices) v.x *= 2;
  const SpringRows rows = lattice_springs({.distance = 3, .law = SpringLaw::length}, mesh);
  for (const SpringRow& row : rows.springs)
    EXPECT_NEAR(row.stiffness * row.rest, rows.springs[0].stiffness * rows.springs[0].rest, 1e-9);
}

// A ball that hangs by its top: the rms of its vertices from the mean of their neighbours (m).
double roughness(double surface_factor) {
  World world({.substeps = 16});
  SolidDef def;
  def.mesh = make_sphere(0.3, 3);
  def.model = SolidModel::mass_spring;
  def.springs = {.distance = 0.2,
                 .damping = 0.004,
                 .law = SpringLaw::equal,
                 .surface_factor = surface_factor,
                 .lattice = false,
                 .inner = 2500,
                 .placement = SpringPlacement::opposite};
  def.density = 30;
  def.linear_drag = 2;
  std::int32_t top = 0;
  for (std::int32_t v = 0; v < std::int32_t(def.mesh.vertices.size()); ++v)
    if (def.mesh.vertices[std::size_t(v)].y > def.mesh.vertices[std::size_t(top)].y) top = v;
  def.pins = {{.vertices = {top}}};
  const SolidId id = world.add_solid(def).value();
  for (int n = 0; n < 240; ++n) EXPECT_TRUE(world.step(1.0 / 60).ok());
  std::vector<Vec3> x, sum(def.mesh.vertices.size());
  std::vector<int> around(sum.size(), 0);
  world.copy_positions(id, x);
  for (const MeshEdge& e : unique_edges(def.mesh.triangles)) {
    sum[std::size_t(e.a)] += x[std::size_t(e.b)], ++around[std::size_t(e.a)];
    sum[std::size_t(e.b)] += x[std::size_t(e.a)], ++around[std::size_t(e.b)];
  }
  double rough = 0;
  for (std::size_t v = 0; v < x.size(); ++v)
    rough += length_sq(x[v] - sum[v] / double(around[v])) / double(x.size());
  return std::sqrt(rough);
}

TEST(Springs, elastic_A16_a_stiffer_surface_is_smoother) {
  EXPECT_LT(roughness(10), 0.5 * roughness(1));
}

}  // namespace
}  // namespace pliant
