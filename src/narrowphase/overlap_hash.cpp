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

// The points that may be inside something, sorted by slot.
std::uint32_t fill_table(std::span<const OverlapSolid> solids, std::span<const Vec3> x,
                         double inverse, OverlapMemory& memory) {
  memory.points.clear();
  for (std::size_t s = 0; s < solids.size(); ++s) {
    if (memory.regions[s].empty()) continue;
    for (const std::int32_t p : solids[s].topology.points) {
      const Vec3& at = x[std::size_t(solids[s].begin + p)];
      if (!meets_any({at, at}, memory.regions[s])) continue;
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
  std::span<const Vec3> x;
  const OverlapMemory& memory;
  double inverse;
  std::uint32_t slots;
  std::uint64_t reciprocal = ~0ull / slots + 1;

  // cell_hash without a division (Lemire, Kaser, Kurz 2019): the same for all 32-bit numbers.
  std::size_t slot_of(std::int32_t i, std::int32_t j, std::int32_t k) const {
    __extension__ using Wide = unsigned __int128;
    return std::size_t((Wide(reciprocal * cell_mix(i, j, k)) * slots) >> 64);
  }
};

void test_point(const Look& look, std::size_t solid, std::size_t tet, const TreeBox& box,
                const HashedPoint& p, std::vector<OverlapHit>& found) {
  const OverlapSolid& s = look.solids[solid];
  const OverlapSolid& other = look.solids[std::size_t(p.solid)];
  const Tetrahedron& t = s.topology.tets[tet];
  if (std::size_t(p.solid) == solid &&
      (t[0] == p.point || t[1] == p.point || t[2] == p.point || t[3] == p.point))
    return;
  if (!s.awake && !other.awake) return;
  const Vec3& at = look.x[std::size_t(other.begin + p.point)];
  if (!box.meets({at, at})) return;
  const Vec3* own = look.x.data() + s.begin;
  if (is_inside(own[t[0]], own[t[1]], own[t[2]], own[t[3]], at))
    found.push_back({s.body, other.begin + p.point, std::int32_t(tet)});
}

// Whether four points are all beyond the same end of a region.
bool is_beyond(const OverlapRegion& region, const Vec3* x, const Tetrahedron& t) {
  const int axis = region.axis;
  const double a = x[t[0]][axis], b = x[t[1]][axis], c = x[t[2]][axis], d = x[t[3]][axis];
  return std::min(std::min(a, b), std::min(c, d)) > region.box.high[axis] ||
         std::max(std::max(a, b), std::max(c, d)) < region.box.low[axis];
}

// Against the points of one solid: all that are inside are in the region as well.
void test_tet(const Look& look, std::size_t solid, std::size_t tet, const OverlapRegion& region,
              std::vector<OverlapHit>& found) {
  const OverlapSolid& s = look.solids[solid];
  const Tetrahedron& t = s.topology.tets[tet];
  const Vec3* own = look.x.data() + s.begin;
  if (is_beyond(region, own, t)) return;
  TreeBox box;
  for (const std::int32_t p : t) box.add(own[p]);
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
      if (p.solid == region.solid) test_point(look, solid, tet, box, p, found);
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
            test_point(look, solid, tet, box, p, found);
        }
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
  const double inverse = cell > 0 ? 1 / cell : 1;
  const std::uint32_t slots = fill_table(solids, x, inverse, memory);
  if (memory.sorted.empty()) return;
  const Look look{.solids = solids, .x = x, .memory = memory, .inverse = inverse, .slots = slots};
  int blocks = 0;
  for (const OverlapSolid& s : solids)
    blocks += (int(s.topology.tets.size()) + k_block - 1) / k_block;
  if (memory.found.size() < std::size_t(blocks)) memory.found.resize(std::size_t(blocks));
  int first = 0;
  for (std::size_t n = 0; n < solids.size(); ++n) {
    const int tets = int(solids[n].topology.tets.size());
    const int own_blocks = (tets + k_block - 1) / k_block;
    if (!memory.regions[n].empty()) {
      parallel_for(pool, own_blocks, 1, [&, n, first](int begin, int end) {
        for (int block = begin; block < end; ++block)
          for (int t = block * k_block; t < std::min((block + 1) * k_block, tets); ++t)
            for (const OverlapRegion& region : memory.regions[n])
              test_tet(look, n, std::size_t(t), region, memory.found[std::size_t(first + block)]);
      });
    }
    first += own_blocks;
  }
}

}  // namespace pliant
