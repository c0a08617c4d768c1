#include "model/rigid_turn.h"

#include "math/trig.h"

namespace pliant {

Vec3 inverse_inertia_times(const Vec3& inertia, const Quat& q, const Vec3& l) {
  const Vec3 local = rotate_inverse(q, l);
  return rotate(q, {local.x / inertia.x, local.y / inertia.y, local.z / inertia.z});
}

FreeTurn free_turn(const RigidBodies& bodies, std::int32_t i, double h) {
  const Vec3 inertia = bodies.mass[i].inertia;
  const Quat q = bodies.rotation[i], frame = principal_frame(bodies.mass[i], q);
  const Vec3 w = cast<double>(xyz(bodies.motion[i].spin));
  const Vec3 l = rotate(frame, scaled(inertia, rotate_inverse(frame, w)));
  const Quat middle = exp_quat(w * (h / 4)) * frame;
  const Vec3 w_middle = inverse_inertia_times(inertia, middle, l);
  return {normalized(exp_quat(w_middle * (h / 2)) * q), l};
}

Transform predicted_pose(const RigidBodies& bodies, std::int32_t i, double h) {
  Transform out{bodies.position[i], bodies.rotation[i]};
  if (bodies.kind[i] == Motion::fixed || !bodies.awake[i]) return out;
  out.position += cast<double>(xyz(bodies.motion[i].velocity)) * h;
  const Vec3 w = cast<double>(xyz(bodies.motion[i].spin));
  if (bodies.dynamic(i) && !bodies.mass[i].isotropic)
    out.rotation = free_turn(bodies, i, h).rotation;
  else if (w != Vec3{})
    out.rotation = normalized(exp_quat(w * (h / 2)) * out.rotation);
  return out;
}

}  // namespace pliant
