// Matched shapes on the ground: stable, at rest, and on a face (items of the elastic
// bodies).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <pliant/world.h>

#include "../random_points.h"
#include "verification/match_clouds.h"

namespace pliant {
namespace {

using test::Random;

// The rule of the work that the items come from: full reversal, and particles may end below.
void thesis_ground(MatchRig& rig) {
  for (std::size_t i = 0; i < rig.count(); ++i) {
    Vec4 &d = rig.particles.d[i], &v = rig.particles.velocity[i];
    const Real y = rig.particles.base[i].y + d.y;
    if (y >= 0) continue;
    d.y -= y;
    v = {v.x / 2, -v.y, v.z / 2, 0};
  }
}

double radius_of(const MatchRig& rig) {
  Vec3 centre;
  for (std::size_t i = 0; i < rig.count(); ++i) centre += rig.place(i) / double(rig.count());
  double far = 0;
  for (std::size_t i = 0; i < rig.count(); ++i) {
    const double distance = length(rig.place(i) - centre);
    if (!(distance < 1e6)) return 1e6;  // also what is no number
    far = std::max(far, distance);
  }
  return far;
}

// The greatest size that a box on a floor has while it is pushed, of that at rest.
double greatest_size(double alpha, double beta, double h, bool keep_volume) {
  Random random(7);
  std::vector<Vec3> rest;
  for (const Vec3& p : box_points()) rest.push_back(p * 0.2);
  MatchRig rig({.frequency = frequency_of(alpha, h), .freedom = beta, .keep_volume = keep_volume},
               rest, rest, std::vector<double>(rest.size(), 1.0));
  const double at_rest = radius_of(rig);
  double largest = 0;
  for (int n = 0; n < 10000; ++n) {
    const Vec3 push = n % 50 == 0 ? random.point(2) : Vec3{};
    for (std::size_t i = 0; i < rest.size(); ++i) rig.set_velocity(i, rig.velocity(i) + push);
    rig.step(h, {0, -9.81, 0}, [&] {
      for (std::size_t i = 0; i < rest.size(); ++i) {
        Vec4& d = rig.particles.d[i];
        d.y = std::max(d.y, -rig.particles.base[i].y - Real(2));
      }
    });
    largest = std::max(largest, radius_of(rig));
  }
  return largest / at_rest;
}

// Where the volume is kept, too, but for the softest, which is pressed flat and must become wide:
// it swings up to 3.35 times its size.
TEST(ShapeMatching, elastic_A07_stable_for_every_share_and_step) {
  for (const double alpha : {0.05, 0.3, 0.5, 1.0})
    for (const double beta : {0.0, 0.5, 0.9})
      for (const double h : {1.0 / 240, 1.0 / 60, 1.0 / 30, 0.1}) {
        EXPECT_LT(greatest_size(alpha, beta, h, false), 3) << alpha << " " << beta << " " << h;
        EXPECT_LT(greatest_size(alpha, beta, h, true), alpha < 0.1 && beta > 0.5 ? 3.5 : 3)
            << alpha << " " << beta << " " << h;
      }
}

struct Dropped {
  double lowest = 0;   // m, of all vertices at the ends of steps
  double kinetic = 0;  // J/kg, mean of the last second
  double tilt = 0;     // degrees between the rest shape's nearest axis and the vertical
};
// A box of 0.8 x 0.2 x 0.4 m from a metre above the ground, over ten seconds.
//
// alpha is of a substep.
Dropped drop(const Quat& turn, double alpha, double beta, const WorldDef& settings = {}) {
  const double dt = 1.0 / 120;
  World world(settings);
  const Surface surface{.friction_static = 0.5, .friction_kinetic = 0.5, .restitution = 0.3};
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}, .surface = surface});
  SolidDef def;
  def.tets = make_lattice(4, 1, 2, 0.2);
  def.position = {0, 1.5, 0};
  def.rotation = turn;
  def.model = SolidModel::shape_matching;
  def.matching = {.frequency = frequency_of(alpha, dt / settings.substeps), .freedom = beta};
  def.surface = surface;
  def.thickness = 0;
  def.linear_drag = 0;
  def.allow_sleep = false;
  const SolidId id = world.add_solid(def).value();
  Dropped result;
  std::vector<Vec3> x;
  for (int n = 0; n < 1200; ++n) {
    EXPECT_TRUE(world.step(dt).ok());
    world.copy_positions(id, x);
    for (const Vec3& p : x) result.lowest = std::min(result.lowest, p.y);
    if (n >= 1080) result.kinetic += world.measurements().kinetic_energy / world.mass(id) / 120;
  }
  const Mat3 map = linear_map(def.tets.vertices, x, std::vector<double>(x.size(), 1.0));
  double most = 0;
  for (int c = 0; c < 3; ++c) {
    const Vec3 axis{map.row[0][c], map.row[1][c], map.row[2][c]};
    most = std::max(most, std::abs(axis.y) / length(axis));
  }
  result.tilt = std::acos(std::min(most, 1.0)) * 180 / 3.14159265358979323846;
  return result;
}

TEST(ShapeMatching, elastic_A08_a_dropped_box_comes_to_rest_on_the_ground) {
  Random random(8);
  for (const double alpha : {0.1, 0.5, 0.9, 1.0}) {
    const Dropped d = drop(random.rotation(), alpha, 0);
    EXPECT_GT(d.lowest, -tolerance(1e-9, 2e-8)) << alpha;
    EXPECT_LT(d.kinetic, 1e-5) << alpha;
  }
  for (const auto& [alpha, beta] : {std::pair{0.5, 0.9}, std::pair{0.05, 0.5}})
    EXPECT_LT(drop(random.rotation(), alpha, beta).kinetic, 1e-5);
}

// Steps of 1/120 s in one piece, as the item has them. Where what the shape does to a vertex counts
// as approach, 5 of these 40 go on with hops of 7e-4 J/kg.
TEST(ShapeMatching, elastic_A08_a_dropped_box_comes_to_rest_in_whole_steps) {
  for (const double alpha : {0.1, 0.5, 0.9, 1.0}) {
    Random random(8);
    for (int n = 0; n < 10; ++n) {
      const Dropped d = drop(random.rotation(), alpha, 0, {.substeps = 1});
      EXPECT_GT(d.lowest, -tolerance(1e-9, 2e-8)) << alpha;
      EXPECT_LT(d.kinetic, 1e-5) << alpha << " " << n;
    }
  }
}

// The mean kinetic energy of the tenth second (J/kg).
double kinetic_under_the_old_rule(double alpha) {
  Random random(8);
  std::vector<Vec3> rest, x;
  const Quat turn = random.rotation();
  for (const Vec3& p : make_lattice(4, 1, 2, 0.2).vertices) {
    rest.push_back(p);
    x.push_back(rotate(turn, p) + Vec3{0, 1.5, 0});
  }
  const double h = 1.0 / 120;
  MatchRig rig({.frequency = frequency_of(alpha, h)}, rest, x, std::vector<double>(x.size(), 1.0));
  double kinetic = 0;
  for (int n = 0; n < 1200; ++n) {
    // Integration with the ground inside, then the matching, with what it does to velocities.
    rebase(rig.particles, rig.body, nullptr);
    const SubstepContext context{h, 0, {0, -9.81, 0}, 1, nullptr};
    apply_forces(rig.particles, rig.body, context, false);
    predict(rig.particles, rig.body, context);
    thesis_ground(rig);
    const std::vector<Vec4> before = rig.particles.d;
    project_internal(rig.particles, rig.body, context);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec4 &a = before[i], &b = rig.particles.d[i];
      Vec4& v = rig.particles.velocity[i];
      v = {v.x + (b.x - a.x) / Real(h), v.y + (b.y - a.y) / Real(h), v.z + (b.z - a.z) / Real(h),
           0};
      if (n >= 1080) kinetic += length_sq(rig.velocity(i)) / 2 / double(x.size()) / 120;
    }
  }
  return kinetic;
}

TEST(ShapeMatching, elastic_A08_the_old_rule_of_the_ground_never_rests) {
  for (const double alpha : {0.1, 0.5, 0.9, 1.0})
    EXPECT_GT(kinetic_under_the_old_rule(alpha), 1e-4) << alpha;
}

TEST(ShapeMatching, elastic_A09_a_dropped_box_rests_on_a_face) {
  Random random(9);
  for (int n = 0; n < 20; ++n)
    for (const double alpha : {0.3, 0.9})
      EXPECT_LT(drop(random.rotation(), alpha, 0).tilt, 0.5) << n << " " << alpha;
}

// Whether a point of the plane of x and z is within the hull of others, or nearer to it than
// `slack`.
bool is_within(const Vec3& p, const std::vector<Vec3>& others, double slack) {
  for (int k = 0; k < 360; ++k) {  // no line through it has all of them on one side
    const double angle = k * 3.14159265358979323846 / 180;
    const Vec3 across{std::cos(angle), 0, std::sin(angle)};
    double most = -1e9;
    for (const Vec3& o : others) most = std::max(most, dot(o - p, across));
    if (most < -slack) return false;
  }
  return true;
}

// A bear, dropped in twenty ways: where it has come to rest its centre is above what it stands on.
TEST(ShapeMatching, elastic_A09_a_bear_rests_above_its_support) {
  Random random(10);
  for (int n = 0; n < 20; ++n) {
    World world;
    (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}});
    SolidDef def;
    def.mesh = load_tri_mesh(PLIANT_SOURCE_DIR "/scenes/bear.obj").value();
    def.cells = 6;
    def.position = {0, 0.8, 0};
    def.rotation = random.rotation();
    def.model = SolidModel::shape_matching;
    def.matching = {.frequency = 20};
    def.linear_drag = 0.5;
    const SolidId id = world.add_solid(def).value();
    for (int k = 0; k < 900 && !world.asleep(id); ++k) world.step(1.0 / 60);
    // Some still rock on their round bellies, with up to 6 mm/s.
    EXPECT_LT(world.measurements().kinetic_energy / world.mass(id), 1e-4) << n;
    Frame frame;
    world.capture(frame);
    std::vector<Vec3> nodes, touching;
    world.copy_positions(id, nodes);
    Vec3 centre;  // of the nodes, which stand for the mass
    for (const Vec3& p : nodes) centre += p / double(nodes.size());
    for (const Vec3f& p : frame.positions[0])
      if (p.y < 0.004f) touching.push_back(cast<double>(p));
    ASSERT_FALSE(touching.empty()) << n;
    EXPECT_TRUE(is_within(centre, touching, 0.01)) << n;
    // Control: half a metre beside it there is nothing to stand on.
    EXPECT_FALSE(is_within(centre + Vec3{0.5, 0, 0}, touching, 0.01));
  }
}

}  // namespace
}  // namespace pliant
