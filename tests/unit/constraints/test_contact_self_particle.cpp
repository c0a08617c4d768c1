// Contact of two particles of a cloth: gradient against finite differences, momentum, friction with
// its two limits, and what has passed the other one.
//
// Seen to fail: with j left out of the weight, with the shift of j of the wrong sign, without the
// static limit, and with `passed` never set.
#include "constraints/contact_self_particle.h"
#include "gradient_check.h"
#include "model/rigid.h"

namespace pliant {
namespace {

// Particles 0 and 1; particle 2 is the scratch of the lanes that are not used.
struct Two {
  Particles particles;
  SelfPairBatch batch{};

  Two(const Vec3& xi, const Vec3& xj, double wi, double wj, double kept) {
    particles.resize(3);
    batch.i.fill(2);
    batch.j.fill(2);
    batch.i[0] = 0;
    batch.j[0] = 1;
    batch.lanes = 1;
    particles.base[0] = {Real(xi.x), Real(xi.y), Real(xi.z), 0};
    particles.base[1] = {Real(xj.x), Real(xj.y), Real(xj.z), 0};
    particles.d[0].w = Real(wi);
    particles.d[1].w = Real(wj);
    batch.base.x[0] = Real(xi.x) - Real(xj.x);
    batch.base.y[0] = Real(xi.y) - Real(xj.y);
    batch.base.z[0] = Real(xi.z) - Real(xj.z);
    batch.kept[0] = Real(kept);
  }
  void move(std::size_t p, const Vec3& way) {
    Vec4& d = particles.d[p];
    d = {d.x + Real(way.x), d.y + Real(way.y), d.z + Real(way.z), d.w};
  }
  void refresh(double pushed = 10) { refresh_self_pairs(batch, particles, Real(pushed)); }
  void project(double friction_static = 0, double friction_kinetic = 0) {
    project_self_pairs(batch, Real(friction_static), Real(friction_kinetic), particles);
  }
  Vec3 at(std::size_t p) const {
    const Vec4 &b = particles.base[p], &d = particles.d[p];
    return Vec3{double(b.x), double(b.y), double(b.z)} +
           Vec3{double(d.x), double(d.y), double(d.z)};
  }
  Places moved() const {
    const auto way = [&](std::size_t p) {
      return Vec3{double(particles.d[p].x), double(particles.d[p].y), double(particles.d[p].z)};
    };
    return {way(0), way(1)};
  }
};

constexpr double k_tolerance = k_double ? 1e-12 : 1e-6;

TEST(ContactSelfParticle, matches_its_gradient_and_keeps_momentum) {
  Random random;
  for (int attempt = 0; attempt < k_tries; ++attempt) {
    const Trial t = random_trial(random, 2);
    const double kept = rounded(length(t.x[0] - t.x[1]) * random.uniform(0.5, 2));
    const Equation equation = [&](const Places& x) {
      return std::vector<double>{std::min(length(x[0] - x[1]) - kept, 0.0)};
    };
    Two two(t.x[0], t.x[1], t.w[0], t.w[1], kept);
    two.refresh();
    two.project();
    const Places motion = two.moved();
    expect_same(motion, expected_motion(equation, t.x, t.w, 0), attempt);
    expect_momentum_kept(motion, t, attempt);
  }
}

TEST(ContactSelfParticle, what_is_held_stays) {
  Two two({0, 0.5, 0}, {}, 1, 0, 0.9);
  two.refresh();
  two.project(0.5, 0.5);
  EXPECT_NEAR(two.at(0).y, 0.9, k_tolerance);
  EXPECT_EQ(two.at(1), Vec3{});
  Two both({0, 0.5, 0}, {}, 0, 0, 0.9);
  both.refresh();
  both.project(0.5, 0.5);
  EXPECT_EQ(both.at(0).y, 0.5);
}

// An old overlap is removed bit by bit, a new one at once.
TEST(ContactSelfParticle, pushes_out_slowly) {
  Two two({0, 0.5, 0}, {}, 1, 1, 0.9);
  two.refresh(0.01);
  two.project();
  EXPECT_NEAR(length(two.at(0) - two.at(1)), 0.51, k_tolerance);
  Two fresh({0, 1, 0}, {}, 1, 1, 0.9);
  fresh.move(0, {0, -0.3, 0});
  fresh.refresh(0.01);
  fresh.project();
  EXPECT_NEAR(length(fresh.at(0) - fresh.at(1)), 0.9, k_tolerance);
}

// From above the other one, which is held, to a place beside and 0.1 below it. In closed form: with
// L the distance there and n the direction, the load is 1 - L, and the slip n n_y - e_y has the
// length |n_x|. It is taken back as a whole up to the static limit, else up to the kinetic one.
TEST(ContactSelfParticle, sticks_and_slips) {
  constexpr double k_static = 0.5, k_kinetic = 0.3;
  const auto expect = [](double aside, bool sticks) {
    Two two({0, 1, 0}, {}, 1, 0, 1);
    two.move(0, {aside, -0.1, 0});
    two.refresh();
    two.project(k_static, k_kinetic);
    const double far = std::hypot(aside, 0.9), nx = aside / far, ny = 0.9 / far, load = 1 - far;
    ASSERT_EQ(sticks, nx < k_static * load);
    ASSERT_GT(nx, k_kinetic * load);
    const double back = sticks ? nx : k_kinetic * load;
    EXPECT_NEAR(two.at(0).x, nx - back * ny, k_tolerance);
    EXPECT_NEAR(two.at(0).y, ny + back * nx, k_tolerance);
    EXPECT_EQ(two.at(1), Vec3{});
  };
  expect(0.036, true);
  expect(0.2, false);
}

// From above to below in one substep: back to above.
TEST(ContactSelfParticle, what_has_passed_is_brought_back) {
  Two two({0, 1.2, 0}, {0, 0, 0}, 1, 1, 1);
  two.move(0, {0, -2.0, 0});
  two.refresh();
  EXPECT_TRUE(two.batch.live);
  two.project();
  EXPECT_NEAR(two.at(0).y - two.at(1).y, 1, k_tolerance);
  // Beside the other one, further than half of what they keep, it goes its way.
  Two beside({0.8, 1.2, 0}, {0, 0, 0}, 1, 1, 1);
  beside.move(0, {0, -2.4, 0});
  beside.refresh();
  beside.project();
  EXPECT_LT(beside.at(0).y, 0);
}

}  // namespace
}  // namespace pliant
