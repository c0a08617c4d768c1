#include "world/crossings.h"

#include <algorithm>
#include <map>

#include "geometry/self_intersection.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// The triangles of all cloths where they are now.
struct AllCloth {
  TriMesh mesh;
  std::vector<ClothId> of;  // of each triangle
};

// Vertices that have become one at a seam are in the same place to the last bit, and one vertex
// here: what comes together there is no crossing.
AllCloth all_cloth(const World& world) {
  AllCloth all;
  std::map<std::array<double, 3>, std::int32_t> number;
  std::vector<Vec3> places;
  for (const ClothId id : world.cloths()) {
    world.copy_positions(id, places);
    std::vector<std::int32_t> renamed;
    for (const Vec3& p : places) {
      const auto [at, is_new] =
          number.try_emplace({p.x, p.y, p.z}, std::int32_t(all.mesh.vertices.size()));
      if (is_new) all.mesh.vertices.push_back(p);
      renamed.push_back(at->second);
    }
    for (const Triangle& t : world.describe(id).mesh.triangles) {
      const Triangle now{renamed[std::size_t(t[0])], renamed[std::size_t(t[1])],
                         renamed[std::size_t(t[2])]};
      if (now[0] == now[1] || now[1] == now[2] || now[2] == now[0]) continue;
      all.mesh.triangles.push_back(now);
      all.of.push_back(id);
    }
  }
  return all;
}

}  // namespace

std::size_t count_crossings(const World& world, ClothId cloth) {
  const AllCloth all = all_cloth(world);
  const std::vector<TrianglePair> pairs = self_intersections(all.mesh);
  if (!world.valid(cloth)) return pairs.size();
  return std::size_t(std::count_if(pairs.begin(), pairs.end(), [&](const TrianglePair& pair) {
    return all.of[std::size_t(pair.first)] == cloth || all.of[std::size_t(pair.second)] == cloth;
  }));
}

}  // namespace PLIANT_ABI
}  // namespace pliant
