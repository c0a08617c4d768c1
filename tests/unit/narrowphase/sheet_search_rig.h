// Cloths for tests of the search between sheets.
#pragma once

#include <pliant/pliant.h>
#include <vector>

#include "build/deformable_build.h"
#include "narrowphase/sheet_search.h"
#include "random_points.h"

namespace pliant::test {

inline constexpr ClothSearch k_structures[] = {ClothSearch::bvh, ClothSearch::rtree,
                                               ClothSearch::rtree_inserted};

// Cloths somewhere, as they are when a search is made.
struct SearchRig {
  std::vector<Deformable> bodies;
  SheetMotion motion;
  SheetScratch scratch;
  Real thickness = Real(0.004);  // m

  void add(const TriMesh& mesh, const std::vector<Vec3>& places, const std::vector<Vec3>& ways) {
    ClothDef def;
    def.mesh = mesh;
    DeformableBuild build = build_cloth(def);
    build.body.begin = std::int32_t(motion.place.size());
    motion.place.resize(motion.place.size() + mesh.vertices.size() + 1);
    motion.motion.resize(motion.place.size());
    for (std::size_t v = 0; v < places.size(); ++v) {
      const std::size_t p = std::size_t(build.body.begin + build.body.order[v]);
      motion.place[p] = {Real(places[v].x), Real(places[v].y), Real(places[v].z), 0};
      motion.motion[p] = {Real(ways[v].x), Real(ways[v].y), Real(ways[v].z), 0};
    }
    bodies.push_back(std::move(build.body));
  }

  SheetPair pair(std::int32_t b, std::int32_t a) const { return {0, b, a, thickness, 0, 0}; }

  std::vector<SheetCandidate> search(std::int32_t b, std::int32_t a, double reach,
                                     ClothSearch structure = ClothSearch::bvh) {
    scratch.structure = structure;
    for (std::size_t n = 0; n < bodies.size(); ++n)
      box_sheet(bodies[n], n, motion, nullptr, scratch);
    std::vector<SheetCandidate> found;
    search_sheets(bodies, pair(b, a), 0, motion, Real(reach), {}, nullptr, scratch, found);
    return found;
  }
};

// A sheet pressed together to two fifths of its width, every vertex somewhere within 5 cm, which
// moves by about `common` (m) and anyhow by `each`: nothing is flat, so nothing may be left out.
inline void add_crumpled(SearchRig& rig, const TriMesh& mesh, Random& random, const Vec3& common,
                         double each) {
  std::vector<Vec3> places, ways;
  for (const Vec3& v : mesh.vertices) {
    places.push_back(Vec3{0.4 * v.x, v.y, 0.4 * v.z} + random.point(0.05));
    ways.push_back(common + random.point(each));
  }
  rig.add(mesh, places, ways);
}
// Two of them in one place.
inline SearchRig crumpled_sheets(Random& random, const Vec3& common, double each) {
  SearchRig rig;
  for (int n = 0; n < 2; ++n) add_crumpled(rig, make_grid(11, 9, 0.3, 0.25), random, common, each);
  return rig;
}

// A sheet rolled up, with 8 mm between neighbouring turns. Arc length r a + q a^2 / 2 = x + 1/2:
// nothing is stretched.
inline std::vector<Vec3> rolled_up(const TriMesh& mesh, const Quat& turned) {
  std::vector<Vec3> places;
  for (const Vec3& v : mesh.vertices) {
    const double r = 0.03, q = 0.008 / 6.283;
    const double angle = (std::sqrt(r * r + 2 * q * (v.x + 0.5)) - r) / q, radius = r + q * angle;
    places.push_back(rotate(turned, Vec3{radius * std::cos(angle), radius * std::sin(angle), v.z}));
  }
  return places;
}

}  // namespace pliant::test
