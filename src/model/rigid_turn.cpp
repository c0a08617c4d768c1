#include "model/rigid_turn.h"

#include "math/trig.h"
#include "model/rigid_locks.h"

namespace pliant {

Vec3 inverse_inertia_times(const Vec3& inertia, const Quat& q, const Vec3& l) {
  const Vec3 local = rotate_inverse(q, l);
  return rotate(q, {local.x / inertia.x, local.y / inertia.y, local.z / inertia.z});
}

Vec3 spin_from_momentum(const RigidBodies& bodies, std::int32_t i, const Quat& frame,
                        const Vec3& momentum) {
  const BodyMass& mass = bodies.mass[i];
  const unsigned locks = turn_locks(bodies.motion[i]);
  if (locks == 0) return inverse_inertia_times(mass.inertia, frame, momentum);
  return locked_inverse_inertia(mass, locks, frame) * momentum;
}

FreeTurn free_turn(const RigidBodies& bodies, std::int32_t i, double h) {
  const BodyMass& mass = bodies.mass[i];
  const Vec3 inertia = mass.inertia;
  const Quat q = bodies.rotation[i], frame = principal_frame(mass, q);
  const Vec3 w = cast<double>(xyz(bodies.motion[i].spin));
  const Vec3 l = rotate(frame, scaled(inertia, rotate_inverse(frame, w)));
  const Quat middle = exp_quat(w * (h / 4)) * frame;
  const Vec3 w_middle = spin_from_momentum(bodies, i, middle, l);
  return {normalized(exp_quat(w_middle * (h / 2)) * q), l};
}

Transform predicted_pose(const RigidBodies& bodies, std::int32_t i, double h) {
  Transform out{bodies.position[i], bodies.rotation[i]};
  if (bodies.kind[i] == Motion::fixed || !bodies.awake[i]) return out;
  out.position += cast<double>(xyz(bodies.motion[i].velocity)) * h;
  const Vec3 w = cast<double>(xyz(bodies.motion[i].spin));
  if (bodies.dynamic(i) && !bodies.mass[i].isotropic && !has_law(bodies.motion[i]))
    out.rotation = free_turn(bodies, i, h).rotation;
  else if (w != Vec3{})
    out.rotation = normalized(exp_quat(w * (h / 2)) * out.rotation);
  return out;
}

}  // namespace pliant
