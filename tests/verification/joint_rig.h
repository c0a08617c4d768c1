// What the tests of joints share.
#pragma once

#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

namespace pliant {

inline constexpr double k_pi = 3.14159265358979323846;
inline constexpr double k_g = 9.81;          // m/s2
inline constexpr double k_step = 1.0 / 240;  // s
inline constexpr int k_fine = 10;            // substeps: h = 1/2400 s

inline WorldDef joint_world(const Vec3& gravity, int substeps = k_fine) {
  WorldDef def;
  def.gravity = gravity;
  def.substeps = substeps;
  def.sleep = false;
  return def;
}

// A body whose size does not matter: with the moments that are given.
inline BodyDef lump(double mass, const Vec3& position, const Vec3& inertia) {
  BodyDef def;
  def.shape = Sphere{0.01};
  def.mass = mass;
  def.inertia = inertia;
  def.position = position;
  return def;
}

inline void run(World& world, double seconds, double dt = k_step) {
  const long steps = std::lround(seconds / dt);
  for (long n = 0; n < steps; ++n) ASSERT_TRUE(world.step(dt).ok());
}

inline double energy(const World& world) {
  const Measurements& m = world.measurements();
  return m.kinetic_energy + m.potential_energy + m.elastic_energy;
}

// The mean period of a coordinate about zero, from its downward crossings, each by a straight line
// between two steps.
template <class Read>
double period_of(World& world, double seconds, const Read& read) {
  double last = read(), first = -1, latest = -1;
  int count = 0;
  const long steps = std::lround(seconds / k_step);
  for (long n = 0; n < steps; ++n) {
    world.step(k_step);
    const double now = read();
    if (last > 0 && now <= 0) {
      latest = world.time() - k_step * (1 - last / (last - now));
      if (first < 0) first = latest;
      ++count;
    }
    last = now;
  }
  return count > 1 ? (latest - first) / (count - 1) : 0;
}

}  // namespace pliant
