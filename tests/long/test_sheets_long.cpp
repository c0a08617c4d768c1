// Ten seconds of cloth against itself at default settings (8 substeps of 1/60 s, thickness 4 mm = a
// radius of 2 mm): no two triangles ever pass through each other, looked at after every step, every
// 60th time by trying all pairs too; in the three of cloth_A21 no two features are ever nearer than
// 1.6 radii.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "verification/sheet_rig.h"

namespace pliant {
namespace {

constexpr double k_kept = 1.6 * 2e-3;  // m

TEST(SheetsLong, cloth_A21_fold) {
  SheetRig rig;
  rig.add_floor();
  rig.add(folded_sheet(60));
  rig.expect_no_crossing(10, k_kept);
}

TEST(SheetsLong, cloth_A21_tablecloth_slides_off) {
  SheetRig rig;
  add_sliding_tablecloth(rig, 60);
  rig.expect_no_crossing(10, k_kept);
  std::vector<Vec3> places;
  rig.world.copy_positions(rig.cloths[0], places);
  for (const Vec3& p : places) ASSERT_LT(p.y, 0.5) << "it has slid off";
}

TEST(SheetsLong, cloth_A21_twist_by_three_turns_and_back) {
  SheetRig rig;
  rig.add(twisted_sheet(60, 3));
  rig.expect_no_crossing(10, k_kept);
}

TEST(SheetsLong, stack_of_ten) {
  SheetRig rig;
  add_stack(rig, 10, 30, 0.5);
  rig.expect_no_crossing(10);
}

TEST(SheetsLong, crumpled_on_a_small_sphere) {
  SheetRig rig;
  rig.add_floor();
  BodyDef ball;
  ball.motion = Motion::fixed;
  ball.shape = Sphere{0.08};
  ball.position = {0, 0.3, 0};
  rig.world.add_body(ball).value();
  ClothDef cloth;
  cloth.mesh = make_grid(50, 50, 1, 1);
  cloth.self_contact = true;
  cloth.position = {0.03, 0.6, 0.02};
  rig.add(cloth);
  rig.expect_no_crossing(10);
}

constexpr double k_tube = 0.02;  // m, radius of the ring's capsules

// Sixteen capsules make a ring of inner radius 8 cm; the cloth is pulled down through it by its
// middle at 2 m/s, to 1.14 m below.
void pull_through_a_ring(SheetRig& rig, bool tethers) {
  constexpr int k_parts = 16;
  const double radius = 0.08 + k_tube;
  for (int n = 0; n < k_parts; ++n) {
    const double angle = 2 * k_pi * (n + 0.5) / k_parts, turned = -angle / 2;
    BodyDef part;
    part.motion = Motion::fixed;
    part.shape = Capsule{k_tube, radius * std::tan(k_pi / k_parts)};
    part.position = {radius * std::cos(angle), 0, radius * std::sin(angle)};
    // The capsule's axis, y, is laid along z and then turned about y.
    const Quat lay{std::sin(k_pi / 4), 0, 0, std::cos(k_pi / 4)};
    part.rotation = Quat{0, std::sin(turned), 0, std::cos(turned)} * lay;
    rig.world.add_body(part).value();
  }
  ClothDef cloth;
  cloth.mesh = make_grid(50, 50, 1, 1);
  cloth.self_contact = true;
  cloth.position = {0, 0.06, 0};
  cloth.tethers = tethers;
  Pin middle;
  for (std::size_t v = 0; v < cloth.mesh.vertices.size(); ++v) {
    const Vec3& x = cloth.mesh.vertices[v];
    if (std::abs(x.x) < 0.021 && std::abs(x.z) < 0.021) middle.vertices.push_back(std::int32_t(v));
  }
  middle.path = {{0.2, {}, {}}, {0.8, {0, -1.2, 0}, {}}};
  cloth.pins = {middle};
  rig.add(cloth);
  rig.expect_no_crossing(10);
}

// How many vertices are not below the ring.
std::ptrdiff_t not_through(const SheetRig& rig) {
  return std::count_if(rig.joined.vertices.begin(), rig.joined.vertices.end(),
                       [](const Vec3& p) { return p.y > -k_tube; });
}

// All of the cloth comes through, within a quarter of a second; while the last of it does, edges of
// so light a cloth are drawn out to 14 times their length.
TEST(SheetsLong, pulled_through_a_ring) {
  SheetRig rig;
  pull_through_a_ring(rig, true);
  EXPECT_EQ(not_through(rig), 0);
}

// Without tethers it jams, and so light a cloth is torn out like rubber, its edges to 16 times
// their length: nothing crosses there either.
TEST(SheetsLong, jammed_in_a_ring_without_tethers) {
  SheetRig rig;
  pull_through_a_ring(rig, false);
  EXPECT_GT(not_through(rig), 0);
}

// The places of a scene's cloths as one mesh. Vertices that have become one have one place to the
// bit, and are one here too: neighbours may touch. Counts those that were merged into another.
TriMesh joined_cloths(const Scene& scene, const SceneWorld& built, int& merged) {
  TriMesh joined;
  std::map<std::array<double, 3>, std::int32_t> number;
  merged = 0;
  for (const ClothDef& cloth : scene.cloths) {
    std::vector<Vec3> places;
    std::vector<std::int32_t> at;
    built.world.copy_positions(built.cloths.at(cloth.name), places);
    for (const Vec3& p : places) {
      const auto [place, fresh] =
          number.insert({{p.x, p.y, p.z}, std::int32_t(joined.vertices.size())});
      if (fresh) joined.vertices.push_back(p);
      merged += !fresh;
      at.push_back(place->second);
    }
    for (const Triangle& t : cloth.mesh.triangles)
      joined.triangles.push_back(
          {at[std::size_t(t[0])], at[std::size_t(t[1])], at[std::size_t(t[2])]});
  }
  return joined;
}

// Two panels that are sewn at the shoulders of a figure. With the default number of substeps one of
// the 24 stitches stays open by 1.3 mm, 0.3 mm more than it may; with the scene's own all close.
// Seen to fail without self_contact.
TEST(SheetsLong, poncho) {
  for (const int substeps : {WorldDef{}.substeps, 16}) {
    SceneProblems problems;
    const auto scene = load_scene(PLIANT_SOURCE_DIR "/scenes/poncho.json",
                                  {"world.substeps=" + std::to_string(substeps)}, problems);
    ASSERT_TRUE(scene.has_value());
    SceneWorld built = build_world(*scene).value();
    int merged = 0;
    for (int frame = 1; frame <= 600; ++frame) {
      ASSERT_EQ(built.world.step(1. / 60).frozen, 0) << "frame " << frame;
      const TriMesh joined = joined_cloths(*scene, built, merged);
      ASSERT_EQ(crossings_in(joined, frame).size(), 0u) << "frame " << frame;
    }
    EXPECT_GE(merged, substeps == 16 ? 24 : 22) << "of twelve on each shoulder";
  }
}

// Pairs of triangles that cross, in each frame of the benchmark's drape.
std::vector<std::size_t> crossings_of_the_drape(const std::vector<std::string>& overrides,
                                                int frames) {
  SceneProblems problems;
  const auto scene =
      load_scene(PLIANT_SOURCE_DIR "/scenes/benchmark/drape128.json", overrides, problems);
  SceneWorld built = build_world(scene.value()).value();
  TriMesh mesh = scene->cloths[0].mesh;
  std::vector<std::size_t> counts;
  for (int n = 0; n < frames; ++n) {
    built.world.step(scene->dt);
    built.world.copy_positions(built.cloths.at("cloth"), mesh.vertices);
    counts.push_back(crossings_in(mesh, n).size());
  }
  return counts;
}

// By features nothing ever crosses. By particles that keep a quarter more than a cell nothing does
// once the cloth hangs, after a second: where a crease is being made, neighbours may, now and then.
// The control: folds that do not meet go through each other for good.
TEST(SheetsLong, the_drape_of_the_bench) {
  const int hangs = 60, frames = 360;
  for (const std::size_t count : crossings_of_the_drape(
           {"cloths.cloth.self_contact_by=\"features\"", "cloths.cloth.thickness=0.002"}, frames))
    EXPECT_EQ(count, 0u);
  const auto by_particles = crossings_of_the_drape({}, frames);
  std::size_t falling = 0;
  for (int n = 0; n < hangs; ++n) falling += by_particles[std::size_t(n)] > 0 ? 1 : 0;
  EXPECT_LE(falling, 10u) << "frames in which something crosses";
  for (int n = hangs; n < frames; ++n) EXPECT_EQ(by_particles[std::size_t(n)], 0u) << "frame " << n;
  EXPECT_GT(crossings_of_the_drape({"cloths.cloth.self_contact=false"}, 180).back(), 100u);
}

}  // namespace
}  // namespace pliant
