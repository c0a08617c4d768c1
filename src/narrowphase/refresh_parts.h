// What the refreshes of vertices and of triangles have in common.
#pragma once

#include <algorithm>

#include "narrowphase/deformable_refresh.h"
#include "narrowphase/surface_points.h"

namespace pliant {

struct Meeting {
  Vec3R normal;  // from side a to side b
  Real gap = 0;  // m, between the surfaces, thickness already taken off
  bool found = false;
};

// The rigid side of a pair in this substep.
struct RigidFrame {
  ShapeNumbers<double> shape;
  Transform pose;     // at the beginning of the substep
  Transform now;      // at its end, without what contacts have done
  double motion = 0;  // m, of its fastest point
};
RigidFrame rigid_frame(const RefreshContext& context, std::int32_t rigid);

// How near the two must be now to be live: within their fastest particles' motion, twice, and what
// the constraints may add.
inline double reach_of(const RefreshContext& context, const ContactPair& pair, double motion) {
  return std::min(context.margin, double(pair.thickness)) + 2 * motion;
}
// m, the longest way of a stencil's particles in this substep.
double fastest(const Particles& particles, const Stencil& stencil);

Vec3 face_normal(const RefreshContext& context, const Deformable& body, std::int32_t triangle);
// Whether an open surface (side b of the pair) is, at this vertex, on the wrong side of a solid by
// what is remembered of the solid's vertices: `normal` leads on, out of the solid's far side. Then
// those lead it back.
bool went_through(const RefreshContext& context, const ContactPair& pair, std::int32_t vertex,
                  std::span<const std::int32_t> solid_vertices, const Vec3& normal);

// Appends the particles of a stencil to the contact.
void put(ParticleContact& contact, const Stencil& stencil, Real sign);
// A point of a deformable against a rigid shape; `across` is a direction across the triangle that
// it is a point of, in the shape's frame, or zero.
Meeting meet_rigid(const RefreshContext& context, const ContactPair& pair, const RigidFrame& frame,
                   const Stencil& stencil, const Vec3& across, ParticleContact& contact);

// Just inside an edge of a box two faces are about as near as each other, and the nearest point of
// a triangle is often there: out is through the face along which the triangle lies. Changes the
// distance and its gradient at the point `local`.
void choose_face(const ShapeNumbers<double>& shape, const Vec3& local, const Vec3& across,
                 double tolerance, double& distance, Vec3& gradient);
// Writes the rest of a contact that is live, and that acts where the gap is below -`allowed` (m).
void finish_contact(const RefreshContext& context, std::int32_t index, const ContactPair& pair,
                    const Meeting& meeting, Real allowed, ParticleContact& contact);

}  // namespace pliant
