// Two convex shapes by brute force: their signed distance is the greatest, over all directions n,
// of the gap between the two along n. Dense directions, the best of them refined. The extents along
// n are closed forms, no support points: nothing is shared with the library above vector math.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "narrowphase/rigid_pair.h"

namespace pliant::twin {

inline Quat random_rotation(std::mt19937& rng) {
  std::normal_distribution<double> n;
  return normalized(Quat{n(rng), n(rng), n(rng), n(rng)});
}

// How far a shape reaches along the unit vector n of its own frame.
inline double extent(const Sphere& s, const Vec3&) { return s.radius; }
inline double extent(const Box& b, const Vec3& n) {
  return b.half.x * std::fabs(n.x) + b.half.y * std::fabs(n.y) + b.half.z * std::fabs(n.z);
}
inline double extent(const Capsule& c, const Vec3& n) {
  return c.radius + c.half_height * std::fabs(n.y);
}
inline double extent(const HalfSpace&, const Vec3&) { return 0; }
inline double extent(const Cylinder& c, const Vec3& n) {
  return c.radius * std::hypot(n.x, n.z) + c.half_height * std::fabs(n.y);
}
inline double extent(const Cone& c, const Vec3& n) {
  return std::max(0.75 * c.height * n.y, c.radius * std::hypot(n.x, n.z) - 0.25 * c.height * n.y);
}
inline double extent(const Ellipsoid& e, const Vec3& n) { return length(scaled(e.half, n)); }

inline double extent(const Hull& h, const Vec3& n) {
  double most = -1e30;
  for (const Vec3& p : h.points) most = std::max(most, dot(p, n));
  return most;
}

struct Pair {
  Shape a, b;
  Quat rotation_a, rotation_b;
  Vec3 offset;  // centre of b - centre of a
};

inline double reach(const Shape& shape, const Quat& rotation, const Vec3& n) {
  const Vec3 local = rotate_inverse(rotation, n);
  return std::visit(
      [&](const auto& s) -> double {
        if constexpr (requires { extent(s, local); })
          return extent(s, local);
        else
          return 0;  // no convex shape
      },
      shape);
}
// m, between the two along n, from a to b; negative where they overlap.
inline double gap_along(const Pair& p, const Vec3& n) {
  return dot(p.offset, n) - reach(p.a, p.rotation_a, n) - reach(p.b, p.rotation_b, -n);
}

inline double refined(const Pair& p, Vec3 best) {
  double value = gap_along(p, best);
  for (double step = 0.1; step > 1e-7; step *= 0.6) {
    bool better = true;
    for (int round = 0; better && round < 20; ++round) {
      better = false;
      const Vec3 u = any_perpendicular(best), v = cross(best, u);
      for (int k = 0; k < 12; ++k) {
        const double angle = k * M_PI / 6 + round;
        const Vec3 d = normalized(best + (u * std::cos(angle) + v * std::sin(angle)) * step);
        const double g = gap_along(p, d);
        if (g <= value) continue;
        value = g;
        best = d;
        better = true;
      }
    }
  }
  return value;
}

// Where the two overlap there are several local maxima: starts keep a distance from each other.
inline double signed_distance(const Pair& p) {
  constexpr int directions = 1500, starts = 24;
  std::vector<std::pair<double, Vec3>> tried;
  for (int i = 0; i < directions; ++i) {
    const double y = 1 - (i + 0.5) * 2 / directions, r = std::sqrt(1 - y * y);
    const double angle = i * 2.39996322972865;
    const Vec3 d{r * std::cos(angle), y, r * std::sin(angle)};
    tried.push_back({gap_along(p, d), d});
  }
  std::sort(tried.begin(), tried.end(),
            [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<Vec3> begun;
  double best = -1e30;
  for (std::size_t i = 0; i < tried.size() && begun.size() < starts; ++i) {
    const Vec3 d = tried[i].second;
    if (std::any_of(begun.begin(), begun.end(), [&](const Vec3& b) { return dot(b, d) > 0.97; }))
      continue;
    begun.push_back(d);
    best = std::max(best, refined(p, d));
    if (best > 0 && begun.size() >= 3) break;  // apart: there is one maximum alone
  }
  return best;
}

inline Shape random_shape(int kind, std::mt19937& rng) {
  std::uniform_real_distribution<double> u(0.2, 1);
  switch (kind) {
    case 0:
      return Sphere{u(rng)};
    case 1:
      return Box{{u(rng), u(rng), u(rng)}};
    case 2:
      return Capsule{0.5 * u(rng), u(rng)};
    case 3:
      return Cylinder{u(rng), u(rng)};
    case 4:
      return Cone{u(rng), 2 * u(rng)};
    default:
      return Ellipsoid{{u(rng), u(rng), u(rng)}};
  }
}
inline constexpr int k_shapes = 6;

inline Pair random_pair(int a, int b, std::mt19937& rng) {
  std::uniform_real_distribution<double> u(-1.7, 1.7);
  return {random_shape(a, rng),
          random_shape(b, rng),
          random_rotation(rng),
          random_rotation(rng),
          {u(rng), u(rng), u(rng)}};
}

// What the library makes of it; the pair in the order that it asks for.
inline PairGeometry geometry(const Pair& p, double margin = 10) {
  PairGeometry g;
  g.a = shape_numbers<Real>(make_convex(p.a));
  g.b = shape_numbers<Real>(make_convex(p.b));
  g.axes_a = transposed(to_matrix(cast<Real>(p.rotation_a)));
  g.axes_b = transposed(to_matrix(cast<Real>(p.rotation_b)));
  g.offset = cast<Real>(p.offset);
  g.margin = Real(margin);
  return g;
}
inline double deepest(const PairContact& c) {
  double s = 1e30;
  for (int i = 0; i < c.count; ++i) s = std::min(s, double(c.point[i].separation));
  return s;
}

}  // namespace pliant::twin
