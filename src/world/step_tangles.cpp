// Cloths that are tangled: looked at when they are new, and as long as they are.
#include <algorithm>

#include "narrowphase/sheet_piercings.h"
#include "solver/untangle.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr double k_untangle = 0.3;  // of the push speed

}  // namespace

void World::Impl::begin_tangles() {
  scratch.sheets.tangles.loose.clear();
  report.tangled = 0;
}

// Where the cloths of a group pass through each other when the substep begins.
void World::Impl::find_tangles(const SheetGroup& group) {
  SheetTangles& tangles = scratch.sheets.tangles;
  tangles.piercings.clear();
  const auto is_tangled = [&](std::int32_t n) {
    return state.deformables[std::size_t(n)].tangled != 0;
  };
  if (std::none_of(group.members.begin(), group.members.end(), is_tangled)) return;
  predict_sheets(group, 0, 0, tangles.motion);
  tangles.boxes.resize(state.deformables.size());
  for (const std::int32_t n : group.members)
    box_sheet(state.deformables[std::size_t(n)], tangles.motion, pool.get(),
              tangles.boxes[std::size_t(n)]);
  const auto side = [&](std::int32_t n) {
    return SheetSide{state.deformables[std::size_t(n)], tangles.boxes[std::size_t(n)], {}};
  };
  for (std::size_t n = 0; n < group.contacts.pairs.size(); ++n) {
    const SheetPair& pair = group.contacts.pairs[n];
    if (is_tangled(pair.b) || is_tangled(pair.a))
      find_piercings(side(pair.b), side(pair.a), std::int32_t(n), tangles.motion.place,
                     tangles.leaves, tangles.piercings);
  }
  for (const std::int32_t n : group.members) {
    Deformable& body = state.deformables[std::size_t(n)];
    // Of one that sleeps not all pairs were looked at.
    if (awake(body) && body.tangled > 0) --body.tangled;
  }
  for (const SheetPiercing& x : tangles.piercings) {
    const SheetPair& pair = group.contacts.pairs[std::size_t(x.pair)];
    for (const std::int32_t n : {pair.b, pair.a})
      state.deformables[std::size_t(n)].tangled = k_tangled_substeps;
  }
}

// Draws them apart, and lets go of what contact would keep where it is.
void World::Impl::untangle_sheets(const SheetGroup& group, double h) {
  find_tangles(group);
  SheetTangles& tangles = scratch.sheets.tangles;
  if (tangles.piercings.empty()) return;
  report.tangled += std::int32_t(tangles.piercings.size());
  tangles.loose.resize(scratch.begin.size(), 0);
  mark_loose(state.deformables, group.members, tangles.piercings, tangles.loose);
  untangle(tangles.piercings, scratch.begin, k_untangle * def.push_speed * h, state.particles);
}

}  // namespace PLIANT_ABI
}  // namespace pliant
