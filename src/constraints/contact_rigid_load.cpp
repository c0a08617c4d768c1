// Contacts of rigid bodies between their manifolds and the batches of eight.
#include "constraints/contact_pair_wide.h"
#include "constraints/contact_turning.h"

namespace pliant {

namespace {

// How much of the inverse mass along a direction the locks take: nothing, to the bit, without any.
RealW lost_mobility(const BodyW& b, const Vec3W& direction) {
  const RealW m = b.inverse_mass;
  const Vec3W lost{m - b.mobility.x, m - b.mobility.y, m - b.mobility.z};
  return dot(times(lost, direction), direction);
}

RealW effective_mass(const PairW& p, const ContactPointW& c, const Vec3W& direction) {
  const Vec3W ra = cross(c.arm_a, direction), rb = cross(c.arm_b, direction);
  const RealW ma = p.a.inverse_mass - lost_mobility(p.a, direction);
  const RealW mb = p.b.inverse_mass - lost_mobility(p.b, direction);
  const RealW k = ma + mb + dot(ra, p.a.inverse_inertia * ra) + dot(rb, p.b.inverse_inertia * rb);
  // What is left where all is locked is rounding.
  const MaskW moves = k > splat(Real(1e-6)) * (p.a.inverse_mass + p.b.inverse_mass);
  return select(moves, splat(1) / select(moves, k, splat(1)), splat(0));
}

void set_lane(Vec3W& w, int lane, const Vec3R& v) {
  w.x[lane] = v.x;
  w.y[lane] = v.y;
  w.z[lane] = v.z;
}

// Empty lanes repeat the bodies of lane 0 with nothing to do and are never written.
void load_lane(ContactBatch& batch, ContactPointW* point, ContactExtra* extra, int lane,
               const RigidBodies& bodies, const ManifoldList& list) {
  const std::int32_t source = batch.source[lane];
  if (source < 0) {
    batch.a[lane] = batch.a[0];
    batch.b[lane] = batch.b[0];
    return;
  }
  const Manifold& m = list.manifolds[source];
  const BoxPair& pair = list.pairs[source];
  batch.a[lane] = pair.a;
  batch.b[lane] = pair.b;
  batch.writes_a |= unsigned(bodies.dynamic(pair.a)) << lane;
  batch.writes_b |= unsigned(bodies.dynamic(pair.b)) << lane;
  set_lane(batch.normal, lane, m.normal);
  set_lane(batch.tangent, lane, m.tangent[0]);
  const SurfacePair surface = combined(bodies.surface[pair.a], bodies.surface[pair.b]);
  ContactTerms terms{
      Real(surface.friction_static), Real(surface.friction_kinetic), Real(surface.restitution), {}};
  if (!list.terms.empty()) terms = list.terms[std::size_t(source)];
  batch.friction_static[lane] = terms.friction_static;
  batch.friction_kinetic[lane] = terms.friction_kinetic;
  batch.restitution[lane] = terms.restitution;
  batch.bounces = batch.bounces || terms.restitution > 0;
  if (extra) load_extra(*extra, lane, surface, terms, m);
  for (int k = 0; k < batch.points; ++k) {
    const ManifoldPoint& p = m.point[k];
    set_lane(point[k].arm_a, lane, p.arm_a);
    set_lane(point[k].arm_b, lane, p.arm_b);
    point[k].start[lane] = p.separation;
    point[k].normal_impulse[lane] = p.normal_impulse;
    point[k].tangent_impulse[0][lane] = p.friction_impulse[0];
    point[k].tangent_impulse[1][lane] = p.friction_impulse[1];
  }
}

void store_lane(const ContactBatches& contacts, const ContactBatch& batch, int lane,
                ManifoldList& list) {
  Manifold& m = list.manifolds[batch.source[lane]];
  m.impulse = {batch.impulse.x[lane], batch.impulse.y[lane], batch.impulse.z[lane]};
  for (int k = 0; k < batch.points; ++k) {
    const ContactPointW& c = contacts.point[batch.first_point + k];
    m.point[k].separation = c.separation[lane];
    m.point[k].normal_impulse = c.normal_impulse[lane];
    m.point[k].friction_impulse[0] = c.tangent_impulse[0][lane];
    m.point[k].friction_impulse[1] = c.tangent_impulse[1][lane];
  }
}

}  // namespace

void prepare_contacts(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                      const RigidBodies& bodies, const ManifoldList& list) {
  const RealW zero = splat(0);
  const Vec3W none{zero, zero, zero};
  for (std::int32_t i = begin; i < end; ++i) {
    ContactBatch& batch = contacts.batch[i];
    ContactPointW* point = &contacts.point[batch.first_point];
    batch.writes_a = batch.writes_b = 0;
    batch.bounces = false;
    batch.normal = batch.tangent = batch.impulse = none;
    batch.friction_static = batch.friction_kinetic = batch.restitution = zero;
    for (int k = 0; k < batch.points; ++k)
      point[k] = {none, none, zero, zero, zero, {zero, zero}, zero, {zero, zero}, zero, zero};
    ContactExtra* extra = extra_of(contacts, i);
    if (extra)
      *extra = {false, false, zero, zero, {zero, zero, zero}, {zero, zero, zero}, {zero, zero}};
    for (int lane = 0; lane < k_wide; ++lane) load_lane(batch, point, extra, lane, bodies, list);
    const PairW pair = load_pair(bodies, batch);
    const Vec3W tangent2 = cross(batch.normal, batch.tangent);
    if (extra) {
      extra->turn_mass[0] = turning_mass(pair, batch.tangent);
      extra->turn_mass[1] = turning_mass(pair, tangent2);
      extra->turn_mass[2] = turning_mass(pair, batch.normal);
    }
    for (int k = 0; k < batch.points; ++k) {
      point[k].separation = point[k].start;
      point[k].normal_mass = effective_mass(pair, point[k], batch.normal);
      point[k].tangent_mass[0] = effective_mass(pair, point[k], batch.tangent);
      point[k].tangent_mass[1] = effective_mass(pair, point[k], tangent2);
    }
  }
}

void start_from_now(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                    const RigidBodies& bodies) {
  for (std::int32_t i = begin; i < end; ++i) {
    const ContactBatch& batch = contacts.batch[i];
    const ShiftW sa = load_shift(bodies, batch.a), sb = load_shift(bodies, batch.b);
    for (int k = 0; k < batch.points; ++k) {
      ContactPointW& c = contacts.point[batch.first_point + k];
      c.start = c.separation - parted(batch, c, sa, sb);
    }
  }
}

void finish_contacts(const ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                     ManifoldList& list) {
  for (std::int32_t i = begin; i < end; ++i) {
    const ContactBatch& batch = contacts.batch[i];
    for (int lane = 0; lane < k_wide; ++lane)
      if (batch.source[lane] >= 0) store_lane(contacts, batch, lane, list);
  }
}

void release_lane(ContactBatches& contacts, std::int32_t index, int lane, ManifoldList& list) {
  ContactBatch& batch = contacts.batch[index];
  store_lane(contacts, batch, lane, list);
  batch.source[lane] = -1;
  batch.writes_a &= ~(1u << lane);
  batch.writes_b &= ~(1u << lane);
  batch.restitution[lane] = 0;
  set_lane(batch.normal, lane, {});
  set_lane(batch.tangent, lane, {});
  set_lane(batch.impulse, lane, {});
  if (ContactExtra* extra = extra_of(contacts, index)) {
    extra->rolling[lane] = extra->spinning[lane] = 0;
    for (int k = 0; k < 3; ++k) extra->turn_mass[k][lane] = extra->turn_impulse[k][lane] = 0;
    extra->surface_velocity[0][lane] = extra->surface_velocity[1][lane] = 0;
  }
  for (int k = 0; k < batch.points; ++k) {
    ContactPointW& c = contacts.point[batch.first_point + k];
    c.start[lane] = c.separation[lane] = 0;
    c.normal_mass[lane] = c.tangent_mass[0][lane] = c.tangent_mass[1][lane] = 0;
    c.normal_impulse[lane] = c.tangent_impulse[0][lane] = c.tangent_impulse[1][lane] = 0;
  }
}

}  // namespace pliant
