#include "solver/rigid_integrate.h"

#include "math/trig.h"
#include "model/rigid_turn.h"

namespace pliant {

namespace {

Vec3 widen(const Vec4& v) { return {v.x, v.y, v.z}; }
void narrow(Vec4& out, const Vec3& v) {
  out.x = Real(v.x);
  out.y = Real(v.y);
  out.z = Real(v.z);
}

void turn_free(RigidBodies& bodies, std::int32_t i, double h) {
  const FreeTurn turn = free_turn(bodies, i, h);
  bodies.rotation[i] = turn.rotation;
  const Quat frame = principal_frame(bodies.mass[i], turn.rotation);
  narrow(bodies.motion[i].spin,
         inverse_inertia_times(bodies.mass[i].inertia, frame, turn.momentum));
}

}  // namespace

void apply_body_forces(RigidBodies& bodies, std::span<const std::int32_t> which,
                       const BodyForces& forces, double h, bool ordered) {
  for (const std::int32_t i : which) {
    if (!bodies.dynamic(i) || !bodies.awake[i] || (bodies.ordered[i] != 0) != ordered) continue;
    const BodyMass& m = bodies.mass[i];
    const Vec3 before = widen(bodies.motion[i].velocity);
    Vec3 v = before * (1 / (1 + m.linear_drag * h));
    if (m.drag_area > 0 && forces.medium_density > 0) {
      const Vec3 relative = v - forces.wind;
      const double c = 0.5 * forces.medium_density * m.drag_area * length(relative) / m.mass;
      v = forces.wind + relative * (1 / (1 + c * h));
    }
    v += (forces.gravity + bodies.force[i] * (1 / m.mass)) * h;
    narrow(bodies.motion[i].velocity, v);
    bodies.kick[i] = {xyz(bodies.motion[i].velocity), cast<Real>(v - before)};
    if (m.angular_drag == 0 && bodies.torque[i] == Vec3{}) continue;
    Vec3 w = widen(bodies.motion[i].spin) * (1 / (1 + m.angular_drag * h));
    const Quat frame = principal_frame(m, bodies.rotation[i]);
    w += inverse_inertia_times(m.inertia, frame, bodies.torque[i]) * h;
    narrow(bodies.motion[i].spin, w);
  }
}

void predict_bodies(RigidBodies& bodies, std::span<const std::int32_t> which, double h,
                    bool ordered) {
  for (const std::int32_t i : which) {
    if (bodies.kind[i] == Motion::fixed || !bodies.awake[i]) continue;
    if ((bodies.ordered[i] != 0) != ordered) continue;
    Vec3 v = widen(bodies.motion[i].velocity);
    const BodyKick& kick = bodies.kick[i];
    if (bodies.dynamic(i) && xyz(bodies.motion[i].velocity) == kick.after)
      v -= cast<double>(kick.change) * 0.5;
    bodies.position[i] += v * h;
    const Vec3 w = widen(bodies.motion[i].spin);
    if (bodies.dynamic(i) && !bodies.mass[i].isotropic)
      turn_free(bodies, i, h);
    else if (w != Vec3{})
      bodies.rotation[i] = normalized(exp_quat(w * (h / 2)) * bodies.rotation[i]);
    refresh_body(bodies, i);
  }
}

void steer_kinematic(RigidBodies& bodies, std::int32_t i, const Transform& target, double h) {
  const Vec3 v = (target.position - bodies.position[i]) / h;
  const Vec3 w = rotation_vector(target.rotation * conjugate(bodies.rotation[i])) / h;
  narrow(bodies.motion[i].velocity, v);
  narrow(bodies.motion[i].spin, w);
}

}  // namespace pliant
