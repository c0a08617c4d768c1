// Contact of a cloth with itself by particles: each stands for a sphere, and two that are no
// neighbours keep a distance. The cheap way beside that by features (model/sheet.h).
//
// How far apart. Let x be a point that an edge with ends p_j and a triangle with corners a_i have
// in common: x = sum m_j p_j = sum l_i a_i, all shares >= 0, each sum 1. Then, as sum m_j (p_j - x)
// = 0 and likewise of the a_i,
//
//   sum_ij m_j l_i |p_j - a_i|^2 = sum_j m_j |p_j - x|^2 + sum_i l_i |a_i - x|^2 <= q_edge + q_tri
//
// where q is the squared radius of the smallest circle around the edge or the triangle: the right
// sums are q less the squared distance of x from that circle's centre, or less still. So some
// corner is within sqrt(q_edge + q_tri) of some end, and triangles whose vertices keep more than
// that cannot pass through each other. An edge is in the circle of each of its triangles. Hence
//
//   r_ij^2 = q_i + q_j,  q_i = the largest q of the triangles around particle i at rest, and no
//   less than thickness^2 / 2, so that r_ij >= thickness
//
// Of a grid with one diagonal and cells of h x h this is r = h, of equilateral triangles 0.82 times
// their edge. It holds while edges are no longer than at rest and r is kept. Neighbours, which
// share an edge or are nearer than 1.2 r at rest, are left to the cloth's own constraints: a crease
// that closes upon them may cross itself.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "model/batches.h"

namespace pliant {

inline constexpr double k_self_near = 1.2;  // of r: nearer at rest are neighbours

// Particles of a body in groups of eight, in their order: leaves of a tree of boxes.
struct SelfLeafNear {
  std::int32_t other = 0;  // leaf, not before the one that has this
  // Bit k of lanes[c]: particle k of this leaf and c of the other are neighbours.
  std::array<std::uint8_t, k_lanes> lanes{};
};

struct SelfParticles {
  std::vector<RealW> q;  // m2, of each leaf; k_no_particle where there is none
  std::vector<std::int32_t> near_begin{0};
  std::vector<SelfLeafNear> near;  // of leaf n: [near_begin[n], near_begin[n + 1]), rising
  // Per particle: 1 + the number of an open seam that it or one next to it is at, 0 = none; empty
  // where there is none. What a seam draws together keeps no distance.
  std::vector<std::int32_t> seam;
  Real reach = 0;  // m, the largest r

  bool empty() const { return q.empty(); }
};
inline constexpr Real k_no_particle = Real(-1e30);

// Two particles of the body's range that are no neighbours and nearer than r, or may soon be; i <
// j.
struct SelfPair {
  std::int32_t i = 0, j = 0;
  friend auto operator<=>(const SelfPair&, const SelfPair&) = default;
};

// Eight of them; see constraints/contact_self_particle.h.
struct alignas(64) SelfPairBatch {
  Lanes i, j;  // world-wide; unused lanes name the body's scratch particle
  Vec3W base;  // m, base_i - base_j
  RealW kept;  // m: r, but not more than the rest shape has
  // Of the present substep.
  Vec3W before;            // m, x_i - x_j when it began
  MaskW passed;            // have passed each other in it
  RealW target;            // m, that the projection restores
  RealW multiplier;        // kg m
  Vec3W rubbed;            // kg m
  std::int32_t lanes = 0;  // how many are used
  bool live = false;       // some lane may be loaded; if not, what is of the substep is old
};

// Of one body.
struct SelfContacts {
  std::vector<SelfPair> pairs;
  std::vector<SelfPairBatch> batches;         // by colour
  std::vector<std::int32_t> colour_begin{0};  // colour c: [colour_begin[c], colour_begin[c + 1])
  bool serial = false;                        // the batches of the last colour share particles
  Real friction_static = 0, friction_kinetic = 0;

  int colours() const { return int(colour_begin.size()) - 1; }
};

}  // namespace pliant
