// Solids that begin as they should not: with random places, pressed flat and inside out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include <pliant/pliant.h>

#include "geometry/topology.h"

namespace pliant {
namespace {

// A metre high, around the origin.
void fit(TetMesh& mesh) {
  Vec3 low = mesh.vertices[0], high = low;
  for (const Vec3& v : mesh.vertices) low = min(low, v), high = max(high, v);
  for (Vec3& v : mesh.vertices) v = (v - (low + high) * 0.5) / (high.y - low.y);
}

// Head, trunk, arms, legs and a tail, out of the cubes of a lattice: some 4000 tetrahedra.
TetMesh figure() {
  constexpr int k_nx = 16, k_ny = 23, k_nz = 12;
  constexpr int k_parts[][6] = {{5, 10, 8, 17, 0, 5},   {6, 9, 18, 22, 0, 5}, {0, 4, 14, 16, 1, 4},
                                {11, 15, 14, 16, 1, 4}, {5, 6, 0, 7, 0, 3},   {9, 10, 0, 7, 0, 3},
                                {7, 8, 8, 9, 6, 11}};
  const TetMesh whole = make_lattice(k_nx, k_ny, k_nz, 1);
  const Vec3 half{k_nx / 2.0, k_ny / 2.0, k_nz / 2.0};
  TetMesh mesh;
  std::vector<std::int32_t> number(whole.vertices.size(), -1);
  for (std::size_t cube = 0; cube + 4 < whole.tetrahedra.size(); cube += 5) {
    Vec3 low{1e9, 1e9, 1e9};
    for (std::size_t n = 0; n < 5; ++n)
      for (const std::int32_t v : whole.tetrahedra[cube + n])
        low = min(low, whole.vertices[std::size_t(v)]);
    const Vec3 at = low + half;
    bool wanted = false;
    for (const auto& p : k_parts)
      wanted |= at.x > p[0] - 0.5 && at.x < p[1] + 0.5 && at.y > p[2] - 0.5 && at.y < p[3] + 0.5 &&
                at.z > p[4] - 0.5 && at.z < p[5] + 0.5;
    for (std::size_t n = 0; wanted && n < 5; ++n) {
      Tetrahedron t = whole.tetrahedra[cube + n];
      for (std::int32_t& v : t) {
        std::int32_t& known = number[std::size_t(v)];
        if (known < 0) {
          known = std::int32_t(mesh.vertices.size());
          mesh.vertices.push_back(whole.vertices[std::size_t(v)]);
        }
        v = known;
      }
      mesh.tetrahedra.push_back(t);
    }
  }
  fit(mesh);
  return mesh;
}

const std::string k_armadillo = PLIANT_SOURCE_DIR "/../shared/data/tets/armadillo_4k_pbd.node";
TetMesh armadillo() {
  TetMesh mesh = load_tet_mesh(k_armadillo).value();
  fit(mesh);
  return mesh;
}

enum class Start { random, flat, inside_out, point };
constexpr const char* k_names[] = {"random", "flat", "inside out", "point"};

struct Recovered {
  int inverted = 0;     // tetrahedra
  double volume = 0;    // of that at rest
  double farthest = 0;  // an edge from its length at rest, of that
  double speed = 0;     // m/s, rms, in the last step before it sleeps
  double seconds = 0;   // until it sleeps
  bool asleep = false;
};

// Until it sleeps, but no longer than `seconds`.
Recovered run(SolidDef def, const TetMesh& mesh, Start start, double seconds, int substeps) {
  WorldDef settings;
  settings.gravity = {};
  settings.substeps = substeps;
  World world(settings);
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> anywhere(-0.5, 0.5);
  def.tets = mesh;
  for (Vec3 x : mesh.vertices) {
    if (start == Start::random) x = {anywhere(engine), anywhere(engine), anywhere(engine)};
    if (start == Start::flat) x.z = 0;
    if (start == Start::inside_out) x = -x;
    if (start == Start::point) x = {};
    def.initial_positions.push_back(x);
  }
  const SolidId id = world.add_solid(def).value();
  Recovered r;
  for (int n = 0; n < int(seconds * 60) && !r.asleep; ++n) {
    r.speed = std::sqrt(2 * world.measurements().kinetic_energy / world.mass(id));
    EXPECT_TRUE(world.step(1.0 / 60).ok());
    r.asleep = world.asleep(id);
  }
  r.seconds = world.time();
  TetMesh now = mesh;
  world.copy_positions(id, now.vertices);
  double volume = 0, rest = 0;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const double v = signed_volume(now, t);
    r.inverted += !(v > 0);
    volume += v, rest += signed_volume(mesh, t);
  }
  r.volume = volume / rest;
  for (const VertexPair& edge : unique_edges(mesh.tetrahedra)) {
    const auto length_in = [&](const TetMesh& m) {
      return length(m.vertices[std::size_t(edge[0])] - m.vertices[std::size_t(edge[1])]);
    };
    r.farthest = std::max(r.farthest, std::abs(length_in(now) / length_in(mesh) - 1));
  }
  return r;
}

// What swings with a drag of 2/s loses a factor e in each second: of the 10 m/s at which parts fly
// to their places so little is left after 8 s that nothing moves by the 2 mm in half a second that
// keep a body awake. It has that half second to fall asleep in, and as long again to find its form.
// Seen to fail with 4 s, in which only clusters sleep.
constexpr double k_longest = 10;             // s
constexpr double k_rest_speed = 2e-3 / 0.5;  // m/s, of what may sleep
// What rests without load has its form, up to the swing that is left: at that speed a mode of a
// hertz is 0.6 mm out, and bends a body of a metre by that, not an edge of it. A body folded into
// itself is far from that: where inverted elements stay (below), an edge is 0.7 of its length off.
constexpr double k_rest_strain = 0.01;

void print(const TetMesh& mesh, Start start, const Recovered& r) {
  std::printf(
      "%zu tetrahedra, %s: %d inverted, volume %.4f, edges within %.4f, %s after %.1f s, "
      "%.5f m/s\n",
      mesh.tetrahedra.size(), k_names[int(start)], r.inverted, r.volume, r.farthest,
      r.asleep ? "asleep" : "awake", r.seconds, r.speed);
}
void expect_recovered(const SolidDef& def, const TetMesh& mesh, Start start, int substeps) {
  const Recovered r = run(def, mesh, start, k_longest, substeps);
  print(mesh, start, r);
  EXPECT_EQ(r.inverted, 0) << k_names[int(start)];
  EXPECT_NEAR(r.volume, 1, 0.01) << k_names[int(start)];
  EXPECT_TRUE(r.asleep) << k_names[int(start)];
  EXPECT_LE(r.speed, k_rest_speed) << k_names[int(start)];
  EXPECT_LE(r.farthest, k_rest_strain) << k_names[int(start)];
}

SolidDef elements(Energy energy) {
  SolidDef def;
  def.model = SolidModel::fem;
  def.energy = energy;
  def.linear_drag = 2;
  return def;
}
SolidDef clusters() {
  SolidDef def;
  def.model = SolidModel::shape_matching;
  def.matching = {.frequency = 60, .cluster_cells = 4};
  def.linear_drag = 2;
  return def;
}

constexpr Start k_trio[] = {Start::random, Start::flat, Start::inside_out};

TEST(Recovery, figure_of_corotated_elements) {
  for (const Start start : k_trio)
    expect_recovered(elements(Energy::corotated), figure(), start, 16);
}
TEST(Recovery, figure_of_neo_hookean_elements) {
  SolidDef def = elements(Energy::neo_hookean);
  for (const double ratio : {0.4, 0.45}) {
    def.poisson_ratio = ratio;
    for (const Start start : {Start::random, Start::flat, Start::inside_out, Start::point})
      expect_recovered(def, figure(), start, 16);
  }
}
// Nearer to 1/2 a knot of some inverted elements stays now and then: with this figure, ratio 0.49
// and slightly different drags in 4 of 24 runs, 10 elements at most; flat ones always come back.
TEST(Recovery, figure_of_nearly_incompressible_elements) {
  SolidDef def = elements(Energy::neo_hookean);
  def.poisson_ratio = 0.49;
  expect_recovered(def, figure(), Start::flat, 16);
  for (const Start start : {Start::random, Start::inside_out, Start::point}) {
    const Recovered r = run(def, figure(), start, k_longest, 16);
    print(figure(), start, r);
    EXPECT_LE(r.inverted, 20) << k_names[int(start)] << " of 3760";
    EXPECT_NEAR(r.volume, 1, 0.01) << k_names[int(start)];
  }
}
// Without drag it has its form again but swings on.
TEST(Recovery, figure_of_clusters_without_drag) {
  SolidDef def = clusters();
  def.linear_drag = 0;
  for (const Start start : k_trio) {
    const Recovered r = run(def, figure(), start, 4, 8);
    print(figure(), start, r);
    EXPECT_EQ(r.inverted, 0) << k_names[int(start)];
    EXPECT_NEAR(r.volume, 1, 0.01) << k_names[int(start)];
    EXPECT_LE(r.farthest, 0.05) << k_names[int(start)];
  }
}
TEST(Recovery, figure_of_clusters) {
  for (const Start start : k_trio) expect_recovered(clusters(), figure(), start, 8);
}

TEST(Recovery, armadillo_of_corotated_elements) {
  if (!std::filesystem::exists(k_armadillo)) GTEST_SKIP() << "no armadillo";
  for (const Start start : k_trio)
    expect_recovered(elements(Energy::corotated), armadillo(), start, 16);
}
TEST(Recovery, armadillo_of_neo_hookean_elements) {
  if (!std::filesystem::exists(k_armadillo)) GTEST_SKIP() << "no armadillo";
  SolidDef def = elements(Energy::neo_hookean);
  for (const double ratio : {0.45, 0.49}) {
    def.poisson_ratio = ratio;
    for (const Start start : k_trio) expect_recovered(def, armadillo(), start, 16);
  }
}
TEST(Recovery, armadillo_of_clusters) {
  if (!std::filesystem::exists(k_armadillo)) GTEST_SKIP() << "no armadillo";
  for (const Start start : k_trio) expect_recovered(clusters(), armadillo(), start, 8);
}

// Explicit forces on what is thrown together, an edge 30 times as long as at rest, are beyond any
// substep (docs/limitations.md); from a plane and from inside out they lead back.
TEST(Recovery, figure_of_explicit_elements) {
  SolidDef def = elements(Energy::corotated);
  def.model = SolidModel::explicit_fem;
  def.damping = 1e-4;
  for (const Start start : {Start::flat, Start::inside_out})
    expect_recovered(def, figure(), start, 64);
}

// Control: after two frames of it none has recovered.
TEST(Recovery, control_takes_time) {
  for (const Start start : k_trio) {
    const Recovered r = run(elements(Energy::corotated), figure(), start, 2.0 / 60, 16);
    EXPECT_TRUE(r.inverted > 0 || std::abs(r.volume - 1) > 0.01) << k_names[int(start)];
  }
}

}  // namespace
}  // namespace pliant
