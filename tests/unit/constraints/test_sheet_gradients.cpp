// Contact between sheets against numerical gradients, with the normal taken anew from the displaced
// particles: frozen it would be its own answer. The search's nearest points, the stage's normal and
// the projection are all the engine's. In double 1e-6 and 1e-9, as the acceptance items ask.
#include "gradient_check.h"

#include "geometry/closest_point.h"
#include "solver/sheet_stages.h"

namespace pliant {
namespace {

// n of the triangle 1 2 3, to the side of particle 0 at the beginning.
double height(const Places& x, double side) {
  return side * dot(normalized(cross(x[2] - x[1], x[3] - x[1])), x[0] - x[1]);
}

// Between the lines 0 1 and 2 3, along their common normal.
double line_distance(const Places& x, double side) {
  return side * dot(normalized(cross(x[1] - x[0], x[3] - x[2])), x[0] - x[2]);
}

struct Contact {
  Trial t;
  SheetFeature feature;
  double thickness;  // m
  double side;       // +-1

  double distance(const Places& x) const {
    return feature == SheetFeature::edge_edge ? line_distance(x, side) : height(x, side);
  }
};

bool is_inside(double part) { return part > 0.02 && part < 0.98; }

// Features whose nearest points are inside them, at a distance that is not lost in rounding, and
// edges that are not nearly parallel.
bool is_regular(const Places& x, SheetFeature feature) {
  if (feature == SheetFeature::edge_edge) {
    const SegmentPair at = closest_on_segments(x[0], x[1], x[2], x[3]);
    const Vec3 e = x[1] - x[0], f = x[3] - x[2];
    return is_inside(at.s) && is_inside(at.t) &&
           length(cross(e, f)) > 0.3 * length(e) * length(f) && length(f) > 0.2 &&
           length(e) > 0.2 && std::abs(line_distance(x, 1)) > 0.1;
  }
  const auto w = closest_on_triangle(x[0], x[1], x[2], x[3]);
  const double area = length(cross(x[2] - x[1], x[3] - x[1]));
  return is_inside(w[0]) && is_inside(w[1]) && is_inside(w[2]) && area > 0.3 &&
         std::abs(height(x, 1)) > 0.1;
}

Contact random_contact(Random& random, SheetFeature feature) {
  Contact c{{}, feature, 0, 1};
  do c.t = random_trial(random, 4);
  while (!is_regular(c.t.x, feature));
  if (c.distance(c.t.x) < 0) c.side = -1;
  // Nearer than their thickness by up to half of it.
  c.thickness = rounded(c.distance(c.t.x) * random.uniform(1.1, 2));
  return c;
}

// One substep's refresh and projection of one contact.
Places projected(const Contact& c) {
  std::vector<Deformable> bodies(1);
  bodies[0].count = 4;
  Particles particles;
  particles.resize(5);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3& x = c.t.x[k];
    particles.base[k] = {Real(x.x), Real(x.y), Real(x.z), 0};
    particles.d[k] = {0, 0, 0, Real(c.t.w[k])};
  }
  SheetContacts contacts;
  contacts.pairs = {{0, 0, 0, Real(c.thickness), 0, 0}};
  contacts.candidates = {{{0, 1, 2, 3}, 0, Real(c.thickness), c.feature, 1}};
  PackScratch pack;
  choose_levels(bodies, particles, 0, pack, contacts);
  const double push_speed = 1000;  // m/s: all of the overlap at once
  refresh_sheets(contacts, particles, particles.d, {}, 1, push_speed, nullptr);
  project_sheets(contacts, particles, nullptr);
  Places motion;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec4& d = particles.d[k];
    motion.push_back({double(d.x), double(d.y), double(d.z)});
  }
  return motion;
}

void check_contact(SheetFeature feature) {
  Random random;
  for (int n = 0; n < k_tries; ++n) {
    const Contact c = random_contact(random, feature);
    const Equation equation = [&](const Places& x) {
      return std::vector{c.distance(x) - c.thickness};
    };
    const Places motion = projected(c);
    expect_same(motion, expected_motion(equation, c.t.x, c.t.w, 0), n);
    expect_momentum_kept(motion, c.t, n);
    if (testing::Test::HasFailure()) return;
  }
}

// Seen to fail, both: with each weight of the nearest points 1e-4 too great, and with 1e-4 of an
// edge's direction added to the normal.
TEST(SheetGradients, cloth_A01_cloth_A02_vertex_and_triangle) {
  check_contact(SheetFeature::vertex_triangle);
}
TEST(SheetGradients, cloth_A01_cloth_A02_edge_and_edge) { check_contact(SheetFeature::edge_edge); }

struct Difference {
  double gradient = 0;         // of the sum of the norms
  double sum = 0, moment = 0;  // of all gradients, and of x times them, likewise
};
Difference difference(const std::vector<Vec3>& found, const std::vector<Vec3>& numerical,
                      const Places& x) {
  Difference d;
  Vec3 sum, moment;
  double size = 0, moment_size = 0, error = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    error += length(found[k] - numerical[k]);
    size += length(numerical[k]);
    sum += found[k];
    moment += cross(x[k], found[k]);
    moment_size += length(cross(x[k], found[k]));
  }
  return {error / size, length(sum) / size, length(moment) / (moment_size + size)};
}

// With q = x0 - x1, n the unit normal, and N = (I - n n^T) / |(x2 - x1) x (x3 - x1)| the gradients
// of the height are n, (x2 - x3) x (N q) - n, (x3 - x1) x (N q) and -(x2 - x1) x (N q). The control
// is the form in which they have been printed, with N n (which is 0) for N q and -n in all of the
// last three: it is off by more than half in each try, and it makes momentum.
TEST(SheetGradients, cloth_A01_height_in_closed_form_and_control_as_printed) {
  Random random;
  for (int n = 0; n < k_tries; ++n) {
    const Contact c = random_contact(random, SheetFeature::vertex_triangle);
    const Places& x = c.t.x;
    const auto numerical =
        jacobian([&](const Places& p) { return std::vector{c.distance(p)}; }, x)[0];
    const Vec3 across = cross(x[2] - x[1], x[3] - x[1]), normal = normalized(across);
    const auto gradients = [&](const Vec3& v, bool all) {
      const Vec3 nv = (v - normal * dot(normal, v)) / length(across);
      const Vec3 less = all ? normal : Vec3{};
      std::vector<Vec3> g{normal, cross(x[2] - x[3], nv) - normal, cross(x[3] - x[1], nv) - less,
                          -cross(x[2] - x[1], nv) - less};
      for (Vec3& one : g) one = one * c.side;
      return g;
    };
    const Difference right = difference(gradients(x[0] - x[1], false), numerical, x);
    ASSERT_LT(right.gradient, 1e-6) << "try " << n;
    ASSERT_LT(right.sum, 1e-9) << "try " << n;
    ASSERT_LT(right.moment, 1e-9) << "try " << n;
    for (const Vec3& v : {normal, x[0] - x[1]}) {
      const Difference printed = difference(gradients(v, true), numerical, x);
      ASSERT_GT(printed.gradient, 0.5) << "try " << n;
      ASSERT_GT(printed.sum, 0.1) << "try " << n;
    }
  }
}

}  // namespace
}  // namespace pliant
