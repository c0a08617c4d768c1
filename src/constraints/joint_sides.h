// The two sides of a joint: where they are, how they yield, what they receive.
//
// A side is a rigid body, a point of the world, or particles. Of these a point of a triangle has a
// rate of turning w = sum B_k v_k besides its velocity v = sum s_k v_k (triangle_frame.h: B_k is
// the sum of T_n over the corners, weighed by how much particle k is of each). An impulse P with an
// angular impulse L gives the particle w_k (s_k P + B_k^T L), so that
//   v = sum w_k s_k^2 P + sum w_k s_k B_k^T L
//   w = sum w_k s_k B_k P + sum w_k B_k B_k^T L
#pragma once

#include "constraints/anchor.h"
#include "constraints/joint_coordinates.h"

namespace pliant {

struct JointContext {
  AnchorContext sides;    // with pushes where particles take part, else without
  double push_speed = 1;  // m/s, of errors that are there already
};

using AxisImpulses = std::array<double, k_joint_axes>;

// Where bodies will be, of the few that were asked for last: joints of one body come together.
struct PredictedPoses {
  static constexpr std::size_t k_count = 16;
  std::array<std::int32_t, k_count> body;
  std::array<Transform, k_count> pose;
  std::size_t next = 0;
  void clear() { body.fill(-1); }
};

// How a side yields to impulses.
struct SideYield {
  bool moves = false;
  bool mixes = false;  // a force turns it, a torque moves it
  double inverse_mass = 0;
  Vec3 free{1, 1, 1};  // 0 along locked axes
  Mat3 inverse_inertia{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  Mat3 mixed{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};  // sum w_k s_k B_k
};
SideYield yield_of_side(const AnchorContext& context, const AnchorSide& side);
inline Vec3 moved_by(const SideYield& y, const Vec3& impulse, const Vec3& angular) {
  const Vec3 moved = y.inverse_mass * scaled(y.free, impulse);
  return y.mixes ? moved + transposed(y.mixed) * angular : moved;
}
inline Vec3 turned_by(const SideYield& y, const Vec3& impulse, const Vec3& angular) {
  const Vec3 turned = y.inverse_inertia * angular;
  return y.mixes ? turned + y.mixed * impulse : turned;
}

// Whether some particle belongs to both sides.
bool share_particles(const AnchorSide& a, const AnchorSide& b);

// From the axes of a side to the world's.
Quat side_rotation(const AnchorContext& context, const AnchorSide& side);
// The coordinates at the end of the substep, angles as a continuous motion from the beginning.
JointCoordinates end_coordinates(const JointContext& context, const Joint& joint,
                                 PredictedPoses& poses);

// Velocities of two rigid sides; others stand still.
struct SideRates {
  Vec3 v_a, w_a, v_b, w_b;
};
SideRates side_rates(const AnchorContext& context, const Joint& joint);
// How fast a coordinate changes.
inline double rate_of(const SideRates& r, const JointGradient& g) {
  return -(dot(g.along, r.v_a) + dot(g.about_a, r.w_a)) +
         (dot(g.along, r.v_b) + dot(g.about_b, r.w_b));
}

// Impulses of the coordinates, at velocity level; at position level where there are pushes.
void give(const JointContext& context, const Joint& joint, const AxisImpulses& impulse);
// To a rigid side, at velocity level.
void give_velocity(const AnchorContext& context, const AnchorSide& side, const Vec3& dv,
                   const Vec3& dw);

}  // namespace pliant
