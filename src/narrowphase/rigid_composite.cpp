#include "narrowphase/rigid_composite.h"

#include "geometry/shape_data.h"
#include "narrowphase/rigid_outline.h"

namespace pliant {

namespace {

// Turns a contact of (b, a), whose points are relative to the centre of b, into one of (a, b).
PairContact turned_round(PairContact c, const Vec3R& offset) {
  c.normal = -c.normal;
  for (int i = 0; i < c.count; ++i) c.point[i].position += offset;
  return c;
}
PairGeometry swapped(const PairGeometry& g) {
  return {g.b, g.a, g.axes_b, g.axes_a, -g.offset, g.margin};
}

template <class Collide>
void collide_swapped(const PairGeometry& g, ContactList& out, const Collide& collide) {
  const std::size_t begin = out.size();
  collide(swapped(g), out);
  for (std::size_t n = begin; n < out.size(); ++n) out[n] = turned_round(out[n], g.offset);
}

void collide_one(const PairGeometry& g, ContactList& out) {
  const bool mesh_a = g.a.kind == ShapeKind::mesh, mesh_b = g.b.kind == ShapeKind::mesh;
  if (mesh_a && mesh_b) return collide_mesh_mesh(g, out);
  if (mesh_a) {
    if (g.b.kind == ShapeKind::half_space) return collide_mesh_half_space(g, out);
    return collide_mesh_convex(g, out);
  }
  if (mesh_b) return collide_swapped(g, out, collide_one);
  if (comes_first(g.b.kind, g.a.kind)) return collide_swapped(g, out, collide_one);
  const PairContact c = collide_pair(g, 0);
  if (c.count > 0) out.push_back(c);
}

ShapeNumbers<Real> narrowed(const ShapeNumbers<double>& s) {
  return {s.kind, cast<Real>(s.half), Real(s.radius), s.item, s.data};
}
Mat3R narrowed(const Mat3& m) {
  return {{cast<Real>(m.row[0]), cast<Real>(m.row[1]), cast<Real>(m.row[2])}};
}

double reach_of(const ShapeNumbers<Real>& s) {
  return s.kind == ShapeKind::half_space ? 1e30 : double(length(s.half)) + double(s.radius);
}

void relabel(ContactList& out, std::size_t begin, std::uint32_t part, const Vec3R& shift) {
  for (std::size_t n = begin; n < out.size(); ++n)
    for (int i = 0; i < out[n].count; ++i) {
      PairPoint& p = out[n].point[i];
      p.feature = mix_feature(p.feature, part);
      p.position += shift;
    }
}

// Each part of a against b.
void collide_parts_of_a(const PairGeometry& g, ContactList& out) {
  const ShapeData& data = *g.a.data;
  const double reach_b = reach_of(g.b);
  for (std::size_t n = 0; n < data.parts.size(); ++n) {
    const ShapePart& part = data.parts[n];
    const Vec3R at = axes_to_world(g.axes_a, cast<Real>(part.position));
    PairGeometry sub = g;
    sub.a = narrowed(part.shape);
    sub.axes_a = narrowed(part.axes) * g.axes_a;
    sub.offset = g.offset - at;
    if (double(length(sub.offset)) > part.reach + reach_b + double(g.margin)) continue;
    const std::size_t begin = out.size();
    collide_composite(sub, out);
    relabel(out, begin, std::uint32_t(n), at);
  }
}

}  // namespace

void collide_composite(const PairGeometry& g, ContactList& out) {
  if (g.a.kind == ShapeKind::compound) return collide_parts_of_a(g, out);
  if (g.b.kind == ShapeKind::compound) return collide_swapped(g, out, collide_composite);
  collide_one(g, out);
}

}  // namespace pliant
