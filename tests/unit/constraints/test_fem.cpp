// Finite elements against energies written down once more: the projection must move the particles
// by -w h^2 dE/dx where h is small, and to backward Euler where it is not.
#include "constraints/fem.h"

#include "build/fem_rows.h"
#include "gradient_check.h"
#include "verification/fem_reference.h"

namespace pliant {
namespace {

constexpr Energy k_energies[] = {Energy::neo_hookean, Energy::corotated};

reference::Material reference_of(Energy energy, double youngs_modulus, double poisson_ratio) {
  return reference::material(
      energy == Energy::corotated ? reference::Law::corotated : reference::Law::neo_hookean,
      youngs_modulus, poisson_ratio);
}

struct FemTrial {
  Trial t;
  TetMesh rest;
  double youngs_modulus = 1e4, poisson_ratio = 0.3;
};

// A tetrahedron of size 1 turned at random and deformed by up to `size`.
FemTrial fem_trial(Random& random, double size) {
  FemTrial s;
  s.t = random_trial(random, 4);
  s.poisson_ratio = random.uniform(0, 0.49);
  const Vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Quat turned = normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1),
                                      random.uniform(-1, 1), random.uniform(-1, 1)});
  for (std::size_t n = 0; n < 4; ++n) {
    s.rest.vertices.push_back(rounded(corners[n] + random.vector(0.15)));
    s.t.x[n] = rounded(rotate(turned, s.rest.vertices[n] + random.vector(size)));
  }
  s.rest.tetrahedra = {{0, 1, 2, 3}};
  return s;
}

// A cube of size 1, its corners numbered x + 2 y + 4 z, turned and deformed likewise.
FemTrial cube_trial(Random& random, double size) {
  FemTrial s;
  s.t = random_trial(random, 8);
  s.poisson_ratio = random.uniform(0, 0.49);
  s.rest = make_lattice(1, 1, 1, 1);
  const Quat turned = normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1),
                                      random.uniform(-1, 1), random.uniform(-1, 1)});
  for (std::size_t n = 0; n < 8; ++n)
    s.t.x[n] = rounded(rotate(turned, s.rest.vertices[n] + random.vector(size)));
  return s;
}

std::vector<reference::Element> elements_of(const FemTrial& s) {
  if (s.t.x.size() == 4) return reference::elements(s.rest);
  return reference::hexahedra(1, 1, 1, 1.0, [&](int i, int j, int k) {
    for (std::size_t n = 0; n < 8; ++n)
      if (length(s.rest.vertices[n] - Vec3{i - 0.5, j - 0.5, k - 0.5}) < 1e-6)
        return std::int32_t(n);
    return -1;
  });
}

ParticleRig rig_of(const FemTrial& s, Energy energy) {
  ConstraintRows rows;
  SolidDef def;
  def.model = SolidModel::fem;
  def.element = s.t.x.size() == 8 ? Element::hexahedra : Element::tetrahedra;
  def.energy = energy;
  def.youngs_modulus = s.youngs_modulus;
  def.poisson_ratio = s.poisson_ratio;
  add_fem(def, s.rest, {0, 1, 2, 3, 4, 5, 6, 7}, s.t.w, rows);
  ParticleRig rig(rows, s.t.x, s.t.mass);
  rig.body.constraints.fem_material = fem_material(def);
  refresh_constraint_bases(rig.particles, rig.body, nullptr);
  return rig;
}

Places projected(const FemTrial& s, Energy energy, double h, int sweeps) {
  ParticleRig rig = rig_of(s, energy);
  project_internal(rig.particles, rig.body, {h, 0, {}, sweeps, nullptr});
  return moved(rig);
}

// -w h^2 dE/dx by central differences.
Places explicit_motion(const FemTrial& s, Energy energy, double h, const Places& x) {
  const auto list = elements_of(s);
  const reference::Material m = reference_of(energy, s.youngs_modulus, s.poisson_ratio);
  const auto gradient = jacobian(
      [&](const Places& at) { return std::vector<double>{reference::energy(list, m, at)}; }, x);
  Places motion(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) motion[i] = gradient[0][i] * (-s.t.w[i] * h * h);
  return motion;
}

double error_of(const Places& found, const Places& expected) {
  double error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) error += length(found[i] - expected[i]);
  return error;
}

// h^2 w E / L ~ 1e-6 of an element of size 1, so that implicit and explicit agree to as much.
// Floats: strains of 0.1 are known to 1e-7, and nu = 0.49 has lambda = 50 mu.
TEST(Fem, stress_is_the_gradient_of_the_energy) {
  for (const Energy energy : k_energies) {
    Random random;
    for (int n = 0; n < k_tries; ++n) {
      const FemTrial s = fem_trial(random, 0.3);
      const double h = 1e-7;
      const Places motion = projected(s, energy, h, 1);
      const Places expected = explicit_motion(s, energy, h, s.t.x);
      EXPECT_LE(error_of(motion, expected), (k_double ? 2e-6 : 3e-4) * size_of(expected))
          << "try " << n;
      expect_momentum_kept(motion, s.t, n);
      if (HasFailure()) return;
    }
  }
}

TEST(Fem, stress_of_a_hexahedron_is_the_gradient_of_the_energy) {
  for (const Energy energy : k_energies) {
    Random random;
    for (int n = 0; n < 200; ++n) {
      const FemTrial s = cube_trial(random, 0.2);
      const double h = 1e-7;
      const Places motion = projected(s, energy, h, 1);
      const Places expected = explicit_motion(s, energy, h, s.t.x);
      EXPECT_LE(error_of(motion, expected), (k_double ? 2e-6 : 3e-4) * size_of(expected))
          << "try " << n;
      expect_momentum_kept(motion, s.t, n);
      const ParticleRig rig = rig_of(s, energy);
      const double stored = reference::energy(
          elements_of(s), reference_of(energy, s.youngs_modulus, s.poisson_ratio), s.t.x);
      EXPECT_NEAR(elastic_energy(rig.particles, rig.body), stored,
                  (k_double ? 1e-9 : 1e-4) * stored);
      if (HasFailure()) return;
    }
  }
}

// Control: a Poisson ratio that is 0.01 off is noticed.
TEST(Fem, control_another_poisson_ratio_is_noticed) {
  Random random;
  FemTrial s = fem_trial(random, 0.3);
  s.poisson_ratio = 0.3;
  const Places motion = projected(s, Energy::neo_hookean, 1e-7, 1);
  s.poisson_ratio = 0.31;
  const Places expected = explicit_motion(s, Energy::neo_hookean, 1e-7, s.t.x);
  EXPECT_GT(error_of(motion, expected), 3e-3 * size_of(expected));
}

// With its multipliers kept, a block ends where x - x~ = -w h^2 dE/dx(x), however long the step:
// here h^2 w E / L is 0.04 to 40.
TEST(Fem, sweeps_converge_to_backward_euler) {
  for (const Energy energy : k_energies) {
    Random random;
    for (int n = 0; n < 50; ++n) {
      const FemTrial s = fem_trial(random, 0.15);
      const double h = 2e-3;
      const Places motion = projected(s, energy, h, 400);
      Places x = s.t.x;
      for (std::size_t i = 0; i < 4; ++i) x[i] += motion[i];
      const Places expected = explicit_motion(s, energy, h, x);
      // Compared are the forces that are left, of a strain that is a fortieth of what it was. The
      // torque is taken out of every sweep at the F of that sweep, which is not that of their sum:
      // the rest, up to 2.4 % of these forces in double as in float, no sweep takes back.
      EXPECT_LE(error_of(motion, expected), 0.03 * size_of(expected)) << "try " << n;
      const Places once = projected(s, energy, h, 1);
      for (std::size_t i = 0; i < 4; ++i) x[i] = s.t.x[i] + once[i];
      expect_momentum_kept(once, s.t, n);
      if (HasFailure()) return;
    }
  }
}

// Turned and moved as a whole an element is at rest; the rest shape is known to a few roundings.
TEST(Fem, rows_vanish_at_rest) {
  for (const Energy energy : k_energies) {
    Random random;
    for (int n = 0; n < k_tries; ++n) {
      const FemTrial s = fem_trial(random, 0);
      EXPECT_LE(size_of(projected(s, energy, 1, 1)), k_double ? 1e-12 : 1e-5) << "try " << n;
      if (HasFailure()) return;
    }
  }
}

TEST(Fem, energy_is_that_of_the_reference) {
  for (const Energy law : k_energies) {
    Random random;
    for (int n = 0; n < 100; ++n) {
      const FemTrial s = fem_trial(random, 0.3);
      const ParticleRig rig = rig_of(s, law);
      const double expected = reference::energy(
          reference::elements(s.rest), reference_of(law, s.youngs_modulus, s.poisson_ratio), s.t.x);
      EXPECT_NEAR(elastic_energy(rig.particles, rig.body), expected,
                  (k_double ? 1e-9 : 1e-4) * expected)
          << "try " << n;
    }
  }
}

// Flat, collinear, in one point and inside out: finite, and away from there where the energy has a
// slope.
TEST(Fem, degenerate_elements_stay_finite) {
  for (const Energy energy : k_energies)
    for (const Vec3 scale : {Vec3{1, 1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 0}, Vec3{1, 1, -1},
                             Vec3{-1, -1, -1}, Vec3{1e-20, 1, 1}, Vec3{1e3, 1e3, -1e3}}) {
      Random random;
      FemTrial s = fem_trial(random, 0);
      for (std::size_t n = 0; n < 4; ++n) s.t.x[n] = rounded(scaled(scale, s.rest.vertices[n]));
      const Places motion = projected(s, energy, 0.01, 3);
      for (const Vec3& m : motion) EXPECT_TRUE(finite(m)) << scale.x << scale.y << scale.z;
      if (energy == Energy::corotated) {
        EXPECT_GT(size_of(motion), 1e-3);
      }
    }
}

}  // namespace
}  // namespace pliant
