#include "solver/impact.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/rigid_locks.h"

namespace pliant {

namespace {

constexpr int k_sweeps = 200;
constexpr double k_settled = 1e-12;  // of the fastest approach: what is left after the sweeps

// The motion of a body, in double.
struct Mover {
  Vec3 v, w;
  double inverse_mass = 0;
  Vec3 locked;  // 1 along axes that the body may not move along
  Mat3 inverse_inertia{{Vec3{}, Vec3{}, Vec3{}}};
  Vec3 pushed(const Vec3& impulse) const {
    return (impulse - scaled(locked, impulse)) * inverse_mass;
  }
  double inverse_along(const Vec3& n) const {
    return inverse_mass - inverse_mass * dot(scaled(locked, n), n);
  }
};

Vec3 widen(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }

Mover load(const RigidBodies& bodies, std::int32_t i) {
  const BodyMotion& m = bodies.motion[std::size_t(i)];
  Mover mover;
  mover.v = widen(m.velocity);
  mover.w = widen(m.spin);
  if (!bodies.dynamic(i)) return mover;
  const Vec4 &f = m.inverse_first, &s = m.inverse_second;
  mover.inverse_mass = double(m.velocity.w);
  mover.locked = Vec3{1, 1, 1} - cast<double>(free_axes(m));
  mover.inverse_inertia = {{Vec3{double(f.x), double(f.y), double(f.z)},
                            Vec3{double(f.y), double(f.w), double(s.x)},
                            Vec3{double(f.z), double(s.x), double(s.y)}}};
  return mover;
}

void store(RigidBodies& bodies, std::int32_t i, const Mover& mover) {
  if (!bodies.dynamic(i)) return;
  BodyMotion& m = bodies.motion[std::size_t(i)];
  m.velocity = {Real(mover.v.x), Real(mover.v.y), Real(mover.v.z), m.velocity.w};
  m.spin = {Real(mover.w.x), Real(mover.w.y), Real(mover.w.z), 0};
}

struct Point {
  Vec3 arm_a, arm_b;
  double mass = 0;    // kg, 1 / K along the normal
  double target = 0;  // m/s, least normal speed after the impact
  double normal = 0;  // N s
  Vec3 friction;      // N s
};

struct Movers {
  Mover a, b;
  Vec3 relative(const Point& p) const {
    return b.v + cross(b.w, p.arm_b) - a.v - cross(a.w, p.arm_a);
  }
  void apply(const Point& p, const Vec3& impulse) {
    a.v -= a.pushed(impulse);
    a.w -= a.inverse_inertia * cross(p.arm_a, impulse);
    b.v += b.pushed(impulse);
    b.w += b.inverse_inertia * cross(p.arm_b, impulse);
  }
  double inverse_mass(const Point& p, const Vec3& n) const {
    const Vec3 ra = cross(p.arm_a, n), rb = cross(p.arm_b, n);
    return a.inverse_along(n) + b.inverse_along(n) + dot(ra, a.inverse_inertia * ra) +
           dot(rb, b.inverse_inertia * rb);
  }
};

int load_points(const Movers& movers, const Manifold& m, double touch,
                std::array<Point, 4>& points) {
  int count = 0;
  const Vec3 n = cast<double>(m.normal);
  for (int k = 0; k < m.count; ++k) {
    if (double(m.point[k].separation) > touch) continue;
    Point& p = points[std::size_t(count++)];
    p = {cast<double>(m.point[k].arm_a), cast<double>(m.point[k].arm_b), 0, 0, 0, {}};
    const double inverse = movers.inverse_mass(p, n);
    p.mass = inverse > 0 ? 1 / inverse : 0;
  }
  return count;
}

// Returns how much the normal speed was off.
double push(Movers& movers, Point& p, const Vec3& n) {
  const double change = p.mass * (p.target - dot(movers.relative(p), n));
  const double old = p.normal;
  p.normal = std::max(old + change, 0.0);
  movers.apply(p, n * (p.normal - old));
  return p.mass > 0 ? std::abs(p.normal - old) / p.mass : 0;
}

void rub(Movers& movers, Point& p, const Vec3& n, const ImpactRule& rule) {
  const Vec3 u = movers.relative(p);
  const Vec3 slip = u - n * dot(u, n);
  const double speed = length(slip);
  if (speed <= 0 || rule.friction_static <= 0) return;
  const Vec3 along = slip / speed;
  const double inverse = movers.inverse_mass(p, along);
  if (inverse <= 0) return;
  Vec3 wanted = p.friction - along * (speed / inverse);
  const double size = length(wanted);
  if (size > rule.friction_static * p.normal)
    wanted = wanted * (rule.friction_kinetic * p.normal / size);
  movers.apply(p, wanted - p.friction);
  p.friction = wanted;
}

}  // namespace

double impact_speed(const RigidBodies& bodies, const BoxPair& pair, const Manifold& m,
                    double touch) {
  const Movers movers{load(bodies, pair.a), load(bodies, pair.b)};
  double fastest = -1e30;
  for (int k = 0; k < m.count; ++k) {
    if (double(m.point[k].separation) > touch) continue;
    const Point p{cast<double>(m.point[k].arm_a), cast<double>(m.point[k].arm_b), 0, 0, 0, {}};
    fastest = std::max(fastest, -dot(movers.relative(p), cast<double>(m.normal)));
  }
  return fastest;
}

Vec3 resolve_impact(RigidBodies& bodies, const BoxPair& pair, const Manifold& m,
                    const ImpactRule& rule) {
  Movers movers{load(bodies, pair.a), load(bodies, pair.b)};
  const Vec3 n = cast<double>(m.normal);
  std::array<Point, 4> points;
  const int count = load_points(movers, m, rule.touch, points);
  double fastest = 0;
  for (int k = 0; k < count; ++k) {
    Point& p = points[std::size_t(k)];
    const double speed = dot(movers.relative(p), n);
    p.target = std::max(0.0, -rule.restitution * speed);
    fastest = std::max(fastest, -speed);
  }
  for (int sweep = 0; sweep < k_sweeps; ++sweep) {
    double off = 0;
    for (int k = 0; k < count; ++k) off = std::max(off, push(movers, points[std::size_t(k)], n));
    for (int k = 0; k < count; ++k) rub(movers, points[std::size_t(k)], n, rule);
    if (off <= k_settled * fastest) break;
  }
  store(bodies, pair.a, movers.a);
  store(bodies, pair.b, movers.b);
  Vec3 impulse;
  for (int k = 0; k < count; ++k)
    impulse += n * points[std::size_t(k)].normal + points[std::size_t(k)].friction;
  return impulse;
}

}  // namespace pliant
