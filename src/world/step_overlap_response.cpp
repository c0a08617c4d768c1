// What overlapping solids do to each other, and what is told of it.
#include <algorithm>

#include "constraints/springs.h"
#include "model/surface_pair.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr double k_most_shift = 0.25;  // of a cell, in a substep

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }
void add(Vec4& to, const Vec3& by) {
  to = {to.x + Real(by.x), to.y + Real(by.y), to.z + Real(by.z), to.w};
}

Vec3 place_of(const OverlapContact& c, const std::vector<Vec3>& x) {
  Vec3 at;
  for (std::size_t k = 0; k < 4; ++k) at += c.a.weight[k] * x[std::size_t(c.a.particle[k])];
  return at;
}

// What a velocity that grew evenly in the substep has moved a particle by, in parts of h times its
// end: springs cut the substep into parts, all other models move by its end.
double share_moved(const Deformable& body, double h) {
  if (body.springs.empty()) return 1;
  if (body.springs.integrator == SpringIntegrator::verlet) return 0.5;
  return 0.5 + 0.5 / spring_steps(body.springs, h).count;
}

}  // namespace

// Velocities are those that the substep would end with if there were no overlaps.
void World::Impl::fill_overlap_field(double h) {
  Overlaps& o = scratch.overlaps;
  list_touched(o.contacts, o.x.size(), o.field);
  o.start.resize(o.x.size());
  for (const std::int32_t i : o.field.touched) {
    const std::size_t p = std::size_t(i);
    const std::int32_t owner = o.owner[p];
    const Deformable& body = state.deformables[std::size_t(owner)];
    const OverlapSolid& solid = o.solids[std::size_t(o.solid_of[std::size_t(owner)])];
    const bool moves = awake(body);
    o.bound[std::size_t(owner)] = 1;
    o.field.inverse_mass[p] = moves ? double(state.particles.d[p].w) : 0;
    const double area = area_around(solid, i - solid.begin, o.now);
    o.field.area[p] = area > 0 ? area : body.cell * body.cell;  // within: of a face of a cell
    o.field.reach[p] = k_most_shift * body.cell;
    if (def.solid_contact == SolidContact::position)
      o.field.reach[p] = std::min(o.field.reach[p], def.push_speed * h);
    o.field.moved[p] = share_moved(body, h);
    Vec3 v = (in_double(state.particles.d[p]) - in_double(state.particles.d_before[p])) / h;
    if (!body.springs.empty())
      v += in_double(state.particles.velocity[p]) -
           in_double(body.springs.moved[std::size_t(i - body.begin)]) / h;
    o.start[p] = o.field.velocity[p] = moves ? v : Vec3{};
  }
  o.friction.resize(o.contacts.size());
  for (std::size_t n = 0; n < o.contacts.size(); ++n) {
    const SurfacePair pair = combined(state.deformables[std::size_t(o.contacts[n].a.body)].contact,
                                      state.deformables[std::size_t(o.contacts[n].b.body)].contact);
    o.friction[n] = {pair.friction_static, pair.friction_kinetic};
  }
}

// Of the bodies in contacts, where their particles are shifted to.
void World::Impl::find_inner_forces(double h) {
  Overlaps& o = scratch.overlaps;
  for (const std::int32_t i : o.field.touched) {
    const std::size_t p = std::size_t(i);
    state.particles.d[p] = o.d[p];
    add(state.particles.d[p], o.field.shift[p]);
  }
  o.inner.resize(state.deformables.size());
  each_body([&](std::size_t n, TaskPool* inner) {
    Deformable& body = state.deformables[n];
    if (o.bound[n] == 0 || !awake(body)) return;
    const std::vector<std::int32_t>& touched = o.field.touched;
    const auto first = std::lower_bound(touched.begin(), touched.end(), body.begin);
    const auto last = std::lower_bound(first, touched.end(), body.begin + body.count);
    inner_forces(state.particles, body, {h, 0, state.gravity, def.sweeps, inner}, {first, last},
                 o.inner[n], o.field.force);
  });
  for (const std::int32_t p : o.field.touched)
    state.particles.d[std::size_t(p)] = o.d[std::size_t(p)];
}

// Particles move with what their velocities gain, and the rest of the way without.
void World::Impl::press_overlaps_apart(double h) {
  Overlaps& o = scratch.overlaps;
  stop_approach(o.contacts, o.friction, o.field, o.impulses);
  move_with_impulses(h);
  if (take_off(o.contacts, o.start, o.field, h) <= 0) return;
  o.d.resize(o.x.size());
  for (const std::int32_t p : o.field.touched)
    o.d[std::size_t(p)] = state.particles.d[std::size_t(p)];
  begin_shares(o.contacts, o.field, o.share);
  find_shifts(o.contacts, o.share, o.field);
  double step = 0.5;
  const bool compared = std::any_of(o.contacts.begin(), o.contacts.end(), is_compared);
  for (int k = 1; compared && k < def.pressure_iterations; ++k) {
    step *= 0.5;
    find_inner_forces(h);
    compare_pressures(o.contacts, o.field, step, o.share);
    find_shifts(o.contacts, o.share, o.field);
  }
  for (const std::int32_t i : o.field.touched) {
    const std::size_t p = std::size_t(i);
    if (o.field.inverse_mass[p] <= 0) continue;
    add(state.particles.d[p], o.field.shift[p]);
    add(state.particles.d_before[p], o.field.shift[p]);
  }
}

void World::Impl::move_with_impulses(double h) {
  const Overlaps& o = scratch.overlaps;
  for (const std::int32_t i : o.field.touched) {
    const std::size_t p = std::size_t(i);
    if (o.field.inverse_mass[p] <= 0) continue;
    const Vec3 gained = h * (o.field.velocity[p] - o.start[p]);
    add(state.particles.d[p], o.field.moved[p] * gained);
    if (o.field.moved[p] < 1) add(state.particles.d_before[p], (o.field.moved[p] - 1) * gained);
  }
}

void World::Impl::respond_to_overlaps(double h) {
  Overlaps& o = scratch.overlaps;
  if (def.solid_contact == SolidContact::position) choose_led();
  fill_overlap_field(h);
  if (def.solid_contact != SolidContact::penalty) {
    press_overlaps_apart(h);
    if (def.solid_contact == SolidContact::position) lead_apart(h);
  } else {
    spring_apart(o.contacts, o.friction, {h, def.penalty_share, def.push_speed}, o.field,
                 o.impulses);
    move_with_impulses(h);
  }
  note_overlap_loads();
}

OverlapLoad& World::Impl::overlap_load(std::int32_t a, std::int32_t b) {
  const auto key_of_body = [&](std::int32_t n) { return state.deformables[std::size_t(n)].key; };
  const bool rising = key_of_body(a) < key_of_body(b);
  OverlapLoad load;
  load.low = rising ? a : b, load.high = rising ? b : a;
  load.key = std::uint64_t(key_of_body(load.low)) << 32 | key_of_body(load.high);
  std::vector<OverlapLoad>& loads = scratch.overlaps.loads;
  const auto at = std::lower_bound(loads.begin(), loads.end(), load.key,
                                   [](const OverlapLoad& l, std::uint64_t k) { return l.key < k; });
  return at != loads.end() && at->key == load.key ? *at : *loads.insert(at, load);
}

void World::Impl::note_overlap_loads() {
  Overlaps& o = scratch.overlaps;
  for (std::size_t n = 0; n < o.contacts.size(); ++n) {
    const OverlapContact& c = o.contacts[n];
    if (c.a.body == c.b.body) continue;
    OverlapLoad& load = overlap_load(c.a.body, c.b.body);
    const Vec3 impulse = o.impulses.normal[n] * c.normal + o.impulses.friction[n];
    load.impulse += c.a.body == load.high ? impulse : -impulse;
    load.normal += c.a.body == load.high ? c.normal : -c.normal;
    load.moment += place_of(c, o.x);
    ++load.count;
    double speed = 0;
    for (std::size_t k = 0; k < 4; ++k)
      speed += c.b.weight[k] * dot(o.start[std::size_t(c.b.particle[k])], c.normal) -
               c.a.weight[k] * dot(o.start[std::size_t(c.a.particle[k])], c.normal);
    load.closing = std::max(load.closing, speed);
    for (const std::int32_t body : {c.a.body, c.b.body})
      if (!state.deformables[std::size_t(body)].awake) o.woken.push_back(body);
  }
}

// What slept and was met by something that moves goes on in the next step.
void World::Impl::wake_overlapped() {
  std::vector<std::int32_t>& woken = scratch.overlaps.woken;
  for (const std::int32_t body : woken) wake_node(state.rigid.size() + body);
  woken.clear();
}

void World::Impl::collect_overlaps(double dt) {
  for (const OverlapLoad& load : scratch.overlaps.loads) {
    if (touch({load.key, load.impulse / dt}, state.rigid.size() + load.low,
              state.rigid.size() + load.high))
      begin_events.push_back(touch_begin(load.key, load.closing, load.moment / double(load.count),
                                         load.normal, load.impulse));
  }
  loaded_contacts += std::int32_t(scratch.overlaps.contacts.size());
}

}  // namespace PLIANT_ABI
}  // namespace pliant
