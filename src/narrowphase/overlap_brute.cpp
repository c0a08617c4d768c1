// Points inside tetrahedra, all against all: the twin that the other ways are compared with.
#include "narrowphase/overlap_search.h"

namespace pliant {

void find_by_all(std::span<const OverlapSolid> solids, std::span<const Vec3> x,
                 std::vector<OverlapHit>& hits) {
  for (const OverlapSolid& s : solids)
    for (std::size_t tet = 0; tet < s.topology.tets.size(); ++tet) {
      const Tetrahedron& t = s.topology.tets[tet];
      const Vec3* c = x.data() + s.begin;
      Vec3 low = c[t[0]], high = low;  // what is not in between cannot be inside
      for (const std::int32_t p : t) low = min(low, c[p]), high = max(high, c[p]);
      for (const OverlapSolid& other : solids) {
        const bool same = &other == &s;
        if ((same && !s.self) || (!s.awake && !other.awake)) continue;
        for (const std::int32_t p : other.topology.points) {
          const Vec3& at = x[std::size_t(other.begin + p)];
          if (at.x < low.x || at.x > high.x || at.y < low.y || at.y > high.y || at.z < low.z ||
              at.z > high.z)
            continue;
          bool corner = false;
          for (const std::int32_t own : t) corner |= same && own == p;
          if (!corner && is_inside(c[t[0]], c[t[1]], c[t[2]], c[t[3]], at))
            hits.push_back({s.body, other.begin + p, std::int32_t(tet)});
        }
      }
    }
}

}  // namespace pliant
