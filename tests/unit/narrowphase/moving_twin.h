// Two convex shapes in motion, by brute force: where they are at a time, with the library's own
// trigonometry left out.
#pragma once

#include "geometry/impact_time.h"
#include "unit/narrowphase/pair_twin.h"

namespace pliant::twin {

struct MovingPair {
  Pair start;
  Vec3 velocity_a, velocity_b, acceleration_a, acceleration_b, spin_a, spin_b;
};

inline Quat turned(const Quat& q, const Vec3& spin, double t) {
  const double angle = length(spin) * t;
  if (angle == 0) return q;
  const Vec3 v = spin * (std::sin(angle / 2) / length(spin));
  return normalized(Quat{v.x, v.y, v.z, std::cos(angle / 2)} * q);
}

inline Pair at(const MovingPair& m, double t) {
  Pair p = m.start;
  p.rotation_a = turned(p.rotation_a, m.spin_a, t);
  p.rotation_b = turned(p.rotation_b, m.spin_b, t);
  p.offset +=
      (m.velocity_b - m.velocity_a) * t + (m.acceleration_b - m.acceleration_a) * (0.5 * t * t);
  return p;
}

// Flies about past each other or together, within a second.
inline MovingPair random_motion(int a, int b, std::mt19937& rng) {
  std::uniform_real_distribution<double> u(-1, 1);
  const auto vector = [&](double by) { return Vec3{by * u(rng), by * u(rng), by * u(rng)}; };
  MovingPair m{random_pair(a, b, rng), {}, {}, {}, {}, {}, {}};
  m.start.offset = m.start.offset * 2.5;
  m.velocity_a = m.start.offset * (1 + 0.4 * u(rng)) + vector(0.5);
  m.velocity_b = vector(0.5);
  m.acceleration_a = vector(1);
  m.acceleration_b = vector(1);
  m.spin_a = vector(4);
  m.spin_b = vector(4);
  return m;
}

inline Impact find(const MovingPair& m, double duration, const ImpactSearch& search) {
  const auto shape = [](const Shape& s) { return shape_numbers<double>(make_convex(s)); };
  const Vec3 origin{3, -2, 5};
  return find_impact(
      {shape(m.start.a), origin, m.start.rotation_a, m.velocity_a, m.acceleration_a, m.spin_a},
      {shape(m.start.b), origin + m.start.offset, m.start.rotation_b, m.velocity_b,
       m.acceleration_b, m.spin_b},
      duration, search);
}

// What is wrong with an answer, looked at at some times before it; empty = nothing. The twin's
// distance is never too great but may be too small, where the maximum is a sharp one; the normal of
// the answer is a direction more to try.
inline std::string fault_of(const MovingPair& m, double duration, const Impact& impact, int times) {
  constexpr double k_sharp = 1e-3;  // m
  constexpr double k_exact = 5e-4;  // m, with that normal
  constexpr double k_rims = 5e-4;   // m; distances of rims of cylinders and cones are that good
  const bool none = impact.kind == Impact::Kind::none;
  const double begin = signed_distance(m.start);
  if (impact.kind == Impact::Kind::overlap)
    return begin < k_exact ? "" : "says that they overlap at the start";
  if (begin < -k_sharp) return "does not see that they overlap at the start";
  const double end = none ? duration : impact.time;
  for (int k = 1; k <= times; ++k) {
    const double t = end * k / (times + 1.0);
    if (signed_distance(at(m, t)) < -k_sharp)
      return "they overlap earlier, at " + std::to_string(t);
  }
  if (impact.kind != Impact::Kind::touch) return "";
  const Pair there = at(m, impact.time);
  const double gap = std::max(signed_distance(there), gap_along(there, impact.normal));
  return gap > -k_exact && gap < k_rims ? "" : "the gap there is " + std::to_string(gap);
}

}  // namespace pliant::twin
