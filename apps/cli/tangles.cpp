#include "apps/cli/tangles.h"

#include <fmt/core.h>
#include <pliant/mesh.h>

#include <algorithm>

namespace pliant::cli {
namespace {

struct PlacedCloth {
  std::string name;
  TriMesh mesh;
  Vec3 low, high;
  bool crosses_itself = false;
};

PlacedCloth place(const std::string& name, const World& world, ClothId id) {
  PlacedCloth cloth{name, world.describe(id).mesh, {}, {}};
  world.copy_positions(id, cloth.mesh.vertices);
  cloth.low = cloth.high = cloth.mesh.vertices.front();
  for (const Vec3& v : cloth.mesh.vertices) {
    cloth.low = {std::min(cloth.low.x, v.x), std::min(cloth.low.y, v.y),
                 std::min(cloth.low.z, v.z)};
    cloth.high = {std::max(cloth.high.x, v.x), std::max(cloth.high.y, v.y),
                  std::max(cloth.high.z, v.z)};
  }
  return cloth;
}

bool boxes_meet(const PlacedCloth& a, const PlacedCloth& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

bool crosses(const TriMesh& mesh) {
  const std::vector<MeshDefect> defects = find_defects(mesh);
  return std::any_of(defects.begin(), defects.end(),
                     [](const MeshDefect& d) { return d.what == "self_intersection"; });
}

TriMesh joined(const TriMesh& a, const TriMesh& b) {
  TriMesh both = a;
  const std::int32_t first = std::int32_t(a.vertices.size());
  both.vertices.insert(both.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles)
    both.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return both;
}

std::string name_of(const SceneWorld& scene_world, SolidId wanted) {
  for (const auto& [name, id] : scene_world.solids)
    if (id == wanted) return name;
  return {};
}

}  // namespace

std::vector<std::string> find_tangles(const SceneWorld& scene_world) {
  std::vector<std::string> found;
  std::vector<PlacedCloth> cloths;
  for (const auto& [name, id] : scene_world.cloths) {
    cloths.push_back(place(name, scene_world.world, id));
    PlacedCloth& cloth = cloths.back();
    cloth.crosses_itself = crosses(cloth.mesh);
    if (cloth.crosses_itself)
      found.push_back(fmt::format("cloth '{}' crosses itself at the start", name));
  }
  for (std::size_t m = 0; m < cloths.size(); ++m)
    for (std::size_t n = m + 1; n < cloths.size(); ++n) {
      const PlacedCloth &a = cloths[m], &b = cloths[n];
      // Where one crosses itself nothing more can be told from both together.
      if (a.crosses_itself || b.crosses_itself || !boxes_meet(a, b)) continue;
      if (crosses(joined(a.mesh, b.mesh)))
        found.push_back(fmt::format("cloth '{}' crosses cloth '{}' at the start", a.name, b.name));
    }
  for (const SolidOverlap& overlap : scene_world.world.overlapping_solids())
    found.push_back(fmt::format(
        "solids '{}' and '{}' are in each other at the start, {:.3g} m deep: they are parted while "
        "the scene runs",
        name_of(scene_world, overlap.a), name_of(scene_world, overlap.b), overlap.depth));
  return found;
}

}  // namespace pliant::cli
