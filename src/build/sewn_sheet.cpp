#include "build/sewn_sheet.h"

#include <algorithm>

#include "geometry/topology.h"

namespace pliant {
namespace {

constexpr std::int32_t k_none = -2;
// The search measures by corners, which may be that much further apart than what is between them.
constexpr double k_corners = 1.4;

// Takes a triangle into the feature that is at it.
void join(const SewnFeature& triangle, SewnFeature& feature) {
  if (feature.part == k_none) {
    feature = triangle;
    return;
  }
  if (feature.part != triangle.part) feature.part = -1;
  if (feature.layer != triangle.layer) feature.layer = 0;
}

std::size_t edge_place(const std::vector<MeshEdge>& edges, std::int32_t v, std::int32_t w) {
  const std::pair<std::int32_t, std::int32_t> ends = std::minmax(v, w);
  const auto at = std::lower_bound(
      edges.begin(), edges.end(), ends,
      [](const MeshEdge& e, const auto& wanted) { return std::pair(e.a, e.b) < wanted; });
  return std::size_t(at - edges.begin());
}

void name_features(std::span<const ClothDef> parts, std::span<const std::int32_t> part_of_triangle,
                   const Deformable& body, SewnSheet& sewn) {
  const DeformableSurface& surface = body.surface;
  const EdgeList edges = unique_edges(surface.triangles);  // in the order of surface.edges
  sewn.particles.assign(std::size_t(body.count), {k_none, 0});
  sewn.edges.assign(surface.edges.size(), {k_none, 0});
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const std::int32_t part = part_of_triangle[t];
    sewn.triangles.push_back({part, parts[std::size_t(part)].layer});
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t v = surface.triangles[t][k], w = surface.triangles[t][(k + 1) % 3];
      join(sewn.triangles.back(),
           sewn.particles[std::size_t(surface.vertices[std::size_t(v)].particle[0])]);
      join(sewn.triangles.back(), sewn.edges[edge_place(edges, v, w)]);
    }
  }
}

// Goes over one part from each of its places at seams to what is near it.
class SeamSurroundings {
 public:
  SeamSurroundings(std::span<const std::int32_t> part_of_triangle, const Deformable& body,
                   const SewnSheet& sewn)
      : part_of_triangle_(part_of_triangle),
        body_(body),
        sewn_(sewn),
        reach_(k_corners * k_seam_reach * body.thickness),
        rest_(std::size_t(body.count)),
        vertex_(std::size_t(body.count), -1),
        seen_(std::size_t(body.count), -1),
        near_(std::size_t(body.count)) {
    for (std::size_t v = 0; v < body.surface.vertices.size(); ++v)
      vertex_[std::size_t(body.surface.vertices[v].particle[0])] = std::int32_t(v);
  }

  void visit_part(const ClothDef& def, std::int32_t number) {
    const ClothPart& part = body_.parts[std::size_t(number)];
    std::vector<std::int32_t> seams;
    for (std::size_t v = 0; v < part.order.size(); ++v) {
      const std::int32_t p = body_.root(part.begin + part.order[v]);
      rest_[std::size_t(p)] = def.mesh.vertices[v];
      if (sewn_.particles[std::size_t(p)].part == -1) seams.push_back(p);
    }
    std::fill(seen_.begin(), seen_.end(), -1);
    for (const std::int32_t seam : seams) visit_seam(seam, number);
  }

  void put(SewnSheet& sewn) {
    for (std::vector<NearSeam>& list : near_) {
      std::sort(list.begin(), list.end(), [](const NearSeam& x, const NearSeam& y) {
        return x.seam != y.seam ? x.seam < y.seam : x.distance < y.distance;
      });
      const auto same = [](const NearSeam& x, const NearSeam& y) { return x.seam == y.seam; };
      list.erase(std::unique(list.begin(), list.end(), same), list.end());
      sewn.near_begin.push_back(std::int32_t(sewn.near.size()));
      sewn.near.insert(sewn.near.end(), list.begin(), list.end());
    }
    sewn.near_begin.push_back(std::int32_t(sewn.near.size()));
  }

 private:
  void visit_seam(std::int32_t seam, std::int32_t part) {
    const DeformableSurface& surface = body_.surface;
    std::vector<std::int32_t> front{seam};
    seen_[std::size_t(seam)] = seam;
    near_[std::size_t(seam)].push_back({seam, 0});
    while (!front.empty()) {
      const std::size_t v = std::size_t(vertex_[std::size_t(front.back())]);
      front.pop_back();
      for (std::int32_t r = surface.ring_begin[v]; r < surface.ring_begin[v + 1]; ++r) {
        const std::int32_t t = surface.ring[std::size_t(r)];
        if (part_of_triangle_[std::size_t(t)] != part) continue;
        for (const std::int32_t w : surface.triangles[std::size_t(t)]) {
          const std::int32_t p = surface.vertices[std::size_t(w)].particle[0];
          const double away = length(rest_[std::size_t(p)] - rest_[std::size_t(seam)]);
          if (seen_[std::size_t(p)] == seam || away > reach_) continue;
          seen_[std::size_t(p)] = seam;
          near_[std::size_t(p)].push_back({seam, away});
          front.push_back(p);
        }
      }
    }
  }

  std::span<const std::int32_t> part_of_triangle_;
  const Deformable& body_;
  const SewnSheet& sewn_;
  double reach_;                      // m
  std::vector<Vec3> rest_;            // m, of the part's particles in its mesh
  std::vector<std::int32_t> vertex_;  // of the surface, of each particle
  std::vector<std::int32_t> seen_;    // from which seam
  std::vector<std::vector<NearSeam>> near_;
};

}  // namespace

SewnSheet make_sewn_sheet(std::span<const ClothDef> parts,
                          std::span<const std::int32_t> part_of_triangle, const Deformable& body) {
  SewnSheet sewn;
  if (parts.size() < 2) return sewn;
  name_features(parts, part_of_triangle, body, sewn);
  SeamSurroundings surroundings(part_of_triangle, body, sewn);
  for (std::size_t n = 0; n < parts.size(); ++n) surroundings.visit_part(parts[n], std::int32_t(n));
  surroundings.put(sewn);
  return sewn;
}

}  // namespace pliant
