// Which particles of cloths have left the way that the search for contacts reckoned with. Asked two
// times and more in every substep, so it goes by blocks on all threads: the clusters of the cloths.
#include <algorithm>
#include <cmath>

#include "math/wide.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {

void World::Impl::cut_into_blocks(const SheetGroup& group) {
  std::vector<StrayBlock>& blocks = scratch.sheets.stray_blocks;
  blocks.clear();
  for (const std::int32_t n : group.members) {
    const Deformable& body = state.deformables[std::size_t(n)];
    if (!awake(body)) continue;
    const std::vector<std::int32_t>& cut = body.constraints.clusters;
    for (std::size_t k = 0; k + 1 < cut.size(); ++k) {
      StrayBlock block;
      block.begin = body.begin + std::min(cut[k], body.count);
      block.end = body.begin + std::min(cut[k + 1], body.count);
      if (block.begin < block.end) blocks.push_back(block);
    }
  }
}

// At displacements `d`, when a part of the time searched for has gone, and less what they have in
// common.
void World::Impl::measure_strays(Real part, const std::vector<Vec4>& d, const Vec3R& common,
                                 Real limit) {
  SheetSearch& search = scratch.sheets;
  search.stray_places.resize(state.particles.d.size());
  const Real4V less{common.x, common.y, common.z, 0};
  const auto measure = [&](StrayBlock& block) {
    Real4V sum{};
    Real furthest = 0;
    std::int32_t* next = search.stray_places.data() + block.begin;
    for (std::int32_t i = block.begin; i < block.end; ++i) {
      const std::size_t p = std::size_t(i);
      const Real4V expected =
          load4(&search.motion.place[p]) + part * load4(&search.motion.motion[p]);
      const Real4V stray = load4(&state.particles.base[p]) + load4(&d[p]) - expected;
      const Real4V off = stray - less, square = off * off;
      const Real far = square[0] + square[1] + square[2];
      sum += stray;
      if (far > limit * limit)
        *next++ = i;
      else
        furthest = std::max(furthest, far);
    }
    block.sum = {sum[0], sum[1], sum[2]};
    block.furthest = furthest;
    block.count = std::int32_t(next - search.stray_places.data()) - block.begin;
  };
  parallel_for(pool.get(), int(search.stray_blocks.size()), 1, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) measure(search.stray_blocks[std::size_t(n)]);
  });
}

// Lists them in the order of the blocks. Returns how far the others are, squared.
Real World::Impl::collect_strays() {
  SheetSearch& search = scratch.sheets;
  search.strays.clear();
  Real furthest = 0;
  for (const StrayBlock& block : search.stray_blocks) {
    const auto first = search.stray_places.begin() + block.begin;
    search.strays.insert(search.strays.end(), first, first + block.count);
    furthest = std::max(furthest, block.furthest);
  }
  return furthest;
}

// What all particles of a group have strayed by does not bring them nearer to each other: falling
// together, or being held together against their weight. Up to a thickness; of a group of which
// something sleeps, none.
Vec3R World::Impl::common_stray(const SheetGroup& group) const {
  for (const std::int32_t n : group.members)
    if (!awake(state.deformables[std::size_t(n)])) return {};
  Vec3R sum;
  std::int64_t count = 0;
  for (const StrayBlock& block : scratch.sheets.stray_blocks) {
    sum += block.sum;
    count += block.end - block.begin;
  }
  const Vec3R mean = sum / Real(std::max<std::int64_t>(count, 1));
  return length(mean) <= Real(k_common_stray) * thinnest(group) ? mean : Vec3R{};
}

// Lists the particles that are, at displacements `d`, further than `limit` (m) from where the
// search thought they would be at a time after it. Returns how far the others are.
Real World::Impl::list_strayed(const SheetGroup& group, double time, const std::vector<Vec4>& d,
                               Real limit) {
  const Real part = Real(time / group.horizon);
  scratch.sheets.strayed.resize(state.particles.d.size(), 0);
  cut_into_blocks(group);
  measure_strays(part, d, {}, limit);
  Real furthest = collect_strays();
  const Vec3R common = scratch.sheets.strays.empty() ? Vec3R{} : common_stray(group);
  if (common != Vec3R{}) {
    measure_strays(part, d, common, limit);
    furthest = collect_strays();
  }
  return std::sqrt(furthest);
}

}  // namespace PLIANT_ABI
}  // namespace pliant
