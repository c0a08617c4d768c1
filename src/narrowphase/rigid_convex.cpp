// Any two convex shapes: the nearest points by support points, then the flat parts around them
// clipped against each other, so that what lies or stands has several points.
#include <algorithm>

#include "narrowphase/rigid_outline.h"

namespace pliant {

namespace {

struct Meeting {
  Placed a, b;
  Vec3 normal;      // unit, from a to b
  double distance;  // m, between the cores
  Vec3 on_a, on_b;  // the nearest points of the cores
};

// The part of the segment b that lies beside the segment from `from` to `from` + along.
int clip_segment(const Outline& b, const Vec3& from, const Vec3& along, Vec3 out[2]) {
  const Vec3 d = b.point[1] - b.point[0];
  const double l2 = dot(along, along), start = dot(b.point[0] - from, along), slope = dot(d, along);
  if (slope == 0) return 0;
  const double t0 = -start / slope, t1 = (l2 - start) / slope;
  const double lo = std::max(0.0, std::min(t0, t1)), hi = std::min(1.0, std::max(t0, t1));
  if (lo > hi) return 0;
  out[0] = b.point[0] + d * lo;
  out[1] = b.point[0] + d * hi;
  return 2;
}

// Two edges that lie beside each other.
void meet_edges(Candidates& out, const PairGeometry& g, const Vec3& n, const Outline& a,
                const Outline& b) {
  const Vec3 along = a.point[1] - a.point[0], other = b.point[1] - b.point[0];
  const double l2 = dot(along, along), d = dot(along, other);
  if (!(l2 > 0) || d * d < 0.999 * l2 * dot(other, other)) return;
  Vec3 end[2];
  const int ends = clip_segment(b, a.point[0], along, end);
  for (int i = 0; i < ends; ++i) {
    const Vec3 q = a.point[0] + along * (dot(end[i] - a.point[0], along) / l2);
    add_candidate(out, g, n, q, end[i], mix_feature(a.id << 8 | b.id, std::uint32_t(i)));
  }
}

void meet_outlines(Candidates& out, const PairGeometry& g, const Meeting& m) {
  const Outline a = outline_along(m.a, m.normal), b = outline_along(m.b, -m.normal);
  if (a.count < 2 || b.count < 2) return;
  if (a.count == 2 && b.count == 2) return meet_edges(out, g, m.normal, a, b);
  const double along_a = a.count > 2 ? dot(a.normal, m.normal) : -1;
  const double along_b = b.count > 2 ? -dot(b.normal, m.normal) : -1;
  const bool face_is_a = along_a >= along_b - 1e-6;
  if ((face_is_a ? along_a : along_b) < 0.9) return;  // corner or edge against edge
  meet_face(out, g, m.normal, face_is_a ? a : b, face_is_a ? b : a, face_is_a);
}

}  // namespace

PairContact collide_convex(const PairGeometry& g) {
  Meeting m{placed(g.a, g.axes_a, {}), placed(g.b, g.axes_b, g.offset), {}, 0, {}, {}};
  const ClosestPoints cores = closest_points(make_core(m.a.shape, m.a.axes, m.a.centre),
                                             make_core(m.b.shape, m.b.axes, m.b.centre));
  if (cores.distance - double(g.a.radius) - double(g.b.radius) > double(g.margin)) return {};
  m.normal = cores.normal;
  Candidates c;
  meet_outlines(c, g, m);
  const double tolerance = same_depth(g);
  // The exact distance is that of the nearest points; along the normal rounding may differ.
  add_exact(c, g, m.normal, cores.on_a, cores.on_a + m.normal * cores.distance, tolerance);
  return keep_best(c.point, c.count, m.normal, tolerance);
}

PairContact collide_convex_half_space(const PairGeometry& g) {
  const Placed a = placed(g.a, g.axes_a, {});
  const Vec3 up = cast<double>(g.axes_b.row[1]), down = -up;
  const double height = -dot(cast<double>(g.offset), up);  // of the centre above the plane
  const auto foot = [&](const Vec3& p) { return p - up * (dot(p, up) + height); };
  Candidates c;
  const Outline o = outline_along(a, down);
  for (int i = 0; i < o.count; ++i)
    add_candidate(c, g, down, o.point[i], foot(o.point[i]), mix_feature(o.id, std::uint32_t(i)));
  const Vec3 lowest = turn_out(a, core_support(a.shape, a.axes * down));
  const double tolerance = same_depth(g);
  add_exact(c, g, down, lowest, foot(lowest), tolerance);
  return keep_best(c.point, c.count, down, tolerance);
}

}  // namespace pliant
