// Points inside tetrahedra by a tree over the tetrahedra of each solid, refitted.
#include "narrowphase/overlap_search.h"

namespace pliant {

void find_by_trees(std::span<OverlapSolid> solids, std::span<const Vec3> x, TaskPool* pool,
                   OverlapMemory& memory) {
  const int count = int(solids.size());
  parallel_for(pool, count, 1, [&](int begin, int end) {
    for (std::size_t s = std::size_t(begin); s < std::size_t(end); ++s)
      if (!memory.now.meets[s].empty()) refresh_tets(solids[s], x);
  });
  if (memory.found.size() < solids.size()) memory.found.resize(solids.size());
  parallel_for(pool, count, 1, [&](int begin, int end) {
    for (std::size_t s = std::size_t(begin); s < std::size_t(end); ++s)
      for (const std::int32_t met : memory.now.meets[s]) {
        const OverlapSolid& own = solids[s];
        const OverlapSolid& other = solids[std::size_t(met)];
        const bool self = std::size_t(met) == s;
        for (const std::int32_t p : own.topology.points) {
          const Vec3& at = x[std::size_t(own.begin + p)];
          if (!other.box.meets({at, at})) continue;
          other.tet_tree.overlapping({at, at}, [&](std::int32_t tet) {
            const Tetrahedron& t = other.topology.tets[std::size_t(tet)];
            if (self && (t[0] == p || t[1] == p || t[2] == p || t[3] == p)) return;
            const Vec3* c = x.data() + other.begin;
            if (is_inside(c[t[0]], c[t[1]], c[t[2]], c[t[3]], at))
              memory.found[s].push_back({other.body, own.begin + p, tet});
          });
        }
      }
  });
}

}  // namespace pliant
