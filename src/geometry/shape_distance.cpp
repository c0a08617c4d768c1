#include "geometry/shape_distance.h"

#include <algorithm>
#include <limits>

#include "geometry/gjk.h"
#include "geometry/shape_data.h"

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

// By support points alone, against a point.
double support_distance(const ShapeNumbers<double>& shape, const Vec3& p, Vec3& gradient) {
  const ClosestPoints c = closest_points(make_core(shape, {}, {}), {{}, {}, p});
  gradient = c.normal;
  return c.distance;
}

// The union: inside several parts the depth is that of the one that holds the point deepest.
double compound_distance(const ShapeData& data, const Vec3& p, Vec3& gradient) {
  double best = 1e300;
  for (const ShapePart& part : data.parts) {
    const Vec3 from = p - part.position;
    if (length(from) - part.reach > best) continue;
    Vec3 g;
    const double d = signed_distance(part.shape, part.axes * from, g);
    if (d >= best) continue;
    best = d;
    gradient = transposed(part.axes) * g;
  }
  return best;
}

double mesh_distance(const ShapeData& data, const Vec3& p, Vec3& gradient) {
  const NearestOnMesh near = data.tree.nearest(p);
  const bool inside = near.behind && (data.closed || data.solid_below);
  const Vec3 away = p - near.point;
  if (near.distance > 1e-12)
    gradient = away / (inside ? -near.distance : near.distance);
  else
    gradient = data.tree.normal(near.triangle);
  return inside ? -near.distance : near.distance;
}

double function_distance(const ShapeData& data, const Vec3& p, Vec3& gradient) {
  const Vec3 at = p - data.origin;
  const double e = 1e-4 * length(data.distance->high() - data.distance->low());
  for (int i = 0; i < 3; ++i) {
    Vec3 d;
    d[i] = e;
    gradient[i] = data.distance->distance(at + d) - data.distance->distance(at - d);
  }
  const double l = length(gradient);
  gradient = l > 0 ? gradient / l : Vec3{0, 1, 0};
  return data.distance->distance(at);
}

}  // namespace

double deepest_inside(const ShapeNumbers<double>& shape) {
  const double half = std::min({shape.half.x, shape.half.y, shape.half.z});
  switch (shape.kind) {
    case ShapeKind::half_space:
      return std::numeric_limits<double>::max();
    case ShapeKind::ellipsoid:  // its sharpest end has this radius
      return half * half / (2 * std::max({shape.half.x, shape.half.y, shape.half.z}));
    case ShapeKind::cone:  // less than half of the ball inside it
      return half / 8;
    case ShapeKind::sphere:
    case ShapeKind::capsule:
      return shape.radius / 2;
    case ShapeKind::box:
    case ShapeKind::cylinder:
      return half / 2;
    case ShapeKind::mesh:
      if (shape.data->solid_below) return std::numeric_limits<double>::max();
      return shape.data->closed ? half / 8 : 0;
    case ShapeKind::compound: {
      double least = std::numeric_limits<double>::max();
      for (const ShapePart& p : shape.data->parts) least = std::min(least, deepest_inside(p.shape));
      return least;
    }
    default:
      return half / 8;
  }
}

double general_distance(const ShapeNumbers<double>& shape, const Vec3& p, Vec3& gradient) {
  if (shape.kind == ShapeKind::cylinder) return cylinder_distance(shape.half, p, gradient);
  if (shape.kind == ShapeKind::cone) return cone_distance(shape.half, p, gradient);
  if (shape.kind == ShapeKind::ellipsoid) return ellipsoid_distance(shape.half, p, gradient);
  if (shape.kind == ShapeKind::compound) return compound_distance(*shape.data, p, gradient);
  if (shape.kind != ShapeKind::mesh) return support_distance(shape, p, gradient);
  return shape.data->distance ? function_distance(*shape.data, p, gradient)
                              : mesh_distance(*shape.data, p, gradient);
}

}  // namespace pliant
