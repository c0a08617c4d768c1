// Refreshing contacts in each substep, after the bodies' own constraints: where the two sides are
// nearest, the normal, the gap, the approach speed.
//
// All of it is taken at the places of the substep's beginning; during the substep the gap changes
// along that normal only. So a fast particle meets the plane of what was nearest when the substep
// began, and a gap costs one distance, not two. What is further away at the end of its motion so
// far than the margin and that motion is not live: nothing of it is written or projected.
#pragma once

#include <span>

#include "model/contact.h"
#include "model/deformable.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

// Over the particles of a body.
struct BodyWay {
  Real displaced = 0;  // m, longest d when the substep began
  Real moved = 0;      // m, longest way in this substep so far
};

struct RefreshContext {
  double h = 0;           // s
  double push_speed = 0;  // m/s
  double margin = 0;      // m, WorldDef::contact_margin
  std::span<const Deformable> bodies;
  const Particles* particles = nullptr;
  const RigidBodies* rigid = nullptr;      // poses at the end of the substep
  std::span<const BodyBase> rigid_before;  // poses at its beginning
  std::span<const RememberedSide> sides = {};
};

// Both write everything, multipliers at zero, or only that the contact is not live.
void refresh_batches(const RefreshContext& context, std::span<const ContactPair> pairs,
                     std::span<VertexBatch> batches);
// A vertex of a slot; returns whether it is live.
bool refresh_vertex(const RefreshContext& context, const ContactSlots& slots, ContactSlot& slot,
                    ParticleContact& contact);
// A pair of edges of a slot; likewise.
bool refresh_edges(const RefreshContext& context, const ContactSlots& slots, ContactSlot& slot,
                   ParticleContact& contact);
BodyWay measure_way(const Particles& particles, const Deformable& body);
// Slots [begin, end), all with triangles of one pair, and whether they are live. `way` is that of
// the pair's body.
void refresh_triangles(const RefreshContext& context, ContactSlots& slots, const BodyWay& way,
                       std::int32_t begin, std::int32_t end);

// Cosine between normals of one contact in a substep; below it the sides may have been changed.
inline constexpr Real k_same_side = Real(0.3);

// Where a triangle is nearest to a rigid shape; `start` are weights near to where that is.
struct TriangleMeeting {
  std::array<double, 3> weights{};
  Vec3 touching;        // m, point of the shape, in its frame
  Vec3R normal;         // unit, from the shape to the triangle
  double distance = 0;  // m
};
TriangleMeeting meet_triangle(const ShapeNumbers<Real>& shape, const Transform& pose,
                              const std::array<Vec3, 3>& corners, const std::array<Real, 3>& start);
// The same with the plane of the contact when the substep began, moved with the body: the corner
// that is nearest to it. For where another normal may mean that it went through. Around an edge of
// the shape that plane does not part the two: a corner of a closed surface that was beyond it
// already counts from there. (What is open has no inside to be found in later; it stays strict.)
TriangleMeeting meet_plane(const Transform& before, const Transform& now, bool closed,
                           const std::array<Vec3, 3>& corners_before,
                           const std::array<Vec3, 3>& corners, const ParticleContact& contact,
                           double distance_before);

// Of live contacts with the insides of triangles, slots as above: takes the place and the normal
// anew from where both are now. A large triangle turns about the point where it was nearest and
// comes nearer elsewhere.
void aim_triangles(const RefreshContext& context, ContactSlots& slots,
                   std::span<const RigidPush> pushes, std::int32_t begin, std::int32_t end);

}  // namespace pliant
