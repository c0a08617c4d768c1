// Which points of solids are inside which tetrahedra: by a hash of space, by trees, or all against
// all. The result is the same, to the last bit.
//
//   inside: b = [x1 - x0, x2 - x0, x3 - x0]^-1 (p - x0), all b >= 0 and their sum <= 1
//   hash:   cells of the mean edge l, (i, j, k) = floor(x / l);
//           (i 73856093 xor j 19349663 xor k 83492791) mod n with 32-bit wrap-around,
//           n the first prime above 4/3 of the points
//
// A tetrahedron's own corners are never inside it. Solids that both sleep are not looked at.
// Source: Teschner, Heidelberger, Mueller, Pomeranets, Gross 2003, Optimized spatial hashing for
// collision detection of deformable objects. Points are sorted into cells by counting, and only
// those are looked at whose cell is the one asked for, not all with its hash.
#pragma once

#include <pliant/defs.h>
#include <span>
#include <vector>

#include "core/pool.h"
#include "model/overlap.h"
#include "narrowphase/overlap_solid.h"

namespace pliant {

inline std::uint32_t cell_mix(std::int32_t i, std::int32_t j, std::int32_t k) {
  return std::uint32_t(i) * 73856093u ^ std::uint32_t(j) * 19349663u ^ std::uint32_t(k) * 83492791u;
}
inline std::uint32_t cell_hash(std::int32_t i, std::int32_t j, std::int32_t k, std::uint32_t n) {
  return cell_mix(i, j, k) % n;
}
// The first prime above 4/3 of the points.
std::uint32_t table_size(std::size_t points);

bool is_inside(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, const Vec3& p);

// A point of a solid, in the table.
struct HashedPoint {
  std::int32_t i = 0, j = 0, k = 0;  // its cell
  std::int32_t solid = 0;            // in the list
  std::int32_t point = 0;            // particle of its range
  std::uint32_t slot = 0;
};
// Where the box of a solid meets that of another, or of itself.
struct OverlapRegion {
  TreeBox box;
  std::int32_t solid = 0;  // the other, in the list
  int axis = 0;            // along which the least of the first one's box is in it
};
// Which solids' boxes meet, and where.
struct OverlapRegions {
  std::vector<TreeBox> boxes;                       // of each solid
  std::vector<std::vector<OverlapRegion>> regions;  // of each solid
  std::vector<std::vector<std::int32_t>> meets;     // of each solid: with whom, rising
  std::vector<std::int32_t> by_low;
};
// A point that may come to be inside a tetrahedron before solids are looked around anew.
struct OverlapCandidate {
  std::int32_t solid = 0, tet = 0;    // in the list; of it
  std::int32_t other = 0, point = 0;  // likewise
};
// A solid as it was when candidates were found.
struct OverlapKept {
  std::int32_t body = 0, begin = 0;
  std::int64_t looked = 0;
  bool awake = false, self = false;

  bool operator==(const OverlapKept&) const = default;
};
struct OverlapMemory {
  OverlapRegions now;   // of the present boxes
  OverlapRegions wide;  // of all places that particles may go to
  std::vector<HashedPoint> points, sorted;
  std::vector<std::int32_t> slot_begin;
  std::vector<OverlapKept> kept;                    // for which the candidates are
  std::vector<std::vector<OverlapCandidate>> near;  // of each block of the loop
  std::vector<std::vector<OverlapHit>> found;       // likewise
};

// Sorted. `solids` have their present boxes; `cell` is the length of the cells of the hash.
void find_overlaps(OverlapSearch search, std::span<OverlapSolid> solids, std::span<const Vec3> x,
                   double cell, TaskPool* pool, OverlapMemory& memory,
                   std::vector<OverlapHit>& hits);
// `out` has the boxes; of the present ones `find_overlaps` has done it.
void find_regions(std::span<const OverlapSolid> solids, OverlapRegions& out);

// The three ways; `memory` has the present regions. The hash is asked only when a particle has
// moved so far that its answer may lack something: then with wide boxes, and what it finds is
// tested until the next time.
void find_by_hash(std::span<const OverlapSolid> solids, std::span<const Vec3> x, double cell,
                  TaskPool* pool, OverlapMemory& memory);
void find_by_trees(std::span<OverlapSolid> solids, std::span<const Vec3> x, TaskPool* pool,
                   OverlapMemory& memory);
void find_by_all(std::span<const OverlapSolid> solids, std::span<const Vec3> x,
                 std::vector<OverlapHit>& hits);

}  // namespace pliant
