// The path that needs support points only, and capsule against box, which starts from it.
#include "geometry/gjk.h"
#include "narrowphase/rigid_pair.h"

namespace pliant {

namespace {

Mat3 widen(const Mat3R& m) {
  return {{cast<double>(m.row[0]), cast<double>(m.row[1]), cast<double>(m.row[2])}};
}

ClosestPoints closest_cores(const PairGeometry& g) {
  const ConvexCore a{cast<double>(g.a.half), widen(g.axes_a), {}};
  const ConvexCore b{cast<double>(g.b.half), widen(g.axes_b), cast<double>(g.offset)};
  return closest_points(a, b);
}

void set_closest(PairContact& c, const PairGeometry& g, const ClosestPoints& cores) {
  c.normal = cast<Real>(cores.normal);
  const double ra = g.a.radius, rb = g.b.radius;
  const Vec3 on_a = cores.on_a + cores.normal * ra, on_b = cores.on_b - cores.normal * rb;
  add_point(c, g, cast<Real>((on_a + on_b) * 0.5), Real(cores.distance - ra - rb), 0);
}

// The part [lo, hi] of middle + t along, t in [-1, 1], within |x| <= half.
void clip_slab(Real middle, Real along, Real half, Real& lo, Real& hi) {
  if (absolute(along) < Real(1e-9)) {
    if (absolute(middle) > half) hi = lo;
    return;
  }
  const Real t0 = (-half - middle) / along, t1 = (half - middle) / along;
  const Real first = t0 < t1 ? t0 : t1, last = t0 < t1 ? t1 : t0;
  lo = lo > first ? lo : first;
  hi = hi < last ? hi : last;
}

// Two points where the capsule lies along face i of the box; false where it does not.
bool capsule_on_face(PairContact& c, const PairGeometry& g, const Vec3R& normal) {
  const Vec3R local = g.axes_b * normal;
  const Vec3R size{absolute(local.x), absolute(local.y), absolute(local.z)};
  const int i = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  if (size[i] < Real(0.9999)) return false;
  const Vec3R middle = g.axes_b * (-g.offset);
  const Vec3R along = (g.axes_b * g.axes_a.row[1]) * g.a.half.y;
  if (absolute(along[i]) > Real(0.2) * g.a.half.y) return false;
  Real lo = -1, hi = 1;
  clip_slab(middle[(i + 1) % 3], along[(i + 1) % 3], g.b.half[(i + 1) % 3], lo, hi);
  clip_slab(middle[(i + 2) % 3], along[(i + 2) % 3], g.b.half[(i + 2) % 3], lo, hi);
  if (hi - lo < Real(0.1)) return false;
  const Real side = local[i] > 0 ? Real(-1) : Real(1);
  c.normal = g.axes_b.row[i] * -side;
  for (int end = 0; end < 2; ++end) {
    const Real t = end == 0 ? lo : hi;
    const Real s = side * (middle[i] + along[i] * t) - g.b.half[i] - g.a.radius;
    const Vec3R core = g.axes_a.row[1] * (g.a.half.y * t);
    add_point(c, g, core + c.normal * (g.a.radius + s / 2), s, std::uint32_t(end + 1));
  }
  return true;
}

}  // namespace

PairContact collide_general(const PairGeometry& g) {
  PairContact c;
  set_closest(c, g, closest_cores(g));
  return c;
}

PairContact collide_capsule_box(const PairGeometry& g) {
  PairContact c;
  const ClosestPoints cores = closest_cores(g);
  if (cores.distance - g.a.radius > g.margin) return c;
  const bool flat = capsule_on_face(c, g, cast<Real>(cores.normal));
  // The face may miss the nearest point where it lies just beyond the face's edge.
  const Real exact = Real(cores.distance) - g.a.radius;
  Real deepest = g.margin + 1;
  for (int i = 0; i < c.count; ++i)
    deepest = deepest < c.point[i].separation ? deepest : c.point[i].separation;
  if (flat && deepest < exact + Real(1e-3)) return c;
  c = {};
  set_closest(c, g, cores);
  return c;
}

}  // namespace pliant
