// A triangle that stands in another one: how the line along which they cross gets shorter.
#include "solver/untangle.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

// The large triangle 0, 1, 2 in the plane y = 0, and one (3, 4, 5) that pierces it with two edges.
struct Pierced {
  std::array<Vec3, 6> x{{{-1, 0, -1},
                         {2, 0, -1},
                         {-1, 0, 2},
                         {0.1, 0.3, 0.05},
                         {-0.2, -0.2, 0.1},
                         {0.3, -0.1, 0.25}}};

  // Where the edge from 3 to `end` goes through the plane.
  double share(std::size_t end) const { return x[3].y / (x[3].y - x[end].y); }
  double length_of_line() const {
    const Vec3 a = x[3] + (x[4] - x[3]) * share(4), b = x[3] + (x[5] - x[3]) * share(5);
    return length(b - a);
  }
  Vec3 shortening() const {
    Vec3 sum;
    for (const std::size_t end : {4u, 5u}) {
      const Vec3 wing = x[9 - end];
      sum += contour_shortening({x[3], x[end], x[0], x[1], x[2]}, {&wing, 1});
    }
    return sum;
  }
};

TEST(Untangle, shortens_by_its_derivative) {
  const Pierced at;
  const double step = 1e-6;
  for (const Vec3& along : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    Pierced moved = at;
    for (std::size_t k = 3; k < 6; ++k) moved.x[k] += along * step;
    const double shorter = (at.length_of_line() - moved.length_of_line()) / step;
    EXPECT_NEAR(dot(at.shortening(), along), shorter, 1e-4);
  }
  EXPECT_LT(at.shortening().y, -0.1);  // down, until only the tip is left
}

// Between two triangles that continue each other the line is straight.
TEST(Untangle, leaves_a_straight_line_alone) {
  const Pierced at;
  const Vec3 along = at.x[4] - at.x[3];
  const std::array<Vec3, 2> wings{at.x[5], at.x[3] + 0.3 * along - (at.x[5] - at.x[3])};
  EXPECT_LT(length(contour_shortening({at.x[3], at.x[4], at.x[0], at.x[1], at.x[2]}, wings)),
            1e-12);
}

TEST(Untangle, keeps_momentum_and_velocities) {
  const Pierced at;
  Particles particles;
  particles.resize(6);
  for (std::size_t k = 0; k < 6; ++k) {
    particles.base[k] = {Real(at.x[k].x), Real(at.x[k].y), Real(at.x[k].z), 0};
    particles.d[k] = particles.d_before[k] = {0, 0, 0, Real(k + 1)};
  }
  const std::vector<Vec4> begin = particles.d;
  std::vector<SheetPiercing> piercings;
  for (const std::int32_t end : {4, 5}) {
    const double s = at.share(std::size_t(end));
    const Vec3 p = at.x[3] + (at.x[std::size_t(end)] - at.x[3]) * s;
    const double u = (p.x + 1) / 3, v = (p.z + 1) / 3;
    piercings.push_back({{3, end, 0, 1, 2}, {1 - s, s, u + v - 1, -u, -v}, {9 - end, -1}, 0});
  }
  untangle(piercings, begin, 1e-3, particles);
  Vec3 momentum;
  Pierced moved = at;
  for (std::size_t k = 0; k < 6; ++k) {
    const Vec4 &d = particles.d[k], &before = particles.d_before[k];
    const Vec3 way{double(d.x), double(d.y), double(d.z)};
    EXPECT_EQ(d.y, before.y);
    momentum += way / double(d.w);
    if (k >= 3) moved.x[k] += way - Vec3{0, double(particles.d[0].y), 0};
  }
  EXPECT_LT(length(momentum), 1e-9);
  EXPECT_LT(moved.length_of_line(), at.length_of_line());
}

}  // namespace
}  // namespace pliant
