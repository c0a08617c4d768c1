#include "model/rigid.h"

#include <algorithm>

#include "geometry/shape_bulk.h"
#include "geometry/shape_data.h"
#include "model/rigid_locks.h"

namespace pliant {

namespace {

// Of hulls, meshes, compounds and users' shapes.
void set_bulk(BodyMass& m, const BodyDef& def) {
  const Bulk bulk = shape_bulk(def.shape, def.density);
  m.mass = def.mass > 0 ? def.mass : bulk.mass;
  m.centre = bulk.centre;
  if (def.inertia != Vec3{}) {
    m.inertia = def.inertia;
    return;
  }
  const Principal axes = find_principal(bulk.inertia);
  m.inertia = axes.moments * (m.mass / bulk.mass);
  m.principal = axes.axes;
  m.turned = axes.axes != Quat{};
}

BodyMass make_mass(const BodyDef& def, const ConvexShape& shape) {
  BodyMass m;
  m.linear_drag = def.linear_drag;
  m.angular_drag = def.angular_drag;
  m.drag_area = def.drag_coefficient * mean_cross_section(shape);
  if (def.motion != Motion::dynamic) return m;
  if (shape.data) {
    set_bulk(m, def);
  } else {
    m.mass = def.mass > 0 ? def.mass : def.density * shape_volume(shape);
    m.inertia = def.inertia == Vec3{} ? shape_inertia(shape, m.mass) : def.inertia;
  }
  m.isotropic = m.inertia.x == m.inertia.y && m.inertia.y == m.inertia.z;
  return m;
}

void set_inverse_inertia(BodyMotion& motion, const BodyMass& mass, const Quat& q) {
  const Vec3 d{1 / mass.inertia.x, 1 / mass.inertia.y, 1 / mass.inertia.z};
  const Real place = motion.inverse_second.z, turn = motion.inverse_second.w;
  if (turn_locks(motion) != 0) {
    const Mat3 j = locked_inverse_inertia(mass, turn_locks(motion), principal_frame(mass, q));
    motion.inverse_first = {Real(j.row[0].x), Real(j.row[0].y), Real(j.row[0].z), Real(j.row[1].y)};
    motion.inverse_second = {Real(j.row[1].z), Real(j.row[2].z), place, turn};
    return;
  }
  if (mass.isotropic) {
    motion.inverse_first = {Real(d.x), 0, 0, Real(d.x)};
    motion.inverse_second = {0, Real(d.x), place, turn};
    return;
  }
  const Mat3 r = to_matrix(principal_frame(mass, q));
  const auto entry = [&](int i, int j) {
    return Real(r.row[i].x * d.x * r.row[j].x + r.row[i].y * d.y * r.row[j].y +
                r.row[i].z * d.z * r.row[j].z);
  };
  motion.inverse_first = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1)};
  motion.inverse_second = {entry(1, 2), entry(2, 2), place, turn};
}

// The part of a turn that moves the surface: of a ball none, of what is round about its axis not
// the part about that. Else a contact would seem to part when a ball rolls on it.
Quat surface_turn(ShapeKind kind, const Quat& from, const Quat& to) {
  if (kind == ShapeKind::sphere) return {};
  if (!is_round_about_y(kind)) return to * conjugate(from);
  const Vec3 a = rotate(from, Vec3{0, 1, 0}), b = rotate(to, Vec3{0, 1, 0});
  const Vec3 v = cross(a, b);
  const double w = 1 + dot(a, b);
  return w > 1e-6 ? normalized(Quat{v.x, v.y, v.z, w}) : to * conjugate(from);
}

// Bodies of one mesh share it, where they are made one after the other: what many of them ask for
// then stays near the processor.
std::shared_ptr<const ShapeData> shared_mesh(const RigidBodies& bodies,
                                             const std::shared_ptr<const ShapeData>& data) {
  constexpr int k_looked_at = 16;
  const std::size_t count = bodies.data.size();
  for (std::size_t n = 1; n <= std::min<std::size_t>(count, k_looked_at); ++n) {
    const std::shared_ptr<const ShapeData>& other = bodies.data[count - n];
    if (other && !other->field.empty() && same_mesh(*other, *data)) return other;
  }
  return with_field(data);
}

}  // namespace

std::int32_t append_body(RigidBodies& bodies, const BodyDef& def, std::uint32_t key) {
  const std::int32_t i = bodies.size();
  ConvexShape shape = make_convex(def.shape);
  const bool dynamic = def.motion == Motion::dynamic;
  bodies.rotation.push_back(normalized(def.rotation));
  bodies.mass.push_back(make_mass(def, shape));
  const Vec3 centre = bodies.mass[i].centre;
  if (centre != Vec3{}) shape = make_convex(def.shape, centre);
  bodies.position.push_back(centre_from_origin(bodies.mass[i], {def.position, bodies.rotation[i]}));
  if (shape.kind == ShapeKind::mesh) shape.data = shared_mesh(bodies, shape.data);
  bodies.data.push_back(shape.data);
  bodies.composites += is_composite(shape.kind);
  BodyMotion motion;
  if (def.motion != Motion::fixed) {
    const Vec3R v = cast<Real>(def.velocity), w = cast<Real>(def.angular_velocity);
    motion.velocity = {v.x, v.y, v.z, dynamic ? Real(1 / bodies.mass[i].mass) : Real(0)};
    motion.spin = {w.x, w.y, w.z, 0};
    if (dynamic) set_locks(motion, def);
  }
  bodies.motion.push_back(motion);
  bodies.shift.emplace_back();
  bodies.base.push_back({bodies.position[i], bodies.rotation[i]});
  bodies.axes.push_back(transposed(to_matrix(cast<Real>(bodies.rotation[i]))));
  bodies.reach.push_back(0);
  bodies.kick.emplace_back();
  bodies.force.emplace_back();
  bodies.torque.emplace_back();
  bodies.shape.push_back(shape_numbers<Real>(shape));
  bodies.surface.push_back(def.surface);
  bodies.kind.push_back(def.motion);
  bodies.awake.push_back(1);
  bodies.key.push_back(key);
  bodies.rest.push_back({bodies.base[i], 0});
  bodies.can_sleep.push_back(def.allow_sleep ? 1 : 0);
  bodies.removed.push_back(0);
  bodies.island.push_back(-1);
  bodies.steered.push_back(0);
  bodies.ordered.push_back(0);
  bodies.status.emplace_back();
  bodies.moved.push_back(1);
  bodies.rebased.push_back(0);
  if (def.motion != Motion::fixed) bodies.movable.push_back(i);
  refresh_body(bodies, i);
  return i;
}

void retire_body(RigidBodies& bodies, std::int32_t i) {
  set_motion(bodies, i, Motion::fixed);
  bodies.mass[i] = {};
  bodies.motion[i] = {};
  bodies.awake[i] = 0;
  bodies.removed[i] = 1;
  bodies.island[i] = -1;
}

void set_motion(RigidBodies& bodies, std::int32_t i, Motion kind) {
  bodies.kind[i] = kind;
  ++bodies.fixed_version;
}

void refresh_body(RigidBodies& bodies, std::int32_t i) {
  const Quat q = bodies.rotation[i];
  if (++bodies.moved[i] == 0) bodies.moved[i] = 1;
  if (bodies.kind[i] == Motion::fixed) ++bodies.fixed_version;
  if (bodies.dynamic(i)) set_inverse_inertia(bodies.motion[i], bodies.mass[i], q);
  const BodyBase& base = bodies.base[i];
  const Vec3R moved = cast<Real>(bodies.position[i] - base.position);
  const QuatT<Real> turned = cast<Real>(surface_turn(bodies.shape[i].kind, base.rotation, q));
  bodies.shift[i].moved = {moved.x, moved.y, moved.z, 0};
  bodies.shift[i].turned = {turned.x, turned.y, turned.z, turned.w};
}

void rebase_bodies(RigidBodies& bodies, std::int32_t begin, std::int32_t end, double dt,
                   const Vec3& gravity) {
  const Real step = Real(dt);
  const Real fall = Real(length(gravity) * dt * dt);
  for (std::int32_t i = begin; i < end; ++i) {
    const bool stands = bodies.kind[i] == Motion::fixed || !bodies.awake[i];
    if (stands && bodies.rebased[i] == bodies.moved[i]) continue;
    bodies.base[i] = {bodies.position[i], bodies.rotation[i]};
    bodies.axes[i] = transposed(to_matrix(cast<Real>(bodies.rotation[i])));
    bodies.shift[i] = {};
    bodies.rebased[i] = stands ? bodies.moved[i] : 0;
    if (stands) {
      bodies.reach[i] = 0;
      continue;
    }
    const ShapeNumbers<Real>& s = bodies.shape[i];
    const Real speed = length(xyz(bodies.motion[i].velocity));
    const Real turn = s.kind == ShapeKind::sphere || s.kind == ShapeKind::half_space
                          ? Real(0)
                          : length(xyz(bodies.motion[i].spin)) * length(s.half);
    bodies.reach[i] = (speed + turn) * step + (bodies.dynamic(i) ? fall : Real(0));
  }
}

void rebase_all(RigidBodies& bodies, double dt, const Vec3& gravity, TaskPool* pool) {
  parallel_for(pool, int(bodies.movable.size()), 256, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      const std::int32_t i = bodies.movable[std::size_t(n)];
      rebase_bodies(bodies, i, i + 1, dt, gravity);
    }
  });
  if (bodies.based_version == bodies.fixed_version) return;
  bodies.based_version = bodies.fixed_version;
  rebase_bodies(bodies, 0, bodies.size(), dt, gravity);
}

void list_movable(RigidBodies& bodies) {
  if (bodies.listed_version == bodies.fixed_version) return;
  bodies.listed_version = bodies.fixed_version;
  bodies.movable.clear();
  for (std::int32_t i = 0; i < bodies.size(); ++i)
    if (bodies.kind[i] != Motion::fixed) bodies.movable.push_back(i);
}

void forget_places(RigidBodies& bodies) {
  ++bodies.fixed_version;
  for (std::uint32_t& moved : bodies.moved)
    if (++moved == 0) moved = 1;
  std::fill(bodies.rebased.begin(), bodies.rebased.end(), 0);
  list_movable(bodies);
}

}  // namespace pliant
