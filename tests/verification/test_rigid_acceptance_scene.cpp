// The appendix scene of the rigid specification, from its XML (ACCEPTANCE 14): when its balls hit
// what, by an integration with Runge and Kutta that is converged to 1e-9 s.
#include <gtest/gtest.h>
#include <pliant/scene.h>

#include <cmath>
#include <string>
#include <vector>

using namespace pliant;

namespace {

struct Reference {
  double time;
  const char *a, *b;
  Vec3 point;
};
constexpr Reference k_events[] = {
    {0.738313, "5853", "8855", {2.8473, 0, 3.0077}},
    {0.916404, "15921", "5853", {2.1473, 1.0601, 1.4746}},
    {1.006568, "15921", "8855", {2.0421, 0, 1.0121}},
    {1.316711, "5853", "6334", {1.3049, 2.8000, 0}},
    {1.435891, "5853", "8365", {0, 3.0689, 1.3826}},
    {2.015795, "15921", "6334", {2.0246, 2.4281, 0}},
    {2.164841, "8945", "8855", {7.4488, 0, 7.4488}},
};

double total_energy(const World& world) {
  return world.measurements().kinetic_energy + world.measurements().potential_energy;
}

bool same_pair(const SceneWorld& scene, const Event& event, const Reference& r) {
  const AnyId a = scene.bodies.at(r.a), b = scene.bodies.at(r.b);
  return (event.a == a && event.b == b) || (event.a == b && event.b == a);
}

}  // namespace

TEST(Acceptance, rigid_A14_appendix_scene) {
#ifndef PLIANT_PUGIXML
  GTEST_SKIP() << "built without pugixml";
#endif
  SceneProblems problems;
  const auto scene = load_scene(PLIANT_SOURCE_DIR "/scenes/polyphysics.xml", {}, problems);
  ASSERT_TRUE(scene) << problems.errors.at(0).text();
  SceneWorld sw = build_world(*scene).value();
  std::vector<Event> impacts;
  while (sw.world.time() < 2.5 - 1e-9) {
    sw.world.step(1.0 / 240);
    for (const Event& event : sw.world.events())
      if (event.kind == EventKind::impact) impacts.push_back(event);
  }
  ASSERT_GE(impacts.size(), std::size(k_events));
  for (std::size_t n = 0; n < std::size(k_events); ++n) {
    EXPECT_TRUE(same_pair(sw, impacts[n], k_events[n])) << n;
    EXPECT_NEAR(impacts[n].time, k_events[n].time, 0.002) << n;
    EXPECT_LT(length(impacts[n].point - k_events[n].point), 0.005) << n;
  }
  EXPECT_NEAR(total_energy(sw.world), 47.0107, 0.005 * 47.0107);
  const auto at = [&](const char* name) { return sw.world.pose(sw.bodies.at(name)).position; };
  EXPECT_LT(length(at("5853") - Vec3{3.95643, 3.72005, 4.97358}), 0.01);
  EXPECT_LT(length(at("15921") - Vec3{2.05596, 2.30610, 0.72746}), 0.01);
  EXPECT_LT(length(at("8945") - Vec3{7.25857, 2.74366, 7.25857}), 0.01);
}

TEST(Acceptance, rigid_A14_nothing_leaves_the_box) {
#ifndef PLIANT_PUGIXML
  GTEST_SKIP() << "built without pugixml";
#endif
  SceneProblems problems;
  const auto scene = load_scene(PLIANT_SOURCE_DIR "/scenes/polyphysics.xml", {}, problems);
  ASSERT_TRUE(scene) << problems.errors.at(0).text();
  SceneWorld sw = build_world(*scene).value();
  while (sw.world.time() < 60) {
    sw.world.step(1.0 / 240);
    for (const char* name : {"5853", "15921", "8945"}) {
      const Vec3 at = sw.world.pose(sw.bodies.at(name)).position;
      for (int k = 0; k < 3; ++k) {
        ASSERT_GT(at[k], 0) << name << " at " << sw.world.time();
        ASSERT_LT(at[k], 10) << name << " at " << sw.world.time();
      }
    }
  }
}

// scenes/appendix.json says what the XML cannot, about the same scene: it has the same bits.
TEST(Acceptance, rigid_A14_the_json_is_the_same_scene) {
#ifndef PLIANT_PUGIXML
  GTEST_SKIP() << "built without pugixml";
#endif
  std::vector<std::uint64_t> hash;
  for (const char* name : {"polyphysics.xml", "appendix.json"}) {
    SceneProblems problems;
    const auto scene = load_scene(std::string(PLIANT_SOURCE_DIR "/scenes/") + name, {}, problems);
    ASSERT_TRUE(scene) << problems.errors.at(0).text();
    SceneWorld sw = build_world(*scene).value();
    EXPECT_EQ(scene->dt, 1.0 / 240);
    while (sw.world.time() < 2.5 - 1e-9) sw.world.step(scene->dt);
    hash.push_back(sw.world.state_hash());
  }
  EXPECT_EQ(hash[0], hash[1]);
}
