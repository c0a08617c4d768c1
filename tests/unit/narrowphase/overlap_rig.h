// Solids for tests of overlaps, by themselves.
#pragma once

#include <pliant/mesh.h>

#include "narrowphase/overlap_depth.h"
#include "narrowphase/overlap_follow.h"
#include "narrowphase/overlap_search.h"

namespace pliant::test {

struct OverlapRig {
  std::vector<OverlapSolid> solids;
  std::vector<Vec3> x;
  OverlapMemory memory;
  DepthMemory depth_memory;

  template <class Map>
  OverlapSolid& add(const TetMesh& mesh, double cell, const Map& map) {
    OverlapSolid s;
    s.topology = make_topology(mesh.tetrahedra, std::int32_t(mesh.vertices.size()));
    s.body = std::int32_t(solids.size());
    s.begin = std::int32_t(x.size());
    s.cell = cell;
    for (const Vec3& v : mesh.vertices) x.push_back(map(v));
    solids.push_back(std::move(s));
    return solids.back();
  }
  double cell() const {
    double sum = 0;
    for (const OverlapSolid& s : solids) sum += mean_edge(s, x) / double(solids.size());
    return sum;
  }
  std::vector<OverlapHit> find(OverlapSearch search, TaskPool* pool = nullptr) {
    std::vector<OverlapHit> hits;
    for (OverlapSolid& s : solids) refresh_box(s, x);
    find_overlaps(search, solids, x, cell(), pool, memory, hits);
    return hits;
  }
  // Of the points of solid `own` in `solid`.
  std::vector<OverlapDepth> depths(std::int32_t own, std::int32_t solid, int* lost = nullptr) {
    std::vector<OverlapDepth> list;
    const OverlapSolid& mine = solids[std::size_t(own)];
    const std::int32_t end = mine.begin + std::int32_t(mine.topology.ring_begin.size()) - 1;
    for (const OverlapHit& hit : find(OverlapSearch::hash)) {
      if (hit.body != solid || hit.point < mine.begin || hit.point >= end) continue;
      if (list.empty() || list.back().point != hit.point) {
        list.push_back({});
        list.back().body = solid, list.back().own = own, list.back().point = hit.point;
      }
    }
    for (OverlapSolid& s : solids) refresh_faces(s, x);
    const int n = find_depths(solids[std::size_t(solid)], mine, x, list, depth_memory);
    if (lost != nullptr) *lost = n;
    return list;
  }
  // What pushes the points of solid `own` out of `solid`: one contact each, as the world has it.
  std::vector<OverlapContact> contacts(std::int32_t own, std::int32_t solid) {
    std::vector<OverlapContact> list, back;
    OverlapSolid& in = solids[std::size_t(solid)];
    const OverlapSolid& mine = solids[std::size_t(own)];
    for (const OverlapDepth& d : depths(own, solid)) {
      std::int32_t guess = -1;
      OverlapContact contact;
      if (make_contact(in, mine, x, d, guess, contact)) list.push_back(contact);
    }
    find_waiting(in, mine, x, std::vector<std::uint8_t>(x.size(), 0), back);
    for (OverlapContact& c : list)
      for (const OverlapContact& instead : back)
        if (!is_facing(mine, c) && instead.a.particle[0] == c.a.particle[0]) c = instead;
    return list;
  }
};

}  // namespace pliant::test
