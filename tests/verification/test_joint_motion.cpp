// Motion under joints against closed forms: pendulums, springs, sliders, a gyroscope; energy of
// pendulums of several links against the plain semi-implicit Euler scheme.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "joint_rig.h"

namespace pliant {
namespace {

BodyId add_pendulum(World& world, double angle, double length) {
  const Vec3 at{length * std::sin(angle), -length * std::cos(angle), 0};
  const double i = 1e-5;  // of m L^2: lengthens the period by half of that
  const BodyId bob = world.add_body(lump(1, at, {i, i, i})).value();
  world.add_joint({.a = WorldPoint{}, .b = BodyPoint{bob, -at}}).value();
  return bob;
}

double pendulum_period(double angle, double seconds) {
  World world(joint_world({0, -k_g, 0}));
  const BodyId bob = add_pendulum(world, angle, 1);
  return period_of(world, seconds, [&] { return world.pose(bob).position.x; });
}

// The scheme errs by (omega h)^2 / 24 = 7e-8 of the period, softness of the lock by 1e-5 of it,
// rounding of float velocities by less; a ten-thousandth is allowed.
TEST(JointMotion, small_pendulum_has_its_period) {
  const double angle = 0.05, small = 2 * k_pi / std::sqrt(k_g);
  EXPECT_NEAR(pendulum_period(angle, 8), small * (1 + angle * angle / 16), 2e-4);
}

// 2 pi sqrt(L/g) / agm(1, cos 22.5 deg) = 2.08629 s; without the amplitude it is 2.00607 s.
TEST(JointMotion, pendulum_from_45_degrees_needs_2_0863_seconds) {
  const double expected = 2.0862912;
  EXPECT_NEAR(pendulum_period(k_pi / 4, 9), expected, 2e-4);
  EXPECT_GT(std::abs(pendulum_period(k_pi / 4 - 0.01, 9) - expected), 5e-4);  // it would be noticed
}

// The lock is as stiff as the solver can: half a millimetre would be seen, a micrometre is there.
TEST(JointMotion, a_pendulum_keeps_its_length_and_its_energy) {
  World world(joint_world({0, -k_g, 0}));
  const BodyId bob = add_pendulum(world, 2.9, 1);
  run(world, k_step);
  const double begin = energy(world);
  for (int n = 0; n < 10 * 240; ++n) {
    world.step(k_step);
    ASSERT_NEAR(length(world.pose(bob).position), 1, 3e-5);
    // Velocities are those after the kick of a substep: m g v h / 2 = 0.013 J at 6.2 m/s.
    ASSERT_NEAR(energy(world), begin, 0.02);
  }
}

// A joint between two bodies is internal: neither momentum changes, whatever the kind.
TEST(JointMotion, internal_joints_keep_both_momenta) {
  for (const JointKind kind : {JointKind::fixed, JointKind::ball, JointKind::hinge,
                               JointKind::slider, JointKind::distance, JointKind::cone_twist}) {
    SCOPED_TRACE(int(kind));
    World world(joint_world({}));
    BodyDef a = lump(1, {-0.5, 0.1, 0}, {0.02, 0.03, 0.04});
    a.velocity = {0.3, -1, 0.5};
    a.angular_velocity = {2, 1, -3};
    BodyDef b = lump(2, {0.5, 0, 0.2}, {0.05, 0.03, 0.03});
    b.velocity = {-0.2, 0.5, 0.1};
    const BodyId first = world.add_body(a).value(), second = world.add_body(b).value();
    JointDef def{.kind = kind,
                 .a = BodyPoint{first, {0.5, 0, 0}},
                 .b = BodyPoint{second, {-0.5, 0.1, -0.2}}};
    if (kind == JointKind::hinge) def.freedom.stiffness = 2;
    world.add_joint(def).value();
    const Vec3 p = 1.0 * a.velocity + 2.0 * b.velocity;
    const Vec3 l = cross(a.position, a.velocity) + scaled(a.inertia, a.angular_velocity) +
                   cross(b.position, 2.0 * b.velocity);
    run(world, 2);
    // Float velocities rounded 4800 times at 6e-8: below 2e-5 as a random walk.
    EXPECT_LT(length(world.measurements().momentum - p), 2e-5);
    EXPECT_LT(length(world.measurements().angular_momentum - l), 1e-4);
  }
}

// --- springs
// -----------------------------------------------------------------------------------------
TEST(JointMotion, a_spring_swings_at_sqrt_k_over_m) {
  for (const double k : {100.0, 5000.0}) {
    SCOPED_TRACE(k);
    World world(joint_world({}));
    const BodyId body = world.add_body(lump(2, {1.05, 0, 0}, {1, 1, 1})).value();
    JointDef def{.kind = JointKind::slider, .a = WorldPoint{}, .b = BodyPoint{body, {-1, 0, 0}}};
    def.freedom.stiffness = k;
    world.add_joint(def).value();
    world.step(k_step);
    const double begin = energy(world), expected = 2 * k_pi * std::sqrt(2 / k);
    const double period = period_of(world, 5, [&] { return world.pose(body).position.x - 1; });
    // (omega h)^2 / 24 is 2e-5 at 50 rad/s; a crossing is found to (omega dt)^2 / 8 of a step, and
    // both ends share that.
    EXPECT_NEAR(period, expected, 1e-3 * expected);
    // Explicit while it is resolved: an implicit spring would have lost (omega^2 h) t = 99 %.
    EXPECT_NEAR(energy(world), begin, 0.06 * begin);
  }
}

TEST(JointMotion, a_torsion_spring_swings_at_sqrt_k_over_i) {
  World world(joint_world({}));
  BodyDef disc = lump(1, {}, {0.05, 0.03, 0.03});
  disc.rotation = joint_frame({1, 0, 0});
  const BodyId body = world.add_body(disc).value();
  JointDef def{.kind = JointKind::hinge, .a = WorldPoint{}, .b = BodyPoint{body, {}}};
  def.freedom.stiffness = 0.8;
  def.freedom.rest = 0.3;
  const JointId joint = world.add_joint(def).value();
  const double expected = 2 * k_pi * std::sqrt(0.05 / 0.8);
  const double period =
      period_of(world, 12, [&] { return world.joint_status(joint).angle.x - 0.3; });
  EXPECT_NEAR(period, expected, 5e-4 * expected);
}

// x = A exp(-z w t) cos(w sqrt(1 - z^2) t), z = d / (2 sqrt(k m)).
TEST(JointMotion, a_damped_spring_decays_as_its_damping_says) {
  World world(joint_world({}));
  const BodyId body = world.add_body(lump(1, {0.1, 0, 0}, {1, 1, 1})).value();
  JointDef def{.kind = JointKind::slider, .a = WorldPoint{}, .b = BodyPoint{body, {}}};
  def.freedom.stiffness = 100;
  def.freedom.damping = 2;
  world.add_joint(def).value();
  const double w = 10, z = 0.1, wd = w * std::sqrt(1 - z * z);
  for (int n = 1; n <= 3; ++n) {
    run(world, 0.25);
    const double t = world.time(), decay = 0.1 * std::exp(-z * w * t);
    const double x = decay * (std::cos(wd * t) + z * w / wd * std::sin(wd * t));
    EXPECT_NEAR(world.pose(body).position.x, x, 3e-4);  // w h / 2 of the amplitude is 2e-4
  }
}

// Any stiffness is stable; where the substep cannot resolve the spring it holds like a lock.
TEST(JointMotion, a_spring_too_stiff_for_the_substep_holds_still) {
  World world(joint_world({0, -k_g, 0}));
  const BodyId body = world.add_body(lump(1, {0, -1, 0}, {1, 1, 1})).value();
  JointDef def{.kind = JointKind::distance, .a = WorldPoint{}, .b = BodyPoint{body, {}}};
  def.freedom.motion = JointMotion::free;
  def.freedom.rest = 1;
  def.freedom.stiffness = 1e10;
  world.add_joint(def).value();
  run(world, 1);
  EXPECT_NEAR(world.pose(body).position.y, -1, 1e-5);
}

// --- slider
// ------------------------------------------------------------------------------------------
TEST(JointMotion, a_slider_on_an_incline_accelerates_at_g_sin_a) {
  const double a = 0.5;
  World world(joint_world({0, -k_g, 0}));
  const BodyId body = world.add_body(lump(3, {}, {0.1, 0.2, 0.3})).value();
  const Vec3 down{std::cos(a), -std::sin(a), 0};
  const JointId joint = world
                            .add_joint({.kind = JointKind::slider,
                                        .a = WorldPoint{{0.1, 0.2, 0}},
                                        .b = BodyPoint{body, {0.1, 0.2, 0}},
                                        .frame_a = joint_frame(down)})
                            .value();
  const Vec3 start = world.pose(body).position;
  run(world, 1);
  const Vec3 way = world.pose(body).position - start;
  // The kick comes before the motion: half a substep of speed more, h / t = 4e-4 of the way.
  EXPECT_NEAR(dot(way, down), 0.5 * k_g * std::sin(a), 2e-3);
  EXPECT_LT(length(way - dot(way, down) * down), 3e-5);
  EXPECT_NEAR(dot(world.velocity(body), down), k_g * std::sin(a), 1e-4);
  // It carries the part of the weight across the rail.
  EXPECT_NEAR(length(world.joint_force(joint)), 3 * k_g * std::cos(a), 1e-3);
}

// --- gyroscope
// ---------------------------------------------------------------------------------------
double precession(int substeps) {
  World world(joint_world({0, -k_g, 0}, substeps));
  BodyDef disc = lump(1, {0.1, 0, 0}, {0.005, 0.0025, 0.0025});  // r = 0.1, axis x
  const double rate = k_g * 0.1 / (0.005 * 100);
  disc.angular_velocity = {100, rate, 0};
  disc.velocity = {0, 0, -0.1 * rate};
  const BodyId body = world.add_body(disc).value();
  world.add_joint({.a = WorldPoint{}, .b = BodyPoint{body, {-0.1, 0, 0}}}).value();
  double turned = 0, last = 0;
  for (int n = 0; n < 3 * 240; ++n) {
    world.step(k_step);
    const Vec3 p = world.pose(body).position;
    const double angle = std::atan2(-p.z, p.x);
    turned += angle - last + (angle - last < -k_pi ? 2 * k_pi : 0);
    last = angle;
    EXPECT_NEAR(p.y, 0, 1e-3);  // no nutation: it starts with the precession
  }
  return turned / 3;
}

// m g d / (I w) = 1 * 9.81 * 0.1 / (0.005 * 100).
TEST(JointMotion, a_gyroscope_precesses_at_1_962_radians_a_second) {
  for (const int substeps : {1, 5, 10, 20, 40}) {
    const double rate = precession(substeps);
    std::printf("precession at h = 1/%d s: %.6f rad/s, error %.1e\n", 240 * substeps, rate,
                rate - 1.962);
    if (substeps >= 10) {
      EXPECT_NEAR(rate, 1.962, 2e-4);
    }
    EXPECT_NEAR(rate, 1.962, 2e-3);
  }
}

// --- pendulums of several links
// ----------------------------------------------------------------------
struct Drift {
  double end = 0, worst = 0;  // J
};

Drift chain_drift(int links, double seconds) {
  World world(joint_world({0, -k_g, 0}));
  AnchorPoint hold = WorldPoint{};
  for (int n = 0; n < links; ++n) {
    // A rod of 1 m; links are a little apart along z, where nothing meets.
    const double i = 1.0 / 12;
    const BodyId rod = world.add_body(lump(1, {n + 0.5, 0, 0.05 * n}, {1e-3, i, i})).value();
    const double z = n == 0 ? 0 : -0.05;
    world
        .add_joint({.kind = JointKind::hinge,
                    .a = hold,
                    .b = BodyPoint{rod, {-0.5, 0, z}},
                    .frame_a = joint_frame({0, 0, 1})})
        .value();
    hold = BodyPoint{rod, {0.5, 0, 0}};
  }
  world.step(k_step);
  Drift drift;
  const double begin = energy(world);
  for (int n = 0; n < int(seconds / k_step); ++n) {
    world.step(k_step);
    drift.end = energy(world) - begin;
    drift.worst = std::max(drift.worst, std::abs(drift.end));
  }
  return drift;
}

// The twin: the same rods by their angles a from the vertical, q'' from Lagrange's equations
//   sum_j c_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) + g b_i sin(a_i) = 0,
// where c_ij and b_i add up what hangs on each, by semi-implicit Euler with the same substep.
class EulerChain {
 public:
  explicit EulerChain(int links) : n_(std::size_t(links)), a_(n_, k_pi / 2), u_(n_, 0.0) {}
  double energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      sum -= k_g * (below(i) + 0.5) * std::cos(a_[i]);
      for (std::size_t j = 0; j < n_; ++j)
        sum += 0.5 * weight(i, j) * std::cos(a_[i] - a_[j]) * u_[i] * u_[j];
    }
    return sum;
  }
  void step(double h) {
    std::vector<double> m(n_ * n_), f(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      f[i] = -k_g * (below(i) + 0.5) * std::sin(a_[i]);
      for (std::size_t j = 0; j < n_; ++j) {
        m[i * n_ + j] = weight(i, j) * std::cos(a_[i] - a_[j]);
        f[i] -= weight(i, j) * std::sin(a_[i] - a_[j]) * u_[j] * u_[j];
      }
    }
    solve(m, f);
    for (std::size_t i = 0; i < n_; ++i) u_[i] += h * f[i];
    for (std::size_t i = 0; i < n_; ++i) a_[i] += h * u_[i];
  }

 private:
  double below(std::size_t i) const { return double(n_ - 1 - i); }
  double weight(std::size_t i, std::size_t j) const {
    return i == j ? below(i) + 1.0 / 3 : below(std::max(i, j)) + 0.5;
  }
  // Elimination without pivots: m is positive definite.
  void solve(std::vector<double>& m, std::vector<double>& f) const {
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t i = k + 1; i < n_; ++i) {
        const double part = m[i * n_ + k] / m[k * n_ + k];
        for (std::size_t j = k; j < n_; ++j) m[i * n_ + j] -= part * m[k * n_ + j];
        f[i] -= part * f[k];
      }
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t j = i + 1; j < n_; ++j) f[i] -= m[i * n_ + j] * f[j];
      f[i] /= m[i * n_ + i];
    }
  }
  std::size_t n_;
  std::vector<double> a_, u_;
};

Drift euler_drift(int links, double seconds, double h) {
  EulerChain chain(links);
  const double begin = chain.energy();
  Drift drift;
  for (int n = 0; n < int(seconds / h); ++n) {
    chain.step(h);
    drift.end = chain.energy() - begin;
    drift.worst = std::max(drift.worst, std::abs(drift.end));
  }
  return drift;
}

// The twin is the same pendulum: with fine steps it keeps its energy.
TEST(JointMotion, the_euler_twin_converges_to_constant_energy) {
  const double coarse = euler_drift(5, 1, 1e-3).worst, fine = euler_drift(5, 1, 1e-4).worst;
  EXPECT_NEAR(fine / coarse, 0.1, 0.02);  // first order
}

TEST(JointMotion, pendulums_of_several_links_keep_their_energy) {
  const double h = k_step / k_fine, seconds = 5;
  for (const int links : {2, 5}) {
    const double scale = 0.5 * links * links * k_g;  // J, that the fall sets free
    const auto report = [&](const char* scheme, const Drift& drift) {
      std::printf("%d links, h = 1/2400 s, %s: energy off by %.1e of %.1f J a second, worst %.1e\n",
                  links, scheme, std::abs(drift.end) / scale / seconds, scale, drift.worst / scale);
    };
    const Drift ours = chain_drift(links, seconds), euler = euler_drift(links, seconds, h);
    report("joints", ours);
    report("semi-implicit Euler in angles", euler);
    EXPECT_LT(ours.worst, 2e-3 * scale);
    EXPECT_LT(ours.worst, 0.2 * euler.worst);  // of second order against one of first
  }
}

}  // namespace
}  // namespace pliant
