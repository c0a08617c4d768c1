// Cloth that lies on rigid shapes, and one that a shape takes along (spec of cloth, 13.23). Default
// settings where nothing else is said: 8 substeps of 1/60 s, a thickness of 4 mm, of which half is
// the cloth's radius r. Seen to fail: against shapes that are 0.3 mm larger than those the cloth
// lies on.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double k_dt = 1. / 60;
constexpr double k_radius = 0.002;  // m, r
constexpr double k_deep = 0.1 * k_radius;
constexpr Vec3 k_half{0.15, 0.2, 0.1};  // m, of the box

double outside_sphere(const Vec3& p, double radius) { return length(p) - radius; }

double outside_box(const Vec3& p, const Vec3& half) {
  const Vec3 q{std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
  const Vec3 out{std::max(q.x, 0.), std::max(q.y, 0.), std::max(q.z, 0.)};
  return length(out) + std::min(std::max({q.x, q.y, q.z}), 0.);
}

// The least distance of a vertex from a shape at the origin.
template <class Distance>
double nearest_vertex(const World& world, ClothId cloth, const Distance& distance) {
  std::vector<Vec3> x;
  world.copy_positions(cloth, x);
  double least = 1;
  for (const Vec3& p : x) least = std::min(least, distance(p));
  return least;
}

// The same of points inside its edges and triangles, an eighth of an edge apart.
template <class Distance>
double nearest_inside(const World& world, ClothId cloth, const TriMesh& mesh,
                      const Distance& distance) {
  constexpr int k_parts = 8;
  std::vector<Vec3> x;
  world.copy_positions(cloth, x);
  double least = 1;
  for (const Triangle& t : mesh.triangles)
    for (int i = 0; i <= k_parts; ++i)
      for (int j = 0; i + j <= k_parts; ++j) {
        const double u = double(i) / k_parts, v = double(j) / k_parts;
        least = std::min(least, distance(x[std::size_t(t[0])] * (1 - u - v) +
                                         x[std::size_t(t[1])] * u + x[std::size_t(t[2])] * v));
      }
  return least;
}

ClothDef falling_square() {
  ClothDef def;
  def.mesh = make_grid(24, 24, 0.8, 0.8);
  def.position = {0.01, 0.25, 0.02};
  def.linear_drag = 1;  // comes to rest
  return def;
}

struct Lying {
  double vertices = 1, insides = 1;  // m, the nearest to the shape in the last second of five
};
Lying lie_down(const Shape& shape, double (*outside)(const Vec3&), int substeps) {
  World world({.substeps = substeps});
  (void)world.add_body({.motion = Motion::fixed, .shape = shape}).value();
  const ClothDef def = falling_square();
  const ClothId cloth = world.add_cloth(def).value();
  Lying lying;
  for (int n = 0; n < 300; ++n) {
    world.step(k_dt);
    if (n < 240) continue;
    lying.vertices = std::min(lying.vertices, nearest_vertex(world, cloth, outside));
    lying.insides = std::min(lying.insides, nearest_inside(world, cloth, def.mesh, outside));
  }
  return lying;
}

TEST(ClothOnShapes, cloth_A23_a_sheet_lies_on_a_sphere) {
  const Lying lying = lie_down(
      Sphere{0.2}, [](const Vec3& p) { return outside_sphere(p, 0.2); }, WorldDef{}.substeps);
  EXPECT_GT(lying.vertices, k_radius - k_deep);
  EXPECT_GT(lying.insides, k_radius - k_deep);
  EXPECT_LT(lying.insides, 2 * k_radius) << "lies on it";
}

// What hangs over the edges pulls the insides of triangles onto them. With 8 substeps the corners
// of the box keep the cloth moving, and it comes nearer there than it should (docs/limitations.md);
// with 20 the insides keep 1.9 mm. Seen to fail (0.5 mm) where triangles that lie along a face in
// one step, because they are held there, are left out in the next.
TEST(ClothOnShapes, cloth_A23_a_sheet_lies_on_a_box) {
  for (const int substeps : {WorldDef{}.substeps, 20}) {
    const Lying lying = lie_down(
        Box{k_half}, [](const Vec3& p) { return outside_box(p, k_half); }, substeps);
    EXPECT_GT(lying.vertices, k_radius - k_deep) << substeps;
    EXPECT_LT(lying.vertices, 2 * k_radius) << "lies on it";
    if (substeps == 20) {
      EXPECT_GT(lying.insides, k_radius - k_deep);
    }
  }
}

// A stiff cloth with tethers, four substeps, without bending: its folds hang still after six
// seconds. A substep gives g h = 41 mm/s to everything before the constraints take it away again;
// what rests keeps less than half of that in the mean. Seen to fail with nodes of the coarse level
// that follow single particles: 63 mm/s, for ever.
TEST(ClothOnShapes, a_cloth_with_tethers_comes_to_rest_on_a_ball) {
  World world({.substeps = 4, .sleep = false});
  (void)world.add_body({.motion = Motion::fixed, .shape = Sphere{0.3}}).value();
  ClothDef def;
  def.mesh = make_grid(63, 63, 1, 1);
  def.position = {0, 0.35, 0};
  def.stretch_stiffness = 1e4;
  def.bend_rigidity = 0;
  def.linear_drag = 1;
  def.tethers = true;
  def.tether_slack = 0.01;
  (void)world.add_cloth(def).value();
  for (int n = 0; n < 360; ++n) world.step(k_dt);
  const double mass = 0.2;  // kg
  const double rms = std::sqrt(2 * world.measurements().kinetic_energy / mass);
  EXPECT_LT(rms, 0.5 * 9.81 * k_dt / 4);
  EXPECT_GT(rms, 0);
}

// Hangs by its upper row; the ball comes from the side at 1 m/s and stops after 0.4 m.
TEST(ClothOnShapes, cloth_A23_a_moving_sphere_takes_the_cloth_along_and_keeps_its_distance) {
  World world;
  BodyDef ball;
  ball.motion = Motion::kinematic;
  ball.shape = Sphere{0.1};
  ball.path = {{0, {0, 0, -0.15}, {}}, {0.4, {0, 0, 0.25}, {}}};
  const BodyId id = world.add_body(ball).value();
  ClothDef def;
  def.mesh = make_grid(24, 24, 0.8, 0.8);
  def.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};  // upright, across the way of the ball
  Pin top;
  for (int v = 0; v <= 24; ++v) top.vertices.push_back(v);
  def.pins.push_back(top);
  const ClothId cloth = world.add_cloth(def).value();
  double moved = 0;
  for (int n = 0; n < 30; ++n) {
    world.step(k_dt);
    const Vec3 centre = world.pose(id).position;
    EXPECT_GT(nearest_vertex(world, cloth,
                             [&](const Vec3& p) { return outside_sphere(p - centre, 0.1); }),
              k_radius - k_deep)
        << "frame " << n;
    std::vector<Vec3> x;
    world.copy_positions(cloth, x);
    for (const Vec3& p : x) moved = std::max(moved, p.z);
  }
  EXPECT_GT(moved, 0.3);  // its front is at 0.35 m in the end
}

}  // namespace
}  // namespace pliant
