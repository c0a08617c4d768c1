// Box against box: separating axes, then clipping of the incident face against the reference face.
#include "narrowphase/rigid_pair.h"

namespace pliant {

namespace {

// An axis in the order 1..3 faces of a, 4..6 faces of b, 7..15 edge i of a with edge j of b
// (7 + 3 i + j). The separation is that of the two boxes along it.
struct Axes {
  Mat3R c;       // c[i][j] = axis i of a . axis j of b
  Mat3R size;    // absolute values
  Vec3R da, db;  // offset in the frames of a and of b
};

Real row_value(const Mat3R& m, int i, int j) { return m.row[i][j]; }

Axes make_axes(const PairGeometry& g) {
  Axes x;
  for (int i = 0; i < 3; ++i) {
    x.c.row[i] = {dot(g.axes_a.row[i], g.axes_b.row[0]), dot(g.axes_a.row[i], g.axes_b.row[1]),
                  dot(g.axes_a.row[i], g.axes_b.row[2])};
    x.size.row[i] = {absolute(x.c.row[i].x), absolute(x.c.row[i].y), absolute(x.c.row[i].z)};
  }
  x.da = g.axes_a * g.offset;
  x.db = g.axes_b * g.offset;
  return x;
}

Real face_a(const PairGeometry& g, const Axes& x, int i) {
  return absolute(x.da[i]) - (g.a.half[i] + dot(x.size.row[i], g.b.half));
}
Real face_b(const PairGeometry& g, const Axes& x, int j) {
  const Vec3R column{x.size.row[0][j], x.size.row[1][j], x.size.row[2][j]};
  return absolute(x.db[j]) - (g.b.half[j] + dot(column, g.a.half));
}
constexpr Real k_no_axis = Real(-1e30);
// Nearly parallel edges add nothing to the faces.
Real edges(const PairGeometry& g, const Axes& x, int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const Real cij = row_value(x.c, i, j);
  const Real l2 = 1 - cij * cij;
  if (l2 < Real(0.005)) return k_no_axis;
  const Real distance =
      absolute(x.da[i2] * row_value(x.c, i1, j) - x.da[i1] * row_value(x.c, i2, j));
  const Real reach =
      g.a.half[i1] * row_value(x.size, i2, j) + g.a.half[i2] * row_value(x.size, i1, j) +
      g.b.half[j1] * row_value(x.size, i, j2) + g.b.half[j2] * row_value(x.size, i, j1);
  return (distance - reach) / std::sqrt(l2);
}
Real along_axis(const PairGeometry& g, const Axes& x, std::uint32_t axis) {
  if (axis <= 3) return face_a(g, x, int(axis) - 1);
  if (axis <= 6) return face_b(g, x, int(axis) - 4);
  return edges(g, x, int(axis - 7) / 3, int(axis - 7) % 3);
}

Real axis_tolerance(const PairGeometry& g) {
  const Vec3R h = min(g.a.half, g.b.half);
  const Real smallest = h.x < h.y ? (h.x < h.z ? h.x : h.z) : (h.y < h.z ? h.y : h.z);
  return Real(0.01) * smallest;
}

// The axis of greatest separation. Faces are preferred to edges and the remembered axis to all
// others by a tolerance, so that the manifold does not jump between equally good ones. Returns
// false where some axis separates by more than the margin; `axis` then names it.
bool best_axis(const PairGeometry& g, const Axes& x, std::uint32_t remembered, std::uint32_t& axis,
               Real& separation) {
  const Real tolerance = axis_tolerance(g);
  axis = 1;
  separation = k_no_axis;
  for (std::uint32_t k = 1; k <= 15; ++k) {
    const Real s = along_axis(g, x, k);
    if (s > g.margin) {
      axis = k;
      return false;
    }
    // Of the faces the greatest; an edge only where it is clearly better.
    if (s > (k > 6 && axis <= 6 ? separation + tolerance : separation)) {
      separation = s;
      axis = k;
    }
  }
  if (remembered != 0 && remembered != axis) {
    const Real s = along_axis(g, x, remembered);
    if (s > separation - tolerance) {
      separation = s;
      axis = remembered;
    }
  }
  return true;
}

// --- faces ---------------------------------------------------------------------------------------
// A polygon corner in the reference face's frame; w is its height above that face. `edge` labels
// the edge that leaves it: 0..3 of the incident face, 4..7 of the reference face.
struct Corner {
  Real u, v, w;
  std::uint32_t edge;
};
struct Polygon {
  int count = 0;
  Corner corner[8];
};

Corner between(const Corner& p, const Corner& q, Real t, std::uint32_t edge) {
  return {p.u + (q.u - p.u) * t, p.v + (q.v - p.v) * t, p.w + (q.w - p.w) * t, edge};
}

// Keeps what has sign * (u or v) <= limit (Sutherland and Hodgman).
void clip(Polygon& polygon, bool by_v, Real sign, Real limit, std::uint32_t label) {
  Polygon out;
  const int n = polygon.count;
  for (int i = 0; i < n; ++i) {
    const Corner &p = polygon.corner[i], &q = polygon.corner[i + 1 == n ? 0 : i + 1];
    const Real dp = sign * (by_v ? p.v : p.u) - limit, dq = sign * (by_v ? q.v : q.u) - limit;
    if (dp <= 0 && out.count < 8) out.corner[out.count++] = p;
    if ((dp <= 0) != (dq <= 0) && out.count < 8)
      out.corner[out.count++] = between(p, q, dp / (dp - dq), dp <= 0 ? label : p.edge);
  }
  polygon = out;
}

// Keeps the deepest corner, the one furthest from it, and the two that span the largest area.
void reduce(const Polygon& p, int keep[4]) {
  int deepest = 0;
  for (int i = 1; i < p.count; ++i)
    if (p.corner[i].w < p.corner[deepest].w) deepest = i;
  const auto d2 = [&](int i, int j) {
    const Real du = p.corner[i].u - p.corner[j].u, dv = p.corner[i].v - p.corner[j].v;
    return du * du + dv * dv;
  };
  int far = deepest == 0 ? 1 : 0;
  for (int i = 0; i < p.count; ++i)
    if (i != deepest && d2(i, deepest) > d2(far, deepest)) far = i;
  const auto area = [&](int i) {
    const Corner &a = p.corner[deepest], &b = p.corner[far], &c = p.corner[i];
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
  };
  int left = -1, right = -1;
  for (int i = 0; i < p.count; ++i) {
    if (i == deepest || i == far) continue;
    if (area(i) > 0 && (left < 0 || area(i) > area(left))) left = i;
    if (area(i) <= 0 && (right < 0 || area(i) < area(right))) right = i;
  }
  // All on one side: the second best of that side is any other corner.
  for (int i = 0; i < p.count && (left < 0 || right < 0); ++i) {
    if (i == deepest || i == far || i == left || i == right) continue;
    (left < 0 ? left : right) = i;
  }
  keep[0] = deepest;
  keep[1] = far;
  keep[2] = left;
  keep[3] = right;
}

// The reference box at `centre`, the incident box at `other`, both relative to a.
struct FacePair {
  Vec3R centre, other;
  const Mat3R &axes, &other_axes;
  Vec3R half, other_half;
};

// The incident face's corners in the frame of face i of the reference box, which looks along n.
Polygon incident_face(const FacePair& f, int i, const Vec3R& n, std::uint32_t& label) {
  const Vec3R facing = f.other_axes * n;
  const Vec3R size{absolute(facing.x), absolute(facing.y), absolute(facing.z)};
  const int j = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const int k = (j + 1) % 3, l = (j + 2) % 3;
  const Real side = facing[j] > 0 ? Real(-1) : Real(1);
  label = std::uint32_t(2 * j + (side > 0));
  const Vec3R middle = f.other - f.centre + f.other_axes.row[j] * (side * f.other_half[j]);
  const Vec3R p = f.other_axes.row[k] * f.other_half[k], q = f.other_axes.row[l] * f.other_half[l];
  const Vec3R corner[4] = {middle - p - q, middle + p - q, middle + p + q, middle - p + q};
  const Vec3R &u = f.axes.row[(i + 1) % 3], &v = f.axes.row[(i + 2) % 3];
  Polygon polygon;
  polygon.count = 4;
  for (int m = 0; m < 4; ++m)
    polygon.corner[m] = {dot(corner[m], u), dot(corner[m], v), dot(corner[m], n) - f.half[i],
                         std::uint32_t(m)};
  return polygon;
}

void clip_to_face(Polygon& polygon, Real hu, Real hv) {
  bool out_u = false, out_v = false;
  for (int m = 0; m < 4; ++m) {
    out_u = out_u || absolute(polygon.corner[m].u) > hu;
    out_v = out_v || absolute(polygon.corner[m].v) > hv;
  }
  if (out_u) {
    clip(polygon, false, 1, hu, 4);
    clip(polygon, false, -1, hu, 5);
  }
  if (out_v) {
    clip(polygon, true, 1, hv, 6);
    clip(polygon, true, -1, hv, 7);
  }
}

void face_contact(PairContact& c, const PairGeometry& g, const FacePair& f, int i, const Vec3R& n,
                  std::uint32_t axis) {
  std::uint32_t face = 0;
  Polygon polygon = incident_face(f, i, n, face);
  clip_to_face(polygon, f.half[(i + 1) % 3], f.half[(i + 2) % 3]);
  // Corners beyond the margin go before the reduction: they must not push out loaded ones.
  Polygon near;
  std::uint32_t feature[8] = {};
  for (int m = 0; m < polygon.count; ++m) {
    if (polygon.corner[m].w > g.margin) continue;
    const std::uint32_t before = polygon.corner[m == 0 ? polygon.count - 1 : m - 1].edge;
    feature[near.count] = axis << 12 | face << 8 | before << 4 | polygon.corner[m].edge;
    near.corner[near.count++] = polygon.corner[m];
  }
  int keep[4] = {0, 1, 2, 3};
  if (near.count > 4) reduce(near, keep);
  const int kept = near.count < 4 ? near.count : 4;
  for (int m = 0; m < kept; ++m) {
    const Corner& p = near.corner[keep[m]];
    const Vec3R position = f.centre + f.axes.row[(i + 1) % 3] * p.u +
                           f.axes.row[(i + 2) % 3] * p.v + n * (f.half[i] + p.w / 2);
    add_point(c, g, position, p.w, feature[keep[m]]);
  }
}

// --- edges ---------------------------------------------------------------------------------------
// False where the closest points lie outside the edges: then other features are closer.
bool edge_contact(PairContact& c, const PairGeometry& g, int i, int j, Real separation,
                  std::uint32_t axis) {
  Vec3R n = normalized(cross(g.axes_a.row[i], g.axes_b.row[j]));
  if (dot(n, g.offset) < 0) n = -n;
  Vec3R pa, pb = g.offset;
  std::uint32_t code = 0;
  for (int k = 0; k < 3; ++k) {
    const bool sa = dot(n, g.axes_a.row[k]) > 0, sb = dot(n, g.axes_b.row[k]) < 0;
    if (k != i) pa += g.axes_a.row[k] * (sa ? g.a.half[k] : -g.a.half[k]);
    if (k != j) pb += g.axes_b.row[k] * (sb ? g.b.half[k] : -g.b.half[k]);
    code |= std::uint32_t(sa && k != i) << k | std::uint32_t(sb && k != j) << (k + 3);
  }
  const Vec3R &u = g.axes_a.row[i], &v = g.axes_b.row[j];
  const Vec3R r = pb - pa;
  const Real b = dot(u, v), det = 1 - b * b, ur = dot(u, r), vr = dot(v, r);
  const Real s = (ur - b * vr) / det, t = (b * ur - vr) / det;
  const Real tolerance = Real(1.001);
  if (absolute(s) > g.a.half[i] * tolerance || absolute(t) > g.b.half[j] * tolerance) return false;
  c.normal = n;
  add_point(c, g, (pa + u * s + pb + v * t) * Real(0.5), separation, axis << 12 | code);
  return true;
}

}  // namespace

PairContact collide_box_box(const PairGeometry& g, std::uint32_t remembered) {
  PairContact c;
  const Axes x = make_axes(g);
  if (remembered != 0 && along_axis(g, x, remembered) > g.margin) {
    c.axis = remembered;
    return c;
  }
  Real separation;
  if (!best_axis(g, x, remembered, c.axis, separation)) return c;
  const std::uint32_t axis = c.axis;
  if (axis <= 3) {
    const int i = int(axis) - 1;
    c.normal = x.da[i] < 0 ? -g.axes_a.row[i] : g.axes_a.row[i];
    const FacePair f{{}, g.offset, g.axes_a, g.axes_b, g.a.half, g.b.half};
    face_contact(c, g, f, i, c.normal, axis * 2 + (x.da[i] < 0));
  } else if (axis <= 6) {
    const int j = int(axis) - 4;
    c.normal = x.db[j] < 0 ? -g.axes_b.row[j] : g.axes_b.row[j];
    const FacePair f{g.offset, {}, g.axes_b, g.axes_a, g.b.half, g.a.half};
    face_contact(c, g, f, j, -c.normal, axis * 2 + (x.db[j] < 0));
  } else {
    edge_contact(c, g, int(axis - 7) / 3, int(axis - 7) % 3, separation, axis * 2);
  }
  // Separate boxes with a corner as the nearest feature: the axes only bound their distance.
  Real deepest = c.count > 0 ? c.point[0].separation : g.margin + 1;
  for (int k = 1; k < c.count; ++k)
    deepest = deepest < c.point[k].separation ? deepest : c.point[k].separation;
  if (c.count == 0 || (separation > 0 && deepest > separation + axis_tolerance(g))) {
    const std::uint32_t keep = c.axis;
    c = collide_general(g);
    c.axis = keep;
  }
  return c;
}

}  // namespace pliant
