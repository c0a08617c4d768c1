// Finite elements against the theory of thin beams on meshes of two, four and eight cells across:
// with which order direct solutions converge, and to what.
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>

#include "verification/fem_theory.h"

namespace pliant {
namespace {

// Values in units of the theory.
struct Sizes {
  std::array<double, 3> value{};
  Limit limit;
  double order = 0;  // with which the error against the theory falls
};
Sizes of_theory(const char* name, Bar bar, const std::function<double(const Bar&)>& measure) {
  Sizes s;
  for (std::size_t n = 0; n < 3; ++n) {
    bar.cells = 2 << n;
    s.value[n] = measure(bar);
  }
  s.limit = extrapolated(s.value);
  s.order = std::log2(std::abs((1 - s.value[0]) / (1 - s.value[2]))) / 2;
  std::printf("%s, %s: %.4f %.4f %.4f of theory; order %.2f to %.4f\n", name,
              bar.element == Element::hexahedra ? "hexahedra" : "tetrahedra", s.value[0],
              s.value[1], s.value[2], s.limit.order, s.limit.value);
  return s;
}

// The order counts against the theory or, where it is nearer to the values than its own faults (a
// bar of a tenth of its length is not thin: some 1.5 % where it is bent far), against their limit.
void expect_convergence(const char* name, const Bar& bar,
                        const std::function<double(const Bar&)>& measure) {
  const Sizes s = of_theory(name, bar, measure);
  EXPECT_GE(std::max(s.limit.order, s.order), 1.5) << name;
  EXPECT_NEAR(s.limit.value, 1, 0.02) << name;
  if (bar.element == Element::tetrahedra) return;
  EXPECT_NEAR(s.value[1], 1, 0.1) << name;
  EXPECT_NEAR(s.value[2], 1, 0.04) << name;
}

constexpr Element k_elements[] = {Element::tetrahedra, Element::hexahedra};
Bar beam(Element element) {
  Bar bar;
  bar.length = 10;
  bar.element = element;
  bar.youngs_modulus = 1e7;
  return bar;
}

TEST(FemTheoryLong, own_weight) {
  for (const Element element : k_elements)
    expect_convergence("own weight at 1e7 Pa", beam(element),
                       [](const Bar& b) { return weight_drop(b, 1) / 0.1447; });
}

TEST(FemTheoryLong, own_weight_of_a_soft_bar) {
  for (const Element element : k_elements) {
    Bar bar = beam(element);
    bar.youngs_modulus = 1e6;
    bar.energy = Energy::corotated;
    expect_convergence("own weight at 1e6 Pa", bar,
                       [](const Bar& b) { return weight_drop(b, 5) / 0.7383; });
  }
}

TEST(FemTheoryLong, tip_load) {
  for (const Element element : k_elements)
    expect_convergence("tip load 1", beam(element),
                       [](const Bar& b) { return tip_drop(b, 1, 1) / 0.30172; });
}

TEST(FemTheoryLong, great_tip_load) {
  for (const Element element : k_elements) {
    Bar bar = beam(element);
    bar.energy = Energy::corotated;
    expect_convergence("tip load 10", bar,
                       [](const Bar& b) { return tip_drop(b, 10, 5) / 0.81061; });
  }
}

TEST(FemTheoryLong, first_bending_frequency) {
  for (const Element element : k_elements)
    expect_convergence("first frequency", beam(element),
                       [](const Bar& b) { return direct_frequency(b) / 1.615; });
}

TEST(FemTheoryLong, torsion) {
  for (const Element element : k_elements)
    expect_convergence("torsion", beam(element), [](const Bar& b) {
      return direct_torsion(b, 0.05, true) / theory_torsion(b, 0.05);
    });
}

}  // namespace
}  // namespace pliant
