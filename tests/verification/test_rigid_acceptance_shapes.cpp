// Acceptance of rigid shapes: the sphere against the rectangle, impacts off the centre, compounds
// and polygonal bodies. Steps of 1/240 s with ten substeps.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>
#include <mutex>

#include "../random_points.h"

namespace pliant {
namespace {

using test::Random;

constexpr double k_dt = 1.0 / 240;
constexpr double k_pi = 3.14159265358979323846;

WorldDef settings(const Vec3& gravity) { return {.gravity = gravity, .substeps = 10}; }

void run(World& world, double seconds) {
  for (int n = 0; n < int(std::lround(seconds / k_dt)); ++n) world.step(k_dt);
}

// --- A07 sphere and rectangle
// -------------------------------------------------------------------------------------------

// Keeps what it is told of the contacts and refuses them all.
class Witness : public ContactRule {
 public:
  bool apply(ContactSetting& contact) const override {
    const std::lock_guard lock(mutex_);
    seen.push_back(contact);
    return false;
  }
  mutable std::vector<ContactSetting> seen;

 private:
  mutable std::mutex mutex_;
};

// The rectangle's normal is its y axis; the local centres of the item have it along z.
Vec3 local_centre(const Vec3& of_item) { return {of_item.x, of_item.z, of_item.y}; }

struct Case {
  Vec3 centre;  // as in the item
  bool hits;
  double gap;  // m, of those that hit
};

TEST(rigid_A07, sphere_against_rectangle) {
  const double corner = std::sqrt(0.36 + 0.36 + 0.25) - 1;  // -0.0151
  const Case cases[] = {{{0, 0, 0.99}, true, -0.01},    {{0, 0, -0.99}, true, -0.01},
                        {{1.9, 0, 0}, true, -0.1},      {{1.8, 0, 0.7}, false, 0},
                        {{2.01, 0, 0}, false, 0},       {{1.9, 1.9, 0}, false, 0},
                        {{1.6, 1.6, 0.5}, true, corner}};
  for (const Case& c : cases) {
    World world(settings({}));
    const auto rule = std::make_shared<Witness>();
    world.set_contact_rule(rule);
    const Vec3 at = local_centre(c.centre);
    (void)world.add_body({.motion = Motion::fixed, .shape = Rectangle{1, 1}}).value();
    (void)world.add_body({.shape = Sphere{1}, .position = at}).value();
    world.step(k_dt);
    const bool touches = !rule->seen.empty() && rule->seen[0].separation < 0;
    EXPECT_EQ(touches, c.hits) << c.centre.x << " " << c.centre.y << " " << c.centre.z;
    World alone(settings({}));
    (void)alone.add_body({.motion = Motion::fixed, .shape = Rectangle{1, 1}}).value();
    EXPECT_EQ(!alone.overlap(Sphere{1}, {at, {}}).empty(), c.hits);
    if (!c.hits) continue;
    ASSERT_EQ(rule->seen.size(), 1u);
    EXPECT_NEAR(rule->seen[0].separation, c.gap, 1e-6);
    const auto nearest = alone.closest(at, 2);
    ASSERT_TRUE(nearest);
    EXPECT_NEAR(nearest->distance, 1 + c.gap, 1e-6);
    // Half way between the two surfaces, so within half the depth of the rectangle's point.
    EXPECT_NEAR(length(rule->seen[0].point - nearest->point), -c.gap / 2, 1e-6);
  }
  // The corner: contact at (1, 1, 0), gap -0.0151.
  EXPECT_NEAR(corner, -0.0151, 5e-5);
  World world(settings({}));
  (void)world.add_body({.motion = Motion::fixed, .shape = Rectangle{1, 1}}).value();
  const auto nearest = world.closest(local_centre({1.6, 1.6, 0.5}), 2);
  EXPECT_NEAR(length(nearest->point - local_centre({1, 1, 0})), 0, 1e-6);
}

// By golden sections in both directions: the distance is convex. Shares nothing with the library.
double brute_distance(const Vec3& p, const Vec3& centre, const Vec3& u, const Vec3& v, double hu,
                      double hv) {
  const auto inner = [&](double a) {
    double low = -hv, high = hv;
    for (int k = 0; k < 42; ++k) {
      const double x = low + 0.381966 * (high - low), y = low + 0.618034 * (high - low);
      const double dx = length(p - (centre + u * a + v * x)),
                   dy = length(p - (centre + u * a + v * y));
      (dx < dy ? high : low) = dx < dy ? y : x;
    }
    return length(p - (centre + u * a + v * (0.5 * (low + high))));
  };
  double low = -hu, high = hu;
  for (int k = 0; k < 42; ++k) {
    const double x = low + 0.381966 * (high - low), y = low + 0.618034 * (high - low);
    const bool left = inner(x) < inner(y);
    (left ? high : low) = left ? y : x;
  }
  return inner(0.5 * (low + high));
}

TEST(rigid_A07, ten_thousand_random_cases_under_random_rotation) {
  constexpr int k_cases = 10000, k_side = 22;
  constexpr double k_apart = 8;  // m, so that each pair is alone
  World world(settings({}));
  const auto rule = std::make_shared<Witness>();
  world.set_contact_rule(rule);
  Random random(71);
  std::vector<double> gap;
  std::vector<BodyId> plates;
  for (int i = 0; i < k_cases; ++i) {
    const Vec3 place = k_apart * Vec3{double(i % k_side), double(i / k_side % k_side),
                                      double(i / k_side / k_side)};
    const Quat turn = random.rotation();
    const double hx = 0.2 + std::fabs(random.number(1)), hz = 0.2 + std::fabs(random.number(1));
    const double radius = 0.2 + std::fabs(random.number(1));
    const Vec3 centre = place + random.point(1.6);
    plates.push_back(world
                         .add_body({.motion = Motion::fixed,
                                    .shape = Rectangle{hx, hz},
                                    .position = place,
                                    .rotation = turn})
                         .value());
    (void)world.add_body({.shape = Sphere{radius}, .position = centre}).value();
    gap.push_back(brute_distance(centre, place, rotate(turn, Vec3{1, 0, 0}),
                                 rotate(turn, Vec3{0, 0, 1}), hx, hz) -
                  radius);
  }
  world.step(k_dt);
  std::vector<double> found(std::size_t(k_cases), 1);
  for (const ContactSetting& c : rule->seen) found[std::size_t(c.a.index / 2)] = c.separation;
  int hits = 0, misses = 0;
  for (std::size_t i = 0; i < gap.size(); ++i) {
    ASSERT_EQ(plates[i].index, 2 * i);
    if (std::fabs(gap[i]) > 1e-5) {
      EXPECT_EQ(found[i] < 0, gap[i] < 0) << i;
    }
    if (gap[i] < 0) {
      EXPECT_NEAR(found[i], gap[i], 1e-5) << i;
    }
    ++(gap[i] < 0 ? hits : misses);
  }
  EXPECT_GT(hits, 2000);
  EXPECT_GT(misses, 2000);
}

// --- A20 an impact off the centre
// -----------------------------------------------------------------------------------------

struct Rod {
  World world{settings({})};
  BodyId rod, ball;
  explicit Rod(double restitution) {
    Surface s;
    s.friction_static = s.friction_kinetic = 0;
    s.restitution = restitution;
    const double i = 4 * 4 / 12.0;  // M L^2 / 12
    rod = world
              .add_body(
                  {.shape = Box{{1, 0.02, 0.02}}, .mass = 4, .inertia = {1e-3, i, i}, .surface = s})
              .value();
    ball = world
               .add_body({.shape = Sphere{0.1},
                          .position = {1, 0.5, 0},
                          .velocity = {0, -3, 0},
                          .mass = 1,
                          .surface = s})
               .value();
  }
};

// J = (1 + e) v / (1/m + 1/M + (L/2)^2 / I) = 6 / (1 + 1/4 + 3/4) = 3: the ball stops, the rod has
// J / M = 0.75 m/s and J (L/2) / I = 2.25 rad/s.
TEST(rigid_A20, ball_hits_the_end_of_a_free_rod) {
  Rod r(1);
  r.world.step(k_dt);
  const Measurements before = r.world.measurements();
  run(r.world, 0.3);
  const Measurements after = r.world.measurements();
  EXPECT_NEAR(length(r.world.velocity(r.ball)), 0, 1e-4 * 3);
  EXPECT_NEAR(length(r.world.velocity(r.rod) - Vec3{0, -0.75, 0}), 0, 1e-4);
  EXPECT_NEAR(length(r.world.angular_velocity(r.rod) - Vec3{0, 0, -2.25}), 0, 2.25e-4);
  EXPECT_NEAR(before.kinetic_energy, 4.5, 1e-6);
  EXPECT_NEAR(after.kinetic_energy, 4.5, 1e-4 * 4.5);
  EXPECT_NEAR(length(after.momentum - before.momentum), 0, 1e-4 * 3);
  EXPECT_NEAR(length(after.angular_momentum - before.angular_momentum), 0, 1e-4 * 3);
}

// The measures see an impact that is not elastic: J = 3 / 2, so half of everything.
TEST(rigid_A20, without_restitution_the_ball_goes_along_with_the_end) {
  Rod r(0);
  run(r.world, 0.25);
  EXPECT_NEAR(r.world.velocity(r.ball).y, -1.5, 5e-3);
  EXPECT_NEAR(r.world.velocity(r.rod).y, -0.375, 5e-3);
  EXPECT_LT(r.world.measurements().kinetic_energy, 2.5);
}

// --- A21 compound
// ----------------------------------------------------------------------------------------

Compound hammer() {
  return {
      {{Box{{1, 0.1, 0.1}}, {}, {}, 1 / 0.08}, {Box{{0.2, 0.4, 0.2}}, {1.2, 0, 0}, {}, 3 / 0.128}}};
}

// Twice the kinetic energy of a turn at 1 rad/s.
double moment_about(const BodyDef& body, const Vec3& axis) {
  World world(settings({}));
  BodyDef turning = body;
  turning.angular_velocity = axis;
  (void)world.add_body(turning).value();
  world.step(1e-6);  // what is measured is the end of a step
  return 2 * world.measurements().kinetic_energy;
}

TEST(rigid_A21, mass_centre_and_inertia_of_the_hammer) {
  World world(settings({}));
  const BodyId id = world.add_body({.shape = hammer()}).value();
  EXPECT_NEAR(world.mass(id), 4, 1e-9);
  EXPECT_NEAR(length(centre_of_mass(hammer()) - Vec3{0.9, 0, 0}), 0, 1e-12);
  const BodyDef def{.shape = hammer()};
  EXPECT_NEAR(moment_about(def, {1, 0, 0}), 0.20667, 1e-5);
  EXPECT_NEAR(moment_about(def, {0, 1, 0}), 1.49667, 1e-5);
  EXPECT_NEAR(moment_about(def, {0, 0, 1}), 1.61667, 1e-5);
}

TEST(rigid_A21, thrown_spinning_its_centre_follows_the_parabola) {
  const double g = 9.8, v = 10 / std::sqrt(2.0);
  World world(settings({0, -g, 0}));
  const Vec3 centre{0.9, 0, 0};
  const BodyId id = world
                        .add_body({.shape = hammer(),
                                   .position = -centre,
                                   .velocity = {v, v, 0},
                                   .angular_velocity = {3, 5, 4}})
                        .value();
  double apex = 0, off = 0, origin_off = 0;
  while (world.time() < 1.44308) {
    world.step(k_dt);
    const double t = world.time();
    const Vec3 expected{v * t, v * t - 0.5 * g * t * t, 0};
    const Vec3 at = to_world(world.pose(id), centre);
    apex = std::max(apex, at.y);
    off = std::max(off, length(at - expected));
    origin_off = std::max(origin_off, length(world.pose(id).position - expected));
  }
  EXPECT_LT(off, 1e-3);
  EXPECT_NEAR(apex, 2.5510, 1e-3);
  EXPECT_NEAR(to_world(world.pose(id), centre).x, v * world.time(), 1e-3);
  EXPECT_GT(origin_off, 0.5) << "the shape's origin does not: the measure tells them apart";
}

// On a point: a ball joint under x.
struct Propped {
  World world{settings({0, -9.8, 0})};
  BodyId id;
  JointId prop;
  explicit Propped(double x) {
    id = world.add_body({.shape = hammer(), .position = {-x, 0, 0}, .allow_sleep = false}).value();
    prop =
        world.add_joint({.kind = JointKind::ball, .a = WorldPoint{}, .b = BodyPoint{id, {x, 0, 0}}})
            .value();
  }
};

TEST(rigid_A21, propped_under_its_centre_nothing_turns_it) {
  Propped p(0.9);
  run(p.world, 1);
  // The torque is the change of spin in that time: I w / t.
  EXPECT_LT(1.61667 * length(p.world.angular_velocity(p.id)), 1e-6);
  EXPECT_NEAR(length(p.world.joint_force(p.prop)), 4 * 9.8, 1e-3);
}

// Torque m g d about the prop, inertia I + m d^2.
TEST(rigid_A21, propped_beside_its_centre_it_tips_to_the_head) {
  Propped p(0.8);
  run(p.world, 0.1);
  const double rate = 4 * 9.8 * 0.1 / (1.61667 + 4 * 0.01);
  EXPECT_NEAR(p.world.angular_velocity(p.id).z, -rate * 0.1, 0.01 * rate * 0.1);
  run(p.world, 0.5);
  const Vec3 head = to_world(p.world.pose(p.id), Vec3{1.2, 0, 0});
  EXPECT_LT(head.y, -0.1);
}

// The same on a post of 10 cm under the handle.
TEST(rigid_A21, lying_on_a_post) {
  for (const double x : {0.9, 0.8}) {
    World world(settings({0, -9.8, 0}));
    (void)world
        .add_body({.motion = Motion::fixed, .shape = Box{{0.05, 1, 0.3}}, .position = {x, -1.1, 0}})
        .value();
    const BodyId id = world.add_body({.shape = hammer(), .allow_sleep = false}).value();
    run(world, 0.5);
    const double tilt = to_world(world.pose(id), Vec3{1.2, 0, 0}).y - world.pose(id).position.y;
    if (x == 0.9) {
      EXPECT_NEAR(tilt, 0, 1e-3);
    } else {
      EXPECT_LT(tilt, -0.1) << "to the head";
    }
  }
}

// --- A22 polygonal bodies
// -------------------------------------------------------------------------------------------

TriMesh offset_cube() {
  TriMesh mesh = make_box({1, 1, 1});
  for (Vec3& v : mesh.vertices) v += Vec3{4, 5, 6};  // its lowest corner is at (3, 4, 5)
  return mesh;
}
TriMesh l_prism() {
  TriMesh mesh;
  for (const double z : {0.0, 1.0})
    for (const auto& [x, y] : {std::pair{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})
      mesh.vertices.push_back({double(x), double(y), z});
  for (std::int32_t k = 1; k < 5; ++k) {
    mesh.triangles.push_back({0, k + 1, k});
    mesh.triangles.push_back({6, 6 + k, 7 + k});
  }
  for (std::int32_t i = 0; i < 6; ++i) {
    const std::int32_t j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  return mesh;
}
TriMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
}

TEST(rigid_A22, mass_centre_and_inertia_of_meshes) {
  World world(settings({}));
  const auto mass = [&](const TriMesh& mesh) {
    return world.mass(world.add_body({.shape = Mesh{mesh}, .density = 1}).value());
  };
  EXPECT_NEAR(mass(offset_cube()), 8, 1e-9);
  EXPECT_NEAR(length(centre_of_mass(Mesh{offset_cube()}) - Vec3{4, 5, 6}), 0, 1e-9);
  const BodyDef cube{.shape = Mesh{offset_cube()}, .density = 1};
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    EXPECT_NEAR(moment_about(cube, axis), 8 * 2.0 / 3, 1e-5);
  EXPECT_NEAR(mass(l_prism()), 3, 1e-9);
  EXPECT_NEAR(length(centre_of_mass(Mesh{l_prism()}) - Vec3{5 / 6.0, 5 / 6.0, 0.5}), 0, 1e-9);
  const BodyDef l{.shape = Mesh{l_prism()}, .density = 1};
  EXPECT_NEAR(moment_about(l, {1, 0, 0}), 1.1667, 5e-5);
  EXPECT_NEAR(moment_about(l, {0, 1, 0}), 1.1667, 5e-5);
  EXPECT_NEAR(moment_about(l, {0, 0, 1}), 1.8333, 5e-5);
  // About (1, 1, 0): I_xx + I_yy + 2 I_xy.
  EXPECT_NEAR(moment_about(l, {1, 1, 0}), 2 * 1.16667 + 2 * 0.33333, 1e-4);
  EXPECT_NEAR(length(centre_of_mass(Mesh{tetrahedron()}) - Vec3{0.25, 0.25, 0.25}), 0, 1e-9);
  EXPECT_NEAR(mass(tetrahedron()), 1 / 6.0, 1e-9);
}

TEST(rigid_A22, open_and_inconsistent_meshes_are_refused_with_the_reason) {
  World world(settings({}));
  TriMesh open = offset_cube(), turned = offset_cube();
  open.triangles.pop_back();
  std::swap(turned.triangles[3][0], turned.triangles[3][1]);
  for (const TriMesh& mesh : {open, turned}) {
    const auto made = world.add_body({.shape = Mesh{mesh}});
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().text().find("not closed"), std::string::npos) << made.error().text();
  }
  EXPECT_TRUE(world.add_body({.shape = Mesh{offset_cube()}}));
}

TEST(rigid_A22, a_mesh_and_a_box_come_to_rest_at_the_same_height) {
  World world(settings({0, -9.8, 0}));
  (void)world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
  const BodyId box = world.add_body({.shape = Box{{1, 1, 1}}, .position = {0, 1.1, 0}}).value();
  const BodyId mesh =
      world.add_body({.shape = Mesh{make_box({1, 1, 1})}, .position = {5, 1.1, 0}}).value();
  run(world, 2);
  EXPECT_NEAR(world.pose(box).position.y, 1, 1e-3);
  EXPECT_NEAR(world.pose(mesh).position.y, world.pose(box).position.y, 1e-4);
  EXPECT_TRUE(world.asleep(box));
  EXPECT_TRUE(world.asleep(mesh));
}

// Over edges along, across and aslant its way, in the middle of a flat mesh.
TEST(rigid_A22, a_sphere_rolled_over_internal_edges_is_not_deflected) {
  constexpr double k_limit = 0.1 * k_pi / 180;
  for (const bool closed : {false, true}) {
    World world(settings({0, -9.8, 0}));
    const TriMesh floor = closed ? make_box({2, 0.1, 2}, 16) : make_grid(16, 16, 4, 4);
    (void)world
        .add_body({.motion = Motion::fixed,
                   .shape = Mesh{floor},
                   .position = {0, closed ? -0.1 : 0.0, 0}})
        .value();
    const double radius = 0.1, speed = 1;
    for (const double angle : {0.0, 0.3, k_pi / 4, 1.2}) {
      const Vec3 way{std::cos(angle), 0, std::sin(angle)};
      const Vec3 start = way * -1.0 + Vec3{0, radius, 0.013};
      const BodyId ball =
          world
              .add_body({.shape = Sphere{radius},
                         .position = start,
                         .velocity = way * speed,
                         .angular_velocity = Vec3{way.z, 0, -way.x} * (speed / radius),
                         .allow_sleep = false})
              .value();
      double worst = 0;
      for (int n = 0; n < 480; ++n) {
        world.step(k_dt);
        const Vec3 v = normalized(world.velocity(ball));
        worst = std::max(worst, length(v - way));
      }
      EXPECT_LT(worst, k_limit) << angle << (closed ? " closed" : " open");
      EXPECT_NEAR(dot(world.pose(ball).position - start, way), 2 * speed, 0.01);
      EXPECT_NEAR(world.velocity(ball).y, 0, k_limit);
      world.remove(ball);
    }
  }
}

// The measure sees an edge that is really there: a step of a tenth of the radius.
TEST(rigid_A22, a_real_edge_deflects_the_sphere) {
  World world(settings({0, -9.8, 0}));
  TriMesh floor = make_grid(16, 16, 4, 4);
  for (Vec3& v : floor.vertices)
    if (v.x > 0.1) v.y += 0.05;
  (void)world.add_body({.motion = Motion::fixed, .shape = Mesh{floor}}).value();
  const BodyId ball = world
                          .add_body({.shape = Sphere{0.1},
                                     .position = {-1, 0.1, 0.013},
                                     .velocity = {1, 0, 0},
                                     .angular_velocity = {0, 0, -10}})
                          .value();
  double worst = 0;
  for (int n = 0; n < 480; ++n) {
    world.step(k_dt);
    worst = std::max(worst, length(normalized(world.velocity(ball)) - Vec3{1, 0, 0}));
  }
  EXPECT_GT(worst, 0.02);
}

}  // namespace
}  // namespace pliant
