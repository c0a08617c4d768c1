// The refresh of edges of a cloth or a solid against sharp edges of a solid.
//
//   gap = n . (p - q) - thickness,   d gap / d p = n,   d gap / d q = -n
//
// p and q are the nearest points of the two lines, n is the direction across both. A ridge parts
// what is outside from what is inside for the directions between the normals of its two faces only
// (its arc); beyond these it is a face or a vertex that the other meets first. So n is that of the
// two directions which lies in the arc, of two solids in both their arcs: it tells outside from
// inside also where the edges have passed each other. Only what was outside when the step began is
// led out so; what had come in elsewhere would be led through the far side.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "geometry/closest_point.h"
#include "narrowphase/refresh_parts.h"

namespace pliant {
namespace {

// Nearer to an end (share of the edge) a vertex has the contact.
constexpr double k_end_share = 0.02;
// Sine between edges; below it vertices see them first, and the direction across is uncertain.
constexpr double k_parallel = 0.05;
// Cosine and sine of 15 degrees, by which a direction may lie beyond an arc. Soft faces bend by
// some degrees: with contacts that come and go by that, what lies on an edge would never be still.
constexpr double k_beyond_cosine = 0.9659, k_beyond_sine = 0.2588;
// Cells: of what is deeper another edge or a vertex knows better which way is out.
constexpr double k_deepest = 0.5;

struct Edge {
  std::array<std::int32_t, 2> ends{};      // surface vertices
  std::array<std::int32_t, 2> triangle{};  // of a solid: its two faces
};

struct Line {
  Vec3 from, to;  // m, when the substep began
};

Line line_of(const RefreshContext& context, const Deformable& body, const Edge& edge) {
  const auto end = [&](std::size_t n) {
    return stencil_place(*context.particles, vertex_stencil(body, edge.ends[n]), Moment::begin);
  };
  return {end(0), end(1)};
}

// The directions between the normals of the faces at a ridge.
struct Arc {
  Vec3 middle;        // unit
  double cosine = 1;  // of half of it
};

Arc arc_of(const RefreshContext& context, const Deformable& body, const Edge& edge) {
  const Vec3 first = face_normal(context, body, edge.triangle[0]);
  const Vec3 middle = normalized(first + face_normal(context, body, edge.triangle[1]));
  return {middle, dot(first, middle)};
}

bool holds(const Arc& arc, const Vec3& direction) {
  const double sine = std::sqrt(std::max(0.0, 1 - arc.cosine * arc.cosine));
  return dot(arc.middle, direction) >= arc.cosine * k_beyond_cosine - sine * k_beyond_sine;
}

// From the obstacle's edge outwards; nothing where a face or a vertex comes first.
std::optional<Vec3> outward(const RefreshContext& context, const ContactPair& pair,
                            const Edge& edge, const Edge& sharp, const Vec3& across) {
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  const Arc arc = arc_of(context, context.bodies[std::size_t(pair.other)], sharp);
  const Vec3 normal = dot(arc.middle, across) < 0 ? -across : across;
  if (!holds(arc, normal)) return {};
  if (body.surface.closed && !holds(arc_of(context, body, edge), -normal)) return {};
  return normal;
}

bool is_inside(double share) { return share > k_end_share && share < 1 - k_end_share; }

// Whether the edge was outside, or no deeper than the thickness, when it was first looked at in
// this step. What came in elsewhere is led out by vertices, which know the side that it came from.
bool came_from_outside(const RefreshContext& context, const ContactPair& pair, const Edge& edge,
                       const Edge& sharp, const Vec3& normal, double distance, ContactSlot& slot) {
  if (slot.side == 0) {
    const bool outside = distance > -double(pair.thickness) &&
                         !went_through(context, pair, edge.ends[0], sharp.ends, normal);
    slot.side = outside ? 1 : -1;
  }
  return slot.side > 0;
}

Meeting meet_edges(const RefreshContext& context, const ContactPair& pair, const Edge& edge,
                   const Edge& sharp, ContactSlot& slot, ParticleContact& contact) {
  const Deformable& body = context.bodies[std::size_t(pair.body)];
  const Deformable& other = context.bodies[std::size_t(pair.other)];
  const Line b = line_of(context, body, edge), a = line_of(context, other, sharp);
  const SegmentPair at = closest_on_segments(b.from, b.to, a.from, a.to);
  if (!is_inside(at.s) || !is_inside(at.t)) return {};
  const Vec3 along_b = b.to - b.from, along_a = a.to - a.from, across = cross(along_b, along_a);
  const double area = length(across);
  if (area < k_parallel * length(along_b) * length(along_a)) return {};
  const Vec3 between = (b.from + along_b * at.s) - (a.from + along_a * at.t);
  const Stencil p = edge_stencil(body, edge.ends, edge.triangle[0], at.s);
  const Stencil q = edge_stencil(other, sharp.ends, sharp.triangle[0], at.t);
  const double motion = fastest(*context.particles, p) + fastest(*context.particles, q);
  const double reach = reach_of(context, pair, motion) + double(pair.thickness);
  const double deepest = k_deepest * std::min(body.cell, other.cell);
  // What has been looked at and is far needs no direction.
  if (slot.side != 0 && length(between) > std::max(reach, deepest)) return {};
  const std::optional<Vec3> normal = outward(context, pair, edge, sharp, across / area);
  if (!normal) return {};
  const double distance = dot(*normal, between);
  if (!came_from_outside(context, pair, edge, sharp, *normal, distance, slot)) return {};
  if (distance > reach || distance < -deepest) return {};
  contact = {};
  put(contact, p, 1);
  put(contact, q, -1);
  return {cast<Real>(*normal), Real(distance) - pair.thickness, true};
}

Edge edge_of(const Deformable& body, std::int32_t edge) {
  if (!body.surface.closed) return {body.surface.edges[std::size_t(edge)], {}};
  const SharpEdge& sharp = body.surface.sharp[std::size_t(edge)];
  return {sharp.vertex, sharp.triangle};
}

}  // namespace

bool refresh_edges(const RefreshContext& context, const ContactSlots& slots, ContactSlot& slot,
                   ParticleContact& contact) {
  const ContactPair& pair = slots.pairs[std::size_t(slot.pair)];
  if (slot.side < 0) return false;
  const Meeting meeting =
      meet_edges(context, pair, edge_of(context.bodies[std::size_t(pair.body)], slot.feature),
                 edge_of(context.bodies[std::size_t(pair.other)], slot.sharp), slot, contact);
  if (meeting.found) finish_contact(context, slot.pair, pair, meeting, 0, contact);
  return meeting.found;
}

}  // namespace pliant
