// The constraints that need no file of their own against numerical gradients (gradient_check.h).
#include "gradient_check.h"

#include <algorithm>

#include "constraints/anchor.h"
#include "constraints/bend.h"
#include "constraints/contact_particle.h"
#include "constraints/distance.h"
#include "constraints/tether.h"
#include "constraints/volume.h"
#include "geometry/bend_weights.h"

namespace pliant {
namespace {

TEST(Gradients, cloth_A01_cloth_A02_distance) {
  check("distance", 2, [](Random& random, Trial& t, ConstraintRows& rows) {
    const double rest = double(Real(random.uniform(0.1, 2)));
    rows.distance.push_back({{0, 1}, rest, t.compliance});
    return [rest](const Places& x) { return std::vector{length(x[1] - x[0]) - rest}; };
  });
}

TEST(Gradients, cloth_A01_cloth_A02_quadratic_bend) {
  check("bend", 4, [](Random& random, Trial& t, ConstraintRows& rows) {
    std::array<double, 4> k{};
    for (std::size_t i = 0; i < 3; ++i) {
      k[i] = double(Real(random.uniform(-2, 2)));
      k[3] -= k[i];  // they sum to zero
    }
    k[3] = double(Real(k[3]));
    k[0] = -(k[1] + k[2] + k[3]);
    rows.bend.push_back({{0, 1, 2, 3}, k, t.compliance});
    return [k](const Places& x) {
      Vec3 c;
      for (std::size_t i = 0; i < 4; ++i) c += x[i] * k[i];
      return std::vector{c.x, c.y, c.z};
    };
  });
}

// The energy of quadratic bending, k / 2 sum Q_ij x_i . x_j with Q = 3 / (A_0 + A_1) K^T K and K
// from the cotangents of a flat rest shape: its value and its gradient k sum Q_ij x_j, against
// central differences and against what the engine has. A projection that is far softer than its
// particles are light moves them by -w h^2 dE/dx. Seen to fail with a compliance greater by a
// thousandth, and with the wings exchanged.
TEST(Gradients, cloth_A01_energy_of_quadratic_bend) {
  Random random;
  const auto cot = [](const Vec3& a, const Vec3& b) { return dot(a, b) / length(cross(a, b)); };
  for (int n = 0; n < k_tries; ++n) {
    const double long_edge = random.uniform(0.5, 1);
    const Places rest{{0, 0, 0},
                      {0, 0, long_edge},
                      {random.uniform(0.2, 1), 0, random.uniform(-0.2, 1)},
                      {random.uniform(-1, -0.2), 0, random.uniform(-0.2, 1)}};
    const Vec3 e0 = rest[1] - rest[0], e1 = rest[2] - rest[0], e2 = rest[3] - rest[0];
    const Vec3 e3 = rest[2] - rest[1], e4 = rest[3] - rest[1];
    const double c01 = cot(e0, e1), c02 = cot(e0, e2), c03 = cot(-e0, e3), c04 = cot(-e0, e4);
    const std::array<double, 4> weight{c03 + c04, c01 + c02, -c01 - c03, -c02 - c04};
    const double areas = 0.5 * (length(cross(e0, e1)) + length(cross(e0, e2)));
    Trial t = random_trial(random, 4);
    const double heaviest = *std::max_element(t.w.begin(), t.w.end());
    const double stiffness = areas / (3 * (k_double ? 1e9 : 1e6) * heaviest);  // k, J
    const auto energy_of = [&](const Places& x) {
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) sum += weight[i] * weight[j] * dot(x[i], x[j]);
      return 0.5 * stiffness * 3 / areas * sum;
    };
    Places gradient(4), expected;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j)
        gradient[i] += t.x[j] * (stiffness * 3 / areas * weight[i] * weight[j]);
      expected.push_back(gradient[i] * -t.w[i]);
    }
    const auto numerical =
        jacobian([&](const Places& x) { return std::vector{energy_of(x) / stiffness}; }, t.x)[0];
    double error = 0;
    Vec3 sum;
    for (std::size_t i = 0; i < 4; ++i) {
      error += length(gradient[i] - numerical[i] * stiffness);
      sum += gradient[i];
    }
    ASSERT_LT(error, 1e-6 * size_of(gradient)) << "try " << n;
    ASSERT_LT(length(sum), 1e-9 * size_of(gradient)) << "try " << n;

    ConstraintRows rows;
    rows.bend.push_back(
        {{0, 1, 2, 3}, bend_weights(rest[0], rest[1], rest[2], rest[3]), areas / (3 * stiffness)});
    const Places motion = project_once(rows, t);
    error = 0;
    for (std::size_t i = 0; i < 4; ++i) error += length(motion[i] - expected[i]);
    // Floats: K x is a difference of terms up to some ten times as great.
    ASSERT_LE(error, (k_double ? 1e-6 : 1e-4) * (size_of(expected) + 1e-2 * heaviest * stiffness))
        << "try " << n;
    ParticleRig rig(rows, t.x, t.mass);
    refresh_constraint_bases(rig.particles, rig.body, nullptr);
    const double found = energy(rig.body.constraints.bend, rig.particles.d.data());
    const double expected_energy = energy_of(t.x);
    ASSERT_NEAR(found, expected_energy, (k_double ? 1e-9 : 1e-4) * (expected_energy + stiffness))
        << "try " << n;
  }
}

TEST(Gradients, elastic_volume) {
  check("volume", 4, [](Random& random, Trial& t, ConstraintRows& rows) {
    const double rest = double(Real(random.uniform(0.05, 0.5)));
    rows.volume.push_back({{0, 1, 2, 3}, rest, t.compliance});
    return [rest](const Places& x) {
      return std::vector{dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) - 6 * rest};
    };
  });
}

// The negative control of the method itself: half the gradient on one particle must be noticed.
TEST(Gradients, negative_control_a_wrong_gradient_is_noticed) {
  Random random;
  const Trial t = random_trial(random, 2);
  ConstraintRows rows;
  rows.distance.push_back({{0, 1}, 0.3, t.compliance});
  const Places motion = project_once(rows, t);
  Places wrong =
      expected_motion([](const Places& x) { return std::vector{length(x[1] - 0.99 * x[0]) - 0.3}; },
                      t.x, t.w, t.compliance);
  double error = 0;
  for (std::size_t i = 0; i < 2; ++i) error += length(motion[i] - wrong[i]);
  EXPECT_GT(error, 100 * k_gradient * size_of(wrong));
  Places unequal = motion;
  unequal[0] = unequal[0] * 1.01;
  Vec3 sum;
  double size = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    sum += unequal[i] / t.w[i];
    size += length(unequal[i]) / t.w[i];
  }
  EXPECT_GT(length(sum), 10 * k_momentum * size);
}

// A tether moves one particle towards a held one, along the gradient of |x_i - x_pin|, to the
// limit.
TEST(Gradients, tether) {
  Random random;
  for (int n = 0; n < k_tries; ++n) {
    Trial t = random_trial(random, 2);
    t.mass[0] = 0;
    t.w[0] = 0;
    const double limit = double(Real(random.uniform(0.1, 2)));
    ConstraintRows rows;
    rows.tether.push_back({1, 0, limit});
    const Places motion = project_once(rows, t);
    const Equation equation = [limit](const Places& x) {
      return std::vector{std::fmax(length(x[1] - x[0]) - limit, 0.0)};
    };
    EXPECT_EQ(motion[0], Vec3{});
    expect_same(motion, expected_motion(equation, t.x, t.w, 0), n);
  }
}

// An anchor between weighted sums of free particles, and between particles and a rigid frame.
struct AnchorRig {
  Trial t;
  Particles particles;
  std::vector<Deformable> bodies{1};
  RigidBodies rigid;
  std::vector<RigidPush> pushes;
  Anchor anchor;

  AnchorRig(Random& random, int on_a, int on_b) {
    const int count = on_a + on_b;
    t = random_trial(random, count);
    particles.resize(count);
    for (std::size_t i = 0; i < std::size_t(count); ++i) {
      particles.base[i] = {Real(t.x[i].x), Real(t.x[i].y), Real(t.x[i].z), 0};
      particles.d[i] = {0, 0, 0, Real(t.w[i])};
    }
    bodies[0].count = count;
    int next = 0;
    for (const auto& [side, number] : {std::pair{&anchor.a, on_a}, std::pair{&anchor.b, on_b}}) {
      if (number == 0) continue;
      side->deformable = 0;
      side->particles = number;
      double left = 1;
      for (int n = 0; n < number; ++n) {
        const double s = n + 1 < number ? double(Real(random.uniform(0, left))) : left;
        left -= s;
        side->particle[std::size_t(n)] = next++;
        side->weight[std::size_t(n)] = Real(s);
      }
    }
    anchor.compliance = t.compliance;
  }
  void project() {
    pushes.assign(std::size_t(rigid.size()), {});
    const AnchorContext context{1, bodies, &particles, &rigid, pushes};
    project_anchor(context, anchor);
  }
};

TEST(Gradients, anchor_of_particles) {
  Random random;
  for (int n = 0; n < k_tries; ++n) {
    AnchorRig rig(random, 1 + n % 3, 3);
    rig.project();
    Places motion;
    for (const Vec4& d : rig.particles.d) motion.push_back({double(d.x), double(d.y), double(d.z)});
    const Equation equation = [&](const Places& x) {
      Vec3 c;
      for (const auto& [side, sign] :
           {std::pair{&rig.anchor.a, -1.0}, std::pair{&rig.anchor.b, 1.0}})
        for (std::size_t k = 0; k < std::size_t(side->particles); ++k)
          c += x[std::size_t(side->particle[k])] * (sign * double(side->weight[k]));
      return std::vector{c.x, c.y, c.z};
    };
    expect_same(motion, expected_motion(equation, rig.t.x, rig.t.w, rig.t.compliance), n);
    Vec3 linear;
    double size = 0;
    for (std::size_t i = 0; i < motion.size(); ++i) {
      linear += motion[i] / rig.t.w[i];
      size += length(motion[i]) / rig.t.w[i];
    }
    ASSERT_LE(length(linear), k_momentum * size + 1e-30) << "try " << n;
  }
}

// Impulses on the particles and on the rigid frame cancel, also about the rigid body's centre where
// the two points are one.
TEST(Gradients, anchor_of_particles_and_a_rigid_frame_keeps_momentum) {
  Random random;
  for (int n = 0; n < k_tries; ++n) {
    AnchorRig rig(random, 0, 3);
    const Vec3 half{random.uniform(0.1, 0.5), random.uniform(0.1, 0.5), random.uniform(0.1, 0.5)};
    const Vec3 axis = normalized(random.vector(1));
    append_body(rig.rigid,
                {.shape = Box{half},
                 .position = random.vector(1),
                 .rotation = normalized(Quat{axis.x, axis.y, axis.z, 0.7}),
                 .mass = random.mass()},
                0);
    rig.anchor.a.rigid = 0;
    rig.anchor.a.point = random.vector(0.3);
    rig.project();
    Vec3 linear = cast<double>(rig.pushes[0].gained) * rig.rigid.mass[0].mass;
    double size = length(linear);
    for (std::size_t i = 0; i < rig.particles.d.size(); ++i) {
      const Vec4& d = rig.particles.d[i];
      const Vec3 p = Vec3{double(d.x), double(d.y), double(d.z)} / rig.t.w[i];
      linear += p;
      size += length(p);
    }
    ASSERT_LE(length(linear), k_momentum * size + 1e-30) << "try " << n;
    // The spin that the frame gains is that of the impulse at its arm: I w = r x p.
    const Quat q = rig.rigid.rotation[0];
    const Vec3 spin = cast<double>(rig.pushes[0].gained_spin);
    const Vec3 gained = rotate(q, scaled(rig.rigid.mass[0].inertia, rotate_inverse(q, spin)));
    const Vec3 impulse = cast<double>(rig.pushes[0].gained) * rig.rigid.mass[0].mass;
    const Vec3 torque = cross(rotate(q, rig.anchor.a.point), impulse);
    ASSERT_LE(length(gained - torque), 100 * k_momentum * length(impulse) + 1e-30) << "try " << n;
    // The new gap is what the compliance leaves: W lam + a lam = -c, c' = -a lam.
    const AnchorContext context{1, rig.bodies, &rig.particles, &rig.rigid, rig.pushes};
    const Vec3 gap = anchor_place(context, rig.anchor.b) - anchor_place(context, rig.anchor.a);
    const Vec3 expected = cast<double>(rig.anchor.multiplier) * -rig.t.compliance;
    ASSERT_LE(length(gap - expected), 100 * k_gradient) << "try " << n;
  }
}

// A vertex over a free triangle, the normal along their difference: C = n . sum s x.
TEST(Gradients, contact_row_between_free_particles) {
  Random random;
  for (int n = 0; n < k_tries; ++n) {
    Trial t = random_trial(random, 4);
    const std::array<double, 3> bary = [&] {
      const double a = random.uniform(0, 1), b = random.uniform(0, 1 - a);
      return std::array{a, b, 1 - a - b};
    }();
    const Vec3 foot = t.x[1] * bary[0] + t.x[2] * bary[1] + t.x[3] * bary[2];
    const Vec3 normal = normalized(t.x[0] - foot);
    const double depth = random.uniform(0.01, 0.1);
    ParticleContact c;
    c.particles = 4;
    for (std::size_t k = 0; k < 4; ++k) {
      c.particle[k] = std::int32_t(k);
      c.weight[k] = Real(k == 0 ? 1 : -bary[k - 1]);
    }
    c.normal = cast<Real>(normal);
    c.offset = Real(-depth);
    Particles particles;
    particles.resize(4);
    for (std::size_t k = 0; k < 4; ++k) particles.d[k].w = Real(t.w[k]);
    project_contact(c, particles, {}, {}, {});
    Places motion;
    for (const Vec4& d : particles.d) motion.push_back({double(d.x), double(d.y), double(d.z)});
    const Places start = t.x;
    const Equation equation = [&](const Places& x) {
      Vec3 sum;
      for (std::size_t k = 0; k < 4; ++k) sum += (x[k] - start[k]) * (k == 0 ? 1 : -bary[k - 1]);
      return std::vector{dot(normal, sum) - depth};
    };
    expect_same(motion, expected_motion(equation, t.x, t.w, 0), n);
    expect_momentum_kept(motion, t, n);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace pliant
