// Rigid bodies as a structure of arrays. Poses are double; what the contact solver streams is Real,
// packed so that one cache line holds all it needs of a body. Static and kinematic bodies have zero
// inverse mass and inertia and are never written by the solver.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <pliant/defs.h>
#include <pliant/diagnostics.h>
#include <pliant/math.h>
#include <pliant/real.h>

#include "core/pool.h"
#include "geometry/shape.h"
#include "geometry/shape_distance.h"

namespace pliant {

using Vec3R = Vec3T<Real>;
using Mat3R = Mat3T<Real>;

inline Vec3R xyz(const Vec4& v) { return {v.x, v.y, v.z}; }

struct alignas(16 * sizeof(Real)) BodyMotion {
  Vec4 velocity;        // m/s; w = inverse mass, 1/kg
  Vec4 spin;            // rad/s in world axes; w = 0
  Vec4 inverse_first;   // of the world inertia's inverse: xx, xy, xz, yy
  Vec4 inverse_second;  // yz, zz, 0, 0
};
// The pose relative to `base`, the pose at the last search for contacts.
struct BodyShift {
  Vec4 moved;               // m
  Vec4 turned{0, 0, 0, 1};  // unit quaternion, without turns that leave the surface where it is
};
struct BodyBase {
  Vec3 position;
  Quat rotation;
};
// What the forces of this substep did: a body whose velocity is still `after` was touched by
// nothing else, so that its path is known to second order.
struct BodyKick {
  Vec3R after;   // m/s
  Vec3R change;  // m/s
};
// Everything about a body that is constant, and in double.
struct BodyMass {
  double mass = 0;          // kg; 0 where the body is not dynamic
  Vec3 inertia;             // kg m2, about the principal axes; 0 where it is not dynamic
  Quat principal;           // the principal axes in the body's frame
  double linear_drag = 0;   // 1/s
  double angular_drag = 0;  // 1/s
  double drag_area = 0;     // m2: coefficient times cross-section, for 1/2 rho (C S) v^2
  bool isotropic = false;   // all moments equal: the world inertia does not depend on the pose
  bool turned = false;      // the principal axes are not the body's
  Vec3 centre;              // m, of mass, from the origin of the body's definition, in its frame
};
// Where the centre of mass is, from the origin of the definition, and back.
inline Vec3 centre_from_origin(const BodyMass& mass, const Transform& pose) {
  return mass.centre == Vec3{} ? pose.position : to_world(pose, mass.centre);
}
inline Vec3 origin_from_centre(const BodyMass& mass, const Transform& pose) {
  return mass.centre == Vec3{} ? pose.position : to_world(pose, -mass.centre);
}
inline Quat principal_frame(const BodyMass& mass, const Quat& rotation) {
  return mass.turned ? rotation * mass.principal : rotation;
}
// Sleep looks at how far a body has moved since `pose`, taken `still` seconds ago.
struct BodyRest {
  BodyBase pose;
  double still = 0;  // s
};

// What a body does, and for how long what it stands on has not slipped or turned under it.
struct BodyStatus {
  BodyState state = BodyState::flight;
  std::int32_t unused = 0;  // no padding: a snapshot holds it
  double slow = 0;          // s
};

struct RigidBodies {
  std::vector<Vec3> position;  // m, of the centre of mass
  std::vector<Quat> rotation;
  std::vector<BodyMotion> motion;
  std::vector<BodyShift> shift;
  std::vector<BodyBase> base;
  std::vector<Mat3R> axes;  // at `base`: row i is the body's axis i in world axes
  std::vector<Real> reach;  // m; no point of the body moves further in the step
  std::vector<BodyKick> kick;
  std::vector<BodyMass> mass;
  std::vector<Vec3> force;   // N, applied by the user during the step
  std::vector<Vec3> torque;  // N m
  std::vector<ShapeNumbers<Real>> shape;
  std::vector<std::shared_ptr<const ShapeData>> data;  // what the shapes point to
  std::vector<Surface> surface;
  std::vector<Motion> kind;
  std::vector<std::uint8_t> awake;  // 0: asleep or removed; kinematic and fixed bodies are 1
  std::vector<std::uint32_t> key;   // creation order, never reused
  std::vector<BodyRest> rest;
  std::vector<std::uint8_t> can_sleep;
  std::vector<std::uint8_t> removed;  // the place is empty; see retire_body
  std::vector<std::int32_t> island;   // of the bodies it fell asleep with
  std::vector<std::uint8_t> steered;  // kinematic: moved by a command in this step, then stands
  std::vector<std::uint8_t> ordered;  // in this step: its impacts are resolved one by one
  std::vector<BodyStatus> status;     // at the end of the last step

  std::int32_t composites = 0;  // how many compounds and meshes have been added

  // What a step runs over, so that fixed bodies cost nothing: all others, rising, and some that
  // have become fixed since.
  std::vector<std::int32_t> movable;
  std::uint32_t fixed_version = 1;     // rises when a fixed body comes, goes or is moved
  std::uint32_t listed_version = 0;    // of it, that `movable` is of
  std::uint32_t based_version = 0;     // of it, that the fixed bodies were rebased for
  std::vector<std::uint32_t> moved;    // rises when the pose changes; never 0
  std::vector<std::uint32_t> rebased;  // `moved` when it was rebased and stood still; 0 = it moves

  std::int32_t size() const { return std::int32_t(position.size()); }
  bool dynamic(std::int32_t i) const { return kind[i] == Motion::dynamic; }
};

// Appends a body; the definition has been checked. Returns its index.
std::int32_t append_body(RigidBodies& bodies, const BodyDef& def, std::uint32_t key);

// Takes a body out of the world: its place stays, fixed, asleep and out of every search.
void retire_body(RigidBodies& bodies, std::int32_t i);

// Whoever changes what kind of motion a body has does it by this, and then calls refresh_body.
void set_motion(RigidBodies& bodies, std::int32_t i, Motion kind);

// Recomputes what follows from the pose of body i: world inertia and shift. Whoever moves a body
// outside `predict` calls it.
void refresh_body(RigidBodies& bodies, std::int32_t i);

// Takes the present pose as the base of the coming step; dt, gravity and the bodies' speeds give
// `reach`.
void rebase_bodies(RigidBodies& bodies, std::int32_t begin, std::int32_t end, double dt,
                   const Vec3& gravity);
// The same for all; looks at fixed bodies only where one of them has changed.
void rebase_all(RigidBodies& bodies, double dt, const Vec3& gravity, TaskPool* pool);
// Makes `movable` anew where a fixed body has changed.
void list_movable(RigidBodies& bodies);
// After poses, kinds and what sleeps have been replaced as a whole.
void forget_places(RigidBodies& bodies);

}  // namespace pliant
