// Contacts between sheets: searched when a step begins, and again around the particles that have
// left the way that the search reckoned with. Cloths that cannot meet are in different groups,
// which know nothing of each other: a distant cloth changes no bit.
#include <algorithm>
#include <cmath>

#include "model/surface_pair.h"
#include "narrowphase/sheet_search.h"
#include "solver/hold_sheets.h"
#include "solver/sheet_order.h"
#include "solver/sheet_stages.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// In thicknesses: candidates come within 1 + k_reach of each other if all goes as predicted, and
// are looked for again when a particle is k_stray from there. What is then not among them is still
// 1 + k_reach - 2 k_stray apart, so nothing comes nearer unseen than solver/hold_sheets.h allows.
// In a crumpled cloth the features in reach grow with more than its square: twice as many are
// tested with 0.5 and 0.4.
constexpr double k_reach = 0.2;
constexpr double k_stray = 0.2;
// What is on the wrong side of a cloth that it has an order with is found this many thicknesses
// deep.
constexpr double k_order_reach = 5;
// What part of all particles may have left their way before everything is searched again.
constexpr double k_stray_most = 0.25;
// How far, in thicknesses, cloth may move against itself in the time searched for, in the mean.
constexpr double k_spread = 0.3;

// What all particles of a group may stray by together, in thicknesses.
constexpr double k_common = 1;

constexpr int k_hold_rounds = 4;
constexpr int k_particle_grain = 1024;

template <class Visit>
void each_used_batch(const SheetContacts& contacts, const Visit& visit) {
  for (std::size_t n = 0; n < std::size_t(contacts.used); ++n)
    for (const SheetBatch& b : contacts.levels[n].batches) visit(b);
}

// Cloths come into their order when one of them is new, and stay in it because they never cross.
// In the folds of cloths that have done so the normals would say little: what belongs outside the
// next fold lies inside of it.
bool wants_order(const Deformable& body) { return body.layer > 0 && body.tangled > 0; }

// 1 if the first belongs outside the second, -1 if it is the other way round.
std::int8_t outer_of(const Deformable& b, const Deformable& a) {
  if (b.layer == 0 || a.layer == 0 || b.layer == a.layer) return 0;
  if (!wants_order(b) && !wants_order(a)) return 0;
  return b.layer > a.layer ? 1 : -1;
}

Real reach_of(const SheetPair& pair) {
  return Real(pair.outer != 0 ? k_order_reach : 1 + k_reach) * pair.thickness;
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

// Whether contact between sheets is possible at all.
bool World::Impl::has_sheets() const {
  int others = 0;
  for (const Deformable& body : state.deformables) {
    if (!is_sheet(body)) continue;
    if (body.self_contact && awake(body)) return true;
    ++others;
  }
  return others > 1;
}

// How far (m) a particle is, at displacement `d`, from where the search thought it would be when a
// part of the time searched for has gone.
Vec3R World::Impl::strayed_by(std::size_t p, Real part, const std::vector<Vec4>& d) const {
  const SheetMotion& motion = scratch.sheets.motion;
  const Vec3R expected = xyz(motion.place[p]) + part * xyz(motion.motion[p]);
  return xyz(state.particles.base[p]) + xyz(d[p]) - expected;
}

// What all particles of a group have strayed by does not bring them nearer to each other: falling
// together, or being held together against their weight. Up to a thickness; of a group of which
// something sleeps, none.
Vec3R World::Impl::common_stray(const SheetGroup& group, Real part,
                                const std::vector<Vec4>& d) const {
  Vec3R sum;
  std::int64_t count = 0;
  for (const std::int32_t n : group.members) {
    const Deformable& body = state.deformables[std::size_t(n)];
    if (!awake(body)) return {};
    for (std::int32_t i = body.begin; i < body.begin + body.count; ++i)
      sum += strayed_by(std::size_t(i), part, d);
    count += body.count;
  }
  const Vec3R mean = sum / Real(std::max<std::int64_t>(count, 1));
  return length(mean) <= Real(k_common) * thinnest(group) ? mean : Vec3R{};
}

// Lists the particles that are, at displacements `d`, further than `limit` (m) from where the
// search thought they would be at a time after it. Returns how far the others are.
Real World::Impl::list_strayed(const SheetGroup& group, double time, const std::vector<Vec4>& d,
                               Real limit) {
  SheetSearch& search = scratch.sheets;
  const Real part = Real(time / group.horizon);
  search.strayed.resize(state.particles.d.size(), 0);
  Real furthest = 0;
  const auto list = [&](const Vec3R& common) {
    search.strays.clear();
    furthest = 0;
    for (const std::int32_t n : group.members) {
      const Deformable& body = state.deformables[std::size_t(n)];
      if (!awake(body)) continue;
      for (std::int32_t i = body.begin; i < body.begin + body.count; ++i) {
        const Real stray = length_sq(strayed_by(std::size_t(i), part, d) - common);
        if (stray > limit * limit)
          search.strays.push_back(i);
        else
          furthest = std::max(furthest, stray);
      }
    }
  };
  list({});
  if (!search.strays.empty()) list(common_stray(group, part, d));
  return std::sqrt(furthest);
}

// Whether those that have left their way were searched for in this substep already, and go by less
// than `limit` (m) elsewhere than that search thought.
bool World::Impl::were_followed(Real limit) const {
  const SheetSearch& search = scratch.sheets;
  return std::all_of(search.strays.begin(), search.strays.end(), [&](std::int32_t i) {
    const std::size_t p = std::size_t(i);
    const Vec3R way = xyz(state.particles.d[p]) - xyz(scratch.begin[p]);
    return search.strayed[p] != 0 &&
           length_sq(way - xyz(search.late_motion.motion[p])) <= limit * limit;
  });
}

void World::Impl::forget_followed() {
  SheetSearch& search = scratch.sheets;
  for (const std::int32_t p : search.followed) search.strayed[std::size_t(p)] = 0;
  search.followed.clear();
}

// Searches again, for this substep, around the particles that have left their way by more than
// `limit` (m).
World::Impl::Followed World::Impl::follow_sheets(std::size_t g, double h, Real limit) {
  SheetSearch& search = scratch.sheets;
  SheetGroup& group = search.groups[g];
  Followed followed;
  followed.stray = list_strayed(group, group.time + h, state.particles.d, limit);
  if (search.strays.empty() || were_followed(limit)) return followed;
  ++report.searched_again;
  std::int64_t count = 0;
  for (const std::int32_t n : group.members) count += state.deformables[std::size_t(n)].count;
  followed.some = true;
  followed.all = double(search.strays.size()) > k_stray_most * double(count);
  forget_followed();
  if (!followed.all) {
    for (const std::int32_t p : search.strays) search.strayed[std::size_t(p)] = 1;
    search.followed = search.strays;
    followed.all = !search_strayed(g);
  }
  if (followed.all) {
    forget_followed();
    search_sheets_again(g, h, h);
    followed.stray = 0;
  }
  return followed;
}

// False if the group meets others on the ways of this substep, so that all must be searched.
bool World::Impl::search_strayed(std::size_t g) {
  SheetSearch& search = scratch.sheets;
  SheetGroup& group = search.groups[g];
  search.late.structure = def.cloth_search;
  search.late.has_strayed.resize(state.deformables.size());
  predict_sheets(group, 1, 1, search.late_motion);
  for (const std::int32_t member : group.members) {
    const std::size_t n = std::size_t(member);
    box_sheet(state.deformables[n], n, search.late_motion, pool.get(), search.late);
    mark_strayed(state.deformables[n], search.strayed, search.late.has_strayed[n]);
    put_sheet_reach(n, search.late.boxes[n].front());
  }
  const std::size_t members = group.members.size();
  join_sheets(g);
  if (group.members.size() != members) return false;
  SheetContacts& contacts = group.contacts;
  contacts.candidates.resize(contacts.first_late);
  for (std::size_t n = 0; n < contacts.pairs.size(); ++n)
    search_sheet_pair(group, n, search.late_motion, search.strayed, search.late);
  contacts.levels[k_late_level].packed = false;
  return true;
}

// How far ahead to look: not so far that everything is in reach of everything.
double World::Impl::sheet_horizon(const SheetGroup& group, double h, double left) const {
  double thickness = 1e300, sum = 0;
  Vec3R mean;
  std::int64_t count = 0;
  const auto each = [&](const auto& visit) {
    for (const std::int32_t n : group.members) {
      const Deformable& body = state.deformables[std::size_t(n)];
      thickness = std::min(thickness, body.thickness);
      for (std::int32_t i = body.begin; i < body.begin + body.count; ++i)
        visit(xyz(state.particles.velocity[std::size_t(i)]));
    }
  };
  each([&](const Vec3R& velocity) { mean += velocity, ++count; });
  mean = mean / Real(std::max<std::int64_t>(count, 1));
  each([&](const Vec3R& velocity) { sum += double(length(velocity - mean)); });
  const double spread = sum / double(std::max<std::int64_t>(count, 1));
  const double substeps = std::floor(k_spread * thickness / std::max(spread * h, 1e-12));
  return std::min(left, h * std::max(1.0, substeps));
}

// Everybody's way from the beginning of this substep on, over a time: with the velocity it had
// then, before its weight acted on it, or, for h > 0, as it goes in this substep of that length.
void World::Impl::predict_sheets(const SheetGroup& group, double time, double h,
                                 SheetMotion& motion) {
  motion.place.resize(scratch.begin.size());
  motion.motion.resize(scratch.begin.size());
  const Real part = Real(h > 0 ? time / h : time);
  for (const std::int32_t n : group.members) {
    const Deformable& body = state.deformables[std::size_t(n)];
    const bool moves = awake(body);
    parallel_for(pool.get(), body.count, k_particle_grain, [&](int begin, int end) {
      for (std::size_t p = std::size_t(body.begin + begin); p < std::size_t(body.begin + end);
           ++p) {
        if (!moves) scratch.begin[p] = state.particles.d[p];
        const Vec3R place = xyz(state.particles.base[p]) + xyz(scratch.begin[p]);
        Vec3R way;
        if (moves && h == 0) way = part * (xyz(state.particles.velocity[p]) - scratch.sheets.kick);
        if (moves && h > 0) way = part * (xyz(state.particles.d[p]) - xyz(scratch.begin[p]));
        motion.place[p] = {place.x, place.y, place.z, 0};
        motion.motion[p] = {way.x, way.y, way.z, 0};
      }
    });
  }
}

// The trees' boxes, and around each cloth all that its search reckons with.
void World::Impl::box_sheets(const SheetGroup& group) {
  SheetSearch& search = scratch.sheets;
  search.scratch.structure = def.cloth_search;
  search.reach.resize(state.deformables.size());
  for (const std::int32_t member : group.members) {
    const std::size_t n = std::size_t(member);
    const Deformable& body = state.deformables[n];
    box_sheet(body, n, search.motion, pool.get(), search.scratch);
    put_sheet_reach(n, search.scratch.boxes[n].front());
  }
}

void World::Impl::put_sheet_reach(std::size_t n, SheetBox box) {
  const Deformable& body = state.deformables[n];
  const double reach = wants_order(body) ? k_order_reach : 1 + k_reach;
  const Real slack = Real((reach + k_common) * body.thickness);
  const auto grow = [&](Real& low, Real& high, Real motion_low, Real motion_high) {
    low += std::min(motion_low, Real(0)) - slack;
    high += std::max(motion_high, Real(0)) + slack;
  };
  grow(box.low.x, box.high.x, box.motion_low.x, box.motion_high.x);
  grow(box.low.y, box.high.y, box.motion_low.y, box.motion_high.y);
  grow(box.low.z, box.high.z, box.motion_low.z, box.motion_high.z);
  scratch.sheets.reach[n] = box;
}

bool World::Impl::sheets_may_meet(std::int32_t a, std::int32_t b) const {
  if (!filters_fit(state.rigid.size() + a, state.rigid.size() + b)) return false;
  const SheetBox& x = scratch.sheets.reach[std::size_t(a)];
  const SheetBox& y = scratch.sheets.reach[std::size_t(b)];
  return x.low.x <= y.high.x && y.low.x <= x.high.x && x.low.y <= y.high.y && y.low.y <= x.high.y &&
         x.low.z <= y.high.z && y.low.z <= x.high.z;
}

// Each cloth by itself at first, looked at over the whole step; then those that may meet together.
void World::Impl::group_sheets(double h, double left) {
  SheetSearch& search = scratch.sheets;
  search.listed = true;
  search.used = 0;
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    if (!is_sheet(state.deformables[n])) continue;
    if (search.groups.size() == search.used) search.groups.emplace_back();
    SheetGroup& group = search.groups[search.used++];
    group.members.assign(1, std::int32_t(n));
    group.time = 0;
    group.horizon = left;
    predict_sheets(group, group.horizon, 0, search.motion);
    box_sheets(group);
  }
  for (std::size_t g = 0; g < search.used; ++g) join_sheets(g);
  for (std::size_t g = 0; g < search.used; ++g) {
    SheetGroup& group = search.groups[g];
    search_sheets(group, 0, sheet_horizon(group, h, left));
  }
}

// Takes in the groups that a group may meet, until there is none.
void World::Impl::join_sheets(std::size_t g) {
  SheetSearch& search = scratch.sheets;
  const auto meet = [&](const SheetGroup& a, const SheetGroup& b) {
    for (const std::int32_t m : a.members)
      for (const std::int32_t n : b.members)
        if (sheets_may_meet(m, n)) return true;
    return false;
  };
  SheetGroup& group = search.groups[g];
  for (std::size_t other = 0; other < search.used; ++other) {
    if (other == g || search.groups[other].members.empty()) continue;
    if (!meet(group, search.groups[other])) continue;
    std::vector<std::int32_t>& members = search.groups[other].members;
    group.members.insert(group.members.end(), members.begin(), members.end());
    std::sort(group.members.begin(), group.members.end());
    members.clear();
    search.groups[other].contacts.clear();
    other = std::size_t(-1);  // from the first again: the group has grown
  }
}

void World::Impl::list_sheet_pairs(SheetGroup& group) {
  for (std::size_t m = 0; m < group.members.size(); ++m) {
    const Deformable& b = state.deformables[std::size_t(group.members[m])];
    for (std::size_t n = m; n < group.members.size(); ++n) {
      const Deformable& a = state.deformables[std::size_t(group.members[n])];
      if ((m == n && !b.self_contact) || (!awake(a) && !awake(b))) continue;
      const std::int32_t first = state.rigid.size();
      if (m != n && !filters_fit(first + group.members[m], first + group.members[n])) continue;
      SheetPair pair{std::uint64_t(b.key) << 32 | a.key,
                     group.members[m],
                     group.members[n],
                     Real((b.thickness + a.thickness) / 2),
                     0,
                     0};
      const SurfacePair surface = combined(b.contact, a.contact);
      pair.friction_static = Real(surface.friction_static);
      pair.friction_kinetic = Real(surface.friction_kinetic);
      if (m != n) pair.outer = outer_of(b, a);
      group.contacts.pairs.push_back(pair);
    }
  }
}

void World::Impl::search_sheets(SheetGroup& group, double h, double horizon) {
  group.time = 0;
  group.horizon = horizon;
  group.contacts.clear();
  if (group.members.empty()) return;
  predict_sheets(group, group.horizon, h, scratch.sheets.motion);
  box_sheets(group);
  list_sheet_pairs(group);
  SheetSearch& search = scratch.sheets;
  for (std::size_t n = 0; n < group.contacts.pairs.size(); ++n)
    search_sheet_pair(group, n, search.motion, {}, search.scratch);
  group.contacts.first_late = group.contacts.candidates.size();
}

// Everything, or only what is around particles that have strayed.
void World::Impl::search_sheet_pair(SheetGroup& group, std::size_t n, const SheetMotion& motion,
                                    std::span<const std::uint8_t> strayed, SheetScratch& memory) {
  const SheetPair& pair = group.contacts.pairs[n];
  const std::size_t before = group.contacts.candidates.size();
  pliant::search_sheets(state.deformables, pair, std::int32_t(n), motion, reach_of(pair), strayed,
                        pool.get(), memory, group.contacts.candidates);
  const std::size_t found = group.contacts.candidates.size() - before;
  const std::int32_t rigid_count = state.rigid.size();
  if (found > 0 && pair.a != pair.b) wake_meeting(rigid_count + pair.b, rigid_count + pair.a);
  stats.candidates += std::int32_t(found);
}

// In the middle of a step, where it may meet others now.
void World::Impl::search_sheets_again(std::size_t g, double h, double horizon) {
  SheetGroup& group = scratch.sheets.groups[g];
  group.horizon = horizon;
  group.time = 0;
  predict_sheets(group, group.horizon, h, scratch.sheets.motion);
  box_sheets(group);
  join_sheets(g);
  search_sheets(group, h, horizon);
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
    const Real limit = Real(k_stray) * thinnest(group);
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
  if (std::none_of(pairs.begin(), pairs.end(), [](const SheetPair& p) { return p.outer != 0; }))
    return;
  std::vector<Vec4>& normals = scratch.sheets.normals;
  for (const std::int32_t n : group.members) {
    const Deformable& body = state.deformables[std::size_t(n)];
    if (body.layer == 0) continue;
    normals.resize(scratch.begin.size());
    pliant::find_sheet_normals(body, state.particles, scratch.begin, pool.get(), normals);
  }
}

Real World::Impl::thinnest(const SheetGroup& group) const {
  double thickness = 1e300;
  for (const std::int32_t n : group.members)
    thickness = std::min(thickness, state.deformables[std::size_t(n)].thickness);
  return Real(thickness);
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
  search.loaded = 0;
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
  const Followed followed = follow_sheets(g, h, Real(k_stray) * thinnest(group));
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

// What the contacts of different cloths have done in this substep.
void World::Impl::note_sheet_loads(const SheetContacts& contacts, double h) {
  SheetSearch& search = scratch.sheets;
  each_used_batch(contacts, [&](const SheetBatch& b) {
    if (!b.live) return;
    for (int k = 0; k < b.lanes; ++k) {
      if (!(b.multiplier[k] > 0)) continue;
      ++search.loaded;
      const SheetPair& pair = contacts.pairs[std::size_t(b.pair[std::size_t(k)])];
      if (pair.a == pair.b) continue;
      // On side b of the contact, which is the pair's b or its a.
      const std::int32_t particle = b.particle[0][std::size_t(k)];
      const Deformable& first = state.deformables[std::size_t(pair.b)];
      const bool of_b = particle >= first.begin && particle < first.begin + first.count;
      const Vec3R impulse{b.multiplier[k] * b.normal.x[k] + b.rubbed.x[k],
                          b.multiplier[k] * b.normal.y[k] + b.rubbed.y[k],
                          b.multiplier[k] * b.normal.z[k] + b.rubbed.z[k]};
      SheetLoad& load = sheet_load(pair);
      load.impulse_on_a += (of_b ? -1 : 1) / h * cast<double>(impulse);
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
  return *loads.insert(at, {pair.key, pair.b, pair.a, {}, {}, 0});
}

}  // namespace PLIANT_ABI
}  // namespace pliant
