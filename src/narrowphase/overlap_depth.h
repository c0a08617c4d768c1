// How deep the points of one solid are inside another, and which way out is, such that neighbours
// agree and nothing jumps when bodies slide.
//
//   border: a point inside with a neighbour e outside (along an edge of a tetrahedron); x_e where
//   that edge passes the surface, nearest to the outer end, n_e the smooth normal there.
//     w_e = 1 / |x_e - x|^2,  h = sum w_e (x_e - x) . n_e / sum w_e,  r = sum w_e n_e, normalised
//   inwards, layer by layer, from the neighbours j that are known:
//     w_j = 1 / |x_j - x|^2,  h = sum w_j ((x_j - x) . r_j + h_j) / sum w_j,  r = sum w_j r_j
//   The same with the normals of the faces themselves says what pushes: at an edge of the surface
//   the smooth normal would push sideways what rests on one side of it. Of a flat surface all are
//   exact. What no layer reaches (all of a body is inside) goes out as a whole, through the face
//   that is nearest to one of its points: h = (y - x) . r.
//
// Guards: a point nearer to x_e than 1e-6 of the cell has no depth; opposed normals leave the
// direction of the nearest x_e.
// Source: Heidelberger, Teschner, Keiser, Mueller, Gross 2004, Consistent penetration depth
// estimation for deformable collision response.
#pragma once

#include <span>
#include <vector>

#include "model/overlap.h"
#include "narrowphase/overlap_solid.h"

namespace pliant {

inline constexpr double k_overlap_guard = 1e-6;  // of a cell

struct DepthMemory {
  std::vector<std::int32_t>
      place;  // of each particle: in the depths of the pair, -1; all -1 before
  std::vector<std::int32_t> layer, next_layer;
  std::vector<std::uint8_t> state;  // of each depth of the pair
  std::vector<std::int32_t> lost;
  std::vector<std::int32_t> outer;  // neighbours of a point that are outside
  std::vector<FourFaces> faces;     // that its edges to them may pass
};

// Depths of the points of one solid in another: `depths` has them, with `body`, `own` and `point`.
// `solid` is what they are in, with its faces; `own` what they belong to. Returns how many were
// reached by no layer.
int find_depths(OverlapSolid& solid, const OverlapSolid& own, std::span<const Vec3> x,
                std::span<OverlapDepth> depths, DepthMemory& memory);

// The contact of a point with the face through which its way out leads; false: there is none.
// `guess` is the face of the last time, which saves time and changes nothing else.
bool make_contact(const OverlapSolid& solid, const OverlapSolid& own, std::span<const Vec3> x,
                  const OverlapDepth& depth, std::int32_t& guess, OverlapContact& contact);

// The nearest face to p, and the point of it.
struct NearFace {
  std::int32_t face = -1;
  Vec3 point;
  double distance = 0;
};
NearFace nearest_face(OverlapSolid& solid, std::span<const Vec3> x, const Vec3& p);

}  // namespace pliant
