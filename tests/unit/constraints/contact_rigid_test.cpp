// Every sweep keeps momentum, leaves what does not move alone and does what its equation says.
#include "constraints/contact_rigid.h"

#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

namespace pliant {
namespace {

// Sixteen bodies in pairs, a few of them fixed, with random manifolds between them.
struct Fixture {
  RigidBodies bodies;
  ManifoldList list;
  ContactBatches contacts;
  ContactSettings settings;

  explicit Fixture(unsigned seed, bool with_fixed) {
    settings.h = Real(0.001);
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    const auto vec = [&](double s) { return Vec3{s * u(rng), s * u(rng), s * u(rng)}; };
    for (int i = 0; i < 16; ++i)
      append_body(bodies,
                  {.motion = with_fixed && i % 6 == 0 ? Motion::fixed : Motion::dynamic,
                   .shape = Box{{0.3, 0.5, 0.4}},
                   .position = vec(2),
                   .rotation = normalized(Quat{u(rng), u(rng), u(rng), u(rng)}),
                   .velocity = vec(1),
                   .angular_velocity = vec(2),
                   .mass = 1 + std::fabs(u(rng)),
                   .surface = {0.6, 0.4, 0.5}},
                  std::uint32_t(i));
    contacts.batch.resize(1);
    ContactBatch& batch = contacts.batch[0];
    batch.points = 3;
    contacts.point.resize(3);
    for (int lane = 0; lane < k_wide; ++lane) {
      batch.source[lane] = lane < 7 ? lane : -1;  // the last lane is empty
      list.pairs.push_back({0, lane, lane + 8});
      Manifold& m = list.manifolds.emplace_back();
      m.count = 3;
      m.normal = normalized(cast<Real>(vec(1)));
      m.tangent[0] = any_perpendicular(m.normal);
      m.tangent[1] = cross(m.normal, m.tangent[0]);
      for (int k = 0; k < 3; ++k) {
        const Vec3 at = bodies.position[lane] + vec(0.5);
        m.point[k].arm_a = cast<Real>(at - bodies.position[lane]);
        m.point[k].arm_b = cast<Real>(at - bodies.position[lane + 8]);
        m.point[k].separation = Real(0.002 * u(rng));
        m.point[k].normal_impulse = Real(std::fabs(u(rng)));
      }
    }
    prepare_contacts(contacts, 0, 1, bodies, list);
  }

  Vec3 momentum() const {
    Vec3 p;
    for (int i = 0; i < 16; ++i)
      p += cast<double>(xyz(bodies.motion[i].velocity)) * bodies.mass[i].mass;
    return p;
  }
  Vec3 angular_momentum() const {
    Vec3 l;
    for (int i = 0; i < 16; ++i) {
      const Vec3 v = cast<double>(xyz(bodies.motion[i].velocity));
      const Vec3 w = cast<double>(xyz(bodies.motion[i].spin));
      const Quat q = bodies.rotation[i];
      l += cross(bodies.position[i], v) * bodies.mass[i].mass +
           rotate(q, scaled(bodies.mass[i].inertia, rotate_inverse(q, w)));
    }
    return l;
  }
  double approach(int lane, int k) const {
    const Manifold& m = list.manifolds[lane];
    const BodyMotion &a = bodies.motion[lane], &b = bodies.motion[lane + 8];
    const Vec3R u = xyz(b.velocity) + cross(xyz(b.spin), m.point[k].arm_b) - xyz(a.velocity) -
                    cross(xyz(a.spin), m.point[k].arm_a);
    return double(dot(u, m.normal));
  }
};

TEST(contact_rigid, every_sweep_keeps_linear_and_angular_momentum) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Fixture f(seed, false);
    const Vec3 p = f.momentum(), l = f.angular_momentum();
    const auto expect_kept = [&](const char* what) {
      EXPECT_NEAR(length(f.momentum() - p), 0, 2e-5) << what;
      EXPECT_NEAR(length(f.angular_momentum() - l), 0, 5e-5) << what;
    };
    take_approach(f.contacts, 0, 1, f.bodies);
    warm_start_contacts(f.contacts, 0, 1, f.bodies);
    expect_kept("warm start");
    solve_contacts(f.contacts, 0, 1, f.bodies, f.settings);
    expect_kept("solve");
    relax_contacts(f.contacts, 0, 1, f.bodies, f.settings);
    expect_kept("relax");
    restitute_contacts(f.contacts, 0, 1, f.bodies, f.settings);
    expect_kept("restitution");
  }
}

TEST(contact_rigid, fixed_bodies_and_empty_lanes_are_not_touched) {
  Fixture f(3, true);
  const std::vector<BodyMotion> before = f.bodies.motion;
  warm_start_contacts(f.contacts, 0, 1, f.bodies);
  solve_contacts(f.contacts, 0, 1, f.bodies, f.settings);
  relax_contacts(f.contacts, 0, 1, f.bodies, f.settings);
  restitute_contacts(f.contacts, 0, 1, f.bodies, f.settings);
  for (int i = 0; i < 16; ++i) {
    const bool same = std::memcmp(&before[i], &f.bodies.motion[i], sizeof(BodyMotion)) == 0;
    const bool idle = i == 7 || i == 15 || !f.bodies.dynamic(i);
    EXPECT_EQ(same, idle) << i;
  }
}

TEST(contact_rigid, effective_mass_is_the_change_of_approach_by_an_impulse) {
  Fixture f(5, false);
  for (int lane = 0; lane < 7; ++lane)
    for (int k = 0; k < 3; ++k) {
      Fixture g(5, false);
      for (ContactPointW& c : g.contacts.point) c.normal_impulse = splat(0);
      g.contacts.point[k].normal_impulse[lane] = 1;
      warm_start_contacts(g.contacts, 0, 1, g.bodies);
      const double change = g.approach(lane, k) - f.approach(lane, k);
      EXPECT_NEAR(change * double(f.contacts.point[k].normal_mass[lane]), 1, 1e-4);
    }
}

TEST(contact_rigid, friction_stays_in_its_cone) {
  Fixture f(8, false);
  solve_contacts(f.contacts, 0, 1, f.bodies, f.settings);
  relax_contacts(f.contacts, 0, 1, f.bodies, f.settings);
  for (int k = 0; k < 3; ++k)
    for (int lane = 0; lane < 7; ++lane) {
      const ContactPointW& c = f.contacts.point[k];
      EXPECT_GE(c.normal_impulse[lane], 0);
      // Relaxation limited friction by the normal impulse that the solve had left.
      const double size =
          std::hypot(double(c.tangent_impulse[0][lane]), double(c.tangent_impulse[1][lane]));
      EXPECT_LE(size, 0.6 * double(c.peak[lane]) * 1.0001);
    }
}

TEST(contact_rigid, separation_follows_the_turned_arms) {
  Fixture f(9, false);
  std::mt19937 rng(9);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int i = 0; i < 16; ++i) {
    f.bodies.position[i] += Vec3{u(rng), u(rng), u(rng)} * 0.05;
    f.bodies.rotation[i] =
        normalized(Quat{0.1 * u(rng), 0.1 * u(rng), 0.1 * u(rng), 1}) * f.bodies.rotation[i];
    refresh_body(f.bodies, i);
  }
  relax_contacts(f.contacts, 0, 1, f.bodies, f.settings);
  for (int lane = 0; lane < 7; ++lane)
    for (int k = 0; k < 3; ++k) {
      const Manifold& m = f.list.manifolds[lane];
      const auto point = [&](int body, const Vec3R& arm) {
        const Quat turn = f.bodies.rotation[body] * conjugate(f.bodies.base[body].rotation);
        return f.bodies.position[body] + rotate(turn, cast<double>(arm));
      };
      const double expected = double(m.point[k].separation) +
                              dot(cast<double>(m.normal), point(lane + 8, m.point[k].arm_b) -
                                                              point(lane, m.point[k].arm_a));
      EXPECT_NEAR(double(f.contacts.point[k].separation[lane]), expected, 1e-5);
    }
}

}  // namespace
}  // namespace pliant
