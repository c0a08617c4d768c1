// Random pairs of all kinds of shapes: what the library says of each against the brute-force twin.
#pragma once

#include <string>

#include "geometry/shape_data.h"
#include "geometry/shape_gap.h"
#include "narrowphase/rigid_composite.h"
#include "unit/narrowphase/any_twin.h"

namespace pliant::twin {

struct Seen {
  int apart = 0, overlapping = 0, enclosed = 0;  // pairs
  int contacts = 0;                              // of which the contact points were compared
  int off = 0;                                   // of these, where they are not what they should be
  int touching = 0, missing = 0;                 // in motion
};

// m. Rims of cylinders and cones are that good; users' shapes are triangles that follow their
// distance within a thirtieth of their box.
inline constexpr double k_exact = 5e-4;
inline double tolerance(const AnyPair& p) {
  double t = k_exact;
  for (const Shape* s : {&p.shape_a, &p.shape_b})
    if (const auto* user = std::get_if<UserShape>(s); user && user->distance) {
      const Vec3 size = user->distance->high() - user->distance->low();
      t += std::max({size.x, size.y, size.z}) / 30;
    }
  return t;
}

// --- solids within solids
struct Solid {
  TriMesh mesh;
  Vec3 at;
  Quat turn;
};
inline void collect_solids(const Shape& shape, const Vec3& at, const Quat& turn,
                           std::vector<Solid>& out) {
  if (const auto* mesh = std::get_if<Mesh>(&shape); mesh && is_closed(mesh->mesh))
    out.push_back({mesh->mesh, at, turn});
  if (const auto* compound = std::get_if<Compound>(&shape))
    for (const CompoundPart& p : compound->parts)
      collect_solids(p.shape, at + rotate(turn, p.position), turn * p.rotation, out);
}
// By the sum of the solid angles of all triangles (Van Oosterom and Strackee 1983).
inline bool holds(const Solid& solid, const Vec3& point) {
  const Vec3 p = rotate_inverse(solid.turn, point - solid.at);
  double sum = 0;
  for (const Triangle& t : solid.mesh.triangles) {
    const Vec3 a = solid.mesh.vertices[std::size_t(t[0])] - p,
               b = solid.mesh.vertices[std::size_t(t[1])] - p,
               c = solid.mesh.vertices[std::size_t(t[2])] - p;
    const double la = length(a), lb = length(b), lc = length(c);
    sum += 2 * std::atan2(dot(a, cross(b, c)),
                          la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return std::fabs(sum) > 2 * M_PI;
}
inline Vec3 middle_of(const Piece& piece) {
  const auto* hull = std::get_if<Hull>(&piece.shape);
  if (!hull) return piece.at;
  Vec3 sum;
  for (const Vec3& p : hull->points) sum += p;
  return piece.at + rotate(piece.turn, sum / double(hull->points.size()));
}
// Of shapes whose surfaces do not cross.
inline bool encloses(const Shape& outer, const Vec3& at, const Quat& turn,
                     const std::vector<Piece>& inner) {
  std::vector<Solid> solids;
  collect_solids(outer, at, turn, solids);
  for (const Solid& solid : solids)
    for (const Piece& piece : inner)
      if (!std::holds_alternative<HalfSpace>(piece.shape) && holds(solid, middle_of(piece)))
        return true;
  return false;
}

template <class S>
bool is(const AnyPair& p) {
  return std::holds_alternative<S>(p.shape_a) || std::holds_alternative<S>(p.shape_b);
}
inline bool is_distance(const Shape& s) {
  const auto* user = std::get_if<UserShape>(&s);
  return user && user->distance;
}
inline bool has_mesh(const Shape& s) {
  if (const auto* compound = std::get_if<Compound>(&s))
    return std::any_of(compound->parts.begin(), compound->parts.end(),
                       [](const CompoundPart& part) { return has_mesh(part.shape); });
  return std::holds_alternative<Mesh>(s) || std::holds_alternative<HeightField>(s) ||
         is_distance(s);
}

inline bool has_box(const Shape& s) {
  if (const auto* compound = std::get_if<Compound>(&s))
    return std::any_of(compound->parts.begin(), compound->parts.end(),
                       [](const CompoundPart& part) { return has_box(part.shape); });
  return std::holds_alternative<Box>(s) || std::holds_alternative<Rectangle>(s);
}
inline bool is_open(const Shape& s) {
  const auto* mesh = std::get_if<Mesh>(&s);
  return mesh && !is_closed(mesh->mesh);
}
inline bool known_by_distance(const AnyPair& p) {
  return is_distance(p.shape_a) || is_distance(p.shape_b);
}

// The deepest of the contact points that a step would begin with.
inline double deepest_contact(const AnyPair& p, double margin) {
  PairGeometry g;
  g.a = shape_numbers<Real>(p.made_a);
  g.b = shape_numbers<Real>(p.made_b);
  g.axes_a = transposed(to_matrix(cast<Real>(p.turn_a)));
  g.axes_b = transposed(to_matrix(cast<Real>(p.turn_b)));
  g.offset = cast<Real>(p.at_b - p.at_a);
  g.margin = Real(margin);
  ContactList out;
  collide_composite(g, out);
  double s = 1e30;
  for (const PairContact& c : out) s = std::min(s, deepest(c));
  return s;
}

// What is wrong with the contact points of two shapes that are apart along `normal`, when they have
// been brought together to 2 cm; empty = nothing. Height fields are met from above only.
inline std::string contact_fault(AnyPair p, const Nearest& apart, Seen& seen) {
  constexpr double k_near = 0.02;  // m
  if (is<HeightField>(p) || is<HalfSpace>(p)) return "";
  p.at_b -= apart.normal * (apart.distance - k_near);
  const double expected = least_distance(p.pieces_a(), p.pieces_b(), apart.normal).distance;
  if (expected < 2 * tolerance(p)) return "";  // other parts of them have met
  // Two meshes see each other by points of their surfaces, a twenty-fourth of their size apart. On
  // which side of an open mesh another is, is told by its centre: one that reaches around the rim
  // is taken to be through.
  const bool sampled = has_mesh(p.shape_a) && has_mesh(p.shape_b);
  const bool around = sampled && (is_open(p.shape_a) || is_open(p.shape_b));
  double above = sampled ? std::max(length(p.made_a.half), length(p.made_b.half)) * 2 / 24 : 0;
  // Boxes by separating axes: exact where they touch, not between corners that are apart.
  if (has_box(p.shape_a) && has_box(p.shape_b)) above += 0.5 * expected;
  const double contact = deepest_contact(p, 0.1 + above), exact = 2 * tolerance(p);
  ++seen.contacts;
  if ((contact > expected - exact || around) && contact < expected + exact + above) return "";
  return "the nearest contact has " + std::to_string(contact) + ", the twin " +
         std::to_string(expected);
}

// What is wrong with distance or depth, overlap and contact points; empty = nothing.
inline std::string fault_at_rest(const AnyPair& p, Seen& seen) {
  Vec3 normal;
  const double found = gap_at(p.moving_a(), p.moving_b(), 0, normal);
  const std::vector<Piece> a = p.pieces_a(), b = p.pieces_b();
  const Nearest nearest = least_distance(a, b, normal);
  const double expected = nearest.distance, exact = tolerance(p);
  const auto say = [&](const std::string& what, double value) {
    return what + " " + std::to_string(value) + ", the twin " + std::to_string(expected);
  };
  // A user's solid is its triangles: how deep something is in it, they do not say.
  const bool hollow = known_by_distance(p) && expected < 0;
  // The twin may take an overlap for deeper than it is: see piece_distance.
  const double above = expected < 0 ? 5 * exact : exact;
  const bool wrong = found < expected - exact || found > expected + above;
  if (wrong && !hollow) return say("the gap is", found);
  if (std::fabs(expected) < 2 * exact) return "";  // touching: either answer is right
  const bool apart = expected > 0;
  seen.apart += apart, seen.overlapping += !apart;
  const bool field = is<HeightField>(p);  // what lies below one is in it
  const bool enclosed = apart && (encloses(p.shape_a, p.at_a, p.turn_a, b) ||
                                  encloses(p.shape_b, p.at_b, p.turn_b, a));
  seen.enclosed += enclosed;
  const bool overlap =
      shapes_overlap(place_shape(shape_numbers<double>(p.made_a), {p.at_a, p.turn_a}),
                     place_shape(shape_numbers<double>(p.made_b), {p.at_b, p.turn_b}));
  if (!field && overlap != (!apart || enclosed)) return say("the answer to overlap is", overlap);
  // A few in ten thousand: triangles leave contacts at an edge to the neighbour, and thin spikes of
  // a mesh are taken for its thickness at the middle of a triangle.
  seen.off += apart && !enclosed && !contact_fault(p, nearest, seen).empty();
  return "";
}

// What is wrong with a time of impact, looked at at some times before it; empty = nothing.
inline std::string fault_in_motion(const AnyPair& p, ImpactTime method, int times, Seen& seen) {
  const double duration = 1;
  const Impact impact = find_impact(p.moving_a(), p.moving_b(), duration,
                                    {.method = method, .gap = 1e-5, .iterations = 1000});
  const double exact = tolerance(p), sharp = 2 * exact;
  const auto distance = [&](double t, double most) {
    return least_distance(p.pieces_a(t), p.pieces_b(t), impact.normal, most).distance;
  };
  const double begin = distance(0, exact);
  if (impact.kind == Impact::Kind::overlap)
    return begin < exact ? "" : "says that they overlap at the start";
  // What begins inside a user's solid: see fault_at_rest.
  if (begin < -sharp)
    return known_by_distance(p) ? "" : "does not see that they overlap at the start";
  const bool none = impact.kind == Impact::Kind::none;
  seen.missing += none;
  const double end = none ? duration : impact.time;
  for (int k = 1; k <= times; ++k) {
    const double t = end * k / (times + 1.0);
    if (distance(t, 0) < -sharp) return "they overlap earlier, at " + std::to_string(t);
  }
  if (impact.kind != Impact::Kind::touch) return "";
  ++seen.touching;
  const double gap = distance(impact.time, 1);
  return std::fabs(gap) < sharp ? "" : "the gap there is " + std::to_string(gap);
}

}  // namespace pliant::twin
