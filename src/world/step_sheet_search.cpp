// The search for contacts between sheets: when a step begins, and again around the particles that
// have left the way that it reckoned with. Cloths that cannot meet are in different groups, which
// know nothing of each other: a distant cloth changes no bit.
#include <algorithm>
#include <cmath>

#include "model/surface_pair.h"
#include "narrowphase/sheet_search.h"
#include "solver/cluster_loops.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// In thicknesses: candidates come within k_sheet_reach of each other if all goes as predicted, and
// are looked for again when a particle is k_stray from there. What is then not among them is still
// k_sheet_reach - 2 k_stray apart, so nothing comes nearer unseen than solver/hold_sheets.h allows.
// In a crumpled cloth the features in reach grow with more than its square: twice as many are
// tested with 1.5 and 0.4.
constexpr double k_stray = 0.2;
// What is on the wrong side of a cloth that it has an order with is found this many thicknesses
// deep.
constexpr double k_order_reach = 5;
// What part of all particles may have left their way before everything is searched again.
constexpr double k_stray_most = 0.25;
// How far, in thicknesses, cloth may move against itself in the time searched for, in the mean.
constexpr double k_spread = 0.3;

// Cloths come into their order when one of them is new, and stay in it because they never cross.
// In the folds of cloths that have done so the normals would say little: what belongs outside the
// next fold lies inside of it.
bool wants_order(const Deformable& body) { return body.layer > 0 && body.tangled > 0; }

// Whether some part of one belongs outside some part of the other.
bool have_order(const Deformable& b, const Deformable& a) {
  if (!wants_order(b) && !wants_order(a)) return false;
  for (const ClothPart& p : b.parts)
    for (const ClothPart& q : a.parts)
      if (p.layer > 0 && q.layer > 0 && p.layer != q.layer) return true;
  return false;
}

Real reach_of(const SheetPair& pair) {
  return Real(pair.ordered ? k_order_reach : k_sheet_reach) * pair.thickness;
}

}  // namespace

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
    mark_strayed(state.deformables[n], search.strayed, pool.get(), search.late.has_strayed[n]);
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
    each_particle<1>(pool.get(), body.constraints, [&](int i) {
      if (i >= body.count) return;
      const std::size_t p = std::size_t(body.begin + i);
      if (!moves) scratch.begin[p] = state.particles.d[p];
      const Vec3R place = xyz(state.particles.base[p]) + xyz(scratch.begin[p]);
      Vec3R way;
      if (moves && h == 0) way = part * (xyz(state.particles.velocity[p]) - scratch.sheets.kick);
      if (moves && h > 0) way = part * (xyz(state.particles.d[p]) - xyz(scratch.begin[p]));
      motion.place[p] = {place.x, place.y, place.z, 0};
      motion.motion[p] = {way.x, way.y, way.z, 0};
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
  const double reach = wants_order(body) ? k_order_reach : k_sheet_reach;
  const Real slack = Real((reach + k_common_stray) * body.thickness);
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
      if ((m == n && !meets_itself_by_features(b)) || (!awake(a) && !awake(b))) continue;
      const std::int32_t first = state.rigid.size();
      if (m != n && !filters_fit(first + group.members[m], first + group.members[n])) continue;
      SheetPair pair{std::uint64_t(b.key) << 32 | a.key,
                     group.members[m],
                     group.members[n],
                     Real((b.thickness + a.thickness) / 2),
                     0,
                     0,
                     false};
      const SurfacePair surface = combined(b.contact, a.contact);
      pair.friction_static = Real(surface.friction_static);
      pair.friction_kinetic = Real(surface.friction_kinetic);
      pair.ordered = have_order(b, a);
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

Real World::Impl::thinnest(const SheetGroup& group) const {
  double thickness = 1e300;
  for (const std::int32_t n : group.members)
    thickness = std::min(thickness, state.deformables[std::size_t(n)].thickness);
  return Real(thickness);
}

// m, from the predicted way, at which a particle is searched for again.
Real World::Impl::stray_limit(const SheetGroup& group) const {
  return Real(k_stray) * thinnest(group);
}

}  // namespace PLIANT_ABI
}  // namespace pliant
