// Meshes against convex shapes triangle by triangle, against planes and against each other point by
// point.
#include <algorithm>
#include <bit>

#include "geometry/closest_point.h"
#include "geometry/shape_data.h"
#include "narrowphase/rigid_composite.h"
#include "narrowphase/rigid_outline.h"

namespace pliant {

namespace {

constexpr double k_flat = 0.999;    // cosine: along the face's normal
constexpr double k_faces = 0.7;     // cosine: more along it than not
constexpr double k_thin = 0.1;      // of the mesh's size
constexpr double k_at_edge = 1e-3;  // weight below which a point of a triangle is at its edge

struct TrianglePlace {
  Vec3 corner[3];
  Vec3 normal;
  bool front = true;  // b is on the side of the normal
};

TrianglePlace place_triangle(const Placed& a, const Vec3& middle, bool two_sided) {
  const ShapeData& data = *a.shape.data;
  const Triangle& t = data.mesh.triangles[std::size_t(a.shape.item)];
  TrianglePlace p;
  for (int k = 0; k < 3; ++k)
    p.corner[k] = a.centre + turn_out(a, data.mesh.vertices[std::size_t(t[std::size_t(k)])]);
  p.normal = turn_out(a, data.tree.normal(a.shape.item));
  p.front = !two_sided || dot(middle - p.corner[0], p.normal) >= 0;
  if (!p.front) p.normal = -p.normal;
  return p;
}

// Whether the nearest point lies on edges at which the surface goes on flat or bends towards b:
// then the neighbour has the contact, or the face itself. At a corner one sharp edge is enough.
bool at_inner_edge(const Placed& a, const TrianglePlace& p, const Vec3& point) {
  const auto w = closest_on_triangle(point, p.corner[0], p.corner[1], p.corner[2]);
  bool at_edge = false, sharp = false;
  for (int k = 0; k < 3; ++k) {
    if (w[std::size_t((k + 2) % 3)] >= k_at_edge) continue;
    at_edge = true;
    sharp = sharp || a.shape.data->tree.sharp(a.shape.item, k, p.front);
  }
  return at_edge && !sharp;
}

// Along the face's normal: what of b lies before the triangle. False where nothing does.
bool meet_triangle_face(const PairGeometry& g, const Placed& a, const Placed& b,
                        const TrianglePlace& p, Patches& patches) {
  Candidates c;
  const Outline face = outline_along(a, p.normal), other = outline_along(b, -p.normal);
  meet_face(c, g, p.normal, face, other, true);
  Outline tip;
  tip.count = 1;
  tip.point[0] = b.centre + turn_out(b, core_support(b.shape, b.axes * -p.normal));
  tip.id = 127;
  double deepest = 1e30;
  for (int i = 0; i < c.count; ++i) deepest = std::min(deepest, double(c.point[i].separation));
  const double exact = dot(tip.point[0] - p.corner[0], p.normal) - double(g.b.radius);
  if (exact < deepest - same_depth(g)) meet_face(c, g, p.normal, face, tip, true);
  for (int i = 0; i < c.count; ++i) patches.add(p.normal, c.point[i]);
  return c.count > 0;
}

// Where a convex shape is: its origin, but that of a hull may be anywhere.
Vec3 middle_of(const Placed& b) {
  if (b.shape.kind != ShapeKind::hull) return b.centre;
  Vec3 sum;
  for (const Vec3& v : b.shape.data->hull.vertices) sum += v;
  return b.centre + turn_out(b, sum / double(b.shape.data->hull.vertices.size()));
}

// m: how far the middle of what is thin may be in a solid.
double thin_slack(const Placed& a, const Placed& b) {
  const Vec3& half = b.shape.half;
  const double thickness = std::min({half.x, half.y, half.z}) + b.shape.radius;
  return std::max(0.0, k_thin * length(a.shape.half) - thickness);
}

// Whether b is behind a face of a solid that it did not come in by: another face has the contact.
// What is thin is there already when it has come a little way in, at most to the middle of the
// solid.
bool is_behind(const Placed& a, const Placed& b, const TrianglePlace& p, const Vec3& middle) {
  const double behind = -dot(middle - p.corner[0], p.normal);
  if (behind <= 0) return false;
  if (behind > thin_slack(a, b)) return true;
  const Vec3 centre = (p.corner[0] + p.corner[1] + p.corner[2]) / 3.0;
  const double skin = 1e-6 * length(a.shape.half);
  const Vec3 from = a.axes * (centre - p.normal * skin - a.centre);
  return a.shape.data->tree.along(from, a.axes * -p.normal, 2 * behind).triangle >= 0;
}

void meet_triangle(const PairGeometry& g, const Placed& a, const Placed& b, const Vec3& middle,
                   Patches& patches) {
  const ShapeData& data = *a.shape.data;
  const bool two_sided = !data.closed && !data.solid_below;
  const TrianglePlace p = place_triangle(a, middle, two_sided);
  if (data.closed && is_behind(a, b, p, middle)) return;
  const ClosestPoints cores =
      closest_points(make_core(a.shape, a.axes, a.centre), make_core(b.shape, b.axes, b.centre));
  if (cores.distance - double(g.b.radius) > double(g.margin)) return;
  const double along = dot(cores.normal, p.normal);
  // An overlap that is left along another direction than the face's is none of this triangle's.
  const bool inner = at_inner_edge(a, p, cores.on_a);
  const bool inside = data.closed && along < -k_faces && thin_slack(a, b) > 0;
  if (along > k_flat || inside || (along > k_faces && (cores.distance < 0 || inner)))
    if (meet_triangle_face(g, a, b, p, patches)) return;
  if (inner || (along < 0 && !two_sided)) return;
  Candidates c;
  add_candidate(c, g, cores.normal, cores.on_a, cores.on_a + cores.normal * cores.distance,
                mix_feature(std::uint32_t(a.shape.item), 0x5eed));
  for (int i = 0; i < c.count; ++i) patches.add(cores.normal, c.point[i]);
}

// The box of b in the frame of a, grown by the margin.
struct LocalBox {
  Vec3 low, high;
};
LocalBox box_of(const Placed& a, const Placed& b, double margin) {
  const Vec3 centre = a.axes * (b.centre - a.centre);
  const Mat3 turn = a.axes * transposed(b.axes);  // columns are b's axes in a's frame
  const double grow = margin + b.shape.radius;
  Vec3 e{grow, grow, grow};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) e[i] += std::fabs(turn.row[i][j]) * b.shape.half[j];
  return {centre - e, centre + e};
}

// Memory of the tests below, of each thread: a warm step does not allocate.
struct MeshScratch {
  std::vector<std::int32_t> triangles;
  std::vector<PairPoint> points;
  std::vector<std::uint64_t> marked;  // a bit for each point of a surface
  Patches patches;
};
MeshScratch& mesh_scratch() {
  thread_local MeshScratch scratch;
  return scratch;
}

// Whether a point is on the other side of an open surface than the body that it belongs to. Beside
// the rim there are no sides.
bool has_crossed(const TriangleTree& surface, const NearestOnMesh& near, const Vec3& point,
                 const Vec3& body) {
  const Vec3& n = surface.normal(near.triangle);
  const double height = dot(point - near.point, n);
  if (std::fabs(height) < k_faces * near.distance) return false;
  return (height < 0) != (dot(body - near.point, n) < 0);
}

// Points of `from` near `to`; `sign` is 1 where `from` is a.
void probe(const PairGeometry& g, const Placed& from, const Placed& to, double sign,
           Patches& patches) {
  const ShapeData &own = *from.shape.data, &other = *to.shape.data;
  const bool two_sided = !other.closed && !other.solid_below;
  const double margin = double(g.margin), reach = length(to.shape.half) + margin;
  const Vec3 box = to.shape.half + Vec3{margin, margin, margin};
  const Vec3 centre = to.axes * (from.centre - to.centre);
  const Mat3 turn = to.axes * transposed(from.axes);
  const auto outside = [&](const Vec3& p, double r) {
    return std::fabs(p.x) > box.x + r || std::fabs(p.y) > box.y + r || std::fabs(p.z) > box.z + r;
  };
  // Whether nothing so far away counts: too far out, or too deep.
  const auto too_far = [&](const MeshField::Bounds& b) {
    return b.least > 0.5 * reach || (b.side > 0 && b.least > margin);
  };
  const auto look = [&](std::size_t i) {
    const Vec3 local = centre + turn * own.samples[i];
    if (outside(local, 0)) return;
    const MeshField::Bounds bounds = other.field.around(local, 0);
    if (too_far(bounds)) return;
    const NearestOnMesh near = other.field.nearest(other.tree, local, bounds);
    const bool inside = two_sided ? has_crossed(other.tree, near, local, centre) : near.behind;
    const double d = inside ? -near.distance : near.distance;
    if (d > margin || d < -0.5 * reach) return;
    const Vec3& face = other.tree.normal(near.triangle);
    const bool back = two_sided && dot(centre - near.point, face) < 0;
    const Vec3 away = near.distance > 1e-9 ? (local - near.point) / d : back ? -face : face;
    const Vec3 normal = turn_out(to, away);  // from `to` to `from`
    const Vec3 p = from.centre + turn_out(from, own.samples[i]);
    const std::uint32_t feature = mix_feature(std::uint32_t(i), sign > 0 ? 1 : 2);
    patches.add(normal * -sign, {cast<Real>(p - normal * (d / 2)), Real(d), feature});
  };
  // Those that may count, in their own order: what is found must not depend on the groups.
  std::vector<std::uint64_t>& marked = mesh_scratch().marked;
  marked.assign(own.samples.size() / 64 + 1, 0);
  for (const PointGroup& group : own.groups.groups) {
    const Vec3 local = centre + turn * group.centre;
    if (outside(local, group.radius) || too_far(other.field.around(local, group.radius))) continue;
    for (std::int32_t n = group.first; n < group.first + group.count; ++n) {
      const std::size_t i = std::size_t(own.groups.members[std::size_t(n)]);
      marked[i / 64] |= std::uint64_t(1) << (i % 64);
    }
  }
  for (std::size_t word = 0; word < marked.size(); ++word)
    for (std::uint64_t left = marked[word]; left != 0; left &= left - 1)
      look(64 * word + std::size_t(std::countr_zero(left)));
}

}  // namespace

void Patches::begin(double alike, double tolerance) {
  alike_ = alike;
  tolerance_ = tolerance;
  count_ = 0;
}

void Patches::add(const Vec3& normal, const PairPoint& point) {
  Patch* home = nullptr;
  for (std::size_t n = 0; n < count_ && !home; ++n)
    if (dot(patches_[n].normal, normal) > alike_) home = &patches_[n];
  if (!home) {
    if (patches_.size() == count_) patches_.emplace_back();
    home = &patches_[count_++];
    home->normal = normal;
    home->points.clear();
  }
  const Real close = Real(tolerance_ * tolerance_);
  for (const PairPoint& p : home->points)
    if (length_sq(p.position - point.position) < close) return;
  home->points.push_back(point);
}

void Patches::finish(ContactList& out) const {
  for (std::size_t n = 0; n < count_; ++n) {
    const Patch& p = patches_[n];
    out.push_back(keep_best(p.points.data(), int(p.points.size()), p.normal, tolerance_));
  }
}

void collide_mesh_convex(const PairGeometry& g, ContactList& out) {
  Placed a = placed(g.a, g.axes_a, {});
  const Placed b = placed(g.b, g.axes_b, g.offset);
  const LocalBox box = box_of(a, b, double(g.margin));
  MeshScratch& scratch = mesh_scratch();
  std::vector<std::int32_t>& triangles = scratch.triangles;
  triangles.clear();
  a.shape.data->tree.overlapping(box.low, box.high, triangles);
  Patches& patches = scratch.patches;
  patches.begin(0.996, same_depth(g));
  const Vec3 middle = middle_of(b);
  a.shape.kind = ShapeKind::triangle;
  for (const std::int32_t t : triangles) {
    a.shape.item = t;
    meet_triangle(g, a, b, middle, patches);
  }
  patches.finish(out);
}

void collide_mesh_half_space(const PairGeometry& g, ContactList& out) {
  const Placed a = placed(g.a, g.axes_a, {});
  const Vec3 up = cast<double>(g.axes_b.row[1]);
  const double height = -dot(cast<double>(g.offset), up);
  const Vec3 local_up = a.axes * up;
  std::vector<PairPoint>& points = mesh_scratch().points;
  points.clear();
  const std::vector<Vec3>& vertices = a.shape.data->mesh.vertices;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const double s = height + dot(vertices[i], local_up);
    if (s > double(g.margin)) continue;
    const Vec3 p = turn_out(a, vertices[i]);
    points.push_back({cast<Real>(p - up * (s / 2)), Real(s), mix_feature(std::uint32_t(i), 3)});
  }
  if (!points.empty())
    out.push_back(keep_best(points.data(), int(points.size()), -up, same_depth(g)));
}

void collide_mesh_mesh(const PairGeometry& g, ContactList& out) {
  const Placed a = placed(g.a, g.axes_a, {}), b = placed(g.b, g.axes_b, g.offset);
  Patches& patches = mesh_scratch().patches;
  patches.begin(0.95, same_depth(g));
  probe(g, a, b, 1, patches);
  probe(g, b, a, -1, patches);
  patches.finish(out);
}

}  // namespace pliant
