// Free motion and single impacts against closed forms (spec-rigid, ACCEPTANCE).
#include <gtest/gtest.h>

#include "model/path.h"
#include "rigid_loop.h"

namespace pliant {
namespace {

constexpr double k_dt = 1.0 / 240;
constexpr int k_substeps = 10;

TEST(rigid_A01, projectile) {
  for (double mass : {1.0, 100.0}) {
    RigidLoop loop;
    loop.def.gravity = {0, -9.8, 0};
    const double c = 10 * std::sqrt(0.5);
    const auto ball = loop.add({.shape = Sphere{0.1}, .velocity = {c, c, 0}, .mass = mass});
    double apex = 0;
    Vec3 before;
    double landed = 0, range = 0;
    while (loop.time < 1.6) {
      before = loop.bodies.position[ball];
      loop.step(k_dt, k_substeps);
      const Vec3 p = loop.bodies.position[ball];
      apex = std::fmax(apex, p.y);
      if (before.y > 0 && p.y <= 0) {
        const double s = before.y / (before.y - p.y);
        landed = loop.time - k_dt * (1 - s);
        range = before.x + s * (p.x - before.x);
      }
    }
    EXPECT_NEAR(apex, 2.5510, 1e-3);
    EXPECT_NEAR(landed, 1.44308, 1e-3);
    EXPECT_NEAR(range, 10.2041, 1e-3);
  }
}

struct Bounce {
  Vec3 velocity;
  double speed;
};
Bounce bounce(double restitution, const Quat& tilt, const Vec3& v) {
  RigidLoop loop;
  loop.def.gravity = {};
  const Surface surface{0, 0, restitution};
  loop.add({.motion = Motion::fixed, .shape = HalfSpace{}, .rotation = tilt, .surface = surface});
  const Vec3 up = rotate(tilt, Vec3{0, 1, 0});
  const auto ball = loop.add(
      {.shape = Sphere{0.1}, .position = up * 0.3 - v * 0.01, .velocity = v, .surface = surface});
  loop.run(0.25, k_dt, k_substeps);
  return {loop.velocity(ball), length(loop.velocity(ball))};
}

TEST(rigid_A05, reflection_on_the_floor) {
  for (double e : {1.0, 0.5, 0.0}) {
    const Vec3 v = bounce(e, {}, {3, -4, 0}).velocity;
    EXPECT_NEAR(v.x, 3, 1e-6);
    EXPECT_NEAR(v.y, 4 * e, 2e-6);
    EXPECT_NEAR(v.z, 0, 1e-6);
  }
  EXPECT_NEAR(bounce(1, {}, {3, -4, 0}).speed, 5, 1e-6 * 5);
}

TEST(rigid_A05, reflection_on_a_tilted_plane) {
  // n = (0.6, 0.8, 0) is y turned about z by the angle with cosine 0.8.
  const double half = 0.5 * std::acos(0.8);
  const Quat tilt{0, 0, -std::sin(half), std::cos(half)};
  const Vec3 n = rotate(tilt, Vec3{0, 1, 0});
  ASSERT_NEAR(n.x, 0.6, 1e-12);
  const Vec3 v{-1, -4, 0.5};
  for (double e : {1.0, 0.5, 0.0}) {
    const Vec3 expected = v - n * ((1 + e) * dot(v, n));
    const Vec3 got = bounce(e, tilt, v).velocity;
    EXPECT_NEAR(length(got - expected), 0, 5e-6);
  }
}

TEST(rigid_A05, separating_body_is_untouched) {
  const Vec3 v{3, 4, 0};
  const Vec3 got = bounce(1, {}, v).velocity;
  EXPECT_EQ(got, v);
}

struct Pair {
  Vec3 a, b;
};
Pair collide_spheres(double e) {
  RigidLoop loop;
  loop.def.gravity = {};
  const Surface surface{0, 0, e};
  const Vec3 n = Vec3{1, 1, 0} * std::sqrt(0.5);
  // At touch: the normal of a step is that of its beginning.
  const Vec3 va{3, 1, 0}, vb{-1, 0, 0};
  const auto a = loop.add({.shape = Sphere{0.5}, .velocity = va, .mass = 2, .surface = surface});
  const auto b = loop.add(
      {.shape = Sphere{0.5}, .position = n, .velocity = vb, .mass = 3, .surface = surface});
  loop.step(k_dt, k_substeps);
  return {loop.velocity(a), loop.velocity(b)};
}

TEST(rigid_A06, two_spheres) {
  struct Case {
    double e;
    Vec3 a, b;
    double energy;
  };
  const Case cases[] = {{1, {0, -2, 0}, {1, 2, 0}, 11.5},
                        {0.5, {0.75, -1.25, 0}, {0.5, 1.5, 0}, 5.875},
                        {0, {1.5, -0.5, 0}, {0, 1, 0}, 4}};
  for (const Case& c : cases) {
    const Pair p = collide_spheres(c.e);
    EXPECT_NEAR(length(p.a - c.a), 0, 1e-5) << c.e;
    EXPECT_NEAR(length(p.b - c.b), 0, 1e-5) << c.e;
    const Vec3 momentum = p.a * 2.0 + p.b * 3.0;
    EXPECT_NEAR(length(momentum - Vec3{3, 2, 0}), 0, 1e-5);
    const double energy = dot(p.a, p.a) + 1.5 * dot(p.b, p.b);
    EXPECT_NEAR(energy, c.energy, 1e-4);
  }
}

TEST(rigid_A11, drop_bounces_to_half_the_speed_and_rests) {
  RigidLoop loop;
  loop.def.gravity = {0, -9.8, 0};
  const Surface surface{0.5, 0.5, 0.5};
  const double r = 0.1;
  loop.add({.motion = Motion::fixed, .shape = HalfSpace{}, .surface = surface});
  const auto ball = loop.add({.shape = Sphere{r}, .position = {0, 1 + r, 0}, .surface = surface});
  std::vector<double> apexes;
  double before = 0, rest = 0;
  while (loop.time < 3) {
    loop.step(k_dt, k_substeps);
    const double v = loop.velocity(ball).y;
    if (before > 0 && v <= 0) apexes.push_back(loop.bodies.position[ball].y - r);
    if (std::fabs(v) > 0.01) rest = loop.time;
    before = v;
  }
  ASSERT_GE(apexes.size(), 2u);
  EXPECT_NEAR(apexes[0], 0.25, 2e-3);
  EXPECT_NEAR(apexes[1], 0.0625, 2e-3);
  EXPECT_GT(rest, 1.25);
  EXPECT_LT(rest, 1.37);
  EXPECT_NEAR(loop.bodies.position[ball].y, r, 1e-4);
}

TEST(rigid_A11, a_bounce_gains_no_more_energy_than_g_h_v) {
  RigidLoop loop;
  const Surface surface{0.5, 0.5, 1};
  loop.add({.motion = Motion::fixed, .shape = HalfSpace{}, .surface = surface});
  const auto ball = loop.add({.shape = Sphere{0.1}, .position = {0, 1.1, 0}, .surface = surface});
  const auto energy = [&] {  // per kg
    const Vec3 v = loop.velocity(ball);
    return 0.5 * dot(v, v) + 9.81 * (loop.bodies.position[ball].y - 0.1);
  };
  double last = energy();
  int bounces = 0;
  double vy = 0;
  for (int i = 0; i < 1200; ++i) {
    loop.step(k_dt, k_substeps);
    const double now = loop.velocity(ball).y;
    if (vy < 0 && now > 0) {
      ++bounces;
      const double h = k_dt / k_substeps;
      EXPECT_LE(energy() - last, 9.81 * h * std::fabs(vy) + 1e-5);
      last = energy();
    }
    vy = now;
  }
  EXPECT_GE(bounces, 4);
}

// --- rotation
Vec3 angular_momentum(const RigidLoop& loop, std::int32_t i) {
  const Quat q = loop.bodies.rotation[i];
  return rotate(q, scaled(loop.bodies.mass[i].inertia, rotate_inverse(q, loop.spin(i))));
}

TEST(rigid_A19, free_asymmetric_body_turns_over_on_time) {
  RigidLoop loop;
  loop.def.gravity = {};
  const auto body =
      loop.add({.shape = Box{}, .angular_velocity = {0.1, 5, 0}, .mass = 1, .inertia = {1, 2, 3}});
  const Vec3 l0 = angular_momentum(loop, body);
  std::vector<double> flips;
  double before = 5;
  for (int i = 0; i < 60 * 240; ++i) {
    loop.step(k_dt, k_substeps);
    const Vec3 w = rotate_inverse(loop.bodies.rotation[body], loop.spin(body));
    if ((w.y > 0) != (before > 0)) flips.push_back(loop.time - k_dt * w.y / (w.y - before));
    before = w.y;
    if (i % 240 != 0) continue;
    const Vec3 l = angular_momentum(loop, body);
    ASSERT_NEAR(length(l) / 10.0005, 1, 1e-3);
    ASSERT_NEAR(dot(l, l0) / (length(l) * length(l0)), 1, 1e-6);
    ASSERT_NEAR(0.5 * dot(l, loop.spin(body)) / 25.005, 1, 1e-3);
  }
  ASSERT_GE(flips.size(), 4u);
  const double expected[] = {1.835, 5.506, 9.176, 12.847};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(flips[i] / expected[i], 1, 0.01);
}

TEST(rigid_A19, disc_precesses_in_its_own_frame) {
  RigidLoop loop;
  loop.def.gravity = {};
  const auto body =
      loop.add({.shape = Box{}, .angular_velocity = {0.5, 0, 4}, .mass = 1, .inertia = {1, 1, 2}});
  double angle = 0, last = 0;
  double period = 0;
  while (period == 0 && loop.time < 3) {
    loop.step(k_dt, k_substeps);
    const Vec3 w = rotate_inverse(loop.bodies.rotation[body], loop.spin(body));
    const double a = std::atan2(w.y, w.x);
    angle += std::remainder(a - last, 2 * M_PI);
    last = a;
    if (std::fabs(angle) >= 2 * M_PI)
      period = loop.time - k_dt * (std::fabs(angle) - 2 * M_PI) / (4 * k_dt);
  }
  EXPECT_NEAR(period / 1.5708, 1, 0.01);
}

TEST(rigid_A19, negative_control_first_order_update_gains_energy) {
  // q += h/2 (0, w) q with the gyroscopic term explicit, as the spec warns.
  Quat q;
  Vec3 w{0.1, 5, 0};
  const Vec3 inertia{1, 2, 3};
  const double h = 1.0 / 240;
  for (int i = 0; i < 60 * 240; ++i) {
    const Vec3 body = rotate_inverse(q, w);
    const Vec3 torque = -cross(body, scaled(inertia, body));
    const Vec3 next = body + Vec3{torque.x / 1, torque.y / 2, torque.z / 3} * h;
    w = rotate(q, next);
    const Quat dq = Quat{w.x, w.y, w.z, 0} * q;
    q = normalized(
        Quat{q.x + dq.x * h / 2, q.y + dq.y * h / 2, q.z + dq.z * h / 2, q.w + dq.w * h / 2});
    w = rotate(q, next);
  }
  const Vec3 body = rotate_inverse(q, w);
  EXPECT_GT(0.5 * dot(body, scaled(inertia, body)), 25.005 * 1.01);
}

TEST(rigid_A20, ball_hits_the_end_of_a_free_rod) {
  RigidLoop loop;
  loop.def.gravity = {};
  const Surface surface{0, 0, 1};
  // A thin rod of mass 4 and length 2: I = M L^2 / 12 = 4/3 across.
  const auto rod = loop.add({.shape = Box{{1, 0.01, 0.01}},
                             .mass = 4,
                             .inertia = {0.01, 4.0 / 3, 4.0 / 3},
                             .surface = surface});
  const auto ball = loop.add({.shape = Sphere{0.05},
                              .position = {1, 0.3, 0},
                              .velocity = {0, -3, 0},
                              .mass = 1,
                              .surface = surface});
  loop.run(0.2, k_dt, k_substeps);
  EXPECT_NEAR(loop.velocity(ball).y, 0, 1e-4);
  EXPECT_NEAR(loop.velocity(rod).y, -0.75, 1e-4);
  EXPECT_NEAR(length(loop.spin(rod)), 2.25, 1e-4);
  const double energy = 0.5 * dot(loop.velocity(ball), loop.velocity(ball)) +
                        2 * dot(loop.velocity(rod), loop.velocity(rod)) +
                        0.5 * dot(angular_momentum(loop, rod), loop.spin(rod));
  EXPECT_NEAR(energy, 4.5, 4.5e-4);
}

TEST(rigid_integrate, kinematic_body_follows_its_path) {
  RigidLoop loop;
  const Path path{{0, {0, 0, 0}, {}},
                  {1, {2, 0, 0}, normalized(Quat{0, 1, 0, 1})},
                  {2, {2, 1, 0}, normalized(Quat{0, 1, 0, 1})}};
  const auto body = loop.add({.motion = Motion::kinematic, .path = path});
  for (int i = 0; i < 480; ++i) {
    for (int k = 0; k < 1; ++k) {
      steer_kinematic(loop.bodies, body, path_at(path, loop.time + k_dt), k_dt);
      loop.step(k_dt, 1);
    }
    const Transform expected = path_at(path, loop.time);
    ASSERT_NEAR(length(loop.bodies.position[body] - expected.position), 0, 1e-6);
    const Quat d = loop.bodies.rotation[body] * conjugate(expected.rotation);
    ASSERT_NEAR(std::fabs(d.w), 1, 1e-6);
  }
  EXPECT_NEAR(path_at(path, 0.5).position.x, 1, 1e-12);
  // Half of a quarter turn after half of the time.
  EXPECT_NEAR(path_at(path, 0.5).rotation.y, std::sin(M_PI / 8), 1e-12);
}

}  // namespace
}  // namespace pliant
