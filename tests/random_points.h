// Random numbers, points and rotations for tests; the same ones for the same seed.
#pragma once

#include <pliant/math.h>
#include <random>

namespace pliant::test {

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double number(double by) { return std::uniform_real_distribution<double>(-by, by)(engine); }
  Vec3 point(double by) { return {number(by), number(by), number(by)}; }
  Quat rotation() { return normalized(Quat{number(1), number(1), number(1), number(1)}); }
};

}  // namespace pliant::test
