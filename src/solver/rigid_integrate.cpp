#include "solver/rigid_integrate.h"

#include "math/trig.h"
#include "model/rigid_locks.h"
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
  narrow(bodies.motion[i].spin, spin_from_momentum(bodies, i, frame, turn.momentum));
}

void limit_body(BodyMotion& m, const SpecialBody& s) {
  const Vec3R v = without_locked(place_locks(m), xyz(m.velocity));
  const Vec3R w = without_locked(turn_locks(m), xyz(m.spin));
  m.velocity = {v.x, v.y, v.z, m.velocity.w};
  m.spin = {w.x, w.y, w.z, m.spin.w};
  const double speed = length(widen(m.velocity));
  if (s.max_speed > 0 && speed > s.max_speed)
    narrow(m.velocity, widen(m.velocity) * (s.max_speed / speed));
}

}  // namespace

void apply_body_forces(RigidBodies& bodies, std::span<const std::int32_t> which,
                       const BodyForces& forces, double h, bool ordered) {
  for (const std::int32_t i : which) {
    if (!bodies.dynamic(i) || !bodies.awake[i] || (bodies.ordered[i] != 0) != ordered) continue;
    const BodyMass& m = bodies.mass[i];
    const Vec3 before = widen(bodies.motion[i].velocity);
    const Vec3 carried = forces.carried.empty() ? before : forces.carried[std::size_t(i)];
    Vec3 v = carried * (1 / (1 + m.linear_drag * h));
    if (m.drag_area > 0 && forces.medium_density > 0) {
      const Vec3 relative = v - forces.wind;
      const double c = 0.5 * forces.medium_density * m.drag_area * length(relative) / m.mass;
      v = forces.wind + relative * (1 / (1 + c * h));
    }
    Vec3 force = bodies.force[i];
    if (!forces.field.empty()) force += forces.field[std::size_t(i)];
    v += (forces.gravity + force * (1 / m.mass)) * h;
    narrow(bodies.motion[i].velocity, v);
    bodies.kick[i] = {xyz(bodies.motion[i].velocity), cast<Real>(v - before)};
    if (m.angular_drag == 0 && bodies.torque[i] == Vec3{}) continue;
    Vec3 w = widen(bodies.motion[i].spin) * (1 / (1 + m.angular_drag * h));
    const Quat frame = principal_frame(m, bodies.rotation[i]);
    w += spin_from_momentum(bodies, i, frame, bodies.torque[i]) * h;
    narrow(bodies.motion[i].spin, w);
  }
}

namespace {

// Newton's law would have made the velocity `free`: what is between is what forces do.
LawSample law_sample(const RigidBodies& bodies, std::int32_t i, const SpecialBody& body,
                     const Vec3& free, const BodyForces& forces, double h) {
  LawSample sample;
  sample.pose = {bodies.position[i], bodies.rotation[i]};
  sample.velocity = body.before;
  sample.angular_velocity = body.spin_before;
  sample.mass = bodies.mass[i].mass;
  sample.force = (free - body.before) * (sample.mass / h);
  sample.torque = bodies.torque[i];
  sample.time = forces.time;
  sample.h = h;
  return sample;
}

}  // namespace

void note_special(const RigidBodies& bodies, std::span<SpecialBody> special) {
  for (SpecialBody& s : special) {
    s.before = widen(bodies.motion[s.body].velocity);
    s.spin_before = widen(bodies.motion[s.body].spin);
  }
}

void apply_special_forces(RigidBodies& bodies, std::span<const SpecialBody> special,
                          const BodyForces& forces, double h, bool ordered) {
  for (const SpecialBody& s : special) {
    const std::int32_t i = s.body;
    if (!bodies.dynamic(i) || !bodies.awake[i] || (bodies.ordered[i] != 0) != ordered) continue;
    BodyMotion& m = bodies.motion[i];
    if (s.gravity_scale != 1) {
      narrow(m.velocity, s.before);
      narrow(m.spin, s.spin_before);
      BodyForces own = forces;
      own.gravity = forces.gravity * s.gravity_scale;
      apply_body_forces(bodies, std::span<const std::int32_t>(&i, 1), own, h, ordered);
    }
    if (s.law) {
      const LawSample sample = law_sample(bodies, i, s, widen(m.velocity), forces, h);
      const LawResult result = s.law->advance(sample);
      narrow(m.velocity, result.velocity);
      narrow(m.spin, result.angular_velocity);
    }
    limit_body(m, s);
    // A law says how the body moves in this substep.
    const Vec3 change = s.law ? Vec3{} : widen(m.velocity) - s.before;
    bodies.kick[i] = {xyz(m.velocity), cast<Real>(change)};
  }
}

void limit_bodies(RigidBodies& bodies, std::span<const SpecialBody> special) {
  for (const SpecialBody& s : special)
    if (bodies.dynamic(s.body) && bodies.awake[s.body]) limit_body(bodies.motion[s.body], s);
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
    if (bodies.dynamic(i) && !bodies.mass[i].isotropic && !has_law(bodies.motion[i]))
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
