// Axes of the world along which a dynamic body does not move, or about which it does not turn. They
// ride in what BodyMotion::inverse_second has left over: z holds those of its place, w those of its
// rotation, as sums of 1, 2 and 4 for x, y and z. w is 8 greater where a law of the user's moves
// the body, so that it does not turn by itself.
#pragma once

#include "model/rigid.h"

namespace pliant {

inline unsigned place_locks(const BodyMotion& m) { return unsigned(m.inverse_second.z); }
inline unsigned turn_locks(const BodyMotion& m) { return unsigned(m.inverse_second.w) & 7u; }
inline bool has_law(const BodyMotion& m) { return m.inverse_second.w > Real(7.5); }
inline bool is_locked(const BodyMotion& m) { return m.inverse_second.z != 0 || turn_locks(m) != 0; }

void set_locks(BodyMotion& motion, const BodyDef& def);

// v without its components along locked axes.
template <class T>
Vec3T<T> without_locked(unsigned locks, const Vec3T<T>& v) {
  return {locks & 1u ? T(0) : v.x, locks & 2u ? T(0) : v.y, locks & 4u ? T(0) : v.z};
}
// 1 along axes that the body may move along, 0 along the others.
inline Vec3R free_axes(const BodyMotion& m) {
  return without_locked(place_locks(m), Vec3R{1, 1, 1});
}

// With S the axes of the world about which the body may turn and I its inertia there, the frame
// being that of its principal axes: J = S (S^T I S)^-1 S^T. Torques about locked axes do nothing.
Mat3 locked_inverse_inertia(const BodyMass& mass, unsigned locks, const Quat& frame);

// Gives a body another definition, which has been checked: it keeps its pose and goes on as it
// moves, also where its centre of mass comes to lie elsewhere.
void replace_body(RigidBodies& bodies, std::int32_t i, const BodyDef& def);

}  // namespace pliant
