// Cloth that meets itself by particles: layers come to rest r apart, a drape over a ball and a
// crumple on a small one, momentum, and that everything else goes on as it did.
//
// Seen to fail: with contacts that move nothing, with friction left out, with only one of the two
// moved, and with 0.8 r kept.
#include "sheet_rig.h"

namespace pliant {
namespace {

ClothDef by_particles(ClothDef cloth) {
  cloth.self_contact = true;
  cloth.self_contact_by = SelfContact::particles;
  return cloth;
}

// Mean height (m) of the vertices of a folded sheet that were at u from 0 to 1 in its rest shape.
double height(SheetRig& rig, const ClothDef& cloth, double from, double to) {
  std::vector<Vec3> places;
  rig.world.copy_positions(rig.cloths[0], places);
  double sum = 0;
  int count = 0;
  for (std::size_t v = 0; v < places.size(); ++v) {
    const double u = cloth.mesh.vertices[v].x + 0.5;
    if (u < from || u > to) continue;
    sum += places[v].y;
    ++count;
  }
  return sum / count;
}

// Cells of 1/24 m: the vertices of the upper layer lie above those of the lower one.
TEST(SelfParticles, layers_come_to_rest_an_edge_length_apart) {
  SheetRig rig;
  rig.add_floor();
  const ClothDef cloth = by_particles(folded_sheet(24));
  rig.add(cloth);
  rig.expect_no_crossing(2);
  const double apart = height(rig, cloth, 0.6, 1) - height(rig, cloth, 0, 0.4);
  EXPECT_NEAR(apart, 1. / 24, 0.01 / 24);
  EXPECT_EQ(rig.world.measurements().asleep, 1);
}

// A thickness of two cells is kept instead.
TEST(SelfParticles, a_greater_thickness_is_kept) {
  SheetRig rig;
  rig.add_floor();
  ClothDef cloth = by_particles(folded_sheet(48));
  cloth.thickness = 2. / 48;
  rig.add(cloth);
  rig.expect_no_crossing(2);
  const double apart = height(rig, cloth, 0.6, 1) - height(rig, cloth, 0, 0.4);
  EXPECT_NEAR(apart, 2. / 48, 0.02 / 48);
}

void add_ball(SheetRig& rig, double radius, const Vec3& at) {
  BodyDef ball;
  ball.motion = Motion::fixed;
  ball.shape = Sphere{radius};
  ball.position = at;
  rig.world.add_body(ball).value();
}

// Half a metre of cloth falls over a ball and hangs in folds around it.
std::size_t crossings_of_a_drape(bool meets, int threads = 0) {
  WorldDef def;
  def.sleep = false;
  def.substeps = 16;
  SheetRig rig(def, threads);
  add_ball(rig, 0.08, {0, 0.3, 0});
  ClothDef cloth;
  cloth.mesh = make_grid(30, 30, 0.6, 0.6);
  cloth.position = {0.01, 0.4, 0.007};
  if (meets) cloth = by_particles(cloth);
  rig.add(cloth);
  for (int n = 0; n < 120; ++n) rig.world.step(1. / 60);
  return rig.crossings();
}

TEST(SelfParticles, a_drape_over_a_ball_ends_without_crossings) {
  EXPECT_EQ(crossings_of_a_drape(true), 0u);
  EXPECT_GT(crossings_of_a_drape(false), 0u);  // control
}

// Free cloth that closes like a book: what the two halves do to each other is nobody else's.
TEST(SelfParticles, a_closing_book_keeps_momentum) {
  SheetRig rig(weightless_sheets());
  ClothDef cloth = by_particles(folded_sheet(20));
  cloth.linear_drag = 0;
  for (std::size_t v = 0; v < cloth.mesh.vertices.size(); ++v)
    if (cloth.mesh.vertices[v].x > 0.05) cloth.initial_velocities[v] = {0.1, -1, 0.2};
  rig.add(cloth);
  rig.world.step(1. / 60);
  const Measurements before = rig.world.measurements();
  int contacts = 0;
  for (int n = 0; n < 30; ++n) {
    rig.world.step(1. / 60);
    contacts = std::max(contacts, rig.world.measurements().contacts);
  }
  const Measurements after = rig.world.measurements();
  EXPECT_GT(contacts, 20);
  EXPECT_LT(length(after.momentum - before.momentum), 1e-3 * length(before.momentum));
  EXPECT_LT(after.kinetic_energy + after.elastic_energy,
            before.kinetic_energy + before.elastic_energy);
}

// The lower half lies on a rough floor, the upper one, whose rim is pulled along, follows the pull
// where the cloth is smooth and stays behind where it is rough.
double slid(double friction) {
  WorldDef def;
  def.sleep = false;
  SheetRig rig(def);
  BodyDef floor;
  floor.motion = Motion::fixed;
  floor.shape = HalfSpace{};
  rig.world.add_body(floor).value();
  ClothDef cloth = by_particles(folded_sheet(20));
  cloth.surface = {friction, friction, 0};
  Pin lower;
  for (std::size_t v = 0; v < cloth.mesh.vertices.size(); ++v)
    if (cloth.mesh.vertices[v].x < -0.06) lower.vertices.push_back(std::int32_t(v));
  cloth.pins = {lower};
  for (std::size_t v = 0; v < cloth.mesh.vertices.size(); ++v)
    if (cloth.mesh.vertices[v].x > 0.06) cloth.initial_velocities[v] = {0, 0, 0.6};
  rig.add(cloth);
  std::vector<Vec3> from, to;
  rig.world.copy_positions(rig.cloths[0], from);
  for (int n = 0; n < 60; ++n) rig.world.step(1. / 60);
  rig.world.copy_positions(rig.cloths[0], to);
  double sum = 0;
  int count = 0;
  for (std::size_t v = 0; v < to.size(); ++v)
    if (cloth.mesh.vertices[v].x > 0.3) sum += to[v].z - from[v].z, ++count;
  return sum / count;
}

TEST(SelfParticles, a_fold_sticks_or_slips) {
  // The crease alone holds the smooth one.
  EXPECT_GT(slid(0), slid(0.8) + 0.02);
}

// Other cloth is met by features: a stack of two lies a thickness apart, not a cell.
TEST(SelfParticles, other_cloth_is_met_by_features) {
  SheetRig rig;
  rig.add_floor();
  ClothDef cloth;
  cloth.mesh = make_grid(12, 12, 0.24, 0.24);
  for (const double y : {0.01, 0.03}) {
    cloth.position = {0, y, 0};
    rig.add(by_particles(cloth));
  }
  rig.expect_no_crossing(2);
  std::vector<Vec3> places;
  rig.world.copy_positions(rig.cloths[1], places);
  double sum = 0;
  for (const Vec3& p : places) sum += p.y / double(places.size());
  EXPECT_NEAR(sum, 1.5 * cloth.thickness, 0.3 * cloth.thickness);
}

// Held vertices are not moved by those that meet them.
TEST(SelfParticles, pins_hold) {
  SheetRig rig;
  const ClothDef cloth = by_particles(twisted_sheet(20, 1));
  rig.add(cloth);
  for (int n = 0; n < 120; ++n) rig.world.step(1. / 60);
  std::vector<Vec3> places;
  rig.world.copy_positions(rig.cloths[0], places);
  for (const Pin& pin : cloth.pins)
    for (const std::int32_t v : pin.vertices)
      EXPECT_LT(length(places[std::size_t(v)] - cloth.mesh.vertices[std::size_t(v)]), 1e-5);
}

// Removing and adding cloths leaves the others as they are.
TEST(SelfParticles, cloths_come_and_go) {
  SheetRig rig;
  rig.add_floor();
  ClothDef cloth = by_particles(folded_sheet(12));
  const ClothId first = rig.world.add_cloth(cloth).value();
  for (Vec3& p : cloth.initial_positions) p.x += 5;
  const ClothId second = rig.world.add_cloth(cloth).value();
  for (int n = 0; n < 20; ++n) rig.world.step(1. / 60);
  rig.world.remove(first);
  for (int n = 0; n < 20; ++n) ASSERT_EQ(rig.world.step(1. / 60).frozen, 0);
  std::vector<Vec3> places;
  rig.world.copy_positions(second, places);
  for (const Vec3& p : places) EXPECT_LT(std::abs(p.y), 0.1);
}

// Panels that are sewn while they meet themselves: the body is rebuilt as vertices become one.
// (These seams are strong enough to close without being let through.)
TEST(SelfParticles, seams_close) {
  SceneProblems problems;
  std::vector<std::string> overrides;
  for (const char* cloth : {"front", "back"}) {
    overrides.push_back(std::string("cloths.") + cloth + ".self_contact=true");
    overrides.push_back(std::string("cloths.") + cloth + ".self_contact_by=\"particles\"");
  }
  const auto scene = load_scene(PLIANT_SOURCE_DIR "/scenes/poncho.json", overrides, problems);
  ASSERT_TRUE(scene.has_value());
  SceneWorld built = build_world(*scene).value();
  for (int n = 0; n < 180; ++n) ASSERT_EQ(built.world.step(1. / 60).frozen, 0);
  for (const char* seam : {"left", "right"})
    EXPECT_EQ(measure(built, seam, "merged").value(), 12) << seam;
}

}  // namespace
}  // namespace pliant
