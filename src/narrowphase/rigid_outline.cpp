#include "narrowphase/rigid_outline.h"

namespace pliant {

namespace {

Mat3 widen(const Mat3R& m) {
  return {{cast<double>(m.row[0]), cast<double>(m.row[1]), cast<double>(m.row[2])}};
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

// Of the smaller shape's size.
constexpr double k_same = 2e-4;

double size_of(const PairGeometry& g) {
  const auto extent = [](const ShapeNumbers<Real>& s) {
    return double(length(s.half)) + double(s.radius);
  };
  if (g.b.kind == ShapeKind::half_space) return extent(g.a);
  const double a = extent(g.a), b = extent(g.b);
  return a < b ? a : b;
}

// The best of the points by a measure; of those that are nearly as deep as the deepest, where they
// reach half as far as all. (Points beyond the rim of what lies flat would else push out its
// corners; those at the deepest edge of what leans, the ones on the other side.) Nearly equal ones
// are taken in their order. -1 where none is above zero.
template <class Measure>
int choose(const PairPoint* point, int count, Real deep, const Measure& measure) {
  int best[2] = {-1, -1};  // of the deep ones, of all
  Real most[2] = {0, 0};
  for (int i = 0; i < count; ++i) {
    const Real m = measure(i);
    for (int set = point[i].separation > deep ? 1 : 0; set < 2; ++set) {
      if (m <= most[set] * Real(1.001)) continue;
      most[set] = m;
      best[set] = i;
    }
  }
  return most[0] > Real(0.5) * most[1] ? best[0] : best[1];
}

void reduce(const PairPoint* point, int count, const Vec3R& normal, Real tolerance, int keep[4]) {
  // Of those that are about as deep as the deepest the outermost along some direction: one from the
  // middle of a side would cost a corner.
  Real lowest = point[0].separation;
  for (int i = 1; i < count; ++i)
    lowest = lowest < point[i].separation ? lowest : point[i].separation;
  const Vec3R u = any_perpendicular(normal), v = cross(normal, u);
  const Vec3R axis = u * Real(0.9) + v * Real(0.44);
  int first = -1;
  for (int i = 0; i < count; ++i) {
    if (point[i].separation > lowest + tolerance) continue;
    if (first < 0 || dot(point[i].position - point[first].position, axis) > tolerance) first = i;
  }
  const Real deep = lowest + 5 * tolerance;
  const auto from_first = [&](int i) { return point[i].position - point[first].position; };
  const int far = choose(point, count, deep, [&](int i) { return length_sq(from_first(i)); });
  keep[0] = first;
  keep[1] = far;
  keep[2] = keep[3] = -1;
  if (far < 0) return;
  const Vec3R line = from_first(far);
  const auto area = [&](int i) { return dot(cross(line, from_first(i)), normal); };
  keep[2] = choose(point, count, deep, [&](int i) { return area(i); });
  keep[3] = choose(point, count, deep, [&](int i) { return -area(i); });
}

}  // namespace

Placed placed(const ShapeNumbers<Real>& shape, const Mat3R& axes, const Vec3R& centre) {
  return {widen_numbers(shape), widen(axes), cast<double>(centre)};
}
Outline outline_along(const Placed& s, const Vec3& direction) {
  Outline o = core_outline(s.shape, s.axes * direction);
  for (int i = 0; i < o.count; ++i) o.point[i] = s.centre + turn_out(s, o.point[i]);
  o.normal = turn_out(s, o.normal);
  return o;
}

std::uint32_t mix_feature(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t f = (a * 2654435761u) ^ (b + 1) * 40503u;
  return f == 0 ? 1 : f;
}

void add_candidate(Candidates& c, const PairGeometry& g, const Vec3& normal, const Vec3& on_a,
                   const Vec3& on_b, std::uint32_t feature) {
  const double ra = double(g.a.radius), rb = double(g.b.radius);
  const double s = dot(on_b - on_a, normal) - ra - rb;
  if (s > double(g.margin) || c.count > 2 * k_outline) return;
  const Vec3 middle = (on_a + normal * ra + on_b - normal * rb) * 0.5;
  c.point[c.count++] = {cast<Real>(middle), Real(s), feature};
}

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
    const std::uint32_t feature = incident.count == 2
                                      ? mix_feature(faces, std::uint32_t(i))
                                      : mix_feature(faces, before << 8 | c.corner[i].edge);
    add_candidate(out, g, n, face_is_a ? q : p, face_is_a ? p : q, feature);
  }
}

void add_exact(Candidates& c, const PairGeometry& g, const Vec3& normal, const Vec3& on_a,
               const Vec3& on_b, double tolerance) {
  double deepest = double(g.margin) + 1;
  for (int i = 0; i < c.count; ++i)
    deepest = deepest < double(c.point[i].separation) ? deepest : double(c.point[i].separation);
  const double exact = dot(on_b - on_a, normal) - double(g.a.radius) - double(g.b.radius);
  if (exact < deepest - tolerance) add_candidate(c, g, normal, on_a, on_b, 0);
}

double same_depth(const PairGeometry& g) { return k_same * size_of(g); }

PairContact keep_best(const PairPoint* points, int count, const Vec3& normal, double tolerance) {
  PairContact out;
  out.normal = cast<Real>(normal);
  int keep[4] = {0, 1, 2, 3};
  if (count > 4) reduce(points, count, out.normal, Real(tolerance), keep);
  for (const int k : keep)
    if (k >= 0 && k < count) out.point[out.count++] = points[k];
  return out;
}

}  // namespace pliant
