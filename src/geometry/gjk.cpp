#include "geometry/gjk.h"

#include "geometry/convex.h"

namespace pliant {

namespace {

// A point of the difference a - b and the two points that it comes from.
struct Vertex {
  Vec3 p, a, b;
};
struct Simplex {
  int count = 0;
  Vertex vertex[4];
  double weight[4] = {};  // of the point closest to the origin
};

Vec3 general_support(const ConvexCore& c, const Vec3& direction) {
  const Vec3 p = core_support({c.kind, c.half, 0, c.item, c.data}, c.axes * direction);
  return c.centre + c.axes.row[0] * p.x + c.axes.row[1] * p.y + c.axes.row[2] * p.z;
}
Vec3 support(const ConvexCore& c, const Vec3& direction) {
  if (!is_simple(c.kind)) return general_support(c, direction);
  Vec3 p = c.centre;
  for (int i = 0; i < 3; ++i)
    p += c.axes.row[i] * (dot(c.axes.row[i], direction) < 0 ? -c.half[i] : c.half[i]);
  return p;
}
Vertex support(const ConvexCore& a, const ConvexCore& b, const Vec3& direction) {
  const Vec3 pa = support(a, direction), pb = support(b, -direction);
  return {pa - pb, pa, pb};
}

Vec3 weighted(const Simplex& s) {
  Vec3 v;
  for (int i = 0; i < s.count; ++i) v += s.vertex[i].p * s.weight[i];
  return v;
}

Simplex solve_point(const Vertex& a) { return {1, {a, {}, {}, {}}, {1, 0, 0, 0}}; }

Simplex solve_segment(const Vertex& a, const Vertex& b) {
  const Vec3 ab = b.p - a.p;
  const double l2 = dot(ab, ab), t = -dot(a.p, ab);
  if (t <= 0 || l2 == 0) return solve_point(a);
  if (t >= l2) return solve_point(b);
  return {2, {a, b, {}, {}}, {1 - t / l2, t / l2, 0, 0}};
}

// By regions (Ericson, Real-Time Collision Detection, 5.1.5), for the origin.
Simplex solve_triangle(const Vertex& a, const Vertex& b, const Vertex& c) {
  const Vec3 ab = b.p - a.p, ac = c.p - a.p;
  const double d1 = -dot(ab, a.p), d2 = -dot(ac, a.p);
  const double d3 = -dot(ab, b.p), d4 = -dot(ac, b.p);
  const double d5 = -dot(ab, c.p), d6 = -dot(ac, c.p);
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  const double sum = va + vb + vc;
  if (va > 0 && vb > 0 && vc > 0) return {3, {a, b, c, {}}, {va / sum, vb / sum, vc / sum, 0}};
  const Simplex edge[3] = {solve_segment(a, b), solve_segment(b, c), solve_segment(c, a)};
  int best = 0;
  for (int i = 1; i < 3; ++i)
    if (length_sq(weighted(edge[i])) < length_sq(weighted(edge[best]))) best = i;
  return edge[best];
}

constexpr double k_flat = 1e-10;  // m, height of a tetrahedron

// Count 4 in the result: the origin is inside.
Simplex solve_tetrahedron(const Simplex& s) {
  static constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  Simplex best = s;
  double nearest = -1;
  for (const auto& f : face) {
    const Vertex &a = s.vertex[f[0]], &b = s.vertex[f[1]], &c = s.vertex[f[2]];
    const Vec3 n = cross(b.p - a.p, c.p - a.p);
    const double inner = dot(n, s.vertex[f[3]].p - a.p), origin = -dot(n, a.p);
    // The origin is on the inner side of this face; a flat tetrahedron has none.
    const bool flat = inner * inner <= k_flat * k_flat * dot(n, n);
    if (inner * origin > 0 && !flat) continue;
    const Simplex t = solve_triangle(a, b, c);
    const double d2 = length_sq(weighted(t));
    if (nearest < 0 || d2 < nearest) {
      nearest = d2;
      best = t;
    }
  }
  return best;
}

Simplex solve(const Simplex& s) {
  if (s.count == 1) return solve_point(s.vertex[0]);
  if (s.count == 2) return solve_segment(s.vertex[0], s.vertex[1]);
  if (s.count == 3) return solve_triangle(s.vertex[0], s.vertex[1], s.vertex[2]);
  return solve_tetrahedron(s);
}

bool holds(const Simplex& s, const Vec3& p) {
  for (int i = 0; i < s.count; ++i)
    if (s.vertex[i].p == p) return true;
  return false;
}

// --- expanding polytope --------------------------------------------------------------------------
// Of curved shapes more are needed, for the same result to a micrometre.
constexpr int k_vertices = 96, k_curved_vertices = 240;
constexpr int k_full = 192, k_curved_full = 448, k_faces = 512;
constexpr double k_enough = 1e-10, k_curved_enough = 1e-7;  // m

struct Face {
  int v[3];
  Vec3 normal;
  double distance;
  bool alive;
};
struct Polytope {
  int vertices = 0, faces = 0;
  Vertex vertex[k_curved_vertices];
  Face face[k_faces];
  Vec3 inside;          // a point of the interior, which tells outward
  bool reuses = false;  // places of dead faces
  int free = 0;
  int freed[k_faces];
};

void add_face(Polytope& p, int i, int j, int k) {
  if (p.free == 0 && p.faces == k_faces) return;
  const Vec3& a = p.vertex[i].p;
  Vec3 n = cross(p.vertex[j].p - a, p.vertex[k].p - a);
  const double l = length(n);
  Face f{{i, j, k}, {}, 1e30, true};  // a face without area is never the nearest
  if (l > 1e-14) {
    n = n / l;
    if (dot(n, a - p.inside) < 0) {
      n = -n;
      f.v[1] = k;
      f.v[2] = j;
    }
    f.normal = n;
    f.distance = dot(n, a);
  }
  p.face[p.free > 0 ? p.freed[--p.free] : p.faces++] = f;
}

// The furthest of the support points in the directions, measured by `size` from the simplex.
template <class Size>
void extend(Simplex& s, const ConvexCore& a, const ConvexCore& b, const Vec3* directions, int count,
            Size size) {
  double best = 0;
  for (int i = 0; i < 2 * count; ++i) {
    const Vertex v = support(a, b, i < count ? directions[i] : -directions[i - count]);
    const double d = size(v.p);
    if (d > best) {
      best = d;
      s.vertex[s.count] = v;
    }
  }
  if (best > 0) ++s.count;
}

void make_tetrahedron(Simplex& s, const ConvexCore& a, const ConvexCore& b) {
  const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec3 p = s.vertex[0].p;
  if (s.count == 1)
    extend(s, a, b, axis, 3, [&](const Vec3& q) { return length_sq(q - p) - 1e-20; });
  if (s.count == 2) {
    const Vec3 e = s.vertex[1].p - p;
    const Vec3 across[3] = {cross(e, axis[0]), cross(e, axis[1]), cross(e, axis[2])};
    extend(s, a, b, across, 3, [&](const Vec3& q) { return length_sq(cross(q - p, e)) - 1e-20; });
  }
  if (s.count == 3) {
    const Vec3 n = normalized(cross(s.vertex[1].p - p, s.vertex[2].p - p));
    extend(s, a, b, &n, 1, [&](const Vec3& q) { return std::fabs(dot(q - p, n)) - 1e-10; });
  }
}

int nearest_face(const Polytope& p) {
  int best = -1;
  for (int i = 0; i < p.faces; ++i)
    if (p.face[i].alive && (best < 0 || p.face[i].distance < p.face[best].distance)) best = i;
  return best;
}

// Removes the faces that see the new vertex and closes the hole with a fan.
void insert_vertex(Polytope& p, const Vertex& w) {
  const int tip = p.vertices;
  p.vertex[p.vertices++] = w;
  struct Edge {
    int from, to;
  } edge[3 * k_faces];
  int edges = 0;
  for (int i = 0; i < p.faces; ++i) {
    Face& f = p.face[i];
    if (!f.alive || dot(f.normal, w.p - p.vertex[f.v[0]].p) <= 1e-12) continue;
    f.alive = false;
    if (p.reuses) p.freed[p.free++] = i;
    for (int k = 0; k < 3; ++k) {
      const Edge e{f.v[k], f.v[(k + 1) % 3]};
      int twin = -1;
      for (int m = 0; m < edges; ++m)
        if (edge[m].from == e.to && edge[m].to == e.from) twin = m;
      if (twin >= 0)
        edge[twin] = edge[--edges];
      else
        edge[edges++] = e;
    }
  }
  for (int m = 0; m < edges; ++m) add_face(p, edge[m].from, edge[m].to, tip);
}

ClosestPoints from_face(const Polytope& p, const Face& f) {
  const Vertex &a = p.vertex[f.v[0]], &b = p.vertex[f.v[1]], &c = p.vertex[f.v[2]];
  const Vec3 foot = f.normal * f.distance;
  const Vec3 n = cross(b.p - a.p, c.p - a.p);
  const double l2 = dot(n, n);
  const double wa = dot(n, cross(c.p - b.p, foot - b.p)) / l2;
  const double wb = dot(n, cross(a.p - c.p, foot - c.p)) / l2;
  const double wc = 1 - wa - wb;
  return {-f.distance, f.normal, a.a * wa + b.a * wb + c.a * wc, a.b * wa + b.b * wb + c.b * wc};
}

ClosestPoints penetration(Simplex s, const ConvexCore& a, const ConvexCore& b) {
  make_tetrahedron(s, a, b);
  if (s.count < 4) {  // a flat difference: two segments that cross, or less
    Vec3 n{0, 1, 0};
    if (s.count == 3)
      n = normalized(cross(s.vertex[1].p - s.vertex[0].p, s.vertex[2].p - s.vertex[0].p));
    const Simplex t = solve(s);
    ClosestPoints flat{0, n, {}, {}};
    for (int i = 0; i < t.count; ++i) {
      flat.on_a += t.vertex[i].a * t.weight[i];
      flat.on_b += t.vertex[i].b * t.weight[i];
    }
    return flat;
  }
  Polytope p;
  p.vertices = 4;
  for (int i = 0; i < 4; ++i) {
    p.vertex[i] = s.vertex[i];
    p.inside += s.vertex[i].p * 0.25;
  }
  add_face(p, 0, 1, 2);
  add_face(p, 0, 3, 1);
  add_face(p, 1, 3, 2);
  add_face(p, 2, 3, 0);
  p.reuses = !is_simple(a.kind) || !is_simple(b.kind);
  const int most = p.reuses ? k_curved_vertices : k_vertices;
  const int full = p.reuses ? k_curved_full : k_full;
  const double enough = p.reuses ? k_curved_enough : k_enough;
  while (true) {
    const Face f = p.face[nearest_face(p)];
    const Vertex w = support(a, b, f.normal);
    if (dot(w.p, f.normal) - f.distance <= enough || p.vertices == most || p.faces - p.free > full)
      return from_face(p, f);
    insert_vertex(p, w);
  }
}

}  // namespace

ClosestPoints closest_points(const ConvexCore& a, const ConvexCore& b) {
  const bool curved = !is_simple(a.kind) || !is_simple(b.kind);
  Simplex s = solve_point(support(a, b, b.centre - a.centre));
  Vec3 v = s.vertex[0].p;
  for (int round = 0; round < 64; ++round) {
    const double d2 = dot(v, v);
    if (d2 < 1e-20) return penetration(s, a, b);
    const Vertex w = support(a, b, -v);
    if (d2 - dot(v, w.p) <= 1e-12 * d2 || holds(s, w.p)) break;
    Simplex next = s;
    next.vertex[next.count++] = w;
    next = solve(next);
    if (next.count == 4) return penetration(next, a, b);
    const Vec3 nearer = weighted(next);
    // Support points of a curved surface come so close to each other that rounding decides.
    if (curved && dot(nearer, nearer) >= d2) break;
    s = next;
    v = nearer;
  }
  ClosestPoints c;
  c.distance = length(v);
  c.normal = v / -c.distance;
  for (int i = 0; i < s.count; ++i) {
    c.on_a += s.vertex[i].a * s.weight[i];
    c.on_b += s.vertex[i].b * s.weight[i];
  }
  return c;
}

}  // namespace pliant
