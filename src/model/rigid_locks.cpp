#include "model/rigid_locks.h"

namespace pliant {

void set_locks(BodyMotion& motion, const BodyDef& def) {
  int place = 0, turn = def.law ? 8 : 0;
  for (int k = 0; k < 3; ++k) {
    place += int(def.lock_position[std::size_t(k)]) << k;
    turn += int(def.lock_rotation[std::size_t(k)]) << k;
  }
  motion.inverse_second.z = Real(place);
  motion.inverse_second.w = Real(turn);
}

Mat3 locked_inverse_inertia(const BodyMass& mass, unsigned locks, const Quat& frame) {
  const Mat3 r = to_matrix(frame);
  int axes[3] = {}, count = 0;
  for (int k = 0; k < 3; ++k)
    if ((locks >> k & 1u) == 0) axes[count++] = k;
  const auto entry = [&](const Vec3& d, int i, int j) {
    const Vec3 &p = r.row[axes[i]], &q = r.row[axes[j]];
    return p.x * d.x * q.x + p.y * d.y * q.y + p.z * d.z * q.z;
  };
  Mat3 out;
  for (Vec3& row : out.row) row = {};
  const auto put = [&](int i, int j, double value) { out.row[axes[i]][axes[j]] = value; };
  const Vec3& moments = mass.inertia;
  if (count == 1) put(0, 0, 1 / entry(moments, 0, 0));
  if (count == 2) {
    const double a = entry(moments, 0, 0), b = entry(moments, 0, 1), c = entry(moments, 1, 1);
    const double d = 1 / (a * c - b * b);
    put(0, 0, c * d), put(1, 1, a * d);
    put(0, 1, -b * d), put(1, 0, -b * d);
  }
  const Vec3 inverse{1 / moments.x, 1 / moments.y, 1 / moments.z};
  for (int i = 0; i < 3 && count == 3; ++i)
    for (int j = 0; j < 3; ++j) put(i, j, entry(inverse, i, j));
  return out;
}

void replace_body(RigidBodies& bodies, std::int32_t i, const BodyDef& def) {
  const Transform at{bodies.position[i], bodies.rotation[i]};
  const Vec3 v = cast<double>(xyz(bodies.motion[i].velocity));
  const Vec3 w = cast<double>(xyz(bodies.motion[i].spin));
  BodyDef now = def;
  now.position = origin_from_centre(bodies.mass[i], at);
  now.rotation = at.rotation;
  now.angular_velocity = w;
  RigidBodies one;
  append_body(one, now, bodies.key[i]);
  const Vec3 moved = v + cross(w, one.position[0] - at.position);
  bodies.composites += one.composites - is_composite(bodies.shape[i].kind);
  bodies.position[i] = one.position[0];
  bodies.mass[i] = one.mass[0];
  bodies.motion[i] = one.motion[0];
  if (def.motion != Motion::fixed) {
    Vec4& velocity = bodies.motion[i].velocity;
    velocity = {Real(moved.x), Real(moved.y), Real(moved.z), velocity.w};
  }
  bodies.shape[i] = one.shape[0];
  bodies.data[i] = one.data[0];
  bodies.surface[i] = one.surface[0];
  bodies.kind[i] = one.kind[0];
  bodies.can_sleep[i] = one.can_sleep[0];
  bodies.awake[i] = 1;
  bodies.island[i] = -1;
  bodies.rest[i] = {{bodies.position[i], bodies.rotation[i]}, 0};
  bodies.base[i] = bodies.rest[i].pose;
  refresh_body(bodies, i);
  forget_places(bodies);
}

}  // namespace pliant
