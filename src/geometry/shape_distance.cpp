#include "geometry/shape_distance.h"

#include <algorithm>

namespace pliant {

namespace {

// The half plane of a shape of revolution: radius and height.
struct Flat {
  double r, y;
};
double product(const Flat& a, const Flat& b) { return a.r * b.r + a.y * b.y; }

// Back from the half plane; on the axis every direction across it is right.
Vec3 turned(const Flat& g, const Vec3& p, double r) {
  if (r > 0) return {g.r * p.x / r, g.y, g.r * p.z / r};
  return {g.r, g.y, 0};
}

double cylinder_distance(const Vec3& half, const Vec3& p, Vec3& gradient) {
  const double r = std::sqrt(p.x * p.x + p.z * p.z);
  const double side = r - half.x, cap = std::fabs(p.y) - half.y, up = p.y < 0 ? -1 : 1;
  if (side > 0 && cap > 0) {
    const double d = std::sqrt(side * side + cap * cap);
    gradient = turned({side / d, up * cap / d}, p, r);
    return d;
  }
  if (cap >= side) {
    gradient = {0, up, 0};
    return cap;
  }
  gradient = turned({1, 0}, p, r);
  return side;
}

// In the half plane the cone is a triangle with its base and its slant for sides.
double cone_distance(const Vec3& half, const Vec3& p, Vec3& gradient) {
  const double r = std::sqrt(p.x * p.x + p.z * p.z), height = cone_height(half.y);
  const Flat q{r, p.y + height / 4};  // from the middle of the base
  const Flat slant{-half.x, height};  // from the rim to the tip
  const double l2 = product(slant, slant), l = std::sqrt(l2);
  const Flat out{height / l, half.x / l};
  const Flat from_rim{q.r - half.x, q.y};
  const double above = product(from_rim, out);
  if (above <= 0 && q.y >= 0) {  // inside
    if (above >= -q.y) {
      gradient = turned(out, p, r);
      return above;
    }
    gradient = {0, -1, 0};
    return -q.y;
  }
  const double t = std::clamp(product(from_rim, slant) / l2, 0.0, 1.0);
  const Flat to_slant{from_rim.r - t * slant.r, from_rim.y - t * slant.y};
  const Flat to_base{q.r - std::min(q.r, half.x), q.y};
  const Flat away = product(to_base, to_base) < product(to_slant, to_slant) ? to_base : to_slant;
  const double d = std::sqrt(product(away, away));
  if (d > 0)
    gradient = turned({away.r / d, away.y / d}, p, r);
  else
    gradient = turned(out, p, r);
  return d;
}

// The nearest point x of the surface has p - x = t (x / e^2): with s_i = e_i p_i / (t + e_i^2) the
// root of |s|^2 = 1 is wanted. From the left Newton's steps never pass it, as |s|^2 is convex
// there. (Eberly, Distance from a point to an ellipse, an ellipsoid or a hyperellipsoid, 2013.)
double ellipsoid_distance(const Vec3& e, const Vec3& p, Vec3& gradient) {
  const double smallest = std::min({e.x, e.y, e.z});
  Vec3 q, e2 = scaled(e, e);
  // On a plane of symmetry the root may be a pole: beside it it is not.
  for (int i = 0; i < 3; ++i) q[i] = std::max(std::fabs(p[i]), 1e-9 * smallest);
  double t = -1e300;
  for (int i = 0; i < 3; ++i) t = std::max(t, e[i] * q[i] - e2[i]);
  for (int round = 0; round < 64; ++round) {
    double sum = -1, slope = 0;
    for (int i = 0; i < 3; ++i) {
      const double s = e[i] * q[i] / (t + e2[i]);
      sum += s * s;
      slope += 2 * s * s / (t + e2[i]);
    }
    const double step = sum / slope;
    if (!(step > 1e-15 * (std::fabs(t) + smallest * smallest))) break;
    t += step;
  }
  Vec3 x, n;
  for (int i = 0; i < 3; ++i) {
    x[i] = e2[i] * q[i] / (t + e2[i]);
    n[i] = x[i] / e2[i];
  }
  n = normalized(n);
  const double d = dot(q - x, n);
  for (int i = 0; i < 3; ++i) gradient[i] = p[i] < 0 ? -n[i] : n[i];
  return d;
}

}  // namespace

double general_distance(const ShapeNumbers<double>& shape, const Vec3& p, Vec3& gradient) {
  if (shape.kind == ShapeKind::cylinder) return cylinder_distance(shape.half, p, gradient);
  if (shape.kind == ShapeKind::cone) return cone_distance(shape.half, p, gradient);
  return ellipsoid_distance(shape.half, p, gradient);
}

}  // namespace pliant
