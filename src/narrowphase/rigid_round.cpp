// Pairs with a sphere or a capsule, and everything against a half-space.
#include "narrowphase/rigid_pair.h"

namespace pliant {

namespace {

struct Segment {
  Vec3R middle, along;  // along: half of the segment
};
Segment segment_a(const PairGeometry& g) { return {{}, g.axes_a.row[1] * g.a.half.y}; }
Segment segment_b(const PairGeometry& g) { return {g.offset, g.axes_b.row[1] * g.b.half.y}; }

Vec3R closest_on_segment(const Segment& s, const Vec3R& p) {
  const Real l2 = length_sq(s.along);
  const Real t = l2 > 0 ? clamped(dot(p - s.middle, s.along) / l2, -1, 1) : Real(0);
  return s.middle + s.along * t;
}

// Closest points of two segments (Ericson, Real-Time Collision Detection, 5.1.9), t in [-1, 1].
void closest_of_segments(const Segment& p, const Segment& q, Real& s, Real& t) {
  const Vec3R r = p.middle - q.middle;
  const Real a = length_sq(p.along), e = length_sq(q.along), b = dot(p.along, q.along);
  const Real c = dot(p.along, r), f = dot(q.along, r);
  const Real det = a * e - b * b;
  s = det > Real(1e-6) * a * e ? clamped((b * f - c * e) / det, -1, 1) : Real(0);
  t = e > 0 ? (b * s + f) / e : Real(0);
  if (t < -1 || t > 1) {
    t = clamped(t, -1, 1);
    s = a > 0 ? clamped((b * t - c) / a, -1, 1) : Real(0);
  }
}

// Two points where nearly parallel capsules lie beside each other.
bool parallel_capsules(PairContact& out, const PairGeometry& g, const Segment& p,
                       const Segment& q) {
  const Real a = length_sq(p.along), e = length_sq(q.along), b = dot(p.along, q.along);
  if (!(a > 0 && e > 0) || b * b < Real(0.9995) * a * e) return false;
  // The part of p that lies beside q.
  const Real m = dot(q.middle - p.middle, p.along) / a, half = absolute(b) / a;
  const Real lo = clamped(m - half, -1, 1), hi = clamped(m + half, -1, 1);
  if (hi - lo < Real(0.1)) return false;
  const Vec3R u = p.middle + p.along * lo, v = p.middle + p.along * hi;
  const Vec3R qu = closest_on_segment(q, u), qv = closest_on_segment(q, v);
  const Vec3R middle = (qu + qv) - (u + v);
  const Vec3R across = middle - p.along * (dot(middle, p.along) / a);
  const Real l = length(across);
  if (l < Real(1e-6)) return false;
  out.normal = across / l;
  const Real radii = g.a.radius + g.b.radius;
  const Real su = dot(qu - u, out.normal) - radii, sv = dot(qv - v, out.normal) - radii;
  add_point(out, g, u + out.normal * (g.a.radius + su / 2), su, 1);
  add_point(out, g, v + out.normal * (g.a.radius + sv / 2), sv, 2);
  return true;
}

}  // namespace

void add_point(PairContact& c, const PairGeometry& g, const Vec3R& position, Real separation,
               std::uint32_t feature) {
  if (separation > g.margin || c.count == 4) return;
  c.point[c.count++] = {position, separation, feature};
}

void add_core_points(PairContact& c, const PairGeometry& g, const Vec3R& on_a, const Vec3R& on_b,
                     const Vec3R& fallback) {
  const Vec3R d = on_b - on_a;
  const Real l = length(d);
  c.normal = l > Real(1e-9) ? d / l : fallback;
  const Real separation = l - g.a.radius - g.b.radius;
  add_point(c, g, on_a + c.normal * (g.a.radius + separation / 2), separation, 0);
}

PairContact collide_sphere_sphere(const PairGeometry& g) {
  PairContact c;
  add_core_points(c, g, {}, g.offset, {0, 1, 0});
  return c;
}

PairContact collide_sphere_capsule(const PairGeometry& g) {
  PairContact c;
  add_core_points(c, g, {}, closest_on_segment(segment_b(g), {}), g.axes_b.row[0]);
  return c;
}

PairContact collide_sphere_box(const PairGeometry& g) {
  PairContact c;
  Vec3R gradient;
  const Real d = box_distance(g.b.half, g.axes_b * (-g.offset), gradient);
  c.normal = -axes_to_world(g.axes_b, gradient);
  const Real separation = d - g.a.radius;
  add_point(c, g, c.normal * (g.a.radius + separation / 2), separation, 0);
  return c;
}

PairContact collide_capsule_capsule(const PairGeometry& g) {
  PairContact c;
  const Segment p = segment_a(g), q = segment_b(g);
  if (parallel_capsules(c, g, p, q)) return c;
  c = {};
  Real s, t;
  closest_of_segments(p, q, s, t);
  const Vec3R n = cross(p.along, q.along);
  const Vec3R fallback = length_sq(n) > 0 ? normalized(n) : g.axes_a.row[0];
  add_core_points(c, g, p.middle + p.along * s, q.middle + q.along * t, fallback);
  return c;
}

PairContact collide_half_space(const PairGeometry& g) {
  PairContact c;
  const Vec3R up = g.axes_b.row[1];
  c.normal = -up;
  const Real height = -dot(g.offset, up);  // of the centre above the plane
  Vec3R corner[4] = {};
  int corners = 1;
  std::uint32_t code[4] = {0, 1, 2, 3};
  if (g.a.kind == ShapeKind::capsule) {
    corners = 2;
    corner[0] = g.axes_a.row[1] * g.a.half.y;
    corner[1] = -corner[0];
  } else if (g.a.kind == ShapeKind::box) {
    // The face that looks down most: it holds the lowest corner.
    const Vec3R local = g.axes_a * up;
    const Vec3R size{absolute(local.x), absolute(local.y), absolute(local.z)};
    const int i = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const std::uint32_t face = std::uint32_t(2 * i + (local[i] > 0));
    corners = 4;
    for (int n = 0; n < 4; ++n) {
      Vec3R l;
      l[i] = local[i] > 0 ? -g.a.half[i] : g.a.half[i];
      l[j] = n & 1 ? g.a.half[j] : -g.a.half[j];
      l[k] = n & 2 ? g.a.half[k] : -g.a.half[k];
      corner[n] = axes_to_world(g.axes_a, l);
      code[n] = face * 4 + std::uint32_t(n);
    }
  }
  for (int n = 0; n < corners; ++n) {
    const Real s = height + dot(corner[n], up) - g.a.radius;
    add_point(c, g, corner[n] - up * (g.a.radius + s / 2), s, code[n] + 1);
  }
  return c;
}

PairContact collide_pair(const PairGeometry& g, std::uint32_t axis) {
  if (!is_simple(g.b.kind)) return collide_convex(g);
  if (!is_simple(g.a.kind)) return collide_convex_half_space(g);
  if (g.b.kind == ShapeKind::half_space)
    return g.a.kind == ShapeKind::half_space ? PairContact{} : collide_half_space(g);
  if (g.b.kind == ShapeKind::box) {
    if (g.a.kind == ShapeKind::box) return collide_box_box(g, axis);
    return g.a.kind == ShapeKind::sphere ? collide_sphere_box(g) : collide_capsule_box(g);
  }
  if (g.b.kind == ShapeKind::capsule)
    return g.a.kind == ShapeKind::sphere ? collide_sphere_capsule(g) : collide_capsule_capsule(g);
  return collide_sphere_sphere(g);
}

}  // namespace pliant
