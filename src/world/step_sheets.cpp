// Contacts between sheets in a substep: which are looked at, how they act, and what is held back in
// the end. They are found by step_sheet_search.cpp.
#include <algorithm>

#include "solver/hold_sheets.h"
#include "solver/sheet_order.h"
#include "solver/sheet_stages.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr int k_hold_rounds = 4;

template <class Visit>
void each_used_batch(const SheetContacts& contacts, const Visit& visit) {
  for (std::size_t n = 0; n < std::size_t(contacts.used); ++n)
    for (const SheetBatch& b : contacts.levels[n].batches) visit(b);
}

// What two rigid bodies press goes with them, like what the user moves: were it held back by other
// parts of the cloth, it would slip a little in every substep.
class PinchedLed {
 public:
  PinchedLed(std::span<const Pinch> pinches, std::span<const Vec4> begin, Particles& particles)
      : pinches_(pinches), begin_(begin), particles_(particles) {
    each([&](std::size_t p) { particles_.d[p].w = 0; });
  }
  ~PinchedLed() {
    each([&](std::size_t p) { particles_.d[p].w = begin_[p].w; });
  }
  PinchedLed(const PinchedLed&) = delete;
  PinchedLed& operator=(const PinchedLed&) = delete;

 private:
  template <class Visit>
  void each(const Visit& visit) {
    for (const Pinch& pinch : pinches_)
      for (std::size_t k = 0; k < std::size_t(pinch.a.contact.particles); ++k)
        visit(std::size_t(pinch.a.contact.particle[k]));
  }
  std::span<const Pinch> pinches_;
  std::span<const Vec4> begin_;
  Particles& particles_;
};

}  // namespace

bool World::Impl::is_sheet(const Deformable& body) const {
  return body.kind == DeformableKind::cloth && !body.frozen && body.thickness > 0;
}

bool World::Impl::meets_itself_by_features(const Deformable& body) const {
  return body.self_contact && body.self_particles.empty();
}

// Whether contact between sheets is possible at all.
bool World::Impl::has_sheets() const {
  int others = 0;
  for (const Deformable& body : state.deformables) {
    if (!is_sheet(body)) continue;
    if (meets_itself_by_features(body) && awake(body)) return true;
    ++others;
  }
  return others > 1;
}

// After the bodies' own constraints, as for all contacts. `left` is the time to the end of the
// step.
void World::Impl::refresh_sheets(double h, double left) {
  SheetSearch& search = scratch.sheets;
  search.any = has_sheets();
  if (!search.any) return;
  search.kick = Real(h) * cast<Real>(state.gravity);
  if (!search.listed) group_sheets(h, left);
  begin_tangles();
  for (std::size_t g = 0; g < search.used; ++g) {
    SheetGroup& group = search.groups[g];
    if (group.members.empty()) continue;
    if (group.time + 0.5 * h > group.horizon)
      search_sheets_again(g, 0, sheet_horizon(group, h, left));
    const Real limit = stray_limit(group);
    untangle_sheets(group, h);
    choose_sheets(group, list_strayed(group, group.time, scratch.begin, limit), h);
    group.swept = true;
  }
}

void World::Impl::choose_sheets(SheetGroup& group, Real stray, double h) {
  choose_levels(state.deformables, state.particles, stray, scratch.sheets.pack, group.contacts);
  find_sheet_normals(group);
  pliant::refresh_sheets(group.contacts, state.particles, scratch.begin, sheet_sides(), h,
                         def.push_speed, pool.get());
}

SheetSides World::Impl::sheet_sides() const {
  return {scratch.sheets.normals, scratch.sheets.tangles.loose};
}

// Of cloths that have an order, when the substep began.
void World::Impl::find_sheet_normals(const SheetGroup& group) {
  const std::vector<SheetPair>& pairs = group.contacts.pairs;
  if (std::none_of(pairs.begin(), pairs.end(), [](const SheetPair& p) { return p.ordered; }))
    return;
  std::vector<Vec4>& normals = scratch.sheets.normals;
  for (const std::int32_t n : group.members) {
    const Deformable& body = state.deformables[std::size_t(n)];
    if (body.layer == 0) continue;
    normals.resize(scratch.begin.size());
    pliant::find_sheet_normals(body, state.particles, scratch.begin, pool.get(), normals);
  }
}

void World::Impl::project_sheets() {
  if (!scratch.sheets.any) return;
  for (std::size_t g = 0; g < scratch.sheets.used; ++g)
    if (scratch.sheets.groups[g].swept)
      pliant::project_sheets(scratch.sheets.groups[g].contacts, state.particles, pool.get());
}

// Marks the groups in which sheets come too near each other, and says whether there are any.
bool World::Impl::sheets_too_near() {
  SheetSearch& search = scratch.sheets;
  bool any = false;
  if (!search.any) return any;
  search.near.assign(state.deformables.size(), 0);
  for (std::size_t g = 0; g < search.used; ++g) {
    SheetGroup& group = search.groups[g];
    group.swept = pliant::sheets_too_near(group.contacts, scratch.begin, state.particles,
                                          pool.get(), search.hold);
    any |= group.swept;
    for (const std::int32_t n : group.members) search.near[std::size_t(n)] = group.swept ? 1 : 0;
  }
  search.checked = !any;
  return any;
}

// The end of a substep for the sheets, after everything else has moved them.
void World::Impl::hold_sheets(double h) {
  SheetSearch& search = scratch.sheets;
  if (!search.any) return;
  search.forget_loads();
  search.bound.assign(state.deformables.size(), 0);
  for (std::size_t g = 0; g < search.used; ++g) {
    SheetGroup& group = search.groups[g];
    if (group.members.empty()) continue;
    note_sheet_loads(group.contacts, h);
    note_wrong_sides(group.contacts, state.deformables);
    forget_pushes(group.contacts, state.deformables, state.particles);
    bool searched_all = false;
    // What is held goes elsewhere, where it may meet what nobody looked for.
    for (int round = 0; round < k_hold_rounds; ++round)
      if (!hold_group(g, h, search.checked || round > 0, searched_all)) break;
    forget_followed();
    // What was searched for this substep alone is of no use in the next one.
    group.time = searched_all ? 2 * group.horizon : group.time + h;
  }
}

// `checked`: nothing comes too near among the contacts that are known. Returns whether something
// was held back.
bool World::Impl::hold_group(std::size_t g, double h, bool checked, bool& searched_all) {
  SheetSearch& search = scratch.sheets;
  SheetGroup& group = search.groups[g];
  const int used = group.contacts.used;
  const Followed followed = follow_sheets(g, h, stray_limit(group));
  searched_all |= followed.all;
  if (followed.all || needs_levels(group.contacts, followed.stray) > used)
    choose_sheets(group, followed.stray, h);
  else if (followed.some)
    refresh_late_sheets(group, followed.stray, h);
  else if (checked)
    return false;
  const PinchedLed led(scratch.pinch.pinches, scratch.begin, state.particles);
  const int held = pliant::hold_sheets(group.contacts, scratch.begin, state.particles, pool.get(),
                                       search.hold, search.bound);
  report.held_back += held;
  return held > 0;
}

void World::Impl::refresh_late_sheets(SheetGroup& group, Real stray, double h) {
  choose_levels(state.deformables, state.particles, stray, scratch.sheets.pack, group.contacts);
  refresh_level(group.contacts.levels[k_late_level], state.particles, scratch.begin, sheet_sides(),
                h, def.push_speed, pool.get());
}

// What the contacts have done in this substep, and those of different cloths to each other.
void World::Impl::note_sheet_loads(const SheetContacts& contacts, double h) {
  SheetSearch& search = scratch.sheets;
  each_used_batch(contacts, [&](const SheetBatch& b) {
    if (!b.live) return;
    for (int k = 0; k < b.lanes; ++k) {
      if (!(b.multiplier[k] > 0)) continue;
      const double depth = std::max(0.0, double(b.kept[k] - b.distance[k]));
      ++search.loaded;
      search.deepest = std::max(search.deepest, depth);
      search.depth_sum += depth;
      const SheetPair& pair = contacts.pairs[std::size_t(b.pair[std::size_t(k)])];
      if (pair.a == pair.b) continue;
      // On side b of the contact, which is the pair's b or its a.
      const std::int32_t particle = b.particle[0][std::size_t(k)];
      const Deformable& first = state.deformables[std::size_t(pair.b)];
      const bool of_b = particle >= first.begin && particle < first.begin + first.count;
      const Vec3R push{b.multiplier[k] * b.normal.x[k], b.multiplier[k] * b.normal.y[k],
                       b.multiplier[k] * b.normal.z[k]};
      const Vec3R rubbed{b.rubbed.x[k], b.rubbed.y[k], b.rubbed.z[k]};
      SheetLoad& load = sheet_load(pair);
      load.push_on_a += (of_b ? -1 : 1) / h * cast<double>(push);
      load.impulse_on_a += (of_b ? -1 : 1) / h * cast<double>(push + rubbed);
      const double size = double(b.multiplier[k]) / h;
      const std::size_t p = std::size_t(particle);
      load.moment += size * cast<double>(xyz(state.particles.base[p]) + xyz(state.particles.d[p]));
      load.total += size;
      search.bound[std::size_t(pair.a)] = search.bound[std::size_t(pair.b)] = 1;
    }
  });
}

SheetLoad& World::Impl::sheet_load(const SheetPair& pair) {
  std::vector<SheetLoad>& loads = scratch.sheets.loads;
  const auto at =
      std::lower_bound(loads.begin(), loads.end(), pair.key,
                       [](const SheetLoad& l, std::uint64_t key) { return l.key < key; });
  if (at != loads.end() && at->key == pair.key) return *at;
  return *loads.insert(at, {pair.key, pair.b, pair.a, {}, {}, {}, 0});
}

}  // namespace PLIANT_ABI
}  // namespace pliant
