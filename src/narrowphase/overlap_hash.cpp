// Points inside tetrahedra by a hash of space.
#include <algorithm>
#include <cmath>

#include "narrowphase/overlap_search.h"

namespace pliant {
namespace {

constexpr std::int32_t k_far = 1 << 30;  // cells; what is beyond is in the last one
constexpr int k_block = 256;             // tetrahedra

bool is_prime(std::uint32_t n) {
  if (n < 4) return n > 1;
  if (n % 2 == 0) return false;
  for (std::uint32_t d = 3; std::uint64_t(d) * d <= n; d += 2)
    if (n % d == 0) return false;
  return true;
}

std::int32_t cell_of(double x, double inverse) {
  const double c = std::floor(x * inverse);
  return c < -k_far ? -k_far : c > k_far ? k_far : std::int32_t(c);
}

bool meets_any(const TreeBox& box, const std::vector<OverlapRegion>& regions) {
  for (const OverlapRegion& region : regions)
    if (region.box.meets(box)) return true;
  return false;
}

// The points that may come to be inside something, sorted by slot.
std::uint32_t fill_table(std::span<const OverlapSolid> solids, double inverse,
                         OverlapMemory& memory) {
  memory.points.clear();
  for (std::size_t s = 0; s < solids.size(); ++s) {
    if (memory.wide.regions[s].empty()) continue;
    for (const std::int32_t p : solids[s].topology.points) {
      const Vec3& at = solids[s].kept[std::size_t(p)];
      if (!meets_any({at, at}, memory.wide.regions[s])) continue;
      memory.points.push_back({cell_of(at.x, inverse), cell_of(at.y, inverse),
                               cell_of(at.z, inverse), std::int32_t(s), p, 0});
    }
  }
  const std::uint32_t n = table_size(memory.points.size());
  memory.slot_begin.assign(std::size_t(n) + 1, 0);
  for (HashedPoint& p : memory.points) {
    p.slot = cell_hash(p.i, p.j, p.k, n);
    ++memory.slot_begin[std::size_t(p.slot) + 1];
  }
  for (std::size_t s = 1; s <= n; ++s) memory.slot_begin[s] += memory.slot_begin[s - 1];
  memory.sorted.resize(memory.points.size());
  for (std::size_t q = memory.points.size(); q-- > 0;) {  // begins become ends and go back
    const HashedPoint& p = memory.points[q];
    memory.sorted[std::size_t(--memory.slot_begin[std::size_t(p.slot) + 1])] = p;
  }
  for (std::size_t s = 0; s < n; ++s) memory.slot_begin[s] = memory.slot_begin[s + 1];
  memory.slot_begin[n] = std::int32_t(memory.sorted.size());
  return n;
}

struct Look {
  std::span<const OverlapSolid> solids;
  const OverlapMemory& memory;
  double inverse, grow;  // 1/m; m, by which boxes are larger than what is in them now
  std::uint32_t slots;
  std::uint64_t reciprocal = ~0ull / slots + 1;

  // cell_hash without a division (Lemire, Kaser, Kurz 2019): the same for all 32-bit numbers.
  std::size_t slot_of(std::int32_t i, std::int32_t j, std::int32_t k) const {
    __extension__ using Wide = unsigned __int128;
    return std::size_t((Wide(reciprocal * cell_mix(i, j, k)) * slots) >> 64);
  }
};

void try_point(const Look& look, std::size_t solid, std::size_t tet, const TreeBox& box,
               const HashedPoint& p, std::vector<OverlapCandidate>& near) {
  const OverlapSolid& s = look.solids[solid];
  const OverlapSolid& other = look.solids[std::size_t(p.solid)];
  const Tetrahedron& t = s.topology.tets[tet];
  if (std::size_t(p.solid) == solid &&
      (t[0] == p.point || t[1] == p.point || t[2] == p.point || t[3] == p.point))
    return;
  if (!s.awake && !other.awake) return;
  const Vec3& at = other.kept[std::size_t(p.point)];
  if (box.meets({at, at}))
    near.push_back({std::int32_t(solid), std::int32_t(tet), p.solid, p.point});
}

// Whether four points are all beyond the same end of a region, by more than they may move.
bool is_beyond(const OverlapRegion& region, const Vec3* x, const Tetrahedron& t, double grow) {
  const int axis = region.axis;
  const double a = x[t[0]][axis], b = x[t[1]][axis], c = x[t[2]][axis], d = x[t[3]][axis];
  return std::min(std::min(a, b), std::min(c, d)) - grow > region.box.high[axis] ||
         std::max(std::max(a, b), std::max(c, d)) + grow < region.box.low[axis];
}

// Against the points of one solid: all that may be inside are in the region as well.
void try_tet(const Look& look, std::size_t solid, std::size_t tet, const OverlapRegion& region,
             std::vector<OverlapCandidate>& near) {
  const OverlapSolid& s = look.solids[solid];
  const Tetrahedron& t = s.topology.tets[tet];
  if (is_beyond(region, s.kept.data(), t, look.grow)) return;
  TreeBox box;
  for (const std::int32_t p : t) box.add(s.kept[std::size_t(p)]);
  const Vec3 grow{look.grow, look.grow, look.grow};
  box = {box.low - grow, box.high + grow};
  if (!box.meets(region.box)) return;
  const TreeBox both{max(box.low, region.box.low), min(box.high, region.box.high)};
  std::int32_t low[3], high[3];
  double cells = 1;
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = cell_of(both.low[axis], look.inverse);
    high[axis] = cell_of(both.high[axis], look.inverse);
    cells *= double(high[axis]) - double(low[axis]) + 1;
  }
  if (cells > double(look.memory.sorted.size()) + 8) {  // larger than all that is in the table
    for (const HashedPoint& p : look.memory.sorted)
      if (p.solid == region.solid) try_point(look, solid, tet, box, p, near);
    return;
  }
  for (std::int32_t i = low[0]; i <= high[0]; ++i)
    for (std::int32_t j = low[1]; j <= high[1]; ++j)
      for (std::int32_t k = low[2]; k <= high[2]; ++k) {
        const std::size_t slot = look.slot_of(i, j, k);
        for (std::int32_t n = look.memory.slot_begin[slot]; n < look.memory.slot_begin[slot + 1];
             ++n) {
          const HashedPoint& p = look.memory.sorted[std::size_t(n)];
          if (p.solid == region.solid && p.i == i && p.j == j && p.k == k)
            try_point(look, solid, tet, box, p, near);
        }
      }
}

// Whether the candidates are those of these solids; if not, they are from now on.
bool are_kept(std::span<const OverlapSolid> solids, std::vector<OverlapKept>& kept) {
  bool same = kept.size() == solids.size();
  kept.resize(solids.size());
  for (std::size_t n = 0; n < solids.size(); ++n) {
    const OverlapSolid& s = solids[n];
    const OverlapKept now{s.body, s.begin, s.looked, s.awake, s.self};
    same = same && kept[n] == now;
    kept[n] = now;
  }
  return same;
}

// How far boxes have to be grown, of any two solids and with a bit for rounding. A point that is
// inside a tetrahedron now was at most so far from its box.
double find_wide_regions(std::span<const OverlapSolid> solids, OverlapRegions& wide) {
  double grow = 0;
  for (const OverlapSolid& s : solids) grow = std::max(grow, (2 + 1e-6) * s.reach());
  wide.boxes.assign(solids.size(), TreeBox{});
  for (std::size_t n = 0; n < solids.size(); ++n) {
    TreeBox& box = wide.boxes[n];
    for (const std::int32_t p : solids[n].topology.points) box.add(solids[n].kept[std::size_t(p)]);
    box = {box.low - Vec3{grow, grow, grow}, box.high + Vec3{grow, grow, grow}};
  }
  find_regions(solids, wide);
  return grow;
}

void find_candidates(std::span<const OverlapSolid> solids, double cell, TaskPool* pool,
                     OverlapMemory& memory) {
  for (std::vector<OverlapCandidate>& list : memory.near) list.clear();
  const double grow = find_wide_regions(solids, memory.wide);
  const double inverse = cell > 0 ? 1 / cell : 1;
  const std::uint32_t slots = fill_table(solids, inverse, memory);
  if (memory.sorted.empty()) return;
  const Look look{
      .solids = solids, .memory = memory, .inverse = inverse, .grow = grow, .slots = slots};
  int blocks = 0;
  for (const OverlapSolid& s : solids)
    blocks += (int(s.topology.tets.size()) + k_block - 1) / k_block;
  if (memory.near.size() < std::size_t(blocks)) memory.near.resize(std::size_t(blocks));
  int first = 0;
  for (std::size_t n = 0; n < solids.size(); ++n) {
    const int tets = int(solids[n].topology.tets.size());
    const int own_blocks = (tets + k_block - 1) / k_block;
    if (!memory.wide.regions[n].empty()) {
      parallel_for(pool, own_blocks, 1, [&, n, first](int begin, int end) {
        for (int block = begin; block < end; ++block)
          for (int t = block * k_block; t < std::min((block + 1) * k_block, tets); ++t)
            for (const OverlapRegion& region : memory.wide.regions[n])
              try_tet(look, n, std::size_t(t), region, memory.near[std::size_t(first + block)]);
      });
    }
    first += own_blocks;
  }
}

// Those of one tetrahedron lie behind each other; most are not even in its box.
void test_candidates(std::span<const OverlapSolid> solids, std::span<const Vec3> x,
                     std::span<const OverlapCandidate> near, std::vector<OverlapHit>& found) {
  std::int32_t solid = -1, tet = -1;
  RoughBox box = k_no_box;
  for (const OverlapCandidate& c : near) {
    const OverlapSolid& s = solids[std::size_t(c.solid)];
    const OverlapSolid& other = solids[std::size_t(c.other)];
    const Tetrahedron& t = s.topology.tets[std::size_t(c.tet)];
    if (c.solid != solid || c.tet != tet) {
      const auto at = [&](std::size_t k) { return s.rough[std::size_t(t[k])]; };
      box = turned(min(min(at(0), at(1)), min(at(2), at(3))));
      solid = c.solid, tet = c.tet;
    }
    if (!meets(other.rough[std::size_t(c.point)], box)) continue;
    const std::int32_t point = other.begin + c.point;
    const Vec3* own = x.data() + s.begin;
    if (is_inside(own[t[0]], own[t[1]], own[t[2]], own[t[3]], x[std::size_t(point)]))
      found.push_back({s.body, point, c.tet});
  }
}

}  // namespace

std::uint32_t table_size(std::size_t points) {
  std::uint32_t n = std::uint32_t(4 * std::uint64_t(points) / 3 + 1);
  while (!is_prime(n)) ++n;
  return n;
}

void find_by_hash(std::span<const OverlapSolid> solids, std::span<const Vec3> x, double cell,
                  TaskPool* pool, OverlapMemory& memory) {
  if (!are_kept(solids, memory.kept)) find_candidates(solids, cell, pool, memory);
  if (memory.found.size() < memory.near.size()) memory.found.resize(memory.near.size());
  parallel_for(pool, int(memory.near.size()), 1, [&](int begin, int end) {
    for (std::size_t block = std::size_t(begin); block < std::size_t(end); ++block)
      test_candidates(solids, x, memory.near[block], memory.found[block]);
  });
}

}  // namespace pliant
