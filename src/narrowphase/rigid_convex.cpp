// Any two convex shapes: the nearest points by support points, then the flat parts around them
// clipped against each other, so that what lies or stands has several points.
#include "geometry/convex.h"
#include "geometry/gjk.h"
#include "narrowphase/rigid_pair.h"

namespace pliant {

namespace {

Mat3 widen(const Mat3R& m) {
  return {{cast<double>(m.row[0]), cast<double>(m.row[1]), cast<double>(m.row[2])}};
}

// A shape where it is, in double.
struct Placed {
  ShapeNumbers<double> shape;
  Mat3 axes;
  Vec3 centre;
};
Placed placed(const ShapeNumbers<Real>& shape, const Mat3R& axes, const Vec3R& centre) {
  return {widen_numbers(shape), widen(axes), cast<double>(centre)};
}
Vec3 to_world(const Placed& s, const Vec3& local) {
  return s.axes.row[0] * local.x + s.axes.row[1] * local.y + s.axes.row[2] * local.z;
}

Outline outline_along(const Placed& s, const Vec3& direction) {
  Outline o = core_outline(s.shape, s.axes * direction);
  for (int i = 0; i < o.count; ++i) o.point[i] = s.centre + to_world(s, o.point[i]);
  o.normal = to_world(s, o.normal);
  return o;
}

// A corner of what is left of an outline; `edge` labels the edge that leaves it.
struct Corner {
  Vec3 p;
  std::uint32_t edge = 0;
};
struct Clipped {
  int count = 0;
  Corner corner[2 * k_outline];
};
constexpr std::uint32_t k_cut = 64;  // labels of edges that the other outline has cut

Clipped whole(const Outline& o) {
  Clipped c;
  c.count = o.count;
  for (int i = 0; i < o.count; ++i) c.corner[i] = {o.point[i], std::uint32_t(i)};
  return c;
}

// Keeps what has outward . (p - origin) <= 0 (Sutherland and Hodgman); a segment stays open.
void clip(Clipped& c, const Vec3& origin, const Vec3& outward, std::uint32_t label) {
  Clipped out;
  const int n = c.count;
  const int edges = n == 2 ? 1 : n;
  const auto add = [&](const Corner& p) {
    if (out.count < 2 * k_outline) out.corner[out.count++] = p;
  };
  for (int i = 0; i < n; ++i) {
    const Corner &p = c.corner[i], &q = c.corner[(i + 1) % n];
    const double dp = dot(outward, p.p - origin), dq = dot(outward, q.p - origin);
    if (dp <= 0) add(p);
    if (i < edges && (dp <= 0) != (dq <= 0))
      add({p.p + (q.p - p.p) * (dp / (dp - dq)), dp <= 0 ? label : p.edge});
  }
  c = out;
}

std::uint32_t feature_of(std::uint32_t faces, std::uint32_t before, std::uint32_t after) {
  const std::uint32_t f = (faces * 2654435761u) ^ (before << 8 | after) * 40503u;
  return f == 0 ? 1 : f;
}

// Everything that may become a point: more than a manifold holds.
struct Candidates {
  int count = 0;
  PairPoint point[2 * k_outline + 1];
};

struct Meeting {
  Placed a, b;
  Vec3 normal;      // unit, from a to b
  double distance;  // m, between the cores
  Vec3 on_a, on_b;  // the nearest points of the cores
};

void add_candidate(Candidates& c, const PairGeometry& g, const Vec3& normal, const Vec3& on_a,
                   const Vec3& on_b, std::uint32_t feature) {
  const double ra = double(g.a.radius), rb = double(g.b.radius);
  const double s = dot(on_b - on_a, normal) - ra - rb;
  if (s > double(g.margin) || c.count > 2 * k_outline) return;
  const Vec3 middle = (on_a + normal * ra + on_b - normal * rb) * 0.5;
  c.point[c.count++] = {cast<Real>(middle), Real(s), feature};
}

// Where the incident outline lies before the polygon `face`, whose normal is along `n` or against
// it; each of its points meets the polygon along n. Cut along n as well, none of them is deeper
// than the two shapes are.
void meet_face(Candidates& out, const PairGeometry& g, const Vec3& n, const Outline& face,
               const Outline& incident, bool face_is_a) {
  Clipped c = whole(incident);
  const Vec3 outward = face_is_a ? n : -n;
  for (int i = 0; i < face.count && c.count > 0; ++i) {
    const Vec3 edge = face.point[(i + 1) % face.count] - face.point[i];
    clip(c, face.point[i], cross(edge, outward), k_cut + std::uint32_t(i));
  }
  const double slope = dot(face.normal, n);
  const std::uint32_t faces = face.id << 8 | incident.id << 1 | std::uint32_t(face_is_a);
  for (int i = 0; i < c.count; ++i) {
    const Vec3 p = c.corner[i].p;
    const Vec3 q = p - n * (dot(p - face.point[0], face.normal) / slope);
    const std::uint32_t before = c.corner[i == 0 ? c.count - 1 : i - 1].edge;
    const std::uint32_t feature = incident.count == 2 ? feature_of(faces, 0, std::uint32_t(i))
                                                      : feature_of(faces, before, c.corner[i].edge);
    add_candidate(out, g, n, face_is_a ? q : p, face_is_a ? p : q, feature);
  }
}

// Two edges that lie beside each other.
void meet_edges(Candidates& out, const PairGeometry& g, const Vec3& n, const Outline& a,
                const Outline& b) {
  const Vec3 along = a.point[1] - a.point[0], other = b.point[1] - b.point[0];
  const double l2 = dot(along, along), d = dot(along, other);
  if (!(l2 > 0) || d * d < 0.999 * l2 * dot(other, other)) return;
  Clipped c = whole(b);
  clip(c, a.point[0], -along, 0);
  if (c.count > 0) clip(c, a.point[1], along, 0);
  for (int i = 0; i < c.count; ++i) {
    const Vec3 q = a.point[0] + along * (dot(c.corner[i].p - a.point[0], along) / l2);
    add_candidate(out, g, n, q, c.corner[i].p, feature_of(a.id << 8 | b.id, 1, std::uint32_t(i)));
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

// Of the smaller shape's size: depths that differ by less count as the same.
constexpr double k_same = 2e-4;

double size_of(const PairGeometry& g) {
  const auto extent = [](const ShapeNumbers<Real>& s) {
    return double(length(s.half)) + double(s.radius);
  };
  if (g.b.kind == ShapeKind::half_space) return extent(g.a);
  const double a = extent(g.a), b = extent(g.b);
  return a < b ? a : b;
}

// The exact point, where the outlines have missed it.
void add_exact(Candidates& c, const PairGeometry& g, const Vec3& normal, const Vec3& on_a,
               const Vec3& on_b, double tolerance) {
  double deepest = double(g.margin) + 1;
  for (int i = 0; i < c.count; ++i)
    deepest = deepest < double(c.point[i].separation) ? deepest : double(c.point[i].separation);
  const double exact = dot(on_b - on_a, normal) - double(g.a.radius) - double(g.b.radius);
  if (exact < deepest - tolerance) add_candidate(c, g, normal, on_a, on_b, 0);
}

// Keeps the deepest point, the one furthest from it, and the two that span the largest area. Nearly
// equal ones are taken in their order, so that a body at rest keeps its points.
void reduce(const Candidates& c, const Vec3R& normal, Real tolerance, int keep[4]) {
  int deepest = 0;
  for (int i = 1; i < c.count; ++i)
    if (c.point[i].separation < c.point[deepest].separation - tolerance) deepest = i;
  const auto d2 = [&](int i) { return length_sq(c.point[i].position - c.point[deepest].position); };
  int far = deepest == 0 ? 1 : 0;
  for (int i = 0; i < c.count; ++i)
    if (i != deepest && d2(i) > d2(far) * Real(1.001)) far = i;
  const Vec3R line = c.point[far].position - c.point[deepest].position;
  const auto area = [&](int i) {
    return dot(cross(line, c.point[i].position - c.point[deepest].position), normal);
  };
  int left = -1, right = -1;
  for (int i = 0; i < c.count; ++i) {
    if (i == deepest || i == far) continue;
    if (area(i) > 0 && (left < 0 || area(i) > area(left) * Real(1.001))) left = i;
    if (area(i) <= 0 && (right < 0 || area(i) < area(right) * Real(1.001))) right = i;
  }
  keep[0] = deepest;
  keep[1] = far;
  keep[2] = left;
  keep[3] = right;
}

PairContact keep_best(const Candidates& c, const Vec3& normal, double tolerance) {
  PairContact out;
  out.normal = cast<Real>(normal);
  int keep[4] = {0, 1, 2, 3};
  if (c.count > 4) reduce(c, out.normal, Real(tolerance), keep);
  for (int k = 0; k < 4; ++k)
    if (keep[k] >= 0 && keep[k] < c.count) out.point[out.count++] = c.point[keep[k]];
  return out;
}

}  // namespace

PairContact collide_convex(const PairGeometry& g) {
  Meeting m{placed(g.a, g.axes_a, {}), placed(g.b, g.axes_b, g.offset), {}, 0, {}, {}};
  const ClosestPoints cores =
      closest_points({m.a.shape.half, m.a.axes, m.a.centre, m.a.shape.kind},
                     {m.b.shape.half, m.b.axes, m.b.centre, m.b.shape.kind});
  if (cores.distance - double(g.a.radius) - double(g.b.radius) > double(g.margin)) return {};
  m.normal = cores.normal;
  Candidates c;
  meet_outlines(c, g, m);
  const double tolerance = k_same * size_of(g);
  // The exact distance is that of the nearest points; along the normal rounding may differ.
  add_exact(c, g, m.normal, cores.on_a, cores.on_a + m.normal * cores.distance, tolerance);
  return keep_best(c, m.normal, tolerance);
}

PairContact collide_convex_half_space(const PairGeometry& g) {
  const Placed a = placed(g.a, g.axes_a, {});
  const Vec3 up = cast<double>(g.axes_b.row[1]), down = -up;
  const double height = -dot(cast<double>(g.offset), up);  // of the centre above the plane
  const auto foot = [&](const Vec3& p) { return p - up * (dot(p, up) + height); };
  Candidates c;
  const Outline o = outline_along(a, down);
  for (int i = 0; i < o.count; ++i)
    add_candidate(c, g, down, o.point[i], foot(o.point[i]), feature_of(o.id, 0, std::uint32_t(i)));
  const Vec3 lowest = to_world(a, core_support(a.shape, a.axes * down));
  const double tolerance = k_same * size_of(g);
  add_exact(c, g, down, lowest, foot(lowest), tolerance);
  return keep_best(c, down, tolerance);
}

}  // namespace pliant
